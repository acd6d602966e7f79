/** The roles: one beside the other to choose from, and the rights of the chosen one as a matrix. */
import { Link, useNavigate } from '@tanstack/react-router';
import { resourceByName } from '../../resources/declared.ts';
import type { RecordPageProps } from '../../resources/presentation.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { Empty } from '../../ui/Empty.tsx';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import { RoleEditor } from './RoleEditor.tsx';
import { SettingsPage } from './SettingsPage.tsx';
import { texts } from './texts.ts';
import { useRoles } from './use-roles.ts';

/** One's own role, as long as none is chosen. */
export function RolesPage() {
  const { me } = useWorkspace();
  return <RolePage recordId={me.role.id} />;
}

/** @param props `recordId`: the chosen role; `new`: one that is made */
export function RolePage({ recordId: chosenId }: Pick<RecordPageProps, 'recordId'>) {
  const featureText = useFeatureText(texts);
  const text = useText();
  const names = useNames();
  const navigate = useNavigate();
  const createRefusal = useRefusal()(resourceByName('roles'), 'create');
  const roles = useRoles();
  const chosen = roles.data?.find(({ id }) => id === chosenId);
  const pathOf = (id: string): string => `/roles/${id}`;
  return (
    <SettingsPage
      title={featureText('roles')}
      actions={
        <GuardedButton
          refusal={createRefusal}
          leftSection={<Icon name="plus" />}
          onClick={() => void navigate({ to: pathOf('new') })}
        >
          {featureText('newRole')}
        </GuardedButton>
      }
    >
      <FailureNotice error={roles.error} />
      {roles.isPending && <Loading />}
      {roles.data !== undefined && (
        <ul className={shared.tags} aria-label={featureText('roles')}>
          {roles.data.map(({ id, key, name, builtIn }) => (
            <li key={id}>
              <Link
                to={pathOf(id)}
                className={shared.item}
                aria-current={id === chosenId ? 'page' : undefined}
              >
                {builtIn ? names.value(key) : name}
                {builtIn && <Icon name="lock" size={12} />}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {roles.data !== undefined && chosen === undefined && chosenId !== 'new' && (
        <Empty icon="search" title={text('record.missing')} />
      )}
      {chosenId === 'new' && (
        <RoleEditor key={`new ${location.search}`} edited={null} roles={roles.data ?? []} />
      )}
      {chosen !== undefined && <RoleEditor key={chosen.id} edited={chosen} roles={roles.data ?? []} />}
    </SettingsPage>
  );
}

/** A role: its name, and its rights as a matrix of resources and actions, which is changed there unless the role is built in. */

import { Button, Group, TextInput } from '@mantine/core';
import { useBlocker, useNavigate, useSearch } from '@tanstack/react-router';
import { requestOf } from '@trellis/client/api-client.ts';
import type { Role } from '@trellis/client/generated/types.ts';
import { etagOf } from '@trellis/client/response.ts';
import { type Permission, rightsFrom } from '@trellis/schema/rights/permissions.ts';
import { makeSlug } from '@trellis/schema/values/slug.ts';
import { useState } from 'react';
import { isProblem } from '../../api/problem.ts';
import { faultsAt } from '../../fields/draft.ts';
import { LeaveDialog } from '../../records/LeaveDialog.tsx';
import { useWrite } from '../../records/use-write.ts';
import { resourceByName } from '../../resources/declared.ts';
import { recordKeys } from '../../resources/queries.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { faultsOf } from '../../ui/problem-text.ts';
import shared from '../../ui/shared.module.css';
import { RoleMatrix } from './RoleMatrix.tsx';
import { isPossible, isReserved, withChoice } from './role-matrix.ts';
import { texts } from './texts.ts';

interface Props {
  /** Null for one that is made. */
  readonly edited: Role | null;
  /** All roles, of which a new one may be a copy. */
  readonly roles: readonly Role[];
}

interface Draft {
  readonly name: string;
  readonly key: string;
  readonly grants: readonly Permission[];
}

export function RoleEditor({ edited: role, roles }: Props) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const navigate = useNavigate();
  const { me, viewAs } = useWorkspace();
  const { copy } = useSearch({ strict: false });
  const resource = resourceByName('roles');
  const refusal = useRefusal();
  const nameOf = ({ builtIn, key, name }: Role) => (builtIn ? names.value(key) : name);
  const source = roles.find(({ id }) => id === copy);
  const name = role?.name ?? (source === undefined ? '' : featureText('copyOf', { name: nameOf(source) }));
  const initial: Draft = {
    name,
    key: role?.key ?? keyFor(name),
    grants: shownIn(role?.grants ?? source?.grants ?? [], role?.builtIn === true),
  };
  const [draft, setDraft] = useState(initial);
  const [isDeleting, setIsDeleting] = useState(false);
  const isDirty = JSON.stringify(draft) !== JSON.stringify(initial);
  const changes = [recordKeys.all(resource), ...(role?.id === me.role.id ? [['entered']] : [])];
  const save = useWrite<Role>({
    written: { resource, record: role },
    changes,
    done: (written) => {
      if (role === null)
        void navigate({ to: `/roles/${written.id}` as string, replace: true, ignoreBlocker: true });
    },
  });
  const guard = useBlocker({
    shouldBlockFn: () => isDirty && !save.isPending && !save.isSuccess,
    enableBeforeUnload: () => isDirty && !save.isSuccess,
    withResolver: true,
  });
  const faults = faultsOf(save.failure, names);
  const refused = refusal(resource, role === null ? 'create' : 'update');
  const isEditable = role?.builtIn !== true && refused === null;
  const submit = () => {
    const body = { name: draft.name, key: draft.key, grants: draft.grants };
    save.mutate(
      role === null
        ? requestOf('createRole', { body })
        : requestOf('updateRole', { path: { id: role.id }, body, ifMatch: etagOf(role.version) }),
    );
  };
  return (
    <form
      className={shared.fields}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {role?.builtIn === true && <p className={shared.about}>{featureText('builtInAbout')}</p>}
      {role?.builtIn !== true && refused !== null && <Notice kind="hint">{refused}</Notice>}
      {isEditable && (
        <Group gap={8}>
          <TextInput
            label={featureText('roleName')}
            w={260}
            value={draft.name}
            error={faultsAt(faults, '/name')}
            onChange={(event) => setDraft(withName(draft, event.currentTarget.value))}
          />
          <TextInput
            label={featureText('roleKey')}
            description={featureText('roleKeyAbout')}
            w={260}
            value={draft.key}
            error={faultsAt(faults, '/key')}
            onChange={(event) => setDraft({ ...draft, key: event.currentTarget.value })}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
        </Group>
      )}
      <RoleMatrix
        name={role === null ? draft.name : nameOf(role)}
        rights={rightsFrom(draft.grants)}
        isEditable={isEditable}
        choose={(on, action, choice) =>
          setDraft({ ...draft, grants: withChoice(draft.grants, on, action, choice) })
        }
      />
      <p className={shared.about}>{featureText('ownAbout')}</p>
      <FailureNotice error={isPlaced(save.failure) ? null : save.failure} />
      {save.isSuccess && !isDirty && <Notice kind="success">{featureText('saved')}</Notice>}
      <Group gap={8}>
        {isEditable && (
          <Button type="submit" loading={save.isPending} disabled={!isDirty}>
            {featureText(role === null ? 'createRole' : 'saveRole')}
          </Button>
        )}
        {isEditable && isDirty && (
          <Button variant="default" onClick={() => setDraft(initial)}>
            {featureText('discard')}
          </Button>
        )}
        {role !== null && (
          <GuardedButton
            variant="default"
            refusal={refusal(resource, 'create')}
            onClick={() => void navigate({ to: '/roles/new' as string, search: { copy: role.id } })}
          >
            {featureText('copyRole')}
          </GuardedButton>
        )}
        {role !== null && refusal(resource, 'update') === null && (
          <Button
            variant="default"
            onClick={() => {
              viewAs(role);
              void navigate({ to: '/' as string });
            }}
          >
            {featureText('viewAs')}
          </Button>
        )}
        {role !== null && isEditable && (
          <Button variant="default" onClick={() => setIsDeleting(true)}>
            {featureText('deleteRole')}
          </Button>
        )}
      </Group>
      {role !== null && isDeleting && <DeleteRole removed={role} close={() => setIsDeleting(false)} />}
      {guard.status === 'blocked' && <LeaveDialog stay={guard.reset} leave={guard.proceed} />}
    </form>
  );
}

/** The key follows the name until somebody chooses another one. A key that the API knows the role by stays. */
function withName(draft: Draft, name: string): Draft {
  const isOwn = draft.key !== keyFor(draft.name);
  return { ...draft, name, key: isOwn ? draft.key : keyFor(name) };
}

/** A key for a name; empty for names without Latin letters and digits. */
function keyFor(name: string): string {
  const key = makeSlug(name, 63);
  return /^[a-z0-9-]+$/.test(key) ? key : '';
}

/** The grants that the matrix shows, as the API takes them. A role of the organization cannot have those that are reserved. */
function shownIn(grants: Role['grants'], isBuiltIn: boolean): readonly Permission[] {
  return grants
    .filter(({ resource, action }) => isPossible(resource, action) && (isBuiltIn || !isReserved(resource)))
    .map(({ resource, action, own }) => ({ resource, action, ...(own === true ? { own } : {}) }));
}

/** Whether all that is wrong is said at the inputs. */
function isPlaced(error: unknown): boolean {
  return (
    isProblem(error, 'validation_failed') &&
    error.faults.length > 0 &&
    error.faults.every(({ pointer }) => pointer === '/name' || pointer === '/key')
  );
}

function DeleteRole({ removed: role, close }: { readonly removed: Role; readonly close: () => void }) {
  const featureText = useFeatureText(texts);
  const navigate = useNavigate();
  const remove = useWrite({
    changes: [recordKeys.all(resourceByName('roles'))],
    done: () => void navigate({ to: '/roles' as string, ignoreBlocker: true }),
  });
  return (
    <ConfirmDialog
      title={featureText('deleteRoleTitle', { name: role.name })}
      about={featureText('deleteRoleAbout')}
      action={featureText('deleteRole')}
      isDangerous
      isPending={remove.isPending}
      confirm={() =>
        remove.mutate(requestOf('deleteRole', { path: { id: role.id }, ifMatch: etagOf(role.version) }))
      }
      close={close}
    >
      <FailureNotice error={remove.failure} />
    </ConfirmDialog>
  );
}

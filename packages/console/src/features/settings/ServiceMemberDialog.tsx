/** Makes a service member, a program with a role, or changes its name and who is responsible for it. */

import { Button, Select, Stack, TextInput } from '@mantine/core';
import { requestOf } from '@trellis/client/api-client.ts';
import type { Member } from '@trellis/client/generated/types.ts';
import { etagOf } from '@trellis/client/response.ts';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { useState } from 'react';
import { faultsAt } from '../../fields/draft.ts';
import { RecordSelect } from '../../fields/RecordSelect.tsx';
import { useWrite } from '../../records/use-write.ts';
import { resourceByName } from '../../resources/declared.ts';
import { recordKeys } from '../../resources/queries.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { faultsOf } from '../../ui/problem-text.ts';
import styles from './SettingsPage.module.css';
import { texts } from './texts.ts';
import { useRoles } from './use-roles.ts';

/** A program cannot be responsible. */
const people = { kind: 'PERSON' };

interface Props {
  /** The one that is changed; null: a new one. */
  readonly member: Member | null;
  readonly close: () => void;
}

export function ServiceMemberDialog({ member, close }: Props) {
  const featureText = useFeatureText(texts);
  const text = useText();
  const names = useNames();
  const { signedIn } = useWorkspace();
  const roles = useRoles();
  const members = resourceByName('members');
  const [name, setName] = useState(member?.name ?? '');
  const [roleId, setRoleId] = useState(encodeId('role', builtInRoleIds.EDITOR));
  const [responsibleUserId, setResponsible] = useState<string | null>(
    member?.responsibleUserId ?? signedIn.user.id,
  );
  const save = useWrite({
    written: { resource: members, record: member },
    changes: [recordKeys.all(members)],
    done: close,
  });
  const faults = faultsOf(save.failure, names);
  const submit = () =>
    save.mutate(
      member === null
        ? requestOf('createMember', { body: { name, roleId, responsibleUserId } })
        : requestOf('updateMember', {
            path: { id: member.id },
            body: { name, responsibleUserId },
            ifMatch: etagOf(member.version),
          }),
    );
  return (
    <Dialog onClose={close} title={featureText(member === null ? 'newService' : 'changeService')}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack gap="md">
          {member === null && <Notice kind="hint">{featureText('serviceAbout')}</Notice>}
          {faults.length === 0 && <FailureNotice error={save.failure} />}
          <TextInput
            label={featureText('clientName')}
            placeholder={featureText('tokenNameExample')}
            data-autofocus
            value={name}
            error={faultsAt(faults, '/name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {member === null && (
            <Select
              label={featureText('role')}
              allowDeselect={false}
              data={(roles.data ?? []).map(({ id, key, name: label, builtIn }) => ({
                value: id,
                label: builtIn ? names.value(key) : label,
              }))}
              value={roleId}
              error={faultsAt(faults, '/roleId')}
              onChange={(id) => setRoleId(id ?? roleId)}
            />
          )}
          <RecordSelect
            resource={members}
            parentId={null}
            where={people}
            label={featureText('responsible')}
            value={responsibleUserId}
            error={faultsAt(faults, '/responsibleUserId') ?? undefined}
            onChange={setResponsible}
          />
          <div className={styles.end}>
            <Button variant="default" onClick={close}>
              {text('cancel')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {featureText(member === null ? 'createService' : 'saveRole')}
            </Button>
          </div>
        </Stack>
      </form>
    </Dialog>
  );
}

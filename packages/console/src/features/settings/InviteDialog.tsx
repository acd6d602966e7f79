/** Invites somebody. */

import { Button, Select, Stack, TextInput } from '@mantine/core';
import { requestOf } from '@trellis/client/api-client.ts';
import type { InvitationWithLink } from '@trellis/client/generated/types.ts';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { useState } from 'react';
import { faultsAt } from '../../fields/draft.ts';
import { useWrite } from '../../records/use-write.ts';
import { resourceByName } from '../../resources/declared.ts';
import { recordKeys } from '../../resources/queries.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { faultsOf } from '../../ui/problem-text.ts';
import styles from './SettingsPage.module.css';
import { texts } from './texts.ts';
import { useRoles } from './use-roles.ts';

interface Props {
  readonly close: () => void;
  readonly invited: (invitation: InvitationWithLink) => void;
}

export function InviteDialog({ close, invited }: Props) {
  const featureText = useFeatureText(texts);
  const text = useText();
  const names = useNames();
  const roles = useRoles();
  const [email, setEmail] = useState('');
  const [roleId, setRoleId] = useState(encodeId('role', builtInRoleIds.EDITOR));
  const resource = resourceByName('invitations');
  const invite = useWrite<InvitationWithLink>({
    written: { resource },
    changes: [recordKeys.all(resource)],
    done: invited,
  });
  const faults = faultsOf(invite.failure, names);
  return (
    <Dialog onClose={close} title={featureText('inviteTitle')}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          invite.mutate(requestOf('createInvitation', { body: { email, roleId } }));
        }}
      >
        <Stack gap="md">
          {faults.length === 0 && <FailureNotice error={invite.failure} />}
          <TextInput
            label={text('signIn.email')}
            type="email"
            autoComplete="off"
            data-autofocus
            value={email}
            error={faultsAt(faults, '/email')}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Select
            label={featureText('role')}
            allowDeselect={false}
            data={(roles.data ?? []).map(({ id, key, name, builtIn }) => ({
              value: id,
              label: builtIn ? names.value(key) : name,
            }))}
            value={roleId}
            error={faultsAt(faults, '/roleId')}
            onChange={(id) => setRoleId(id ?? roleId)}
          />
          <div className={styles.end}>
            <Button variant="default" onClick={close}>
              {text('cancel')}
            </Button>
            <Button type="submit" loading={invite.isPending}>
              {featureText('invite')}
            </Button>
          </div>
        </Stack>
      </form>
    </Dialog>
  );
}

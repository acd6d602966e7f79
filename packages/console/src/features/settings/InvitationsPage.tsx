/** The invitations of the organization: who was invited to which role, and what became of it. */
import { Group } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { requestOf } from '@trellis/client/api-client.ts';
import type { Invitation, Role } from '@trellis/client/generated/types.ts';
import { etagOf } from '@trellis/client/response.ts';
import { type ReactNode, useState } from 'react';
import { byCursor } from '../../api/pages.ts';
import { usePersonName } from '../../fields/Person.tsx';
import { Status } from '../../fields/Status.tsx';
import { useLiveReads } from '../../live/use-live-reads.ts';
import { ActionButton } from '../../records/actions/ActionButton.tsx';
import { useWrite } from '../../records/use-write.ts';
import { resourceByName } from '../../resources/declared.ts';
import { collectionPath } from '../../resources/places.ts';
import { recordKeys } from '../../resources/queries.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { MoreButton } from '../../ui/MoreButton.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import { InviteButton } from './InviteButton.tsx';
import { SettingsPage } from './SettingsPage.tsx';
import { texts } from './texts.ts';
import { useRoles } from './use-roles.ts';

export function InvitationsPage() {
  return <Invitations invite={<InviteButton />} />;
}

/** The same with the dialog for a new one. */
export function NewInvitationPage() {
  const navigate = useNavigate();
  const path: string = collectionPath(resourceByName('invitations'), null);
  return <Invitations invite={<InviteButton opened closed={() => void navigate({ to: path })} />} />;
}

function Invitations({ invite }: { readonly invite: ReactNode }) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { api } = useWorkspace();
  const resource = resourceByName('invitations');
  useLiveReads(resource);
  const roles = useRoles();
  const list = useInfiniteQuery({
    queryKey: recordKeys.list(resource, null, 'settings'),
    queryFn: ({ pageParam: cursor, signal }) =>
      api.read('listInvitations', { query: { limit: 50, cursor }, signal }),
    ...byCursor,
  });
  const shown = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <SettingsPage title={names.plural(resource)} actions={invite}>
      <FailureNotice error={list.error} />
      {list.isPending && <Loading />}
      {list.isSuccess && shown.length === 0 && (
        <Empty icon="users" title={featureText('noInvitations')} about={featureText('noInvitationsAbout')} />
      )}
      <ul className={shared.rows} aria-label={names.plural(resource)}>
        {shown.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} roles={roles.data ?? []} />
        ))}
      </ul>
      <MoreButton list={list} label={featureText('more')} />
    </SettingsPage>
  );
}

interface RowProps {
  readonly invitation: Invitation;
  readonly roles: readonly Role[];
}

function InvitationRow({ invitation, roles }: RowProps) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const by = usePersonName(invitation.createdBy);
  const refusal = useRefusal();
  const resource = resourceByName('invitations');
  const [isRevoking, setIsRevoking] = useState(false);
  const revoke = useWrite({ changes: [recordKeys.all(resource)], done: () => setIsRevoking(false) });
  const { id, email, status, expiresAt, version } = invitation;
  const role = roles.find((one) => one.id === invitation.roleId);
  const isOpen = status === 'PENDING' || status === 'EXPIRED';
  return (
    <li className={shared.row}>
      <div className={shared.main}>
        <span className={shared.name}>{email}</span>
        <span className={shared.note}>
          {role !== undefined && `${role.builtIn ? names.value(role.key) : role.name} · `}
          {featureText('invitedBy', { name: by })}
        </span>
      </div>
      <span className={shared.fact}>
        <Status value={status} />
      </span>
      <span className={shared.fact}>
        {status === 'PENDING' && (
          <>
            {featureText('linkExpires')} <Moment value={expiresAt} />
          </>
        )}
      </span>
      {isOpen && (
        <Group gap={8}>
          <ActionButton
            action="resendInvitation"
            resource={resource}
            parentId={null}
            record={invitation}
            size="xs"
          />
          <GuardedButton
            variant="default"
            size="xs"
            refusal={refusal(resource, 'delete')}
            onClick={() => setIsRevoking(true)}
          >
            {featureText('revoke')}
          </GuardedButton>
        </Group>
      )}
      {isRevoking && (
        <ConfirmDialog
          title={featureText('revokeInvitation', { email })}
          about={featureText('revokeInvitationAbout')}
          action={featureText('revoke')}
          isDangerous
          isPending={revoke.isPending}
          confirm={() =>
            revoke.mutate(requestOf('deleteInvitation', { path: { id }, ifMatch: etagOf(version) }))
          }
          close={() => setIsRevoking(false)}
        >
          <FailureNotice error={revoke.failure} />
        </ConfirmDialog>
      )}
    </li>
  );
}

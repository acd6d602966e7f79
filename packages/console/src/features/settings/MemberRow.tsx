/** A member, with a choice of the role and a menu of actions. */
import { ActionIcon, Menu, Select } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { requestOf } from '@trellis/client/api-client.ts';
import type { Member, MemberPatch, Role } from '@trellis/client/generated/types.ts';
import { etagOf } from '@trellis/client/response.ts';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { useState } from 'react';
import { isProblem } from '../../api/problem.ts';
import { usePersonName } from '../../fields/Person.tsx';
import { Status } from '../../fields/Status.tsx';
import { useWrite } from '../../records/use-write.ts';
import { resourceByName } from '../../resources/declared.ts';
import { recordKeys } from '../../resources/queries.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import { ServiceMemberDialog } from './ServiceMemberDialog.tsx';
import { texts } from './texts.ts';

interface Props {
  readonly member: Member;
  /** Those that can be chosen; none for who may not read roles. */
  readonly roles: readonly Role[];
}

export function MemberRow({ member, roles }: Props) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { signedIn } = useWorkspace();
  const members = resourceByName('members');
  const refused = useRefusal()(members, 'update');
  const [dialog, setDialog] = useState<'remove' | 'suspend' | 'service' | { readonly roleId: string } | null>(
    null,
  );
  const isService = member.kind === 'SERVICE';
  const responsible = usePersonName(member.responsibleUserId);
  const isOneself = member.id === signedIn.user.id;
  const changes = [recordKeys.all(members), ...(isOneself ? [['entered']] : [])];
  const change = useWrite({ changes, done: () => setDialog(null) });
  const patch = (body: MemberPatch) =>
    change.mutate(
      requestOf('updateMember', { path: { id: member.id }, body, ifMatch: etagOf(member.version) }),
    );
  const role = roles.find(({ id }) => id === member.roleId);
  return (
    <li className={shared.row}>
      <div className={shared.main}>
        <span className={shared.name}>
          {member.name} {isOneself && <span className={shared.small}>({featureText('isYou')})</span>}
          {isService && <span className={shared.badge}>{featureText('serviceMember')}</span>}
        </span>
        <span className={shared.note}>
          {isService ? featureText('responsiblePerson', { name: responsible }) : member.email}
          {' · '}
          {featureText('memberSince')} <Moment value={member.createdAt} />
        </span>
      </div>
      <span className={shared.fact}>
        {member.status === 'DISABLED' ? (
          <Status value="DISABLED" />
        ) : member.lastSeenAt === null ? (
          featureText('neverSeen')
        ) : (
          <Moment value={member.lastSeenAt} />
        )}
      </span>
      <span className={shared.fact}>
        {featureText(isService ? 'noSignIn' : member.hasMfa ? 'secondFactor' : 'noSecondFactor')}
      </span>
      <Select
        aria-label={featureText('roleOf', { name: member.name })}
        size="xs"
        w={150}
        data={roles.map(({ id, key, name, builtIn }) => ({
          value: id,
          label: builtIn ? names.value(key) : name,
        }))}
        value={role?.id ?? null}
        placeholder={nameOf(roles, member.roleId, names.value)}
        allowDeselect={false}
        disabled={refused !== null || roles.length === 0 || change.isPending}
        title={refused ?? undefined}
        onChange={(roleId) => {
          if (roleId === null || roleId === member.roleId) return;
          if (isOneself) setDialog({ roleId });
          else patch({ roleId });
        }}
      />
      <MemberMenu
        member={member}
        refused={refused}
        suspend={() => (member.status === 'ACTIVE' ? setDialog('suspend') : patch({ status: 'ACTIVE' }))}
        remove={() => setDialog('remove')}
        change={() => setDialog('service')}
      />
      {dialog === null && <MemberFailure error={change.failure} />}
      {dialog === 'remove' && <RemoveDialog member={member} close={() => setDialog(null)} />}
      {dialog === 'service' && <ServiceMemberDialog member={member} close={() => setDialog(null)} />}
      {dialog === 'suspend' && (
        <ConfirmDialog
          title={featureText('suspendTitle', { name: member.name })}
          about={featureText(isService ? 'suspendServiceAbout' : 'suspendAbout')}
          action={featureText('suspend')}
          isDangerous
          isPending={change.isPending}
          confirm={() => patch({ status: 'DISABLED' })}
          close={() => setDialog(null)}
        >
          {isOneself && <Notice kind="hint">{featureText('suspendOneself')}</Notice>}
          <MemberFailure error={change.failure} />
        </ConfirmDialog>
      )}
      {typeof dialog === 'object' && dialog !== null && (
        <ConfirmDialog
          title={featureText('ownRoleTitle')}
          about={featureText('ownRoleAbout', { role: nameOf(roles, dialog.roleId, names.value) })}
          action={featureText('changeRole')}
          isPending={change.isPending}
          confirm={() => patch({ roleId: dialog.roleId })}
          close={() => setDialog(null)}
        >
          <MemberFailure error={change.failure} />
        </ConfirmDialog>
      )}
    </li>
  );
}

/** What a role is called. The built-in ones have the same ids everywhere, so those are known without being read. */
function nameOf(roles: readonly Role[], id: string, nameOfKey: (key: string) => string): string {
  const role = roles.find((one) => one.id === id);
  if (role !== undefined && !role.builtIn) return role.name;
  const builtIn = Object.entries(builtInRoleIds).find(([, uuid]) => encodeId('role', uuid) === id);
  return builtIn === undefined ? '' : nameOfKey(builtIn[0]);
}

/** Why a change was refused; the last owner has a sentence of its own. */
function MemberFailure({ error }: { readonly error: unknown }) {
  const featureText = useFeatureText(texts);
  if (isProblem(error, 'last_owner')) return <Notice kind="failure">{featureText('lastOwner')}</Notice>;
  if (isProblem(error, 'in_use')) return <Notice kind="failure">{featureText('isResponsible')}</Notice>;
  return <FailureNotice error={error} />;
}

interface MenuProps {
  readonly member: Member;
  /** Why the member cannot be changed; null: it can. */
  readonly refused: string | null;
  /** Asks before access is suspended; restores it at once. */
  readonly suspend: () => void;
  readonly remove: () => void;
  /** Changes the name of a service member, and who is responsible for it. */
  readonly change: () => void;
}

function MemberMenu({ member, refused, suspend, remove, change }: MenuProps) {
  const featureText = useFeatureText(texts);
  const navigate = useNavigate();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={30}
          aria-label={featureText('memberMenu', { name: member.name })}
        >
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<Icon name="list" />}
          onClick={() => void navigate({ to: '/events', search: { actorId: member.id } })}
        >
          {featureText('activityOf')}
        </Menu.Item>
        {member.kind === 'PERSON' && (
          <Menu.Item
            leftSection={<Icon name="clock" />}
            onClick={() => void navigate({ to: '/sessions', search: { userId: member.id } })}
          >
            {featureText('showSessions')}
          </Menu.Item>
        )}
        <Menu.Divider />
        {refused !== null && <Menu.Label>{refused}</Menu.Label>}
        {member.kind === 'SERVICE' && (
          <Menu.Item leftSection={<Icon name="user" />} disabled={refused !== null} onClick={change}>
            {featureText('changeService')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<Icon name="lock" />} disabled={refused !== null} onClick={suspend}>
          {featureText(member.status === 'ACTIVE' ? 'suspend' : 'resume')}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="trash" />}
          className={shared.danger ?? ''}
          disabled={refused !== null}
          onClick={remove}
        >
          {featureText('removeMember')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function RemoveDialog({ member, close }: { readonly member: Member; readonly close: () => void }) {
  const featureText = useFeatureText(texts);
  const { signedIn } = useWorkspace();
  const members = resourceByName('members');
  const remove = useWrite({ changes: [recordKeys.all(members)], done: close });
  return (
    <ConfirmDialog
      title={featureText('removeTitle', { name: member.name })}
      about={featureText(member.kind === 'SERVICE' ? 'removeServiceAbout' : 'removeAbout')}
      action={featureText('removeNow')}
      isDangerous
      isPending={remove.isPending}
      confirm={() =>
        remove.mutate(requestOf('deleteMember', { path: { id: member.id }, ifMatch: etagOf(member.version) }))
      }
      close={close}
    >
      {member.id === signedIn.user.id && <Notice kind="hint">{featureText('removeOneself')}</Notice>}
      <MemberFailure error={remove.failure} />
    </ConfirmDialog>
  );
}

/** A token: its purpose, rights and expiry, with a menu to replace and revoke it. */
import { ActionIcon, Menu } from '@mantine/core';
import { requestOf } from '@trellis/client/api-client.ts';
import type { Token } from '@trellis/client/generated/types.ts';
import { etagOf } from '@trellis/client/response.ts';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { usePersonName } from '../../fields/Person.tsx';
import { ActionItems } from '../../records/actions/ActionItems.tsx';
import { useActions } from '../../records/actions/use-actions.tsx';
import { useWrite } from '../../records/use-write.ts';
import { resourceByName } from '../../resources/declared.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import details from '../../ui/details.module.css';
import { Icon } from '../../ui/icons.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import { accessKeys, useServiceMembers } from './access.ts';
import { texts } from './texts.ts';
import { useIsRefusedForMaker } from './token-maker.ts';

interface Props {
  readonly token: Token;
}

export function TokenRow({ token }: Props) {
  const featureText = useFeatureText(texts);
  const name = usePersonName(token.userId);
  const { formatDate } = useIntl();
  const when = token.expiresAt === null ? '' : formatDate(token.expiresAt, { dateStyle: 'medium' });
  const isRefused = useIsRefusedForMaker(token);
  const maker = usePersonName(token.createdBy);
  const isExpired = token.expiresAt !== null && Date.parse(token.expiresAt) <= Date.now();
  return (
    <li className={shared.row}>
      <div className={shared.main}>
        <span className={shared.name}>
          {token.name} <span className={shared.small}>{featureText('actsFor', { name })}</span>
        </span>
        <span className={shared.note}>
          {token.start !== null && <span className={details.code}>{token.start}… · </span>}
          <span title={token.scopes.join(' ')}>
            {featureText('scopeCount', { count: token.scopes.length })}
          </span>
        </span>
        {isRefused && (
          <span className={`${shared.note} ${shared.danger}`}>
            {featureText('refusedForMaker', { maker })}
          </span>
        )}
      </div>
      <span className={shared.fact}>
        {token.lastUsedAt === null ? (
          featureText('neverUsed')
        ) : (
          <>
            {featureText('used')}: <Moment value={token.lastUsedAt} />
          </>
        )}
      </span>
      <span className={`${shared.fact} ${isExpired ? shared.danger : ''}`}>
        {token.expiresAt === null
          ? featureText('neverExpires')
          : featureText(isExpired ? 'expired' : 'expires', { when })}
      </span>
      <TokenMenu token={token} />
    </li>
  );
}

function TokenMenu({ token }: Props) {
  const featureText = useFeatureText(texts);
  const refusal = useRefusal();
  const tokens = resourceByName('tokens');
  const { signedIn } = useWorkspace();
  const isOwn = token.userId === signedIn.user.id;
  const services = useServiceMembers(!isOwn && refusal(resourceByName('members'), 'update') === null);
  const isForService = services.data?.some(({ id }) => id === token.userId) === true;
  const refusals = { rotateToken: isOwn || isForService ? null : featureText('onlyOwn') };
  const { offered, dialog } = useActions({ resource: tokens, parentId: null, record: token, refusals });
  const [isRevoking, setIsRevoking] = useState(false);
  const revokeRefusal = refusal(tokens, 'delete');
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={30}
            aria-label={featureText('tokenMenu', { name: token.name })}
          >
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <ActionItems offered={offered} />
          {revokeRefusal !== null && <Menu.Label>{revokeRefusal}</Menu.Label>}
          <Menu.Item
            leftSection={<Icon name="trash" />}
            className={shared.danger ?? ''}
            disabled={revokeRefusal !== null}
            onClick={() => setIsRevoking(true)}
          >
            {featureText('revoke')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog}
      {isRevoking && <RevokeDialog token={token} close={() => setIsRevoking(false)} />}
    </>
  );
}

function RevokeDialog({ token, close }: { readonly token: Token; readonly close: () => void }) {
  const featureText = useFeatureText(texts);
  const revoke = useWrite({ changes: accessKeys, done: close });
  return (
    <ConfirmDialog
      title={featureText('revokeTitle', { name: token.name })}
      about={featureText('revokeAbout')}
      action={featureText('revoke')}
      isDangerous
      isPending={revoke.isPending}
      confirm={() =>
        revoke.mutate(requestOf('deleteToken', { path: { id: token.id }, ifMatch: etagOf(token.version) }))
      }
      close={close}
    >
      <FailureNotice error={revoke.failure} />
    </ConfirmDialog>
  );
}

/** A client with its tokens, or with its publishable key. */
import { ActionIcon, Group, Menu } from '@mantine/core';
import { requestOf } from '@trellis/client/api-client.ts';
import type { Client, Token } from '@trellis/client/generated/types.ts';
import { etagOf } from '@trellis/client/response.ts';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { Status } from '../../fields/Status.tsx';
import { useWrite } from '../../records/use-write.ts';
import { resourceByName } from '../../resources/declared.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import details from '../../ui/details.module.css';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { Icon } from '../../ui/icons.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import { accessKeys, hasTokens } from './access.ts';
import { NewTokenDialog } from './NewTokenDialog.tsx';
import styles from './SettingsPage.module.css';
import { TokenRow } from './TokenRow.tsx';
import { texts } from './texts.ts';

interface Props {
  readonly client: Client;
  readonly tokens: readonly Token[];
}

export function ClientSection({ client, tokens }: Props) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const refusal = useRefusal();
  const [isAdding, setIsAdding] = useState(false);
  const mayHaveTokens = hasTokens(client);
  return (
    <section className={shared.section} aria-label={client.name}>
      <div className={`${shared.group} ${styles.clientHead}`}>
        <h2 className={shared.title}>{client.name}</h2>
        <span className={shared.small}>{names.value(client.kind)}</span>
        {client.status === 'DISABLED' && <Status value="DISABLED" />}
        <Group gap={8}>
          {mayHaveTokens && (
            <GuardedButton
              variant="default"
              size="xs"
              refusal={refusal(resourceByName('tokens'), 'create')}
              onClick={() => setIsAdding(true)}
            >
              {featureText('newToken')}
            </GuardedButton>
          )}
          {client.kind !== 'CONSOLE' && <ClientMenu client={client} isUsed={tokens.length > 0} />}
        </Group>
      </div>
      {client.kind === 'CONSOLE' && <p className={shared.about}>{featureText('consoleTokens')}</p>}
      {client.kind === 'BROWSER' && <PublishableKey client={client} />}
      {mayHaveTokens && tokens.length === 0 && <p className={shared.none}>{featureText('noTokens')}</p>}
      {tokens.length > 0 && (
        <ul className={shared.rows}>
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </ul>
      )}
      {isAdding && (
        <NewTokenDialog
          clients={[client]}
          close={() => setIsAdding(false)}
          created={() => setIsAdding(false)}
        />
      )}
    </section>
  );
}

function PublishableKey({ client }: Pick<Props, 'client'>) {
  const featureText = useFeatureText(texts);
  const { formatList } = useIntl();
  const { publishableKey, origins } = client;
  return (
    <ul className={shared.rows}>
      <li className={shared.row}>
        <div className={shared.main}>
          <span className={details.code}>{publishableKey}</span>
          <span className={shared.note}>{featureText('origins', { origins: formatList(origins) })}</span>
        </div>
        {publishableKey !== null && <CopyButton value={publishableKey} label={featureText('copyKey')} />}
      </li>
    </ul>
  );
}

function ClientMenu({ client, isUsed }: Pick<Props, 'client'> & { readonly isUsed: boolean }) {
  const featureText = useFeatureText(texts);
  const refusal = useRefusal();
  const [dialog, setDialog] = useState<'disable' | 'delete' | null>(null);
  const change = useWrite({ changes: accessKeys, done: () => setDialog(null) });
  const resource = resourceByName('clients');
  const updateRefusal = refusal(resource, 'update');
  const deleteRefusal = refusal(resource, 'delete');
  const version = { path: { id: client.id }, ifMatch: etagOf(client.version) };
  const isActive = client.status === 'ACTIVE';
  const setStatus = (status: Client['status']) =>
    change.mutate(requestOf('updateClient', { ...version, body: { status } }));
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={30}
            aria-label={featureText('clientMenu', { name: client.name })}
          >
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {updateRefusal !== null && <Menu.Label>{updateRefusal}</Menu.Label>}
          <Menu.Item
            leftSection={<Icon name="lock" />}
            disabled={updateRefusal !== null}
            onClick={() => (isActive ? setDialog('disable') : setStatus('ACTIVE'))}
          >
            {featureText(isActive ? 'disableClient' : 'enableClient')}
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name="trash" />}
            className={shared.danger ?? ''}
            disabled={deleteRefusal !== null || isUsed}
            onClick={() => setDialog('delete')}
          >
            {featureText('deleteClient')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === null && <FailureNotice error={change.failure} />}
      {dialog === 'disable' && (
        <ConfirmDialog
          title={featureText('disableTitle', { name: client.name })}
          about={featureText('disableAbout')}
          action={featureText('disableClient')}
          isDangerous
          isPending={change.isPending}
          confirm={() => setStatus('DISABLED')}
          close={() => setDialog(null)}
        >
          <FailureNotice error={change.failure} />
        </ConfirmDialog>
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={featureText('removeTitle', { name: client.name })}
          about={featureText('deleteClientAbout')}
          action={featureText('deleteClient')}
          isDangerous
          isPending={change.isPending}
          confirm={() => change.mutate(requestOf('deleteClient', version))}
          close={() => setDialog(null)}
        >
          <FailureNotice error={change.failure} />
        </ConfirmDialog>
      )}
    </>
  );
}

/** Creates a token with a purpose, rights and a lifetime. Its secret is shown once. */

import { Button, Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core';
import { requestOf } from '@trellis/client/api-client.ts';
import type { Client, TokenWithSecret } from '@trellis/client/generated/types.ts';
import { tokenResources } from '@trellis/schema/resources/tokens.ts';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { useState } from 'react';
import { faultsAt } from '../../fields/draft.ts';
import { useShowSecret } from '../../records/SecretDialog.tsx';
import { useWrite } from '../../records/use-write.ts';
import { resourceByName } from '../../resources/declared.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { faultsOf } from '../../ui/problem-text.ts';
import { accessKeys, useServiceMembers } from './access.ts';
import { ScopeChoice } from './ScopeChoice.tsx';
import styles from './SettingsPage.module.css';
import { texts } from './texts.ts';

const lifetimes = ['30', '90', '180', '365', 'never'] as const;

interface Props {
  /** The clients that it can belong to; at least one. */
  readonly clients: readonly Pick<Client, 'id' | 'name'>[];
  readonly close: () => void;
  readonly created: () => void;
  /** Called when the secret is no longer shown. */
  readonly shown?: () => void;
}

export function NewTokenDialog({ clients, close, created, shown }: Props) {
  const featureText = useFeatureText(texts);
  const text = useText();
  const names = useNames();
  const { me, signedIn } = useWorkspace();
  const [clientId, setClientId] = useState(clients[0]?.id ?? '');
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [interfaces, setInterfaces] = useState<readonly (typeof tokenResources)[number][]>(['api']);
  const [lifetime, setLifetime] = useState<string>('90');
  const [userId, setUserId] = useState(signedIn.user.id);
  const mayForServices = useRefusal()(resourceByName('members'), 'update') === null;
  const services = useServiceMembers(mayForServices).data ?? [];
  const tokens = resourceByName('tokens');
  const showSecret = useShowSecret();
  const create = useWrite<TokenWithSecret>({
    written: { resource: tokens },
    changes: accessKeys,
    done: (token) => {
      created();
      showSecret(tokens, token, shown);
    },
  });
  const faults = faultsOf(create.failure, names);
  const scopeFault = faults.find(({ pointer }) => pointer?.startsWith('/scopes'))?.detail;
  // What the person's own sign-in lacks cannot be given away.
  const offered = allScopes.filter((scope) => me.scopes.includes(scope));
  const lasting = lifetime === 'never' ? { neverExpires: true } : { lifetimeDays: Number(lifetime) };
  return (
    <Dialog onClose={close} size={680} title={featureText('newToken')}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const body = { name, clientId, userId, scopes: chosen, resources: interfaces, ...lasting };
          create.mutate(requestOf('createToken', { body }));
        }}
      >
        <Stack gap="md">
          {faults.length === 0 && <FailureNotice error={create.failure} />}
          {clients.length > 1 && (
            <NativeSelect
              label={names.field('clientId')}
              data={clients.map(({ id, name: label }) => ({ value: id, label }))}
              value={clientId}
              error={faultsAt(faults, '/clientId')}
              onChange={(event) => setClientId(event.currentTarget.value)}
            />
          )}
          {services.length > 0 && (
            <NativeSelect
              label={featureText('tokenFor')}
              data={[
                { value: signedIn.user.id, label: featureText('tokenForMe') },
                ...services.map(({ id, name: label }) => ({
                  value: id,
                  label: featureText('tokenForService', { name: label }),
                })),
              ]}
              value={userId}
              error={faultsAt(faults, '/userId')}
              onChange={(event) => setUserId(event.currentTarget.value)}
            />
          )}
          <TextInput
            label={featureText('tokenName')}
            placeholder={featureText('tokenNameExample')}
            data-autofocus
            value={name}
            error={faultsAt(faults, '/name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <ScopeChoice offered={offered} chosen={chosen} choose={setChosen} fault={scopeFault} />
          <NativeSelect
            label={featureText('lifetime')}
            {...(lifetime === 'never' ? { description: featureText('neverAbout') } : {})}
            data={lifetimes.map((value) => ({
              value,
              label:
                value === 'never'
                  ? featureText('lifetimeNever')
                  : featureText('lifetimeDays', { days: Number(value) }),
            }))}
            value={lifetime}
            onChange={(event) => setLifetime(event.currentTarget.value)}
          />
          <Checkbox.Group
            label={featureText('interfaces')}
            value={[...interfaces]}
            error={faults.find(({ pointer }) => pointer?.startsWith('/resources'))?.detail}
            onChange={(values) => setInterfaces(tokenResources.filter((one) => values.includes(one)))}
          >
            <div className={styles.presets}>
              {tokenResources.map((value) => (
                <Checkbox key={value} value={value} label={names.value(value)} size="xs" />
              ))}
            </div>
          </Checkbox.Group>
          <div className={styles.end}>
            <Button variant="default" onClick={close}>
              {text('cancel')}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {featureText('createToken')}
            </Button>
          </div>
        </Stack>
      </form>
    </Dialog>
  );
}

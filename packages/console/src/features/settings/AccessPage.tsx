/** The clients of the organization, each with its tokens. */
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { useLiveReads } from '../../live/use-live-reads.ts';
import { resourceByName } from '../../resources/declared.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useFeatureText } from '../../text/feature.ts';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import { hasTokens, useClients, useTokens } from './access.ts';
import { ClientSection } from './ClientSection.tsx';
import { NewClientDialog } from './NewClientDialog.tsx';
import { NewTokenDialog } from './NewTokenDialog.tsx';
import { SettingsPage } from './SettingsPage.tsx';
import { texts } from './texts.ts';

export function AccessPage() {
  return <Access />;
}

/** The same with the dialog for a new client. */
export function NewClientPage() {
  return <Access added="client" />;
}

/** The same with the dialog for a new token; before it that for a client, if there is none that a token could belong to. */
export function NewTokenPage() {
  return <Access added="token" />;
}

function Access({ added = null }: { readonly added?: 'client' | 'token' | null }) {
  const featureText = useFeatureText(texts);
  const refusal = useRefusal();
  const navigate = useNavigate();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const clients = useClients();
  const tokens = useTokens();
  useLiveReads(resourceByName('clients'), resourceByName('tokens'));
  const [adding, setAdding] = useState(added);
  const withTokens = clients.data?.filter(hasTokens) ?? [];
  const needsClient = adding === 'token' && withTokens.length === 0;
  // It stays until the new client is in the list, and gives way to the dialog for the token.
  const beforeToken = {
    about: featureText('tokenNeedsClient'),
    kinds: ['SERVER', 'CLI'] as const,
    created: () => undefined,
  };
  const isOffered = (resource: 'clients' | 'tokens') =>
    clients.isSuccess && refusal(resourceByName(resource), 'create') === null;
  const leave = () => {
    setAdding(null);
    if (added !== null) void navigate({ to: path.replace(/\/new$/, '') });
  };
  return (
    <SettingsPage
      title={featureText('access')}
      actions={
        <GuardedButton
          refusal={refusal(resourceByName('clients'), 'create')}
          leftSection={<Icon name="plus" />}
          onClick={() => setAdding('client')}
        >
          {featureText('newClient')}
        </GuardedButton>
      }
    >
      <p className={shared.about}>{featureText('accessAbout')}</p>
      <FailureNotice error={clients.error ?? tokens.error} />
      {(clients.isPending || tokens.isPending) && <Loading />}
      {clients.data?.map((client) => (
        <ClientSection
          key={client.id}
          client={client}
          tokens={(tokens.data ?? []).filter(({ clientId }) => clientId === client.id)}
        />
      ))}
      {(adding === 'client' || needsClient) && isOffered('clients') && (
        <NewClientDialog {...(needsClient ? beforeToken : {})} close={leave} />
      )}
      {adding === 'token' && !needsClient && isOffered('tokens') && (
        <NewTokenDialog clients={withTokens} close={leave} created={() => setAdding(null)} shown={leave} />
      )}
    </SettingsPage>
  );
}

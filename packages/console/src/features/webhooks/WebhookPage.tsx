/** The page of an endpoint: its events, health, actions and deliveries. */
import '../../ui/input-styles.ts';
import { Button, Menu } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { requestOf } from '@trellis/client/api-client.ts';
import type { WebhookDelivery, WebhookEndpoint } from '@trellis/client/generated/types.ts';
import { etagOf } from '@trellis/client/response.ts';
import { useState } from 'react';
import { isProblem } from '../../api/problem.ts';
import { RecordLink } from '../../fields/RecordLink.tsx';
import { Status } from '../../fields/Status.tsx';
import { SecretDialog } from '../../records/SecretDialog.tsx';
import { useWrite } from '../../records/use-write.ts';
import { resourceByName } from '../../resources/declared.ts';
import type { RecordPageProps } from '../../resources/presentation.ts';
import { recordKeys } from '../../resources/queries.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import shared from '../../ui/shared.module.css';
import { EventTypeNames } from '../events/EventTypes.tsx';
import { Deliveries } from './Deliveries.tsx';
import { EndpointDialog, type EndpointResponse } from './EndpointDialog.tsx';
import { ReplayDialog } from './ReplayDialog.tsx';
import { texts } from './texts.ts';

export function WebhookPage({ resource, recordId }: RecordPageProps) {
  const text = useText();
  const names = useNames();
  const { api } = useWorkspace();
  const endpoint = useQuery({
    queryKey: recordKeys.record(resource, recordId),
    queryFn: ({ signal }) => api.read('getWebhookEndpoint', { path: { id: recordId }, signal }),
  });
  if (endpoint.data !== undefined) return <Endpoint resource={resource} endpoint={endpoint.data} />;
  return (
    <>
      <PageHead
        title={names.singular(resource)}
        up={{ label: names.plural(resource), href: '/webhook-endpoints' }}
      />
      {endpoint.isPending && <Loading />}
      {isProblem(endpoint.error, 'not_found') ? (
        <Empty icon="search" title={text('record.missing')} about={text('notFound.about')} />
      ) : (
        <FailureNotice error={endpoint.error} />
      )}
    </>
  );
}

/** The notice of each reason for which an endpoint is disabled automatically. */
const noticeOf = { GONE: 'gone', FAILING: 'failing', CLAIMED: 'claimed', PAUSED: 'paused' } as const;

interface Props extends Pick<RecordPageProps, 'resource'> {
  readonly endpoint: WebhookEndpoint;
}

type Dialog = 'edit' | 'rotate' | 'replay' | 'remove';

function Endpoint({ resource, endpoint }: Props) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const refused = useRefusal()(resource, 'update');
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const changes = [recordKeys.all(resource)];
  const path = { id: endpoint.id };
  const change = useWrite<EndpointResponse>({ changes });
  const test = useWrite<WebhookDelivery>({ changes });
  const isEnabled = endpoint.status === 'ENABLED';
  const close = () => setDialog(null);
  const state = isEnabled ? null : (endpoint.disabledReason ?? 'PAUSED');
  return (
    <>
      <PageHead
        title={endpoint.url}
        up={{ label: names.plural(resource), href: '/webhook-endpoints' }}
        aside={<Status value={endpoint.status} />}
        actions={
          <>
            <EndpointMenu refused={refused} open={setDialog} />
            <GuardedButton
              variant="default"
              refusal={refused}
              loading={change.isPending}
              onClick={() =>
                change.mutate(
                  requestOf('updateWebhookEndpoint', {
                    path,
                    body: { status: isEnabled ? 'DISABLED' : 'ENABLED' },
                    ifMatch: etagOf(endpoint.version),
                  }),
                )
              }
            >
              {featureText(isEnabled ? 'pause' : 'enable')}
            </GuardedButton>
            <GuardedButton
              refusal={refused}
              loading={test.isPending}
              onClick={() => test.mutate(requestOf('testWebhookEndpoint', { path }))}
            >
              {featureText('test')}
            </GuardedButton>
          </>
        }
      />
      <div className={shared.page}>
        <FailureNotice error={change.failure ?? test.failure} />
        {test.isSuccess && <Notice kind="success">{featureText('tested')}</Notice>}
        {state !== null && (
          <Notice kind={state === 'PAUSED' ? 'hint' : 'failure'}>{featureText(noticeOf[state])}</Notice>
        )}
        <dl className={shared.facts}>
          <dt>{featureText('types')}</dt>
          <dd>
            <EventTypeNames types={endpoint.eventTypes} />
          </dd>
          {endpoint.siteIds !== null && (
            <>
              <dt>{featureText('sites')}</dt>
              <dd>
                {endpoint.siteIds.map((id) => (
                  <div key={id}>
                    <RecordLink resource={resourceByName('sites')} id={id} />
                  </div>
                ))}
              </dd>
            </>
          )}
          <dt>{featureText('payload')}</dt>
          <dd>{featureText(endpoint.payload === 'THIN' ? 'thin' : 'full')}</dd>
          {endpoint.description !== null && (
            <>
              <dt>{featureText('description')}</dt>
              <dd>{endpoint.description}</dd>
            </>
          )}
        </dl>
        <Deliveries endpointId={endpoint.id} resource={resource} refused={refused} />
      </div>
      {dialog === 'edit' && <EndpointDialog endpoint={endpoint} close={close} saved={close} />}
      {dialog === 'replay' && <ReplayDialog endpointId={endpoint.id} changes={changes} close={close} />}
      {dialog === 'remove' && <RemoveDialog resource={resource} endpoint={endpoint} close={close} />}
      {dialog === 'rotate' && (
        <RotateDialog
          resource={resource}
          endpoint={endpoint}
          close={close}
          rotated={(next) => {
            close();
            setSecret(next);
          }}
        />
      )}
      {secret !== null && (
        <SecretDialog secret={{ of: endpoint.url, value: secret }} close={() => setSecret(null)} />
      )}
    </>
  );
}

interface MenuProps {
  readonly refused: string | null;
  readonly open: (dialog: Dialog) => void;
}

function EndpointMenu({ refused, open }: MenuProps) {
  const featureText = useFeatureText(texts);
  const items = [
    { dialog: 'edit', icon: 'file' },
    { dialog: 'rotate', icon: 'key' },
    { dialog: 'replay', icon: 'sort' },
  ] as const;
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button variant="default" px={9} aria-label={featureText('more')}>
          <Icon name="more" />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {refused !== null && <Menu.Label>{refused}</Menu.Label>}
        {items.map(({ dialog, icon }) => (
          <Menu.Item
            key={dialog}
            leftSection={<Icon name={icon} />}
            disabled={refused !== null}
            onClick={() => open(dialog)}
          >
            {featureText(dialog)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<Icon name="trash" />}
          className={shared.danger ?? ''}
          disabled={refused !== null}
          onClick={() => open('remove')}
        >
          {featureText('remove')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface DialogProps extends Props {
  readonly close: () => void;
}

function RotateDialog({
  resource,
  endpoint,
  close,
  rotated,
}: DialogProps & { readonly rotated: (secret: string) => void }) {
  const featureText = useFeatureText(texts);
  const queries = useQueryClient();
  const rotate = useWrite<EndpointResponse>({
    changes: [recordKeys.all(resource)],
    done: ({ secret, ...written }) => {
      // The next change names this version, also before the endpoint has been read again.
      queries.setQueryData(recordKeys.record(resource, endpoint.id), written);
      if (secret !== undefined) rotated(secret);
    },
  });
  return (
    <ConfirmDialog
      title={featureText('rotate')}
      about={featureText('rotateAbout')}
      action={featureText('rotate')}
      isPending={rotate.isPending}
      confirm={() => rotate.mutate(requestOf('rotateWebhookEndpointSecret', { path: { id: endpoint.id } }))}
      close={close}
    >
      <FailureNotice error={rotate.failure} />
    </ConfirmDialog>
  );
}

function RemoveDialog({ resource, endpoint, close }: DialogProps) {
  const featureText = useFeatureText(texts);
  const navigate = useNavigate();
  const remove = useWrite({
    changes: [recordKeys.all(resource)],
    done: () => void navigate({ to: '/webhook-endpoints' as string }),
  });
  return (
    <ConfirmDialog
      title={featureText('removeTitle')}
      about={featureText('removeAbout')}
      action={featureText('remove')}
      isDangerous
      isPending={remove.isPending}
      confirm={() =>
        remove.mutate(
          requestOf('deleteWebhookEndpoint', {
            path: { id: endpoint.id },
            ifMatch: etagOf(endpoint.version),
          }),
        )
      }
      close={close}
    >
      <FailureNotice error={remove.failure} />
    </ConfirmDialog>
  );
}

/** The page of an endpoint: its events, health, actions and deliveries. */
import '../../ui/input-styles.ts';
import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { requestOf } from '@trellis/client/api-client.ts';
import type { WebhookEndpoint } from '@trellis/client/generated/types.ts';
import { etagOf } from '@trellis/client/response.ts';
import { useState } from 'react';
import { isProblem } from '../../api/problem.ts';
import { RecordLink } from '../../fields/RecordLink.tsx';
import { Status } from '../../fields/Status.tsx';
import { ActionItems } from '../../records/actions/ActionItems.tsx';
import { type OfferedAction, useActions } from '../../records/actions/use-actions.tsx';
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
import details from '../../ui/details.module.css';
import { Empty } from '../../ui/Empty.tsx';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { GuardedItem } from '../../ui/GuardedItem.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import shared from '../../ui/shared.module.css';
import { EventTypeNames } from '../events/EventTypes.tsx';
import { Deliveries } from './Deliveries.tsx';
import { EndpointDialog, type EndpointResponse } from './EndpointDialog.tsx';
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

const testing = 'testWebhookEndpoint';

/** The notice of each reason for which an endpoint is disabled automatically. */
const noticeOf = { GONE: 'gone', FAILING: 'failing', CLAIMED: 'claimed', PAUSED: 'paused' } as const;

interface Props extends Pick<RecordPageProps, 'resource'> {
  readonly endpoint: WebhookEndpoint;
}

type Dialog = 'edit' | 'remove';

const dayMs = 86_400_000;

function Endpoint({ resource, endpoint }: Props) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const refused = useRefusal()(resource, 'update');
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const changes = [recordKeys.all(resource)];
  const path = { id: endpoint.id };
  const change = useWrite<EndpointResponse>({ changes });
  const [yesterday] = useState(() => new Date(Date.now() - dayMs).toISOString());
  const actions = useActions({
    resource,
    parentId: null,
    record: endpoint,
    initial: { replayWebhookEvents: { from: yesterday } },
  });
  const test = actions.offered.find(({ name }) => name === testing);
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
            <EndpointMenu refused={refused} offered={actions.offered} open={setDialog} />
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
            {test !== undefined && (
              <GuardedButton refusal={test.refusal} loading={test.isPending} onClick={test.ask}>
                {test.label}
              </GuardedButton>
            )}
          </>
        }
      />
      <div className={shared.page}>
        <FailureNotice error={change.failure} />
        {state !== null && (
          <Notice kind={state === 'PAUSED' ? 'hint' : 'failure'}>{featureText(noticeOf[state])}</Notice>
        )}
        <dl className={details.facts}>
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
        <Deliveries endpoint={endpoint} resource={resource} />
      </div>
      {dialog === 'edit' && <EndpointDialog endpoint={endpoint} close={close} saved={close} />}
      {dialog === 'remove' && <RemoveDialog resource={resource} endpoint={endpoint} close={close} />}
      {actions.dialog}
    </>
  );
}

interface MenuProps {
  readonly refused: string | null;
  readonly offered: readonly OfferedAction[];
  readonly open: (dialog: Dialog) => void;
}

function EndpointMenu({ refused, offered, open }: MenuProps) {
  const featureText = useFeatureText(texts);
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button variant="default" px={9} aria-label={featureText('more')}>
          <Icon name="more" />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <GuardedItem
          label={featureText('edit')}
          icon="file"
          iconSize={16}
          refusal={refused}
          onClick={() => open('edit')}
        />
        {/* Sending a test has a button. */}
        <ActionItems offered={offered.filter(({ name }) => name !== testing)} />
        <Menu.Divider />
        {refused !== null && <Menu.Label>{refused}</Menu.Label>}
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

/** The webhook endpoints of the organization. */
import '../../ui/input-styles.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { Status } from '../../fields/Status.tsx';
import { useShowSecret } from '../../records/SecretDialog.tsx';
import { resourceByName } from '../../resources/declared.ts';
import { recordKeys } from '../../resources/queries.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { Empty } from '../../ui/Empty.tsx';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import shared from '../../ui/shared.module.css';
import { EventTypeNames } from '../events/EventTypes.tsx';
import { EndpointDialog } from './EndpointDialog.tsx';
import { texts } from './texts.ts';
import styles from './Webhooks.module.css';

/** How often the last deliveries are read again, in ms: no event reports them. */
const refreshMs = 30_000;

/** Types that are named in a row; the page of the endpoint has all. */
const typesShown = 3;

export function WebhooksPage() {
  return <Endpoints isAdding={false} />;
}

/** The same with the dialog for a new one. */
export function NewEndpointPage() {
  return <Endpoints isAdding />;
}

function Endpoints({ isAdding }: { readonly isAdding: boolean }) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const navigate = useNavigate();
  const { api } = useWorkspace();
  const resource = resourceByName('webhook-endpoints');
  const refusal = useRefusal()(resource, 'create');
  const showSecret = useShowSecret();
  const endpoints = useQuery({
    queryKey: recordKeys.list(resource, null, 'endpoints'),
    queryFn: ({ signal }) => api.read('listWebhookEndpoints', { query: { limit: 100 }, signal }),
  });
  const items = endpoints.data?.items ?? [];
  const add = (
    <GuardedButton
      refusal={refusal}
      leftSection={<Icon name="plus" />}
      onClick={() => void navigate({ to: '/webhook-endpoints/new' as string })}
    >
      {featureText('add')}
    </GuardedButton>
  );
  return (
    <>
      <PageHead title={names.plural(resource)} actions={add} />
      <div className={shared.page}>
        <FailureNotice error={endpoints.error} />
        {endpoints.isPending && <Loading />}
        {endpoints.isSuccess && items.length === 0 && (
          <Empty icon="webhook" title={featureText('none')} about={featureText('noneAbout')} />
        )}
        {items.length > 0 && <p className={shared.about}>{featureText('about')}</p>}
        <ul className={shared.rows}>
          {items.map(({ id, url, description, eventTypes, status }) => (
            <li key={id} className={shared.row}>
              <div className={`${shared.main} ${styles.main}`}>
                <Link to={`/webhook-endpoints/${id}` as string} className={`${shared.name} ${shared.cover}`}>
                  {url}
                </Link>
                {description !== null && <span className={shared.note}>{description}</span>}
                <span className={shared.note}>
                  <EventTypeNames types={eventTypes} most={typesShown} />
                </span>
              </div>
              <LastDelivery endpointId={id} resource={resource} />
              <Status value={status} />
            </li>
          ))}
        </ul>
      </div>
      {isAdding && refusal === null && (
        <EndpointDialog
          endpoint={null}
          close={() => void navigate({ to: '/webhook-endpoints' as string })}
          saved={(endpoint) => {
            void navigate({ to: `/webhook-endpoints/${endpoint.id}` as string });
            if (endpoint.secret !== undefined) showSecret(resource, endpoint);
          }}
        />
      )}
    </>
  );
}

interface LastDeliveryProps {
  readonly endpointId: string;
  readonly resource: Resource;
}

/** Says that the last delivery of an endpoint has failed, so far or for good: the endpoint is enabled nevertheless. */
function LastDelivery({ endpointId, resource }: LastDeliveryProps) {
  const featureText = useFeatureText(texts);
  const { api } = useWorkspace();
  const list = useQuery({
    queryKey: [...recordKeys.all(resource), 'deliveries', endpointId, 'last'],
    queryFn: ({ signal }) =>
      api.read('listWebhookDeliveries', { path: { id: endpointId }, query: { limit: 1 }, signal }),
    refetchInterval: refreshMs,
  });
  const last = list.data?.items[0];
  const hasFailed = last !== undefined && last.status !== 'SUCCEEDED' && last.attempts.length > 0;
  return hasFailed ? <span className={shared.fault}>{featureText('lastFailed')}</span> : null;
}

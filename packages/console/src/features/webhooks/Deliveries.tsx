/** The deliveries of an endpoint, the newest first, each with the responses to its attempts. */
import { Button, NativeSelect } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '@trellis/client/generated/types.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useState } from 'react';
import { byCursor } from '../../api/pages.ts';
import { Status } from '../../fields/Status.tsx';
import { ActionButton } from '../../records/actions/ActionButton.tsx';
import { recordKeys } from '../../resources/queries.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import details from '../../ui/details.module.css';
import { Icon } from '../../ui/icons.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import { EventTypeName } from '../events/EventTypes.tsx';
import { SubjectLink } from '../events/subject.tsx';
import { texts } from './texts.ts';
import styles from './Webhooks.module.css';

const statuses = ['PENDING', 'SUCCEEDED', 'FAILED'] as const;
/** How often deliveries are read again, in ms: while one is waiting, and otherwise. No event reports them. */
const refreshMs = { waiting: 2_000, otherwise: 10_000 } as const;

interface Props {
  readonly endpoint: WebhookEndpoint;
  readonly resource: Resource;
}

export function Deliveries({ endpoint, resource }: Props) {
  const { id: endpointId } = endpoint;
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { api } = useWorkspace();
  const [status, setStatus] = useState<WebhookDelivery['status'] | null>(null);
  const list = useInfiniteQuery({
    queryKey: [...recordKeys.all(resource), 'deliveries', endpointId, status],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.read('listWebhookDeliveries', {
        path: { id: endpointId },
        query: { limit: 25, status: status ?? undefined, cursor },
        signal,
      }),
    ...byCursor,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ items }) => items.some((item) => item.status === 'PENDING')) === true
        ? refreshMs.waiting
        : refreshMs.otherwise,
    // What failed a moment ago is what people come for.
    staleTime: 0,
  });
  const deliveries = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <section className={shared.section} aria-label={featureText('deliveries')}>
      <div className={shared.spread}>
        <h2 className={shared.title}>{featureText('deliveries')}</h2>
        <NativeSelect
          size="xs"
          aria-label={featureText('status')}
          data={[
            { value: '', label: featureText('anyStatus') },
            ...statuses.map((value) => ({ value, label: names.value(value) })),
          ]}
          value={status ?? ''}
          onChange={({ currentTarget: { value } }) =>
            setStatus(statuses.find((one) => one === value) ?? null)
          }
        />
      </div>
      <FailureNotice error={list.error} />
      {list.isPending && <Loading />}
      {list.isSuccess && deliveries.length === 0 && (
        <p className={shared.none}>{featureText(status === null ? 'noDeliveries' : 'noSuchDeliveries')}</p>
      )}
      <ul className={shared.rows}>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} endpoint={endpoint} resource={resource} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {featureText('showMore')}
        </Button>
      )}
    </section>
  );
}

interface RowProps extends Props {
  readonly delivery: WebhookDelivery;
}

function DeliveryRow({ delivery, endpoint, resource }: RowProps) {
  const featureText = useFeatureText(texts);
  const [open, setOpen] = useState(false);
  const { id, eventType, subject, path, status, attempts, createdAt } = delivery;
  const last = attempts.at(-1);
  return (
    <li className={styles.delivery}>
      <div className={shared.row}>
        <Status value={status} />
        <div className={`${shared.main} ${styles.main}`}>
          <button
            type="button"
            className={`${shared.plain} ${shared.group} ${shared.label}`}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            <Icon name={open ? 'chevronDown' : 'chevronRight'} size={14} />
            <EventTypeName type={eventType} />
          </button>
          <span className={shared.note}>
            <SubjectLink
              event={{
                type: eventType,
                subject,
                data: { url: path === null ? null : `${window.location.origin}${path}` },
              }}
            />
            {' · '}
            {featureText('attempts', { count: attempts.length })}
            {last !== undefined && (
              <>
                {' · '}
                <Outcome attempt={last} />
              </>
            )}
          </span>
        </div>
        <span className={shared.note}>
          <Moment value={createdAt} />
        </span>
        <ActionButton
          action="retryWebhookDelivery"
          resource={resource}
          parentId={null}
          record={endpoint}
          part={id}
          size="xs"
        />
      </div>
      {open && <Attempts delivery={delivery} />}
    </li>
  );
}

function Attempts({ delivery: { attempts, nextAttemptAt } }: Pick<RowProps, 'delivery'>) {
  const featureText = useFeatureText(texts);
  return (
    <ol className={`${shared.list} ${shared.stack} ${styles.attempts}`}>
      {attempts.map((attempt) => (
        <li key={attempt.number}>
          <span className={shared.note}>
            {featureText('attempt', { number: attempt.number })} · <Moment value={attempt.attemptedAt} /> ·{' '}
            <Outcome attempt={attempt} />
          </span>
          {attempt.status !== null && (
            <pre className={`${details.code} ${shared.box} ${details.code} ${shared.scroll}`}>
              {attempt.response === '' ? featureText('emptyResponse') : attempt.response}
            </pre>
          )}
        </li>
      ))}
      {nextAttemptAt !== null && (
        <li className={shared.note}>
          {featureText('next')} <Moment value={nextAttemptAt} />
        </li>
      )}
    </ol>
  );
}

/** What came of an attempt. */
function Outcome({ attempt: { status, latencyMs, error } }: { readonly attempt: WebhookAttempt }) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  if (status === null) return <>{featureText('noResponse', { error: names.sentence(error ?? '') })}</>;
  return <>{featureText('responded', { status: String(status), ms: latencyMs })}</>;
}

/** The column beside the form of a record: read-only fields and the history. */

import { useInfiniteQuery } from '@tanstack/react-query';
import type { Event } from '@trellis/client/generated/types.ts';
import { flattenFields, hasHistory, type Resource } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { lazy, Suspense, useState } from 'react';
import { useIntl } from 'react-intl';
import type { ApiRecord } from '../api/api.ts';
import { byCursor } from '../api/pages.ts';
import { Cell } from '../fields/Cell.tsx';
import { Person } from '../fields/Person.tsx';
import { parentIdOf } from '../resources/places.ts';
import { presentationOf } from '../resources/presentation.ts';
import { recordKeys } from '../resources/queries.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import details from '../ui/details.module.css';
import { Loading } from '../ui/Loading.tsx';
import { Moment } from '../ui/Moment.tsx';
import { MoreButton } from '../ui/MoreButton.tsx';
import { FailureNotice } from '../ui/Notice.tsx';
import shared from '../ui/shared.module.css';
import styles from './RecordSide.module.css';
import { texts } from './texts.ts';

interface Props {
  readonly resource: Resource;
  readonly record: ApiRecord;
}

const RecordHistory = lazy(() =>
  import('./RecordHistory.tsx').then(({ RecordHistory: component }) => ({ default: component })),
);

export function RecordSide({ resource, record }: Props) {
  const recordText = useFeatureText(texts);
  const names = useNames();
  const parentId = parentIdOf(resource, record);
  const shown = flattenFields(resource)
    .filter(([name, { readOnly }]) => readOnly && isFilled(valueAt(record, name)))
    .map(([name]) => name);
  const isTechnical = (name: string) => presentationOf(resource).technicalFields?.includes(name) === true;
  const describe = (name: string) => (
    <div key={name}>
      <dt>{names.field(name)}</dt>
      <dd>
        <Cell resource={resource} parentId={parentId} column={name} record={record} />
      </dd>
    </div>
  );
  return (
    <aside className={shared.stack} aria-label={recordText('about')}>
      <dl className={details.facts}>
        {[...shown.filter((name) => !isTechnical(name)), 'createdAt', 'updatedAt'].map(describe)}
      </dl>
      <details>
        <summary className={`${shared.about} ${styles.technical}`}>{recordText('technical')}</summary>
        <dl className={details.facts}>
          {shown.filter(isTechnical).map(describe)}
          <div>
            <dt>{recordText('version')}</dt>
            <dd>{record.version}</dd>
          </div>
          <div>
            <dt>{recordText('id')}</dt>
            <dd>{record.id}</dd>
          </div>
        </dl>
      </details>
      <h2 className={shared.subtitle}>{recordText('history')}</h2>
      <History resource={resource} record={record} />
    </aside>
  );
}

/** The events of a record, or, on request, the old and new values of each change. */
function History({ resource, record }: Props) {
  const recordText = useFeatureText(texts);
  const [hasValues, setHasValues] = useState(false);
  return (
    <>
      {hasHistory(resource) && (
        <button type="button" className={shared.textButton} onClick={() => setHasValues(!hasValues)}>
          {recordText(hasValues ? 'showEvents' : 'showValues')}
        </button>
      )}
      {hasValues ? (
        <Suspense fallback={<Loading />}>
          <RecordHistory resource={resource} record={record} />
        </Suspense>
      ) : (
        <Events resource={resource} record={record} />
      )}
    </>
  );
}

function isFilled(value: unknown): boolean {
  return (
    value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
  );
}

/** How often the event log is polled for the newest change, and at which interval, in ms. */
const attemptsForNewest = 8;
const newestDelayMs = 700;

/** The events of a record, newest first. The API lists them oldest first, so all pages are read before the newest appears. */
function Events({ resource, record }: Props) {
  const { api } = useWorkspace();
  const recordText = useFeatureText(texts);
  const events = useInfiniteQuery({
    queryKey: [...recordKeys.record(resource, record.id), 'events', record.version],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.read('listEvents', { query: { subject: record.id, limit: 100, cursor }, signal }),
    ...byCursor,
    // An event is logged shortly after the commit of its change.
    refetchInterval: ({ state: { data, dataUpdateCount } }) => {
      const newest = data?.pages.at(-1)?.items.at(-1)?.data.version ?? 0;
      return newest < record.version && dataUpdateCount < attemptsForNewest ? newestDelayMs : false;
    },
  });
  const all = events.data?.pages.flatMap(({ items }) => items).toReversed() ?? [];
  return (
    <>
      <FailureNotice error={events.error} />
      {events.isPending && <Loading />}
      {events.isSuccess && all.length === 0 && <p className={shared.small}>{recordText('noEvents')}</p>}
      <MoreButton list={events} label={recordText('newerEvents')} size="xs" />
      <ol className={`${shared.list} ${shared.stack}`}>
        {all.map((event) => (
          <EventEntry key={event.id} event={event} />
        ))}
      </ol>
    </>
  );
}

function EventEntry({ event }: { readonly event: Event }) {
  const recordText = useFeatureText(texts);
  const names = useNames();
  const { formatList } = useIntl();
  const { signedIn } = useWorkspace();
  const actor = isPlainObject(event.data.actor) ? event.data.actor.user : null;
  const action = event.type.slice(event.type.lastIndexOf('.') + 1);
  const fields = event.data.changedFields ?? [];
  return (
    <li className={styles.event}>
      <span>{names.value(action.toUpperCase())}</span>{' '}
      <span className={shared.small}>
        <Moment value={event.time} />
      </span>
      <span className={shared.note}>
        {actor === signedIn.user.id
          ? recordText('byYou')
          : typeof actor === 'string' && <Person id={actor} />}
      </span>
      {action === 'updated' && fields.length > 0 && (
        <span className={shared.note}>
          {formatList(fields.slice(0, 6).map((field) => names.field(field)))}
        </span>
      )}
    </li>
  );
}

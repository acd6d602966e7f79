/** What pages have read, after a change was carried out: the record is replaced, and lists are read again. */
import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { ApiRecord, Page } from '../api/api.ts';
import type { Completed } from '../outbox/send/sender.ts';
import { findPlace } from '../resources/places.ts';
import { recordKeys } from '../resources/queries.ts';
import { refreshQueries } from '../resources/refresh-queries.ts';

/** Shows the response to a change. */
export function noteCompletion(queries: QueryClient, { change, body }: Completed): void {
  const { method, path } = change.request;
  const place = findPlace(path.replace(/^\/v1/, ''));
  if (place === null) return;
  const { resource, recordId } = place;
  if (method === 'DELETE') {
    if (recordId !== null) queries.removeQueries({ queryKey: recordKeys.record(resource, recordId) });
  } else if (isPlainObject(body)) {
    noteRecord(queries, resource, body as ApiRecord);
    if (method === 'PATCH') {
      noteRow(queries, resource, body as ApiRecord);
      return;
    }
  }
  void refreshQueries(queries, recordKeys.all(resource));
}

/** The meta data of the query of a list whose rows change in place, and stay where they are until the list is opened again. */
export const rowsInPlace = { rowsInPlace: true } as const;

type Rows = InfiniteData<Page<ApiRecord>>;

/** Shows a changed record in its rows. The other queries are read again; of a long list that would be every page. */
function noteRow(queries: QueryClient, resource: Resource, record: ApiRecord): void {
  const queryKey = recordKeys.all(resource);
  const hasRow = ({ meta, state }: Query) =>
    meta?.rowsInPlace === true &&
    (state.data as Rows | undefined)?.pages.some(({ items }) => items.some(({ id }) => id === record.id)) ===
      true;
  const replace = (row: ApiRecord) => (row.id === record.id && row.version < record.version ? record : row);
  queries.setQueriesData<Rows>({ queryKey, predicate: hasRow }, (rows) =>
    rows === undefined
      ? rows
      : { ...rows, pages: rows.pages.map((page) => ({ ...page, items: page.items.map(replace) })) },
  );
  void queries.invalidateQueries({ queryKey, predicate: hasRow, refetchType: 'none' });
  void refreshQueries(queries, queryKey, hasRow);
}

/** Shows a record that was read, unless a later version of it is known. */
export function noteRecord(queries: QueryClient, resource: Resource, record: ApiRecord): void {
  queries.setQueryData<ApiRecord>(recordKeys.record(resource, record.id), (known) =>
    known !== undefined && known.version > record.version ? known : record,
  );
}

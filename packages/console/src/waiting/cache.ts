/** What pages have read, after a change was carried out: the record is replaced, and lists are read again. */
import type { QueryClient } from '@tanstack/react-query';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { ApiRecord } from '../api/api.ts';
import type { Completed } from '../outbox/send/queue.ts';
import { findPlace } from '../resources/places.ts';
import { recordKeys } from '../resources/queries.ts';
import { readAgain } from '../resources/read-again.ts';

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
  }
  void readAgain(queries, recordKeys.all(resource));
}

/** Shows a record that was read, unless a later version of it is known. */
export function noteRecord(queries: QueryClient, resource: Resource, record: ApiRecord): void {
  queries.setQueryData<ApiRecord>(recordKeys.record(resource, record.id), (known) =>
    known !== undefined && known.version > record.version ? known : record,
  );
}

/** Applies this browser's unfinished changes to a record. */
import { applyMergePatch } from '@trellis/schema/values/merge-patch.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { ApiRecord } from '../../api/api.ts';
import type { Change } from '../../outbox/store/change.ts';
import { namesIn } from '../../outbox/store/fields.ts';

export interface ChangedRecord {
  readonly record: ApiRecord;
  /** The changed fields, pending or refused. */
  readonly states: ReadonlyMap<string, 'waiting' | 'refused'>;
}

const nothing: ChangedRecord['states'] = new Map();

/** @param changes all stored changes */
export function withChanges(record: ApiRecord, changes: readonly Change[]): ChangedRecord {
  const own = changes.filter(
    (change) => change.record === record.id && change.request.method === 'PATCH' && change.base !== null,
  );
  if (own.length === 0) return { record, states: nothing };
  const states = new Map<string, 'waiting' | 'refused'>();
  let changed: unknown = record;
  for (const { request, refusal } of own) {
    if (!isPlainObject(request.body)) continue;
    changed = applyMergePatch(changed, request.body);
    for (const name of namesIn(request.body)) states.set(name, refusal === null ? 'waiting' : 'refused');
  }
  return { record: isPlainObject(changed) ? { ...record, ...changed } : record, states };
}

/** Reads the history of a record: its changes, and its state at a version. Both require only the right to read the record. */

import { Problem } from '@trellis/schema/problem.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { renderValue, type StoredRecord, userPrefix } from '@trellis/schema/validation/values.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { deepEqual } from '@trellis/schema/values/merge-patch.ts';
import { type Statement, step } from '../../database/batch.ts';
import type { Database } from '../../database/database.ts';
import { changeRow, changesSince, type FieldChange, type RecordChange, recordAsOf } from '../changes.ts';
import type { Position } from '../cursor.ts';
import type { Model } from '../model.ts';
import { isCut, pageBytesFor, withinBudget } from '../page-budget.ts';
import { decodeRecord, type Target } from '../storage.ts';

const readPage: Statement = {
  name: 'list_changes',
  text: withinBudget(
    `SELECT ${changeRow.list}, octet_length(c.fields) FROM trellis.changes c
      WHERE c.organization_id = $1 AND c.record_id = $2 AND c.version < $3 ORDER BY c.version DESC LIMIT $4`,
    changeRow.width,
    'c1 DESC',
    '$5',
  ),
};

/** A change of the history, or the creation, which has replaced nothing. */
export type HistoryItem = Omit<RecordChange, 'recordId'>;

/**
 * One page of the history of a record, the newest first; the creation is the last item.
 * @throws Problem not_found if the caller may not see the record
 */
export async function listHistory(
  database: Database,
  { statements, storage }: Model,
  target: Target,
  after: Position | null,
  limit: number,
): Promise<{ items: HistoryItem[]; positions: Position[]; next: Position | null }> {
  const { organizationId, id } = target;
  const before = after?.[0] ?? '2147483647';
  const pageBytes = String(pageBytesFor(database, organizationId));
  const [found, page] = await database.query(target, [
    statements.read(target, 'working', 'narrow'),
    step(readPage, [organizationId, id, before, String(limit + 1), pageBytes]),
  ]);
  const row = found?.rows[0];
  if (row === undefined) throw new Problem('not_found');
  const rows = page?.rows ?? [];
  const items: HistoryItem[] = rows.slice(0, limit).map((each) => changeRow.read(each));
  const isLast = rows.length <= limit && !isCut(rows, changeRow.width);
  const showsCreation = isLast && items.length < limit && before !== '1';
  if (showsCreation) items.push(creationOf(decodeRecord(storage, row)));
  const positions = items.map(({ version }): Position => [String(version)]);
  return { items, positions, next: isLast && showsCreation ? null : (positions.at(-1) ?? null) };
}

function creationOf({ createdAt, createdBy }: StoredRecord): HistoryItem {
  return {
    version: 1,
    changedAt: createdAt,
    changedBy: createdBy,
    clientId: null,
    action: 'created',
    fields: {},
  };
}

/** An item as the API returns it. */
export function renderHistoryItem(resource: Resource, item: HistoryItem): Record<string, unknown> {
  const { version, action, changedAt, changedBy, clientId, fields } = item;
  return {
    version,
    action,
    changedAt,
    changedBy: changedBy === null ? null : encodeId(userPrefix, changedBy),
    client: clientId === null ? null : encodeId('client', clientId),
    // In declared order, and without fields that the resource does not have any more.
    fields: flattenFields(resource).flatMap(([name, field]) => {
      const change = fields[name];
      if (change === undefined || deepEqual(change[0], change[1])) return [];
      return [renderFieldChange(name, renderValue(field), change)];
    }),
  };
}

function renderFieldChange(
  field: string,
  render: ((value: unknown) => unknown) | null,
  [before, after, offset]: FieldChange,
): Record<string, unknown> {
  const shown = (value: unknown) => (render === null || value === null ? value : render(value));
  return { field, before: shown(before), after: shown(after), offset: offset ?? null };
}

/**
 * The record as it was at a version.
 * @throws Problem not_found if the caller may not see the record, or not all of what has changed since; or if that is not known any more
 */
export async function readRecordAsOf(
  database: Database,
  { statements, storage }: Model,
  target: Target,
  version: number,
): Promise<StoredRecord> {
  const [found, changes] = await database.query(target, [
    statements.read(target, 'working', 'full'),
    changesSince(target.organizationId, target.id, version),
  ]);
  const row = found?.rows[0];
  if (row === undefined) throw new Problem('not_found');
  const record = recordAsOf(decodeRecord(storage, row), changes, version);
  if (record !== null) return record;
  const detail = `What the record was at version ${version} is not known: there is no such version, a change since is older than the history is kept or was made while you could not see the record, or there were too many.`;
  throw new Problem('not_found', detail);
}

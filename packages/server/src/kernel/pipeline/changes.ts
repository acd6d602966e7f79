/**
 * Changes of records: which values each one has replaced, and by which. They make the history of a record, and every state of it: a
 * replayed response is rendered from them instead of being stored.
 */

import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import type { StoredRecord, Values } from '@trellis/schema/validation/values.ts';
import { type Statement, type Step, type StepResult, step } from '../database/batch.ts';
import { defineRow, instant, json, nullable, number, text } from '../database/row.ts';
import { textArray } from '../database/values.ts';
import { type Difference, differenceOfTexts, OldText } from './text-difference.ts';

/** Texts of which at least one has more characters are stored as what differs in them: of an article, mostly a few words. */
const longText = 200;
/** How many changes, and how many bytes of them, are read at most to make an older state of a record: it is made in one turn of the event loop. */
export const mostChanges = 2_000;
const mostBytes = 4 * 1_048_576;

/** The values of a field before and after a change, in their internal form, or what differs in two texts. */
export type FieldChange = readonly [before: unknown, after: unknown] | Difference;

/** A change of a record. */
export interface RecordChange {
  readonly recordId: string;
  /** The version that it has made. */
  readonly version: number;
  /** RFC 3339. */
  readonly changedAt: string;
  /** Uuids; null for the system, and for operators. */
  readonly changedBy: string | null;
  readonly clientId: string | null;
  /** The effect on the record: `updated`, `deleted` or `restored`. */
  readonly action: string;
  /** By the dotted names of the fields. */
  readonly fields: Readonly<Record<string, FieldChange>>;
}

/** Who could read the record before and after a change: ids of users and names of roles; null: every member. */
export interface ChangeReaders {
  readonly before: readonly string[] | null;
  readonly after: readonly string[] | null;
}

const insert: Statement = {
  name: 'insert_change',
  text: `INSERT INTO trellis.changes
      (organization_id, record_id, version, changed_at, changed_by, client_id, action, readers_before, readers, fields)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
  isJoinable: true,
};

/** The step that stores a change, in the transaction that makes it. */
export function changeStep(organizationId: string, change: RecordChange, readers: ChangeReaders): Step {
  const listOf = (names: readonly string[] | null) => (names === null ? null : textArray(names));
  return step(insert, [
    organizationId,
    change.recordId,
    String(change.version),
    change.changedAt,
    change.changedBy,
    change.clientId,
    change.action,
    listOf(readers.before),
    listOf(readers.after),
    JSON.stringify(change.fields),
  ]);
}

/**
 * The fields in which two states of a record differ. Equal values in different notation, such as objects with another order of members,
 * count as different, so that an older state is rendered exactly.
 */
export function fieldChanges(resource: Resource, before: Values, after: Values): Record<string, FieldChange> {
  const changes: Record<string, FieldChange> = {};
  for (const [name] of flattenFields(resource)) {
    const old = before[name] ?? null;
    const now = after[name] ?? null;
    if (old === now) continue;
    if (typeof old === 'string' && typeof now === 'string') {
      const isLong = Math.max(old.length, now.length) > longText;
      changes[name] = isLong ? differenceOfTexts(old, now) : [old, now];
    } else if (JSON.stringify(old) !== JSON.stringify(now)) changes[name] = [old, now];
  }
  return changes;
}

/** A row of a stored change. Its select list is that of every statement that reads changes. */
export const changeRow = defineRow({
  recordId: text('c.record_id'),
  version: number('c.version'),
  changedAt: instant('c.changed_at'),
  changedBy: nullable(text('c.changed_by')),
  clientId: nullable(text('c.client_id')),
  action: text('c.action'),
  fields: json<RecordChange['fields']>('c.fields'),
});

const readSince: Statement = {
  name: 'read_changes_since',
  text: `SELECT ${changeRow.list} FROM (
      SELECT s.*, sum(octet_length(s.fields)) OVER (ORDER BY s.version DESC) AS bytes FROM (
        SELECT * FROM trellis.changes WHERE organization_id = $1 AND record_id = $2 AND version >= $3
        ORDER BY version DESC LIMIT ${mostChanges}) s) c
    WHERE c.bytes <= ${mostBytes} ORDER BY c.version DESC`,
};

/** Reads the change that produced a version, and all later ones, newest first: the changes that may be needed to restore an older state. */
export function changesSince(organizationId: string, recordId: string, version: number): Step {
  return step(readSince, [organizationId, recordId, String(version)]);
}

/**
 * A record as it was at a version.
 * @param record as it is
 * @param changes the result of `changesSince` for that version
 * @returns null if that is not known: a change since is no longer stored, is hidden from the caller, or there are too many
 */
export function recordAsOf(
  record: StoredRecord,
  changes: StepResult | undefined,
  version: number,
): StoredRecord | null {
  if (version === record.version) return record;
  const values = { ...record.values };
  const texts = new Map<string, OldText>();
  let reached = record.version;
  let made: Pick<RecordChange, 'changedAt' | 'changedBy'> | null =
    version === 1 ? { changedAt: record.createdAt, changedBy: record.createdBy } : null;
  for (const row of changes?.rows ?? []) {
    const change = changeRow.read(row);
    // It was made after the record was read.
    if (change.version > record.version) continue;
    if (change.version !== reached) break;
    if (change.version === version) {
      made = change;
      break;
    }
    for (const [name, [old, ...more]] of Object.entries(change.fields)) {
      const [, from, kept] = more;
      if (typeof from === 'number' && typeof kept === 'number') {
        const text = texts.get(name) ?? new OldText(String(values[name]));
        text.replace(from, kept, String(old));
        texts.set(name, text);
      } else {
        texts.delete(name);
        values[name] = old;
      }
    }
    reached -= 1;
  }
  if (reached !== version || made === null) return null;
  for (const [name, text] of texts) values[name] = text.read();
  return { ...record, version, updatedAt: made.changedAt, updatedBy: made.changedBy, values };
}

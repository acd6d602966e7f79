/**
 * The statements of the trash, built once for each resource whose deleted records are kept. A record is kept as the JSON of its rows, so that
 * its tables, unique values and references are free at once; side tables and search entries follow from the record and are not kept.
 */

import { goesToTrash, type Resource } from '@trellis/schema/resources/resource.ts';
import { type StoredRecord, titleOf } from '@trellis/schema/validation/values.ts';
import { type Statement, type Step, step } from '../database/batch.ts';
import { textArray } from '../database/values.ts';
import { claimedCondition } from './locks.ts';
import { ownerColumn } from './side-tables.ts';
import { type Perspective, type Storage, selectList } from './storage.ts';

/** A record of the trash: its organization and id. */
export interface TrashKey {
  readonly organizationId: string;
  readonly id: string;
}

/** Who deletes a record and how long it is kept. */
export interface Keeping {
  readonly userId: string | null;
  /** RFC 3339. */
  readonly deletedAt: string;
  readonly purgeAt: string;
  /** Ids of users and names of roles who may see the record; null: every member. */
  readonly readers: readonly string[] | null;
  /** The SHA-256 of a stored content that is kept with the record, hexadecimal. */
  readonly sha256: string | null;
}

/** The statements of one resource. A record of the trash reads as it was, except that `updatedAt` is when it was deleted. */
export interface TrashStatements {
  /** Copies a record with its versions into the trash; the deletion follows in the same transaction. */
  keep(organizationId: string, record: StoredRecord, keeping: Keeping): Step[];
  /** Reads a record of the trash, as far as the caller may find it. What is due is not found. */
  read(key: TrashKey): Step;
  /** Locks a record of the trash until the transaction ends, then reads it. What is due is not found. */
  lock(key: TrashKey): readonly [Step, Step];
  /** The same for a record that is due at an instant (RFC 3339). */
  lockDue(key: TrashKey, now: string): readonly [Step, Step];
  /** Reads a record with its published version; undefined for resources without versions. */
  readonly readPublished: ((key: TrashKey) => Step) | undefined;
  /** Removes a record from the trash, with its versions. */
  remove(key: TrashKey): Step[];
}

/** Builds the statements of a resource; null if its deleted records are not kept. */
export function buildTrashStatements(resource: Resource, storage: Storage): TrashStatements | null {
  if (!goesToTrash(resource)) return null;
  const { name, table, parent, versions } = resource;
  const place = `t.organization_id = $1 AND t.resource = '${name}' AND t.id = $2`;
  const select = (perspective: Perspective) =>
    `SELECT ${selectList(resource, asDeleted(storage), 'full', 'published')}
      FROM ${fromTrash(resource, storage, perspective)} WHERE ${place}`;
  // Both find nothing else, because the row of the last step is the record.
  const lockAndRead = (suffix: string, condition: string): readonly [Statement, Statement] => [
    {
      name: `lock_trash_${name}${suffix}`,
      text: `SELECT FROM trellis.trash t WHERE ${place} AND ${condition} AND ${claimedCondition} FOR UPDATE`,
    },
    { name: `read_trash_${name}${suffix}`, text: `${select('working')} AND ${condition}` },
  ];
  const [lockKept, readKept] = lockAndRead('', 't.purge_at > clock_timestamp()');
  const [lockDue, readDue] = lockAndRead('_due', 't.purge_at <= $3');
  const readPublished: Statement | null =
    versions === undefined ? null : { name: `read_trash_${name}_published`, text: select('published') };
  const within = (alias: string) => (parent === null ? '' : ` AND ${alias}.${parent.column} = $9`);
  const keepRecord: Statement = {
    name: `keep_${name}`,
    text: `INSERT INTO trellis.trash
        (organization_id, resource, id, parent_id, title, created_by, deleted_by, deleted_at, purge_at, readers, sha256, payload)
      SELECT r.organization_id, '${name}', r.id, ${parent === null ? 'NULL' : `r.${parent.column}`}, $3, r.created_by, $4, $5, $6, $7, $8,
        row_to_json(r)
      FROM trellis.${table} r WHERE r.organization_id = $1 AND r.id = $2${within('r')}`,
  };
  const keepVersions: Statement | null =
    versions === undefined
      ? null
      : {
          name: `keep_${name}_versions`,
          text: `INSERT INTO trellis.trash_versions (organization_id, resource, record_id, number, payload)
            SELECT v.organization_id, '${name}', v.${ownerColumn(resource)}, v.number, row_to_json(v)
            FROM trellis.${versions.table} v
            WHERE v.organization_id = $1 AND v.${ownerColumn(resource)} = $2${within('v').replace('$9', '$3')}`,
        };
  const remove: Statement = {
    name: `remove_trash_${name}`,
    text: `DELETE FROM trellis.trash t WHERE ${place}`,
  };
  // Before the record, by which row-level security lets them be seen.
  const removeVersions: Statement | null =
    versions === undefined
      ? null
      : {
          name: `remove_trash_${name}_versions`,
          text: `DELETE FROM trellis.trash_versions w
            WHERE w.organization_id = $1 AND w.resource = '${name}' AND w.record_id = $2`,
        };
  const keyOf = ({ organizationId, id }: TrashKey) => [organizationId, id];
  return {
    keep(organizationId, record, { userId, deletedAt, purgeAt, readers, sha256 }) {
      const key = [organizationId, record.id];
      const above = record.parentId === null ? [] : [record.parentId];
      const title = titleOf(resource, record.values);
      const seenBy = readers === null ? null : textArray(readers);
      return [
        step(keepRecord, [...key, title, userId, deletedAt, purgeAt, seenBy, sha256, ...above]),
        ...(keepVersions === null ? [] : [step(keepVersions, [...key, ...above])]),
      ];
    },
    read: (key) => step(readKept, keyOf(key)),
    lock: (key) => [step(lockKept, keyOf(key)), step(readKept, keyOf(key))],
    lockDue: (key, now) => [step(lockDue, [...keyOf(key), now]), step(readDue, [...keyOf(key), now])],
    readPublished: readPublished === null ? undefined : (key) => step(readPublished, keyOf(key)),
    remove: (key) => [
      ...(removeVersions === null ? [] : [step(removeVersions, keyOf(key))]),
      step(remove, keyOf(key)),
    ],
  };
}

/** Storage whose records have the time of their deletion, because a record's times never go backwards. */
function asDeleted(storage: Storage): Storage {
  return {
    ...storage,
    published: {
      expressions: { updated_at: 't.deleted_at' },
      from: () => ({ from: '', id: '' }),
    },
  };
}

/** FROM clause with a record of the trash as `r`, and one of its versions as `v`. */
function fromTrash({ table, versions }: Resource, storage: Storage, perspective: Perspective): string {
  const record = `trellis.trash t CROSS JOIN LATERAL json_populate_record(NULL::trellis.${table}, t.payload::json) r`;
  if (versions === undefined || storage.versionNumbers === undefined) return record;
  return `${record}
    JOIN trellis.trash_versions w ON w.organization_id = t.organization_id AND w.resource = t.resource AND w.record_id = t.id
      AND w.number = r.${storage.versionNumbers[perspective]}
    CROSS JOIN LATERAL json_populate_record(NULL::trellis.${versions.table}, w.payload::json) v`;
}

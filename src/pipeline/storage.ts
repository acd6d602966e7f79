/**
 * Why: every resource is kept in columns and read in the same ways; only how a change is written differs, and that is
 * the one thing an explicit module (article versions) replaces. SQL texts are built here once, at start.
 */
import type { Parameter, Row, Statement, Step } from '../database/flight.ts';
import { step } from '../database/flight.ts';
import { decodeColumn, encodeColumn, parseTimestamp } from '../database/values.ts';
import type { ColumnKind } from '../resources/fields.ts';
import { flattenFields, type Resource } from '../resources/resource.ts';
import { claimedCondition } from './idempotency.ts';
import type { StoredRecord, Values } from './values.ts';

/** Where one field is kept. */
export interface Column {
  /** Dotted name of the field. */
  readonly field: string;
  readonly kind: ColumnKind;
  /** Column name, for writing. */
  readonly name: string;
  /** Qualified expression, for reading: `r.name`, `v.title`. */
  readonly sql: string;
  /** Text that may be hundreds of kilobytes: left out of sparse records that do not ask for it. */
  readonly large: boolean;
}

/** Which record of which organization. */
export interface Target {
  readonly organizationId: string;
  /** Uuid of the containing record, when the resource has a parent. */
  readonly parentId: string | null;
  readonly id: string;
}

/** A change to be written: what was, what will be. */
export interface Change {
  readonly organizationId: string;
  readonly before: StoredRecord | null;
  readonly after: StoredRecord;
}

/** How a resource is kept. */
export interface Storage {
  readonly columns: readonly Column[];
  /** FROM clause with `r` for the resource's own table; parameters are not allowed in it. */
  readonly from: Readonly<Record<Perspective, string>>;
  insert(change: Change): Step[];
  update(change: Change): Step[];
  remove(organizationId: string, record: StoredRecord): Step[];
  /** Says what refers to the record: rows of (description, count), asked when a delete meets a foreign key. */
  usage(organizationId: string, record: Pick<StoredRecord, 'id' | 'parentId'>): Step[];
}

/** Which version of an article is meant; other resources have only 'working'. */
export type Perspective = 'working' | 'published';

const commonColumns = 'r.id, r.version, r.created_at, r.updated_at, r.created_by, r.updated_by';
const commonCount = 6;

/** `camelCase` to `snake_case`. */
export function columnName(field: string): string {
  return (field.split('.').at(-1) ?? field).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Columns of a resource whose fields all stand in its own table. */
export function tableColumns(resource: Resource): Column[] {
  return flattenFields(resource).map(([field, { kind, verbatim }]) => {
    const name = columnName(field);
    return { field, kind, name, sql: `r.${name}`, large: verbatim };
  });
}

/** What to fetch of a record: everything, or all but large texts. */
export type Width = 'full' | 'narrow';

/** The select list: common members, parent, then the fields' columns in order. */
export function selectList(resource: Resource, storage: Storage, width: Width): string {
  const parent = resource.parent === null ? 'NULL' : `r.${resource.parent.column}`;
  const columns = storage.columns.map((column) => (column.large && width === 'narrow' ? 'NULL' : column.sql));
  return [commonColumns, parent, ...columns].join(', ');
}

/** Number of items in a select list made by `selectList`: extra items may follow them. */
export function selectWidth(storage: Storage): number {
  return commonCount + 1 + storage.columns.length;
}

/** A row of `selectList` as a record. */
export function decodeRecord(storage: Storage, row: Row): StoredRecord {
  const values: Values = {};
  const { columns } = storage;
  for (let index = 0; index < columns.length; index += 1) {
    const column = columns[index];
    if (column !== undefined)
      values[column.field] = decodeColumn(column.kind, row[commonCount + 1 + index] ?? null);
  }
  return {
    id: row[0] ?? '',
    version: Number(row[1]),
    createdAt: parseTimestamp(row[2] ?? ''),
    updatedAt: parseTimestamp(row[3] ?? ''),
    createdBy: row[4] ?? null,
    updatedBy: row[5] ?? null,
    parentId: row[6] ?? null,
    values,
  };
}

/** The condition that finds one record, with the parameters of `targetValues`. */
export function targetCondition(resource: Resource): string {
  return resource.parent === null
    ? 'r.organization_id = $1 AND r.id = $2'
    : `r.organization_id = $1 AND r.id = $2 AND r.${resource.parent.column} = $3`;
}

export function targetValues({ organizationId, parentId, id }: Target): Parameter[] {
  return parentId === null ? [organizationId, id] : [organizationId, id, parentId];
}

/** The fixed statements that read one record. */
export interface RecordStatements {
  read(target: Target, perspective: Perspective, width: Width): Step;
  /**
   * Locks the record until the transaction ends, then reads it; the last step's row is the record. Two statements,
   * because the second one's snapshot is taken after the lock was got: a single statement that had to wait would join
   * the new row with what it had read of other tables before. NO KEY: references to the record need not wait.
   */
  lock(target: Target): Step[];
  /** Reads records by ids, in no particular order. */
  byIds(organizationId: string, parentId: string | null, ids: readonly string[], width: Width): Step;
}

/** Builds the statements of a resource. */
export function buildRecordStatements(resource: Resource, storage: Storage): RecordStatements {
  const condition = targetCondition(resource);
  const readText = (perspective: Perspective, width: Width): Statement => ({
    name: `read_${resource.name}_${perspective}_${width}`,
    text: `SELECT ${selectList(resource, storage, width)} FROM ${storage.from[perspective]} WHERE ${condition}`,
  });
  const reads = {
    working: { full: readText('working', 'full'), narrow: readText('working', 'narrow') },
    published: { full: readText('published', 'full'), narrow: readText('published', 'narrow') },
  };
  const lock: Statement = {
    name: `lock_${resource.name}`,
    text: `SELECT FROM trellis.${resource.table} r WHERE ${condition} AND ${claimedCondition} FOR NO KEY UPDATE`,
  };
  const parentCondition = resource.parent === null ? '' : ` AND r.${resource.parent.column} = $3`;
  const byIdsText = (width: Width): Statement => ({
    name: `by_ids_${resource.name}_${width}`,
    text: `SELECT ${selectList(resource, storage, width)} FROM ${storage.from.working}
      WHERE r.organization_id = $1 AND r.id = ANY ($2)${parentCondition}`,
  });
  const byIds = { full: byIdsText('full'), narrow: byIdsText('narrow') };
  return {
    read: (target, perspective, width) => step(reads[perspective][width], targetValues(target)),
    lock: (target) => [step(lock, targetValues(target)), step(reads.working.full, targetValues(target))],
    byIds: (organizationId, parentId, ids, width) =>
      step(byIds[width], [organizationId, `{${ids.join(',')}}`, ...(parentId === null ? [] : [parentId])]),
  };
}

/**
 * Storage of a resource that is one row of one table. `usage`: counts of what refers to a record, as rows of
 * (description, count); their parameters are the record's key in order.
 */
export function createTableStorage(resource: Resource, usage: readonly Statement[]): Storage {
  const table = `trellis.${resource.table}`;
  const columns = tableColumns(resource);
  const from = `${table} r`;
  const parentColumns = resource.parent === null ? [] : [resource.parent.column];
  const names = [
    'organization_id',
    ...parentColumns,
    'id',
    'version',
    'created_at',
    'updated_at',
    'created_by',
    'updated_by',
    ...columns.map(({ name }) => name),
  ];
  const insert: Statement = {
    name: `insert_${resource.name}`,
    text: `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
  };
  const keyCount = parentColumns.length + 2;
  const updated = ['version', 'updated_at', 'updated_by', ...columns.map(({ name }) => name)];
  const keyCondition = ['organization_id', ...parentColumns, 'id'].map(
    (name, index) => `${name} = $${index + 1}`,
  );
  const update: Statement = {
    name: `update_${resource.name}`,
    text: `UPDATE ${table} SET ${updated.map((name, index) => `${name} = $${keyCount + index + 1}`).join(', ')}
      WHERE ${keyCondition.join(' AND ')}`,
  };
  const remove: Statement = {
    name: `delete_${resource.name}`,
    text: `DELETE FROM ${table} WHERE ${keyCondition.join(' AND ')}`,
  };
  const keyOf = (organizationId: string, record: Pick<StoredRecord, 'id' | 'parentId'>): Parameter[] => [
    organizationId,
    ...(record.parentId === null ? [] : [record.parentId]),
    record.id,
  ];
  const valuesOf = (record: StoredRecord) =>
    columns.map(({ field, kind }) => encodeColumn(kind, record.values[field]));
  return {
    columns,
    from: { working: from, published: from },
    insert: ({ organizationId, after }) => [
      step(insert, [
        ...keyOf(organizationId, after),
        String(after.version),
        after.createdAt,
        after.updatedAt,
        after.createdBy,
        after.updatedBy,
        ...valuesOf(after),
      ]),
    ],
    update: ({ organizationId, after }) => [
      step(update, [
        ...keyOf(organizationId, after),
        String(after.version),
        after.updatedAt,
        after.updatedBy,
        ...valuesOf(after),
      ]),
    ],
    remove: (organizationId, record) => [step(remove, keyOf(organizationId, record))],
    usage: (organizationId, record) =>
      usage.map((statement) => step(statement, keyOf(organizationId, record))),
  };
}

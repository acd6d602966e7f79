/**
 * How records are stored: columns, side tables, and the statements that read, lock and write them, built once at start. All
 * resources are read in the same ways; article versions replace only how a change is written.
 */

import type { ColumnKind } from '@trellis/schema/resources/fields.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import type { StoredRecord, Values } from '@trellis/schema/validation/values.ts';
import type { Parameter, Row, Statement, Step } from '../database/batch.ts';
import { step } from '../database/batch.ts';
import type { Scope } from '../database/database.ts';
import { decodeColumn, encodeColumn, parseTimestamp } from '../database/values.ts';
import { claimedCondition } from './locks.ts';
import { bytesOfRow, withinBudget } from './page-budget.ts';
import { createSideSteps } from './side-tables.ts';

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

/** Which record of which organization, asked for by whom. */
export interface Target extends Scope {
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
  /** What is particular to lists and records in the published perspective, where there are versions. */
  readonly published?: PublishedShape;
  insert(change: Change): Step[];
  update(change: Change): Step[];
  remove(organizationId: string, record: StoredRecord): Step[];
}

/** How published versions are read: nothing that a draft changes shows in them but the record's own `version`. */
export interface PublishedShape {
  /** Expressions that stand for columns of `r`, by name. */
  readonly expressions: Readonly<Record<string, string>>;
  /** Of a list by the given column of the record: the FROM clause, and an expression for the id, which its index has. */
  from(sortColumn: string): { readonly from: string; readonly id: string };
}

/** Which version of an article is meant; other resources have only 'working'. */
export type Perspective = 'working' | 'published';

const commonColumns = ['id', 'version', 'created_at', 'updated_at', 'created_by', 'updated_by'] as const;
const commonCount = commonColumns.length;

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

/** A column of a record in a perspective. */
export function columnSql(storage: Storage, perspective: Perspective, name: string): string {
  return (perspective === 'published' ? storage.published?.expressions[name] : undefined) ?? `r.${name}`;
}

/** The select list: common members, parent, then the fields' columns in order. */
export function selectList(
  resource: Resource,
  storage: Storage,
  width: Width,
  perspective: Perspective = 'working',
): string {
  const parent = resource.parent === null ? 'NULL' : `r.${resource.parent.column}`;
  const common = commonColumns.map((name) => columnSql(storage, perspective, name));
  const columns = storage.columns.map((column) => {
    if (column.large && width === 'narrow') return 'NULL';
    return column.sql.startsWith('r.') ? columnSql(storage, perspective, column.name) : column.sql;
  });
  return [...common, parent, ...columns].join(', ');
}

/** Number of items in a select list made by `selectList`: extra items may follow them. */
export function selectWidth(storage: Storage): number {
  return commonCount + 1 + storage.columns.length;
}

/** A row of `selectList` as a record. */
export function decodeRecord(storage: Pick<Storage, 'columns'>, row: Row): StoredRecord {
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
  /** Reads records in the order of the ids, as many as fit into so many bytes; the item after the record's: see `isCut`. */
  byIds(
    target: Omit<Target, 'id'>,
    ids: readonly string[],
    perspective: Perspective,
    width: Width,
    pageBytes: number,
  ): Step;
}

/** Builds the statements of a resource. */
export function buildRecordStatements(resource: Resource, storage: Storage): RecordStatements {
  const condition = targetCondition(resource);
  const readText = (perspective: Perspective, width: Width): Statement => ({
    name: `read_${resource.name}_${perspective}_${width}`,
    text: `SELECT ${selectList(resource, storage, width, perspective)} FROM ${storage.from[perspective]} WHERE ${condition}`,
  });
  const reads = {
    working: { full: readText('working', 'full'), narrow: readText('working', 'narrow') },
    published: { full: readText('published', 'full'), narrow: readText('published', 'narrow') },
  };
  const lock: Statement = {
    name: `lock_${resource.name}`,
    text: `SELECT FROM trellis.${resource.table} r WHERE ${condition} AND ${claimedCondition} FOR NO KEY UPDATE`,
  };
  const parentCondition = resource.parent === null ? '' : ` AND r.${resource.parent.column} = $4`;
  const byIdsText = (perspective: Perspective, width: Width): Statement => ({
    name: `by_ids_${resource.name}_${perspective}_${width}`,
    text: withinBudget(
      `SELECT ${selectList(resource, storage, width, perspective)}, array_position($2::uuid[], r.id), ${bytesOfRow(storage.columns, width)}
        FROM ${storage.from[perspective]} WHERE r.organization_id = $1 AND r.id = ANY ($2::uuid[])${parentCondition}`,
      selectWidth(storage) + 1,
      `c${selectWidth(storage)}`,
      '$3',
    ),
  });
  const byIds = {
    working: { full: byIdsText('working', 'full'), narrow: byIdsText('working', 'narrow') },
    published: { full: byIdsText('published', 'full'), narrow: byIdsText('published', 'narrow') },
  };
  return {
    read: (target, perspective, width) => step(reads[perspective][width], targetValues(target)),
    lock: (target) => [step(lock, targetValues(target)), step(reads.working.full, targetValues(target))],
    byIds: ({ organizationId, parentId }, ids, perspective, width, pageBytes) =>
      step(byIds[perspective][width], [
        organizationId,
        `{${ids.join(',')}}`,
        String(pageBytes),
        ...(parentId === null ? [] : [parentId]),
      ]),
  };
}

/** Storage of a resource that is one row of one table, and rows of its side tables. */
export function createTableStorage(resource: Resource): Storage {
  const sideSteps = createSideSteps(resource);
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
    insert: (change) => [
      step(insert, [
        ...keyOf(change.organizationId, change.after),
        String(change.after.version),
        change.after.createdAt,
        change.after.updatedAt,
        change.after.createdBy,
        change.after.updatedBy,
        ...valuesOf(change.after),
      ]),
      ...sideSteps(change),
    ],
    update: (change) => [
      step(update, [
        ...keyOf(change.organizationId, change.after),
        String(change.after.version),
        change.after.updatedAt,
        change.after.updatedBy,
        ...valuesOf(change.after),
      ]),
      ...sideSteps(change),
    ],
    remove: (organizationId, record) => [step(remove, keyOf(organizationId, record))],
  };
}

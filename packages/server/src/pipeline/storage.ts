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
import { decodeColumn, encodeColumn, parseTimestamp, uuidArray } from '../database/values.ts';
import { DynamicStatements } from './dynamic-statements.ts';
import { claimedCondition } from './locks.ts';
import { bytesOfRow, mayExceedBudget, withinBudget } from './page-budget.ts';
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
  /** Whether the value is made of other columns or tables, and has no column in the table of the resource. */
  readonly derived?: boolean;
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
/** Places of the common members in a row of `selectList`. */
export const place = {
  id: 0,
  version: 1,
  createdAt: 2,
  updatedAt: 3,
  createdBy: 4,
  updatedBy: 5,
  parent: 6,
} as const;
/** Where the fields' columns begin in it. */
export const firstColumn = commonColumns.length + 1;

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

/**
 * The select list: common members, parent, then the fields' columns in order.
 * @param only the fields that are wanted, by their dotted names; NULL stands for all others
 */
export function selectList(
  resource: Resource,
  storage: Storage,
  width: Width,
  perspective: Perspective = 'working',
  only: ReadonlySet<string> | null = null,
): string {
  const parent = resource.parent === null ? 'NULL' : `r.${resource.parent.column}`;
  const common = commonColumns.map((name) => columnSql(storage, perspective, name));
  const columns = storage.columns.map((column) => {
    if ((column.large && width === 'narrow') || only?.has(column.field) === false) return 'NULL';
    return column.sql === `r.${column.name}` ? columnSql(storage, perspective, column.name) : column.sql;
  });
  return [...common, parent, ...columns].join(', ');
}

/** Number of items in a select list made by `selectList`: extra items may follow them. */
export function selectWidth(storage: Storage): number {
  return firstColumn + storage.columns.length;
}

/** A row of `selectList` as a record. */
export function decodeRecord(storage: Pick<Storage, 'columns'>, row: Row): StoredRecord {
  const values: Values = {};
  const { columns } = storage;
  for (let index = 0; index < columns.length; index += 1) {
    const column = columns[index];
    if (column !== undefined)
      values[column.field] = decodeColumn(column.kind, row[firstColumn + index] ?? null);
  }
  return {
    id: row[place.id] ?? '',
    version: Number(row[place.version]),
    createdAt: parseTimestamp(row[place.createdAt] ?? ''),
    updatedAt: parseTimestamp(row[place.updatedAt] ?? ''),
    createdBy: row[place.createdBy] ?? null,
    updatedBy: row[place.updatedBy] ?? null,
    parentId: row[place.parent] ?? null,
    values,
  };
}

/** The version of the record in a row of `selectList`. */
export function versionOfRow(row: Row): number {
  return Number(row[place.version]);
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
  /**
   * Reads records in the order of the ids, as many as fit into a page; the item after the record's: see `isCut`. Of `only`
   * some fields, where no page of them can be too large, in any order.
   */
  byIds(
    target: Omit<Target, 'id'>,
    ids: readonly string[],
    perspective: Perspective,
    width: Width,
    pageBytes: number,
    only?: ReadonlySet<string> | null,
  ): Step;
}

/** Selections of fields whose statements are remembered for a resource. */
const rememberedSelections = 200;

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
  const dynamic = new DynamicStatements(rememberedSelections);
  /** The statement for some fields only; null where the sizes of records have to be looked at. */
  const someByIds = (
    perspective: Perspective,
    width: Width,
    records: number,
    only: ReadonlySet<string> | null,
  ): Statement | null => {
    if (only === null || mayExceedBudget(resource, width, records, only)) return null;
    return dynamic.get(
      `${perspective} ${width} ${[...only].join()}`,
      `some_by_ids_${resource.name}`,
      () => `SELECT ${selectList(resource, storage, width, perspective, only)} FROM ${storage.from[perspective]}
        WHERE r.organization_id = $1 AND r.id = ANY ($2::uuid[])${parentCondition.replace('$4', '$3')}`,
    );
  };
  return {
    read: (target, perspective, width) => step(reads[perspective][width], targetValues(target)),
    lock: (target) => [step(lock, targetValues(target)), step(reads.working.full, targetValues(target))],
    byIds: ({ organizationId, parentId }, ids, perspective, width, pageBytes, only = null) => {
      const place = parentId === null ? [] : [parentId];
      const some = someByIds(perspective, width, ids.length, only);
      if (some !== null) return step(some, [organizationId, uuidArray(ids), ...place]);
      return step(byIds[perspective][width], [organizationId, uuidArray(ids), String(pageBytes), ...place]);
    },
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
  const keyCondition = ['organization_id', ...parentColumns, 'id'].map(
    (name, index) => `${name} = $${index + 1}`,
  );
  const updateOf = (name: string, changed: readonly Column[]): Statement => {
    const updated = ['version', 'updated_at', 'updated_by', ...changed.map((column) => column.name)];
    return {
      name,
      text: `UPDATE ${table} SET ${updated.map((column, index) => `${column} = $${keyCount + index + 1}`).join(', ')}
        WHERE ${keyCondition.join(' AND ')}`,
    };
  };
  const smallColumns = columns.filter(({ large }) => !large);
  const update = updateOf(`update_${resource.name}`, columns);
  const updateSmall = updateOf(`update_${resource.name}_without_large`, smallColumns);
  // PostgreSQL would compress and store a large text anew even if it is given the same one.
  const updateStep = ({ organizationId, before, after }: Change): Step => {
    const isSmall =
      smallColumns.length < columns.length &&
      columns.every(({ field, large }) => !large || before?.values[field] === after.values[field]);
    return step(isSmall ? updateSmall : update, [
      ...keyOf(organizationId, after),
      String(after.version),
      after.updatedAt,
      after.updatedBy,
      ...valuesOf(after, isSmall ? smallColumns : columns),
    ]);
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
  const valuesOf = (record: StoredRecord, of: readonly Column[]) =>
    of.map(({ field, kind }) => encodeColumn(kind, record.values[field]));
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
        ...valuesOf(change.after, columns),
      ]),
      ...sideSteps(change),
    ],
    update: (change) => [updateStep(change), ...sideSteps(change)],
    remove: (organizationId, record) => [step(remove, keyOf(organizationId, record))],
  };
}

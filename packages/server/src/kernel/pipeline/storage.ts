/**
 * The storage of records: columns, side tables, and the statements that read, lock and write them, built once at start.
 * Article versions replace only the writing of a change.
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

/** The column of a field. */
export interface Column {
  /** Dotted name of the field. */
  readonly field: string;
  readonly kind: ColumnKind;
  /** Column name, for writing. */
  readonly name: string;
  /** Qualified expression, for reading: `r.name`, `v.title`. */
  readonly sql: string;
  /** Whether it is a text of up to hundreds of kilobytes, which narrow records omit. */
  readonly large: boolean;
  /** Whether the resource's own table also stores the value of the working version. */
  readonly mirrored?: boolean;
  /** Whether the value is made of other columns or tables, and has no column in the table of the resource. */
  readonly derived?: boolean;
}

/** The requested record, and who requests it. */
export interface Target extends Scope {
  /** Uuid of the parent, for resources with a parent. */
  readonly parentId: string | null;
  readonly id: string;
}

/** A change of a record: its state before and after. */
export interface Change {
  readonly organizationId: string;
  readonly before: StoredRecord | null;
  readonly after: StoredRecord;
}

/** The storage of a resource. */
export interface Storage {
  readonly columns: readonly Column[];
  /** FROM clause, with `r` for the resource's own table. Its only parameter is $1, the organization. */
  readonly from: Readonly<Record<Perspective, string>>;
  /** FROM clause of statements that read columns of `r` only, in the working perspective, where that can be cheaper. */
  readonly fromForOwnColumns?: string;
  /** The same as `from` for reading one record by its id, where that can be cheaper. */
  readonly fromForOne?: Readonly<Record<Perspective, string>>;
  /** The columns of the record with the number of the version that each perspective reads, for resources with versions. */
  readonly versionNumbers?: Readonly<Record<Perspective, string>>;
  /** The differences of lists and records in the published perspective, for resources with versions. */
  readonly published?: PublishedShape;
  insert(change: Change): Step[];
  /**
   * Writes a record of the trash again, where that is more than an insert. `before` is the record as it was deleted; its rows are still in
   * the trash.
   */
  restore?(change: Change): Step[];
  update(change: Change): Step[];
  remove(organizationId: string, record: StoredRecord): Step[];
}

/** How published versions are read. A draft changes nothing that they show, except the record's own `version`. */
interface PublishedShape {
  /** Expressions that replace columns of `r`, by name. */
  readonly expressions: Readonly<Record<string, string>>;
  /**
   * For lists sorted by the given field of the record: the FROM clause, and an expression for the id in that index.
   */
  from(sortField: string): { readonly from: string; readonly id: string };
}

/** Which version of an article is read; other resources only have 'working'. */
export type Perspective = 'working' | 'published';

const commonColumns = ['id', 'version', 'created_at', 'updated_at', 'created_by', 'updated_by'] as const;
/** Indexes of the common members in a row of `selectList`. */
export const place = {
  id: 0,
  version: 1,
  createdAt: 2,
  updatedAt: 3,
  createdBy: 4,
  updatedBy: 5,
  parent: 6,
} as const;
/** Index of the first column of a field. */
export const firstColumn = commonColumns.length + 1;

/** `camelCase` to `snake_case`. */
export function columnName(field: string): string {
  return (field.split('.').at(-1) ?? field).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The columns of a resource whose fields are all in its own table. */
export function tableColumns(resource: Resource): Column[] {
  return flattenFields(resource).map(([field, { kind, verbatim }]) => {
    const name = columnName(field);
    return { field, kind, name, sql: `r.${name}`, large: verbatim };
  });
}

/** Which columns of a record are read: all, or all except large texts. */
export type Width = 'full' | 'narrow';

/** A column of a record, in a perspective. */
function columnSql(storage: Storage, perspective: Perspective, name: string): string {
  return (perspective === 'published' ? storage.published?.expressions[name] : undefined) ?? `r.${name}`;
}

/** The SQL expression of a field in a filter or an order: the column of the resource's own table (`r`), where it has one. */
export function fieldSql(storage: Storage, perspective: Perspective, field: string): string {
  const column = storage.columns.find((one) => one.field === field);
  if (column === undefined) return columnSql(storage, perspective, columnName(field));
  const isOwn = column.mirrored === true || column.sql === `r.${column.name}`;
  return isOwn ? columnSql(storage, perspective, column.name) : column.sql;
}

/**
 * The select list: common members, parent, then the columns of the fields in order.
 * @param only the selected fields by their dotted names; NULL replaces all others
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

/** Number of items of a `selectList`; additional items may follow them. */
export function selectWidth(storage: Storage): number {
  return firstColumn + storage.columns.length;
}

/** Decodes a row of `selectList`. `V`: the values of the records that the storage has. */
export function decodeRecord<V extends object = Values>(
  storage: Pick<Storage, 'columns'>,
  row: Row,
): StoredRecord<V> {
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
    values: values as V,
  };
}

/** The version of the record in a row of `selectList`. */
export function versionOfRow(row: Row): number {
  return Number(row[place.version]);
}

/** The condition that finds one record, with the parameters of `targetValues`. */
function targetCondition(resource: Resource): string {
  // The organization is its own record.
  if (resource.single === true) return 'r.id = $1 AND r.id = $2';
  return resource.parent === null
    ? 'r.organization_id = $1 AND r.id = $2'
    : `r.organization_id = $1 AND r.id = $2 AND r.${resource.parent.column} = $3`;
}

function targetValues({ organizationId, parentId, id }: Target): Parameter[] {
  return parentId === null ? [organizationId, id] : [organizationId, id, parentId];
}

/** The fixed statements that read one record. */
export interface RecordStatements {
  read(target: Target, perspective: Perspective, width: Width): Step;
  /**
   * Locks the record until the transaction ends, and reads it; the row of the last step is the record. A record of a
   * single row is returned by the statement that locks it, as it is after the wait. If other tables belong to it, there is a second
   * statement, whose snapshot is taken after the lock was acquired: the first one, if it had to wait, would join the new row with
   * older rows of the others. NO KEY, so that references to the record do not wait.
   */
  lock(target: Target): readonly [Step, ...Step[]];
  /** Locks records by their ids (uuids), in the order of these. */
  lockAll(organizationId: string, ids: readonly string[]): Step;
  /**
   * Reads records in the order of the ids, as many as fit into a page; the number of rows follows the record, see
   * `isCut`. With `only` some fields, where no page can be too large, in any order. Without a parent, of all parents.
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

/** Maximum number of remembered statements with selected fields, for each resource. */
const rememberedSelections = 200;

/** Builds the statements of a resource. */
export function buildRecordStatements(resource: Resource, storage: Storage): RecordStatements {
  const condition = targetCondition(resource);
  const readText = (perspective: Perspective, width: Width): Statement => ({
    name: `read_${resource.name}_${perspective}_${width}`,
    text: `SELECT ${selectList(resource, storage, width, perspective)}
      FROM ${(storage.fromForOne ?? storage.from)[perspective]} WHERE ${condition}`,
  });
  const reads = {
    working: { full: readText('working', 'full'), narrow: readText('working', 'narrow') },
    published: { full: readText('published', 'full'), narrow: readText('published', 'narrow') },
  };
  const table = `trellis.${resource.table} r`;
  const isOneRow =
    storage.from.working === table && storage.columns.every(({ sql, name }) => sql === `r.${name}`);
  const lock: Statement = {
    name: `lock_${resource.name}`,
    text: `SELECT ${isOneRow ? selectList(resource, storage, 'full') : ''} FROM ${table}
      WHERE ${condition} AND ${claimedCondition} FOR NO KEY UPDATE`,
  };
  const lockAll: Statement = {
    name: `lock_all_${resource.name}`,
    text: `SELECT FROM ${table} WHERE r.${resource.single === true ? 'id' : 'organization_id'} = $1 AND r.id = ANY ($2::uuid[])
      AND ${claimedCondition} ORDER BY r.id FOR NO KEY UPDATE`,
  };
  const parentCondition = resource.parent === null ? '' : ` AND r.${resource.parent.column} = $4`;
  const byIdsText = (perspective: Perspective, width: Width, within = parentCondition): Statement => ({
    name: `by_ids_${resource.name}_${perspective}_${width}${within === parentCondition ? '' : '_anywhere'}`,
    text: withinBudget(
      `SELECT ${selectList(resource, storage, width, perspective)}, array_position($2::uuid[], r.id), ${bytesOfRow(storage.columns, width)}
        FROM ${storage.from[perspective]} WHERE r.organization_id = $1 AND r.id = ANY ($2::uuid[])${within}`,
      selectWidth(storage) + 1,
      `c${selectWidth(storage)}`,
      '$3',
    ),
  });
  const byIds = {
    working: { full: byIdsText('working', 'full'), narrow: byIdsText('working', 'narrow') },
    published: { full: byIdsText('published', 'full'), narrow: byIdsText('published', 'narrow') },
  };
  const anywhere = {
    working: byIdsText('working', 'full', ''),
    published: byIdsText('published', 'full', ''),
  };
  const dynamic = new DynamicStatements(rememberedSelections);
  /** The statement for selected fields; null if the sizes of records have to be computed. */
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
    lock: (target) => {
      const locked = step(lock, targetValues(target));
      return isOneRow ? [locked] : [locked, step(reads.working.full, targetValues(target))];
    },
    lockAll: (organizationId, ids) => step(lockAll, [organizationId, uuidArray(ids)]),
    byIds: ({ organizationId, parentId }, ids, perspective, width, pageBytes, only = null) => {
      const place = parentId === null ? [] : [parentId];
      const some = someByIds(perspective, width, ids.length, only);
      if (some !== null) return step(some, [organizationId, uuidArray(ids), ...place]);
      const statement =
        resource.parent !== null && parentId === null ? anywhere[perspective] : byIds[perspective][width];
      return step(statement, [organizationId, uuidArray(ids), String(pageBytes), ...place]);
    },
  };
}

/** Storage of a resource with one row in one table, and rows in its side tables. */
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
    isJoinable: true,
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
      isJoinable: true,
    };
  };
  const smallColumns = columns.filter(({ large }) => !large);
  const update = updateOf(`update_${resource.name}`, columns);
  const updateSmall = updateOf(`update_${resource.name}_without_large`, smallColumns);
  // PostgreSQL would compress and store a large text again even if it is unchanged.
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
    isJoinable: true,
  };
  const sideChange = ({ organizationId, before, after }: Change) => ({
    organizationId,
    record: after,
    before: before?.values ?? null,
    after: after.values,
  });
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
      ...sideSteps(sideChange(change)),
    ],
    update: (change) => [updateStep(change), ...sideSteps(sideChange(change))],
    remove: (organizationId, record) => [
      step(remove, keyOf(organizationId, record)),
      ...sideSteps({ organizationId, record, before: record.values, after: null }),
    ],
  };
}

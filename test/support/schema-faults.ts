/** Compares the tables in the catalogue of the database with the declarations of the resources. */

import { countedChoices } from '@trellis/schema/resources/counts.ts';
import type { ColumnKind } from '@trellis/schema/resources/fields.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import type { Database } from '@trellis/server/kernel/database/database.ts';
import type { Model, Models } from '@trellis/server/kernel/pipeline/model.ts';
import { ownerColumn, sideTablesOf } from '@trellis/server/kernel/pipeline/side-tables.ts';
import { columnName } from '@trellis/server/kernel/pipeline/storage.ts';

const types: Readonly<Record<ColumnKind, string>> = {
  text: 'text',
  integer: 'integer',
  boolean: 'boolean',
  instant: 'timestamp(3) with time zone',
  texts: 'text[]',
  uuid: 'uuid',
  uuids: 'uuid[]',
  json: 'json',
};

interface Column {
  readonly type: string;
  readonly nullable: boolean;
}

interface Constraint {
  readonly name: string;
  /** Type in pg_constraint: p, u or f; u for a unique index as well. */
  readonly kind: string;
  readonly columns: readonly string[];
  /** Table that a foreign key refers to. */
  readonly target: string | null;
}

interface Table {
  readonly columns: ReadonlyMap<string, Column>;
  readonly constraints: readonly Constraint[];
}

/** Returns a sentence for each difference from the declarations. @param admin connection of a superuser */
export async function findSchemaFaults(admin: Database, models: Models): Promise<string[]> {
  const tableOf = (resource: string) => models.get(resource)?.resource.table ?? resource;
  const faults: string[] = [];
  for (const model of models.values()) {
    const tables = new Map<string, Table>();
    for (const name of tablesOf(model.resource)) tables.set(name, await readTable(admin, name));
    const find = (name: string) => tables.get(name) ?? { columns: new Map(), constraints: [] };
    const found = [
      ...findColumnFaults(model, find),
      ...findUniqueFaults(model.resource, find),
      ...findKeyFaults(model.resource, find, tableOf),
      ...(await findIndexFaults(admin, model.resource)),
    ];
    faults.push(...found.map((fault) => `${model.resource.name}: ${fault}`));
  }
  return faults;
}

type FindTable = (name: string) => Table;

function tablesOf({ table, versions, sideTables = {} }: Resource): string[] {
  return [table, ...(versions === undefined ? [] : [versions.table]), ...Object.keys(sideTables)];
}

/** The table with the column of a field. */
function tableOfField({ table, versions }: Resource, field: string): string {
  return versions !== undefined && field.startsWith(`${versions.group}.`) ? versions.table : table;
}

function findColumnFaults({ resource, storage }: Model, find: FindTable): string[] {
  const fields = new Map(flattenFields(resource));
  const stored = storage.columns.filter(({ derived }) => derived !== true);
  const own = stored.flatMap(({ field, name, kind }) => {
    const table = tableOfField(resource, field);
    const column = find(table).columns.get(name);
    const nullable = fields.get(field)?.nullable;
    return [
      ...compareType(`${table}.${name}`, column, types[kind]),
      ...(column === undefined || column.nullable === nullable
        ? []
        : [`${table}.${name} is ${column.nullable ? '' : 'not '}nullable, unlike the field "${field}"`]),
    ];
  });
  const sides = sideTablesOf(resource).flatMap(({ table, column, type }) => {
    const { columns } = find(table);
    return [
      ...compareType(`${table}.${column}`, columns.get(column), type),
      ...compareType(`${table}.${ownerColumn(resource)}`, columns.get(ownerColumn(resource)), 'uuid'),
    ];
  });
  return [...own, ...sides];
}

function compareType(name: string, column: Column | undefined, type: string): string[] {
  if (column === undefined) return [`there is no column ${name}`];
  return column.type === type ? [] : [`the column ${name} is of the type ${column.type}, not ${type}`];
}

function findUniqueFaults(resource: Resource, find: FindTable): string[] {
  const single = Object.entries(resource.unique).map(([field, name]) => ({
    table: tableOfField(resource, field),
    name,
    columns: [columnName(field)],
  }));
  const together = Object.entries(resource.uniqueTogether ?? {}).map(([name, fields]) => ({
    table: resource.table,
    name,
    columns: fields.map(columnName),
  }));
  const sides = sideTablesOf(resource).flatMap(({ table, column, unique }) =>
    unique === null ? [] : [{ table, name: unique.constraint, columns: [column] }],
  );
  return [...single, ...together, ...sides].flatMap(({ table, name, columns }) => {
    const found = find(table).constraints.find((constraint) => constraint.name === name);
    if (found === undefined) return [`there is no constraint ${name} of ${table}`];
    return found.kind !== 'f' && columns.every((column) => found.columns.includes(column))
      ? []
      : [`the constraint ${name} does not make ${columns.join(', ')} unique`];
  });
}

/** Finds missing foreign keys of references and parents. */
function findKeyFaults(resource: Resource, find: FindTable, tableOf: (resource: string) => string): string[] {
  const { parent, table } = resource;
  const needed = [
    ...(parent === null ? [] : [{ table, column: parent.column, target: parent.resource }]),
    ...flattenFields(resource).flatMap(([field, { kind, reference }]) =>
      kind !== 'uuid' ||
      reference === null ||
      reference.among !== null ||
      reference.resource === 'users' ||
      !reference.blocksDeletion
        ? []
        : [{ table: tableOfField(resource, field), column: columnName(field), target: reference.resource }],
    ),
    ...sideTablesOf(resource).flatMap(({ table: side, column, target }) =>
      target === null ? [] : [{ table: side, column, target }],
    ),
  ];
  const keys = needed.flatMap(({ table: from, column, target }) => {
    const exists = find(from).constraints.some(
      (key) => key.kind === 'f' && key.columns.includes(column) && key.target === tableOf(target),
    );
    return exists ? [] : [`no foreign key leads from ${from}.${column} to ${tableOf(target)}`];
  });
  // A write recognizes by this name that its parent was deleted concurrently.
  const name = `${table}_organization_id_${parent?.column}_fkey`;
  const isNamed = parent === null || find(table).constraints.some((key) => key.name === name);
  return [...keys, ...(isNamed ? [] : [`the foreign key of the parent is not called ${name}`])];
}

/** Finds choices that are said to have an index and have none, and the reverse. */
async function findIndexFaults(admin: Database, resource: Resource): Promise<string[]> {
  const place = ['organization_id', ...(resource.parent === null ? [] : [resource.parent.column])];
  const indexes = await admin.run(
    `SELECT array_to_string(ARRAY(
        SELECT a.attname FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k (number, place)
        JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number ORDER BY k.place), ',')
     FROM pg_index i WHERE i.indrelid = to_regclass($1) AND i.indpred IS NULL`,
    [`trellis.${resource.table}`],
  );
  return countedChoices(resource).flatMap(({ name, field, isIndexed }) => {
    const columns = [...place, columnName(field)].join();
    const hasIndex = indexes.some(([names]) => `${names},`.startsWith(`${columns},`));
    if (hasIndex === isIndexed) return [];
    return [`${hasIndex ? 'an' : 'no'} index begins with ${columns}, unlike the filter "${name}" says`];
  });
}

async function readTable(admin: Database, table: string): Promise<Table> {
  const columns = await admin.run(
    `SELECT attname, format_type(atttypid, atttypmod), NOT attnotnull FROM pg_attribute
     WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
    [`trellis.${table}`],
  );
  const constraints = await admin.run(
    `SELECT conname, contype, confrelid::regclass::text, array_to_string(ARRAY(
        SELECT attname FROM pg_attribute WHERE attrelid = conrelid AND attnum = ANY (conkey)), ',')
     FROM pg_constraint WHERE conrelid = to_regclass($1) AND contype IN ('p', 'f')
     UNION ALL SELECT c.relname, 'u', NULL, array_to_string(ARRAY(
        SELECT attname FROM pg_attribute WHERE attrelid = i.indrelid AND attnum = ANY (i.indkey::int2[])), ',')
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE i.indrelid = to_regclass($1) AND i.indisunique AND NOT i.indisprimary`,
    [`trellis.${table}`],
  );
  return {
    columns: new Map(
      columns.map(([name, type, nullable]) => [name ?? '', { type: type ?? '', nullable: nullable === 't' }]),
    ),
    constraints: constraints.map(([name, kind, target, names]) => ({
      name: name ?? '',
      kind: kind ?? '',
      columns: (names ?? '').split(','),
      target: target?.replace(/^trellis\./, '') ?? null,
    })),
  };
}

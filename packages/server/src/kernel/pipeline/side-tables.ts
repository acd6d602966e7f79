/**
 * The side tables of resources. Their rows follow from a record's values; the statements that write them are built from
 * the declaration.
 */

import { findPlace, memberSchemas, type Place, targetOfPlace } from '@trellis/schema/resources/places.ts';
import type { Resource, SideTableDeclaration } from '@trellis/schema/resources/resource.ts';
import { comparisonKey } from '@trellis/schema/validation/formats.ts';
import type { StoredRecord, Values } from '@trellis/schema/validation/values.ts';
import { pointerOf } from '@trellis/schema/values/paths.ts';
import { type Parameter, type Statement, type Step, step } from '../database/batch.ts';
import { textArray } from '../database/values.ts';

/** A value of a record in a side table, and its place in a body. */
interface SideEntry {
  readonly value: string;
  readonly pointer: string;
}

/** A declared side table. */
export interface SideTable {
  readonly table: string;
  /** Column of the value and its type. */
  readonly column: string;
  readonly type: 'text' | 'uuid';
  /** The resource whose ids the column has; null for other values. */
  readonly target: string | null;
  /** Whether the referred records have the same parent as the referring ones. */
  readonly sameParent: boolean;
  /** The constraint that makes the values unique, and the field of its error; null if values need not be unique. */
  readonly unique: { readonly constraint: string; readonly field: string } | null;
  /** The values of a record in their compared form. */
  entries(values: Values): readonly SideEntry[];
}

const known = new WeakMap<Resource, readonly SideTable[]>();

/** The side tables of a resource, in declared order. */
export function sideTablesOf(resource: Resource): readonly SideTable[] {
  const found = known.get(resource);
  if (found !== undefined) return found;
  const made = Object.entries(resource.sideTables ?? {}).map(([table, declared]) =>
    makeSideTable(resource, table, declared),
  );
  known.set(resource, made);
  return made;
}

/**
 * The side table of that name.
 * @throws Error for an unknown name, which is a bug
 */
export function sideTableOf(resource: Resource, table: string): SideTable {
  const found = sideTablesOf(resource).find((side) => side.table === table);
  if (found === undefined) throw new Error(`${resource.name} has no side table ${table}`);
  return found;
}

function makeSideTable(resource: Resource, table: string, declared: SideTableDeclaration): SideTable {
  const places = declared.values.map((path) => {
    const place = findPlace(resource, path);
    if (place === null) throw new Error(`${resource.name} has no field ${path}`);
    return place;
  });
  const [first] = places;
  const target = first === undefined ? null : targetOfPlace(first);
  return {
    table,
    column: declared.column,
    type: target === null ? 'text' : 'uuid',
    target,
    sameParent: first?.field.reference?.sameParent ?? false,
    unique: declared.unique === undefined ? null : { constraint: declared.unique, field: first?.name ?? '' },
    entries: (values) => places.flatMap((place) => entriesOf(place, values[place.name])),
  };
}

/** The values in one place of a record: a single value, a list, or a member of the objects in a list. */
function entriesOf({ name, field, member }: Place, value: unknown): SideEntry[] {
  const pointer = pointerOf(name);
  const { format } = schemaOf({ name, field, member });
  const entry = (text: unknown, at: string): SideEntry[] =>
    typeof text === 'string' ? [{ value: comparisonKey(format, text, null) ?? text, pointer: at }] : [];
  if (!Array.isArray(value)) return entry(value, pointer);
  return value.flatMap((item, index) =>
    member === null
      ? entry(item, `${pointer}/${index}`)
      : entry(item[member], `${pointer}/${index}/${member}`),
  );
}

/** Where errors about a single value point to. */
function schemaOf({ field, member }: Place): { readonly format?: string } {
  if (member !== null) return memberSchemas(field)[member] ?? {};
  const schema = field.schema as { items?: { format?: string }; format?: string };
  return schema.items ?? schema;
}

/** Column of a resource's id in its side tables. */
export function ownerColumn(resource: Pick<Resource, 'singular'>): string {
  return `${resource.singular.replaceAll('-', '_')}_id`;
}

/** A change of a record for which the side tables are written. No foreign key removes the rows of a record that is gone. */
interface SideChange {
  readonly organizationId: string;
  readonly record: Pick<StoredRecord, 'id' | 'parentId'>;
  /** Its values; null before it is created, and after it is deleted. */
  readonly before: Values | null;
  readonly after: Values | null;
}

/** Prepares the steps that write a resource's side tables for a record that is created, changed or deleted. */
export function createSideSteps(resource: Resource): (change: SideChange) => Step[] {
  const sides = sideTablesOf(resource).map((side) => ({ side, ...sideStatements(resource, side) }));
  return ({ organizationId, record, before, after }) =>
    sides.flatMap(({ side, insert, remove }) => {
      const old = before === null ? [] : sideValues(side, before);
      const now = after === null ? [] : sideValues(side, after);
      const gone = old.filter((value) => !now.includes(value));
      const added = now.filter((value) => !old.includes(value));
      const key = keyOf(organizationId, record);
      return [
        ...(gone.length === 0 ? [] : [step(remove, [...key, textArray(gone)])]),
        ...(added.length === 0 ? [] : [step(insert, [...key, textArray(added)])]),
      ];
    });
}

function sideStatements(resource: Resource, { table, column, type }: SideTable) {
  const keys = [
    'organization_id',
    ...(resource.parent === null ? [] : [resource.parent.column]),
    ownerColumn(resource),
  ];
  const values = keys.map((_, index) => `$${index + 1}`).join(', ');
  const condition = keys.map((name, index) => `${name} = $${index + 1}`).join(' AND ');
  const list = `$${keys.length + 1}::${type}[]`;
  const insert: Statement = {
    name: `insert_${table}`,
    text: `INSERT INTO trellis.${table} (${keys.join(', ')}, ${column}) SELECT ${values}, n.value FROM unnest(${list}) AS n (value)`,
    isJoinable: true,
  };
  const remove: Statement = {
    name: `delete_${table}`,
    text: `DELETE FROM trellis.${table} WHERE ${condition} AND ${column} = ANY (${list})`,
    isJoinable: true,
  };
  return { insert, remove };
}

/**
 * The distinct values of a record in a side table. They are sorted, so that concurrent writers of the same values do
 * not deadlock.
 */
function sideValues(side: SideTable, values: Values): string[] {
  return [...new Set(side.entries(values).map(({ value }) => value))].sort();
}

function keyOf(organizationId: string, { parentId, id }: Pick<StoredRecord, 'id' | 'parentId'>): Parameter[] {
  return [organizationId, ...(parentId === null ? [] : [parentId]), id];
}

/**
 * Finding the records of an upsert by their unique values, as the declaration names them. All of them are unique in the database: two
 * concurrent upserts of a new value cannot both create a record.
 */

import { filtersOf } from '@trellis/schema/resources/filters.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { Values } from '@trellis/schema/validation/values.ts';
import { pointerOf } from '@trellis/schema/values/paths.ts';
import { type Statement, type Step, step } from '../database/batch.ts';
import { defineRow, text } from '../database/row.ts';
import { textArray } from '../database/values.ts';
import { ownerColumn, sideTableOf } from './side-tables.ts';
import { columnName, type Target } from './storage.ts';

/** A kind of value by which records are found. */
export interface Matching {
  /** Where a body has the value, as a JSON pointer. */
  readonly pointer: string;
  /** The constraint that makes the values unique. */
  readonly constraint: string;
  /** The values of a body or record in their compared form; none if it has none. */
  valuesOf(values: Values): readonly string[];
  /** Reads which records have any of the values, as rows of `matchRow`. */
  find(place: Omit<Target, 'id'>, values: readonly string[]): Step;
}

/** A record and a value that it has. */
export const matchRow = defineRow({ id: text('m.id'), value: text('m.value') });

/**
 * How records are found by a filter that the declaration names in `matching`.
 * @throws Error for any other, which is a bug
 */
export function matchingBy(resource: Resource, name: string): Matching {
  const filter = filtersOf(resource)[name];
  if (filter?.kind === 'via') {
    const side = sideTableOf(resource, filter.table);
    if (side.unique === null) throw new Error(`${filter.table} has no unique values`);
    return {
      pointer: pointerOf(side.unique.field),
      constraint: side.unique.constraint,
      valuesOf: (values) => [...new Set(side.entries(values).map(({ value }) => value))],
      find: finder(resource, name, side.table, ownerColumn(resource), side.column),
    };
  }
  const constraint = filter?.kind === 'text' ? resource.unique[filter.field] : undefined;
  if (filter === undefined || constraint === undefined)
    throw new Error(`${resource.name} cannot be matched by ${name}`);
  const { field } = filter;
  return {
    pointer: pointerOf(field),
    constraint,
    valuesOf: ({ [field]: value }) => (typeof value === 'string' ? [value] : []),
    find: finder(resource, name, resource.table, 'id', columnName(field)),
  };
}

function finder(
  { name, parent }: Resource,
  matching: string,
  table: string,
  idColumn: string,
  column: string,
): Matching['find'] {
  const within = parent === null ? '' : ` AND f.${parent.column} = $3`;
  const statement: Statement = {
    name: `match_${name}_${columnName(matching)}`,
    text: `SELECT ${matchRow.list} FROM (SELECT f.${idColumn} AS id, f.${column} AS value FROM trellis.${table} f
      WHERE f.organization_id = $1 AND f.${column} = ANY ($2::text[])${within}) m`,
  };
  return ({ organizationId, parentId }, values) =>
    step(statement, [organizationId, textArray(values), ...(parentId === null ? [] : [parentId])]);
}

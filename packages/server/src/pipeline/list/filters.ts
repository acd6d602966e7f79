/** The filters of lists as SQL: their conditions and the values that they compare. */

import {
  type Bound,
  type Filter,
  findPlace,
  type Resource,
  targetOfPlace,
} from '@trellis/schema/resources/resource.ts';
import { comparisonKey } from '@trellis/schema/validation/formats.ts';
import { prefixOf } from '@trellis/schema/validation/values.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { ownerColumn, type SideTable, sideTableOf, sideTablesOf } from '../side-tables.ts';
import { sortKey } from '../sorts.ts';
import { columnName, columnSql, type Perspective, type Storage } from '../storage.ts';

/** The condition of a filter on a row, with the parameter that holds its value. */
export function filterCondition(
  resource: Resource,
  storage: Storage,
  perspective: Perspective,
  filter: Filter,
  parameter: string,
): string {
  if (filter.kind === 'via') return sideCondition(resource, sideTableOf(resource, filter.table), parameter);
  const column = columnSql(storage, perspective, columnName(filter.field));
  switch (filter.kind) {
    case 'integer':
      return `${column} = ${parameter}::integer`;
    case 'since':
      return `${column} >= ${parameter}::timestamptz`;
    case 'bound':
      return boundCondition(filter.bound ?? 'gte', column, parameter);
    case 'boolean':
      return `${column} = ${parameter}::boolean`;
    case 'present':
      return `(${column} IS NOT NULL) = ${parameter}::boolean`;
    case 'reference':
      return referenceCondition(resource, filter.field, parameter);
    default:
      return `${column} = ${parameter}`;
  }
}

const comparisons: Readonly<Record<Bound, string>> = { gte: '>=', gt: '>', lte: '<=', lt: '<' };

/** The condition for one side of a range, by the expression of the index that records are sorted by. */
function boundCondition(bound: Bound, column: string, parameter: string): string {
  const compared = `${sortKey({ isOptional: true }, [column])} ${comparisons[bound]} ${parameter}::timestamptz`;
  return bound.startsWith('g') ? compared : `${column} IS NOT NULL AND ${compared}`;
}

/**
 * The condition for a filter by id. Ids of a list are looked up in its side table, which has an index; a single id is
 * in the table itself.
 */
function referenceCondition(resource: Resource, field: string, parameter: string): string {
  const side = sideTablesOf(resource).find(({ table }) =>
    resource.sideTables?.[table]?.values.includes(field),
  );
  if (side !== undefined) return sideCondition(resource, side, parameter);
  return `r.${columnName(field)} = ${parameter}::uuid`;
}

/**
 * The condition that a record has the value in a side table. If the referred records have the same parent, the parent
 * comes first in the index.
 */
function sideCondition(
  resource: Resource,
  { table, column, type, sameParent }: SideTable,
  parameter: string,
): string {
  const within = resource.parent !== null && sameParent ? ` AND l.${resource.parent.column} = $2` : '';
  return `r.id IN (SELECT l.${ownerColumn(resource)} FROM trellis.${table} l
    WHERE l.organization_id = $1${within} AND l.${column} = ${parameter}::${type})`;
}

/** Name of the resource whose ids a filter takes; null for filters by other values. */
function targetOf(resource: Resource, filter: Filter): string | null {
  if (filter.kind === 'via') return sideTableOf(resource, filter.table).target;
  const place = filter.kind === 'reference' ? findPlace(resource, filter.field) : null;
  return place === null ? null : targetOfPlace(place);
}

/**
 * The value that a filter compares: ids as uuids, texts in their compared form.
 * @param country of the organization, ISO 3166-1, for phone numbers without a country code
 */
export function filterValue(
  resource: Resource,
  filter: Filter,
  given: string,
  country: string | null,
): string {
  const target = targetOf(resource, filter);
  // A malformed id matches nothing: no record has the nil uuid, and no side table has an empty text.
  if (target !== null) return decodeId(prefixOf(target), given) ?? nilUuid;
  return filter.kind === 'via' ? (comparisonKey(filter.format, given, country) ?? '') : given;
}

const nilUuid = '00000000-0000-0000-0000-000000000000';

/** The filters of lists as SQL: their conditions, and the values that they compare with. */

import { type Filter, findPlace, type Resource, targetOfPlace } from '@trellis/schema/resources/resource.ts';
import { comparisonKey } from '@trellis/schema/validation/formats.ts';
import { prefixOf } from '@trellis/schema/validation/values.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { ownerColumn, type SideTable, sideTableOf, sideTablesOf } from './side-tables.ts';
import { columnName, columnSql, type Perspective, type Storage } from './storage.ts';

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
    case 'boolean':
      return `${column} = ${parameter}::boolean`;
    case 'reference':
      return referenceCondition(resource, filter.field, parameter);
    default:
      return `${column} = ${parameter}`;
  }
}

/** Ids in a list are looked up in its side table, which has an index for them; a single id stands in the table itself. */
function referenceCondition(resource: Resource, field: string, parameter: string): string {
  const side = sideTablesOf(resource).find(({ table }) =>
    resource.sideTables?.[table]?.values.includes(field),
  );
  if (side !== undefined) return sideCondition(resource, side, parameter);
  return `r.${columnName(field)} = ${parameter}::uuid`;
}

/** Whether a record has the value in a side table. Its index begins with the parent where all it refers to is below that. */
function sideCondition(
  resource: Resource,
  { table, column, type, sameParent }: SideTable,
  parameter: string,
): string {
  const within = resource.parent !== null && sameParent ? ` AND l.${resource.parent.column} = $2` : '';
  return `r.id IN (SELECT l.${ownerColumn(resource)} FROM trellis.${table} l
    WHERE l.organization_id = $1${within} AND l.${column} = ${parameter}::${type})`;
}

/** Name of the resource whose ids a filter takes; null for other values. */
function targetOf(resource: Resource, filter: Filter): string | null {
  if (filter.kind === 'via') return sideTableOf(resource, filter.table).target;
  const place = filter.kind === 'reference' ? findPlace(resource, filter.field) : null;
  return place === null ? null : targetOfPlace(place);
}

/**
 * What a filter compares with: ids as uuids, texts in the form by which they are compared.
 * @param country of the organization, ISO 3166-1: where phone numbers without one are
 */
export function filterValue(
  resource: Resource,
  filter: Filter,
  given: string,
  country: string | null,
): string {
  const target = targetOf(resource, filter);
  // An id that is malformed names nothing, and no record has the nil uuid; nor does any side table hold an empty text.
  if (target !== null) return decodeId(prefixOf(target), given) ?? nilUuid;
  return filter.kind === 'via' ? (comparisonKey(filter.format, given, country) ?? '') : given;
}

const nilUuid = '00000000-0000-0000-0000-000000000000';

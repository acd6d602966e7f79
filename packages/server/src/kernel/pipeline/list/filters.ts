/** The filters of lists as SQL: their conditions and the values that they compare. */

import type { Field } from '@trellis/schema/resources/fields.ts';
import { filtersOf, scaleOf } from '@trellis/schema/resources/filters.ts';
import { targetOfFilter } from '@trellis/schema/resources/places.ts';
import { type Bound, type Filter, flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { splitValues } from '@trellis/schema/validation/check-parameters.ts';
import { comparisonKey } from '@trellis/schema/validation/formats.ts';
import { prefixOf } from '@trellis/schema/validation/values.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { escapeLikePattern, foldText } from '@trellis/schema/values/text.ts';
import type { Parameter } from '../../database/batch.ts';
import { textArray, uuidArray } from '../../database/values.ts';
import type { Model } from '../model.ts';
import { ownerColumn, type SideTable, sideTableOf, sideTablesOf } from '../side-tables.ts';
import { sortKey } from '../sorts.ts';
import { fieldSql, type Perspective, type Storage } from '../storage.ts';
import { filterSchema } from './parameters.ts';

/** The parts of a request that select records. */
interface FilteredQuery {
  /** Values of the query string by filter name, validated and in stored form. */
  readonly filters: Readonly<Record<string, string>>;
  /** The organization's country, ISO 3166-1, for phone numbers without a country code. */
  readonly country: string | null;
  readonly perspective: Perspective;
}

/** A filter of a request. */
export interface GivenFilter {
  /** Differs for filters whose conditions do, whatever their values. */
  readonly shape: string;
  readonly filter: Filter;
  readonly condition: string;
}

/** The filters of a request with their conditions on a row, in the order of their names. @param add adds a parameter, and returns its place */
export function givenFilters(
  { resource, storage }: Model,
  query: FilteredQuery,
  add: (value: Parameter) => string,
): readonly GivenFilter[] {
  return Object.entries(query.filters)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, given]) => {
      const filter = filtersOf(resource)[name];
      if (filter === undefined) throw new Error(`${resource.name} has no filter ${name}`);
      // One value keeps the equality, which indexes serve in every order.
      const values = splitValues(filterSchema(resource, filter), given);
      const compared = values.map((value) => comparedValue(resource, filter, value, query.country));
      const [first = null] = compared;
      const parameter = add(compared.length === 1 ? first : arrayOf(resource, filter, compared));
      const matches = compared.length === 1 ? single : anyOf;
      const condition = filterCondition(resource, storage, query.perspective, filter, parameter, matches);
      return { shape: compared.length === 1 ? name : `${name}*`, filter, condition };
    });
}

/** Compares with one value, or with those of an array. @param type of the parameter, where it is not that of what is compared */
type Matches = (compared: string, parameter: string, type?: string) => string;
const single: Matches = (compared, parameter, type) =>
  `${compared} = ${parameter}${type === undefined ? '' : `::${type}`}`;
const anyOf: Matches = (compared, parameter, type = 'text') => `${compared} = ANY (${parameter}::${type}[])`;

function arrayOf(resource: Resource, filter: Filter, values: readonly (string | null)[]): string {
  const known = values.filter((value) => value !== null);
  return targetOfFilter(resource, filter) === null ? textArray(known) : uuidArray(known);
}

/** The condition of a filter on a row, with the parameter that holds its value. */
function filterCondition(
  resource: Resource,
  storage: Storage,
  perspective: Perspective,
  filter: Filter,
  parameter: string,
  matches: Matches,
): string {
  if (filter.kind === 'via')
    return sideCondition(resource, sideTableOf(resource, filter.table), parameter, matches);
  const column = fieldSql(storage, perspective, filter.field);
  switch (filter.kind) {
    case 'integer':
    case 'boolean':
      return single(column, parameter, filter.kind);
    case 'exists':
      return `(${existence(column, fieldOf(resource, filter.field))}) = ${parameter}::boolean`;
    case 'contains':
      return `trellis.fold_text(${column}) LIKE ${parameter}`;
    case 'bound':
      return boundCondition(resource, filter.field, filter.bound ?? 'gte', column, parameter);
    case 'reference': {
      const side = sideTablesOf(resource).find(({ table }) =>
        resource.sideTables?.[table]?.values.includes(filter.field),
      );
      // Ids of a list are looked up in its side table, which has an index; a single id is in the table itself.
      return side === undefined
        ? matches(column, parameter, 'uuid')
        : sideCondition(resource, side, parameter, matches);
    }
    default:
      return matches(column, parameter);
  }
}

function fieldOf(resource: Resource, name: string): Field {
  const field = flattenFields(resource).find(([one]) => one === name)?.[1];
  if (field === undefined) throw new Error(`${resource.name} has no field ${name}`);
  return field;
}

/** Whether a field has a value: it is not null, and neither an empty text nor a list without items. */
function existence(column: string, { kind, schema }: Field): string {
  const { type, minLength = 0 } = schema as { readonly type?: string; readonly minLength?: number };
  if (type === 'array')
    return kind === 'json' ? `json_array_length(${column}) > 0` : `coalesce(cardinality(${column}), 0) > 0`;
  return kind === 'text' && minLength === 0 ? `coalesce(${column}, '') <> ''` : `${column} IS NOT NULL`;
}

const comparisons: Readonly<Record<Bound, string>> = { gte: '>=', gt: '>', lte: '<=', lt: '<' };

/** The condition for one side of a range. Where lists are sorted by an index, its expression is used. */
function boundCondition(
  resource: Resource,
  field: string,
  bound: Bound,
  column: string,
  parameter: string,
): string {
  const comparison = comparisons[bound];
  switch (scaleOf(resource, field)) {
    case 'date':
      return `left(${column} || '-01-01', 10) ${comparison} ${parameter}`;
    case 'integer':
      return `${column} ${comparison} ${parameter}::bigint`;
    default:
      break;
  }
  if (resource.sortFields?.includes(field) !== true)
    return `${column} ${comparison} ${parameter}::timestamptz`;
  const compared = `${sortKey({ type: 'timestamptz', isOptional: true, isAlphabetical: false }, [column])} ${comparison} ${parameter}::timestamptz`;
  return bound.startsWith('g') ? compared : `${column} IS NOT NULL AND ${compared}`;
}

/**
 * The condition that a record has the value in a side table. If the referred records have the same parent, the parent
 * comes first in the index.
 */
function sideCondition(
  resource: Resource,
  { table, column, type, sameParent }: SideTable,
  parameter: string,
  matches: Matches,
): string {
  const within = resource.parent !== null && sameParent ? ` AND l.${resource.parent.column} = $2` : '';
  return `r.id IN (SELECT l.${ownerColumn(resource)} FROM trellis.${table} l
    WHERE l.organization_id = $1${within} AND ${matches(`l.${column}`, parameter, type)})`;
}

/**
 * The value that a filter compares: ids as uuids, texts in their compared form. Null matches nothing.
 * @param country of the organization, ISO 3166-1, for phone numbers without a country code
 */
function comparedValue(
  resource: Resource,
  filter: Filter,
  given: string,
  country: string | null,
): string | null {
  const target = targetOfFilter(resource, filter);
  // No record has the nil uuid, and no side table has an empty text.
  if (target !== null) return decodeId(prefixOf(target), given) ?? nilUuid;
  if (filter.kind === 'via') return comparisonKey(filter.format, given, country) ?? '';
  if (filter.kind === 'contains') {
    const folded = foldText(given);
    return folded === '' ? null : `%${escapeLikePattern(folded)}%`;
  }
  if (filter.kind === 'bound' && scaleOf(resource, filter.field) === 'date')
    return `${given}${filter.bound === 'gt' || filter.bound === 'lte' ? '-99-99' : '-01-01'}`.slice(0, 10);
  return given;
}

const nilUuid = '00000000-0000-0000-0000-000000000000';

/** The schemas of the parameters by which a list is filtered, searched and sorted, derived from the declarations. */

import { filtersOf, scaleOf } from '@trellis/schema/resources/filters.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { isRepeated, takesSeveral, targetOfFilter } from '@trellis/schema/resources/places.ts';
import type { Filter, Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { sortsOf } from '../sorts.ts';

/** The schema of searched texts: of `search` in lists, and of `query` in searches. */
export const searchTextSchema: JsonSchema = {
  type: 'string',
  minLength: limits.searchText.min,
  maxLength: limits.searchText.max,
  'x-max-folded-length': limits.foldedSearchText,
};

/** The schema of `sort`. */
export function sortSchema(resource: Resource): JsonSchema {
  return { type: 'string', enum: Object.keys(sortsOf(resource)), default: '-createdAt' };
}

/** The schema of a filter. */
export function filterSchema(resource: Resource, filter: Filter): JsonSchema {
  const items = valueSchema(resource, filter);
  if (!takesSeveral(resource, filter)) return items;
  return isRepeated(filter)
    ? { type: 'array', items, minItems: 1, maxItems: limits.listPageSize.max, 'x-repeated': true }
    : { type: 'array', items, minItems: 1, maxItems: limits.parameterValues };
}

/** The schema of one value of a filter. */
function valueSchema(resource: Resource, filter: Filter): JsonSchema {
  switch (filter.kind) {
    case 'choice':
      return { type: 'string', enum: filter.values ?? [] };
    case 'boolean':
    case 'exists':
      return { type: 'boolean' };
    case 'bound':
      return boundSchema(scaleOf(resource, filter.field));
    case 'integer':
      return { type: 'integer', minimum: filter.min ?? 0, maximum: filter.max ?? 2_147_483_647 };
    case 'reference':
      return idSchema;
    case 'via':
      return targetOfFilter(resource, filter) === null ? textSchema(filter.format) : idSchema;
    case 'text':
      return textSchema(filter.format);
    case 'contains':
      return { ...searchTextSchema, minLength: 1 };
  }
}

const idSchema: JsonSchema = { type: 'string', maxLength: 64 };

/** The schema of one side of a range. */
function boundSchema(scale: ReturnType<typeof scaleOf>): JsonSchema {
  if (scale === 'integer') return { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 };
  if (scale === 'date') return { type: 'string', minLength: 4, maxLength: 10, format: 'partial-date' };
  return { type: 'string', format: 'date-time' };
}

/** The schema of a text filter. */
function textSchema(format: string | undefined): JsonSchema {
  return {
    type: 'string',
    minLength: 1,
    maxLength: limits.filterText,
    ...(format === undefined ? {} : { format }),
  };
}

/**
 * The schemas of all parameters that choose and sort the records of a list, by name: its filters, `search` and `sort`. Each is given once, as
 * in an address of the console.
 */
export function choosingParameters(resource: Resource): Readonly<Record<string, JsonSchema>> {
  const filters = Object.entries(filtersOf(resource)).map(([name, filter]) => [
    name,
    isRepeated(filter) ? valueSchema(resource, filter) : filterSchema(resource, filter),
  ]);
  return { ...Object.fromEntries(filters), search: searchTextSchema, sort: sortSchema(resource) };
}

/** The schemas of the parameters by which a list is filtered, searched and sorted, derived from the declarations. */

import { limits } from '@trellis/schema/resources/limits.ts';
import type { Filter, Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { sideTableOf } from '../side-tables.ts';
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
  switch (filter.kind) {
    case 'choice':
      return { type: 'string', enum: filter.values ?? [] };
    case 'boolean':
    case 'present':
      return { type: 'boolean' };
    case 'since':
    case 'bound':
      return { type: 'string', format: 'date-time' };
    case 'integer':
      return { type: 'integer', minimum: filter.min ?? 0, maximum: filter.max ?? 2_147_483_647 };
    case 'reference':
      return { type: 'string', maxLength: 64 };
    case 'via':
      return sideTableOf(resource, filter.table).target === null
        ? textSchema(filter.format)
        : { type: 'string', maxLength: 64 };
    case 'text':
      return textSchema(filter.format);
  }
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

/** The schemas of all parameters that choose and sort the records of a list, by name: its filters, `search` and `sort`. */
export function choosingParameters(resource: Resource): Readonly<Record<string, JsonSchema>> {
  const filters = Object.entries(resource.filters).map(([name, filter]) => [
    name,
    filterSchema(resource, filter),
  ]);
  return { ...Object.fromEntries(filters), search: searchTextSchema, sort: sortSchema(resource) };
}

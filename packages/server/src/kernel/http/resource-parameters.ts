/** The parameters of the operations of resources, derived from the declarations. */

import { filtersOf } from '@trellis/schema/resources/filters.ts';
import { resourceByName } from '@trellis/schema/resources/index.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { nounOf } from '@trellis/schema/resources/nouns.ts';
import { takesSeveral } from '@trellis/schema/resources/places.ts';
import { type Filter, flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { maxCursorLength } from '../pipeline/cursor.ts';
import { filterSchema, searchTextSchema, sortSchema } from '../pipeline/list/parameters.ts';
import { isLong } from '../pipeline/search/texts.ts';
import type { PathParameter, QueryParameter } from './operation.ts';
import { exampleId, int32Max } from './schemas.ts';
import { exampleSelection } from './sparse.ts';

/** The path parameters of the parent of a resource. */
export function parentParameters(resource: Resource): PathParameter[] {
  if (resource.parent === null) return [];
  const { name, singular, idPrefix } = resourceByName(resource.parent.resource);
  return [idParameter(resource.parent.parameter, name, idPrefix, `Id of the ${singular} it belongs to.`)];
}

/** A path parameter that is an id. */
export function idParameter(
  name: string,
  resource: string,
  prefix: string,
  description: string,
): PathParameter {
  return { name, resource, description, schema: idInRequest(prefix), example: exampleId(prefix) };
}

/** Of the numbers of versions, in paths and queries. */
export const numberSchema = { type: 'integer', minimum: 1, maximum: int32Max } as const;

/** A path parameter that is a number, from 1. */
export function numberParameter(name: string, description: string): PathParameter {
  return { name, resource: null, description, schema: numberSchema, example: 1 };
}

/** An id in a path or query. One of another form is the id of nothing. */
export function idInRequest(prefix: string): JsonSchema {
  return { type: 'string', maxLength: 64, pattern: `^${prefix}_[0-9a-hjkmnp-tv-z]{26}$` };
}

export const cursorParameter: QueryParameter = {
  name: 'cursor',
  description: 'Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged.',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: maxCursorLength },
  example: 'AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA',
};

/** The parameter `limit`: the maximum number of records or results of a page. */
export function limitParameter({
  min,
  max,
  default: initial,
}: {
  min: number;
  max: number;
  default: number;
}): QueryParameter {
  return {
    name: 'limit',
    description: 'Maximum number of items of a page.',
    required: false,
    schema: { type: 'integer', minimum: min, maximum: max, default: initial },
    example: initial,
  };
}

/** Parameters of a list. */
export function listParameters(resource: Resource): QueryParameter[] {
  return [
    limitParameter(limits.listPageSize),
    cursorParameter,
    searchParameter(resource),
    idsParameter(resource),
    {
      name: 'sort',
      description:
        'Order of the list; a minus sign reverses it. Titles and names are in alphabetical order, in which case and accents only decide between texts that are otherwise equal, and digits count by their value.',
      required: false,
      schema: sortSchema(resource),
      example: '-updatedAt',
    },
  ];
}

/** The parameter that chooses the records of a list by their ids. */
function idsParameter({ singular, idPrefix }: Resource): QueryParameter {
  return {
    name: 'ids',
    description: `Only the records with these ids, on one page unless \`limit\` says otherwise. An id of no ${nounOf(singular)} that the caller sees is left out.`,
    required: false,
    schema: {
      type: 'array',
      items: { type: 'string', maxLength: 64 },
      minItems: 1,
      maxItems: limits.listPageSize.max,
    },
    example: [exampleId(idPrefix)],
  };
}

/** The text that the records of a list have. */
export function searchParameter(resource: Resource): QueryParameter {
  return {
    name: 'search',
    description: filterDescription(resource),
    required: false,
    schema: searchTextSchema,
    example: 'release',
  };
}

/** The description of `search`, which depends on whether the resource has texts of which only words match. */
function filterDescription(resource: Resource): string {
  const all =
    'Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents.';
  const byWords = flattenFields(resource).flatMap(([_name, field]) =>
    field.searchable !== null && (field.prose || isLong(field)) ? [`\`$name\``] : [],
  );
  return byWords.length === 0 ? all : `${all} In ${byWords.join(', ')}, only words match.`;
}

/** The filters of a resource. */
export function filterParameters(resource: Resource): QueryParameter[] {
  return Object.entries(filtersOf(resource)).map(([name, filter]) => ({
    name,
    description: filter.description,
    required: false,
    schema: filterSchema(resource, filter),
    example: takesSeveral(resource, filter) ? [filter.example] : exampleValue(resource, filter),
  }));
}

function exampleValue(resource: Resource, filter: Filter): string | number | boolean {
  const { type } = filterSchema(resource, filter);
  if (type === 'integer') return Number(filter.example);
  return type === 'boolean' ? filter.example === 'true' : filter.example;
}

/** Parameters of a search. */
export function searchParameters(resource: Resource): QueryParameter[] {
  return [
    {
      name: 'query',
      description:
        'Words, "phrases" and -exclusions. The last word also matches as a prefix; words also match their other grammatical forms if the language of the record is known.',
      required: true,
      schema: searchTextSchema,
      example: 'release notes',
    },
    limitParameter(limits.searchPageSize),
    ...(resource.searchCursor ? [cursorParameter] : []),
  ];
}

/** The parameter `fields`, which selects members of records. */
export function fieldsParameter(resource: Resource): QueryParameter {
  return {
    name: 'fields',
    description:
      'Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required.',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 1_000 },
    example: exampleSelection(resource),
  };
}

/** The parameter that chooses between the versions of an article. */
export const perspectiveParameter: QueryParameter = {
  name: 'perspective',
  description:
    'Which versions to return: the working versions, or the published versions (only articles that have one). With `published`, filters, order and search use the published versions only, `state` is PUBLISHED, and `updatedAt` is when the published content last changed.',
  required: false,
  schema: { type: 'string', enum: ['working', 'published'], default: 'working' },
  example: 'published',
};

/** The parameter of deletions that leave nothing in the trash. */
export const eraseParameter: QueryParameter = {
  name: 'erase',
  description:
    'Whether to delete the record for good at once, as laws on personal data may require. Nothing of it stays: not in the trash, in its history, in stored responses or in events.',
  required: false,
  schema: { type: 'boolean', default: false },
  example: true,
};

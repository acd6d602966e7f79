/** The schemas of the records, pages and search results of a resource, derived from its declaration. */

import { shownOnceName } from '@trellis/schema/resources/actions.ts';
import type { Field } from '@trellis/schema/resources/fields.ts';
import { includedName, includesOf } from '@trellis/schema/resources/includes.ts';
import { resourceByName, resources } from '@trellis/schema/resources/index.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { labelOf, nounOf, withArticle } from '@trellis/schema/resources/nouns.ts';
import { isGroup, type Resource, scopeOf } from '@trellis/schema/resources/resource.ts';
import { type JsonSchema, orNull } from '@trellis/schema/validation/body-schemas.ts';
import { prefixOf } from '@trellis/schema/validation/values.ts';
import { capitalize } from '@trellis/schema/values/text.ts';
import {
  exampleId,
  exampleOf,
  idSchema,
  idValue,
  instant,
  int32Max,
  integer,
  list,
  object,
  oneOf,
  optional,
  pageSchema,
  reference,
  type Schemas,
  text,
} from '../../http/schemas.ts';
import { responseSchema } from './field-schemas.ts';

/** The schemas of everything that the six operations of a resource return. */
export function recordSchemas(resource: Resource): Schemas {
  const { singular } = resource.title;
  const properties = recordProperties(resource);
  const record = object(
    resource.description,
    { ...properties, ...includedMember(resource, 'Only where one record is read with `include`') },
    exampleRecord(resource),
  );
  const results = resource.searchSources.map((name) => resultName(resourceByName(name)));
  return {
    [singular]: record,
    ...shownOnceSchema(resource, record),
    ...includedSchema(resource),
    [`${singular}List`]: pageSchema(
      'One page of records.',
      reference(singular),
      [exampleRecord(resource)],
      100,
      includedMember(resource, 'Only with `include`'),
    ),
    [resultName(resource)]: resultSchema(resource),
    [`${singular}SearchResults`]: pageSchema(
      'One page of results, best first.',
      results.length === 1 ? reference(results[0] ?? '') : anyResult(resource),
      [resultExample(resource)],
      100,
      includedMember(resource, 'Only with `include`'),
    ),
  };
}

/** The schema of a record with its secret. */
function shownOnceSchema(resource: Resource, record: JsonSchema): Schemas {
  const { secret, singular } = resource;
  if (secret === undefined) return {};
  const { member, field } = secret;
  const description = `${capitalize(withArticle(singular))} with its ${member}, which is shown only once.`;
  const value = field.schema as JsonSchema;
  return {
    [shownOnceName(resource)]: object(
      description,
      { ...record.properties, [member]: value },
      { ...(record.examples?.[0] as object), [member]: value.examples?.[0] },
    ),
  };
}

/** The member with included records, of a record or a page. */
function includedMember(resource: Resource, when: string): Schemas {
  if (includesOf(resource).length === 0) return {};
  const schema = { ...reference(includedSchemaName(resource)), description: `${when}: what is referred to.` };
  return { included: optional(schema) };
}

function includedSchemaName(resource: Resource): string {
  return `${resource.title.singular}Included`;
}

/** The schema of the records that the reads of a resource include. */
function includedSchema(resource: Resource): Schemas {
  const targets = [...new Set(includesOf(resource).map(({ target }) => target))].map(resourceByName);
  if (targets.length === 0) return {};
  const members = targets.map((target) => [
    includedName(target.name),
    optional(
      list(
        `The ${labelOf(target)} that the named members refer to and the caller may read, each once, those first that are referred to first.`,
        reference(target.title.singular),
        { maxItems: limits.includedRecords },
        [exampleRecord(target)],
      ),
    ),
  ]);
  const omitted = optional(
    list('Ids that were not looked up, because there would have been too much: read them by `ids`.', {
      ...text('An id.', exampleId(resource.idPrefix)),
    }),
  );
  return {
    [includedSchemaName(resource)]: object(
      'What records refer to, by resource: a member for each that `include` names.',
      { ...Object.fromEntries(members), omitted },
      {},
    ),
  };
}

/** The schemas of the version, instants and users of a record. */
export const commonProperties: Schemas = {
  version: integer('Starts at 1 and increases by 1 with every change; the ETag is made of it.', 1, {
    minimum: 1,
    maximum: int32Max,
  }),
  createdAt: instant('When it was created (UTC).'),
  updatedAt: instant('When it was last changed (UTC).'),
  createdBy: orNull(idSchema('user', 'The user who created it; null if the system did.')),
  updatedBy: orNull(idSchema('user', 'The user who last changed it; null if the system did.')),
};

/** The schema of a group of fields as it is returned. */
export function groupSchema(resource: Resource, name: string): JsonSchema {
  const member = resource.fields[name];
  if (member === undefined || !isGroup(member)) throw new Error(`${resource.name} has no group ${name}`);
  const properties = Object.entries(member.fields).map(([inner, field]): [string, JsonSchema] => [
    inner,
    fieldSchema(field),
  ]);
  return object(member.description, Object.fromEntries(properties));
}

/** A complete record, made of the examples of its fields. */
export function exampleRecord(resource: Resource): Record<string, unknown> {
  return exampleOf(Object.entries(recordProperties(resource)));
}

/** Properties in the order in which records are written. */
function recordProperties(resource: Resource): Schemas {
  const parent =
    resource.parent === null
      ? {}
      : {
          [resource.parent.parameter]: idSchema(
            prefixOf(resource.parent.resource),
            `The ${resourceByName(resource.parent.resource).singular} it belongs to.`,
          ),
        };
  const fields = Object.entries(resource.fields).map(([name, member]): [string, JsonSchema] => [
    name,
    isGroup(member) ? groupSchema(resource, name) : fieldSchema(member),
  ]);
  return {
    id: idSchema(resource.idPrefix, `Id of the ${nounOf(resource.singular)}.`),
    ...parent,
    ...Object.fromEntries(fields),
    ...commonProperties,
  };
}

function fieldSchema(field: Field): JsonSchema {
  const schema = responseSchema(withIds(field));
  return field.nullable ? orNull(schema) : schema;
}

/** Describes references as ids: in a record they always have this form. */
function withIds(field: Field): JsonSchema {
  const schema = field.schema as JsonSchema;
  if (field.reference === null) return schema;
  const id = idValue(prefixOf(field.reference.resource));
  return field.kind === 'uuids' ? { ...schema, items: id } : { ...schema, ...id };
}

function resultName(resource: Resource): string {
  return `${resource.title.singular}SearchResult`;
}

function resultSchema(resource: Resource): JsonSchema {
  const record = reference(resource.title.singular);
  return object(
    `${capitalize(withArticle(resource.singular))} that matches the search.${mayLackRecord(resource) ? ` Without \`${scopeOf(resource, 'read')}\` there is no \`record\`.` : ''}`,
    {
      type: oneOf('The resource of the record.', resource.singular, [resource.singular]),
      id: idSchema(resource.idPrefix, 'Id of the record.'),
      score: {
        type: 'number',
        description: 'Relevance: higher is better. Comparable within one search only.',
        examples: [0.83],
      },
      title: text('Title or name of the record.', titleExample(resource)),
      highlights: list(
        'Matches in context, one snippet for each field with a match.',
        reference('Highlight'),
        {},
        [highlightExample(resource)],
      ),
      record: mayLackRecord(resource) ? optional(record) : record,
    },
    resultExample(resource),
  );
}

/** Whether a search may return results without records: beside a resource with another scope, or beyond the budget of its only page. */
function mayLackRecord({ name, scope }: Resource): boolean {
  return resources.some(
    (other) => other.searchSources.includes(name) && (other.scope !== scope || !other.searchCursor),
  );
}

/** The schema of results of several resources, distinguished by `type`. */
function anyResult(resource: Resource): JsonSchema {
  const sources = resource.searchSources.map(resourceByName);
  return {
    oneOf: sources.map((source) => reference(resultName(source))),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(
        sources.map((source) => [source.singular, `#/components/schemas/${resultName(source)}`]),
      ),
    },
  };
}

function resultExample(resource: Resource): Record<string, unknown> {
  return {
    type: resource.singular,
    id: exampleId(resource.idPrefix),
    score: 0.83,
    title: titleExample(resource),
    highlights: [highlightExample(resource)],
    record: exampleRecord(resource),
  };
}

function highlightExample(resource: Resource): { field: string; snippet: string } {
  const title = titleExample(resource);
  const [word = ''] = title.split(' ');
  return { field: resource.titleField, snippet: `<mark>${word}</mark>${title.slice(word.length)}` };
}

function titleExample(resource: Resource): string {
  const value = resource.titleField
    .split('.')
    .reduce<unknown>((inside, key) => (inside as Record<string, unknown>)[key], exampleRecord(resource));
  return String(value);
}

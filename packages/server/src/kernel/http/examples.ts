/** Examples of request bodies, made of the examples of the declared fields, so that they match the schema. */

import type { Field } from '@trellis/schema/resources/fields.ts';
import { flattenFields, isGroup, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';

/** A body for POST with the declared example fields; by default the required, naming and unique fields. */
export function createExample(resource: Resource): Record<string, unknown> {
  if (resource.exampleFields !== undefined) return buildExample(resource, resource.exampleFields);
  const fields = flattenFields(resource);
  const required = fields.flatMap(([name, field]) => (field.required ? [name] : []));
  const unique = Object.values(resource.uniqueTogether ?? {}).flat();
  return buildExample(resource, [...(required.length > 0 ? required : listNameFields(resource)), ...unique]);
}

/** A body for PATCH with the declared example fields; by default the first field that names the record. */
export function patchExample(resource: Resource): Record<string, unknown> {
  return buildExample(resource, resource.exampleFields ?? listNameFields(resource).slice(0, 1));
}

/** A body for an upsert: that of a creation with the value to match by. */
export function upsertExample(resource: Resource): Record<string, unknown> {
  const names = ['externalId'].filter((name) => name in resource.fields);
  return { ...createExample(resource), ...buildExample(resource, names) };
}

/** The writable fields that name a record: the title field, or every field with the highest search weight. */
function listNameFields(resource: Resource): string[] {
  const writable = flattenFields(resource).filter(([, { readOnly }]) => !readOnly);
  const title = writable.find(([name]) => name === resource.titleField);
  return title === undefined
    ? writable.flatMap(([name, { searchable }]) => (searchable === 'A' ? [name] : []))
    : [title[0]];
}

/** An object of these fields (`name` or `group.name`) with their examples, in the order of the declaration. */
function buildExample(resource: Resource, names: readonly string[]): Record<string, unknown> {
  const example: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(resource.fields)) {
    if (!isGroup(member)) {
      if (names.includes(name)) example[name] = exampleOf(member);
      continue;
    }
    const inner = Object.entries(member.fields).filter(([key]) => names.includes(`${name}.${key}`));
    if (inner.length > 0)
      example[name] = Object.fromEntries(inner.map(([key, field]) => [key, exampleOf(field)]));
  }
  return example;
}

function exampleOf(field: Field): unknown {
  return (field.schema as JsonSchema).examples?.[0] ?? null;
}

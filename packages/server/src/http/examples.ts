/** Why: an example that is assembled from the fields' own examples cannot contradict them. */

import type { Field } from '@trellis/schema/resources/fields.ts';
import { flattenFields, isGroup, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';

/** A body for POST: the required fields, and what tells one record from another. */
export function createExample(resource: Resource): Record<string, unknown> {
  const together = Object.values(resource.uniqueTogether ?? {}).flat();
  const names = flattenFields(resource).some(([, { required }]) => required) ? [] : nameFields(resource);
  return example(
    resource,
    (field, name) => field.required || names.includes(name) || together.includes(name),
  );
}

/** A body for PATCH: the title alone, or the first part of a title that is put together. */
export function patchExample(resource: Resource): Record<string, unknown> {
  const [first] = nameFields(resource);
  return example(resource, (_field, name) => name === first);
}

/** The fields that a person would call the record by. */
function nameFields(resource: Resource): string[] {
  const writable = flattenFields(resource).filter(([, { readOnly }]) => !readOnly);
  const title = writable.find(([name]) => name === resource.titleField);
  return title === undefined
    ? writable.flatMap(([name, { searchable }]) => (searchable === 'A' ? [name] : []))
    : [title[0]];
}

function example(
  resource: Resource,
  wanted: (field: Field, name: string) => boolean,
): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(resource.fields)) {
    if (!isGroup(member)) {
      if (wanted(member, name)) made[name] = exampleOf(member);
      continue;
    }
    const inner = Object.entries(member.fields).filter(([key, field]) => wanted(field, `${name}.${key}`));
    if (inner.length > 0)
      made[name] = Object.fromEntries(inner.map(([key, field]) => [key, exampleOf(field)]));
  }
  return made;
}

function exampleOf(field: Field): unknown {
  return (field.schema as JsonSchema).examples?.[0] ?? null;
}

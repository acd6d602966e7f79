/** Why: an example that is assembled from the fields' own examples cannot contradict them. */
import type { JsonSchema } from '../pipeline/body-schemas.ts';
import type { Field } from '../resources/fields.ts';
import { isGroup, type Resource } from '../resources/resource.ts';

/** A body for POST: the required fields and a few more. */
export function createExample(resource: Resource): Record<string, unknown> {
  return example(resource, (field) => field.required);
}

/** A body for PATCH: the title alone. */
export function patchExample(resource: Resource): Record<string, unknown> {
  return example(resource, (_field, name) => name === resource.titleField);
}

/** A complete record. */
export function recordExample(resource: Resource): Record<string, unknown> {
  const members = example(resource, () => true);
  const parent = resource.parent === null ? {} : { [resource.parent.parameter]: `site_${suffix}` };
  return {
    id: `${resource.idPrefix}_${suffix}`,
    ...parent,
    ...members,
    version: 1,
    createdAt: '2026-03-01T09:00:00.000Z',
    updatedAt: '2026-03-01T09:00:00.000Z',
    createdBy: `user_${suffix}`,
    updatedBy: `user_${suffix}`,
  };
}

const suffix = '01h455vb4pex5vsknk084sn02q';

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

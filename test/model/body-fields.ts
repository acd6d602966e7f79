/** Chooses the fields of drawn request bodies. */

import type { Field } from '@trellis/schema/resources/fields.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import { flattenFields, type NamedField, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { readerFields } from './files.ts';

/** The fields that bodies may have. */
export function writableFields(resource: Resource): NamedField[] {
  return flattenFields(resource).filter(([, { readOnly }]) => !readOnly);
}

/** The required fields, or one that names the record if there are none. */
export function namingFields(resource: Resource): NamedField[] {
  const writable = writableFields(resource);
  // A file without visibility is visible to its owner alone.
  const required = writable.filter(([name, field]) => field.required || name === 'visibility');
  const named =
    writable.find(([name]) => name === resource.titleField) ??
    writable.find(([, field]) => field.searchable !== null);
  return required.length > 0 || named === undefined ? required : [named];
}

/** The fields; those with particular rules several times, so that they are drawn more often. */
export function weightedFields(resource: Resource): NamedField[] {
  const together = Object.values(resource.uniqueTogether ?? {}).flat();
  return writableFields(resource).flatMap(([name, field]) => {
    const inner = JSON.stringify(field.schema).includes('x-reference');
    const known = resources.some((other) => other.name === field.reference?.resource) || inner;
    const matters =
      known ||
      readerFields.includes(name) ||
      name in resource.unique ||
      together.includes(name) ||
      name === resource.titleField;
    return Array.from({ length: known ? 5 : matters ? 3 : 1 }, (): [string, Field] => [name, field]);
  });
}

/** A value of a record without the members that only responses have. */
export function withoutDerived(field: Field, value: unknown): unknown {
  const properties = (field.schema as JsonSchema).items?.properties;
  if (!Array.isArray(value) || properties === undefined) return value;
  return value.map((item: object) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => properties[name]?.readOnly !== true)),
  );
}

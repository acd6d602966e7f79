/** Completes values with what a body leaves out. */

import { flattenFields, type Resource } from '../resources/resource.ts';
import type { JsonSchema } from './body-schemas.ts';
import type { Values } from './values.ts';

/** Adds the default values of the fields that a create did not give. */
export function withDefaults(resource: Resource, values: Values): Values {
  const complete: Values = {};
  for (const [name, field] of flattenFields(resource)) {
    const given = values[name];
    const absent = given === undefined || (given === null && !field.nullable);
    complete[name] = absent ? field.defaultValue : completeValue(field.schema as JsonSchema, given);
  }
  return complete;
}

/** Completes objects with the members they leave out. */
function completeValue(schema: JsonSchema, value: unknown): unknown {
  const isObject = schema.type === 'object' && typeof value === 'object' && value !== null;
  return isObject ? completeObject(schema, value as Record<string, unknown>) : value;
}

/** Adds the members that an object leaves out, with their default or null, except for derived ones. */
export function completeObject(schema: JsonSchema, value: Record<string, unknown>): Record<string, unknown> {
  const complete: Record<string, unknown> = {};
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (property.readOnly !== true) complete[key] = value[key] ?? property.default ?? null;
  }
  return complete;
}

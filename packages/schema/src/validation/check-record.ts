/** Checks a record by the rules of its resource before it is sent, as the server will check it. */

import type { Fault } from '../problem.ts';
import { flattenFields, type Resource } from '../resources/resource.ts';
import { rulesOf } from '../resources/rules.ts';
import { isPlainObject } from '../values/plain-object.ts';
import type { JsonSchema } from './body-schemas.ts';
import { completeObject, withDefaults } from './defaults.ts';
import type { Values } from './values.ts';

/**
 * The faults that the rules of a resource find in a record. A record that lacks a required field, or whose lists are incomplete, has none
 * here: the server rejects it before it applies the rules. Ids may be those of the API, since the rules only compare them.
 * @param read gives the value of a field by its dotted name; undefined where the body leaves it out
 * @param country of the organization, ISO 3166-1; undefined where it is not known
 */
export function checkRecord(
  resource: Resource,
  read: (name: string) => unknown,
  country: string | null | undefined,
): readonly Fault[] {
  const { derive, check } = rulesOf(resource);
  const values = valuesOf(resource, read);
  if (check === undefined || values === null) return [];
  return check(derive?.(values, country) ?? values);
}

/** The values by dotted names, objects with all their members; null when a required field or member is missing. */
function valuesOf(resource: Resource, read: (name: string) => unknown): Values | null {
  const given: Values = {};
  for (const [name] of flattenFields(resource)) given[name] = read(name);
  const values = withDefaults(resource, given);
  for (const [name, { schema, required }] of flattenFields(resource)) {
    if (required && isMissing(given[name])) return null;
    const { items } = schema as JsonSchema;
    const value = values[name];
    if (items?.properties === undefined || !Array.isArray(value)) continue;
    if (!value.every((item) => isComplete(items, item))) return null;
    values[name] = value.map((item) => completeObject(items, item));
  }
  return values;
}

function isComplete({ required = [] }: JsonSchema, item: unknown): boolean {
  return isPlainObject(item) && !required.some((member) => isMissing(item[member]));
}

function isMissing(value: unknown): boolean {
  return (value ?? '') === '';
}

/** Checks a form by the rules of its resource, as the server will, so that faults across fields are reported before anything is sent. */

import type { Fault } from '@trellis/schema/problem.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { rulesOf } from '@trellis/schema/resources/rules.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { completeObject, withDefaults } from '@trellis/schema/validation/defaults.ts';
import type { Values } from '@trellis/schema/validation/values.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { ApiRecord } from '../api/api.ts';
import { valueAt } from '../resources/values.ts';
import type { Draft } from './draft.ts';

/**
 * The faults of the record that a draft would make. A draft whose lists are incomplete has none here: the server refuses it before
 * it applies the rules. Ids are those of the API, which the rules only compare.
 * @param record as the server has it, with the changes that wait; null for a new one
 */
export function findFaults(resource: Resource, record: ApiRecord | null, draft: Draft): readonly Fault[] {
  const { derive, check } = rulesOf(resource);
  const values = valuesOf(resource, record, draft);
  if (check === undefined || values === null) return [];
  return check(derive?.(values, undefined) ?? values);
}

/** The values by dotted names, objects with all their members; null when one lacks a required member. */
function valuesOf(resource: Resource, record: ApiRecord | null, draft: Draft): Values | null {
  const given: Values = {};
  for (const [name] of flattenFields(resource))
    given[name] = Object.hasOwn(draft, name) ? draft[name] : valueAt(record, name);
  const values = withDefaults(resource, given);
  for (const [name, { schema }] of flattenFields(resource)) {
    const { items } = schema as JsonSchema;
    const value = values[name];
    if (items?.properties === undefined || !Array.isArray(value)) continue;
    if (!value.every((item) => isComplete(items, item))) return null;
    values[name] = value.map((item) => completeObject(items, item));
  }
  return values;
}

function isComplete({ required = [] }: JsonSchema, item: unknown): boolean {
  return isPlainObject(item) && required.every((member) => (item[member] ?? '') !== '');
}

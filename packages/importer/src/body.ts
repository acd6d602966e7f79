/**
 * Request bodies, checked with the API's own rules before they are sent, so that a dry run finds every fault, and values are
 * compared with records in stored form.
 */

import type { Field } from '@trellis/schema/resources/fields.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { createInputReader, type InputReader } from '@trellis/schema/validation/input.ts';
import { innerReferences } from '@trellis/schema/validation/values.ts';

const readers = new Map<Resource, InputReader>();

/**
 * The body with texts and dates in stored form. Adds a sentence to `faults` for everything that the API would refuse.
 */
export function checkBody(
  resource: Resource,
  body: Readonly<Record<string, unknown>>,
  faults: string[],
): Record<string, unknown> {
  const reader = readers.get(resource) ?? createInputReader(resource);
  readers.set(resource, reader);
  const input = reader.create(body);
  faults.push(
    ...input.faults.map(({ pointer = '', detail }) => `${pointer.slice(1).replaceAll('/', '.')}: ${detail}`),
  );
  if (input.faults.length > 0) return { ...body };
  const given = flattenFields(resource).filter(([name]) => name in input.values);
  // Stored ids differ in form from those of the API.
  return nest(
    given.map(([name, field]) => [name, restoreIds(field, input.values[name], valueAt(body, name))]),
  );
}

/** The stored value with its ids in the form of the API. */
function restoreIds(field: Field, stored: unknown, given: unknown): unknown {
  if (field.reference !== null) return given;
  const inner = innerReferences(field);
  if (inner.length === 0 || !Array.isArray(stored) || !Array.isArray(given)) return stored;
  return stored.map((item: object, index) => ({
    ...item,
    ...Object.fromEntries(
      inner.map(({ key }) => [key, (given[index] as Record<string, unknown>)[key] ?? null]),
    ),
  }));
}

/** A copy with a value at a dotted name. */
function withValue(
  body: Readonly<Record<string, unknown>>,
  name: string,
  value: unknown,
): Record<string, unknown> {
  const [first = '', ...rest] = name.split('.');
  if (rest.length === 0) return { ...body, [first]: value };
  const inner = (body[first] ?? {}) as Record<string, unknown>;
  return { ...body, [first]: withValue(inner, rest.join('.'), value) };
}

/** Builds an object from values by dotted name. */
export function nest(values: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return values.reduce<Record<string, unknown>>((body, [name, value]) => withValue(body, name, value), {});
}

/** The value at a dotted name, or undefined. */
export function valueAt(body: Readonly<Record<string, unknown>>, name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], body);
}

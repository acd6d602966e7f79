/**
 * Request bodies, checked with the API's own rules before they are sent, so that a dry run finds every fault, and values are
 * compared with records in stored form.
 */

import type { Fault } from '@trellis/schema/problem.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { createInputReader, type InputReader } from '@trellis/schema/validation/input.ts';
import { renderValue } from '@trellis/schema/validation/values.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { Body } from './api.ts';

const readers = new Map<Resource, InputReader>();

/** The body with texts and dates in stored form. Adds a sentence to `faults` for everything that the API would refuse. */
export function checkBody(resource: Resource, body: Body, faults: string[]): Body {
  const reader = readers.get(resource) ?? createInputReader(resource);
  readers.set(resource, reader);
  const input = reader.create(body);
  faults.push(...input.faults.map(describeFault));
  if (input.faults.length > 0) return body;
  const given = flattenFields(resource).filter(([name]) => name in input.values);
  return nest(
    given.map(([name, field]) => {
      const stored = input.values[name] ?? null;
      // Stored ids differ in form from those of the API.
      const render = stored === null ? null : renderValue(field);
      return [name, render === null ? stored : render(stored)];
    }),
  );
}

/** The sentence about a fault, with the dotted name of its field. */
export function describeFault({ pointer = '', detail }: Fault): string {
  return `${pointer.slice(1).replaceAll('/', '.')}: ${detail}`;
}

/** Builds an object from values by dotted name. */
export function nest(values: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [name, value] of values) {
    const groups = name.split('.');
    const member = groups.pop() ?? '';
    let owner = body;
    for (const group of groups) {
      owner[group] ??= {};
      owner = owner[group] as Record<string, unknown>;
    }
    owner[member] = value;
  }
  return body;
}

/** The value at a dotted name, also of an item of a list, as in `emails.0.address`; or undefined. */
export function valueAt(body: Body, name: string): unknown {
  return name.split('.').reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isPlainObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, body);
}

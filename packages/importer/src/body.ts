/**
 * Request bodies, checked with the API's own rules before they are sent, so that a dry run finds every fault, and values are
 * compared with records in stored form.
 */

import type { Fault } from '@trellis/schema/problem.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { createInputReader, type InputReader } from '@trellis/schema/validation/input.ts';
import { renderValue } from '@trellis/schema/validation/values.ts';
import { nameAt } from '@trellis/schema/values/paths.ts';
import type { Body } from './api.ts';

const readers = new Map<Resource, InputReader>();

/**
 * The body with texts and dates in stored form. Adds a sentence to `faults` for everything that the API would refuse.
 * @param missing receives those about fields that only a new record has to have
 */
export function checkBody(resource: Resource, body: Body, faults: string[], missing: string[]): Body {
  const reader = readers.get(resource) ?? createInputReader(resource);
  readers.set(resource, reader);
  const created = reader.create(body);
  const isMissing = ({ code, pointer = '' }: Fault) =>
    code === 'required' && flattenFields(resource).some(([name]) => name === nameAt(pointer));
  const absent = created.faults.filter(isMissing);
  missing.push(...absent.map(describeFault));
  const input = absent.length === 0 ? created : reader.patch(withoutCreatable(resource, body));
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

/** The body without what only a create may give. */
function withoutCreatable({ fields }: Resource, body: Body): Body {
  const isCreatable = (name: string) => {
    const field = fields[name];
    return field !== undefined && 'isCreatable' in field && field.isCreatable;
  };
  return Object.fromEntries(Object.entries(body).filter(([name]) => !isCreatable(name)));
}

/** The sentence about a fault, with the dotted name of its field. */
export function describeFault({ pointer = '', detail }: Fault): string {
  return `${nameAt(pointer)}: ${detail}`;
}

/** Builds an object from values by dotted name. */
export function nest(values: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [name, value] of values) {
    const groups = name.split('.');
    const member = groups.pop() ?? '';
    let owner = body;
    for (const group of groups) {
      if (!Object.hasOwn(owner, group)) setOwn(owner, group, {});
      owner = owner[group] as Record<string, unknown>;
    }
    setOwn(owner, member, value);
  }
  return body;
}

/** Also `__proto__` is a name like any other: an assignment would change what all objects have in common. */
function setOwn(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, enumerable: true, writable: true, configurable: true });
}

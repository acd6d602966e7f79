/** The changes in a form, and the body of the request that makes them. */

import { makeIdempotencyKey } from '@trellis/client/keys.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { useState } from 'react';
import type { Fault } from '../api/problem.ts';
import { areEqual } from '../outbox/store/fields.ts';

/** Changed values by the dotted name of their field. */
export type Draft = Readonly<Record<string, unknown>>;

/** Whether two drafts change the same fields in the same way. */
export function areSameDrafts(one: Draft, other: Draft): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => Object.hasOwn(one, name) && areEqual(one[name], other[name]));
}

/** The draft with a value; without the field when the value is that of the record. */
export function withValue(draft: Draft, name: string, value: unknown, stored: unknown): Draft {
  const { [name]: _old, ...rest } = draft;
  return areEqual(value, stored) ? rest : { ...rest, [name]: value };
}

/** The key of a write, the same for as long as the request is the same: a second click sends no second write. */
export function useWriteKey(): (request: string) => string {
  const [keys] = useState(() => new Map<string, string>());
  return (request) => {
    const known = keys.get(request) ?? makeIdempotencyKey();
    keys.clear();
    keys.set(request, known);
    return known;
  };
}

/** The fields that a form has: those that a body may contain. */
export function editableFields(resource: Resource) {
  return flattenFields(resource).filter(([, { readOnly }]) => !readOnly);
}

/** The sentences of the faults at a pointer. */
export function faultsAt(faults: readonly Fault[], pointer: string): string | null {
  const found = faults.filter((fault) => fault.pointer === pointer).map(({ detail }) => detail);
  return found.length === 0 ? null : found.join(' ');
}

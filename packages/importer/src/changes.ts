/**
 * Decides how an existing record has to change to match its row. Only differences are changed; the status, which decides
 * what readers see, only on request and by the declared transitions.
 */

import type { Transitions } from '@trellis/schema/resources/fields.ts';
import { flattenFields, type Resource, statusOf } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { applyMergePatch, deepEqual } from '@trellis/schema/values/merge-patch.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { Body } from './api.ts';
import { nest, valueAt } from './body.ts';
import { withoutDerived } from './destinations.ts';

/** What to do with an existing record. */
export interface Decision {
  /** The body of the next PATCH; null when nothing is left to change. */
  readonly body: Body | null;
  /** What of the row is not applied, for the report; null if that is nothing. */
  readonly repair: string | null;
}

export interface ChangeOptions {
  /** Whether existing records are changed. */
  readonly update: boolean;
  /** Whether records are changed to the status of their row. */
  readonly statuses: boolean;
}

/** The target of a row. */
export interface Wanted {
  readonly body: Body;
  /** Null when the row gives none. */
  readonly status: string | null;
}

/** Decides the next change that makes a record match its row. */
export function decideChange(
  resource: Resource,
  record: Body,
  wanted: Wanted,
  { update, statuses }: ChangeOptions,
): Decision {
  const changes = findChanges(resource, record, wanted.body);
  if (changes.length > 0) {
    return update
      ? { body: nest(changes), repair: null }
      : keep('existing record differs: not changed, as was asked for');
  }
  const status = statusOf(resource);
  const current = status === null ? null : String(valueAt(record, status.field));
  if (status === null || current === null || wanted.status === null || wanted.status === current)
    return keep(null);
  if (!statuses) return keep(`status ${wanted.status} of the row ignored, since statuses are not applied`);
  const next = findFirstStep(status.transitions.allowed, current, wanted.status);
  return next === null
    ? keep(`status kept at ${current}: no transition leads to ${wanted.status}`)
    : { body: nest([[status.field, next]]), repair: null };
}

function keep(repair: string | null): Decision {
  return { body: null, repair };
}

/** The values that differ, by dotted name, without the status. The externalId is what the record was found by. */
export function findChanges(resource: Resource, record: Body, wanted: Body): [string, unknown][] {
  const status = statusOf(resource)?.field;
  return flattenFields(resource).flatMap(([name, field]): [string, unknown][] => {
    const value = valueAt(wanted, name);
    if (value === undefined || name === 'externalId' || name === status) return [];
    const before = withoutDerived(field.schema as JsonSchema, valueAt(record, name) ?? null);
    return isUnchanged(before, value) ? [] : [[name, value]];
  });
}

/** Whether a PATCH with the value changes nothing. In an object, a null member equals an absent one. */
function isUnchanged(before: unknown, value: unknown): boolean {
  if (!isPlainObject(before) || !isPlainObject(value)) return deepEqual(value, before);
  return deepEqual(withoutNulls(applyMergePatch(before, value)), withoutNulls(before));
}

function withoutNulls(value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

/** The first step of a shortest path from one status to another; null when there is none. */
function findFirstStep(allowed: Transitions['allowed'], from: string, to: string): string | null {
  const seen = new Set([from]);
  let ways = (allowed[from] ?? []).map((status) => ({ first: status, at: status }));
  while (ways.length > 0) {
    const found = ways.find(({ at }) => at === to);
    if (found !== undefined) return found.first;
    for (const { at } of ways) seen.add(at);
    ways = ways.flatMap(({ first, at }) =>
      (allowed[at] ?? []).filter((status) => !seen.has(status)).map((status) => ({ first, at: status })),
    );
  }
  return null;
}

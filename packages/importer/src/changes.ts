/**
 * Decides how an existing record has to change to match its row. Only differences are changed; the status, which decides
 * what readers see, only on request and by the declared transitions.
 */

import type { Field, Transitions } from '@trellis/schema/resources/fields.ts';
import { flattenFields, type Resource, statusOf } from '@trellis/schema/resources/resource.ts';
import { type JsonSchema, withoutDerived } from '@trellis/schema/validation/body-schemas.ts';
import { comparisonKey } from '@trellis/schema/validation/formats.ts';
import { applyMergePatch, deepEqual } from '@trellis/schema/values/merge-patch.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { Body } from './api.ts';
import { nest } from './body.ts';
import type { BuiltRecord } from './build-record.ts';
import { listImportOf } from './destinations.ts';
import { RowRejected } from './errors.ts';
import type { Existing } from './existing.ts';
import { describeItem, findRemovedItems, type ListMode, mergeList } from './merge-list.ts';

/** What to do with an existing record. */
export interface Decision {
  /** The body of the next PATCH; null when nothing is left to change. */
  readonly body: Body | null;
  /** What of the row is not applied, for the report; null if that is nothing. */
  readonly repair: string | null;
}

export interface ChangeOptions {
  /** What becomes of records that exist. */
  readonly existing: Existing;
  /** What becomes of a row that stands for the record of an earlier row of the file, with other values. */
  readonly duplicates: Existing | 'reject';
  /** Whether records are changed to the status of their row. */
  readonly statuses: boolean;
}

/** The items that a row has for a list. */
export interface WantedList {
  readonly mode: ListMode;
  /** In stored form, with the members that the row has. */
  readonly items: readonly unknown[];
}

/** The target of a row. */
export interface Wanted {
  readonly body: Body;
  /** By dotted name of the field, for all lists of the body. */
  readonly lists: ReadonlyMap<string, WantedList>;
  /** Country of the organization, ISO 3166-1; null when it has none. */
  readonly country: string | null;
  /** Null when the row gives none. */
  readonly status: string | null;
}

/** Decides the next change that makes a record match its row. */
export function decideChange(
  resource: Resource,
  record: Body,
  wanted: Wanted,
  { statuses }: Pick<ChangeOptions, 'statuses'>,
): Decision {
  const changes = findChanges(resource, record, wanted);
  if (changes.length > 0) return { body: nest(changes), repair: null };
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

/** The values that differ, by dotted name, without the status. */
export function findChanges(resource: Resource, record: Body, wanted: Wanted): [string, unknown][] {
  const status = statusOf(resource)?.field;
  return flattenFields(resource).flatMap(([name, field]): [string, unknown][] => {
    const given = valueAt(wanted.body, name);
    if (given === undefined || name === status || field.readOnly) return [];
    const stored = valueAt(record, name) ?? null;
    const before = withoutDerived(field.schema as JsonSchema, stored);
    const list = wanted.lists.get(name);
    const value =
      list === undefined
        ? keepNotation(field, before, given)
        : mergeField(resource, name, field, stored, list, wanted.country);
    return isUnchanged(before, value) ? [] : [[name, value]];
  });
}

/** An object in which members that the record has in another notation stay: 19.9 is 19.90. */
function keepNotation({ schema }: Field, before: unknown, given: unknown): unknown {
  const { properties = {} } = schema as JsonSchema;
  if (!isPlainObject(before) || !isPlainObject(given)) return given;
  const formOf = (name: string, value: unknown) =>
    typeof value === 'string' ? comparisonKey(properties[name]?.format, value, null) : null;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const form = formOf(name, value);
      return [name, form !== null && form === formOf(name, before[name]) ? before[name] : value];
    }),
  );
}

/** The list of a record with the items of a row. @throws RowRejected when it would have too many */
function mergeField(
  resource: Resource,
  name: string,
  field: Field,
  stored: unknown,
  { mode, items }: WantedList,
  country: string | null,
): readonly unknown[] {
  const before = Array.isArray(stored) ? stored : [];
  const list = { field, declared: listImportOf(resource, name), country };
  const merged = mergeList(list, before, items, mode);
  const most = Number((field.schema as JsonSchema).maxItems);
  if (merged.length <= most || merged.length <= before.length) return merged;
  throw new RowRejected([
    `${name}: Must have at most ${most} items; the record has ${before.length}, and the row adds ${merged.length - before.length}.`,
  ]);
}

/** A value that a change removes. */
export interface RemovedValue {
  /** Dotted name of the field, or of the member of its items. */
  readonly field: string;
  readonly value: string;
}

/** The values that a PATCH removes from a record: items of lists, and values that it clears. */
export function findRemoved(
  resource: Resource,
  record: Body,
  patch: Body,
  country: string | null,
): readonly RemovedValue[] {
  return flattenFields(resource).flatMap(([name, field]): RemovedValue[] => {
    const after = valueAt(patch, name);
    const before = valueAt(record, name) ?? null;
    if (after === undefined || before === null) return [];
    if (after === null) return [{ field: name, value: describeItem(before) }];
    if (!Array.isArray(after) || !Array.isArray(before)) return [];
    const list = { field, declared: listImportOf(resource, name), country };
    return findRemovedItems(list, before, after).map(({ member, value }) => ({
      field: member === null ? name : `${name}.${member}`,
      value: describeItem(value),
    }));
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

/** The items of the row in stored form, with the members that the row has. */
export function wantedLists(
  body: Body,
  { values, modes }: Pick<BuiltRecord, 'values' | 'modes'>,
): ReadonlyMap<string, WantedList> {
  return new Map(
    [...values].flatMap(([name, given]): [string, WantedList][] => {
      const stored = valueAt(body, name);
      if (!Array.isArray(given) || !Array.isArray(stored)) return [];
      const items = stored.map((item: unknown, index) => onlyGiven(item, given[index]));
      return [[name, { mode: modes.get(name) ?? 'add', items }]];
    }),
  );
}

function onlyGiven(stored: unknown, given: unknown): unknown {
  if (!isPlainObject(stored) || !isPlainObject(given)) return stored;
  return Object.fromEntries(Object.entries(stored).filter(([name]) => given[name] !== undefined));
}

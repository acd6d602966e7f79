/** Merges changes with other versions of the record, and builds the requests that send the merge results. */
import { etagOf } from '@trellis/client/response.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { applyMergePatch } from '@trellis/schema/values/merge-patch.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { Amendment, Change } from '../store/change.ts';
import { areEqual, namesIn, nestValues, patchOf, type Values } from '../store/fields.ts';
import { type MergeResult, mergeRecord } from './merge.ts';

/** Texts longer than this many characters are merged by lines. */
const longText = 600;

/** Merges an edit with another version of the record. */
export function mergeChange({ base, request }: Change, resource: Resource, theirs: Values): MergeResult {
  const mine = isPlainObject(request.body) ? request.body : {};
  const fields = namesIn(mine);
  const verbatim = verbatimFields(resource);
  // Normalized as the server does, so that trimmed whitespace does not count as a change.
  const normalized = (values: Values) =>
    nestValues(fields.map((field) => [field, normalizeValue(valueAt(values, field), verbatim.has(field))]));
  return mergeRecord({
    base: normalized(base ?? {}),
    mine: normalized(mine),
    theirs,
    fields,
    texts: textFields(resource),
  });
}

/**
 * The request that makes of a version of the record what was merged.
 * @param values the merged values by dotted name
 * @returns null when the record has all of them already
 */
export function amend(
  { request }: Change,
  values: ReadonlyMap<string, unknown>,
  theirs: Values,
): Amendment | null {
  const changed = [...values].filter(([field, value]) => !areEqual(value, valueAt(theirs, field)));
  if (changed.length === 0 || typeof theirs.version !== 'number') return null;
  const base = patchOf(
    theirs,
    changed.map(([field]) => field),
  );
  return { request: { ...request, body: nestValues(changed), ifMatch: etagOf(theirs.version) }, base };
}

/** A record with its pending changes applied, including its creation. In a conflict the values of the changes win. */
export function withPending(record: Values, changes: readonly Change[], resource: Resource): Values {
  return changes.reduce((values, change) => {
    if (change.request.method === 'POST') return withPatch(values, change.request.body);
    if (change.request.method !== 'PATCH' || change.base === null) return values;
    return withPatch(values, nestValues(mergeChange(change, resource, values).values));
  }, record);
}

/** A record with its pending transitions applied, such as a schedule, because later edits will be sent after them. */
export function withPendingTransitions(record: Values, path: string, changes: readonly Change[]): Values {
  const moves = changes.filter(
    ({ request, base }) => request.method === 'PATCH' && request.path === path && base === null,
  );
  return moves.reduce<Values>((values, { request }) => withPatch(values, request.body), record);
}

/** A record with a merge patch applied. */
export function withPatch(record: Values, patch: unknown): Values {
  const patched = applyMergePatch(record, patch);
  return isPlainObject(patched) ? patched : record;
}

/** Dotted names of the fields that are merged by lines. */
export function textFields(resource: Resource): string[] {
  return flattenFields(resource)
    .filter(([, { schema, verbatim }]) => verbatim || isLong(schema))
    .map(([name]) => name);
}

/** Dotted names of the texts that are stored byte for byte; the server normalizes all others. */
export function verbatimFields(resource: Resource): ReadonlySet<string> {
  return new Set(
    flattenFields(resource)
      .filter(([, { verbatim }]) => verbatim)
      .map(([name]) => name),
  );
}

/** A text as the server stores it (see `fields.ts` of the schema). */
export function normalize(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').trim().normalize('NFC');
}

function normalizeValue(value: unknown, isVerbatim: boolean): unknown {
  return typeof value === 'string' && !isVerbatim ? normalize(value) : value;
}

function isLong(schema: object): boolean {
  return 'maxLength' in schema && typeof schema.maxLength === 'number' && schema.maxLength > longText;
}

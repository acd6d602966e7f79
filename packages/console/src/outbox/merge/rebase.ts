/** Merges changes that were refused with a 412, and builds the request that sends the merge result. */
import { etagOf } from '@trellis/client/response.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { applyMergePatch } from '@trellis/schema/values/merge-patch.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { ApiRecord } from '../../api/api.ts';
import { type Amendment, type Change, chainFrom, commonScopes, isMergeable } from '../store/change.ts';
import { composePatches } from '../store/change-store.ts';
import { areEqual, namesIn, nestValues, patchOf, type Values } from '../store/fields.ts';
import { type MergeResult, mergeRecord } from './merge.ts';
import { mergeText, resolveText } from './merge-text.ts';

/** Texts longer than this many characters are merged by lines. */
const longText = 600;

/** The combined effect of a chain of changes. */
interface ComposedChanges {
  /** The values before the chain. */
  readonly base: Values;
  /** The values after the chain. */
  readonly mine: Values;
}

/** Composes the changes of a chain (see `chainFrom`). */
export function composeChain(chain: readonly Change[]): ComposedChanges {
  return chain.reduce<ComposedChanges>(
    (joined, { base, request }) => ({
      base: base === null ? joined.base : composePatches(base, withoutMine(joined, base)),
      mine: composePatches(joined.mine, request.body),
    }),
    { base: {}, mine: {} },
  );
}

/**
 * The state before a chain of changes, as the change after the chain saw it. Usually that is the base of the chain. But a page that was
 * opened while a change was pending displays it merged with the changes of other users; edits on that page have those lines in their base,
 * and the merge must not attribute the lines to the edits.
 */
function withoutMine({ base, mine }: ComposedChanges, met: Values): Values {
  return nestValues(
    namesIn(base).map((field) => {
      const [before, after, next] = [valueAt(base, field), valueAt(mine, field), valueAt(met, field)];
      const isOther = typeof next === 'string' && next !== after;
      const parts = isOther && typeof before === 'string' && typeof after === 'string';
      return [field, parts ? resolveText(mergeText(after, before, next), 'mine') : before];
    }),
  );
}

/** Merges a chain of changes with the current version of the record. */
function mergeChain(chain: readonly Change[], resource: Resource, theirs: Values): MergeResult {
  const { base, mine } = composeChain(chain);
  const fields = namesIn(mine);
  const verbatim = verbatimFields(resource);
  // Normalized as the server does, so that trimmed whitespace does not count as a change.
  const normalized = (values: Values) =>
    nestValues(fields.map((field) => [field, normalizeValue(valueAt(values, field), verbatim.has(field))]));
  return mergeRecord({
    base: normalized(base),
    mine: normalized(mine),
    theirs,
    fields,
    texts: textFields(resource),
  });
}

/** The merge of a refused change, with its open conflicts. */
interface PlannedMerge extends MergeResult {
  /** The change and its dependent edits. */
  readonly chain: readonly Change[];
  readonly theirs: ApiRecord;
}

/**
 * Plans the merge of a change that was refused for its version with the record's current version.
 * @param sequence of the change
 * @returns null when the change is gone or no longer refused for its version
 */
export function planMerge(
  sequence: number,
  changes: readonly Change[],
  resource: Resource,
  theirs: ApiRecord,
): PlannedMerge | null {
  const refused = changes.find((change) => change.sequence === sequence && isMergeable(change));
  if (refused === undefined) return null;
  const chain = chainFrom(refused, changes);
  return { chain, theirs, ...mergeChain(chain, resource, theirs) };
}

/**
 * The request that replaces a chain of changes.
 * @param values the merged values by dotted name
 * @returns null when the record has all of them already
 */
export function amend(
  chain: readonly Change[],
  values: ReadonlyMap<string, unknown>,
  theirs: Values,
): Amendment | null {
  const [first] = chain;
  const changed = [...values].filter(([field, value]) => !areEqual(value, valueAt(theirs, field)));
  if (first === undefined || changed.length === 0 || typeof theirs.version !== 'number') return null;
  return {
    request: {
      ...first.request,
      body: nestValues(changed),
      ifMatch: etagOf(theirs.version),
      sessionScopes: commonScopes(chain.map(({ request }) => request)),
    },
    base: patchOf(
      theirs,
      changed.map(([field]) => field),
    ),
  };
}

/** A record with its pending changes applied, including its creation. In a conflict the values of the changes win. */
export function withPending(record: Values, changes: readonly Change[], resource: Resource): Values {
  return changes.reduce((values, change) => {
    if (change.request.method === 'POST') return withPatch(values, change.request.body);
    if (change.request.method !== 'PATCH' || change.base === null) return values;
    return withPatch(values, nestValues(mergeChain([change], resource, values).values));
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

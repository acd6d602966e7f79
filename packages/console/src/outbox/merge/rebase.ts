/** The merge of changes that were refused because somebody else was first (412), and the request that makes the merged one. */

import { etagOf } from '@trellis/client/response.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { applyMergePatch } from '@trellis/schema/values/merge-patch.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { ApiRecord } from '../../api/api.ts';
import { type Amendment, type Change, chainFrom, commonScopes, isMergeable } from '../store/change.ts';
import { joinPatches } from '../store/change-store.ts';
import { areEqual, namesIn, nestValues, patchOf, type Values } from '../store/fields.ts';
import { type MergeResult, mergeRecord } from './merge.ts';
import { mergeText, resolveText } from './merge-text.ts';

/** Characters above which a text is merged by lines. */
const longText = 600;

/** What changes do together. */
interface JoinedChanges {
  /** The values that they replace. */
  readonly base: Values;
  /** Those that they put in their place. */
  readonly mine: Values;
}

/** What changes of one record do together (see `chainFrom`). */
export function joinChain(chain: readonly Change[]): JoinedChanges {
  return chain.reduce<JoinedChanges>(
    (joined, { base, request }) => ({
      base: base === null ? joined.base : joinPatches(base, withoutMine(joined, base)),
      mine: joinPatches(joined.mine, request.body),
    }),
    { base: {}, mine: {} },
  );
}

/**
 * What was there before `joined`, as the next change has met it. Usually that is the base of `joined`. But a page that is opened while
 * a change waits shows it merged with what others have done since: what is typed there has met their lines as well, and would seem to
 * have made them.
 */
function withoutMine({ base, mine }: JoinedChanges, met: Values): Values {
  return nestValues(
    namesIn(base).map((field) => {
      const [before, after, next] = [valueAt(base, field), valueAt(mine, field), valueAt(met, field)];
      const isOther = typeof next === 'string' && next !== after;
      const parts = isOther && typeof before === 'string' && typeof after === 'string';
      return [field, parts ? resolveText(mergeText(after, before, next), 'mine') : before];
    }),
  );
}

/** Merges changes of a record that belong together with the record as it is now. */
function mergeChain(chain: readonly Change[], resource: Resource, theirs: Values): MergeResult {
  const { base, mine } = joinChain(chain);
  const fields = namesIn(mine);
  const verbatim = verbatimFields(resource);
  // As the server stores them: spaces at the end of a title are no change of anybody.
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

/** What there is to decide about a refused change. */
interface PlannedMerge extends MergeResult {
  /** The change, and those that belong to it. */
  readonly chain: readonly Change[];
  readonly theirs: ApiRecord;
}

/**
 * Plans the merge of a change that was refused for its version with the record as it is now.
 * @param sequence of the change
 * @returns null when it is gone, or no longer refused for its version
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
 * What is sent instead of changes that belong together.
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

/** A record after the changes of it that wait, its creation too. Of what they have both changed, the values of the changes. */
export function withWaiting(record: Values, changes: readonly Change[], resource: Resource): Values {
  return changes.reduce((values, change) => {
    if (change.request.method === 'POST') return withPatch(values, change.request.body);
    if (change.request.method !== 'PATCH' || change.base === null) return values;
    return withPatch(values, nestValues(mergeChain([change], resource, values).values));
  }, record);
}

/** A record after the moves at its path that wait, such as its schedule, which what is typed now would follow. */
export function withWaitingMoves(record: Values, path: string, changes: readonly Change[]): Values {
  const moves = changes.filter(
    ({ request, base }) => request.method === 'PATCH' && request.path === path && base === null,
  );
  return moves.reduce<Values>((values, { request }) => withPatch(values, request.body), record);
}

/** A record with the values of a patch. */
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

/** The model's rules of articles: versions, and the transitions of their status with the permission that each needs. */
import { isDeepStrictEqual } from 'node:util';
import type { Refusal } from './decision.ts';
import { wordsIn } from './samples.ts';
import { type Fields, instantOfWrite, type ModelRecord } from './state.ts';

/** Transitions that a caller can request, with the permission that each needs. */
const transitions: Readonly<Record<string, Readonly<Record<string, 'write' | 'publish'>>>> = {
  DRAFT: { IN_REVIEW: 'write', SCHEDULED: 'publish', PUBLISHED: 'publish', ARCHIVED: 'publish' },
  IN_REVIEW: { APPROVED: 'publish', DRAFT: 'publish' },
  APPROVED: { SCHEDULED: 'publish', PUBLISHED: 'publish' },
  SCHEDULED: { PUBLISHED: 'publish', DRAFT: 'write' },
  PUBLISHED: { UNPUBLISHED: 'publish' },
  UNPUBLISHED: { ARCHIVED: 'publish' },
  SUPERSEDED: { ARCHIVED: 'publish' },
};

/** The events of entering a status. */
const events: Readonly<Record<string, string>> = {
  IN_REVIEW: 'submitted',
  APPROVED: 'approved',
  PUBLISHED: 'published',
  UNPUBLISHED: 'unpublished',
  SCHEDULED: 'scheduled',
};

/** Versions with these statuses never change again. */
const frozen = new Set(['PUBLISHED', 'UNPUBLISHED', 'SUPERSEDED', 'ARCHIVED']);

const first = 'articleData.firstPublishedAt';
const status = 'versionData.status';
const number = 'versionData.versionNumber';
const submitted = 'versionData.submittedAt';
const note = 'versionData.returnNote';

/** What a version says of its review, before there was any. */
const noRounds = {
  [submitted]: null,
  'versionData.submittedBy': null,
  'versionData.returnedAt': null,
  'versionData.returnedBy': null,
  [note]: null,
};

/** The result of a patch of an article. */
export interface PatchedArticle {
  readonly fields: Fields;
  readonly versions: ReadonlyMap<number, Fields>;
  readonly event: string;
  /** Every reason to refuse it; the server may give any of them. */
  readonly refusals: readonly Refusal[];
}

/** Completes a new article with the fields that do not come from the body. */
export function beginArticle(fields: Fields): Fields {
  return {
    ...fields,
    [number]: 1,
    'versionData.wordCount': wordsIn(fields['versionData.body']),
    state: 'UNPUBLISHED',
  };
}

/**
 * Applies a patch.
 * @param merged the article with all values of the patch
 * @param denied why the caller may not publish, or null
 * @param userId of the caller
 */
export function patchArticle(
  before: ModelRecord,
  given: Fields,
  merged: Fields,
  denied: Refusal | null,
  userId: string,
): PatchedArticle {
  const refusals: Refusal[] = [];
  const publishing = () => (denied === null ? [] : [denied]);
  const current = String(before.fields[status]);
  const published = before.fields.publishedVersionNumber;
  const edited = Object.keys(given).some(
    (name) =>
      name.startsWith('versionData.') &&
      name !== status &&
      !isDeepStrictEqual(before.fields[name], merged[name]),
  );
  const reshaped = Object.keys(given).some(
    (name) => name.startsWith('articleData.') && !isDeepStrictEqual(before.fields[name], merged[name]),
  );
  const wanted = status in given ? String(given[status]) : null;
  const versions = new Map(before.versions);
  const isForgotten = before.fields[first] !== null && merged[first] === null;
  if (reshaped && typeof published === 'number') refusals.push(...publishing());
  if (wanted === 'UNPUBLISHED' && !edited && !frozen.has(current) && typeof published === 'number') {
    retire(versions, published, 'UNPUBLISHED');
    const fields = { ...merged, [status]: current, publishedVersionNumber: null };
    return {
      fields: withState(fields),
      versions,
      event: 'unpublished',
      refusals: [...refusals, ...publishing(), ...reversedTimes(fields)],
    };
  }
  let fields: Fields = { ...merged, [status]: current };
  if (edited) {
    fields = { ...fields, 'versionData.wordCount': wordsIn(fields['versionData.body']), scheduleError: null };
    if (frozen.has(current) || before.fields[submitted] !== null)
      fields = { ...openNext(versions, before.fields, fields), [note]: given[note] ?? null };
    if (frozen.has(current) || current === 'SCHEDULED') fields = { ...fields, [status]: 'DRAFT' };
    if (current === 'APPROVED') refusals.push(...publishing());
  }
  const from = String(fields[status]);
  if (reshaped && (wanted ?? from) === 'SCHEDULED') refusals.push(...publishing());
  if (wanted === null || wanted === from) {
    if (isForgotten && fields.publishedVersionNumber !== null)
      refusals.push({ status: 422, code: 'validation_failed' });
    const found = [...refusals, ...reversedTimes(fields)];
    return { fields: withState(fields), versions, event: 'updated', refusals: found };
  }
  const need = transitions[from]?.[wanted];
  if (need === undefined) refusals.push({ status: 409, code: 'invalid_transition' });
  if (need === 'publish') refusals.push(...publishing());
  if (wanted === 'SCHEDULED' && fields['versionData.scheduledFor'] === null)
    refusals.push({ status: 422, code: 'validation_failed' });
  const isReturned = from === 'IN_REVIEW' && wanted === 'DRAFT';
  if (isReturned) {
    if (fields[submitted] !== null) fields = openNext(versions, before.fields, fields);
    fields = { ...fields, 'versionData.returnedAt': instantOfWrite, 'versionData.returnedBy': userId };
  }
  if (wanted === 'IN_REVIEW')
    fields = { ...fields, [submitted]: instantOfWrite, 'versionData.submittedBy': userId };
  fields = { ...fields, [status]: wanted, scheduleError: null };
  refusals.push(...reversedTimes(fields));
  if (wanted === 'PUBLISHED') {
    if (typeof published === 'number') retire(versions, published, 'SUPERSEDED');
    fields = {
      ...fields,
      'versionData.publishedAt': instantOfWrite,
      [first]: fields[first] ?? instantOfWrite,
      publishedVersionNumber: fields[number],
    };
  }
  if (isForgotten && fields[first] === null && from !== 'PUBLISHED' && fields.publishedVersionNumber !== null)
    refusals.push({ status: 422, code: 'validation_failed' });
  if (from === 'PUBLISHED') fields = { ...fields, publishedVersionNumber: null };
  const event = isReturned ? 'returned' : (events[wanted] ?? 'updated');
  return { fields: withState(fields), versions, event, refusals };
}

/** Refuses an `unpublishAt` that is not after `scheduledFor`. */
function reversedTimes(fields: Fields): Refusal[] {
  const [from, until] = [fields['versionData.scheduledFor'], fields['versionData.unpublishAt']];
  if (fields[status] !== 'SCHEDULED' || until === null || String(until) > String(from)) return [];
  return [{ status: 422, code: 'validation_failed' }];
}

/** Opens the next version. The one before it stays as it is, ARCHIVED where readers have never seen it. */
function openNext(versions: Map<number, Fields>, before: Fields, fields: Fields): Fields {
  const kept = versionOf(before);
  const isSeen = frozen.has(String(before[status]));
  const last = Number(before[number]);
  versions.set(
    last,
    isSeen
      ? kept
      : { ...kept, [status]: 'ARCHIVED', 'versionData.scheduledFor': null, 'versionData.unpublishAt': null },
  );
  return { ...fields, [number]: last + 1, 'versionData.publishedAt': null, ...noRounds };
}

/** The `versionData.…` fields of a record. */
function versionOf(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name.startsWith('versionData.')));
}

function retire(versions: Map<number, Fields>, published: number, to: string): void {
  const version = versions.get(published);
  if (version !== undefined) versions.set(published, { ...version, [status]: to });
}

/** UNPUBLISHED, PUBLISHED, CHANGED (a newer draft exists), ARCHIVED. */
function withState(fields: Fields): Fields {
  const published = fields.publishedVersionNumber;
  const archived = fields[status] === 'ARCHIVED';
  if (published === null) return { ...fields, state: archived ? 'ARCHIVED' : 'UNPUBLISHED' };
  return { ...fields, state: published === fields[number] || archived ? 'PUBLISHED' : 'CHANGED' };
}

/**
 * Publication of imported posts. Posts are published unless they say otherwise, a future date schedules them, and articles that
 * people are editing or have unpublished in Trellis are left alone. Applies to resources whose declaration has `posts`.
 */

import type { PostImport } from '@trellis/schema/resources/import.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { parseInstant, toInstant } from '@trellis/schema/values/clock.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import type { Body } from './api.ts';
import { nest } from './body.ts';
import type { BuiltRecord } from './build-record.ts';
import { type Decision, findChanges, type Wanted } from './changes.ts';
import { readFlag } from './convert.ts';
import { groupPrefix } from './destinations.ts';
import { RowRejected } from './errors.ts';
import { type LocalClock, readByClock } from './instants.ts';

type Publication = 'DRAFT' | 'PUBLISHED' | 'SCHEDULED';

/** When a post is read, and by which clock its dates are. */
export interface PostTimes {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly clock: LocalClock;
}

/**
 * Determines the target status of a post, and adds its dates to the values.
 * @param given the values of the row, by destination
 * @returns the target status
 */
export function readPost(
  posts: PostImport,
  given: ReadonlyMap<string, unknown>,
  { values, repairs, faults }: BuiltRecord,
  { now, clock }: PostTimes,
): Publication {
  const readMoment = (name: string, value: unknown): number | undefined => {
    if (value === undefined || value === null || value === '') return undefined;
    const instant = readByClock(clock, String(value), repairs);
    if (instant !== undefined) return parseInstant(instant) ?? undefined;
    faults.push(`${name}: "${String(value)}" is not a date of the form 2018-01-31 or 2018-01-31T09:30:00Z.`);
    return undefined;
  };
  values.delete(posts.status);
  const published = given.get('published');
  const publishedFlag = readFlag(published);
  const givenDate = given.get('date') ?? (publishedFlag === undefined ? published : undefined);
  const date = readMoment('date', givenDate);
  const expires = readMoment('expires', given.get('expires'));
  const isExpired = expires !== undefined && expires <= now;
  const isDraft = readDraft(given, publishedFlag, faults) || readStatus(given.get(posts.status), faults);
  if (isExpired && !isDraft) repairs.push('expired already: left as a draft');
  if (expires !== undefined && !isExpired) values.set(posts.unpublishAt, toInstant(expires));
  // What is still a draft was never published, whatever date it has.
  const isPast = date !== undefined && date <= now && !isDraft;
  if (isPast && !values.has(posts.firstPublishedAt)) values.set(posts.firstPublishedAt, toInstant(date));
  if (isDraft || isExpired) return 'DRAFT';
  if (date === undefined || date <= now) return 'PUBLISHED';
  values.set(posts.scheduledFor, toInstant(date));
  return 'SCHEDULED';
}

/** Whether the post says that it is a draft. */
function readDraft(
  given: ReadonlyMap<string, unknown>,
  published: boolean | undefined,
  faults: string[],
): boolean {
  const draft = given.get('draft') ?? (published === undefined ? false : !published);
  const flag = readFlag(draft);
  if (flag === undefined) faults.push(`draft: "${String(draft)}" is neither true nor false.`);
  return flag === true;
}

/** Whether a status of another system means a draft. */
function readStatus(value: unknown, faults: string[]): boolean {
  if (value === undefined || value === null) return false;
  const word = String(value).trim().toUpperCase();
  if (['DRAFT', 'PENDING', 'PRIVATE'].includes(word)) return true;
  if (word !== 'PUBLISHED' && word !== 'PUBLISH') {
    faults.push(`status: "${String(value)}" is neither DRAFT nor PUBLISHED.`);
  }
  return false;
}

/**
 * Decides the next change that makes an article match its post. The file takes precedence over the record, except that text
 * which people are editing, reviewing or have archived is not overwritten. @throws RowRejected when it would be
 */
export function decidePost(posts: PostImport, resource: Resource, record: Body, wanted: Wanted): Decision {
  const state = readPublicationState(posts, record);
  const changes = dropIneffectiveChanges(posts, state, findChanges(resource, record, wanted));
  const isEdit = changes.some(([name]) => name.startsWith(groupPrefix(posts)));
  const refusal = isEdit ? (findOtherPost(resource, record, changes) ?? findRefusal(state, wanted)) : null;
  if (refusal !== null) throw new RowRejected([refusal]);
  const status = nextStatus(state, wanted, isEdit);
  const all = status === null ? changes : [...changes, [posts.status, status] as const];
  const isWithdrawn = state.wasUnpublished && wanted.status !== 'DRAFT';
  return {
    body: all.length === 0 ? null : nest(all),
    repair: isWithdrawn ? 'unpublished in Trellis since: not published again' : null,
  };
}

type PublicationState = ReturnType<typeof readPublicationState>;

/** The properties of a record that decide what an import may do. */
function readPublicationState(posts: PostImport, record: Body) {
  const status = String(valueAt(record, posts.status));
  const version = Number(valueAt(record, posts.versionNumber));
  const published = valueAt(record, posts.publishedVersionNumber) ?? null;
  return {
    status,
    isPublished: published !== null,
    /** Whether there is a draft in addition to the published version. */
    hasNewerDraft: published !== null && published !== version,
    /** It was published, and somebody unpublished it. */
    wasUnpublished: published === null && (status === 'UNPUBLISHED' || version > 1),
  };
}

/** Drops the date of a version that is already published. */
function dropIneffectiveChanges(
  posts: PostImport,
  { isPublished }: PublicationState,
  changes: readonly [string, unknown][],
): readonly [string, unknown][] {
  const others = changes.filter(([name]) => name !== posts.scheduledFor);
  const isEdit = others.some(([name]) => name.startsWith(groupPrefix(posts)));
  return isPublished && !isEdit ? others : changes;
}

/**
 * Why the record is that of another post with the same path, or null: the folders `de/_posts` and `ja/_posts` have files of the same names,
 * which only the folder above them tells apart.
 */
function findOtherPost(
  { languageField = '', titleField }: Resource,
  record: Body,
  changes: readonly (readonly [string, unknown])[],
): string | null {
  const changed = new Map(changes);
  if (!changed.has(languageField) || !changed.has(titleField)) return null;
  const [title, before] = [titleField, languageField].map((name) => String(valueAt(record, name)));
  return `The article "${title}" has this path, but it is in the language "${before}", and the file has another title in "${String(changed.get(languageField))}". If they are two posts, import the folder that contains the folders of both languages; otherwise change the language of the article in Trellis first.`;
}

/** Why an import may not change the text of the record, or null. */
function findRefusal(
  { status, hasNewerDraft, isPublished }: PublicationState,
  wanted: Wanted,
): string | null {
  if (status === 'IN_REVIEW' || status === 'APPROVED' || status === 'ARCHIVED') {
    return `The article is ${status} in Trellis and the file differs from it. Bring it back to DRAFT first, or leave the file out.`;
  }
  if (hasNewerDraft) {
    return 'The article has a draft in Trellis in addition to its published version, and the file differs from it. Publish or discard the draft first.';
  }
  if (wanted.status === 'DRAFT' && isPublished) {
    return 'The file is marked as a draft and has changed, but the article is published. Unpublish it in Trellis first, or publish the file.';
  }
  return null;
}

/** The next transition, if any. */
function nextStatus(
  { status, isPublished, wasUnpublished }: PublicationState,
  wanted: Wanted,
  isEdit: boolean,
): string | null {
  if (wanted.status === 'DRAFT' || wasUnpublished) return null;
  const isFresh = !isPublished && (status === 'DRAFT' || status === 'SCHEDULED');
  const isAhead = wanted.status === 'SCHEDULED' && status === 'SCHEDULED';
  if (isFresh) return isAhead && !isEdit ? null : wanted.status;
  return status === 'PUBLISHED' && isEdit ? wanted.status : null;
}

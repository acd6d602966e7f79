/**
 * Rules of articles. A version that was ever published is frozen: an edit opens the next version as a draft. Every other
 * status change is a transition in the table of the resource declaration, with its own permission.
 */

import type { Fault } from '@trellis/schema/problem.ts';
import {
  type ArticleState,
  frozenStatuses,
  type VersionStatus,
  versionStatuses,
  versionTransitions,
} from '@trellis/schema/resources/article-transitions.ts';
import { articles } from '@trellis/schema/resources/articles.ts';
import type { Transitions } from '@trellis/schema/resources/fields.ts';
import { invalid } from '@trellis/schema/validation/faults.ts';
import type { StoredRecord, Values } from '@trellis/schema/validation/values.ts';
import { countWords } from '@trellis/schema/values/characters.ts';
import { deepEqual } from '@trellis/schema/values/merge-patch.ts';
import type { Decision, Rules } from '../../pipeline/model.ts';
import { type Publishable, Refusal } from '../../pipeline/write/plan.ts';
import { invalidTransition } from '../../pipeline/write/transitions.ts';

/** The events of transitions; all others are `updated`. */
const { events: transitionEvents }: Transitions = articles.versions.status.transitions;

export const articleRules: Rules = {
  create(values, { parent }) {
    if (values['versionData.status'] !== 'DRAFT') {
      const detail = 'A new article is always a DRAFT. Publish it by a PATCH of the status.';
      return refuse({ pointer: '/versionData/status', code: 'status_not_allowed', detail });
    }
    return {
      ...values,
      'versionData.locale': values['versionData.locale'] ?? parent?.values.defaultLocale,
      'versionData.versionNumber': 1,
      'versionData.wordCount': wordsOf(values['versionData.body']),
      state: 'UNPUBLISHED',
    };
  },
  update: (before, patch, merged, { instant }) => decideArticleChange(before, patch, merged, instant),
  changesSeen,
  check: checkArticle,
  editions: ({ 'versionData.versionNumber': working, publishedVersionNumber: published }) => ({
    working: Number(working),
    published: published === null ? null : Number(published),
  }),
};

/**
 * Decides what a patch does to an article.
 * @param merged the values with the patch applied
 * @param instant of the change, RFC 3339
 */
export function decideArticleChange(
  before: StoredRecord,
  patch: Values,
  merged: Values,
  instant: string,
): Decision | Refusal {
  const wanted = patch['versionData.status'] as VersionStatus | undefined;
  const current = statusOf(before.values);
  const edited = Object.keys(patch).some(
    (field) =>
      field.startsWith('versionData.') &&
      field !== 'versionData.status' &&
      !deepEqual(before.values[field], merged[field]),
  );
  const unpublishesBesideDraft =
    wanted === 'UNPUBLISHED' &&
    !edited &&
    !frozenStatuses.includes(current) &&
    before.values.publishedVersionNumber !== null;
  if (unpublishesBesideDraft) return unpublishBesideDraft(merged, current);
  if (!edited) return changeStatus({ ...merged, 'versionData.status': current }, wanted ?? current, instant);
  const base = editVersion(merged, current, instant);
  // An edit of an APPROVED version stays approved, so the editor needs the permission to publish.
  const publishes = current === 'APPROVED' ? [articles] : [];
  return changeStatus(base, wanted ?? statusOf(base), instant, publishes);
}

/**
 * Whether a change is visible to readers, who see the article with its published version. `articleData` belongs to all
 * versions, so it changes for readers at once. That of a SCHEDULED version will be published without another check.
 */
function changesSeen(before: Values, after: Values | null): boolean {
  const isPublished = before.publishedVersionNumber !== null;
  if (after === null) return isPublished;
  if (!isPublished && statusOf(after) !== 'SCHEDULED') return false;
  return Object.keys(after).some(
    (field) => field.startsWith('articleData.') && !deepEqual(before[field], after[field]),
  );
}

/** Checks the rules across fields on the values that the record would have. */
function checkArticle(values: Values): Fault[] {
  const faults: Fault[] = [];
  const primary = values['articleData.primaryCategoryId'];
  const categoryIds = values['articleData.categoryIds'] as readonly unknown[];
  if (primary !== null && !categoryIds.includes(primary)) {
    faults.push({
      pointer: '/articleData/primaryCategoryId',
      code: 'not_in_list',
      detail: 'Must be one of categoryIds.',
    });
  }
  const { 'versionData.scheduledFor': from, 'versionData.unpublishAt': until } = values;
  if (statusOf(values) === 'SCHEDULED' && until !== null && String(until) <= String(from)) {
    faults.push({
      pointer: '/versionData/unpublishAt',
      code: 'not_after_start',
      detail: 'Must be later than scheduledFor.',
    });
  }
  return faults;
}

/** Whether a version's `unpublishAt` has passed. */
export function isOutlived(values: Values, instant: string): boolean {
  const until = values['versionData.unpublishAt'];
  return typeof until === 'string' && until <= instant;
}

/** Publishes an article whose `scheduledFor` has come. @returns null when it is no longer SCHEDULED */
export function publishOnTime(before: StoredRecord, instant: string): Decision | Refusal | null {
  if (statusOf(before.values) !== 'SCHEDULED') return null;
  return changeStatus(before.values, 'PUBLISHED', instant);
}

/** Unpublishes an article whose `unpublishAt` has come. @returns null when no version is published */
export function unpublishOnTime(before: StoredRecord, instant: string): Decision | Refusal | null {
  if (before.values.publishedVersionNumber === null) return null;
  const current = statusOf(before.values);
  return current === 'PUBLISHED'
    ? changeStatus(before.values, 'UNPUBLISHED', instant)
    : unpublishBesideDraft({ ...before.values, scheduleError: null }, current);
}

/**
 * Records on the article that a scheduled publication failed: the version becomes a draft until it is scheduled again.
 * @param reason a sentence for `scheduleError`
 */
export function failToPublish(before: StoredRecord, reason: string): Decision {
  const values = { ...before.values, 'versionData.status': 'DRAFT', scheduleError: reason };
  return { values: withState(values), events: ['schedule_failed'] };
}

/**
 * Records on the article that unpublishing it on time failed. It is tried again; nothing else changes.
 * @param reason a sentence for `scheduleError`
 */
export function failToUnpublish(before: StoredRecord, reason: string): Decision {
  return { values: { ...before.values, scheduleError: reason }, events: ['schedule_failed'] };
}

/** Fields of a version that say where it stands, and nothing of what it contains. */
const standing = ['versionNumber', 'status', 'scheduledFor', 'unpublishAt', 'publishedAt'].map(
  (name) => `versionData.${name}`,
);

/**
 * Makes a draft with the content of an old version; never publishes. A draft that says something else stays as it is in the list of
 * versions, ARCHIVED: what somebody has typed is never lost by this.
 */
export function restoreVersion(before: StoredRecord, old: Values): Decision {
  const content = {
    ...before.values,
    ...old,
    'versionData.versionNumber': before.values['versionData.versionNumber'],
    // The old version's times do not apply to the new draft.
    'versionData.scheduledFor': null,
    'versionData.unpublishAt': null,
    'versionData.publishedAt': null,
    'versionData.status': 'DRAFT',
  };
  const isKept =
    frozenStatuses.includes(statusOf(before.values)) ||
    Object.keys(old).some(
      (field) => !standing.includes(field) && !deepEqual(before.values[field], old[field]),
    );
  const values = isKept ? nextVersion(content) : content;
  return { values: withState({ ...values, scheduleError: null }), events: ['updated'] };
}

/** Opens a new draft with the given content. It keeps the times of the version before it that are still in the future. */
function openVersion(values: Values, instant: string): Values {
  const keepFuture = (field: string) => {
    const time = values[field];
    return typeof time === 'string' && time > instant ? time : null;
  };
  return {
    ...nextVersion(values),
    'versionData.scheduledFor': keepFuture('versionData.scheduledFor'),
    'versionData.unpublishAt': keepFuture('versionData.unpublishAt'),
  };
}

/** Gives the content the next version number and the status DRAFT. */
function nextVersion(values: Values): Values {
  return {
    ...values,
    'versionData.versionNumber': Number(values['versionData.versionNumber']) + 1,
    'versionData.status': 'DRAFT',
    'versionData.publishedAt': null,
  };
}

/** Applies an edit of version fields: to the working version, or to a new one when that is frozen. */
function editVersion(merged: Values, current: VersionStatus, instant: string): Values {
  const counted = {
    ...merged,
    'versionData.wordCount': wordsOf(merged['versionData.body']),
    scheduleError: null,
  };
  if (frozenStatuses.includes(current)) return openVersion(counted, instant);
  return { ...counted, 'versionData.status': current === 'SCHEDULED' ? 'DRAFT' : current };
}

/**
 * Changes the status of a version by the table of transitions.
 * @param before what the caller must be allowed to publish even without the transition
 */
function changeStatus(
  base: Values,
  wanted: VersionStatus,
  instant: string,
  before: readonly Publishable[] = [],
): Decision | Refusal {
  const from = statusOf(base);
  if (wanted === from) return { values: withState(base), events: ['updated'], publishes: before };
  const need = versionTransitions[from][wanted];
  if (need === undefined) {
    const allowed = Object.keys(versionTransitions[from]);
    return new Refusal(invalidTransition('versionData.status', from, wanted, allowed), before);
  }
  const publishes = need === 'publish' ? [...before, articles] : before;
  const fault = findTimeFault(base, wanted, instant);
  if (fault !== null) return refuse(fault, publishes);
  const changed: Values = { ...base, 'versionData.status': wanted, scheduleError: null };
  if (wanted === 'PUBLISHED') {
    changed['versionData.publishedAt'] = instant;
    changed.publishedVersionNumber = base['versionData.versionNumber'];
  }
  if (from === 'PUBLISHED') changed.publishedVersionNumber = null;
  return { values: withState(changed), events: [transitionEvents[wanted] ?? 'updated'], publishes };
}

/** Unpublishes the published version of an article that has a newer draft; the draft does not change. */
function unpublishBesideDraft(merged: Values, current: VersionStatus): Decision {
  const values = { ...merged, 'versionData.status': current, publishedVersionNumber: null };
  return { values: withState(values), events: ['unpublished'], publishes: [articles] };
}

/** Checks the times of a version that is to be scheduled or published. @returns null when they are valid */
function findTimeFault(values: Values, wanted: VersionStatus, instant: string): Fault | null {
  const scheduledFor = values['versionData.scheduledFor'];
  if (wanted === 'SCHEDULED' && !(typeof scheduledFor === 'string' && scheduledFor > instant)) {
    const detail = 'A SCHEDULED version needs an instant in the future.';
    return { pointer: '/versionData/scheduledFor', code: 'required', detail };
  }
  if (wanted === 'PUBLISHED' && isOutlived(values, instant)) {
    const detail = 'unpublishAt has passed. Set a later time, or null.';
    return { pointer: '/versionData/unpublishAt', code: 'not_in_future', detail };
  }
  return null;
}

function refuse(fault: Fault, publishes: readonly Publishable[] = []): Refusal {
  return new Refusal(invalid(fault), publishes);
}

function withState(values: Values): Values {
  return { ...values, state: stateOf(values) };
}

/** The article's state, derived from the two version numbers and the status. CHANGED: a newer draft exists. */
function stateOf(values: Values): ArticleState {
  const published = values.publishedVersionNumber;
  const archived = statusOf(values) === 'ARCHIVED';
  if (published === null) return archived ? 'ARCHIVED' : 'UNPUBLISHED';
  return published === values['versionData.versionNumber'] || archived ? 'PUBLISHED' : 'CHANGED';
}

function statusOf(values: Values): VersionStatus {
  const status = values['versionData.status'];
  const known = versionStatuses.find((candidate) => candidate === status);
  if (known === undefined) throw new Error(`a version has the unknown status ${String(status)}`);
  return known;
}

/** The number of words in a body; 0 without one. */
function wordsOf(body: unknown): number {
  return typeof body === 'string' ? countWords(body) : 0;
}

/**
 * Rules of articles. A version that was ever published is frozen: an edit opens the next version as a draft. Every other
 * status change is a transition in the table of the resource declaration, with its own permission.
 */

import type { Fault } from '@trellis/schema/problem.ts';
import {
  type ArticleState,
  frozenStatuses,
  type VersionStatus,
  versionTransitions,
} from '@trellis/schema/resources/article-transitions.ts';
import { articles } from '@trellis/schema/resources/articles.ts';
import type { Transitions } from '@trellis/schema/resources/fields.ts';
import type { sites } from '@trellis/schema/resources/sites.ts';
import {
  type FieldName,
  namesOf,
  type PatchOf,
  type ValuesOf,
  withChanges,
} from '@trellis/schema/resources/stored-values.ts';
import { invalid } from '@trellis/schema/validation/faults.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { countBodyWords } from '@trellis/schema/values/body-words.ts';
import { deepEqual } from '@trellis/schema/values/merge-patch.ts';
import type { Decision, RestoreContext, Rules } from '../../kernel/pipeline/model.ts';
import { type Publishable, Refusal } from '../../kernel/pipeline/refusal.ts';
import { stampOf } from '../../kernel/pipeline/write/plans.ts';
import type { Stamp } from '../../kernel/pipeline/write/steps/change.ts';
import { invalidTransition } from '../../kernel/pipeline/write/transitions.ts';

export type ArticleValues = ValuesOf<typeof articles>;
export type ArticleRecord = StoredRecord<ArticleValues>;
type SiteRecord = StoredRecord<ValuesOf<typeof sites>>;
type ArticleDecision = Decision<ArticleValues>;
/** The values of one version. */
export type VersionValues = Pick<ArticleValues, Extract<FieldName<typeof articles>, `versionData.${string}`>>;

/** The events of transitions; all others are `updated`. */
const { events: transitionEvents }: Transitions = articles.versions.status.transitions;

const firstPublishedAt = 'articleData.firstPublishedAt';

export const articleRules: Rules<typeof articles> = {
  create(values, { parent }) {
    if (values['versionData.status'] !== 'DRAFT') {
      const detail = 'A new article is always a DRAFT. Change the status with a PATCH.';
      return refuse({ pointer: '/versionData/status', code: 'status_not_allowed', detail });
    }
    return withChanges(values, {
      'versionData.locale': values['versionData.locale'] ?? localeOf(parent as SiteRecord | null),
      'versionData.versionNumber': 1,
      'versionData.wordCount': wordsOf(values),
      state: 'UNPUBLISHED',
    });
  },
  update(before, patch, merged, context) {
    const decided = decideArticleChange(before, patch, merged, stampOf(context));
    const isLost = before.values[firstPublishedAt] !== null && !(decided instanceof Refusal);
    if (
      !isLost ||
      decided.values[firstPublishedAt] !== null ||
      decided.values.publishedVersionNumber === null
    ) {
      return decided;
    }
    const detail = 'A published article has a first publication. Give its instant.';
    return refuse({ pointer: '/articleData/firstPublishedAt', code: 'required', detail }, decided.publishes);
  },
  changesSeen,
  restore: restoreArticle,
  editions: ({ 'versionData.versionNumber': working, publishedVersionNumber: published }) => ({
    working,
    published,
  }),
};

/**
 * Decides what a patch does to an article.
 * @param merged the values with the patch applied
 * @param stamp when it is changed, and by whom
 */
export function decideArticleChange(
  before: ArticleRecord,
  patch: PatchOf<typeof articles>,
  merged: ArticleValues,
  stamp: Stamp,
): ArticleDecision | Refusal {
  const wanted = patch['versionData.status'] ?? undefined;
  const current = before.values['versionData.status'];
  const edited = namesOf(patch).some(
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
  if (!edited)
    return changeStatus(withChanges(merged, { 'versionData.status': current }), wanted ?? current, stamp);
  const base = editVersion(merged, patch, current, stamp.instant);
  // An edit of an APPROVED version stays approved, so the editor needs the permission to publish.
  const publishes = current === 'APPROVED' ? [articles] : [];
  return changeStatus(base, wanted ?? base['versionData.status'], stamp, publishes);
}

/**
 * Whether a change is visible to readers, who see the article with its published version. `articleData` belongs to all
 * versions, so it changes for readers at once. That of a SCHEDULED version will be published without another check.
 */
function changesSeen(before: ArticleValues, after: ArticleValues | null): boolean {
  const isPublished = before.publishedVersionNumber !== null;
  if (after === null) return isPublished;
  if (!isPublished && after['versionData.status'] !== 'SCHEDULED') return false;
  return namesOf(after).some(
    (field) => field.startsWith('articleData.') && !deepEqual(before[field], after[field]),
  );
}

/** Whether a version's `unpublishAt` has passed. */
export function isOutlived(values: ArticleValues, instant: string): boolean {
  const until = values['versionData.unpublishAt'];
  return until !== null && until <= instant;
}

/** Publishes an article whose `scheduledFor` has come. @returns null when it is no longer SCHEDULED */
export function publishOnTime(before: ArticleRecord, instant: string): ArticleDecision | Refusal | null {
  if (before.values['versionData.status'] !== 'SCHEDULED') return null;
  return changeStatus(before.values, 'PUBLISHED', { instant, userId: null, clientId: null });
}

/** Unpublishes an article whose `unpublishAt` has come. @returns null when no version is published */
export function unpublishOnTime(before: ArticleRecord, instant: string): ArticleDecision | Refusal | null {
  if (before.values.publishedVersionNumber === null) return null;
  const current = before.values['versionData.status'];
  return current === 'PUBLISHED'
    ? changeStatus(before.values, 'UNPUBLISHED', { instant, userId: null, clientId: null })
    : unpublishBesideDraft(withChanges(before.values, { scheduleError: null }), current);
}

/**
 * Records on the article that a scheduled publication failed: the version becomes a draft until it is scheduled again.
 * @param reason a sentence for `scheduleError`
 */
export function failToPublish(before: ArticleRecord, reason: string): ArticleDecision {
  const values = withChanges(before.values, { 'versionData.status': 'DRAFT', scheduleError: reason });
  return { values: withState(values), events: ['schedule_failed'] };
}

/**
 * Records on the article that unpublishing it on time failed. It is tried again; nothing else changes.
 * @param reason a sentence for `scheduleError`
 */
export function failToUnpublish(before: ArticleRecord, reason: string): ArticleDecision {
  return { values: withChanges(before.values, { scheduleError: reason }), events: ['schedule_failed'] };
}

/** Fields of a version that describe its state, not its content. */
const standing: readonly FieldName<typeof articles>[] = [
  'versionData.versionNumber',
  'versionData.status',
  'versionData.scheduledFor',
  'versionData.unpublishAt',
  'versionData.publishedAt',
  'versionData.submittedAt',
  'versionData.submittedBy',
  'versionData.returnedAt',
  'versionData.returnedBy',
  'versionData.returnNote',
];

/**
 * Makes a draft with the content of an old version; never publishes. A draft that says something else stays as it is in the list of
 * versions, ARCHIVED: what somebody has typed is never lost by this.
 */
export function restoreVersion(before: ArticleRecord, old: VersionValues): ArticleDecision {
  const content = withChanges(withChanges(before.values, old), {
    'versionData.versionNumber': before.values['versionData.versionNumber'],
    // The old version's times do not apply to the new draft.
    'versionData.scheduledFor': null,
    'versionData.unpublishAt': null,
    'versionData.publishedAt': null,
    'versionData.status': 'DRAFT',
    ...noRounds,
  });
  const isKept =
    isFrozen(before.values) ||
    namesOf(old).some((field) => !standing.includes(field) && !deepEqual(before.values[field], old[field]));
  const values = isKept ? nextVersion(content) : content;
  return { values: withState(withChanges(values, { scheduleError: null })), events: ['updated'] };
}

/**
 * An article from the trash. It is published or scheduled again only by somebody who may do that, and while its time has not passed:
 * otherwise the version that was published is UNPUBLISHED, and the one that was scheduled a DRAFT.
 */
function restoreArticle(
  values: ArticleValues,
  { mayPublish, instant, published }: RestoreContext<ArticleValues>,
): ArticleValues {
  const status = values['versionData.status'];
  const scheduledFor = values['versionData.scheduledFor'];
  const isDue = status === 'SCHEDULED' && (scheduledFor === null || scheduledFor <= instant);
  const draft = status === 'SCHEDULED' && (isDue || !mayPublish);
  const hidden = published !== null && (!mayPublish || isOutlived(published, instant));
  return withState(
    withChanges(values, {
      ...(draft ? { 'versionData.status': 'DRAFT' } : {}),
      ...(hidden && status === 'PUBLISHED' ? { 'versionData.status': 'UNPUBLISHED' } : {}),
      ...(hidden ? { publishedVersionNumber: null } : {}),
      // What was deleted before articles had it was published with a version.
      [firstPublishedAt]:
        values[firstPublishedAt] ??
        published?.['versionData.publishedAt'] ??
        values['versionData.publishedAt'],
    }),
  );
}

/** Opens a new draft with the given content. It keeps the times of the version before it that are still in the future. */
function openVersion(values: ArticleValues, instant: string): ArticleValues {
  const keepFuture = (time: string | null) => (time !== null && time > instant ? time : null);
  return withChanges(nextVersion(values), {
    'versionData.scheduledFor': keepFuture(values['versionData.scheduledFor']),
    'versionData.unpublishAt': keepFuture(values['versionData.unpublishAt']),
  });
}

/** Whether an edit must not change the version: readers saw it, or it was submitted for review. */
function isFrozen(values: ArticleValues): boolean {
  return frozenStatuses.includes(values['versionData.status']) || values['versionData.submittedAt'] !== null;
}

/** What a version says of the rounds of its review, before there were any. */
const noRounds = {
  'versionData.submittedAt': null,
  'versionData.submittedBy': null,
  'versionData.returnedAt': null,
  'versionData.returnedBy': null,
  'versionData.returnNote': null,
} as const;

/** Gives the content the next version number and the status DRAFT. */
function nextVersion(values: ArticleValues): ArticleValues {
  return withChanges(values, {
    'versionData.versionNumber': values['versionData.versionNumber'] + 1,
    'versionData.status': 'DRAFT',
    'versionData.publishedAt': null,
    ...noRounds,
  });
}

/**
 * Applies an edit of version fields: to the working version, or to a new one when that is frozen. One that was submitted is
 * followed by one of the same status: who edits in review does not end it.
 */
function editVersion(
  merged: ArticleValues,
  patch: PatchOf<typeof articles>,
  current: VersionStatus,
  instant: string,
): ArticleValues {
  const counted = withChanges(merged, {
    'versionData.wordCount': wordsOf(merged),
    scheduleError: null,
  });
  const edited = isFrozen(withChanges(merged, { 'versionData.status': current }))
    ? withChanges(openVersion(counted, instant), {
        'versionData.returnNote': patch['versionData.returnNote'] ?? null,
      })
    : counted;
  const isKept = current !== 'SCHEDULED' && !frozenStatuses.includes(current);
  return withChanges(edited, { 'versionData.status': isKept ? current : 'DRAFT' });
}

/**
 * Changes the status of a version by the table of transitions.
 * @param before what the caller must be allowed to publish even without the transition
 */
function changeStatus(
  base: ArticleValues,
  wanted: VersionStatus,
  stamp: Stamp,
  before: readonly Publishable[] = [],
): ArticleDecision | Refusal {
  const from = base['versionData.status'];
  if (wanted === from) return { values: withState(base), events: ['updated'], publishes: before };
  const need = versionTransitions[from][wanted];
  if (need === undefined) {
    const allowed = Object.keys(versionTransitions[from]);
    return new Refusal(invalidTransition('versionData.status', from, wanted, allowed), before);
  }
  const publishes = need === 'publish' ? [...before, articles] : before;
  const fault = findTimeFault(base, wanted, stamp.instant);
  if (fault !== null) return refuse(fault, publishes);
  const changed = withChanges(markRound(base, wanted, stamp), {
    'versionData.status': wanted,
    scheduleError: null,
  });
  const isReturned = from === 'IN_REVIEW' && wanted === 'DRAFT';
  return {
    values: withState(markPublished(changed, from, stamp.instant)),
    events: [isReturned ? 'returned' : (transitionEvents[wanted] ?? 'updated')],
    publishes,
  };
}

/** Stores who submitted a version, or sent it back: a draft then follows the version that was submitted. */
function markRound(values: ArticleValues, wanted: VersionStatus, { instant, userId }: Stamp): ArticleValues {
  if (wanted === 'IN_REVIEW')
    return withChanges(values, { 'versionData.submittedAt': instant, 'versionData.submittedBy': userId });
  if (wanted !== 'DRAFT' || values['versionData.status'] !== 'IN_REVIEW') return values;
  const draft = isFrozen(values) ? openVersion(values, instant) : values;
  return withChanges(draft, { 'versionData.returnedAt': instant, 'versionData.returnedBy': userId });
}

/** Sets which version is published, after a change of the status of a version. */
function markPublished(values: ArticleValues, from: VersionStatus, instant: string): ArticleValues {
  if (from === 'PUBLISHED') return withChanges(values, { publishedVersionNumber: null });
  if (values['versionData.status'] !== 'PUBLISHED') return values;
  return withChanges(values, {
    'versionData.publishedAt': instant,
    publishedVersionNumber: values['versionData.versionNumber'],
    [firstPublishedAt]: values[firstPublishedAt] ?? instant,
  });
}

/** Unpublishes the published version of an article that has a newer draft; the draft does not change. */
function unpublishBesideDraft(merged: ArticleValues, current: VersionStatus): ArticleDecision {
  const values = withChanges(merged, { 'versionData.status': current, publishedVersionNumber: null });
  return { values: withState(values), events: ['unpublished'], publishes: [articles] };
}

/** Checks the times of a version that is to be scheduled or published. @returns null when they are valid */
function findTimeFault(values: ArticleValues, wanted: VersionStatus, instant: string): Fault | null {
  const scheduledFor = values['versionData.scheduledFor'];
  if (wanted === 'SCHEDULED' && !(scheduledFor !== null && scheduledFor > instant)) {
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

function withState(values: ArticleValues): ArticleValues {
  return withChanges(values, { state: stateOf(values) });
}

/** The article's state, derived from the two version numbers and the status. CHANGED: a newer draft exists. */
function stateOf(values: ArticleValues): ArticleState {
  const published = values.publishedVersionNumber;
  const archived = values['versionData.status'] === 'ARCHIVED';
  if (published === null) return archived ? 'ARCHIVED' : 'UNPUBLISHED';
  return published === values['versionData.versionNumber'] || archived ? 'PUBLISHED' : 'CHANGED';
}

/** The number of words in the body; 0 without one. */
function wordsOf(values: ArticleValues): number {
  const body = values['versionData.body'];
  return body === null ? 0 : countBodyWords(body, values['versionData.bodyFormat']);
}

/** The language of articles that give none. @throws Error without a site, which is a bug */
function localeOf(site: SiteRecord | null): string {
  if (site === null) throw new Error('an article belongs to a site');
  return site.values.defaultLocale;
}

/** Plans articles, and moves, makes and takes back their schedules, through the queue of changes, and offers to undo it. */

import { etagOf } from '@trellis/client/response.ts';
import { articles } from '@trellis/schema/resources/articles.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { useEffect, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import type { ApiRecord } from '../../../api/api.ts';
import { isProblem, ProblemError } from '../../../api/problem.ts';
import { withPatch } from '../../../outbox/merge/rebase.ts';
import { useSubmitAndWait } from '../../../pending/use-submit-and-wait.ts';
import { texts as recordTexts } from '../../../records/texts.ts';
import { recordPathOf } from '../../../resources/places.ts';
import { readRecord } from '../../../resources/queries.ts';
import { titleOf } from '../../../resources/values.ts';
import { useWorkspace } from '../../../session/workspace.ts';
import { useFeatureText } from '../../../text/feature.ts';
import { useNames } from '../../../text/names.ts';
import { useText } from '../../../text/text.ts';
import { isFocusLost } from '../../../ui/keep-focus.ts';
import { describeError } from '../../../ui/problem-text.ts';
import { showToast } from '../../../ui/toasts/toasts.ts';
import { statusOfArticle } from '../moves.ts';
import { type Illustrated, illustratedOf, readPictures } from '../pictures-in-text.ts';
import { texts as articleTexts } from '../texts.ts';
import { texts } from './texts.ts';

/** The status of a version with its times, RFC 3339. */
interface Plan {
  readonly status: 'DRAFT' | 'SCHEDULED';
  readonly scheduledFor: string | null;
  readonly unpublishAt: string | null;
}

/** What the person is asked about before an article is scheduled. */
interface Question {
  readonly record: ApiRecord;
  /** With the proposed time. */
  readonly proposed: ApiRecord;
  readonly shown: Illustrated;
}

/**
 * @param zone in which times are told
 * @param mayPublish without it, what was scheduled cannot be scheduled again by undoing
 */
export function useMoves(siteId: string, zone: string, mayPublish: boolean) {
  const { api } = useWorkspace();
  // Toasts are shown wherever the person is by then.
  const change = useSubmitAndWait(() => true);
  const featureText = useFeatureText(texts);
  const articleText = useFeatureText(articleTexts);
  const recordText = useFeatureText(recordTexts);
  const text = useText();
  const names = useNames();
  const { formatDate } = useIntl();
  const [question, setQuestion] = useState<Question | null>(null);
  const [moved, setMoved] = useState<ReadonlyMap<string, ApiRecord>>(new Map());
  const last = useRef<string | null>(null);
  // The button that had the focus is gone with the day on which the article was.
  useEffect(() => {
    if (last.current === null || !isFocusLost()) return;
    document.querySelector<HTMLElement>(`[data-plan-of="${last.current}"]`)?.focus({ preventScroll: true });
    last.current = null;
  });
  /** Shows an article where it is moved to. @param shown null: where it was read */
  const show = (id: string, shown: ApiRecord | null) => {
    last.current = id;
    setMoved((before) => {
      const after = new Map(before);
      if (shown === null) after.delete(id);
      else after.set(id, shown);
      return after;
    });
  };

  const fail = (record: ApiRecord, error: unknown) => {
    const title = titleOf(articles, record);
    const message = isProblem(error, 'version_mismatch')
      ? featureText('changed', { title })
      : featureText('refused', { title, reason: describeError(error, text, names) });
    showToast({ kind: 'failure', message });
  };

  const say = ({ status, scheduledFor }: Plan, title: string): string => {
    if (scheduledFor === null) return featureText('removed', { title });
    const date = formatDate(scheduledFor, { dateStyle: 'full', timeStyle: 'short', timeZone: zone });
    return featureText(status === 'SCHEDULED' ? 'moved' : 'planned', { title, date });
  };

  const send = async (record: ApiRecord, plan: Plan): Promise<void> => {
    show(record.id, withPlan(record, plan));
    const title = titleOf(articles, record);
    const path = `/v1${recordPathOf(articles, siteId, record.id)}`;
    // A change of the times alone would return what is scheduled to a draft.
    const request = {
      method: 'PATCH',
      path,
      body: { versionData: plan },
      ifMatch: etagOf(record.version),
    } as const;
    try {
      const result = await change({ record: record.id, label: title, request });
      const after = result.kind === 'done' ? result.record : null;
      show(record.id, after);
      if (after === null) return;
      const before = planOf(record);
      // An approved text that was scheduled cannot become an approved one again.
      const isUndone = before !== null && (mayPublish || before.status === 'DRAFT');
      const action = { label: recordText('undo'), run: () => void (before && send(after, before)) };
      showToast({ kind: 'done', message: say(plan, title), ...(isUndone ? { action } : {}) });
    } catch (error) {
      show(record.id, null);
      fail(record, error);
    }
  };

  /** The text and the cover; none while the server cannot be reached, when nothing about its pictures can be asked. @throws ProblemError */
  const readShown = async ({ id }: ApiRecord): Promise<Illustrated> => {
    try {
      const fields = 'versionData.body,versionData.coverFileId';
      return illustratedOf(await readRecord(api, articles, siteId, id, undefined, fields));
    } catch (error) {
      if (error instanceof ProblemError && error.isTemporary) return { body: '', cover: null };
      throw error;
    }
  };

  /** Whether an article has pictures that readers could not load, or that cannot be read, which the dialog says. */
  const hasHiddenPictures = (shown: Illustrated) =>
    readPictures(api, shown).then(
      ({ hidden }) => hidden.length > 0,
      () => true,
    );

  const hasPassed = (to: Date): boolean => {
    if (to.getTime() > Date.now()) return false;
    showToast({ kind: 'failure', message: articleText('timePassed') });
    return true;
  };

  /**
   * Schedules an article, after asking where that is about more than the time.
   * @param to null to ask for the time
   * @param asks whether to ask in any case
   */
  const schedule = async (record: ApiRecord, to: Date | null, asks = to === null): Promise<void> => {
    if (to !== null && hasPassed(to)) return;
    const scheduledFor = to?.toISOString() ?? timeAt(record, 'scheduledFor');
    const unpublishAt = timeAt(record, 'unpublishAt');
    const plan = { status: 'SCHEDULED', scheduledFor, unpublishAt } as const;
    const isEnded = unpublishAt !== null && scheduledFor !== null && unpublishAt <= scheduledFor;
    try {
      const shown = await readShown(record);
      if (!asks && !isEnded && !(await hasHiddenPictures(shown))) return await send(record, plan);
      setQuestion({ record, proposed: withPlan(record, plan), shown });
    } catch (error) {
      fail(record, error);
    }
  };

  return {
    question,
    /** The articles that were moved, as they are to be shown, by their ids. */
    moved,
    schedule,
    /** Puts an article on a time: a draft stays one, and others are scheduled. */
    put: async (record: ApiRecord, to: Date): Promise<void> => {
      const status = statusOfArticle(record);
      // What was not scheduled is going to be published by this, and cannot be made an approved text again.
      if (status !== 'DRAFT') return schedule(record, to, status !== 'SCHEDULED');
      if (hasPassed(to)) return;
      const unpublishAt = timeAt(record, 'unpublishAt');
      await send(record, { status: 'DRAFT', scheduledFor: to.toISOString(), unpublishAt });
    },
    /** Takes its date from an article, which is a draft then. */
    remove: (record: ApiRecord) =>
      void send(record, { status: 'DRAFT', scheduledFor: null, unpublishAt: timeAt(record, 'unpublishAt') }),
    confirm: ({ record }: Question, scheduledFor: string, unpublishAt: string | null) => {
      setQuestion(null);
      void send(record, { status: 'SCHEDULED', scheduledFor, unpublishAt });
    },
    close: () => setQuestion(null),
  };
}

function timeAt(record: ApiRecord, name: 'scheduledFor' | 'unpublishAt'): string | null {
  const value = valueAt(record, `versionData.${name}`);
  return typeof value === 'string' ? value : null;
}

/** What there was, as far as it can be had again; null: it cannot. */
function planOf(record: ApiRecord): Plan | null {
  const status = statusOfArticle(record);
  if (status !== 'DRAFT' && status !== 'SCHEDULED') return null;
  const scheduledFor = timeAt(record, 'scheduledFor');
  const isToCome = scheduledFor !== null && Date.parse(scheduledFor) > Date.now();
  if (status === 'SCHEDULED' && !isToCome) return null;
  return { status, scheduledFor: isToCome ? scheduledFor : null, unpublishAt: timeAt(record, 'unpublishAt') };
}

function withPlan(record: ApiRecord, plan: Plan): ApiRecord {
  return { ...record, ...withPatch(record, { versionData: plan }) };
}

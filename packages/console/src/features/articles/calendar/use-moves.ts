/** Moves the publication of scheduled articles through the queue of changes, and offers to move them back. */
import { etagOf } from '@trellis/client/response.ts';
import { articles } from '@trellis/schema/resources/articles.ts';
import { useEffect, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import type { ApiRecord } from '../../../api/api.ts';
import { isProblem, ProblemError } from '../../../api/problem.ts';
import { withPatch } from '../../../outbox/merge/rebase.ts';
import { texts as recordTexts } from '../../../records/texts.ts';
import { recordPathOf } from '../../../resources/places.ts';
import { readRecord } from '../../../resources/queries.ts';
import { titleOf, valueAt } from '../../../resources/values.ts';
import { useWorkspace } from '../../../session/workspace.ts';
import { useFeatureText } from '../../../text/feature.ts';
import { useNames } from '../../../text/names.ts';
import { useText } from '../../../text/text.ts';
import { describeError } from '../../../ui/problem-text.ts';
import { showToast } from '../../../ui/toasts/toasts.ts';
import { isFocusLost } from '../../../ui/use-return-focus.ts';
import { useSubmitAndWait } from '../../../waiting/use-submit-and-wait.ts';
import { readPictures } from '../pictures-in-text.ts';
import { texts as articleTexts } from '../texts.ts';
import { texts } from './texts.ts';

/** RFC 3339. */
interface Times {
  readonly scheduledFor: string;
  readonly unpublishAt: string | null;
}

/** What the person is asked about before an article is moved. */
interface Question {
  readonly record: ApiRecord;
  /** With the proposed time. */
  readonly proposed: ApiRecord;
  readonly body: string;
}

/** Id of the button that moves an article. */
export const buttonOf = (id: string) => `move-${id}`;

/** @param zone in which times are told */
export function useMoves(siteId: string, zone: string) {
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
    document.getElementById(buttonOf(last.current))?.focus({ preventScroll: true });
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

  const send = async (record: ApiRecord, times: Times): Promise<void> => {
    show(record.id, withTimes(record, times));
    const title = titleOf(articles, record);
    const path = `/v1${recordPathOf(articles, siteId, record.id)}`;
    // A change of the times alone would return it to a draft.
    const body = { versionData: { status: 'SCHEDULED', ...times } };
    const request = { method: 'PATCH', path, body, ifMatch: etagOf(record.version) } as const;
    try {
      const result = await change({ record: record.id, label: title, request });
      const after = result.kind === 'done' ? result.record : null;
      show(record.id, after);
      if (after === null) return;
      const date = formatDate(times.scheduledFor, { dateStyle: 'full', timeStyle: 'short', timeZone: zone });
      const undo = () => void send(after, timesOf(record));
      showToast({
        kind: 'done',
        message: featureText('moved', { title, date }),
        action: { label: recordText('undo'), run: undo },
      });
    } catch (error) {
      show(record.id, null);
      fail(record, error);
    }
  };

  /** The text; empty while the server cannot be reached, when nothing about its pictures can be asked. @throws ProblemError */
  const readBody = async ({ id }: ApiRecord): Promise<string> => {
    try {
      const record = await readRecord(api, articles, siteId, id, undefined, 'versionData.body');
      return String(valueAt(record, 'versionData.body') ?? '');
    } catch (error) {
      if (error instanceof ProblemError && error.isTemporary) return '';
      throw error;
    }
  };

  /** Whether a text has pictures that readers could not load, or that cannot be read, which the dialog says. */
  const hasHiddenPictures = (body: string) =>
    readPictures(api, body).then(
      ({ hidden }) => hidden.length > 0,
      () => true,
    );

  return {
    question,
    /** The articles that were moved, as they are to be shown, by their ids. */
    moved,
    /**
     * Moves an article, after asking where that is about more than the time.
     * @param to null to ask for the time
     */
    move: async (record: ApiRecord, to: Date | null): Promise<void> => {
      if (to !== null && to.getTime() <= Date.now())
        return showToast({ kind: 'failure', message: articleText('timePassed') });
      const before = timesOf(record);
      const times = to === null ? before : { ...before, scheduledFor: to.toISOString() };
      const isEnded = times.unpublishAt !== null && times.unpublishAt <= times.scheduledFor;
      try {
        const body = await readBody(record);
        if (to !== null && !isEnded && !(await hasHiddenPictures(body))) return await send(record, times);
        setQuestion({ record, proposed: withTimes(record, times), body });
      } catch (error) {
        fail(record, error);
      }
    },
    schedule: ({ record }: Question, times: Times) => {
      setQuestion(null);
      void send(record, times);
    },
    close: () => setQuestion(null),
  };
}

function timesOf(record: ApiRecord): Times {
  const end = valueAt(record, 'versionData.unpublishAt');
  return {
    scheduledFor: String(valueAt(record, 'versionData.scheduledFor')),
    unpublishAt: typeof end === 'string' ? end : null,
  };
}

function withTimes(record: ApiRecord, times: Times): ApiRecord {
  return { ...record, ...withPatch(record, { versionData: times }) };
}

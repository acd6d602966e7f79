/** Offers to undo the last change. */

import { useQueryClient } from '@tanstack/react-query';
import { makeIdempotencyKey } from '@trellis/client/keys.ts';
import { useIntl } from 'react-intl';
import type { ApiRecord } from '../api/api.ts';
import { StepUpCancelled, useStepUp } from '../api/proof.ts';
import { readHeading } from '../fields/ReferenceName.tsx';
import { type Done, planUndo, type Undo, type UndoResult, undo } from '../outbox/edit/undo.ts';
import { sendingAccepted } from '../resources/body-to-send.ts';
import { resourceByName } from '../resources/declared.ts';
import { recordKeys } from '../resources/queries.ts';
import { refreshQueries } from '../resources/refresh-queries.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { describeError } from '../ui/problem-text.ts';
import { showToast } from '../ui/toasts/toasts.ts';
import { texts } from './texts.ts';

/**
 * Returns a function that shows a toast after a save, with an undo button where possible. The message describes the change; pages where
 * several changes can follow each other must name the record in it.
 */
export function useUndo(): (done: Done, message?: string) => void {
  const { api, signedIn } = useWorkspace();
  const withStepUp = useStepUp();
  const queries = useQueryClient();
  const featureText = useFeatureText(texts);
  const text = useText();
  const names = useNames();
  const { formatList } = useIntl();

  const nameOf = async (id: string | null): Promise<string> => {
    if (id === null) return featureText('somebody');
    return await readHeading(api, resourceByName('members'), null, id).then(
      ({ title }) => title,
      () => featureText('somebody'),
    );
  };

  const say = async (done: Done, result: UndoResult): Promise<void> => {
    if (result.kind === 'undone') {
      const record = result.record as ApiRecord;
      queries.setQueryData(recordKeys.record(done.resource, record.id), record);
      void refreshQueries(queries, recordKeys.all(done.resource));
      showToast({ kind: 'done', message: featureText('undone') });
    } else if (result.kind === 'deleted-since') {
      showToast({ kind: 'failure', message: featureText('deletedSince') });
    } else {
      const name = await nameOf(result.by);
      const own = String(result.by === signedIn.user.id);
      const fields = formatList(result.fields.map(names.field));
      const message =
        result.fields.length === 0
          ? featureText('changedSince', { name, own })
          : featureText('changedFields', { name, fields, own });
      showToast({ kind: 'failure', message });
    }
  };

  const run = async (done: Done, plan: Undo, key: string): Promise<void> => {
    try {
      await say(done, await withStepUp(() => undo(sendingAccepted(api), plan, key)));
    } catch (error) {
      if (error instanceof StepUpCancelled) return;
      showToast({
        kind: 'failure',
        message: describeError(error, text, names),
        action: { label: text('retry'), run: () => void run(done, plan, key) },
      });
    }
  };

  return (done, message = featureText('saved')) => {
    const plan = planUndo(done);
    const key = makeIdempotencyKey();
    showToast({
      kind: 'done',
      message,
      ...('kind' in plan
        ? {}
        : { action: { label: featureText('undo'), run: () => void run(done, plan, key) } }),
    });
  };
}

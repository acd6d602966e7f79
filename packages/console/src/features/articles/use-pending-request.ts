/** The state of a request that the user waits for: whether it is in progress, and why it failed. */
import { useState } from 'react';
import { RequestRefused } from '../../outbox/edit/save-state.ts';
import { autosaveRefused } from '../../outbox/store/refusal.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { describeError } from '../../ui/problem-text.ts';
import { texts } from './texts.ts';

export function usePendingRequest() {
  const featureText = useFeatureText(texts);
  const text = useText();
  const names = useNames();
  const [isWaiting, setIsWaiting] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const describe = (error: unknown): string => {
    if (!(error instanceof RequestRefused)) return describeError(error, text, names);
    if (error.refusal === null) return featureText('givenUp');
    const { code } = error.refusal;
    return code === 'version_mismatch' || code === autosaveRefused
      ? featureText('changedMeanwhile')
      : error.message;
  };
  return {
    isWaiting,
    /** A sentence; null when nothing has failed. */
    failure,
    clearFailure: () => setFailure(null),
    /** The sentence for a failure of such a request. */
    describe,
    /** Never rejects. @returns whether it was done */
    run: async (request: () => Promise<unknown>): Promise<boolean> => {
      setIsWaiting(true);
      setFailure(null);
      try {
        await request();
        return true;
      } catch (error) {
        setFailure(describe(error));
        return false;
      } finally {
        setIsWaiting(false);
      }
    },
  };
}

/** Changes whose response a page waits for, such as a deletion: the page reports a refusal, and the change is not kept. */
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { EarlierRefused, type Outcome, type Submitted, useChanges } from '../outbox/edit/use-changes.ts';
import type { Change, NewChange } from '../outbox/store/change.ts';
import type { Refusal } from '../outbox/store/refusal.ts';
import { findPlace } from '../resources/places.ts';
import { recordKeys } from '../resources/queries.ts';
import { refreshQueries } from '../resources/refresh-queries.ts';
import { useIsShown } from '../ui/use-is-shown.ts';
import { toProblem } from './problem.ts';

type AddedChange = Omit<NewChange, 'after'>;

/**
 * Returns a function that queues a change after the known ones of its record, and waits for the response. A refused
 * change is taken out of the queue and thrown, as long as the component is shown, which says why. Afterwards it stays in the list of
 * pending changes, where the person finds it: then the outcome is `refused`. A change that is blocked by an earlier, refused one that
 * a person has to decide on is taken out as well.
 * @param isReportedAnyway refusals that are thrown also when the component is gone
 * @returns a function that throws ProblemError for a refusal, NotStored, and EarlierRefused. Its signal takes the change out if it was never
 *   sent; one that was sent may be done already, and stays
 */
export function useSubmitAndWait(
  isReportedAnyway: (refusal: Refusal) => boolean = () => false,
): (added: AddedChange, signal?: AbortSignal) => Promise<Outcome> {
  const changes = useChanges();
  const queries = useQueryClient();
  const isShown = useIsShown();
  /** The last change of each record that was made here, as soon as it is stored; null when it could not be. */
  const own = useRef(new Map<string, Promise<Submitted | null>>());
  /** `sequence` of the changes that were made here: those that are refused are taken out, and hold nothing up. */
  const ownSequences = useRef(new Set<number>());
  const store = async (added: AddedChange, last: Submitted | null): Promise<Submitted> => {
    // Not from the list of pending changes, which is updated later. If it cannot be read, storing fails as well, which is reported below.
    const stored = await changes.list(added.record).catch(() => []);
    // The last one from here is taken out as soon as its refusal is known.
    const isHeldUp = stored.some(
      ({ refusal, sequence }) => refusal !== null && sequence !== last?.change.sequence,
    );
    if (isHeldUp) throw new EarlierRefused();
    return changes.submit({ ...added, after: stored.at(-1)?.key ?? null });
  };
  /** Waits for the response, unless an earlier change of the record is refused meanwhile: this one would not be sent. */
  const waitForOutcome = async ({ change, outcome }: Submitted): Promise<Outcome> => {
    const { record, sequence } = change;
    ownSequences.current.add(sequence);
    const heldUp = Promise.withResolvers<null>();
    const check = () => {
      const isHeldUp = changes
        .state()
        .changes.some(
          (one) =>
            one.record === record &&
            one.sequence < sequence &&
            one.refusal !== null &&
            !ownSequences.current.has(one.sequence),
        );
      if (isHeldUp && isShown()) heldUp.resolve(null);
    };
    const end = changes.subscribe(check);
    check();
    try {
      const result = await Promise.race([outcome, heldUp.promise]);
      if (result !== null) return result;
      if (await changes.dismiss(change)) throw new EarlierRefused();
      return await outcome;
    } finally {
      end();
    }
  };
  const withdraw = async ({ record, sequence }: Change): Promise<void> => {
    const stored = (await changes.list(record)).find((one) => one.sequence === sequence);
    if (stored?.firstSentAt === null) await changes.dismiss(stored);
  };
  return async (added, signal) => {
    const { record } = added;
    const preceding = own.current.get(record) ?? Promise.resolve(null);
    const submitting = preceding.then((last) => store(added, last));
    own.current.set(
      record,
      submitting.catch(() => null),
    );
    const submitted = await submitting;
    // What cannot be read is still sent.
    const abort = () => void withdraw(submitted.change).catch(() => undefined);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
    const result = await waitForOutcome(submitted);
    if (result.kind === 'done') return result;
    // Somebody else may have changed what the page shows.
    const place = findPlace(added.request.path.replace(/^\/v1/, ''));
    if (place !== null) void refreshQueries(queries, recordKeys.all(place.resource));
    if (result.kind === 'gone') return result;
    if (!isShown() && !isReportedAnyway(result.refusal)) return result;
    await changes.dismiss(result.change);
    throw toProblem(result.refusal);
  };
}

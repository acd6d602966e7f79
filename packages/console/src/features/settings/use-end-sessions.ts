/** Ends sessions, with a fresh proof of who one is where the last one is too old. */
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { isProblem } from '../../api/problem.ts';
import { StepUpCancelled, useStepUp } from '../../api/proof.ts';
import { refreshQueries } from '../../resources/refresh-queries.ts';

/**
 * Ends the given sessions one after the other. One that has ended meanwhile is not a failure.
 * @param end ends one by its id
 * @param changed queries that are read again afterwards, also when only some sessions were ended
 */
export function useEndSessions(end: (id: string) => Promise<unknown>, changed: QueryKey) {
  const withStepUp = useStepUp();
  const queries = useQueryClient();
  const mutation = useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const id of ids) {
        try {
          await withStepUp(() => end(id));
        } catch (error) {
          if (!isProblem(error, 'not_found')) throw error;
        }
      }
    },
    onSettled: () => refreshQueries(queries, changed),
  });
  const failure = mutation.error instanceof StepUpCancelled ? null : mutation.error;
  return { ...mutation, failure };
}

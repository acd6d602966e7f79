/** Restores several records of the trash, and says what could not be restored. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { requestOf } from '@trellis/client/api-client.ts';
import type { TrashEntry } from '@trellis/client/generated/types.ts';
import { makeIdempotencyKey } from '@trellis/client/keys.ts';
import { ProblemError } from '../../api/problem.ts';
import { useBulks } from '../../outbox/bulk/use-bulks.ts';
import { refreshQueries } from '../../resources/refresh-queries.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { showToast } from '../../ui/toasts/toasts.ts';
import { texts } from './texts.ts';

/** Why records could not be restored, by id. */
export type Failures = ReadonlyMap<string, unknown>;

/** A mutation whose variables are the entries and whose data are the failures. */
export function useRestoreSelected() {
  const { api } = useWorkspace();
  const queries = useQueryClient();
  const bulks = useBulks();
  const featureText = useFeatureText(texts);
  return useMutation({
    mutationFn: async (entries: readonly TrashEntry[]): Promise<Failures> => {
      let failures = new Map<string, unknown>();
      let waiting = entries;
      // What refers to a record of the selection can be restored after it, so what failed is tried again while others succeed.
      for (;;) {
        failures = new Map();
        for (const { id } of waiting) {
          try {
            await api.write({
              ...requestOf('restoreFromTrash', { path: { id } }),
              idempotencyKey: makeIdempotencyKey(),
            });
            await bulks.forgetRestorations([id]);
          } catch (error) {
            // Without a connection none of the others can be restored either.
            if (!(error instanceof ProblemError) || error.status === null) throw error;
            failures.set(id, error);
          }
        }
        const left = waiting.filter(({ id }) => failures.has(id));
        if (left.length === 0 || left.length === waiting.length) return failures;
        waiting = left;
      }
    },
    onSuccess: ({ size }, { length }) =>
      showToast({
        kind: size === 0 ? 'done' : 'failure',
        message: featureText('restoredSelected', { count: length - size, failed: size }),
      }),
    // A restored record appears in lists, searches and counts.
    onSettled: () => refreshQueries(queries, ['v1']),
  });
}

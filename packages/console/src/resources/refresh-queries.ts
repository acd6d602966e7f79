/** Refetching queries that a change has invalidated. */
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Marks what was read below a key as old, and reads again what is shown of it. What is just being read for the first time is read once more
 * when it is there: its response may be older than the change, and TanStack Query would keep it.
 * @param isLeft which of these are left as they are
 * @returns what ends when all has been read; failures are those of the pages that show them
 */
export async function refreshQueries(
  queries: QueryClient,
  queryKey: QueryKey,
  isLeft: (query: Query) => boolean = () => false,
): Promise<void> {
  const begun = new Set(
    queries
      .getQueryCache()
      .findAll({ queryKey, fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined),
  );
  await queries.invalidateQueries({ queryKey, predicate: (query) => !isLeft(query) });
  if (begun.size === 0) return;
  await Promise.allSettled([...begun].map(({ promise }) => promise));
  await queries.invalidateQueries({ queryKey, predicate: (query) => begun.has(query) });
}

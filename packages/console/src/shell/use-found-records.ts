/** Finds records of every resource that one may read, for a text that is being typed. */
import { useDebouncedValue } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { limits } from '@trellis/schema/resources/limits.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { resources } from '../resources/declared.ts';
import { readLastParent } from '../resources/places.ts';
import { type Found, listRecords, searchRecords } from '../resources/queries.ts';
import { useRefusal } from '../session/missing-right.ts';
import { useWorkspace } from '../session/workspace.ts';

/** Number of records requested from each collection. */
const recordsPerCollection = 5;
/** Maximum number of sites, or other parents, whose records are searched; each needs its own request. */
const parentsSearched = 3;
/** Milliseconds after the last key. */
const settlingMs = 150;

/** The records of one resource, below one parent if it has parents. */
interface Collection {
  readonly resource: Resource;
  readonly parentId: string | null;
}

export interface FoundRecord extends Collection {
  readonly record: Found;
}

/** The best records of each collection for a text. While it is typed, nothing of an earlier text is shown. */
export function useFoundRecords(query: string) {
  const refusal = useRefusal();
  const { api } = useWorkspace();
  const typed = query.trim();
  const [settled] = useDebouncedValue(typed, settlingMs);
  const isLongEnough = typed.length >= limits.searchText.min;
  const collections = useCollections(isLongEnough);
  const results = useQueries({
    queries: collections.found.map(({ resource, parentId }) => ({
      queryKey: ['v1', resource.name, 'palette', parentId, settled],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        searchRecords(api, resource, parentId, settled, recordsPerCollection, signal),
      enabled: isLongEnough && typed === settled && refusal(resource, 'read') === null,
      staleTime: 30_000,
    })),
  });
  const isSettled = isLongEnough && typed === settled;
  const found = collections.found.flatMap((collection, index): FoundRecord[] =>
    (results[index]?.data ?? []).map((record) => ({ ...collection, record })),
  );
  return {
    found: isSettled ? found : [],
    isSearching:
      isLongEnough && (!isSettled || collections.isPending || results.some(({ isFetching }) => isFetching)),
    failed: isSettled && results.some(({ isError }) => isError),
  };
}

/** The collections to search: below the parent that was worked with last, and below the newest others. */
function useCollections(enabled: boolean): { found: readonly Collection[]; isPending: boolean } {
  const refusal = useRefusal();
  const { api } = useWorkspace();
  const parents = resources.filter(({ name }) => resources.some(({ parent }) => parent?.resource === name));
  const lists = useQueries({
    queries: parents.map((parent) => ({
      queryKey: ['v1', parent.name, 'parents of the palette'],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        listRecords(api, parent, null, { limit: String(parentsSearched), fields: 'id' }, undefined, signal),
      enabled: enabled && refusal(parent, 'read') === null,
      staleTime: 60_000,
    })),
  });
  const parentIds = new Map(
    parents.map((parent, index) => {
      const listed = lists[index]?.data?.items.map(({ id }) => id) ?? [];
      const last = readLastParent(parent.name);
      const ids = last === null ? listed : [last, ...listed.filter((id) => id !== last)];
      return [parent.name, ids.slice(0, parentsSearched)];
    }),
  );
  return {
    found: resources.flatMap((resource): Collection[] =>
      resource.parent === null
        ? [{ resource, parentId: null }]
        : (parentIds.get(resource.parent.resource) ?? []).map((parentId) => ({ resource, parentId })),
    ),
    isPending: lists.some(({ isLoading }) => isLoading),
  };
}

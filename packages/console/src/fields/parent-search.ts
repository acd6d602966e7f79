/** Finds which parent a record is below when only its id is known, such as the site of an article in the contents of an issue. */
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { Api, ApiRecord } from '../api/api.ts';
import { isProblem } from '../api/problem.ts';
import { readLastParent } from '../resources/places.ts';
import { listRecords, readRecord, recordKeys } from '../resources/queries.ts';
import { useRefusal } from '../session/missing-right.ts';
import { useWorkspace } from '../session/workspace.ts';
import { headingKey, readHeading } from './ReferenceName.tsx';

/** Parents that are searched for a record. */
const parentsSearched = 50;

/** Not a key of the records: a record's parent never changes, so no change of a record invalidates it. */
const keys = {
  all: (resource: Resource) => ['parent', resource.name] as const,
  one: (resource: Resource, id: string | null) => ['parent', resource.name, id] as const,
  chosen: (parent: Resource) => ['parent chosen', parent.name] as const,
};

export interface FoundParent {
  /** Id of the parent; null while it is searched, and when it is not found. */
  readonly parentId: string | null;
  readonly isSearching: boolean;
  readonly error: Error | null;
  /** Notes the parent of a record that was chosen below it. */
  readonly note: (id: string, parentId: string) => void;
}

/** The parent that a record is below. @param id null: nothing is searched */
export function useParentOf(parent: Resource, resource: Resource, id: string | null): FoundParent {
  const { api } = useWorkspace();
  const queries = useQueryClient();
  const refusal = useRefusal();
  const found = useQuery({
    queryKey: keys.one(resource, id),
    queryFn: ({ signal }) =>
      inTurn(signal, () => findParent({ api, queries, parent, resource, id: id ?? '', signal })),
    enabled: id !== null && refusal(resource, 'read') === null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return {
    parentId: (id === null ? null : found.data) ?? null,
    isSearching: found.isPending && found.fetchStatus !== 'idle',
    error: found.error,
    note: (chosen, parentId) => {
      queries.setQueryData(keys.one(resource, chosen), parentId);
      queries.setQueryData(keys.chosen(parent), parentId);
    },
  };
}

/** The parent that the next record is probably below: that of the last one that was chosen, or else the one that was worked with last. */
export function useLikelyParent(parent: Resource): string | null {
  const queries = useQueryClient();
  return queries.getQueryData<string>(keys.chosen(parent)) ?? readLastParent(parent.name);
}

let last: Promise<unknown> = Promise.resolve();

/** One search after the other: each starts from the results of the previous one. */
function inTurn<T>(signal: AbortSignal, search: () => Promise<T>): Promise<T> {
  const result = last.then(() => {
    signal.throwIfAborted();
    return search();
  });
  last = result.catch(() => undefined);
  return result;
}

interface Search {
  readonly api: Api;
  readonly queries: QueryClient;
  readonly parent: Resource;
  readonly resource: Resource;
  readonly id: string;
  readonly signal: AbortSignal;
}

/** The id of the parent that a record is below; null when it is not found. @throws ProblemError */
async function findParent(search: Search): Promise<string | null> {
  const { api, queries, resource, id, signal } = search;
  for (const parentId of await listCandidates(search)) {
    try {
      const heading = await readHeading(api, resource, parentId, id, signal);
      queries.setQueryData(headingKey(resource, id), heading);
      return parentId;
    } catch (error) {
      // It may have a parent whose records the user may read.
      if (!isProblem(error, 'not_found', 'permission_denied')) throw error;
    }
  }
  return null;
}

/**
 * Reads records of any parents of which only the ids are known.
 * @param fields dotted names, separated by commas
 * @returns null for a record that is not found, or that the user may not read
 * @throws ProblemError
 */
export async function readBelowParents(
  search: Omit<Search, 'id'>,
  ids: readonly string[],
  fields: string,
): Promise<readonly (ApiRecord | null)[]> {
  const { api, queries, resource, signal } = search;
  const read = async (id: string): Promise<ApiRecord | null> => {
    const parentId = await queries.fetchQuery({
      queryKey: keys.one(resource, id),
      queryFn: () => inTurn(signal, () => findParent({ ...search, id })),
      staleTime: Number.POSITIVE_INFINITY,
    });
    if (parentId === null) return null;
    return readRecord(api, resource, parentId, id, signal, fields).catch((error: unknown) => {
      if (isProblem(error, 'not_found', 'permission_denied')) return null;
      throw error;
    });
  };
  return Promise.all(ids.map(read));
}

/** The ids of the first parents. */
function parentIds(api: Api, parent: Resource) {
  return queryOptions({
    queryKey: [...recordKeys.all(parent), 'ids'],
    queryFn: ({ signal }) => {
      const query = { fields: 'id', limit: String(parentsSearched) };
      return listRecords(api, parent, null, query, undefined, signal);
    },
    staleTime: 60_000,
  });
}

/** The id of the parent if there is exactly one, so that nobody has to choose it; null otherwise, and while it is read. */
export function useOnlyParent(parent: Resource, isNeeded: boolean): string | null {
  const { api } = useWorkspace();
  const { data } = useQuery({ ...parentIds(api, parent), enabled: isNeeded });
  const [first, ...others] = data?.items ?? [];
  return first !== undefined && others.length === 0 ? first.id : null;
}

/** The ids of parents, the most likely first: those that most others are below, then the one that was worked with last. */
async function listCandidates({ api, queries, parent, resource }: Search): Promise<string[]> {
  const { items } = await queries.fetchQuery(parentIds(api, parent));
  const counts = new Map<string, number>();
  for (const [, found] of queries.getQueriesData<string | null>({ queryKey: keys.all(resource) })) {
    if (typeof found === 'string') counts.set(found, (counts.get(found) ?? 0) + 1);
  }
  const known = [...counts].sort(([, one], [, other]) => other - one).map(([id]) => id);
  const listed = items.map(({ id }) => id);
  const lastUsed = readLastParent(parent.name);
  return [...new Set([...known, ...listed.filter((id) => id === lastUsed), ...listed])];
}

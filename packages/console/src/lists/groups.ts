/** The groups of a list: which field makes them, and how many records are in each. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type CountedChoice, countedChoices } from '@trellis/schema/resources/counts.ts';
import { type Resource, statusOf } from '@trellis/schema/resources/resource.ts';
import { useLiveChanges } from '../live/live.ts';
import { collectionPath } from '../resources/places.ts';
import { recordKeys } from '../resources/queries.ts';
import { useWorkspace } from '../session/workspace.ts';

/** How many records are in a group; null is that of records without a value. */
export interface GroupCount {
  readonly value: string | null;
  /** At least so many, unless it is exact. */
  readonly count: number;
  readonly isExact: boolean;
}

/** The choice whose values are the groups of a resource's lists: its status, or its first choice; null if there is none. */
export function groupingOf(resource: Resource): CountedChoice | null {
  const choices = countedChoices(resource);
  const status = statusOf(resource)?.field;
  return choices.find(({ field }) => field === status) ?? choices[0] ?? null;
}

/**
 * Counts the records of a list in each group, whichever group it shows now. Undefined while they are not known: a list does without them.
 * @param query parameters of the list's filters and search
 * @param isEnabled whether to ask for them
 */
export function useGroupCounts(
  resource: Resource,
  parentId: string | null,
  grouping: CountedChoice,
  query: Readonly<Record<string, string>>,
  isEnabled: boolean,
): readonly GroupCount[] | undefined {
  const { api } = useWorkspace();
  const queries = useQueryClient();
  const { [grouping.name]: _shown, sort: _sort, fields: _fields, ...restricting } = query;
  const parameters = new URLSearchParams({ by: grouping.name, ...restricting });
  const all = [...recordKeys.all(resource), 'counts', parentId];
  const { data } = useQuery({
    queryKey: [...all, parameters.toString()],
    queryFn: ({ signal }) =>
      api.get<{ readonly items: readonly GroupCount[] }>(
        `/v1${collectionPath(resource, parentId)}/counts?${parameters}`,
        signal,
      ),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
  useLiveChanges(async (changes) => {
    const isChanged = changes.some(({ type }) => type.startsWith(`${resource.singular}.`));
    if (isChanged) await queries.invalidateQueries({ queryKey: all });
  });
  return data?.items;
}

/** The number of records in all groups; a lower bound is rounded down to two digits, since the others would look exact. */
export function sumOf(counts: readonly GroupCount[]): Omit<GroupCount, 'value'> {
  const sum = counts.reduce((total, { count }) => total + count, 0);
  const isExact = counts.every((one) => one.isExact);
  const step = 10 ** Math.max(0, String(sum).length - 2);
  return { count: isExact ? sum : Math.floor(sum / step) * step, isExact };
}

/** What others change in a list: rows are read again where they stand, new ones are counted, and deleted ones marked. */
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useEffect, useState } from 'react';
import type { ApiRecord, Page } from '../api/api.ts';
import { isProblem } from '../api/problem.ts';
import { listRecords, readRecord, recordKeys } from '../resources/queries.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useLiveChanges } from './live.ts';

/** How long a row stays marked as changed, in milliseconds. */
const markedMs = 4_000;
/** Rows that are read one by one; more are read as a list. */
const mostRows = 40;
/** The largest page of a list. */
const mostCounted = 100;

export interface LiveList {
  /** Ids of the rows that others have just changed. */
  readonly changed: ReadonlySet<string>;
  /** Ids of the rows that were deleted meanwhile. */
  readonly deleted: ReadonlySet<string>;
  /** The number of new records that the list does not show yet. */
  readonly fresh: number;
  /** Forgets all this: the list was read again. */
  readonly reset: () => void;
}

const none: ReadonlySet<string> = new Set();

export function useLiveList(
  resource: Resource,
  parentId: string | null,
  query: Readonly<Record<string, string>>,
  shown: readonly ApiRecord[],
): LiveList {
  const { api } = useWorkspace();
  const queries = useQueryClient();
  const [changed, setChanged] = useState(none);
  const [deleted, setDeleted] = useState(none);
  const [fresh, setFresh] = useState(none);
  const text = JSON.stringify(query);
  const key = recordKeys.list(resource, parentId, text);
  const [listed, setListed] = useState(text);
  const reset = () => {
    setDeleted(none);
    setFresh(none);
  };
  if (listed !== text) {
    setListed(text);
    reset();
  }
  useEffect(() => {
    if (changed.size === 0) return;
    const timer = setTimeout(() => setChanged(none), markedMs);
    return () => clearTimeout(timer);
  }, [changed]);

  useLiveChanges(async (changes) => {
    const ids = new Set(shown.map(({ id }) => id));
    const own = changes.filter(({ type }) => type.startsWith(`${resource.singular}.`));
    const gone = own.filter(({ type, recordId }) => type.endsWith('.deleted') && ids.has(recordId));
    const made = own.filter(({ type, recordId }) => type.endsWith('.created') && !ids.has(recordId));
    const versions = new Map(shown.map(({ id, version }) => [id, version]));
    // The response to a change of this browser is shown already.
    const rows = own.filter(
      ({ type, recordId, version }) =>
        !type.endsWith('.deleted') && (versions.get(recordId) ?? version) < version,
    );
    if (gone.length > 0) setDeleted((known) => new Set([...known, ...gone.map(({ recordId }) => recordId)]));
    if (made.length > 0) {
      const found = await findMatching(made.map(({ recordId }) => recordId));
      setFresh((known) => new Set([...known, ...found]));
    }
    if (rows.length > mostRows) await queries.invalidateQueries({ queryKey: key });
    else await readRows(rows.map(({ recordId }) => recordId));
  });

  /** Those of the new records that the list would show, whatever its order. */
  const findMatching = async (ids: readonly string[]): Promise<string[]> => {
    const newest = { ...query, fields: 'createdAt', sort: '-createdAt', limit: String(mostCounted) };
    const { items } = await listRecords(api, resource, parentId, newest, undefined);
    return items.map(({ id }) => id).filter((id) => ids.includes(id));
  };

  const readRows = async (ids: readonly string[]) => {
    const found = await Promise.all(
      ids.map(async (id) => {
        try {
          return await readRecord(api, resource, parentId, id, undefined, query.fields);
        } catch (error) {
          // Deleted, or not to be seen any more.
          if (isProblem(error, 'not_found')) return null;
          throw error;
        }
      }),
    );
    const rows = new Map(found.flatMap((row) => (row === null ? [] : [[row.id, row] as const])));
    if (rows.size === 0) return;
    queries.setQueryData<InfiniteData<Page<ApiRecord>>>(key, (data) =>
      data === undefined
        ? data
        : {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              items: page.items.map((item) => rows.get(item.id) ?? item),
            })),
          },
    );
    setChanged(new Set(rows.keys()));
  };

  const shownIds = new Set(shown.map(({ id }) => id));
  return { changed, deleted, fresh: [...fresh].filter((id) => !shownIds.has(id)).length, reset };
}

/** What a calendar shows of a site: the articles that are scheduled, and those that were published. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { articles } from '@trellis/schema/resources/articles.ts';
import type { ApiRecord } from '../../../api/api.ts';
import { readFirst } from '../../../api/pages.ts';
import { useLiveReads } from '../../../live/use-live-reads.ts';
import { useWaiting } from '../../../outbox/edit/use-changes.ts';
import { withWaitingMoves } from '../../../outbox/merge/rebase.ts';
import { recordPathOf } from '../../../resources/places.ts';
import { listRecords, recordKeys } from '../../../resources/queries.ts';
import { titleOf, valueAt } from '../../../resources/values.ts';
import { useWorkspace } from '../../../session/workspace.ts';

/** An article on the day on which it is, or was, published. */
export interface CalendarEntry {
  /** Names it among the entries: an article is there twice if a version of it is published and the next one is scheduled. */
  readonly key: string;
  /** With what a move needs of it. */
  readonly record: ApiRecord;
  readonly title: string;
  readonly at: Date;
  /** Whether its publication is still to come, so that it can be moved. */
  readonly isScheduled: boolean;
}

interface Found {
  readonly scheduled: readonly ApiRecord[];
  readonly published: readonly ApiRecord[];
  readonly hasMore: boolean;
}

/** Articles of each kind that are read. */
const most = 500;
/** The fields of a scheduled article that moving it needs. */
const scheduleFields = ['title', 'status', 'scheduledFor', 'unpublishAt']
  .map((name) => `versionData.${name}`)
  .join();

/**
 * The entries with the moves that the server has not responded to yet.
 * @param from the first instant that is shown, RFC 3339
 * @param moved the articles that were moved here, by their ids, where they are shown until a later version of them is read
 */
export function useEntries(siteId: string, from: string, moved: ReadonlyMap<string, ApiRecord>) {
  const { api } = useWorkspace();
  const { changes } = useWaiting();
  useLiveReads(articles);
  const { data, error, isPending, isPlaceholderData } = useQuery({
    queryKey: recordKeys.list(articles, siteId, `calendar from ${from}`),
    // What is scheduled is the same in all months.
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Found> => {
      const read = (query: Readonly<Record<string, string>>) =>
        readFirst(most, (cursor) =>
          listRecords(api, articles, siteId, { limit: '100', ...query }, cursor, signal),
        );
      const [scheduled, published] = await Promise.all([
        read({ status: 'SCHEDULED', fields: `version,${scheduleFields}` }),
        // An article cannot have been published after its published content changed last.
        read({
          perspective: 'published',
          sort: '-updatedAt',
          updatedSince: from,
          fields: 'version,versionData.title,versionData.publishedAt',
        }),
      ]);
      return {
        scheduled: scheduled.items,
        published: published.items,
        hasMore: scheduled.hasMore || published.hasMore,
      };
    },
  });
  const waiting = changes.filter(({ refusal }) => refusal === null);
  const scheduled = (data?.scheduled ?? []).map((read): ApiRecord => {
    const own = moved.get(read.id);
    const record = own !== undefined && own.version >= read.version ? own : read;
    const path = `/v1${recordPathOf(articles, siteId, record.id)}`;
    // Those from before a reload, too.
    return { ...record, ...withWaitingMoves(record, path, waiting) };
  });
  const entries = [
    ...scheduled.flatMap((record) => toEntry(record, 'scheduledFor')),
    ...(data?.published ?? []).flatMap((record) => toEntry(record, 'publishedAt')),
  ].sort((one, other) => one.at.getTime() - other.at.getTime());
  return { entries, hasMore: data?.hasMore === true, error, isPending: isPending || isPlaceholderData };
}

function toEntry(record: ApiRecord, name: 'scheduledFor' | 'publishedAt'): CalendarEntry[] {
  const at = valueAt(record, `versionData.${name}`);
  const isScheduled = name === 'scheduledFor';
  // It may be one that is returned to a draft by a change that waits.
  if (typeof at !== 'string' || (isScheduled && valueAt(record, 'versionData.status') !== 'SCHEDULED'))
    return [];
  const key = `${record.id} ${name}`;
  return [{ key, record, title: titleOf(articles, record), at: new Date(at), isScheduled }];
}

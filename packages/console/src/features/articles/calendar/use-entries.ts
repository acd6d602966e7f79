/** What the calendar of a site shows: the articles that are planned or scheduled, those that were published, and the drafts without a date. */

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { articles } from '@trellis/schema/resources/articles.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import type { ApiRecord } from '../../../api/api.ts';
import { readFirst } from '../../../api/pages.ts';
import { useLiveReads } from '../../../live/use-live-reads.ts';
import { usePendingChanges } from '../../../outbox/edit/use-changes.ts';
import { withPendingTransitions } from '../../../outbox/merge/rebase.ts';
import { recordPathOf } from '../../../resources/places.ts';
import { listRecords, recordKeys } from '../../../resources/queries.ts';
import { titleOf } from '../../../resources/values.ts';
import { useWorkspace } from '../../../session/workspace.ts';
import { statusOfArticle } from '../moves.ts';

/** Statuses of versions that readers may see some day; a date of them is a plan, and that of SCHEDULED is kept by the server. */
const plannedStatuses = ['SCHEDULED', 'APPROVED', 'IN_REVIEW', 'DRAFT'] as const;
export type EntryStatus = (typeof plannedStatuses)[number] | 'PUBLISHED';

/** An article on the day on which it is, or was, published, or is planned for. */
export interface CalendarEntry {
  /** Names it among the entries: an article is there twice if a version of it is published and the next one is planned. */
  readonly key: string;
  /** With what a move needs of it. */
  readonly record: ApiRecord;
  readonly title: string;
  readonly at: Date;
  readonly status: EntryStatus;
}

/** A draft, or an approved text, without a date that is still to come. */
export interface BacklogEntry {
  readonly record: ApiRecord;
  readonly title: string;
  /** For when it was planned; null: never. */
  readonly missed: Date | null;
}

interface Found {
  readonly working: readonly ApiRecord[];
  readonly published: readonly ApiRecord[];
  readonly hasMore: boolean;
}

/** Articles that are read of those to come, and of those that were published. */
const most = 2_000;
/** The fields of an article that planning it needs. */
const planFields = ['title', 'status', 'scheduledFor', 'unpublishAt']
  .map((name) => `versionData.${name}`)
  .join();

/**
 * The entries with the moves that the server has not responded to yet.
 * @param from the first instant that is shown, RFC 3339
 * @param moved the articles that were moved here, by their ids, where they are shown until a later version of them is read
 */
export function useEntries(siteId: string, from: string, moved: ReadonlyMap<string, ApiRecord>) {
  const { api } = useWorkspace();
  const { changes } = usePendingChanges();
  useLiveReads(articles);
  const { data, error, isPending, isPlaceholderData } = useQuery({
    queryKey: recordKeys.list(articles, siteId, `calendar from ${from}`),
    // What is planned is the same in all months.
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Found> => {
      const read = (query: Readonly<Record<string, string>>) =>
        readFirst(most, (cursor) =>
          listRecords(api, articles, siteId, { limit: '100', ...query }, cursor, signal),
        );
      const [published, working] = await Promise.all([
        // An article cannot have been published after its published content changed last.
        read({
          perspective: 'published',
          sort: '-updatedAt',
          updatedSince: from,
          fields: 'version,versionData.title,versionData.publishedAt',
        }),
        read({
          status: plannedStatuses.join(),
          sort: '-updatedAt',
          fields: `version,createdBy,${planFields}`,
        }),
      ]);
      return {
        working: working.items,
        published: published.items,
        hasMore: published.hasMore || working.hasMore,
      };
    },
  });
  const waiting = changes.filter(({ refusal }) => refusal === null);
  const byId = new Map<string, ApiRecord>();
  for (const record of [...(data?.working ?? []), ...moved.values()]) {
    const other = byId.get(record.id);
    // One that was moved meanwhile is in two of the lists.
    if (other === undefined || record.version >= other.version) byId.set(record.id, record);
  }
  const working = [...byId.values()].map((record): ApiRecord => {
    const path = `/v1${recordPathOf(articles, siteId, record.id)}`;
    // Those from before a reload, too.
    return { ...record, ...withPendingTransitions(record, path, waiting) };
  });
  const now = new Date();
  const entries = [
    ...working.flatMap((record) => toPlanned(record, now)),
    ...(data?.published ?? []).flatMap(toPublished),
  ].sort((one, other) => one.at.getTime() - other.at.getTime());
  return {
    entries,
    backlog: working.flatMap((record) => toBacklog(record, now)),
    hasMore: data?.hasMore === true,
    error,
    isPending: isPending || isPlaceholderData,
  };
}

const instantAt = (record: ApiRecord, name: string): Date | null => {
  const value = valueAt(record, `versionData.${name}`);
  return typeof value === 'string' ? new Date(value) : null;
};

function toPlanned(record: ApiRecord, now: Date): CalendarEntry[] {
  const at = instantAt(record, 'scheduledFor');
  // It may be one that a change that waits has published.
  const status = plannedStatuses.find((known) => known === statusOfArticle(record));
  if (at === null || status === undefined || (status !== 'SCHEDULED' && at <= now)) return [];
  return [{ key: `${record.id} planned`, record, title: titleOf(articles, record), at, status }];
}

function toPublished(record: ApiRecord): CalendarEntry[] {
  const at = instantAt(record, 'publishedAt');
  if (at === null) return [];
  const title = titleOf(articles, record);
  return [{ key: `${record.id} published`, record, title, at, status: 'PUBLISHED' }];
}

function toBacklog(record: ApiRecord, now: Date): BacklogEntry[] {
  const missed = instantAt(record, 'scheduledFor');
  const isOpen = ['DRAFT', 'APPROVED'].includes(statusOfArticle(record));
  if (!isOpen || (missed !== null && missed > now)) return [];
  return [{ record, title: titleOf(articles, record), missed }];
}

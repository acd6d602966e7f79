/** Pending work: the user's drafts, reviews, schedules and failures. */
import { useQuery } from '@tanstack/react-query';
import type { WaitingArticle } from '@trellis/client/generated/types.ts';
import type { Api } from '../../api/api.ts';
import { resourceByName } from '../../resources/declared.ts';
import { recordPathOf } from '../../resources/places.ts';
import { listRecords } from '../../resources/queries.ts';
import { titleOf } from '../../resources/values.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { subjectAt } from '../events/subject.tsx';

/** One thing that waits, with the way to it. */
export interface Waiting {
  readonly id: string;
  readonly title: string;
  /** Below `/console`. */
  readonly href: string;
  /** When it was changed, is due, or has failed. */
  readonly instant: string;
  /** Who changed it last; null where that does not matter. */
  readonly userId: string | null;
  /** Why it has failed, as the server says, or was sent back. */
  readonly reason?: string;
}

const shown = 6;

/** Pending work across all sites and endpoints; a part that the person may not read is null. */
export function useWaitingWork() {
  const { api, signedIn } = useWorkspace();
  return useQuery({
    queryKey: ['v1', 'articles', 'waiting', signedIn.user.id],
    queryFn: ({ signal }) => api.read('getWaiting', { query: { limit: shown }, signal }),
  });
}

/** An article that waits, as the first page shows it. */
export function toWaiting(article: WaitingArticle): Waiting {
  const { id, url, title, updatedAt, updatedBy, scheduledFor, returnNote } = article;
  const siteId = subjectAt(url)?.parentId ?? null;
  const href = recordPathOf(resourceByName('articles'), siteId, id);
  return {
    id,
    title,
    href,
    instant: scheduledFor ?? updatedAt,
    userId: updatedBy,
    ...(returnNote === null ? {} : { reason: returnNote }),
  };
}

/** An article whose last scheduled change could not be made. */
export function toFailed(article: WaitingArticle): Waiting {
  const { scheduleError } = article;
  return {
    ...toWaiting(article),
    instant: article.updatedAt,
    userId: null,
    ...(scheduleError === null ? {} : { reason: scheduleError }),
  };
}

/** Knowledge files whose text could not be extracted. */
export async function readFailedFiles(api: Api, signal: AbortSignal): Promise<readonly Waiting[]> {
  const files = resourceByName('knowledge-files');
  const query = {
    status: 'FAILED',
    limit: String(shown),
    sort: '-updatedAt',
    fields: 'name,failureReason,updatedAt',
  };
  const { items } = await listRecords(api, files, null, query, undefined, signal);
  return items.map((record) => ({
    id: record.id,
    title: titleOf(files, record),
    href: recordPathOf(files, null, record.id),
    instant: String(record.updatedAt),
    userId: null,
    ...(typeof record.failureReason === 'string' ? { reason: record.failureReason } : {}),
  }));
}

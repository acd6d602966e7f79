/** What waits for somebody: one's drafts, what is in review, what is scheduled, and what has failed. */
import type { Activity, WebhookDelivery, WebhookEndpoint } from '@trellis/client/generated/types.ts';
import type { Api, ApiRecord, Page } from '../api/api.ts';
import { isProblem } from '../api/problem.ts';
import { subjectAt } from '../events/subject.tsx';
import { resourceByName } from '../records/declared.ts';
import { recordPathOf } from '../records/places.ts';
import { listRecords } from '../records/queries.ts';
import { titleOf, valueAt } from '../records/values.ts';

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
  /** Why it has failed, as the server says. */
  readonly reason?: string;
}

export interface ArticleWork {
  readonly drafts: readonly Waiting[];
  readonly inReview: readonly Waiting[];
  readonly scheduled: readonly Waiting[];
}

/** Sites whose articles are read. */
const mostSites = 5;
/** Drafts of everybody among which one's own are looked for; the API has no filter by person. */
const draftsRead = '50';
const shown = 6;
const articleFields = 'versionData.title,versionData.scheduledFor,updatedAt,createdBy,updatedBy';

/** The articles that wait, the newest change first, and the scheduled ones in the order of their time. */
export async function readArticleWork(
  api: Api,
  siteIds: readonly string[],
  userId: string,
  signal: AbortSignal,
): Promise<ArticleWork> {
  const read = async (status: string, limit: string) => {
    const query = { status, limit, sort: '-updatedAt', fields: articleFields };
    const articles = resourceByName('articles');
    const pages = await Promise.all(
      siteIds.slice(0, mostSites).map(async (id) => {
        const { items } = await listRecords(api, articles, id, query, null, signal);
        return items.map((record) => ({ siteId: id, record }));
      }),
    );
    return pages.flat();
  };
  const [drafts, inReview, scheduled] = await Promise.all([
    read('DRAFT', draftsRead),
    read('IN_REVIEW', '10'),
    read('SCHEDULED', '25'),
  ]);
  const mine = drafts.filter(({ record }) => record.createdBy === userId || record.updatedBy === userId);
  return {
    drafts: mine.map(toWaiting).sort(byNewest).slice(0, shown),
    inReview: inReview.map(toWaiting).sort(byNewest).slice(0, shown),
    scheduled: scheduled.map(toScheduled).sort(byNewest).reverse().slice(0, shown),
  };
}

function toWaiting({ siteId, record }: { readonly siteId: string; readonly record: ApiRecord }): Waiting {
  const articles = resourceByName('articles');
  return {
    id: record.id,
    title: titleOf(articles, record),
    href: recordPathOf(articles, siteId, record.id),
    instant: String(record.updatedAt),
    userId: typeof record.updatedBy === 'string' ? record.updatedBy : null,
  };
}

function toScheduled(found: { readonly siteId: string; readonly record: ApiRecord }): Waiting {
  const due = valueAt(found.record, 'versionData.scheduledFor');
  return { ...toWaiting(found), instant: typeof due === 'string' ? due : String(found.record.updatedAt) };
}

function byNewest(one: Waiting, other: Waiting): number {
  return Date.parse(other.instant) - Date.parse(one.instant);
}

/** How long ago a schedule may have failed. */
const failedSchedulesMs = 30 * 86_400_000;

/** Articles whose last scheduled change could not be made, and was not set anew since. */
export async function readFailedSchedules(api: Api, signal: AbortSignal): Promise<readonly Waiting[]> {
  const query = new URLSearchParams({ type: 'article.schedule_failed', limit: String(shown) });
  const { items } = await api.get<Activity>(`/v1/activity?${query}`, signal);
  const oldest = Date.now() - failedSchedulesMs;
  const failed = items
    .flatMap(({ newest }) => newest)
    .filter(({ changedAt }) => Date.parse(changedAt) > oldest);
  const found = await Promise.all(
    failed.slice(0, shown).map(async ({ id, url, title, changedAt }): Promise<Waiting[]> => {
      const subject = subjectAt(url);
      // Without a title it was deleted.
      if (subject === null || title === null) return [];
      const path = recordPathOf(subject.resource, subject.parentId, subject.id);
      const record = await readUnlessGone(api, `/v1${path}?fields=scheduleError`, signal);
      if (record === null || typeof record.scheduleError !== 'string') return [];
      return [{ id, title, href: path, instant: changedAt, userId: null, reason: record.scheduleError }];
    }),
  );
  return found.flat().sort(byNewest).slice(0, shown);
}

async function readUnlessGone(api: Api, path: string, signal: AbortSignal): Promise<ApiRecord | null> {
  try {
    return await api.get<ApiRecord>(path, signal);
  } catch (error) {
    if (isProblem(error, 'not_found')) return null;
    throw error;
  }
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
  const { items } = await listRecords(api, files, null, query, null, signal);
  return items.map((record) => ({
    id: record.id,
    title: titleOf(files, record),
    href: recordPathOf(files, null, record.id),
    instant: String(record.updatedAt),
    userId: null,
    ...(typeof record.failureReason === 'string' ? { reason: record.failureReason } : {}),
  }));
}

/** A webhook endpoint that needs somebody. */
export interface TroubledEndpoint {
  readonly id: string;
  readonly url: string;
  /** Why it was disabled by the server; null: it is not. */
  readonly disabledReason: string | null;
  /** Its newest delivery that has failed for good; null: none. */
  readonly failed: WebhookDelivery | null;
}

/** Endpoints that the server has disabled, and those whose newest deliveries have failed. */
export async function readTroubledEndpoints(
  api: Api,
  signal: AbortSignal,
): Promise<readonly TroubledEndpoint[]> {
  const { items } = await api.get<Page<WebhookEndpoint>>('/v1/webhook-endpoints?limit=50', signal);
  const found = await Promise.all(
    items.map(async ({ id, url, disabledReason }) => {
      const query = new URLSearchParams({ status: 'FAILED', limit: '1' });
      const failed = await api.get<Page<WebhookDelivery>>(
        `/v1/webhook-endpoints/${id}/deliveries?${query}`,
        signal,
      );
      return { id, url, disabledReason, failed: failed.items[0] ?? null };
    }),
  );
  return found.filter(({ disabledReason, failed }) => disabledReason !== null || failed !== null);
}

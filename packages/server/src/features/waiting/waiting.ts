/**
 * Pending work across the sites and endpoints of an organization: the caller's drafts, what was sent back or published of them, articles in review, scheduled articles,
 * failed schedules, and failing webhook endpoints. All of it is read in one round trip, from partial indexes.
 */
import { type Statement, type Step, type StepResult, step } from '../../kernel/database/batch.ts';
import type { Scope } from '../../kernel/database/database.ts';
import { defineRow, instant, joined, nullable, number, text } from '../../kernel/database/row.ts';

/** Newest drafts of everybody among which those of the caller are. */
export const examinedDrafts = 1_000;

/** Days for which somebody is told that an article was published. */
export const publishedDays = 7;

interface ArticleColumns {
  readonly updatedAt?: string;
  readonly updatedBy?: string;
  readonly scheduledFor?: string;
  readonly returnNote?: string;
}

const articleRow = ({ updatedAt, updatedBy, scheduledFor, returnNote }: ArticleColumns) =>
  defineRow({
    id: text('a.id'),
    siteId: text('a.site_id'),
    title: text('a.title'),
    updatedAt: instant(updatedAt ?? 'a.updated_at'),
    updatedBy: nullable(text(updatedBy ?? 'a.updated_by')),
    scheduledFor: nullable(instant(scheduledFor ?? 'NULL::timestamptz')),
    scheduleError: nullable(text('a.schedule_error')),
    returnNote: nullable(text(returnNote ?? 'NULL::text')),
  });
const unscheduledRow = articleRow({});
const scheduledRow = articleRow({ scheduledFor: 'v.scheduled_for' });
const returnedRow = articleRow({
  updatedAt: 'v.returned_at',
  updatedBy: 'v.returned_by',
  returnNote: 'v.return_note',
});
const publishedRow = articleRow({ updatedAt: 'v.published_at', updatedBy: 'v.updated_by' });

/** An article that waits. Ids are uuids, instants RFC 3339. `scheduleError`: why its last scheduled change could not be made. */
export type WaitingArticle = ReturnType<typeof scheduledRow.read>;

const deliveryRow = defineRow({
  eventType: text('d.type'),
  status: nullable(number('w.status')),
  attemptedAt: nullable(instant('w.attempted_at')),
});
const endpointRow = defineRow({
  id: text('e.id'),
  target: text('e.url'),
  disabledReason: nullable(text('e.disabled_reason')),
  failedDelivery: joined(deliveryRow),
});

/** An endpoint that the server has disabled, or that has a delivery that failed permanently: the newest one. */
export type FailingEndpoint = ReturnType<typeof endpointRow.read>;

const newestFirst = 'ORDER BY a.updated_at DESC, a.id DESC';

const listDrafts: Statement = {
  name: 'waiting_drafts',
  text: `SELECT ${unscheduledRow.list} FROM (
      SELECT a.* FROM trellis.articles a
      WHERE a.organization_id = $1 AND a.status = 'DRAFT' ${newestFirst} LIMIT ${examinedDrafts}
    ) a
    WHERE $2::uuid IN (a.created_by, a.updated_by) ${newestFirst} LIMIT $3`,
};
const listInReview: Statement = {
  name: 'waiting_in_review',
  text: `SELECT ${unscheduledRow.list} FROM trellis.articles a
    WHERE a.organization_id = $1 AND a.status = 'IN_REVIEW' ${newestFirst} LIMIT $2`,
};
const listScheduled: Statement = {
  name: 'waiting_scheduled',
  text: `SELECT ${scheduledRow.list}
    FROM trellis.article_versions v
    JOIN trellis.articles a ON a.organization_id = v.organization_id AND a.site_id = v.site_id AND a.id = v.article_id
      AND a.working_version = v.number
    WHERE v.organization_id = $1 AND v.status = 'SCHEDULED' ORDER BY v.scheduled_for, v.article_id LIMIT $2`,
};
const listFailedSchedules: Statement = {
  name: 'waiting_failed_schedules',
  text: `SELECT ${unscheduledRow.list} FROM trellis.articles a
    WHERE a.organization_id = $1 AND a.schedule_error IS NOT NULL ${newestFirst} LIMIT $2`,
};
/** What others sent back to the caller, who made the article or submitted it. */
const listReturned: Statement = {
  name: 'waiting_returned',
  text: `SELECT ${returnedRow.list} FROM (
      SELECT d.* FROM trellis.articles d
      WHERE d.organization_id = $1 AND d.status = 'DRAFT' ORDER BY d.updated_at DESC, d.id DESC LIMIT ${examinedDrafts}
    ) a
    JOIN trellis.article_versions v ON v.organization_id = $1 AND v.site_id = a.site_id AND v.article_id = a.id
      AND v.number = a.working_version AND v.returned_at IS NOT NULL AND v.returned_by IS DISTINCT FROM $2::uuid
    WHERE a.created_by = $2 OR EXISTS (SELECT FROM trellis.article_versions s
      WHERE s.organization_id = $1 AND s.site_id = a.site_id AND s.article_id = a.id AND s.submitted_by = $2)
    ORDER BY v.returned_at DESC, a.id DESC LIMIT $3`,
};
/** What others, or the scheduler, published of the caller's lately. */
const listPublished: Statement = {
  name: 'waiting_published',
  text: `SELECT ${publishedRow.list} FROM (
      SELECT p.* FROM trellis.article_versions p
      WHERE p.organization_id = $1 AND p.status = 'PUBLISHED'
        AND p.published_at > statement_timestamp() - interval '${publishedDays} days'
      ORDER BY p.published_at DESC LIMIT ${examinedDrafts}
    ) v
    JOIN trellis.articles a ON a.organization_id = $1 AND a.site_id = v.site_id AND a.id = v.article_id
    WHERE $2::uuid IN (a.created_by, v.submitted_by) AND v.updated_by IS DISTINCT FROM $2
    ORDER BY v.published_at DESC, a.id DESC LIMIT $3`,
};
const listFailingEndpoints: Statement = {
  name: 'waiting_endpoints',
  text: `SELECT ${endpointRow.list}
    FROM trellis.webhook_endpoints e
    LEFT JOIN LATERAL (
      SELECT f.event_id, f.type FROM trellis.webhook_deliveries f
      WHERE f.organization_id = $1 AND f.endpoint_id = e.id AND f.status = 'FAILED'
      ORDER BY f.created_at DESC, f.event_id DESC LIMIT 1
    ) d ON true
    LEFT JOIN LATERAL (
      SELECT a.status, a.attempted_at FROM trellis.webhook_attempts a
      WHERE a.organization_id = $1 AND a.endpoint_id = e.id AND a.event_id = d.event_id
      ORDER BY a.number DESC LIMIT 1
    ) w ON true
    WHERE e.organization_id = $1 AND (e.disabled_reason IS NOT NULL OR d.type IS NOT NULL)
    ORDER BY e.created_at DESC, e.id DESC`,
};

/** The steps that read the articles: drafts, returned, published, in review, scheduled, failed schedules. `articlesIn` reads each result. */
export function articleSteps({ organizationId, userId }: Scope, limit: number): readonly Step[] {
  const most = String(limit);
  return [
    ...[listDrafts, listReturned, listPublished].map((list) => step(list, [organizationId, userId, most])),
    ...[listInReview, listScheduled, listFailedSchedules].map((list) => step(list, [organizationId, most])),
  ];
}

export function articlesIn(result: StepResult | undefined): readonly WaitingArticle[] {
  return scheduledRow.all(result);
}

/** The step that reads the endpoints, of which an organization has few; `endpointsIn` reads its result. */
export function endpointsStep({ organizationId }: Scope): Step {
  return step(listFailingEndpoints, [organizationId]);
}

export function endpointsIn(result: StepResult | undefined): readonly FailingEndpoint[] {
  return endpointRow.all(result);
}

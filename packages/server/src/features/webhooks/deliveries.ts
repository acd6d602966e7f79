/** Reads webhook deliveries for the API: what was sent, the responses, and when the next attempt is due. */

import { deliveryIdPrefix } from '@trellis/schema/resources/webhook-endpoints.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { type Statement, type Step, type StepResult, step } from '../../kernel/database/batch.ts';
import type { Database, Scope } from '../../kernel/database/database.ts';
import { defineRow, instant, json, nullable, text } from '../../kernel/database/row.ts';
import { describeSubject, eventIdPrefix } from '../../kernel/events/cloud-event.ts';
import type { LoggedEvent } from '../../kernel/events/logged-event.ts';
import type { Position } from '../../kernel/pipeline/cursor.ts';
import { claimedCondition } from '../../kernel/pipeline/locks.ts';

export const deliveryStatuses = ['PENDING', 'SUCCEEDED', 'FAILED'] as const;

/** How many attempts of a delivery are shown, counted from the last. */
export const shownAttempts = 20;

/** A delivery as it is stored. Ids are uuids, instants RFC 3339. */
export interface StoredDelivery {
  readonly eventId: string;
  readonly type: string;
  /** The event as it was logged, with what tells which record it is about. */
  readonly event: Pick<LoggedEvent, 'subjectType' | 'subjectId' | 'parentId'>;
  readonly status: string;
  readonly createdAt: string;
  /** Set while it is pending. */
  readonly nextAttemptAt: string | null;
  readonly attempts: readonly StoredAttempt[];
}

interface StoredAttempt {
  readonly number: number;
  readonly attemptedAt: string;
  readonly status: number | null;
  readonly latencyMs: number;
  readonly response: string;
  readonly error: string | null;
}

const attempts = `(
      SELECT json_agg(json_build_object('number', a.number,
        'attemptedAt', to_char(a.attempted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'status', a.status, 'latencyMs', a.latency_ms, 'response', a.response, 'error', a.error) ORDER BY a.number)
      FROM (SELECT * FROM trellis.webhook_attempts w
        WHERE w.organization_id = $1 AND w.endpoint_id = d.endpoint_id AND w.event_id = d.event_id
        ORDER BY w.number DESC LIMIT ${shownAttempts}) a)`;

const deliveryRow = defineRow({
  eventId: text('d.event_id'),
  type: text('d.type'),
  event: json<StoredDelivery['event']>('d.event'),
  status: text('d.status'),
  createdAt: instant('d.created_at'),
  // While an attempt is being made, its lease says when another one may start.
  nextAttemptAt: nullable(
    instant(`CASE WHEN d.status = 'PENDING' THEN greatest(d.next_attempt_at, d.leased_until) END`),
  ),
  attempts: json<StoredAttempt[]>(`coalesce(${attempts}, '[]')`),
});

const list: Statement = {
  name: 'list_webhook_deliveries',
  text: `SELECT ${deliveryRow.list} FROM trellis.webhook_deliveries d
    WHERE d.organization_id = $1 AND d.endpoint_id = $2 AND ($3::text IS NULL OR d.status = $3)
      AND ($4::timestamptz IS NULL OR (d.created_at, d.event_id) < ($4, $5::uuid))
    ORDER BY d.created_at DESC, d.event_id DESC LIMIT $6`,
};
const lockDelivery: Statement = {
  name: 'lock_webhook_delivery',
  text: `SELECT FROM trellis.webhook_deliveries d
    WHERE d.organization_id = $1 AND d.endpoint_id = $2 AND d.event_id = $3 AND ${claimedCondition}
    FOR NO KEY UPDATE`,
};
const readDelivery: Statement = {
  name: 'read_webhook_delivery',
  text: `SELECT ${deliveryRow.list} FROM trellis.webhook_deliveries d
    WHERE d.organization_id = $1 AND d.endpoint_id = $2 AND d.event_id = $3`,
};

export interface DeliveryPage {
  readonly deliveries: readonly StoredDelivery[];
  readonly next: Position | null;
}

/** One page of an endpoint's deliveries, newest first. */
export async function listDeliveries(
  database: Database,
  scope: Scope,
  query: { endpointId: string; status: string | null; after: Position | null; limit: number },
): Promise<DeliveryPage> {
  const { endpointId, status, after, limit } = query;
  const [createdAt = null, eventId = null] = after ?? [];
  const [found] = await database.query(scope, [
    step(list, [scope.organizationId, endpointId, status, createdAt, eventId, String(limit + 1)]),
  ]);
  const rows = deliveryRow.all(found);
  const deliveries = rows.slice(0, limit);
  const last = deliveries.at(-1);
  const more = rows.length > limit;
  return { deliveries, next: more && last !== undefined ? [last.createdAt, last.eventId] : null };
}

/** Steps that lock one delivery and read it; `readDeliveryResult` reads the last one's result. */
export function lockDeliverySteps(organizationId: string, endpointId: string, eventId: string): Step[] {
  const key = [organizationId, endpointId, eventId];
  return [step(lockDelivery, key), step(readDelivery, key)];
}

/** The delivery that `lockDeliverySteps` has read; undefined when there is none. */
export function readDeliveryResult(result: StepResult): StoredDelivery | undefined {
  return deliveryRow.first(result);
}

/** A delivery as the API returns it. */
export function renderDelivery(endpointId: string, delivery: StoredDelivery): Record<string, unknown> {
  const { eventId, type, event, status, createdAt, nextAttemptAt, attempts } = delivery;
  // Without an origin, since a response that is replayed does not depend on it.
  const subject = describeSubject(event, '');
  return {
    id: encodeId(deliveryIdPrefix, eventId),
    endpointId,
    eventId: encodeId(eventIdPrefix, eventId),
    eventType: type,
    subject: subject.id,
    path: subject.url,
    status,
    createdAt,
    nextAttemptAt,
    attempts,
  };
}

/**
 * The queue of deliveries: a table from which any number of nodes claim work. Endpoints are kept from delaying each other:
 * those served longest ago come first, each has at most two calls in progress over all nodes, and one that keeps failing is
 * called less and less often. A claimed delivery is leased: if the node dies, it becomes due again.
 */

import { testEventType } from '@trellis/schema/event-types.ts';
import { type Statement, step } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import { defineRow, json, nullable, number, text } from '../database/row.ts';
import { uuidArray } from '../database/values.ts';
import type { LoggedEvent } from '../events/logged-event.ts';
import { joinPerson, joinReaders, personMayRead } from './fan-out.ts';
import type { CallOutcome } from './sender.ts';

/** Maximum number of concurrent calls of one endpoint. */
export const maxInFlightPerEndpoint = 2;
/** After this many failures in a row, an endpoint is paused for a while and then called one at a time. */
const breakerFailures = 5;
/** The status with which a receiver says that the endpoint is gone (RFC 9110, 15.5.11). */
export const goneStatus = 410;
const firstBlockSeconds = 5;
const lastBlockSeconds = 60;
/** How many waiting deliveries of an endpoint are checked for ones that may not be sent, each time it is served. */
const lookAhead = 20;
/** How long an endpoint may fail without a success before it is disabled, as a PostgreSQL interval. */
const failingLimit = '5 days';

/** Identifies a delivery. Ids are uuids. */
interface DeliveryKey {
  readonly organizationId: string;
  readonly endpointId: string;
  readonly eventId: string;
}

/** A claimed delivery with everything needed to send it. */
export interface ClaimedDelivery extends DeliveryKey {
  readonly event: LoggedEvent;
  /** Number of this attempt. The lease is tied to it. */
  readonly attempt: number;
  /** Failed attempts of the schedule before this one. */
  readonly failedAttempts: number;
  readonly url: string;
  readonly payload: string;
  /** Uuid of the user on whose behalf it is sent. */
  readonly actsFor: string | null;
  /** Sealed, newest first: one, or two for a day after a rotation. */
  readonly secrets: readonly string[];
}

// Compared with the start of the statement: clock_timestamp() may change from row to row, so no index can serve it.
const due = (delivery: string) =>
  `${delivery}.organization_id = s.organization_id AND ${delivery}.endpoint_id = s.endpoint_id
    AND ${delivery}.status = 'PENDING' AND ${delivery}.next_attempt_at <= statement_timestamp()
    AND (${delivery}.leased_until IS NULL OR ${delivery}.leased_until <= statement_timestamp())`;

/** How many more calls of the subscription `s` may be in progress. */
const freeSlots = `CASE WHEN s.failures >= ${breakerFailures} THEN 1 ELSE ${maxInFlightPerEndpoint} END - (
      SELECT count(*) FROM trellis.webhook_deliveries b
      WHERE b.organization_id = s.organization_id AND b.endpoint_id = s.endpoint_id AND b.leased_until > clock_timestamp())`;

const lockedRow = defineRow({ organizationId: text('s.organization_id'), endpointId: text('s.endpoint_id') });
const lockSubscriptions: Statement = {
  name: 'lock_due_webhooks',
  text: `SELECT ${lockedRow.list} FROM trellis.webhook_subscriptions s
    JOIN trellis.organizations o ON o.id = s.organization_id AND o.status = 'ACTIVE' ${joinPerson}
    WHERE s.blocked_until <= clock_timestamp() AND s.secret IS NOT NULL
      AND (s.enabled AND EXISTS (SELECT FROM trellis.webhook_deliveries d WHERE ${due('d')})
        OR EXISTS (SELECT FROM trellis.webhook_deliveries t WHERE ${due('t')} AND t.type = '${testEventType}'))
      AND ${freeSlots} > 0
    ORDER BY s.claimed_at LIMIT $1 FOR NO KEY UPDATE OF s SKIP LOCKED`,
};

/** The locked subscriptions, with their users. */
const chosen = `unnest($1::uuid[], $2::uuid[]) AS c (organization_id, endpoint_id)
      JOIN trellis.webhook_subscriptions s
        ON s.organization_id = c.organization_id AND s.endpoint_id = c.endpoint_id ${joinPerson} ${joinReaders}`;

// Fails the deliveries that the user may no longer read, or that were meant for another user, so that they are not
// checked
// again and again. Checking the first few of a queue is enough: the others reach the front later.
const refuseHidden: Statement = {
  name: 'refuse_hidden_webhook_deliveries',
  text: `WITH hidden AS MATERIALIZED (
      SELECT n.* FROM ${chosen}
      CROSS JOIN LATERAL (
        SELECT f.* FROM (
          SELECT w.organization_id, w.endpoint_id, w.event_id, w.type, w.readers FROM trellis.webhook_deliveries w
          WHERE ${due('w')} ORDER BY w.next_attempt_at, w.event_id LIMIT ${lookAhead}) f
        WHERE NOT ${personMayRead('f')}) n
    ), refused AS (
      UPDATE trellis.webhook_deliveries d SET status = 'FAILED', attempts = d.attempts + 1, leased_until = NULL
      FROM hidden h
      WHERE d.organization_id = h.organization_id AND d.endpoint_id = h.endpoint_id AND d.event_id = h.event_id
        AND d.status = 'PENDING'
      RETURNING d.organization_id, d.endpoint_id, d.event_id, d.attempts
    )
    INSERT INTO trellis.webhook_attempts
      (organization_id, endpoint_id, event_id, number, attempted_at, latency_ms, answer, error)
    SELECT r.*, clock_timestamp(), 0, '', $3 FROM refused r`,
};
const hiddenError = 'It was not sent: the user on whose behalf the endpoint acts may not read the record.';

const claimedRow = defineRow({
  organizationId: text('d.organization_id'),
  endpointId: text('d.endpoint_id'),
  eventId: text('d.event_id'),
  event: json<LoggedEvent>('d.event'),
  attempt: number('d.attempts'),
  failedAttempts: number('d.failed_attempts'),
  url: text('p.url'),
  payload: text('p.payload'),
  actsFor: nullable(text('p.acts_for')),
  secret: nullable(text('p.secret')),
  previousSecret: nullable(
    text('CASE WHEN p.previous_secret_until > clock_timestamp() THEN p.previous_secret END'),
  ),
});

// A separate statement: its snapshot is taken after the locks were acquired, so it sees what other nodes have just
// claimed. The due time is kept: deliveries that a dead node leaves behind are the oldest and come first.
// Materialized: a plan that evaluates the choice again for each row would choose different ones each time.
const claimDeliveries: Statement = {
  name: 'claim_webhook_deliveries',
  text: `WITH picked AS MATERIALIZED (
      SELECT s.*, n.event_id FROM ${chosen}
      CROSS JOIN LATERAL (
        SELECT w.event_id FROM trellis.webhook_deliveries w
        WHERE ${due('w')} AND ${personMayRead('w')} AND (s.enabled OR w.type = '${testEventType}')
        ORDER BY w.next_attempt_at, w.event_id LIMIT greatest(0, ${freeSlots}) FOR UPDATE SKIP LOCKED) n
    )
    UPDATE trellis.webhook_deliveries d
    SET attempts = d.attempts + 1, leased_until = clock_timestamp() + $3::integer * interval '1 millisecond'
    FROM picked p
    WHERE d.organization_id = p.organization_id AND d.endpoint_id = p.endpoint_id AND d.event_id = p.event_id
    RETURNING ${claimedRow.list}`,
};
const noteClaim: Statement = {
  name: 'note_webhook_claim',
  text: `UPDATE trellis.webhook_subscriptions s SET claimed_at = clock_timestamp()
    FROM unnest($1::uuid[], $2::uuid[]) AS c (organization_id, endpoint_id)
    WHERE s.organization_id = c.organization_id AND s.endpoint_id = c.endpoint_id`,
};

/**
 * Claims due deliveries.
 * @param worker pool of the role `trellis_worker`
 * @param endpoints the most endpoints to claim from: at most `maxInFlightPerEndpoint` times as many deliveries
 * @param leaseMs the time after which they are due again, unless their result was recorded
 */
export async function claimDueDeliveries(
  worker: Database,
  endpoints: number,
  leaseMs: number,
): Promise<ClaimedDelivery[]> {
  const lock = step(lockSubscriptions, [String(endpoints)]);
  return worker.backgroundTransaction([lock], async ([locked], transaction) => {
    const subscriptions = lockedRow.all(locked);
    if (subscriptions.length === 0) return [];
    const keys = [
      uuidArray(subscriptions.map(({ organizationId }) => organizationId)),
      uuidArray(subscriptions.map(({ endpointId }) => endpointId)),
    ];
    const claim = step(claimDeliveries, [...keys, String(leaseMs)]);
    const refuse = step(refuseHidden, [...keys, hiddenError]);
    const [, claimed] = await transaction.commit([refuse, claim, step(noteClaim, keys)]);
    return claimedRow.all(claimed).map(({ secret, previousSecret, ...claim }) => ({
      ...claim,
      secrets: [secret, previousSecret].filter((each) => each !== null),
    }));
  });
}

// All statements below name the attempt, so a node that exceeded its lease changes nothing.
const ofAttempt = `organization_id = $1 AND endpoint_id = $2 AND event_id = $3 AND attempts = $4 AND status = 'PENDING'`;

const succeed: Statement = {
  name: 'webhook_delivery_succeeded',
  text: `UPDATE trellis.webhook_deliveries SET status = 'SUCCEEDED', leased_until = NULL WHERE ${ofAttempt}`,
};
const postpone: Statement = {
  name: 'webhook_delivery_failed',
  text: `UPDATE trellis.webhook_deliveries SET failed_attempts = failed_attempts + 1, leased_until = NULL,
      status = CASE WHEN $5::bigint IS NULL THEN 'FAILED' ELSE 'PENDING' END,
      next_attempt_at = clock_timestamp() + coalesce($5::bigint, 0) * interval '1 millisecond'
    WHERE ${ofAttempt}`,
};
const giveBack: Statement = {
  name: 'give_webhook_delivery_back',
  text: `UPDATE trellis.webhook_deliveries SET leased_until = NULL,
      next_attempt_at = clock_timestamp() + $5::bigint * interval '1 millisecond'
    WHERE ${ofAttempt}`,
};
const insertAttempt: Statement = {
  name: 'insert_webhook_attempt',
  text: `INSERT INTO trellis.webhook_attempts
      (organization_id, endpoint_id, event_id, number, attempted_at, status, latency_ms, answer, error)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
};
const noteSuccess: Statement = {
  name: 'note_webhook_success',
  text: `UPDATE trellis.webhook_subscriptions SET failures = 0, failing_since = NULL, blocked_until = '-infinity'
    WHERE organization_id = $1 AND endpoint_id = $2 AND failing_since IS NOT NULL`,
};
// Names the URL: a URL that was set meanwhile starts without failures. A receiver that responds with 410 ($4) gets no more
// calls
// until the endpoint is disabled.
const noteFailure: Statement = {
  name: 'note_webhook_failure',
  text: `UPDATE trellis.webhook_subscriptions
    SET failures = least(failures, 1000000) + 1, failing_since = coalesce(failing_since, clock_timestamp()),
      blocked_until = CASE WHEN $4::boolean THEN clock_timestamp() + ${lastBlockSeconds} * interval '1 second'
        WHEN failures + 1 < ${breakerFailures} THEN '-infinity' ELSE clock_timestamp()
        + least(${lastBlockSeconds}, ${firstBlockSeconds} * 2 ^ least(failures + 1 - ${breakerFailures}, 10))
          * interval '1 second' END
    WHERE organization_id = $1 AND endpoint_id = $2 AND url = $3
    RETURNING failing_since <= clock_timestamp() - interval '${failingLimit}'`,
};

/** The stored result of an attempt. */
export interface AttemptResult {
  readonly outcome: CallOutcome;
  /** When it started, RFC 3339. */
  readonly attemptedAt: string;
}

/** Records a success. */
export async function recordSuccess(
  worker: Database,
  claimed: ClaimedDelivery,
  result: AttemptResult,
): Promise<void> {
  const { organizationId, endpointId } = claimed;
  await worker.executeInBackground([
    step(succeed, attemptKey(claimed)),
    attemptStep(claimed, result),
    ...(isTest(claimed) ? [] : [step(noteSuccess, [organizationId, endpointId])]),
  ]);
}

/**
 * Records a failure.
 * @param delayMs until the next attempt; null for none
 * @returns whether the endpoint has failed without a success for so long that it is to be disabled
 */
export async function recordFailure(
  worker: Database,
  claimed: ClaimedDelivery,
  result: AttemptResult,
  delayMs: number | null,
): Promise<boolean> {
  const { organizationId, endpointId, url } = claimed;
  const gone = String(result.outcome.status === goneStatus);
  const results = await worker.executeInBackground([
    step(postpone, [...attemptKey(claimed), delayMs === null ? null : String(delayMs)]),
    attemptStep(claimed, result),
    ...(isTest(claimed) ? [] : [step(noteFailure, [organizationId, endpointId, url, gone])]),
  ]);
  return results[2]?.rows[0]?.[0] === 't';
}

/** Releases a delivery, to be claimed again after a while: the failure was not the receiver's and does not count. */
export async function releaseDelivery(
  worker: Database,
  claimed: ClaimedDelivery,
  delayMs: number,
): Promise<void> {
  await worker.executeInBackground([step(giveBack, [...attemptKey(claimed), String(delayMs)])]);
}

/** Whether it is a test, which is sent once and says nothing about the endpoint. */
export function isTest({ event }: ClaimedDelivery): boolean {
  return event.type === testEventType;
}

function attemptKey({ organizationId, endpointId, eventId, attempt }: ClaimedDelivery): string[] {
  return [organizationId, endpointId, eventId, String(attempt)];
}

function attemptStep(claimed: ClaimedDelivery, { outcome, attemptedAt }: AttemptResult) {
  const { status, latencyMs, excerpt, error } = outcome;
  return step(insertAttempt, [
    ...attemptKey(claimed),
    attemptedAt,
    status === null ? null : String(status),
    String(latencyMs),
    excerpt,
    error,
  ]);
}

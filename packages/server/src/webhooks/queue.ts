/**
 * Why: deliveries wait in a table that any number of nodes take from. How they are taken is what keeps endpoints from
 * each other's way: those that were served longest ago come first, each gets two at most at a time, all nodes together,
 * and one that only fails is asked less and less often. A taken delivery is leased: if the node dies, it is due again.
 */

import { testEventType } from '@trellis/schema/event-types.ts';
import type { Database } from '../database/database.ts';
import { type Row, type Statement, step } from '../database/flight.ts';
import { uuidArray } from '../database/values.ts';
import type { LoggedEvent } from '../events/logged-event.ts';
import { joinPerson, personMayRead } from './fan-out.ts';
import type { CallOutcome } from './sender.ts';

/** Calls of one endpoint that may be under way at the same time. */
export const maxInFlightPerEndpoint = 2;
/** Failures in a row after which an endpoint is left alone for a while, and then asked once at a time. */
const breakerFailures = 5;
/** An answer by which an endpoint says that it is gone (RFC 9110, 15.5.11). */
export const goneStatus = 410;
const firstBlockSeconds = 5;
const lastBlockSeconds = 60;
/** Waiting deliveries of an endpoint that are looked at for ones that may not be sent, each time it is served. */
const lookAhead = 20;
/** How long an endpoint may do nothing but fail, as PostgreSQL writes it. */
const failingLimit = '5 days';

/** Which delivery. Ids are uuids. */
export interface DeliveryKey {
  readonly organizationId: string;
  readonly endpointId: string;
  readonly eventId: string;
}

/** A delivery that was taken, with all that is needed to make it. */
export interface ClaimedDelivery extends DeliveryKey {
  readonly event: LoggedEvent;
  /** Number of this attempt; the lease is held under it. */
  readonly attempt: number;
  /** Attempts of the schedule that have failed before this one. */
  readonly failedAttempts: number;
  readonly url: string;
  readonly payload: string;
  /** Uuid of the person on whose behalf it is sent. */
  readonly actsFor: string | null;
  /** Sealed, newest first: one, or two for a day after a rotation. */
  readonly secrets: readonly string[];
}

// Of the instant at which the statement began: an index does not serve clock_timestamp(), which may change from row to row.
const due = (delivery: string) =>
  `${delivery}.organization_id = s.organization_id AND ${delivery}.endpoint_id = s.endpoint_id
    AND ${delivery}.status = 'PENDING' AND ${delivery}.next_attempt_at <= statement_timestamp()
    AND (${delivery}.leased_until IS NULL OR ${delivery}.leased_until <= statement_timestamp())`;

/** How many more of the subscription `s` may be under way. */
const freeSlots = `CASE WHEN s.failures >= ${breakerFailures} THEN 1 ELSE ${maxInFlightPerEndpoint} END - (
      SELECT count(*) FROM trellis.webhook_deliveries b
      WHERE b.organization_id = s.organization_id AND b.endpoint_id = s.endpoint_id AND b.leased_until > clock_timestamp())`;

const lockSubscriptions: Statement = {
  name: 'lock_due_webhooks',
  text: `SELECT s.organization_id, s.endpoint_id FROM trellis.webhook_subscriptions s
    JOIN trellis.organizations o ON o.id = s.organization_id AND o.status = 'ACTIVE' ${joinPerson}
    WHERE s.blocked_until <= clock_timestamp() AND s.secret IS NOT NULL
      AND (s.enabled AND EXISTS (SELECT FROM trellis.webhook_deliveries d WHERE ${due('d')})
        OR EXISTS (SELECT FROM trellis.webhook_deliveries t WHERE ${due('t')} AND t.type = '${testEventType}'))
      AND ${freeSlots} > 0
    ORDER BY s.claimed_at LIMIT $1 FOR NO KEY UPDATE OF s SKIP LOCKED`,
};

/** The locked subscriptions, with their people. */
const chosen = `unnest($1::uuid[], $2::uuid[]) AS c (organization_id, endpoint_id)
      JOIN trellis.webhook_subscriptions s
        ON s.organization_id = c.organization_id AND s.endpoint_id = c.endpoint_id ${joinPerson}`;

// What the person may no longer read, or what another person was to get, ends here, so that nobody looks at it again and
// again. A look at the first few of a queue is enough: what is behind them is first some time later.
const refuseHidden: Statement = {
  name: 'refuse_hidden_webhook_deliveries',
  text: `WITH hidden AS MATERIALIZED (
      SELECT n.* FROM ${chosen}
      CROSS JOIN LATERAL (
        SELECT f.* FROM (
          SELECT w.organization_id, w.endpoint_id, w.event_id, w.readers FROM trellis.webhook_deliveries w
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

// A statement of its own: its snapshot is taken after the locks were got, so it sees what other nodes have just taken.
// When it was due stays as it was: what a dead node leaves is older than all that waits, and comes first.
// Materialized: a plan that goes through the choice again for each row would choose others each time.
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
    RETURNING d.organization_id, d.endpoint_id, d.event_id, d.event, d.attempts, d.failed_attempts, p.url, p.payload,
      p.acts_for, p.secret, CASE WHEN p.previous_secret_until > clock_timestamp() THEN p.previous_secret END`,
};
const noteClaim: Statement = {
  name: 'note_webhook_claim',
  text: `UPDATE trellis.webhook_subscriptions s SET claimed_at = clock_timestamp()
    FROM unnest($1::uuid[], $2::uuid[]) AS c (organization_id, endpoint_id)
    WHERE s.organization_id = c.organization_id AND s.endpoint_id = c.endpoint_id`,
};

/**
 * Takes deliveries that are due.
 * @param worker pool of the role `trellis_worker`
 * @param endpoints most endpoints to take from: at most `maxInFlightPerEndpoint` times as many deliveries
 * @param leaseMs after which they are due again, unless their result was recorded
 */
export async function claimDueDeliveries(
  worker: Database,
  endpoints: number,
  leaseMs: number,
): Promise<ClaimedDelivery[]> {
  const lock = step(lockSubscriptions, [String(endpoints)]);
  return worker.backgroundTransaction([lock], async ([locked], transaction) => {
    const rows = locked?.rows ?? [];
    if (rows.length === 0) return [];
    const keys = [uuidArray(rows.map(([id]) => id ?? '')), uuidArray(rows.map((row) => row[1] ?? ''))];
    const claim = step(claimDeliveries, [...keys, String(leaseMs)]);
    const refuse = step(refuseHidden, [...keys, hiddenError]);
    const [, claimed] = await transaction.commit([refuse, claim, step(noteClaim, keys)]);
    return (claimed?.rows ?? []).map(decodeClaim);
  });
}

function decodeClaim(row: Row): ClaimedDelivery {
  const [organizationId, endpointId, eventId, event, attempt, failed, url, payload, actsFor, ...secrets] =
    row;
  return {
    organizationId: organizationId ?? '',
    endpointId: endpointId ?? '',
    eventId: eventId ?? '',
    event: JSON.parse(event ?? '{}'),
    attempt: Number(attempt),
    failedAttempts: Number(failed),
    url: url ?? '',
    payload: payload ?? '',
    actsFor: actsFor ?? null,
    secrets: secrets.filter((secret) => secret !== null),
  };
}

// All that follow name the attempt: a node that was away for longer than its lease changes nothing any more.
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
// The address is named: one that was entered meanwhile begins without a past. Who says to be gone ($4) is asked nothing
// more in the time that it takes to disable it.
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

/** What is kept of an attempt. */
export interface AttemptResult {
  readonly outcome: CallOutcome;
  /** When it was begun, RFC 3339. */
  readonly attemptedAt: string;
}

/** Records a success. */
export async function recordSuccess(
  worker: Database,
  claimed: ClaimedDelivery,
  result: AttemptResult,
): Promise<void> {
  const { organizationId, endpointId } = claimed;
  await worker.query([
    step(succeed, attemptKey(claimed)),
    attemptStep(claimed, result),
    ...(isTest(claimed) ? [] : [step(noteSuccess, [organizationId, endpointId])]),
  ]);
}

/**
 * Records a failure.
 * @param delayMs until the next attempt; null for none
 * @returns whether the endpoint has done nothing but fail for so long that it is to be disabled
 */
export async function recordFailure(
  worker: Database,
  claimed: ClaimedDelivery,
  result: AttemptResult,
  delayMs: number | null,
): Promise<boolean> {
  const { organizationId, endpointId, url } = claimed;
  const gone = String(result.outcome.status === goneStatus);
  const results = await worker.query([
    step(postpone, [...attemptKey(claimed), delayMs === null ? null : String(delayMs)]),
    attemptStep(claimed, result),
    ...(isTest(claimed) ? [] : [step(noteFailure, [organizationId, endpointId, url, gone])]),
  ]);
  return results[2]?.rows[0]?.[0] === 't';
}

/** Lets the delivery be taken again after a while: what went wrong was not the receiver's fault, and does not count. */
export async function giveDeliveryBack(
  worker: Database,
  claimed: ClaimedDelivery,
  delayMs: number,
): Promise<void> {
  await worker.query([step(giveBack, [...attemptKey(claimed), String(delayMs)])]);
}

/** Whether it is a trial, which is made once and says nothing about the endpoint. */
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

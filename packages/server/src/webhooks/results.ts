/**
 * The results of attempts to deliver: recorded under the number of the attempt, with how the endpoint is doing. After failures it is called less often,
 * and in the end not any more.
 */
import { testEventType } from '@trellis/schema/event-types.ts';
import { type Statement, step } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import { breakerFailures, type ClaimedDelivery } from './queue.ts';
import type { CallOutcome } from './sender.ts';

/** The status with which a receiver says that the endpoint is gone (RFC 9110, 15.5.11). */
export const goneStatus = 410;
const firstBlockSeconds = 5;
const lastBlockSeconds = 60;
/** How long an endpoint may fail without a success before it is disabled, as a PostgreSQL interval. */
const failingLimit = '5 days';

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
      next_attempt_at = statement_timestamp() + coalesce($5::bigint, 0) * interval '1 millisecond'
    WHERE ${ofAttempt}`,
};
const giveBack: Statement = {
  name: 'give_webhook_delivery_back',
  text: `UPDATE trellis.webhook_deliveries SET leased_until = NULL,
      next_attempt_at = statement_timestamp() + $5::bigint * interval '1 millisecond'
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
    SET failures = least(failures, 1000000) + 1, failing_since = least(failing_since, statement_timestamp()),
      blocked_until = statement_timestamp() + interval '1 second' * CASE WHEN $4::boolean THEN ${lastBlockSeconds}
        WHEN failures + 1 < ${breakerFailures} THEN 0
        ELSE least(${lastBlockSeconds}, ${firstBlockSeconds} * 2 ^ least(failures + 1 - ${breakerFailures}, 10)) END
    WHERE organization_id = $1 AND endpoint_id = $2 AND url = $3`,
};
const failsAlways: Statement = {
  name: 'webhook_fails_always',
  text: `SELECT FROM trellis.webhook_subscriptions
    WHERE organization_id = $1 AND endpoint_id = $2 AND url = $3
      AND failing_since <= statement_timestamp() - interval '${failingLimit}'`,
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
  const endpoint = [organizationId, endpointId, url];
  const gone = String(result.outcome.status === goneStatus);
  const results = await worker.executeInBackground([
    step(postpone, [...attemptKey(claimed), delayMs === null ? null : String(delayMs)]),
    attemptStep(claimed, result),
    ...(isTest(claimed) ? [] : [step(noteFailure, [...endpoint, gone]), step(failsAlways, endpoint)]),
  ]);
  return (results[3]?.affected ?? 0) > 0;
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

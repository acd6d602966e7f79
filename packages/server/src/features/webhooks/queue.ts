/**
 * The queue of deliveries: a table from which any number of nodes claim work. Endpoints are kept from delaying each other:
 * each node serves them in turn, each has at most two calls in progress over all nodes, and one that keeps failing is called
 * less and less often. A claimed delivery is leased: if the node dies, it becomes due again.
 */

import { testEventType } from '@trellis/schema/event-types.ts';
import { type Statement, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { defineRow, flag, json, nullable, number, text } from '../../kernel/database/row.ts';
import { uuidArray } from '../../kernel/database/values.ts';
import type { LoggedEvent } from '../../kernel/events/logged-event.ts';
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

/** Identifies an endpoint. Ids are uuids. */
interface EndpointKey {
  readonly organizationId: string;
  readonly endpointId: string;
}

/** Identifies a delivery. */
interface DeliveryKey extends EndpointKey {
  readonly eventId: string;
}

/** A claimed delivery with everything needed to send it. */
export interface ClaimedDelivery extends DeliveryKey {
  readonly event: LoggedEvent;
  /** Number of this attempt. The lease is tied to it. */
  readonly attempt: number;
  /** When it was due, as PostgreSQL writes it. A retry or a replay sets another time, and is not ended by the result of an attempt of before. */
  readonly dueAt: string;
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
      WHERE b.organization_id = s.organization_id AND b.endpoint_id = s.endpoint_id AND b.leased_until > statement_timestamp())`;

/** SQL: whether something of the subscription `s` may be sent now. EXISTS could read all due deliveries into a hash table. */
const isServed = `s.blocked_until <= statement_timestamp() AND s.secret IS NOT NULL
      AND (s.enabled AND (SELECT true FROM trellis.webhook_deliveries d WHERE ${due('d')} LIMIT 1)
        OR (SELECT true FROM trellis.webhook_deliveries t WHERE ${due('t')} AND t.type = '${testEventType}' LIMIT 1))
      AND ${freeSlots} > 0`;
const joinOrganization = `JOIN trellis.organizations o ON o.id = s.organization_id AND o.status = 'ACTIVE'`;

/** SQL: the next endpoint with pending deliveries behind another one, by a lookup in the index. */
const nextEndpoint = (organizationId: string, endpointId: string) => `
      SELECT d.organization_id, d.endpoint_id FROM trellis.webhook_deliveries d
      WHERE d.status = 'PENDING' AND (d.organization_id, d.endpoint_id) > (${organizationId}, ${endpointId})
      ORDER BY d.organization_id, d.endpoint_id LIMIT 1`;
/** SQL: whether the endpoint `n` is served now. */
const isNextServed = `EXISTS (
        SELECT FROM trellis.webhook_subscriptions s ${joinOrganization} ${joinPerson}
        WHERE s.organization_id = n.organization_id AND s.endpoint_id = n.endpoint_id AND ${isServed})`;
// A plan that was made and kept when the table was empty would scan it for each endpoint after it has grown.
const preferIndexes: Statement = {
  name: 'prefer_indexes',
  text: `SELECT set_config('enable_seqscan', 'off', true)`,
};

const visitedRow = defineRow({
  organizationId: text('v.organization_id'),
  endpointId: text('v.endpoint_id'),
  isServed: flag('v.is_served'),
});
// From endpoint to endpoint until enough are served or enough were visited: the cost depends on neither the number of endpoints nor that of deliveries.
const visitEndpoints: Statement = {
  name: 'visit_webhook_endpoints',
  text: `WITH RECURSIVE visited AS (
      SELECT n.*, 1 AS place, e.is_served, e.is_served::integer AS served
      FROM (${nextEndpoint('$1', '$2')}) n, LATERAL (SELECT ${isNextServed} AS is_served) e
      UNION ALL
      SELECT n.*, v.place + 1, e.is_served, v.served + e.is_served::integer
      FROM visited v, LATERAL (${nextEndpoint('v.organization_id', 'v.endpoint_id')}) n,
        LATERAL (SELECT ${isNextServed} AS is_served) e
      WHERE v.place < $3::integer AND v.served < $4::integer
    )
    SELECT ${visitedRow.list} FROM visited v ORDER BY v.place`,
};

const lockedRow = defineRow({ organizationId: text('s.organization_id'), endpointId: text('s.endpoint_id') });
const lockSubscriptions: Statement = {
  name: 'lock_due_webhooks',
  text: `SELECT ${lockedRow.list} FROM unnest($1::uuid[], $2::uuid[]) AS c (organization_id, endpoint_id)
    JOIN trellis.webhook_subscriptions s ON s.organization_id = c.organization_id AND s.endpoint_id = c.endpoint_id
    ${joinOrganization} ${joinPerson}
    WHERE ${isServed} FOR NO KEY UPDATE OF s SKIP LOCKED`,
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
      (organization_id, endpoint_id, event_id, number, attempted_at, latency_ms, response, error)
    SELECT r.*, statement_timestamp(), 0, '', $3 FROM refused r`,
};
const hiddenError = 'It was not sent: the user on whose behalf the endpoint acts may not read the record.';

const claimedRow = defineRow({
  organizationId: text('d.organization_id'),
  endpointId: text('d.endpoint_id'),
  eventId: text('d.event_id'),
  event: json<LoggedEvent>('d.event'),
  attempt: number('d.attempts'),
  dueAt: text('d.next_attempt_at'),
  failedAttempts: number('d.failed_attempts'),
  url: text('p.url'),
  payload: text('p.payload'),
  actsFor: nullable(text('p.acts_for')),
  secret: nullable(text('p.secret')),
  previousSecret: nullable(
    text('CASE WHEN p.previous_secret_until > statement_timestamp() THEN p.previous_secret END'),
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
    SET attempts = d.attempts + 1, leased_until = statement_timestamp() + $3::integer * interval '1 millisecond'
    FROM picked p
    WHERE d.organization_id = p.organization_id AND d.endpoint_id = p.endpoint_id AND d.event_id = p.event_id
    RETURNING ${claimedRow.list}`,
};
/** Before every endpoint, in the order of (organization, endpoint). */
const beginning: readonly [string, string] = [
  '00000000-0000-0000-0000-000000000000',
  '00000000-0000-0000-0000-000000000000',
];
/** How many endpoints a claim visits at most, some 20 µs each. */
const visitedAtOnce = 1_000;

/**
 * A node's way around the endpoints with pending deliveries, a part with each claim, so that a claim takes the same time however many
 * endpoints there are, and each of them gets its turn.
 */
export class EndpointTurn {
  private after = beginning;
  private hasClaimed = false;
  private hasEnded = false;

  /** Whether the last claim ended a turn in which there was nothing to claim. */
  get wasIdle(): boolean {
    return this.hasEnded && !this.hasClaimed;
  }

  /**
   * Claims due deliveries of the endpoints whose turn it is.
   * @param worker pool of the role `trellis_worker`
   * @param endpoints the most endpoints to claim from: at most `maxInFlightPerEndpoint` times as many deliveries
   * @param leaseMs the time after which they are due again, unless their result was recorded
   */
  async claim(worker: Database, endpoints: number, leaseMs: number): Promise<ClaimedDelivery[]> {
    if (this.hasEnded) this.hasClaimed = false;
    const limits = [String(visitedAtOnce), String(endpoints)];
    const visit = step(visitEndpoints, [...this.after, ...limits]);
    const [, rows] = await worker.queryInBackground([step(preferIndexes), visit]);
    const visited = visitedRow.all(rows);
    const served = visited.filter(({ isServed }) => isServed);
    const last = visited.at(-1);
    this.hasEnded = last === undefined || (visited.length < visitedAtOnce && served.length < endpoints);
    this.after = this.hasEnded || last === undefined ? beginning : [last.organizationId, last.endpointId];
    const claimed = served.length === 0 ? [] : await claimOf(worker, served, leaseMs);
    this.hasClaimed ||= claimed.length > 0;
    return claimed;
  }
}

/** Claims what is still due of these endpoints; another node may have been first. */
function claimOf(
  worker: Database,
  endpoints: readonly EndpointKey[],
  leaseMs: number,
): Promise<ClaimedDelivery[]> {
  return worker.backgroundTransaction(
    [step(preferIndexes), step(lockSubscriptions, keysOf(endpoints))],
    async ([, locked], transaction) => {
      const subscriptions = lockedRow.all(locked);
      if (subscriptions.length === 0) return [];
      const keys = keysOf(subscriptions);
      const claim = step(claimDeliveries, [...keys, String(leaseMs)]);
      const refuse = step(refuseHidden, [...keys, hiddenError]);
      const [, claimed] = await transaction.commit([refuse, claim]);
      return claimedRow.all(claimed).map(({ secret, previousSecret, ...claim }) => ({
        ...claim,
        secrets: [secret, previousSecret].filter((each) => each !== null),
      }));
    },
  );
}

function keysOf(endpoints: readonly EndpointKey[]): string[] {
  return [
    uuidArray(endpoints.map(({ organizationId }) => organizationId)),
    uuidArray(endpoints.map(({ endpointId }) => endpointId)),
  ];
}

// All statements below name the attempt, so a node that exceeded its lease changes nothing.
const ofAttempt = `organization_id = $1 AND endpoint_id = $2 AND event_id = $3 AND attempts = $4 AND status = 'PENDING'`;

/** SQL: whether nobody has asked for a retry or a replay while the attempt was under way; that one is still to be sent. */
const isSameRound = `(next_attempt_at = $5::timestamptz)`;

const succeed: Statement = {
  name: 'webhook_delivery_succeeded',
  text: `UPDATE trellis.webhook_deliveries
    SET status = CASE WHEN ${isSameRound} THEN 'SUCCEEDED' ELSE 'PENDING' END, leased_until = NULL WHERE ${ofAttempt}`,
};
const postpone: Statement = {
  name: 'webhook_delivery_failed',
  text: `UPDATE trellis.webhook_deliveries SET failed_attempts = failed_attempts + 1, leased_until = NULL,
      status = CASE WHEN $6::bigint IS NULL THEN 'FAILED' ELSE 'PENDING' END,
      next_attempt_at = statement_timestamp() + coalesce($6::bigint, 0) * interval '1 millisecond'
    WHERE ${ofAttempt} AND ${isSameRound}`,
};
const endLease: Statement = {
  name: 'end_webhook_lease',
  text: `UPDATE trellis.webhook_deliveries SET leased_until = NULL WHERE ${ofAttempt} AND NOT ${isSameRound}`,
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
      (organization_id, endpoint_id, event_id, number, attempted_at, status, latency_ms, response, error)
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
    SET failures = least(failures, 1000000) + 1, failing_since = coalesce(failing_since, statement_timestamp()),
      blocked_until = CASE WHEN $4::boolean THEN statement_timestamp() + ${lastBlockSeconds} * interval '1 second'
        WHEN failures + 1 < ${breakerFailures} THEN '-infinity' ELSE statement_timestamp()
        + least(${lastBlockSeconds}, ${firstBlockSeconds} * 2 ^ least(failures + 1 - ${breakerFailures}, 10))
          * interval '1 second' END
    WHERE organization_id = $1 AND endpoint_id = $2 AND url = $3
    RETURNING failing_since <= statement_timestamp() - interval '${failingLimit}'`,
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
    step(succeed, [...attemptKey(claimed), claimed.dueAt]),
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
    step(endLease, [...attemptKey(claimed), claimed.dueAt]),
    step(postpone, [...attemptKey(claimed), claimed.dueAt, delayMs === null ? null : String(delayMs)]),
    attemptStep(claimed, result),
    ...(isTest(claimed) ? [] : [step(noteFailure, [organizationId, endpointId, url, gone])]),
  ]);
  return results[3]?.rows[0]?.[0] === 't';
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

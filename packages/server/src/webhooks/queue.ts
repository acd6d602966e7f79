/**
 * The queue of deliveries: a table from which any number of nodes claim work. Endpoints are kept from delaying each other:
 * each node serves them in turn, each has at most two calls in progress over all nodes, and one that keeps failing is called
 * less and less often. A claimed delivery is leased: if the node dies, it becomes due again.
 */

import { testEventType } from '@trellis/schema/event-types.ts';
import { type Statement, type Step, step } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import { defineRow, flag, json, nullable, number, text } from '../database/row.ts';
import { uuidArray } from '../database/values.ts';
import type { LoggedEvent } from '../events/logged-event.ts';
import { joinPerson, personMayRead, personReads } from './fan-out.ts';

/** Maximum number of concurrent calls of one endpoint. */
export const maxInFlightPerEndpoint = 2;
/** After this many failures in a row, an endpoint is paused for a while and then called one at a time. */
export const breakerFailures = 5;
/** How many waiting deliveries of an endpoint are checked for ones that may not be sent, each time it is served. */
const lookAhead = 20;

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
const due = (delivery: string, organization: string) =>
  `${delivery}.organization_id = ${organization} AND ${delivery}.endpoint_id = s.endpoint_id
    AND ${delivery}.status = 'PENDING' AND ${delivery}.next_attempt_at <= statement_timestamp()
    AND (${delivery}.leased_until IS NULL OR ${delivery}.leased_until <= statement_timestamp())`;

/** How many more calls of the subscription `s` may be in progress. */
const freeSlots = (
  organization: string,
) => `CASE WHEN s.failures >= ${breakerFailures} THEN 1 ELSE ${maxInFlightPerEndpoint} END - (
      SELECT count(*) FROM trellis.webhook_deliveries b
      WHERE b.organization_id = ${organization} AND b.endpoint_id = s.endpoint_id AND b.leased_until > statement_timestamp())`;

/** SQL: whether something of the subscription `s` may be sent now. EXISTS could read all due deliveries into a hash table. */
const isServed = (organization: string) => `s.blocked_until <= statement_timestamp() AND s.secret IS NOT NULL
      AND (s.enabled AND (SELECT true FROM trellis.webhook_deliveries d WHERE ${due('d', organization)} LIMIT 1)
        OR (SELECT true FROM trellis.webhook_deliveries t
          WHERE ${due('t', organization)} AND t.type = '${testEventType}' LIMIT 1))
      AND ${freeSlots(organization)} > 0`;
const joinOrganization = `JOIN trellis.organizations o ON o.id = s.organization_id AND o.status = 'ACTIVE'`;

/** SQL: the next endpoint with pending deliveries behind another one, by a lookup in the index. */
const nextEndpoint = (organizationId: string, endpointId: string) => `
      SELECT d.organization_id, d.endpoint_id FROM trellis.webhook_deliveries d
      WHERE d.status = 'PENDING' AND (d.organization_id, d.endpoint_id) > (${organizationId}, ${endpointId})
      ORDER BY d.organization_id, d.endpoint_id LIMIT 1`;
/** SQL: whether the endpoint `n` is served now. */
const isNextServed = `EXISTS (
        SELECT FROM trellis.webhook_subscriptions s ${joinOrganization} ${joinPerson}
        WHERE s.organization_id = n.organization_id AND s.endpoint_id = n.endpoint_id
          AND ${isServed('s.organization_id')})`;
// A plan that was made and kept when the table was empty would scan it for each endpoint after it has grown. A plan for an organization that the
// statistics do not know yet could read all its deliveries, because they count as few: generic plans expect as many as others have. Citus
// cannot make them, and plans each statement on its shard anew.
const preferIndexes: Statement = {
  name: 'prefer_indexes',
  text: `SELECT set_config('enable_seqscan', 'off', true), set_config('plan_cache_mode',
    CASE WHEN to_regclass('pg_catalog.pg_dist_shard') IS NULL THEN 'force_generic_plan' ELSE 'auto' END, true)`,
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

const lockedRow = defineRow({ endpointId: text('s.endpoint_id') });
// This and the following statements are about one organization each, because a distributed database (Citus) locks rows, and changes
// several tables at once, only within one shard.
const lockSubscriptions: Statement = {
  name: 'lock_due_webhooks',
  text: `SELECT ${lockedRow.list} FROM trellis.webhook_subscriptions s ${joinOrganization} ${joinPerson}
    WHERE s.organization_id = $1 AND s.endpoint_id = ANY ($2::uuid[]) AND ${isServed('$1')} FOR NO KEY UPDATE OF s SKIP LOCKED`,
};

/** The locked subscriptions, with what their users read as. */
const chosen = `(
        SELECT s.*, ${personReads} AS person_readers FROM trellis.webhook_subscriptions s ${joinPerson}
        WHERE s.organization_id = $1 AND s.endpoint_id = ANY ($2::uuid[]) OFFSET 0) s
      CROSS JOIN LATERAL (SELECT s.person_readers AS readers) p`;

/** The first deliveries of the locked subscriptions that their users may not read. Checking a few is enough: the others reach the front later. */
const deliveryRow = defineRow({ endpointId: text('n.endpoint_id'), eventId: text('n.event_id') });
const findHidden: Statement = {
  name: 'find_hidden_webhook_deliveries',
  text: `SELECT ${deliveryRow.list} FROM ${chosen}
    CROSS JOIN LATERAL (
      SELECT f.* FROM (
        SELECT w.endpoint_id, w.event_id, w.type, w.readers FROM trellis.webhook_deliveries w
        WHERE ${due('w', '$1')} ORDER BY w.next_attempt_at, w.event_id LIMIT ${lookAhead}) f
      WHERE NOT ${personMayRead('f')}) n`,
};
// Fails them, so that they are not checked again and again.
const refuseHidden: Statement = {
  name: 'refuse_hidden_webhook_deliveries',
  text: `WITH refused AS (
      UPDATE trellis.webhook_deliveries SET status = 'FAILED', attempts = attempts + 1, leased_until = NULL
      WHERE organization_id = $1 AND endpoint_id = $2 AND event_id = $3 AND status = 'PENDING' RETURNING attempts
    )
    INSERT INTO trellis.webhook_attempts
      (organization_id, endpoint_id, event_id, number, attempted_at, latency_ms, answer, error)
    SELECT $1::uuid, $2::uuid, $3::uuid, r.attempts, statement_timestamp(), 0, '', $4 FROM refused r`,
};
const hiddenError = 'It was not sent: the user on whose behalf the endpoint acts may not read the record.';

const pickedRow = defineRow({
  endpointId: text('s.endpoint_id'),
  eventId: text('n.event_id'),
  url: text('s.url'),
  payload: text('s.payload'),
  actsFor: nullable(text('s.acts_for')),
  secret: nullable(text('s.secret')),
  previousSecret: nullable(
    text('CASE WHEN s.previous_secret_until > statement_timestamp() THEN s.previous_secret END'),
  ),
});
// A separate statement: its snapshot is taken after the locks were acquired, so it sees what other nodes have just
// claimed. The due time is kept: deliveries that a dead node leaves behind are the oldest and come first.
const pickDeliveries: Statement = {
  name: 'pick_webhook_deliveries',
  text: `SELECT ${pickedRow.list} FROM ${chosen}
    CROSS JOIN LATERAL (
      SELECT w.event_id FROM trellis.webhook_deliveries w
      WHERE ${due('w', '$1')} AND ${personMayRead('w')} AND (s.enabled OR w.type = '${testEventType}')
      ORDER BY w.next_attempt_at, w.event_id LIMIT greatest(0, ${freeSlots('$1')}) FOR UPDATE SKIP LOCKED) n`,
};
const claimedRow = defineRow({
  event: json<LoggedEvent>('event'),
  attempt: number('attempts'),
  failedAttempts: number('failed_attempts'),
});
// Each by its whole key: joined with what was picked, or with several keys at once, it could read all deliveries of an organization.
const claimDelivery: Statement = {
  name: 'claim_webhook_delivery',
  text: `UPDATE trellis.webhook_deliveries
    SET attempts = attempts + 1, leased_until = statement_timestamp() + $4::integer * interval '1 millisecond'
    WHERE organization_id = $1 AND endpoint_id = $2 AND event_id = $3 RETURNING ${claimedRow.list}`,
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
 * endpoints there are, and each of them gets its turn. The shards of a distributed database are visited side by side.
 */
export class EndpointTurn {
  /** The last endpoint visited in each shard, or in the whole database. */
  private readonly after = new Map<string, readonly [string, string]>();
  /** Shards whose end was reached in this turn. */
  private readonly ended = new Set<string>();
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
   * @throws the database's error, if nothing could be claimed because of it
   */
  async claim(worker: Database, endpoints: number, leaseMs: number): Promise<ClaimedDelivery[]> {
    if (this.hasEnded) {
      this.hasClaimed = false;
      this.ended.clear();
    }
    let visits = 0;
    let most = 0;
    const found = await worker.findInParts((part, parts) => {
      visits = Math.ceil(visitedAtOnce / parts);
      most = Math.max(1, Math.floor(endpoints / parts));
      const limits = [String(visits), String(most)];
      return [step(preferIndexes), step(visitEndpoints, [...(this.after.get(part) ?? beginning), ...limits])];
    });
    const served = found.map(({ part, node, results }) => {
      const visited = visitedRow.all(results[1]);
      const due = visited.filter(({ isServed }) => isServed);
      const last = visited.at(-1);
      const isEnd = last === undefined || (visited.length < visits && due.length < most);
      if (isEnd) this.ended.add(part);
      this.after.set(part, isEnd ? beginning : [last.organizationId, last.endpointId]);
      return { node, due };
    });
    this.hasEnded = found.every(({ part }) => this.ended.has(part));
    const claimed = await claimByNode(worker, served, endpoints, leaseMs);
    this.hasClaimed ||= claimed.length > 0;
    return claimed;
  }
}

/** Claims of each node's endpoints separately: a node that fails keeps nobody else's deliveries. */
async function claimByNode(
  worker: Database,
  served: readonly { readonly node: string | null; readonly due: readonly EndpointKey[] }[],
  endpoints: number,
  leaseMs: number,
): Promise<ClaimedDelivery[]> {
  const all = served.flatMap(({ node, due }) => due.map((endpoint) => ({ node, endpoint })));
  const nodes = [...Map.groupBy(all.slice(0, endpoints), ({ node }) => node).values()];
  const claims = await Promise.allSettled(
    nodes.map((own) =>
      claimOf(
        worker,
        own.map(({ endpoint }) => endpoint),
        leaseMs,
      ),
    ),
  );
  const claimed = claims.flatMap((claim) => (claim.status === 'fulfilled' ? claim.value : []));
  const failed = claims.find((claim) => claim.status === 'rejected');
  if (failed !== undefined && claimed.length === 0) throw failed.reason;
  return claimed;
}

/** Claims what is still due of these endpoints; another node may have been first. */
function claimOf(
  worker: Database,
  endpoints: readonly EndpointKey[],
  leaseMs: number,
): Promise<ClaimedDelivery[]> {
  const organizations = [...Map.groupBy(endpoints, ({ organizationId }) => organizationId)];
  const locks = organizations.map(([id, own]) =>
    step(lockSubscriptions, [id, uuidArray(own.map(({ endpointId }) => endpointId))]),
  );
  return worker.backgroundTransaction([step(preferIndexes), ...locks], async ([, ...locked], transaction) => {
    const subscriptions = organizations.flatMap(([organizationId], index) => {
      const own = lockedRow.all(locked[index]).map(({ endpointId }) => endpointId);
      return own.length === 0 ? [] : [{ organizationId, keys: [organizationId, uuidArray(own)] }];
    });
    if (subscriptions.length === 0) return [];
    const found = await transaction.send(
      subscriptions.flatMap(({ keys }) => [step(findHidden, keys), step(pickDeliveries, keys)]),
    );
    const refusals: Step[] = [];
    const picked = subscriptions.flatMap(({ organizationId }, index) => {
      for (const { endpointId, eventId } of deliveryRow.all(found[2 * index]))
        refusals.push(step(refuseHidden, [organizationId, endpointId, eventId, hiddenError]));
      return pickedRow.all(found[2 * index + 1]).map((delivery) => ({ organizationId, ...delivery }));
    });
    const claims = picked.map(({ organizationId, endpointId, eventId }) =>
      step(claimDelivery, [organizationId, endpointId, eventId, String(leaseMs)]),
    );
    const results = (await transaction.commit([...refusals, ...claims])).slice(refusals.length);
    return picked.flatMap(({ secret, previousSecret, ...delivery }, index) => {
      const row = claimedRow.first(results[index]);
      const secrets = [secret, previousSecret].filter((each) => each !== null);
      return row === undefined ? [] : [{ ...delivery, ...row, secrets }];
    });
  });
}

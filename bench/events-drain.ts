/**
 * The throughput of one relay in events per second, which limits what an installation can write in the long run. The
 * outbox is filled first, so that only the relay is measured. For comparison, the database moves the same rows between
 * two tables of the same form by one statement on one connection, the minimal cost.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { EndpointTurn } from '@trellis/server/features/webhooks/queue.ts';
import type { Database } from '@trellis/server/kernel/database/database.ts';
import type { Client } from 'pg';
import { median } from './median.ts';
import { nextMessage, startProcess } from './processes.ts';
import type { Usage } from './usage.ts';

/** The subscriptions; ten event types are equally frequent. */
export interface DrainCase {
  readonly name: string;
  readonly organizations: number;
  /** Endpoints of each organization, each with its type. */
  readonly subscriptions: readonly string[];
}

const types = [
  'article.created',
  'article.updated',
  'article.deleted',
  'book.created',
  'book.updated',
  'contact.created',
  'contact.updated',
  'company.created',
  'company.updated',
  'site.updated',
] as const;

export const drainCases: readonly DrainCase[] = [
  { name: 'no subscriptions', organizations: 10, subscriptions: [] },
  {
    name: '50 subscriptions, none matching',
    organizations: 10,
    subscriptions: Array<string>(5).fill('visitor.erased'),
  },
  {
    name: '50 subscriptions, 1 of 10 events matching one',
    organizations: 10,
    subscriptions: ['site.updated', ...Array<string>(4).fill('visitor.erased')],
  },
  {
    name: '50 subscriptions, all events matching one',
    organizations: 10,
    subscriptions: ['*', ...Array<string>(4).fill('visitor.erased')],
  },
  { name: '100,000 organizations, all events matching one', organizations: 100_000, subscriptions: ['*'] },
];

export interface DrainResult {
  readonly name: string;
  readonly events: number;
  readonly eventsPerSecond: number;
  /** The relay process's own, for a thousand events. */
  readonly cpuMs: number;
  readonly deliveries: number;
  /** Of the baseline, measured just before. */
  readonly baselinePerSecond: number;
}

export interface DrainDatabases {
  readonly admin: Client;
  readonly workerUrl: string;
}

/** Fills the outbox, lets a relay empty it, and says how long that took. */
export async function measureDrain(
  { admin, workerUrl }: DrainDatabases,
  { name, organizations: count, subscriptions }: DrainCase,
  events: number,
): Promise<DrainResult> {
  const organizations = await createOrganizations(admin, count, subscriptions);
  await fillOutbox(admin, organizations, events);
  const baselinePerSecond = await measureBaseline(admin, events);
  const relay = startProcess('./relay-program.ts', { BENCH_DATABASE_URL: workerUrl });
  await nextMessage(relay);
  const before = await usageOf(relay);
  const began = performance.now();
  relay.send('begin');
  while (await hasWaiting(admin)) await sleep(20);
  const seconds = (performance.now() - began) / 1_000;
  const after = await usageOf(relay);
  relay.send('stop');
  await nextMessage(relay);
  relay.disconnect();
  const { rows } = await admin.query<{ count: string }>(
    'SELECT count(*) FROM trellis.webhook_deliveries WHERE organization_id = ANY ($1)',
    [organizations],
  );
  return {
    name,
    events,
    eventsPerSecond: events / seconds,
    cpuMs: ((after.cpuMs - before.cpuMs) / events) * 1_000,
    deliveries: Number(rows[0]?.count),
    baselinePerSecond,
  };
}

/** Organizations with one member each, for whom the endpoints act. Nobody is called: no node delivers. @returns their ids */
async function createOrganizations(
  admin: Client,
  count: number,
  subscriptions: readonly string[],
): Promise<string[]> {
  const { rows } = await admin.query<{ id: string }>(
    `WITH made AS (
       INSERT INTO trellis.organizations (id, key, name, modules)
       SELECT id, id, id, '{}' FROM (SELECT uuidv7() AS id FROM generate_series(1, $1::integer)) n RETURNING id
     ), people AS (
       INSERT INTO trellis.users (id, email, email_normalized, name)
       SELECT id, id || '@example.com', id || '@example.com', 'Owner' FROM made
     ), members AS (
       INSERT INTO trellis.memberships (organization_id, user_id, role) SELECT id, id, 'OWNER' FROM made
     ), subscribed AS (
       INSERT INTO trellis.webhook_subscriptions
         (organization_id, endpoint_id, url, event_types, payload, enabled, acts_for, secret)
       SELECT id, uuidv7(), 'https://example.com/hook', ARRAY[type], 'THIN', true, id, 'sealed'
       FROM made, unnest($2::text[]) AS type
     )
     SELECT id FROM made`,
    [count, subscriptions],
  );
  return rows.map(({ id }) => id);
}

async function usageOf(relay: ReturnType<typeof startProcess>): Promise<Usage> {
  relay.send('usage');
  return (await nextMessage(relay)) as Usage;
}

/** As many writes would have left it: one row each, of all organizations in turn. */
async function fillOutbox(admin: Client, organizations: readonly string[], events: number): Promise<void> {
  await admin.query(
    `INSERT INTO trellis.outbox (organization_id, id, type, subject_type, subject_id, parent_id, subject_version,
       actor_user_id, actor_client_id, request_id, changed_fields, occurred_at)
     SELECT ($1::uuid[])[n % ${organizations.length} + 1], uuidv7(), t, split_part(t, '.', 1), gen_random_uuid(),
       gen_random_uuid(), 1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid()::text,
       '{versionData.title,versionData.body}', now() - ($3 - n) * interval '1 millisecond'
     FROM generate_series(1, $3::integer) n, LATERAL (SELECT ($2::text[])[(n / ${organizations.length}) % ${types.length} + 1] AS t) x`,
    [organizations, types, events],
  );
  await admin.query('VACUUM ANALYZE trellis.outbox');
}

/** Moves copies of the rows from a table like the outbox to one like the log. @returns rows per second */
async function measureBaseline(admin: Client, events: number): Promise<number> {
  await admin.query('DROP SCHEMA IF EXISTS bench CASCADE');
  await admin.query('CREATE SCHEMA bench');
  await admin.query('CREATE TABLE bench.outbox (LIKE trellis.outbox INCLUDING ALL)');
  // The log without its partitions, but with the indexes that each of them has.
  await admin.query('CREATE TABLE bench.events (LIKE trellis.events INCLUDING ALL)');
  await admin.query('INSERT INTO bench.outbox SELECT * FROM trellis.outbox');
  await admin.query('VACUUM ANALYZE bench.outbox');
  const began = performance.now();
  await admin.query(
    `WITH taken AS (DELETE FROM bench.outbox RETURNING *)
     INSERT INTO bench.events (organization_id, position, logged_at, id, type, subject_type, subject_id, parent_id,
       subject_version, actor_user_id, actor_client_id, request_id, changed_fields, occurred_at, readers)
     SELECT organization_id, row_number() OVER (PARTITION BY organization_id ORDER BY occurred_at), now(), id, type,
       subject_type, subject_id, parent_id, subject_version, actor_user_id, actor_client_id, request_id, changed_fields,
       occurred_at, readers FROM taken`,
  );
  return events / ((performance.now() - began) / 1_000);
}

async function hasWaiting(admin: Client): Promise<boolean> {
  const { rows } = await admin.query<{ waits: boolean }>(
    'SELECT EXISTS (SELECT FROM trellis.outbox) AS waits',
  );
  return rows[0]?.waits === true;
}

/** Milliseconds that a node takes to claim two deliveries of each of 64 endpoints: the median of 50 claims. */
export async function measureClaims(worker: Database): Promise<{ ms: number; endpoints: number }> {
  const turn = new EndpointTurn();
  const milliseconds: number[] = [];
  for (let claim = 0; claim < 50; claim += 1) {
    const began = performance.now();
    await turn.claim(worker, 64, 60_000);
    milliseconds.push(performance.now() - began);
  }
  const [row] = await worker.run(
    `SELECT count(DISTINCT (organization_id, endpoint_id)) FROM trellis.webhook_deliveries WHERE status = 'PENDING'`,
    [],
  );
  return { ms: median(milliseconds), endpoints: Number(row?.[0]) };
}

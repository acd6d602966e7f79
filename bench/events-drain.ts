/**
 * The throughput of one relay in events per second, which limits what an installation can write in the long run. The
 * outbox is filled first, so that only the relay is measured. For comparison, the database moves the same rows between
 * two tables of the same form by one statement on one connection, the minimal cost.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@trellis/server/database/database.ts';
import type { Client } from 'pg';
import { createMember, createOrganization } from '../test/support/identities.ts';
import { createEndpoint } from '../test/support/webhooks.ts';
import { nextMessage, startProcess } from './processes.ts';
import type { Usage } from './usage.ts';

/** The subscriptions; ten event types are equally frequent. */
export interface DrainCase {
  readonly name: string;
  /** Endpoints of each organization, each with its type. */
  readonly subscriptions: readonly string[];
}

const organizationCount = 10;
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
  { name: 'no subscriptions', subscriptions: [] },
  { name: '50 subscriptions, none matching', subscriptions: Array<string>(5).fill('visitor.erased') },
  {
    name: '50 subscriptions, 1 of 10 events matching one',
    subscriptions: ['site.updated', ...Array<string>(4).fill('visitor.erased')],
  },
  {
    name: '50 subscriptions, all events matching one',
    subscriptions: ['*', ...Array<string>(4).fill('visitor.erased')],
  },
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
  readonly api: Database;
  readonly worker: Database;
  readonly workerUrl: string;
}

/** Fills the outbox, lets a relay empty it, and says how long that took. */
export async function measureDrain(
  databases: DrainDatabases,
  { name, subscriptions }: DrainCase,
  events: number,
): Promise<DrainResult> {
  const { admin, api, worker, workerUrl } = databases;
  const organizations: string[] = [];
  for (let number = 0; number < organizationCount; number += 1) {
    const organization = await createOrganization(worker, `drain-${Date.now()}-${number}`);
    const createdBy = await createMember(worker, organization, 'OWNER');
    organizations.push(organization.id);
    for (const type of subscriptions) {
      // Nobody is called: no node delivers.
      const options = { url: 'https://example.com/hook', createdBy, eventTypes: [type] };
      await createEndpoint(api, organization.id, options);
    }
  }
  await fillOutbox(admin, organizations, events);
  const baselinePerSecond = await measureBaseline(admin, events);
  const relay = startProcess('./relay-program.ts', { BENCH_DATABASE_URL: workerUrl });
  await nextMessage(relay);
  const before = await usageOf(relay);
  const began = performance.now();
  relay.send('begin');
  while ((await countLogged(admin, organizations)) < events) await sleep(20);
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

async function usageOf(relay: ReturnType<typeof startProcess>): Promise<Usage> {
  relay.send('usage');
  return (await nextMessage(relay)) as Usage;
}

/** As many writes would have left it: one row each, of all organizations in turn. */
async function fillOutbox(admin: Client, organizations: readonly string[], events: number): Promise<void> {
  await admin.query(
    `INSERT INTO trellis.outbox (organization_id, id, type, subject_type, subject_id, parent_id, subject_version,
       actor_user_id, actor_client_id, request_id, changed_fields, occurred_at)
     SELECT ($1::uuid[])[n % ${organizationCount} + 1], uuidv7(), t, split_part(t, '.', 1), gen_random_uuid(),
       gen_random_uuid(), 1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid()::text,
       '{versionData.title,versionData.body}', now() - ($3 - n) * interval '1 millisecond'
     FROM generate_series(1, $3::integer) n, LATERAL (SELECT ($2::text[])[(n / ${organizationCount}) % ${types.length} + 1] AS t) x`,
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

async function countLogged(admin: Client, organizations: readonly string[]): Promise<number> {
  const { rows } = await admin.query<{ sum: string | null }>(
    'SELECT sum(position) FROM trellis.event_positions WHERE organization_id = ANY ($1)',
    [organizations],
  );
  return Number(rows[0]?.sum ?? 0);
}

/**
 * A database whose tables of the background roles are distributed, on a prepared Citus cluster on 127.0.0.1. TRELLIS_TEST_CITUS_NODES names it: the URL
 * of a superuser, with the coordinator and the other nodes as hosts.
 */
import { randomBytes } from 'node:crypto';
import type { Step } from '@trellis/server/database/batch.ts';
import { Database, type Transaction } from '@trellis/server/database/database.ts';
import { replaceDatabase, splitHosts } from '@trellis/server/database/hosts.ts';
import { migrate } from '@trellis/server/database/migrate.ts';
import { roleUrls, setUpDatabase } from '@trellis/server/database/setup.ts';
import pg from 'pg';
import { createTestDatabase } from './database.ts';

const named = process.env.TRELLIS_TEST_CITUS_NODES;

/** Why there is no cluster; false where there is one. */
export const withoutCluster =
  named === undefined &&
  'TRELLIS_TEST_CITUS_NODES names no Citus cluster: nothing was tested on a distributed database';

/** Tables that the background roles use; `memberships` is the one whose shards the others are placed with. */
const distributed = [
  'memberships',
  'roles',
  'outbox',
  'event_positions',
  'events',
  'event_sink_cursors',
  'webhook_subscriptions',
  'webhook_deliveries',
  'webhook_attempts',
  'timers',
  'extraction_jobs',
  'extraction_turns',
  'search_marks',
  'visitors',
  'identifications',
  'idempotency_keys',
  'answer_erasures',
  'trash',
];

/** Keeps the statements of the background role that change something, by name. */
export class RecordingDatabase extends Database {
  readonly changes = new Map<string, string>();

  override executeInBackground(steps: readonly Step[]) {
    this.record(steps);
    return super.executeInBackground(steps);
  }

  override backgroundTransaction<T>(
    first: readonly Step[],
    work: Parameters<typeof Database.prototype.backgroundTransaction<T>>[1],
  ): Promise<T> {
    this.record(first);
    const recording = (transaction: Transaction): Transaction => ({
      ...transaction,
      send: (steps) => this.sent(steps, transaction.send),
      commit: (steps) => this.sent(steps, transaction.commit),
    });
    return super.backgroundTransaction(first, (rows, transaction) => work(rows, recording(transaction)));
  }

  private sent<T>(steps: readonly Step[], send: (steps: readonly Step[]) => Promise<T>): Promise<T> {
    this.record(steps);
    return send(steps);
  }

  private record(steps: readonly Step[]): void {
    for (const { statement } of steps) this.changes.set(statement.name, statement.text);
  }
}

/** A database for tests of the background roles. */
export interface WorkDatabase {
  /** Pool of the role `trellis_worker`; of a distributed database, to the coordinator. */
  readonly worker: RecordingDatabase;
  readonly admin: pg.Client;
  /** The number of nodes beside the coordinator; 0 for a plain database. */
  readonly nodes: number;
  drop(): Promise<void>;
}

function openWorker(url: string): RecordingDatabase {
  return new RecordingDatabase({
    url,
    poolSize: 4,
    prepare: true,
    acquireTimeoutMs: 5_000,
    applicationName: 'trellis test',
    log: () => undefined,
  });
}

/** A plain PostgreSQL database in the same form; the caller drops it. */
export async function createPlainDatabase(): Promise<WorkDatabase> {
  const database = await createTestDatabase();
  const worker = openWorker(database.urls.worker);
  const admin = new pg.Client(database.adminUrl);
  await admin.connect();
  return {
    worker,
    admin,
    nodes: 0,
    async drop() {
      await worker.close();
      await admin.end();
      await database.drop();
    },
  };
}

const passwords = { owner: 'test-owner', api: 'test-api', worker: 'test-worker', auth: 'test-auth' };

/** Creates it; the caller drops it. */
export async function createDistributedDatabase(): Promise<WorkDatabase> {
  const [coordinator = '', ...others] = splitHosts(named ?? '');
  const name = `trellis_test_${randomBytes(6).toString('hex')}`;
  const urls = await setUpDatabase(coordinator, name, passwords);
  await migrate(urls.owner, () => undefined);
  for (const url of others) {
    await setUpDatabase(url, name, passwords);
    await run(replaceDatabase(url, name), 'CREATE EXTENSION citus');
  }
  const admin = new pg.Client(replaceDatabase(coordinator, name));
  await admin.connect();
  await admin.query('CREATE EXTENSION citus');
  await admin.query('SELECT citus_set_coordinator_host($1, $2)', ['127.0.0.1', new URL(coordinator).port]);
  for (const url of [coordinator, ...others])
    await run(
      replaceDatabase(url, name),
      `INSERT INTO pg_dist_authinfo VALUES (0, 'trellis_owner', 'password=test-owner'), (0, 'trellis_worker', 'password=test-worker')`,
    );
  for (const url of others)
    await admin.query('SELECT citus_add_node($1, $2)', ['127.0.0.1', new URL(url).port]);
  await distribute(admin);
  const worker = openWorker(roleUrls(coordinator, name, passwords).worker);
  return {
    worker,
    admin,
    nodes: others.length,
    async drop() {
      await worker.close();
      await admin.end();
      for (const url of [coordinator, ...others]) await run(url, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function distribute(admin: pg.Client): Promise<void> {
  const { rows: policies } = await admin.query<{ drop: string }>(
    `SELECT format('DROP POLICY %I ON %s', polname, polrelid::regclass) AS drop FROM pg_policy
     WHERE concat(polqual, polwithcheck) LIKE '%{SUBLINK %'`,
  );
  const { rows: keys } = await admin.query<{ drop: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I CASCADE', conrelid::regclass, conname) AS drop FROM pg_constraint
     WHERE contype = 'f' AND connamespace = 'trellis'::regnamespace AND conparentid = 0`,
  );
  for (const { drop } of [...policies, ...keys]) await admin.query(drop);
  for (const table of ['organizations', 'users'])
    await admin.query('SELECT create_reference_table($1)', [`trellis.${table}`]);
  for (const table of distributed)
    await admin.query('SELECT create_distributed_table($1, $2, colocate_with => $3, shard_count => $4)', [
      `trellis.${table}`,
      'organization_id',
      table === 'memberships' ? 'none' : 'trellis.memberships',
      table === 'memberships' ? 8 : null,
    ]);
  await admin.query(`SELECT create_distributed_function('trellis.may_read(text[], text[])')`);
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

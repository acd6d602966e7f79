/**
 * Databases of tests. One cluster serves the whole run; each test file gets its own database, cloned from a migrated
 * template, which takes some 50 ms.
 *
 * The run's administrator URL comes in TRELLIS_TEST_ADMIN_URL (set by scripts/test.ts); a test file started by itself
 * starts an embedded cluster of its own in a temporary directory.
 */
import { randomBytes } from 'node:crypto';
import { Database } from '@trellis/server/database/database.ts';
import { migrate } from '@trellis/server/database/migrate.ts';
import { type RoleUrls, roleUrls, setUpDatabase } from '@trellis/server/database/setup.ts';
import pg from 'pg';
import { startTestCluster, type TestCluster } from './cluster.ts';

export interface TestDatabase {
  readonly name: string;
  readonly urls: RoleUrls;
  /** Pools of the serving and of the background role. */
  readonly api: Database;
  readonly worker: Database;
  /** The role that signs people in. */
  readonly auth: Database;
  /** URL of a superuser on this database, for looking behind row-level security. */
  readonly adminUrl: string;
  drop(): Promise<void>;
}

const template = 'trellis_test_template';
/** The roles belong to the cluster, so all databases of a run share them. */
const passwords = { owner: 'test-owner', api: 'test-api', worker: 'test-worker', auth: 'test-auth' };

export interface TestDatabaseOptions {
  readonly poolSize?: number;
  /** Whether it is in a cluster of its own that runs as in operation; not when absent. */
  readonly durable?: boolean;
}

/** A fresh, migrated database. The caller drops it (`after(() => database.drop())`). */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const cluster = await findCluster(options.durable ?? false);
  const { adminUrl } = cluster;
  await prepareTemplate(adminUrl);
  const name = `trellis_test_${randomBytes(6).toString('hex')}`;
  await withAdmin(adminUrl, (client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE ${template} OWNER trellis_owner`),
  );
  await withAdmin(adminUrl, async (client) => {
    await client.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
    await client.query(`GRANT CONNECT ON DATABASE ${name} TO trellis_api, trellis_worker, trellis_auth`);
  });
  const urls = roleUrls(adminUrl, name, passwords);
  const openPool = (url: string) =>
    new Database({
      url,
      poolSize: options.poolSize ?? 8,
      prepare: true,
      acquireTimeoutMs: 5_000,
      applicationName: 'trellis test',
      log: () => undefined,
    });
  const api = openPool(urls.api);
  const worker = openPool(urls.worker);
  const auth = openPool(urls.auth);
  return {
    name,
    urls,
    api,
    worker,
    auth,
    adminUrl: withDatabase(adminUrl, name),
    async drop() {
      await api.close();
      await worker.close();
      await auth.close();
      await withAdmin(adminUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
      await cluster.leave();
    },
  };
}

/** Creates and migrates the template once per run; whoever comes second waits for the first. */
async function prepareTemplate(adminUrl: string): Promise<void> {
  await withAdmin(adminUrl, async (client) => {
    await client.query(`SELECT pg_advisory_lock(hashtext('trellis test template'))`);
    const known = await client.query('SELECT FROM pg_database WHERE datname = $1 AND datistemplate', [
      template,
    ]);
    if (known.rowCount === 1) return;
    const urls = await setUpDatabase(adminUrl, template, passwords);
    await migrate(urls.owner, () => undefined);
    await client.query(`ALTER DATABASE ${template} IS_TEMPLATE true`);
  });
}

/** A cluster that a test's database is in. */
interface UsedCluster {
  readonly adminUrl: string;
  /** Called when the database has been dropped. */
  leave(): Promise<void>;
}

let own: Promise<TestCluster> | undefined;
/** Databases of this process in its own cluster that have not been dropped: the last one stops it. */
let open = 0;

async function findCluster(durable: boolean): Promise<UsedCluster> {
  if (durable) {
    const cluster = await startTestCluster({ durable, binaries: process.env.TRELLIS_TEST_BINARIES });
    return { adminUrl: cluster.adminUrl, leave: () => cluster.stop() };
  }
  const given = process.env.TRELLIS_TEST_ADMIN_URL;
  if (given !== undefined) return { adminUrl: given, leave: async () => undefined };
  open += 1;
  own ??= startTestCluster();
  return { adminUrl: (await own).adminUrl, leave: leaveOwnCluster };
}

async function leaveOwnCluster(): Promise<void> {
  open -= 1;
  if (open > 0) return;
  const cluster = await own;
  own = undefined;
  await cluster?.stop();
}

function withDatabase(adminUrl: string, name: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function withAdmin<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

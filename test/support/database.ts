/**
 * Databases of tests. One cluster serves the whole run; each test file gets its own database, cloned from a migrated
 * template, which takes some 30 ms.
 *
 * The run's administrator URL comes in TRELLIS_TEST_ADMIN_URL (set by scripts/tests/run-files.ts); a test file started by itself
 * starts an embedded cluster of its own in a temporary directory.
 */
import { randomBytes } from 'node:crypto';
import { Database } from '@trellis/server/kernel/database/database.ts';
import { migrate } from '@trellis/server/kernel/database/migrate.ts';
import { type RoleUrls, roleUrls, setUpDatabase } from '@trellis/server/kernel/database/setup.ts';
import pg from 'pg';
import { startTestCluster, type TestCluster } from './cluster.ts';

export interface TestDatabase {
  readonly name: string;
  readonly urls: RoleUrls;
  /** Pools of the roles `trellis_api` and `trellis_worker`. */
  readonly api: Database;
  readonly worker: Database;
  /** The role that signs people in. */
  readonly auth: Database;
  /** URL of a superuser on this database, who bypasses row-level security. */
  readonly adminUrl: string;
  drop(): Promise<void>;
}

const template = 'trellis_test_template';
/** The roles belong to the cluster, so all databases of a run share them. */
const passwords = { owner: 'test-owner', api: 'test-api', worker: 'test-worker', auth: 'test-auth' };

export interface TestDatabaseOptions {
  /** Connections of each pool; 8 when absent. */
  readonly poolSize?: number;
  /** How long statements of `api` may take, also waiting for a lock, in ms; as in production when absent. */
  readonly statementTimeoutMs?: number;
  /** Whether it is in a cluster of its own with durability, as in production; false by default. */
  readonly durable?: boolean;
}

/** Creates a migrated database. The caller drops it (`after(() => database.drop())`). */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const name = `trellis_test_${randomBytes(6).toString('hex')}`;
  const cluster = await findCluster(options.durable ?? false);
  const { adminUrl } = cluster;
  await prepareTemplate(adminUrl);
  await withAdmin(adminUrl, async (client) => {
    // Copying files takes a twentieth of the processor time of PostgreSQL's default, which logs each page.
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} OWNER trellis_owner STRATEGY file_copy`);
    await client.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
    await client.query(`GRANT CONNECT ON DATABASE ${name} TO trellis_api, trellis_worker, trellis_auth`);
  });
  const urls = withStatementTimeout(roleUrls(adminUrl, name, passwords), options.statementTimeoutMs);
  const openPool = (url: string) =>
    new Database({
      url,
      poolSize: options.poolSize ?? 8,
      prepare: true,
      acquireTimeoutMs: 30_000,
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

/** Creates and migrates the template once per run; concurrent callers wait. */
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

/** The cluster of a test's database. */
interface UsedCluster {
  readonly adminUrl: string;
  /** Called when the database has been dropped. */
  leave(): Promise<void>;
}

let own: Promise<TestCluster> | undefined;
/** The number of open databases in this process's own cluster, which is stopped with the last one. */
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
  return { adminUrl: (await own).adminUrl, leave: releaseOwnCluster };
}

async function releaseOwnCluster(): Promise<void> {
  open -= 1;
  if (open > 0) return;
  const cluster = await own;
  own = undefined;
  await cluster?.stop();
}

/** Options of a connection take precedence over the role's settings. */
function withStatementTimeout(urls: RoleUrls, statementTimeoutMs: number | undefined): RoleUrls {
  if (statementTimeoutMs === undefined) return urls;
  const api = new URL(urls.api);
  api.searchParams.set(
    'options',
    `-c lock_timeout=${statementTimeoutMs} -c statement_timeout=${statementTimeoutMs}`,
  );
  return { ...urls, api: api.href };
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

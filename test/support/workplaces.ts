/**
 * Databases for tests of background work: a plain one, and one whose tables are distributed over a prepared Citus cluster on this machine.
 * TRELLIS_TEST_CITUS_NODES names the cluster: the URL of a superuser with the hosts of the coordinator and of the workers.
 */
import { randomBytes } from 'node:crypto';
import { Database } from '@trellis/server/database/database.ts';
import { Servers } from '@trellis/server/database/distribution/servers.ts';
import { replaceDatabase, replaceHost, splitHosts } from '@trellis/server/database/hosts.ts';
import { migrate } from '@trellis/server/database/migrate.ts';
import type { BackgroundDatabase } from '@trellis/server/database/parts.ts';
import { roleUrls, setUpDatabase } from '@trellis/server/database/setup.ts';
import { Workplaces } from '@trellis/server/node/background/workplaces.ts';
import pg from 'pg';
import { createTestDatabase } from './database.ts';
import { until } from './until.ts';

const named = process.env.TRELLIS_TEST_CITUS_NODES;

/** Why there is no cluster; false where there is one. */
export const withoutCluster =
  named === undefined &&
  'TRELLIS_TEST_CITUS_NODES names no Citus cluster: nothing was tested on a distributed database';

/** A database with the places of its background work. */
export interface WorkDatabase {
  readonly workplaces: Workplaces;
  readonly servers: Servers;
  /** Pool of the role `trellis_worker`; of a distributed database, to its coordinator. */
  readonly worker: Database;
  /** The same for `trellis_api`. */
  readonly api: Database;
  readonly admin: pg.Client;
  /** Opens a pool of the role `trellis_worker` to a server; the caller closes it. */
  openWorker(address: string): Database;
  /** Of the superuser, by the address of the server: none for a plain database. */
  readonly serverUrls: ReadonlyMap<string, string>;
  /** All parts of all places. */
  parts(): BackgroundDatabase[];
  drop(): Promise<void>;
}

/** A plain PostgreSQL database; the caller drops it. */
export async function createPlainDatabase(): Promise<WorkDatabase> {
  const database = await createTestDatabase();
  return open(database.adminUrl, database.urls, new Map(), () => database.drop());
}

const passwords = { owner: 'test-owner', api: 'test-api', worker: 'test-worker', auth: 'test-auth' };

/** A distributed one; the caller drops it. */
export async function createDistributedDatabase(): Promise<WorkDatabase> {
  const [coordinator = '', ...others] = splitHosts(named ?? '');
  const name = `trellis_test_${randomBytes(6).toString('hex')}`;
  for (const url of [coordinator, ...others]) {
    const urls = await setUpDatabase(url, name, passwords);
    if (url === coordinator) await migrate(urls.owner, () => undefined);
    const { username, password } = new URL(url);
    const logins = [...Object.entries(passwords).map(([role, one]) => [`trellis_${role}`, one])];
    await run(
      replaceDatabase(url, name),
      'CREATE EXTENSION citus',
      ...[...logins, [username, password]].map(
        ([role, secret]) => `INSERT INTO pg_dist_authinfo VALUES (0, '${role}', 'password=${secret}')`,
      ),
    );
  }
  await run(
    replaceDatabase(coordinator, name),
    `SELECT citus_set_coordinator_host(${addressOf(coordinator)})`,
    ...others.map((url) => `SELECT citus_add_node(${addressOf(url)})`),
    ...(await distribution(replaceDatabase(coordinator, name))),
  );
  const serverUrls = others.map((url): [string, string] => [new URL(url).host, replaceDatabase(url, name)]);
  return open(
    replaceDatabase(coordinator, name),
    roleUrls(coordinator, name, passwords),
    new Map(serverUrls),
    async () => {
      for (const url of [coordinator, ...others]) await run(url, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  );
}

async function open(
  adminUrl: string,
  urls: { readonly worker: string; readonly api: string },
  serverUrls: ReadonlyMap<string, string>,
  drop: () => Promise<void>,
): Promise<WorkDatabase> {
  const options = {
    poolSize: 4,
    prepare: true,
    acquireTimeoutMs: 5_000,
    applicationName: 'trellis test',
    log: () => undefined,
  };
  const openPool = (url: string) => new Database({ ...options, url });
  const api = openPool(urls.api);
  const worker = openPool(urls.worker);
  const timing = { shardsMs: 200, probeMs: 200, deadlineMs: 1_000 };
  const servers = new Servers(api, { ...options, url: urls.api, timing });
  const openWorker = (address: string) => openPool(replaceHost(urls.worker, address));
  const workplaces = new Workplaces({
    servers,
    worker,
    api,
    openWorker,
    openApi: (address) => openPool(replaceHost(urls.api, address)),
  });
  const admin = new pg.Client(adminUrl);
  await admin.connect();
  await until('the places are known', () => workplaces.list().length > 0);
  return {
    workplaces,
    servers,
    worker,
    api,
    admin,
    openWorker,
    serverUrls,
    parts: () => workplaces.list().flatMap((place) => place.parts()),
    async drop() {
      await workplaces.close();
      await servers.close();
      await api.close();
      await admin.end();
      await drop();
    },
  };
}

/** The statements that distribute a database by its organizations, as far as background work needs it. */
async function distribution(url: string): Promise<string[]> {
  // Citus refuses policies with subqueries, none of which is for the background role.
  const policies = await run(
    url,
    `SELECT format('DROP POLICY %I ON %s', polname, polrelid::regclass) AS text FROM pg_policy
     WHERE concat(polqual, polwithcheck) LIKE '%{SUBLINK %'`,
  );
  const keys = await run(
    url,
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I CASCADE', conrelid::regclass, conname) AS text FROM pg_constraint
     WHERE contype = 'f' AND connamespace = 'trellis'::regnamespace AND conparentid = 0`,
  );
  const tables = await run(
    url,
    `SELECT format('SELECT create_distributed_table(%L, %L, colocate_with => %L, shard_count => %s)', c.oid::regclass, 'organization_id',
       CASE c.relname WHEN 'memberships' THEN 'none' ELSE 'trellis.memberships' END,
       CASE c.relname WHEN 'memberships' THEN '4' ELSE 'NULL' END) AS text
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id'
     WHERE c.relnamespace = 'trellis'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     ORDER BY c.relname <> 'memberships', c.relname`,
  );
  return [
    ...[...policies, ...keys].map(({ text }) => text),
    `SELECT create_reference_table('trellis.organizations')`,
    `SELECT create_reference_table('trellis.users')`,
    ...tables.map(({ text }) => text),
    `SELECT create_distributed_function('trellis.may_read(text[], text[])')`,
    `SELECT create_distributed_function('trellis.readers_of(uuid, uuid)')`,
    `SELECT create_distributed_function('trellis.hold_shard(bigint)')`,
  ];
}

function addressOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `'${hostname}', ${port}`;
}

/** Runs statements one by one. @returns the rows of the last one */
export async function run(url: string, ...statements: readonly string[]): Promise<{ text: string }[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    let rows: { text: string }[] = [];
    for (const statement of statements) rows = (await client.query<{ text: string }>(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

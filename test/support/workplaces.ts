/**
 * Databases for tests of background work, with the places of its loops: a plain one, and one that is distributed over a prepared Citus
 * cluster (see citus.ts).
 */
import { Database } from '@trellis/server/database/database.ts';
import { Servers, type ServersTiming } from '@trellis/server/database/distribution/servers.ts';
import { replaceHost } from '@trellis/server/database/hosts.ts';
import type { BackgroundDatabase } from '@trellis/server/database/parts.ts';
import { Workplaces } from '@trellis/server/node/background/workplaces.ts';
import pg from 'pg';
import { citusNodes } from './citus.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { until } from './until.ts';

/** Where a database is. */
export interface DatabaseLocation extends Pick<TestDatabase, 'name' | 'urls' | 'adminUrl'> {
  /** The name under which its servers know the connections to them. */
  readonly applicationName?: string;
}

/** A database with the places of its background work. */
export interface OpenDatabase {
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
  /** Closes all pools, and leaves the database. */
  close(): Promise<void>;
}

/** One that the caller drops. */
export interface WorkDatabase extends OpenDatabase {
  drop(): Promise<void>;
}

/** A plain PostgreSQL database; the caller drops it. */
export async function createPlainDatabase(): Promise<WorkDatabase> {
  const database = await createTestDatabase({ distributed: false });
  return withDrop(database, await openWork(database, 1_000));
}

/** A distributed one, on the prepared cluster, whose servers are soon away; the caller drops it. */
export async function createDistributedDatabase(): Promise<WorkDatabase> {
  const database = await createTestDatabase({ distributed: true });
  return withDrop(database, await openDistributed(database, 1_000));
}

function withDrop(database: TestDatabase, open: OpenDatabase): WorkDatabase {
  return {
    ...open,
    async drop() {
      await open.close();
      await database.drop();
    },
  };
}

/**
 * The places of work of a distributed database that exists.
 * @param deadlineMs how long a server may not respond before it is away, and what was sent to it fails; on a busy machine that is not soon
 */
export function openDistributed(database: DatabaseLocation, deadlineMs = 60_000): Promise<OpenDatabase> {
  const [, ...others] = citusNodes(database.name);
  return openWork(database, deadlineMs, new Map(others.map((url) => [new URL(url).host, url])));
}

async function openWork(
  database: DatabaseLocation,
  deadlineMs: number,
  serverUrls: ReadonlyMap<string, string> = new Map(),
): Promise<OpenDatabase> {
  const { urls, adminUrl, applicationName = 'trellis test' } = database;
  const options = {
    poolSize: 4,
    prepare: true,
    acquireTimeoutMs: 5_000,
    applicationName,
    log: () => undefined,
  };
  const openPool = (url: string) => new Database({ ...options, url });
  const api = openPool(urls.api);
  const worker = openPool(urls.worker);
  const timing: ServersTiming = { shardsMs: 200, probeMs: 200, deadlineMs };
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
  const close = async () => {
    await workplaces.close();
    await servers.close();
    await api.close();
    await admin.end();
  };
  return {
    workplaces,
    servers,
    worker,
    api,
    admin,
    openWorker,
    serverUrls,
    parts: () => workplaces.list().flatMap((place) => place.parts()),
    close,
  };
}

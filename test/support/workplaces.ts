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
  /** Closes all pools, and leaves the database. */
  close(): Promise<void>;
  drop(): Promise<void>;
}

/** A plain PostgreSQL database; the caller drops it. */
export async function createPlainDatabase(): Promise<WorkDatabase> {
  return openWork(await createTestDatabase({ distributed: false }), 1_000);
}

/** A distributed one, on the prepared cluster, whose servers are soon away; the caller drops it. */
export async function createDistributedDatabase(): Promise<WorkDatabase> {
  return openDistributed(await createTestDatabase({ distributed: true }), 1_000);
}

/**
 * The places of work of a distributed database that exists.
 * @param deadlineMs how long a server may not respond before it is away, and what was sent to it fails; on a busy machine that is not soon
 */
export function openDistributed(database: TestDatabase, deadlineMs = 60_000): Promise<WorkDatabase> {
  const [, ...others] = citusNodes(database.name);
  return openWork(database, deadlineMs, new Map(others.map((url) => [new URL(url).host, url])));
}

async function openWork(
  database: TestDatabase,
  deadlineMs: number,
  serverUrls: ReadonlyMap<string, string> = new Map(),
): Promise<WorkDatabase> {
  const { urls, adminUrl } = database;
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
    async drop() {
      await close();
      await database.drop();
    },
  };
}

/** PostgreSQL servers: a primary with a migrated database, and standbys that stream from it. */
import { execFileSync } from 'node:child_process';
import { chownSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EmbeddedDatabase, startEmbedded } from '@trellis/embedded-postgres/embedded.ts';
import { Database } from '@trellis/server/kernel/database/database.ts';
import { migrate } from '@trellis/server/kernel/database/migrate.ts';
import { makeRolePasswords, type RoleUrls, setUpDatabase } from '@trellis/server/kernel/database/setup.ts';
import pg from 'pg';
import { makeDataDirectory } from './folders.ts';
import { findFreePort } from './free-port.ts';

export interface ServerPair {
  /** The primary, until `standby` is promoted. */
  readonly primary: EmbeddedDatabase;
  readonly standby: EmbeddedDatabase;
  /** All of them, of which `standby` is the first. */
  readonly standbys: readonly EmbeddedDatabase[];
  /** URLs of the primary only. */
  readonly urls: RoleUrls;
  /** A URL with the hosts replaced by these servers, in this order. */
  over(url: string | null, ...servers: EmbeddedDatabase[]): string;
  /** Promotes the standby; resolves when it takes writes. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the servers. The embedded PostgreSQL has no `pg_basebackup`: a standby begins as a copy of the primary's folder,
 * made after a clean shutdown.
 * @param settings of the standbys
 */
export async function startServerPair(
  standbyCount = 1,
  settings: Record<string, string> = {},
): Promise<ServerPair> {
  const binaries = process.env.TRELLIS_TEST_BINARIES;
  const start = (dataDirectory: string, settings: Record<string, string> = {}) =>
    startEmbedded({
      dataDirectory,
      log: () => undefined,
      settings,
      ...(binaries === undefined ? {} : { binaries }),
    });
  const folder = await makeDataDirectory('primary');
  const first = await start(folder);
  const urls = await setUpDatabase(first.adminUrl(), 'trellis', makeRolePasswords());
  await migrate(urls.owner, () => undefined);
  await first.stop();
  const copies: string[] = [];
  for (let number = 0; number < standbyCount; number += 1) {
    const copy = await makeDataDirectory('standby');
    await copyCluster(folder, copy);
    copies.push(copy);
  }
  const primary = await start(folder);
  const { password } = new URL(primary.adminUrl());
  const primary_conninfo = `host=127.0.0.1 port=${primary.port} user=postgres password=${password}`;
  const standbys: EmbeddedDatabase[] = [];
  for (const copy of copies) standbys.push(await start(copy, { ...settings, primary_conninfo }));
  const [standby] = standbys;
  if (standby === undefined) throw new Error('there is no standby');
  return {
    primary,
    standby,
    standbys,
    urls,
    over(url, ...servers) {
      const hosts = servers.map(({ host, port }) => `${host}:${port}`).join(',');
      return (url ?? '').replace(/(?<=@)[^/]+/, hosts);
    },
    async promote() {
      const admin = new pg.Client({ connectionString: standby.adminUrl() });
      await admin.connect();
      try {
        await admin.query('SELECT pg_promote(true, 30)');
      } finally {
        await admin.end();
      }
    },
    async stop() {
      await primary.stop('immediate');
      for (const one of standbys) await one.stop('immediate');
      for (const one of [folder, ...copies]) await rm(one, { recursive: true, force: true });
    },
  };
}

/** Opens a pool of one connection. */
export function openOne(url: string): Database {
  return new Database({
    url,
    poolSize: 1,
    prepare: false,
    acquireTimeoutMs: 5_000,
    applicationName: 'trellis test',
    log: () => undefined,
  });
}

async function copyCluster(from: string, to: string): Promise<void> {
  // With owner and modes, since the server runs as another user for root.
  execFileSync('cp', ['-a', join(from, 'postgres'), join(to, 'postgres')]);
  const { uid, gid } = statSync(join(to, 'postgres', 'PG_VERSION'));
  const signal = join(to, 'postgres', 'standby.signal');
  writeFileSync(signal, '');
  chownSync(signal, uid, gid);
  const state = JSON.parse(readFileSync(join(from, 'postgres.json'), 'utf8'));
  state.port = await findFreePort();
  state.dataDirectory = to;
  writeFileSync(join(to, 'postgres.json'), JSON.stringify(state), { mode: 0o600 });
}

/**
 * Why: the schema only moves forward, by numbered SQL files, each in one transaction, so that a migration that is
 * killed leaves either nothing or all of itself. Any number of nodes may run this at once.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { connectToWritable } from './connection.ts';
import type { Database } from './database.ts';
import type { DatabaseFailure } from './flight.ts';

const folder = fileURLToPath(new URL('../../../../migrations/', import.meta.url));

/** One numbered file. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the text, hexadecimal: an applied migration must never be edited. */
  readonly checksum: string;
}

/** All migrations of this release in order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(`${folder}${name}`, 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** How often a migration waits anew for its locks before it gives up; each wait is at most 100 ms long. */
const lockAttempts = 100;

/**
 * Applies what is missing.
 * @param ownerUrl URL of the role that owns the schema; of several hosts the one that takes writes is used.
 * @returns the names applied by this call.
 * @throws Error when an applied migration differs from its file or the database is newer than this release.
 */
export async function migrate(ownerUrl: string, log: (line: string) => void): Promise<string[]> {
  const client = await connectToWritable(ownerUrl);
  try {
    await client.query(`SET search_path = trellis, public`);
    await client.query(`SELECT pg_advisory_lock(hashtext('trellis migrate'))`);
    await client.query(`CREATE TABLE IF NOT EXISTS trellis.migrations (
      name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
    await client.query('GRANT USAGE ON SCHEMA trellis TO trellis_api, trellis_worker');
    await client.query('GRANT SELECT ON trellis.migrations TO trellis_api, trellis_worker');
    const applied = await client.query<{ name: string; checksum: string }>(
      'SELECT name, checksum FROM trellis.migrations',
    );
    const missing = compareMigrations(await readMigrations(), applied.rows);
    for (const migration of missing) {
      log(`applying ${migration.name}`);
      await applyMigration(client, migration);
    }
    return missing.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** How the migrations of a database compare with this release's, by name. */
export interface MigrationState {
  /** What this release has and the database lacks. */
  readonly pending: readonly string[];
  /** What the database has and this release does not know: it belongs to a later one. */
  readonly newer: readonly string[];
}

/**
 * Compares them, as any role may.
 * @throws Error when an applied migration differs from its file
 */
export async function readMigrationState(database: Database): Promise<MigrationState> {
  const exists = await database.run(`SELECT to_regclass('trellis.migrations') IS NOT NULL`);
  const rows =
    exists[0]?.[0] === 't' ? await database.run('SELECT name, checksum FROM trellis.migrations') : [];
  const applied = rows.map(([name, checksum]) => ({ name: name ?? '', checksum: checksum ?? '' }));
  const files = await readMigrations();
  const isKnown = ({ name }: { readonly name: string }) => files.some((file) => file.name === name);
  const pending = compareMigrations(files, applied.filter(isKnown)).map(({ name }) => name);
  return { pending, newer: applied.filter((one) => !isKnown(one)).map(({ name }) => name) };
}

/**
 * What keeps a node from serving. Migrations of the next release do not: each is safe beside this one, so that nodes serve on
 * while they are replaced one by one.
 */
export async function pendingMigrations(database: Database): Promise<readonly string[]> {
  return (await readMigrationState(database)).pending;
}

function compareMigrations(
  files: readonly Migration[],
  applied: readonly { name: string; checksum: string }[],
): Migration[] {
  for (const { name, checksum } of applied) {
    const file = files.find((migration) => migration.name === name);
    if (file === undefined) {
      throw new Error(
        `The database has migration ${name}, which this release does not know: it is newer than this release.`,
      );
    }
    if (file.checksum !== checksum)
      throw new Error(`Migration ${name} was changed after it had been applied.`);
  }
  return files.filter(({ name }) => applied.every((migration) => migration.name !== name));
}

async function applyMigration(client: pg.Client, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query('BEGIN');
      // A long lock wait would queue every other statement on the table behind it.
      await client.query(`SET LOCAL lock_timeout = '100ms'`);
      await client.query(migration.sql);
      await client.query('INSERT INTO trellis.migrations (name, checksum) VALUES ($1, $2)', [
        migration.name,
        migration.checksum,
      ]);
      await client.query('COMMIT');
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      if ((error as DatabaseFailure).code !== '55P03' || attempt >= lockAttempts) throw error;
      await sleep(50 + Math.random() * 100);
    }
  }
}

/**
 * Applies migrations: numbered SQL files, each in one transaction, so that a killed migration is applied completely or
 * not at all; then the SQL functions. Any number of nodes may run this at once.
 */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { connectToWritable } from './connection.ts';
import type { Database } from './database.ts';
import { requireEnabledServers } from './distribution/disabled-servers.ts';
import { changeInTurn, runDistributedMigration } from './distribution/run-migration.ts';
import { isDistributedDatabase } from './distribution/state.ts';
import { readWaiting } from './distribution/tables.ts';
import { applyFunctions, isFunctionSet, readFunctions } from './functions.ts';
import { type LockWait, lockMigrations } from './migration-lock.ts';
import type { OwnerSession } from './owner-session.ts';
import { type LockAttempts, withShortLocks } from './short-locks.ts';
import { readSqlFiles, releaseFolder } from './sql-files.ts';

/** One numbered file. */
interface Migration extends AppliedMigration {
  readonly sql: string;
}

/** A numbered file, as it is recorded when it has been applied. */
export interface AppliedMigration {
  readonly name: string;
  /** SHA-256 of the text, hexadecimal: an applied migration must never be edited. */
  readonly checksum: string;
}

/** The name that is recorded among the migrations while a backup is restored into the database. */
const restoreMark = 'restore';

/** A restore into this database has begun and not been completed. */
export class InterruptedRestoreError extends Error {
  constructor() {
    super(
      'This database is incomplete: a backup is being restored into it, or that was interrupted. ' +
        'Run "trellis restore" again; it starts from the beginning.',
    );
    this.name = 'InterruptedRestoreError';
  }
}

/** All migrations of a release, in order; of this one by default. */
async function readMigrations(release: string = releaseFolder): Promise<Migration[]> {
  return (await readSqlFiles(`${release}migrations/`))
    .filter(({ name }) => /^\d{4}_/.test(name))
    .map(({ name, sql }) => ({
      name: `${name}.sql`,
      sql,
      checksum: createHash('sha256').update(sql).digest('hex'),
    }));
}

/** The numbered files of this release, in order. */
export async function readReleaseMigrations(): Promise<AppliedMigration[]> {
  return (await readMigrations()).map(({ name, checksum }) => ({ name, checksum }));
}

/** What is recorded in a database that may have no schema yet, of the numbered files and of a restore. */
export async function readAppliedMigrations(
  session: OwnerSession,
): Promise<{ readonly applied: readonly AppliedMigration[]; readonly isRestoring: boolean }> {
  const exists = await session.holds(`to_regclass('trellis.migrations') IS NOT NULL`);
  const rows = exists
    ? await session.rows('SELECT name, checksum FROM trellis.migrations ORDER BY name')
    : [];
  const applied = rows.map(([name, checksum]) => ({ name: name ?? '', checksum: checksum ?? '' }));
  return { applied: applied.filter(isNumbered), isRestoring: applied.some(isRestoreMark) };
}

/** Ends the restore, in the transaction that restores the rows. */
export async function endRestore(session: OwnerSession): Promise<void> {
  await session.run(`DELETE FROM trellis.migrations WHERE name = '${restoreMark}'`);
}

/** How long a migration waits for its locks. */
const locks: LockAttempts = { waitMs: 100, attempts: 100 };

/** How a database is migrated. */
export interface MigrateOptions {
  /** Marks the database as incomplete before anything else is done. */
  readonly beginsRestore?: boolean;
  /** Folder of the release, with a slash at its end; that of this one by default. */
  readonly release?: string;
  /** How long another process is waited for that changes the schema; some minutes by default. */
  readonly wait?: LockWait;
}

/**
 * Applies missing migrations, then the functions.
 * @param ownerUrl URL of the role that owns the schema; it may name several hosts
 * @param log gets a line for each of them
 * @returns the names applied by this call
 * @throws Error if an applied migration differs from its file, the database is newer than the release, or a distributed database (Citus) has tables
 *   that are not distributed; MigrationLockError; InterruptedRestoreError
 */
export async function migrate(
  ownerUrl: string,
  log: (line: string) => void,
  options: MigrateOptions = {},
): Promise<string[]> {
  const client = await connectToWritable(ownerUrl, 'trellis migrate');
  try {
    await client.query(`SET search_path = trellis, public`);
    await lockMigrations(client, log, options.wait);
    await client.query(`CREATE TABLE IF NOT EXISTS trellis.migrations (
      name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
    if (options.beginsRestore) {
      await client.query(
        `INSERT INTO trellis.migrations (name, checksum) VALUES ($1, '') ON CONFLICT DO NOTHING`,
        [restoreMark],
      );
    }
    await client.query('GRANT USAGE ON SCHEMA trellis TO trellis_api, trellis_worker');
    await client.query('GRANT SELECT ON trellis.migrations TO trellis_api, trellis_worker');
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'SELECT name, checksum FROM trellis.migrations ORDER BY applied_at',
    );
    if (!options.beginsRestore && rows.some(isRestoreMark)) throw new InterruptedRestoreError();
    const missing = compareMigrations(await readMigrations(options.release), rows.filter(isNumbered));
    const isDistributed = await isDistributedDatabase(client);
    if (isDistributed) await checkDistributed(client);
    for (const migration of missing) {
      log(`applying ${migration.name}`);
      await withShortLocks(client, locks, () =>
        applyMigration(client, migration, isDistributed ? log : null),
      );
    }
    const functions = await readFunctions(options.release);
    const last = rows.findLast(({ name }) => isFunctionSet(name));
    // A migration may have dropped or replaced a function.
    if (missing.length === 0 && last?.name === functions.name) return [];
    log(`applying ${functions.name}`);
    await withShortLocks(client, locks, async () => {
      if (isDistributed) await changeInTurn(client);
      await applyFunctions(client, functions, isDistributed);
    });
    return [...missing.map(({ name }) => name), functions.name];
  } finally {
    await client.end();
  }
}

function isNumbered({ name }: { readonly name: string }): boolean {
  return !isFunctionSet(name) && name !== restoreMark;
}

function isRestoreMark({ name }: { readonly name: string }): boolean {
  return name === restoreMark;
}

/** The differences between the migrations of a database and those of this release, by name. */
export interface MigrationState {
  /** Migrations of this release that are not applied. */
  readonly pending: readonly string[];
  /** Applied migrations that this release does not have: they belong to a later one. */
  readonly newer: readonly string[];
}

/**
 * Compares them; any role may.
 * @throws Error if an applied migration differs from its file; InterruptedRestoreError
 */
export async function readMigrationState(database: Database): Promise<MigrationState> {
  const exists = await database.run(`SELECT to_regclass('trellis.migrations') IS NOT NULL`);
  const rows =
    exists[0]?.[0] === 't' ? await database.run('SELECT name, checksum FROM trellis.migrations') : [];
  const applied = rows.map(([name, checksum]) => ({ name: name ?? '', checksum: checksum ?? '' }));
  if (applied.some(isRestoreMark)) throw new InterruptedRestoreError();
  const files = await readMigrations();
  const isKnown = ({ name }: { readonly name: string }) => files.some((file) => file.name === name);
  const missing = compareMigrations(files, applied.filter(isKnown)).map(({ name }) => name);
  const newer = applied.filter((one) => isNumbered(one) && !isKnown(one)).map(({ name }) => name);
  // A database that was upgraded directly to a later release has only that release's functions, which serve this one
  // too.
  const functions = await readFunctions();
  const isApplied = newer.length > 0 || applied.some(({ name }) => name === functions.name);
  return { pending: [...missing, ...(isApplied ? [] : [functions.name])], newer };
}

/**
 * Why a node must not serve; null if it may. Migrations of the next release are no reason: each is safe beside this
 * release, so that nodes can be replaced one by one.
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

/**
 * New tables may refer to any other one, and Citus refuses keys to a table that is not distributed.
 * @throws Error that says what to do
 */
async function checkDistributed(client: pg.Client): Promise<void> {
  await requireEnabledServers(client);
  const waiting = await readWaiting(client);
  if (waiting.length > 0)
    throw new Error(
      `Nothing was changed: ${waiting.join(', ')} of an earlier release are on the coordinator alone. Run "trellis database distribute" of that ` +
        'release, and then "trellis migrate" of this one.',
    );
}

/** @param log of a distributed database; null on a plain one */
async function applyMigration(
  client: pg.Client,
  { name, sql, checksum }: Migration,
  log: ((line: string) => void) | null,
): Promise<void> {
  // As one text where that is possible: between statements sent one by one, a table that is locked already stops writes that hold the
  // next one, and the migration waits for those.
  await (log === null ? client.query(sql) : runDistributedMigration(client, sql, log));
  await client.query('INSERT INTO trellis.migrations (name, checksum) VALUES ($1, $2)', [name, checksum]);
}

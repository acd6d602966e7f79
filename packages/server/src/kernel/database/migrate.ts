/**
 * Creates the schema in an empty database, or applies the missing migrations: numbered SQL files, each in one transaction, so that a killed
 * migration is applied completely or not at all. The SQL functions follow. Any number of nodes may run this concurrently.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type pg from 'pg';
import { connectToWritable } from './connection.ts';
import type { Database } from './database.ts';
import { applyFunctions, type FunctionSet, functionsOf, isFunctionSet } from './functions.ts';
import { type LockWait, lockMigrations } from './migration-lock.ts';
import type { OwnerSession } from './owner-session.ts';
import { OutdatedDatabaseError, readSchema, type Schema, schemaName } from './schema.ts';
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

/** The files of a release that define its database. */
interface Release {
  readonly schema: Schema;
  readonly functions: FunctionSet;
  /** In order. There are none before release 0.1.0, which has no such folder. */
  readonly migrations: readonly Migration[];
}

async function readRelease(folder: string): Promise<Release> {
  const schema = await readSchema(folder);
  return {
    schema,
    functions: functionsOf(schema),
    migrations: await readMigrations(`${folder}sql/migrations/`),
  };
}

let ownRelease: Promise<Release> | undefined;

/** This release. Its files are read once, because they do not change while the process runs and `/readyz` is public. */
function readOwnRelease(): Promise<Release> {
  ownRelease ??= readRelease(releaseFolder).catch((error: unknown) => {
    ownRelease = undefined;
    throw error;
  });
  return ownRelease;
}

function readReleaseOf(folder: string | undefined): Promise<Release> {
  return folder === undefined ? readOwnRelease() : readRelease(folder);
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const files = existsSync(folder) ? await readSqlFiles(folder) : [];
  return files
    .filter(({ name }) => /^\d{4}_/.test(name))
    .map(({ name, sql }) => ({
      name: `${name}.sql`,
      sql,
      checksum: createHash('sha256').update(sql).digest('hex'),
    }));
}

/** The schema and the numbered files of a release, in order. @param release its folder; this one when absent */
export async function readReleaseMigrations(release?: string): Promise<AppliedMigration[]> {
  const { schema, migrations } = await readReleaseOf(release);
  return [recordOf(schema, migrations), ...migrations.map(({ name, checksum }) => ({ name, checksum }))];
}

/**
 * The recorded name of the schema. A database that began with the schema of an earlier release is identified by that schema together with
 * the migrations.
 */
function recordOf({ checksum }: Pick<Schema, 'checksum'>, migrations: readonly unknown[]): AppliedMigration {
  return { name: schemaName, checksum: migrations.length === 0 ? checksum : '' };
}

/** What is recorded in a database that may have no schema yet, of the schema, the numbered files and a restore. */
export async function readAppliedMigrations(
  session: OwnerSession,
): Promise<{ readonly applied: readonly AppliedMigration[]; readonly isRestoring: boolean }> {
  const exists = await session.holds(`to_regclass('trellis.migrations') IS NOT NULL`);
  const rows = exists
    ? await session.rows('SELECT name, checksum FROM trellis.migrations ORDER BY name')
    : [];
  const applied = rows.map(([name, checksum]) => ({ name: name ?? '', checksum: checksum ?? '' }));
  const numbered = applied.filter(isNumbered);
  const schemas = applied.filter(isSchema).map((schema) => recordOf(schema, numbered));
  return { applied: [...schemas, ...numbered], isRestoring: applied.some(isRestoreMark) };
}

/** Ends the restore, in the transaction that restores the rows. */
export async function endRestore(session: OwnerSession): Promise<void> {
  await session.run(`DELETE FROM trellis.migrations WHERE name = '${restoreMark}'`);
}

/** How long a migration waits for its locks. */
const locks: LockAttempts = { waitMs: 100, attempts: 100 };

/** Receives the progress of each migration, by name. */
export interface Inspection {
  begins(client: pg.Client, name: string): Promise<void>;
  ends(client: pg.Client, name: string): Promise<void>;
}

/** How a database is migrated. */
export interface MigrateOptions {
  /** Marks the database as incomplete before anything else is done. */
  readonly beginsRestore?: boolean;
  /** Folder of the release, with a slash at its end; that of this one by default. */
  readonly release?: string;
  /** How long to wait for another process that changes the schema; some minutes by default. */
  readonly wait?: LockWait;
  /** Called in the transaction of each migration, before its statements and after them. */
  readonly inspect?: Inspection;
}

/**
 * Applies the schema or the missing migrations, then the functions.
 * @param ownerUrl URL of the role that owns the schema; it may name several hosts
 * @param log gets a line for each of them
 * @returns the names applied by this call
 * @throws OutdatedDatabaseError; Error if an applied migration differs from its file, or the database is newer than the release; MigrationLockError;
 *   InterruptedRestoreError
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
    const { schema, functions, migrations } = await readReleaseOf(options.release);
    const isEmpty = rows.every(isRestoreMark);
    if (isEmpty) {
      log('applying the schema');
      await withShortLocks(client, locks, () => applySchema(client, schema, migrations));
    } else requireSchema(rows, schema, migrations);
    const missing = isEmpty ? [] : compareMigrations(migrations, rows.filter(isNumbered));
    for (const migration of missing) {
      log(`applying ${migration.name}`);
      await withShortLocks(client, locks, async () => {
        await options.inspect?.begins(client, migration.name);
        await applyMigration(client, migration);
        await options.inspect?.ends(client, migration.name);
      });
    }
    await rebuildSortedIndexes(client, log);
    const last = rows.findLast(({ name }) => isFunctionSet(name));
    // A migration may have dropped or replaced a function.
    if (missing.length === 0 && last?.name === functions.name) return [];
    log(`applying ${functions.name}`);
    await withShortLocks(client, locks, () => applyFunctions(client, functions));
    return [...(isEmpty ? [schemaName] : []), ...missing.map(({ name }) => name), functions.name];
  } finally {
    await client.end();
  }
}

/**
 * Rebuilds the indexes of the alphabetical order if they were made by another version of ICU, which may sort otherwise: lists would be out of order and
 * cursors would skip records. Reads and writes go on meanwhile. It begins anew if it is interrupted.
 */
async function rebuildSortedIndexes(client: pg.Client, log: (line: string) => void): Promise<void> {
  const { rows } = await client.query<{ index: string }>(`
    SELECT i.indexrelid::regclass::text AS index FROM pg_collation c JOIN pg_index i ON c.oid = ANY (i.indcollation)
    WHERE c.collnamespace = 'trellis'::regnamespace AND c.collversion <> pg_collation_actual_version(c.oid) ORDER BY 1`);
  if (rows.length === 0) return;
  for (const { index } of rows) {
    log(`rebuilding ${index} for another version of ICU`);
    await client.query(`REINDEX INDEX CONCURRENTLY ${index}`);
  }
  await client.query('ALTER COLLATION trellis.alphabetical REFRESH VERSION');
}

/** Whether the indexes of the alphabetical order were made by the version of ICU that the server has. Any role may ask. */
export async function isSortedByThisIcu(database: Database): Promise<boolean> {
  const [row] = await database.run(`
    SELECT bool_and(collversion = pg_collation_actual_version(oid)) FROM pg_collation WHERE collnamespace = 'trellis'::regnamespace`);
  return row?.[0] === 't';
}

function isNumbered({ name }: { readonly name: string }): boolean {
  return !isFunctionSet(name) && name !== restoreMark && name !== schemaName;
}

function isSchema({ name }: { readonly name: string }): boolean {
  return name === schemaName;
}

function isRestoreMark({ name }: { readonly name: string }): boolean {
  return name === restoreMark;
}

/** The differences between the migrations of a database and those of this release, by name. */
export interface MigrationState {
  /** What of this release is not applied: the schema, migrations, functions. */
  readonly pending: readonly string[];
  /** Applied migrations that this release does not have: they belong to a later one. */
  readonly newer: readonly string[];
}

/**
 * Compares them; any role may.
 * @throws OutdatedDatabaseError; Error if an applied migration differs from its file; InterruptedRestoreError
 */
export async function readMigrationState(database: Database): Promise<MigrationState> {
  const exists = await database.run(`SELECT to_regclass('trellis.migrations') IS NOT NULL`);
  const rows =
    exists[0]?.[0] === 't' ? await database.run('SELECT name, checksum FROM trellis.migrations') : [];
  const applied = rows.map(([name, checksum]) => ({ name: name ?? '', checksum: checksum ?? '' }));
  if (applied.some(isRestoreMark)) throw new InterruptedRestoreError();
  const { schema, functions, migrations } = await readOwnRelease();
  if (applied.length > 0) requireSchema(applied, schema, migrations);
  const isKnown = ({ name }: { readonly name: string }) => migrations.some((file) => file.name === name);
  const missing = compareMigrations(migrations, applied.filter(isKnown)).map(({ name }) => name);
  const newer = applied.filter((one) => isNumbered(one) && !isKnown(one)).map(({ name }) => name);
  // A database that was upgraded directly to a later release has only that release's functions, which serve this one
  // too.
  const isApplied = newer.length > 0 || applied.some(({ name }) => name === functions.name);
  const schemas = applied.some(isSchema) ? [] : [schemaName];
  return { pending: [...schemas, ...missing, ...(isApplied ? [] : [functions.name])], newer };
}

/**
 * The missing migrations of a database whose records were read already.
 * @param release folder of the release; this one when absent
 * @throws OutdatedDatabaseError; Error if an applied migration differs from its file, or belongs to a later release
 */
export async function findPending(
  recorded: readonly AppliedMigration[],
  release?: string,
): Promise<readonly string[]> {
  const { schema, migrations } = await readReleaseOf(release);
  requireSchema(recorded, schema, migrations);
  return compareMigrations(migrations, recorded.filter(isNumbered)).map(({ name }) => name);
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

/** Creates the schema, which includes all migrations of the release, in a transaction of its owner. */
async function applySchema(
  client: pg.Client,
  schema: Schema,
  migrations: readonly Migration[],
): Promise<void> {
  // The owner of a function must have CREATE on its schema when it becomes the owner.
  await client.query('GRANT CREATE ON SCHEMA trellis TO trellis_search');
  for (const { sql } of schema.files) await client.query(sql);
  await client.query('REVOKE CREATE ON SCHEMA trellis FROM trellis_search');
  for (const { name, checksum } of [recordOf(schema, migrations), ...migrations])
    await client.query('INSERT INTO trellis.migrations (name, checksum) VALUES ($1, $2)', [name, checksum]);
}

/** @throws OutdatedDatabaseError for a database without the schema, or with one of before release 0.1.0 */
function requireSchema(
  rows: readonly AppliedMigration[],
  { checksum }: Schema,
  migrations: readonly Migration[],
): void {
  const recorded = rows.find(isSchema);
  const hasMigrations = migrations.length > 0 || rows.some(isNumbered);
  if (recorded === undefined || (!hasMigrations && recorded.checksum !== checksum))
    throw new OutdatedDatabaseError();
}

async function applyMigration(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  // As one text: with separate statements, a lock on one table could block writes that already hold the next one, and the migration would
  // wait for them.
  await client.query(sql);
  await client.query('INSERT INTO trellis.migrations (name, checksum) VALUES ($1, $2)', [name, checksum]);
}

/**
 * Restores a backup into an empty installation: the contents of files first, then all rows in one transaction, which also
 * verifies them and ends the mark that the database is incomplete. Before its commit nothing serves, and another restore
 * begins anew; after it everything is there.
 */
import { pipeline } from 'node:stream/promises';
import { restoreLock } from '../../kernel/database/backup-lock.ts';
import {
  type AppliedMigration,
  endRestore,
  migrate,
  readAppliedMigrations,
  readReleaseMigrations,
} from '../../kernel/database/migrate.ts';
import { OwnerSession } from '../../kernel/database/owner-session.ts';
import {
  beginsWithOrganization,
  type CopiedTable,
  createEventPartition,
  inStoredOrder,
  readTables,
  sqlOf,
} from '../../kernel/database/tables.ts';
import type { ObjectStore } from '../../kernel/objects/object-store.ts';
import type { ArchiveReader } from './archive.ts';
import { restoreContents } from './contents.ts';
import { checkTable, TableDigester } from './digests.ts';
import { BackupError } from './errors.ts';
import type { ArchiveManifest, Manifest, StoredTable } from './manifest.ts';
import { type BackupSummary, summarize } from './summary.ts';

/** Migrations that are named in a message. */
const maxNames = 10;

/**
 * Checks that a release can restore the backup, without touching anything.
 * @param release its folder; this one when absent
 * @throws BackupError if its migrations are not those of the release
 */
export function checkRelease(manifest: Manifest, release?: string): Promise<void> {
  return checkMigrationsOf(manifest, 'Restore it with the release that made it, then upgrade.', { release });
}

/**
 * @param advice what to do about it
 * @param options.counts which records are compared; all when absent
 * @param options.release folder of the release; this one when absent
 * @throws BackupError if the schema or the migrations of an archive are not those of this release
 */
export async function checkMigrationsOf(
  { migrations, version }: ArchiveManifest,
  advice: string,
  {
    counts = () => true,
    release: folder,
  }: { readonly counts?: (record: AppliedMigration) => boolean; readonly release?: string | undefined } = {},
): Promise<void> {
  const release = (await readReleaseMigrations(folder)).filter(counts);
  const archived = migrations.filter(counts);
  const missing = archived.filter(({ name }) => release.every((own) => own.name !== name));
  const newer = release.filter(({ name }) => archived.every((stored) => stored.name !== name));
  const changed = release.filter(({ name, checksum }) =>
    archived.some((stored) => stored.name === name && stored.checksum !== checksum),
  );
  const names = [...missing, ...newer, ...changed].map(({ name }) => name);
  if (names.length === 0) return;
  throw new BackupError(
    `It was made by release ${version}, whose migrations are not those of this one (${names.slice(0, maxNames).join(', ')}${names.length > maxNames ? ' …' : ''}). ${advice}`,
  );
}

export interface RestoreOptions {
  readonly archive: ArchiveReader<Manifest>;
  /** URL of the role that owns the schema; the database has the roles, and no content. */
  readonly ownerUrl: string;
  /** Where the contents of files are put; null: they are left out. */
  readonly objects: ObjectStore | null;
  /** Stores the keys where the server reads them; called when the database has turned out to be empty. */
  readonly storeKeys: () => void;
  readonly log: (line: string) => void;
  readonly onProgress: (text: string) => void;
  /** Folder of the release whose schema the database gets; this one when absent. */
  readonly release?: string;
}

/** @throws BackupError; errors of PostgreSQL and of the store */
export async function restoreBackup(options: RestoreOptions): Promise<BackupSummary> {
  const { archive, ownerUrl, objects, onProgress, release } = options;
  const { manifest } = archive;
  await checkRelease(manifest, release);
  const session = await OwnerSession.open(ownerUrl);
  try {
    await checkTarget(session);
    await migrate(ownerUrl, options.log, {
      beginsRestore: true,
      ...(release === undefined ? {} : { release }),
    });
    options.storeKeys();
    const tables = matchTables(await readTables(session), manifest);
    if (objects !== null)
      await restoreContents(archive, objects, null, ({ count }) => onProgress(`${count} files`));
    await session.run('BEGIN');
    await restoreRows(session, archive, tables, onProgress);
    await endRestore(session);
    await session.run('COMMIT');
    onProgress('statistics');
    await session.run(`ANALYZE ${tables.map(({ sql }) => sql.table).join(', ')}`);
    return summarize(manifest);
  } finally {
    await session.close();
  }
}

/** @throws BackupError unless the database is empty and unused, or has a restore that was interrupted */
async function checkTarget(session: OwnerSession): Promise<void> {
  if (!(await session.holds(`pg_try_advisory_lock(${restoreLock})`))) {
    throw new BackupError('Another restore into this database is running.');
  }
  const others = await session.holds(
    `EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
       AND usename IN ('trellis_api', 'trellis_worker', 'trellis_auth'))`,
  );
  if (others) throw new BackupError('A server uses this database. Stop all nodes before restoring into it.');
  const { applied, isRestoring } = await readAppliedMigrations(session);
  if (isRestoring || applied.length === 0) return;
  const release = await readReleaseMigrations();
  // In another schema, the owner may not see the rows.
  const isCurrent = release.every(({ name }) => applied.some((other) => other.name === name));
  const isEmpty =
    isCurrent &&
    !(await session.holds(
      'EXISTS (SELECT FROM trellis.organizations) OR EXISTS (SELECT FROM trellis.users)',
    ));
  if (!isEmpty) {
    throw new BackupError(
      'The database is not empty. A backup is restored into an empty installation only: choose another data directory or database.',
    );
  }
}

/** A table of the database with what the backup has for it. */
interface RestoredTable {
  readonly table: CopiedTable;
  readonly stored: StoredTable;
  readonly sql: { readonly table: string; readonly columns: string };
}

/**
 * The tables in the order of the database, whose names and columns are the ones that are used in SQL.
 * @throws BackupError if the backup has others
 */
function matchTables(tables: readonly CopiedTable[], manifest: Manifest): RestoredTable[] {
  const stored = new Map(manifest.tables.map((table) => [table.name, table]));
  const matched = tables.map((table) => {
    const found = stored.get(table.name);
    const ordered = found === undefined ? null : inStoredOrder(table, found.columns);
    if (found === undefined || ordered === null) {
      throw new BackupError(`The backup has no table ${table.name} with the columns of this release.`);
    }
    return { table, stored: found, sql: sqlOf(ordered) };
  });
  if (manifest.tables.length !== tables.length) {
    throw new BackupError('The backup has tables that this release does not have.');
  }
  return matched;
}

async function restoreRows(
  session: OwnerSession,
  archive: ArchiveReader<Manifest>,
  tables: readonly RestoredTable[],
  onProgress: (text: string) => void,
): Promise<void> {
  await session.run(`TRUNCATE ${tables.map(({ sql }) => sql.table).join(', ')}`);
  for (const day of archive.manifest.eventPartitions) await createEventPartition(session, day);
  // COPY does not write to tables with row-level security; the transaction ends with it.
  await forceRowSecurity(session, tables, false);
  for (const { table, stored, sql } of tables) {
    onProgress(table.name);
    const digester = new TableDigester(beginsWithOrganization(stored));
    await pipeline(
      digester.tap(archive.readParts(stored.parts, stored.bytes)),
      session.copyIn(sql.table, sql.columns),
    );
    checkTable(stored, digester.finish(), 'in the backup');
  }
  await forceRowSecurity(session, tables, true);
  for (const { table, stored, sql } of tables) {
    onProgress(`verifying ${table.name}`);
    const digester = new TableDigester(beginsWithOrganization(stored));
    for await (const _ of digester.tap(copyOut(session, `SELECT ${sql.columns} FROM ${sql.table}`)));
    checkTable(stored, digester.finish(), 'in the database');
  }
}

function copyOut(session: OwnerSession, query: string): AsyncIterable<Buffer> {
  return session.copyOut(query);
}

async function forceRowSecurity(
  session: OwnerSession,
  tables: readonly RestoredTable[],
  isForced: boolean,
): Promise<void> {
  const force = isForced ? 'FORCE' : 'NO FORCE';
  await session.run(
    tables.map(({ sql }) => `ALTER TABLE ${sql.table} ${force} ROW LEVEL SECURITY`).join('; '),
  );
}

/**
 * Makes a backup while the installation serves: one snapshot of all tables, then the contents of files that it refers to,
 * then the manifest. Nothing is a backup before the manifest is stored.
 */
import packageFile from '../../../../package.json' with { type: 'json' };
import { backupLock } from '../database/backup-lock.ts';
import type { DatabaseFailure } from '../database/batch.ts';
import { type AppliedMigration, readAppliedMigrations, readReleaseMigrations } from '../database/migrate.ts';
import { OwnerSession } from '../database/owner-session.ts';
import {
  beginsWithOrganization,
  type CopiedTable,
  readEventPartitions,
  readTables,
  sqlOf,
} from '../database/tables.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { ArchiveWriter } from './archive.ts';
import { copyContents, openContentList } from './contents.ts';
import { TableDigester } from './digests.ts';
import { BackupError } from './errors.ts';
import type { Manifest, StoredTable } from './manifest.ts';
import { type BackupSummary, summarize } from './summary.ts';

export interface BackupOptions {
  /** URL of the role that owns the schema. */
  readonly ownerUrl: string;
  /** The contents of files. */
  readonly objects: ObjectStore;
  /** The keys that the installation has outside the database. */
  readonly keys: { readonly cursorKey: Buffer; readonly visitorKey: Buffer };
  /** An empty store. */
  readonly target: ObjectStore;
  readonly passphrase: string;
  /** What to do about file contents that are missing in the installation. */
  readonly missing: 'refuse' | 'note';
  /** How long another backup, and removals of contents, may delay this one, in ms; 10 s when absent. */
  readonly lockTimeoutMs?: number;
  /** Called with what is being copied. */
  readonly onProgress: (text: string) => void;
}

const defaultLockTimeoutMs = 10_000;

/** @throws BackupError; errors of PostgreSQL and of the stores */
export async function createBackup(options: BackupOptions): Promise<BackupSummary> {
  const { objects, keys, missing, onProgress } = options;
  const archive = await ArchiveWriter.create(options.target, options.passphrase);
  const session = await OwnerSession.open(options.ownerUrl);
  try {
    await keepContents(session, options.lockTimeoutMs ?? defaultLockTimeoutMs);
    const snapshot = await openSnapshot(session);
    const tables: StoredTable[] = [];
    for (const table of snapshot.tables) {
      onProgress(table.name);
      tables.push(await copyTable(session, archive, table));
    }
    await openContentList(session);
    await session.run('COMMIT');
    const contents = await copyContents({
      session,
      objects,
      archive,
      missing,
      onProgress: ({ count, bytes }) => onProgress(`${count} files, ${bytes} bytes`),
    });
    const manifest: Manifest = {
      createdAt: snapshot.createdAt,
      version: packageFile.version,
      postgresql: snapshot.postgresql,
      migrations: snapshot.migrations,
      keys: { cursor: keys.cursorKey.toString('hex'), visitor: keys.visitorKey.toString('hex') },
      objects: archive.objects,
      eventPartitions: snapshot.eventPartitions,
      tables,
      contents,
    };
    await archive.finish(manifest);
    return summarize(manifest, archive.sizeBytes);
  } finally {
    await session.close();
  }
}

/** Until the session ends, no content of a file is removed (`removeIfUnused`), so what the snapshot refers to can be copied. */
async function keepContents(session: OwnerSession, lockTimeoutMs: number): Promise<void> {
  await session.run(`SET lock_timeout = ${lockTimeoutMs}`);
  try {
    await session.run(`SELECT pg_advisory_lock(${backupLock})`);
  } catch (error) {
    if ((error as DatabaseFailure).code !== '55P03') throw error;
    throw new BackupError('Another backup of this installation is being made.');
  }
}

/** A transaction that sees one moment of all tables. */
interface Snapshot {
  readonly createdAt: string;
  readonly postgresql: string;
  readonly migrations: readonly AppliedMigration[];
  readonly tables: readonly CopiedTable[];
  readonly eventPartitions: readonly string[];
}

/**
 * Opens it. Tables are locked before the snapshot, and no migration may run in between, so all of them are those that the
 * snapshot shows.
 */
async function openSnapshot(session: OwnerSession): Promise<Snapshot> {
  await session.run(`SELECT pg_advisory_lock_shared(hashtext('trellis migrate'))`);
  const { applied } = await readAppliedMigrations(session);
  await checkMigrations(applied);
  const tables = await readTables(session);
  await checkVisibility(session);
  const list = tables.map((table) => sqlOf(table).table).join(', ');
  await session.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await session.run(`LOCK TABLE ${list} IN ACCESS SHARE MODE`);
  const [row] = await session.rows(
    `SELECT to_char(statement_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
       current_setting('server_version'), pg_advisory_unlock_shared(hashtext('trellis migrate'))`,
  );
  const eventPartitions = await readEventPartitions(session);
  return {
    createdAt: row?.[0] ?? '',
    postgresql: row?.[1] ?? '',
    migrations: applied,
    tables,
    eventPartitions,
  };
}

/** A release knows the tables of its own migrations only. */
async function checkMigrations(applied: readonly AppliedMigration[]): Promise<void> {
  const release = await readReleaseMigrations();
  const isSame =
    applied.length === release.length &&
    release.every(({ name, checksum }) =>
      applied.some((other) => other.name === name && other.checksum === checksum),
    );
  if (isSame) return;
  throw new BackupError(
    'The migrations of the database are not those of this release. Run the release that serves it, after "trellis migrate".',
  );
}

/** A table without the policy would look empty. */
async function checkVisibility(session: OwnerSession): Promise<void> {
  const [table] = await session.rows(
    `SELECT relname FROM pg_class c WHERE relnamespace = 'trellis'::regnamespace AND relkind IN ('r', 'p')
       AND NOT relispartition AND row_security_active(c.oid) AND NOT EXISTS (
         SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polcmd IN ('r', '*')
           AND p.polname = 'backup' AND p.polroles = ARRAY[c.relowner])`,
  );
  if (table !== undefined) throw new BackupError(`The table ${table[0]} has no policy for backups.`);
}

async function copyTable(
  session: OwnerSession,
  archive: ArchiveWriter,
  table: CopiedTable,
): Promise<StoredTable> {
  const sql = sqlOf(table);
  const digester = new TableDigester(beginsWithOrganization(table));
  const rows = session.copyOut(`SELECT ${sql.columns} FROM ${sql.table}`);
  const parts = await archive.writeParts(digester.tap(rows));
  return { name: table.name, columns: table.columns, parts, ...digester.finish() };
}

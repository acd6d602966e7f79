/**
 * What a backup and an export of one organization copy from: a transaction that sees one moment of all tables, in a session
 * during which no content of a file is removed.
 */
import { backupLock } from '../../kernel/database/backup-lock.ts';
import type { DatabaseFailure } from '../../kernel/database/batch.ts';
import {
  type AppliedMigration,
  readAppliedMigrations,
  readReleaseMigrations,
} from '../../kernel/database/migrate.ts';
import type { OwnerSession } from '../../kernel/database/owner-session.ts';
import { type CopiedTable, readTables, sqlOf } from '../../kernel/database/tables.ts';
import { BackupError } from './errors.ts';

/**
 * Until the session ends, no content of a file is removed (`removeIfUnused`).
 * @throws BackupError while another backup, export or import has it
 */
export async function keepContents(session: OwnerSession, lockTimeoutMs: number): Promise<void> {
  await session.run(`SET lock_timeout = ${lockTimeoutMs}`);
  try {
    await session.run(`SELECT pg_advisory_lock(${backupLock})`);
  } catch (error) {
    if ((error as DatabaseFailure).code !== '55P03') throw error;
    throw new BackupError(
      'Another backup of this installation is being made, or an organization is exported or imported. Try again when it has ended.',
    );
  }
}

/** A transaction that sees one moment of all tables. */
export interface Snapshot {
  readonly createdAt: string;
  readonly postgresql: string;
  readonly migrations: readonly AppliedMigration[];
  readonly tables: readonly CopiedTable[];
}

/**
 * Opens it. Tables are locked before the snapshot, and no migration may run in between, so all of them are those that the
 * snapshot shows.
 */
export async function openSnapshot(session: OwnerSession): Promise<Snapshot> {
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
  return { createdAt: row?.[0] ?? '', postgresql: row?.[1] ?? '', migrations: applied, tables };
}

/** A release knows the tables of its own migrations only. */
export async function checkMigrations(applied: readonly AppliedMigration[]): Promise<void> {
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

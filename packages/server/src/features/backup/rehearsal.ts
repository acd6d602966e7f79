/**
 * Rehearses the migrations of this release on a copy of a backup: on a database like the one that was backed up, with its rows and without the
 * contents of files. The schema of that database is the one in the backup, so nothing of the installation is read or changed.
 */
import { mkdir, statfs, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { compareSchemas, describeDatabase } from '../../kernel/database/describe-schema.ts';
import { findPending, migrate } from '../../kernel/database/migrate.ts';
import { makeRolePasswords, setUpDatabase } from '../../kernel/database/setup.ts';
import { type WatchedMigrations, watchMigrations } from '../../kernel/database/watched-migrations.ts';
import type { ArchiveReader } from './archive.ts';
import { BackupError } from './errors.ts';
import type { Manifest } from './manifest.ts';
import { restoreBackup } from './restore.ts';

/** What the rehearsal found. */
export interface Rehearsal extends WatchedMigrations {
  /** What the migrated copy has in addition to a new database (`+`), or lacks (`-`). */
  readonly differences: readonly string[];
}

/** A server of PostgreSQL that exists for the rehearsal. */
interface RehearsalServer {
  /** Where files may be put; with a slash at its end. */
  readonly folder: string;
  adminUrl(database?: string): string;
}

/** How much larger than its rows in a backup a database is at most, with indexes and what migrations write, and what a server needs besides. */
const growth = 4;
const serverBytes = 1_073_741_824;

/**
 * @throws BackupError if the disk of a folder has less space than a copy of the backup may need
 */
export async function requireSpace({ tables }: Manifest, folder: string): Promise<void> {
  const needed = tables.reduce((sum, { bytes }) => sum + bytes, 0) * growth + serverBytes;
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= needed) return;
  throw new BackupError(
    `A copy of the backup may need ${toGigabytes(needed)}, and ${folder} has ${toGigabytes(free)} left. Name a folder on another disk with --work-dir.`,
  );
}

function toGigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

/**
 * Makes the copy and migrates it.
 * @param release folder of the release to rehearse; this one when absent
 * @throws BackupError; errors of PostgreSQL that are not those of a migration
 */
export async function rehearse(options: {
  readonly archive: ArchiveReader<Manifest>;
  readonly server: RehearsalServer;
  readonly onProgress: (text: string) => void;
  readonly log: (line: string) => void;
  readonly release?: string;
}): Promise<Rehearsal> {
  const { archive, server, onProgress, log } = options;
  const passwords = makeRolePasswords();
  const make = async (name: string) => (await setUpDatabase(server.adminUrl(), name, passwords)).owner;
  const ownerUrl = await make('copy');
  await restoreBackup({
    archive,
    ownerUrl,
    objects: null,
    storeKeys: () => undefined,
    log,
    onProgress,
    release: await writeRelease(archive.manifest, `${server.folder}release/`),
  });
  const copyUrl = server.adminUrl('copy');
  const watched = await watchMigrations(ownerUrl, copyUrl, options.release, (line) => {
    log(line);
    onProgress(line);
  });
  if (watched.failed !== null) return { ...watched, differences: [] };
  onProgress('comparing with a new database');
  await migrate(await make('fresh'), log, options.release === undefined ? {} : { release: options.release });
  const differences = compareSchemas(
    await describeDatabase(copyUrl),
    await describeDatabase(server.adminUrl('fresh')),
  );
  return { ...watched, differences };
}

/** The migrations of this release that the database of the backup lacks. @throws as `findPending` */
export function findPendingOf({ migrations }: Manifest, release?: string): Promise<readonly string[]> {
  return findPending(migrations, release);
}

/** Writes the release that made the backup, as far as a database needs it. Its paths were checked with the manifest. */
async function writeRelease({ sql }: Manifest, folder: string): Promise<string> {
  for (const { path, text } of sql) {
    await mkdir(dirname(`${folder}${path}`), { recursive: true });
    await writeFile(`${folder}${path}`, text);
  }
  return folder;
}

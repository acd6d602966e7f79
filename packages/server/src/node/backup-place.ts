/** Opens the place of a backup: a folder, or `s3://BUCKET/PREFIX` at the S3 service of the configuration. */
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { manifestPlace } from '../features/backup/archive.ts';
import type { Config } from '../kernel/config/config.ts';
import { InstallationError } from '../kernel/lib/installation-error.ts';
import { createLocalStore } from '../kernel/objects/local-store.ts';
import type { ObjectStore } from '../kernel/objects/object-store.ts';
import { openBucket } from './file-store.ts';

/**
 * Opens the place.
 * @param use what it is opened for: a folder to write must be empty or absent, one to read must have objects
 * @throws InstallationError for a folder that cannot be used
 */
export async function openBackupPlace(
  config: Config,
  place: string,
  use: 'write' | 'read',
): Promise<ObjectStore> {
  const [, bucket, prefix] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(place) ?? [];
  if (bucket !== undefined) return openBucket(config, bucket, prefix ?? '');
  const directory = resolve(place);
  // A backup that failed before it wrote anything leaves this folder of the store.
  const names = (await namesIn(directory)).filter((name) => name !== 'incoming');
  if (use === 'write' && names.length > 0) {
    throw new InstallationError(
      `${directory} is not empty. It may hold a backup, or one that was interrupted: choose another folder, or remove it.`,
    );
  }
  if (use === 'read' && !names.includes('objects')) {
    throw new InstallationError(`${directory} holds no backup.`);
  }
  return createLocalStore({ directory });
}

/** Folders that are looked through for the latest backup. */
const maxBackups = 1_000;

/**
 * Opens the backup of a place, or the latest of those in the folders of a place.
 * @returns its place and what to name it
 * @throws InstallationError if there is none
 */
export async function openLatestBackup(
  config: Config,
  place: string,
): Promise<{ readonly source: ObjectStore; readonly name: string }> {
  const directory = resolve(place);
  const names = place.startsWith('s3://') ? ['objects'] : await namesIn(directory);
  if (names.includes('objects')) return { source: await openBackupPlace(config, place, 'read'), name: place };
  if (names.length > maxBackups)
    throw new InstallationError(
      `${directory} has more than ${maxBackups} entries: name the folder of the backup.`,
    );
  const backups = (
    await Promise.all(
      names.map(async (name) => ({
        name: join(directory, name),
        madeAt: await completedAt(join(directory, name)),
      })),
    )
  ).filter(({ madeAt }) => madeAt !== null);
  const latest = backups.sort((one, other) => Number(other.madeAt) - Number(one.madeAt))[0];
  if (latest === undefined) throw new InstallationError(`${directory} holds no backup.`);
  return { source: await openBackupPlace(config, latest.name, 'read'), name: latest.name };
}

/** When the manifest of a backup was written, which is its last object, in ms since 1970; null without one. */
async function completedAt(directory: string): Promise<number | null> {
  const folder = join(directory, 'objects', manifestPlace);
  if (!existsSync(folder)) return null;
  return (await stat(folder)).mtimeMs;
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw new InstallationError(`${directory} cannot be read: ${(error as Error).message}`);
  }
}

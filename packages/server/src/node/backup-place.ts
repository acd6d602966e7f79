/** Opens the place of a backup: a folder, or `s3://BUCKET/PREFIX` at the S3 service of the configuration. */
import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { createLocalStore } from '../objects/local-store.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { openBucket } from './file-store.ts';
import { InstallationError } from './installation-error.ts';

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

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw new InstallationError(`${directory} cannot be read: ${(error as Error).message}`);
  }
}

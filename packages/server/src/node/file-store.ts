/** Opens the object store that the configuration names. */
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { createLocalStore } from '../objects/local-store.ts';
import type { ObjectStore } from '../objects/object-store.ts';

/** Opens the store that is configured. @throws TypeError for settings of the wrong form */
export async function openFileStore(config: Config): Promise<ObjectStore> {
  const directory = directoryOf(config);
  if (config.s3Bucket === null) return createLocalStore({ directory });
  // Only who uses S3 pays for loading the SDK.
  const { createS3Store } = await import('../objects/s3-store.ts');
  return createS3Store({
    bucket: config.s3Bucket,
    endpoint: config.s3Endpoint ?? `https://s3.${config.s3Region}.amazonaws.com`,
    region: config.s3Region,
    prefix: config.s3Prefix ?? '',
    accessKey:
      config.s3AccessKeyId === null || config.s3SecretAccessKey === null
        ? null
        : { id: config.s3AccessKeyId, secret: config.s3SecretAccessKey },
    forcePathStyle: config.s3PathStyle ?? config.s3Endpoint !== null,
    spoolDirectory: join(directory, 'spool'),
  });
}

/** Where that is, for people, and what to do when it does not work. */
export function describeFileStore(config: Config): {
  readonly directory: string;
  readonly place: string;
  readonly remedy: string;
} {
  const directory = directoryOf(config);
  if (config.s3Bucket === null) {
    return {
      directory,
      place: `${directory} can be written and read`,
      remedy: `Let this user write to ${directory} and make room on its disk, or name another folder in TRELLIS_FILES_DIR.`,
    };
  }
  return {
    directory,
    place: `bucket ${config.s3Bucket} at ${config.s3Endpoint ?? 'Amazon S3'} can be written and read`,
    remedy:
      'See whether TRELLIS_S3_ENDPOINT, TRELLIS_S3_REGION, TRELLIS_S3_BUCKET and the access key are right, and whether that key may put, get, list and delete objects there.',
  };
}

function directoryOf({ filesDir, dataDir }: Config): string {
  return filesDir ?? join(dataDir, 'files');
}

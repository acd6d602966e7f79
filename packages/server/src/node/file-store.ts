/** Opens the object store that the configuration names. */
import { join } from 'node:path';
import type { Config } from '../kernel/config/config.ts';
import { createLocalStore } from '../kernel/objects/local-store.ts';
import type { ObjectStore } from '../kernel/objects/object-store.ts';

/** Opens the configured store. @throws TypeError for settings of the wrong form */
export async function openFileStore(config: Config): Promise<ObjectStore> {
  if (config.s3Bucket === null) return createLocalStore({ directory: directoryOf(config) });
  return openBucket(config, config.s3Bucket, config.s3Prefix ?? '');
}

/** Opens a store in a bucket of the configured S3 service. @throws TypeError for a bucket or prefix of the wrong form */
export async function openBucket(config: Config, bucket: string, prefix: string): Promise<ObjectStore> {
  // Loaded on demand: the SDK takes time and memory.
  const { createS3Store } = await import('../adapters/s3/s3-store.ts');
  return createS3Store({
    bucket,
    endpoint: config.s3Endpoint ?? `https://s3.${config.s3Region}.amazonaws.com`,
    region: config.s3Region,
    prefix,
    accessKey:
      config.s3AccessKeyId === null || config.s3SecretAccessKey === null
        ? null
        : { id: config.s3AccessKeyId, secret: config.s3SecretAccessKey },
    forcePathStyle: config.s3PathStyle ?? config.s3Endpoint !== null,
    spoolDirectory: join(directoryOf(config), 'spool'),
  });
}

/** The location of the store for messages, and what to do when it does not work. */
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
      remedy: `Allow this user to write to ${directory} and free space on its disk, or set another folder in TRELLIS_FILES_DIR.`,
    };
  }
  return {
    directory,
    place: `bucket ${config.s3Bucket} at ${config.s3Endpoint ?? 'Amazon S3'} can be written and read`,
    remedy:
      'Check TRELLIS_S3_ENDPOINT, TRELLIS_S3_REGION, TRELLIS_S3_BUCKET and the access key, and that the key may put, get, list and delete objects in the bucket.',
  };
}

function directoryOf({ filesDir, dataDir }: Config): string {
  return filesDir ?? join(dataDir, 'files');
}

/** Why: where contents of files are kept is a matter of configuration; everybody else knows the interface only. */
import { join } from 'node:path';
import type { Config } from './config.ts';
import { createLocalStore } from './objects/local-store.ts';
import type { ObjectStore } from './objects/object-store.ts';
import { createS3Store } from './objects/s3-store.ts';

/** Opens the store that is configured. @throws TypeError for settings of the wrong form */
export function openFileStore(config: Config): Promise<ObjectStore> {
  const directory = config.filesDir ?? join(config.dataDir, 'files');
  if (config.s3Bucket === null) return createLocalStore({ directory });
  return createS3Store({
    bucket: config.s3Bucket,
    endpoint: config.s3Endpoint ?? `https://s3.${config.s3Region}.amazonaws.com`,
    region: config.s3Region,
    prefix: config.s3Prefix ?? '',
    accessKeyId: config.s3AccessKeyId ?? '',
    secretAccessKey: config.s3SecretAccessKey ?? '',
    forcePathStyle: config.s3PathStyle ?? config.s3Endpoint !== null,
    spoolDirectory: join(directory, 'spool'),
  });
}

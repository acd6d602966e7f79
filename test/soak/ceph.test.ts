/** The contract of object stores on a real S3 server: the object gateway of Ceph. Failures are tested with a server that makes them. */
import { rm } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { createS3Store } from '@trellis/server/adapters/s3/s3-store.ts';
import { testContract } from '../objects/contract.ts';
import { filesBelow } from '../objects/stores.ts';
import { Ceph, findCeph } from '../support/ceph.ts';
import { makeDataDirectory } from '../support/folders.ts';

const programs = await findCeph();
if ('missing' in programs) {
  test('S3 of Ceph', { skip: programs.missing }, () => undefined);
} else {
  let ceph: Ceph;
  before(async () => {
    ceph = await Ceph.start(programs.environment);
  });
  after(() => ceph?.stop());
  testContract('S3 of Ceph', async () => {
    const folder = await makeDataDirectory('objects');
    const store = await createS3Store({ ...ceph.location, prefix: 'files', spoolDirectory: folder });
    return {
      store,
      folder,
      files: async () => [...(await filesBelow(folder)), ...(await ceph.keys())],
      async close() {
        await store.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  });
}

/** What copies an installation or an organization refuses a distributed database on a prepared Citus cluster (see support/citus.ts), and changes nothing. */
import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import {
  backUp,
  type FolderStore,
  makeStore,
  objectFiles,
  openArchive,
  openFolderStore,
  readRows,
  restore,
} from '../support/backups.ts';
import { withoutCitus } from '../support/citus.ts';
import { exportFrom, importInto, openExport } from '../support/moved-organizations.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const refused = { name: 'BackupError', message: /^The database is distributed over several servers/ };

describe('a distributed database', { skip: withoutCitus }, () => {
  let distributed: TestServer;
  let plain: TestServer;
  let backup: FolderStore;
  let organization: FolderStore;
  before(async () => {
    distributed = await startTestServer({ distributed: true });
    plain = await startTestServer();
    backup = await openFolderStore();
    await backUp(plain.database.urls.owner, plain.objects, backup.store);
    organization = await openFolderStore();
    await exportFrom(plain, organization.store);
  });
  after(async () => {
    await distributed?.close();
    await plain?.close();
    await backup?.close();
    await organization?.close();
  });

  for (const [name, copy] of [
    [
      'backed up',
      (store: FolderStore) => backUp(distributed.database.urls.owner, distributed.objects, store.store),
    ],
    ['exported from', (store: FolderStore) => exportFrom(distributed, store.store)],
  ] as const)
    test(`it is not ${name}, and nothing is stored`, async (context: TestContext) => {
      const store = await makeStore(context);
      await assert.rejects(copy(store), refused);
      assert.deepEqual(await objectFiles(store.folder).catch(() => []), []);
    });

  test('nothing is restored or imported into it', async () => {
    const { database, objects } = distributed;
    const rows = await readRows(database.adminUrl);
    const whole = await openArchive(backup.store);
    await assert.rejects(restore(whole, database.urls.owner, objects), refused);
    await assert.rejects(importInto(database, objects, await openExport(organization.store)), refused);
    assert.deepEqual(await readRows(database.adminUrl), rows);
  });
});

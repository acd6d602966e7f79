/** Imports of an organization that are killed: nothing of it is visible, and the next one succeeds. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { type FolderStore, openFolderStore, passphrase } from '../support/backups.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createOwnWorld } from '../support/fixtures.ts';
import { makeDataDirectory } from '../support/folders.ts';
import { exportFrom } from '../support/moved-organizations.ts';
import { settingsOf, startProgram } from '../support/program.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

let source: TestServer;
let target: TestDatabase;
let admin: pg.Client;
let moved: FolderStore;
let folder: string;
before(async () => {
  source = await startTestServer();
  await createOwnWorld(source);
  const secrets = { open: () => `whsec_${'A'.repeat(43)}=`, seal: (secret: string) => secret };
  moved = await openFolderStore();
  await exportFrom(source, moved.store, { secrets });
  target = await createTestDatabase({ poolSize: 1 });
  admin = new pg.Client({ connectionString: target.adminUrl });
  await admin.connect();
  folder = await makeDataDirectory('moved');
});
after(async () => {
  await admin?.end();
  await moved?.close();
  await target?.drop();
  await source?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Starts the command. */
function startImport() {
  const child = startProgram(['organization', 'import', moved.folder, '--data-dir', folder], {
    ...settingsOf(target),
    TRELLIS_BACKUP_PASSPHRASE: passphrase,
    TRELLIS_FILES_DIR: join(folder, 'files'),
  });
  child.stdout.resume();
  return child;
}

/** Rows of tables that an import writes to first, in between and last; all of them belong to the moved organization. */
async function readCounts(client: pg.Client): Promise<object> {
  const { rows } = await client.query<object>(
    `SELECT (SELECT count(*) FROM trellis.organizations) AS organizations, (SELECT count(*) FROM trellis.memberships) AS memberships,
       (SELECT count(*) FROM trellis.books) AS books, (SELECT count(*) FROM trellis.views) AS views`,
  );
  return rows[0] ?? {};
}

/** Tables that an import writes to first, in between and last: it is killed while it waits for each of them. */
const places = ['organizations', 'books', 'views'];

test('an import that is killed leaves nothing, and is complete when it is run again', async () => {
  const original = new pg.Client({ connectionString: source.database.adminUrl });
  await original.connect();
  const complete = await readCounts(original);
  await original.end();
  const nothing = await readCounts(admin);
  assert.notDeepEqual(complete, nothing);
  for (const table of places) {
    await admin.query(`BEGIN; LOCK TABLE trellis.${table} IN SHARE MODE`);
    const child = startImport();
    const exited = once(child, 'exit');
    await until(`the import waits for ${table}`, async () => {
      assert.equal(child.exitCode, null);
      const { rowCount } = await admin.query(
        `SELECT FROM pg_locks WHERE relation = 'trellis.${table}'::regclass AND NOT granted`,
      );
      return rowCount !== 0;
    });
    child.kill('SIGKILL');
    await exited;
    await admin.query('ROLLBACK');
    assert.deepEqual(await readCounts(admin), nothing, table);
  }
  const child = startImport();
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  assert.equal(child.exitCode, 0, stderr);
  assert.deepEqual(await readCounts(admin), complete);
});

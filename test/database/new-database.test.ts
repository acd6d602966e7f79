/** What makes a database: the schema when it is empty, migrations of later releases; one of before release 0.1.0 is refused. */
import assert from 'node:assert/strict';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { after, before, test } from 'node:test';
import { migrate, pendingMigrations, readMigrationState } from '@trellis/server/kernel/database/migrate.ts';
import { OutdatedDatabaseError } from '@trellis/server/kernel/database/schema.ts';
import { makeRolePasswords, setUpDatabase } from '@trellis/server/kernel/database/setup.ts';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { migrateToLater } from '../support/later-release.ts';

const rooms = { 'sql/migrations/9000_rooms.sql': 'CREATE TABLE trellis.rooms (id uuid PRIMARY KEY);' };

let database: TestDatabase;
let admin: pg.Client;
before(async () => {
  database = await createTestDatabase({ poolSize: 2 });
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
});
after(async () => {
  await admin?.end();
  await database?.drop();
});

/** What is recorded, by name. */
async function recorded(client = admin): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM trellis.migrations ORDER BY name');
  return rows.map(({ name }) => name.replace(/^functions\/.*/, 'functions'));
}

test('an empty database gets the schema, once', async () => {
  assert.deepEqual(await recorded(), ['functions', 'schema']);
  assert.deepEqual(await pendingMigrations(database.worker), []);
  assert.deepEqual(await migrate(database.urls.owner, () => undefined), []);
});

test('the files of the release are read once, however often a node is asked whether it is ready', async (context) => {
  await pendingMigrations(database.worker);
  const reads = (['readFile', 'readdir'] as const).map((name) => context.mock.method(files, name));
  syncBuiltinESMExports();
  try {
    await files.readdir('.');
    for (let round = 0; round < 3; round += 1) assert.deepEqual(await pendingMigrations(database.worker), []);
    assert.deepEqual(
      reads.map(({ mock }) => mock.callCount()),
      [0, 1],
    );
  } finally {
    for (const { mock } of reads) mock.restore();
    syncBuiltinESMExports();
  }
});

test('a database of before release 0.1.0 is refused with what to do, and not changed', async () => {
  const isOutdated = (error: unknown) =>
    error instanceof OutdatedDatabaseError && /"trellis organization export"/.test(error.message);
  for (const statement of [
    `UPDATE trellis.migrations SET checksum = 'other' WHERE name = 'schema'`,
    `UPDATE trellis.migrations SET name = '0001_tenancy.sql' WHERE name = 'schema'`,
  ]) {
    await admin.query(statement);
    const before = await recorded();
    await assert.rejects(
      migrate(database.urls.owner, () => undefined),
      isOutdated,
    );
    await assert.rejects(readMigrationState(database.worker), isOutdated);
    assert.deepEqual(await recorded(), before);
  }
  // A later release has migrations, and knows a schema by them.
  await assert.rejects(migrateToLater(database.urls.owner, rooms), isOutdated);
  await admin.query(`UPDATE trellis.migrations SET name = 'schema' WHERE name = '0001_tenancy.sql'`);
  assert.ok((await migrateToLater(database.urls.owner, rooms)).includes('applying 9000_rooms.sql'));
  assert.deepEqual(await recorded(), ['9000_rooms.sql', 'functions', 'schema']);
  assert.deepEqual((await readMigrationState(database.worker)).newer, ['9000_rooms.sql']);
});

test('a database that a later release makes has no migration left to apply', async () => {
  const name = `${database.name}_later`;
  const urls = await setUpDatabase(database.adminUrl, name, makeRolePasswords(), 'of new roles');
  assert.deepEqual(urls, {}, 'all roles are there');
  const url = new URL(database.urls.owner);
  url.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: url.href });
  try {
    const lines = await migrateToLater(url.href, rooms);
    assert.deepEqual(lines[0], 'applying the schema');
    assert.ok(!lines.includes('applying 9000_rooms.sql'));
    await client.connect();
    assert.deepEqual(await recorded(client), ['9000_rooms.sql', 'functions', 'schema']);
  } finally {
    await client.end();
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
  }
});

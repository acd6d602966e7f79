/** Migrations run one at a time: one that has to wait says for whom, and does not wait for ever. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { migrate } from '@trellis/server/kernel/database/migrate.ts';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let other: pg.Client;
let pid: number;
before(async () => {
  database = await createTestDatabase();
  other = new pg.Client({ connectionString: database.adminUrl, application_name: 'a long migration' });
  await other.connect();
  const { rows } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  pid = rows[0]?.pid ?? 0;
});
after(async () => {
  await other.end();
  await database.drop();
});

// A migration waits for changes of the schema, and for a backup that begins.
for (const [lock, unlock] of [
  ['pg_advisory_lock', 'pg_advisory_unlock'],
  ['pg_advisory_lock_shared', 'pg_advisory_unlock_shared'],
])
  test(`beside another one (${lock}), a migration names it, and ends with an error after a while`, async () => {
    await other.query(`SELECT ${lock}(hashtext('trellis migrate'))`);
    const lines: string[] = [];
    const began = performance.now();
    await assert.rejects(
      migrate(database.urls.owner, (line) => lines.push(line), {
        wait: { announceMs: 100, giveUpMs: 1_000 },
      }),
      new RegExp(
        `^MigrationLockError: Nothing was changed: for \\d+ s, process ${pid} \\(a long migration\\) has held`,
      ),
    );
    assert.ok(performance.now() - began >= 1_000);
    assert.deepEqual(lines, [
      `waiting for process ${pid} (a long migration), which changes or copies the database`,
    ]);
    await other.query(`SELECT ${unlock}(hashtext('trellis migrate'))`);
  });

test('one that waits begins when the other one has ended, and its connection has a name', async () => {
  await other.query(`SELECT pg_advisory_lock(hashtext('trellis migrate'))`);
  const lines: string[] = [];
  const migrating = migrate(database.urls.owner, (line) => lines.push(line), {
    wait: { announceMs: 0, giveUpMs: 60_000 },
  });
  await until('it waits', async () => lines.length > 0);
  const { rows } = await other.query(
    `SELECT application_name AS name FROM pg_stat_activity WHERE datname = current_database() AND usename = 'trellis_owner'`,
  );
  assert.deepEqual(rows, [{ name: 'trellis migrate' }]);
  await other.query(`SELECT pg_advisory_unlock(hashtext('trellis migrate'))`);
  assert.deepEqual(await migrating, []);
});

/**
 * Tests of a database and of disks that refuse to work: each write gets 503 and Retry-After, changes nothing, and succeeds under
 * the same key when there is room again.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { isWrite } from '@trellis/server/kernel/http/operation.ts';
import { toProblem } from '@trellis/server/kernel/http/problems.ts';
import { ObjectStoreError } from '@trellis/server/kernel/objects/object-store.ts';
import pg from 'pg';
import { attempt, createOwnWorld, freshIds } from '../support/fixtures.ts';
import { createToken } from '../support/identities.ts';
import { expectProblem } from '../support/refusals.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();
const world = await createOwnWorld(server);
const { token: sandboxToken } = await createToken(
  server.database.worker,
  server.organization,
  server.ownerId,
  {
    audiences: ['sandbox'],
  },
);
const admin = new pg.Client({ connectionString: server.database.adminUrl });
await admin.connect();
await admin.query(`CREATE FUNCTION public.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION 'refused by a test' USING ERRCODE = TG_ARGV[0]; END $$`);
after(async () => {
  await admin.end();
  await server.close();
});

/** Runs work while every change of every table fails with a SQLSTATE. */
async function whileFailing(state: string, work: () => Promise<void>): Promise<void> {
  await admin.query(`DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'trellis' LOOP
      EXECUTE format('CREATE TRIGGER refuse_change BEFORE INSERT OR UPDATE OR DELETE ON trellis.%I
        FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change(%L)', name, '${state}');
    END LOOP; END $$`);
  try {
    await work();
  } finally {
    await admin.query(`DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'trellis' LOOP
        EXECUTE format('DROP TRIGGER refuse_change ON trellis.%I', name);
      END LOOP; END $$`);
  }
}

/** Codes of PostgreSQL, with the problem that a caller gets. */
const states = [
  ['53100', 'database_unavailable'], // disk_full
  ['53000', 'overloaded'], // insufficient_resources
  ['53200', 'overloaded'], // out_of_memory
  ['53300', 'overloaded'], // too_many_connections
  ['53400', 'overloaded'], // configuration_limit_exceeded
  ['55P03', 'overloaded'], // lock_not_available
  ['40001', 'overloaded'], // serialization_failure
  ['40P01', 'overloaded'], // deadlock_detected
  ['57014', 'overloaded'], // query_canceled
  ['57P01', 'database_unavailable'], // admin_shutdown
  ['57P02', 'database_unavailable'], // crash_shutdown
  ['57P03', 'database_unavailable'], // cannot_connect_now
  ['57P05', 'database_unavailable'], // idle_session_timeout
  ['25006', 'database_unavailable'], // read_only_sql_transaction
  ['58000', 'database_unavailable'], // system_error
  ['58030', 'database_unavailable'], // io_error
  ['58P01', 'database_unavailable'], // undefined_file
  ['08006', 'database_unavailable'], // connection_failure
] as const;

for (const [state, code] of states) {
  test(`SQLSTATE ${state} is 503 ${code}, and the write succeeds later under the same key`, async () => {
    const key = randomUUID();
    const create = () => server.call('POST', '/v1/books', { key, body: { title: `Book ${state}` } });
    await whileFailing(state, async () => {
      const refused = await create();
      expectProblem(refused, 503, code);
      assert.equal(refused.headers.get('retry-after'), '1');
      const plant = await server.call('POST', '/sandbox/plants', {
        token: sandboxToken,
        body: { id: 77, name: 'Fern' },
      });
      assert.deepEqual([plant.status, plant.json.error, plant.headers.get('retry-after')], [503, 5001, '1']);
      const signIn = await server.call('POST', '/auth/password-resets', {
        token: null,
        body: { email: 'nobody@example.com' },
        headers: { 'sec-fetch-site': 'same-origin' },
      });
      assert.notEqual(signIn.status, 500, signIn.text);
    });
    const created = await create();
    assert.equal(created.status, 201, created.text);
    assert.equal(created.headers.get('idempotent-replayed'), null);
  });
}

for (const operation of server.server.operations.filter(isWrite)) {
  test(`${operation.operationId}: 503 while the disk of the database is full`, async () => {
    const ids = await freshIds(world, operation);
    await whileFailing('53100', async () => {
      const refused = await attempt(world, operation, { ids });
      // Others may have nothing to write, or nothing to do.
      if (/^(create|delete)/.test(operation.operationId)) expectProblem(refused, 503, 'database_unavailable');
      else assert.ok(refused.status < 500 || refused.status === 503, refused.text);
      if (refused.status === 503) assert.equal(refused.headers.get('retry-after'), '1');
    });
  });
}

test('an error of a disk is 503 storage_unavailable wherever it is met', () => {
  for (const code of ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE']) {
    const problem = toProblem(Object.assign(new Error('write failed'), { code, syscall: 'write' }));
    assert.deepEqual(
      [problem.code, problem.status, problem.headers['retry-after']],
      ['storage_unavailable', 503, '1'],
    );
  }
  assert.equal(toProblem(Object.assign(new Error('no file'), { code: 'ENOENT' })).code, 'internal_error');
  assert.equal(toProblem(new ObjectStoreError('not_found', 'There are no bytes.')).code, 'internal_error');
});

/** Batches, on which every query relies, tested on a real server. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DatabaseFailure } from '@trellis/server/kernel/database/batch.ts';
import { step } from '@trellis/server/kernel/database/batch.ts';
import { scopeList } from '@trellis/server/kernel/database/scope.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { recordMessages } from '../support/messages.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase({ poolSize: 1 });
});
after(() => database.drop());

const organization = '01890000-0000-7000-8000-000000000001';
const scope = { organizationId: organization, userId: null };
const current = { name: 'current', text: `SELECT trellis.current_organization()` };
const divide = { name: 'divide', text: 'SELECT 1 / $1::int' };

test('the organization is named inside a batch and forgotten after it', async () => {
  const [inside] = await database.api.query(scope, [step(current)]);
  assert.equal(inside?.rows[0]?.[0], organization);
  const [outside] = await database.api.queryInBackground([step(current)]);
  assert.equal(outside?.rows[0]?.[0], null);
});

test('an error in any statement undoes the whole batch, and the connection stays usable', async () => {
  const insert = {
    name: 'insert_event_probe',
    text: `INSERT INTO trellis.outbox (organization_id, id, type, subject_type, subject_id, subject_version, request_id,
      changed_fields, occurred_at) VALUES ($1, $1, 't', 't', $1, 1, 'r', '{}', now())`,
  };
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await assert.rejects(
      database.api.execute(scope, [step(insert, [organization]), step(divide, ['0'])]),
      (error: DatabaseFailure) => error.code === '22012',
    );
  }
  const rows = await database.worker.run('SELECT count(*) FROM trellis.outbox');
  assert.equal(rows[0]?.[0], '0');
});

test('a statement whose preparation failed with its batch can be prepared again', async () => {
  const fresh = { name: 'fresh_after_failure', text: 'SELECT $1::text' };
  await assert.rejects(database.api.query(scope, [step(divide, ['0']), step(fresh, ['a'])]));
  const [result] = await database.api.query(scope, [step(fresh, ['b'])]);
  assert.equal(result?.rows[0]?.[0], 'b');
  const bad = { name: 'bad_parameter', text: 'SELECT $1::uuid' };
  await assert.rejects(database.api.query(scope, [step(bad, ['no uuid'])]));
  const [good] = await database.api.query(scope, [step(bad, [organization])]);
  assert.equal(good?.rows[0]?.[0], organization);
});

test('the first step of a transaction may name the organization, but no other one', async () => {
  const named = { name: 'name_scope_and_more', text: `SELECT ${scopeList}, $3::text`, setsScope: true };
  const read = (organizationId: string) =>
    database.api.transaction(
      scope,
      [step(named, [organizationId, '', 'more']), step(current)],
      async ([, found]) => found?.rows,
    );
  assert.deepEqual(await read(organization), [[organization]]);
  await assert.rejects(read(organization.replace('1', '2')), /names another organization or user/);
});

test('what fails behind a COMMIT leaves out its own result, and the connection stays usable or is replaced', async () => {
  const insert = {
    name: 'insert_behind_commit_probe',
    text: `INSERT INTO trellis.outbox (organization_id, id, type, subject_type, subject_id, subject_version, request_id,
      changed_fields, occurred_at) VALUES ($1, gen_random_uuid(), 't', 't', $1, 1, 'r', '{}', now())`,
  };
  const commit = { name: 'test_commit', text: 'COMMIT', commits: true };
  const end = { name: 'end_own_connection', text: 'SELECT pg_terminate_backend(pg_backend_pid())' };
  const count = async () =>
    Number((await database.worker.run('SELECT count(*) FROM trellis.outbox'))[0]?.[0]);
  const before = await count();
  for (const [index, failing] of [step(divide, ['0']), step(end)].entries()) {
    const results = await database.api.transaction(scope, [step(insert, [organization])], (_, transaction) =>
      transaction.send([step(commit), failing]),
    );
    assert.equal(results.length, 1);
    assert.equal(await count(), before + index + 1);
  }
});

test('a transaction without a commit leaves nothing', async () => {
  await database.api.transaction(scope, [step(current)], async (rows) => {
    assert.equal(rows[0]?.rows[0]?.[0], organization);
  });
  const [outside] = await database.api.queryInBackground([step(current)]);
  assert.equal(outside?.rows[0]?.[0], null);
});

test('a query cannot change anything, whichever way it is sent; what follows on the connection can', async () => {
  const rename = {
    name: 'test_rename_organization',
    text: 'UPDATE trellis.organizations SET name = name WHERE id = $1',
  };
  const readOnly = { code: '25006' };
  const steps = [step(rename, [organization])];
  await assert.rejects(database.worker.query(scope, steps), readOnly);
  await assert.rejects(database.worker.queryInBackground(steps), readOnly);
  await assert.rejects(
    database.worker.queryPresented('origin', 'https://example.com', step(rename, [organization])),
    readOnly,
  );
  const [changed] = await database.worker.execute(scope, steps);
  assert.equal(changed?.affected, 0, 'there is no such organization');
  const [also] = await database.worker.executeInBackground(steps);
  assert.equal(also?.affected, 0);
});

test('statements that change something are sent in one round trip, and a transaction in two', async () => {
  const forget = {
    name: 'test_forget',
    text: 'DELETE FROM trellis.erasures WHERE organization_id = $1',
  };
  const rename = { name: 'test_rename', text: 'UPDATE trellis.organizations SET name = name WHERE id = $1' };
  const changes = [step(forget, [organization]), step(rename, [organization])];
  const { worker } = database;
  const { roundTrips, stop } = recordMessages();
  const sentBy = async (work: () => Promise<unknown>) => {
    roundTrips.length = 0;
    await work();
    return roundTrips.map((messages) =>
      messages.filter(({ type }) => type === 'E').map(({ statement }) => statement),
    );
  };
  const [begin, scoped, commit] = ['trellis_begin', 'trellis_scope', 'trellis_commit'];
  const names = ['test_forget', 'test_rename'];
  try {
    assert.deepEqual(await sentBy(() => worker.execute(scope, changes)), [[scoped, ...names]]);
    assert.deepEqual(await sentBy(() => worker.executeInBackground(changes)), [names]);
    assert.deepEqual(
      await sentBy(() => worker.transaction(scope, changes, (_, { commit: end }) => end(changes))),
      [
        [begin, scoped, ...names],
        [...names, commit],
      ],
    );
    assert.deepEqual(
      await sentBy(() => worker.backgroundTransaction(changes, (_, { commit: end }) => end(changes))),
      [
        [begin, ...names],
        [...names, commit],
      ],
    );
  } finally {
    stop();
  }
});

test('after a failed change the connection is in no transaction; changes return the rows of their own statements', async () => {
  const failing = [step(current), step(divide, ['0'])];
  await assert.rejects(database.api.executeInBackground(failing), { code: '22012' });
  const [alone] = await database.api.executeInBackground([step(divide, ['1'])]);
  assert.equal(alone?.rows[0]?.[0], '1', 'a transaction that failed would refuse the statement');
  const results = await database.api.executeInBackground([step(divide, ['1']), step(current)]);
  assert.deepEqual(
    results.map(({ rows }) => rows),
    [[['1']], [[null]]],
  );
});

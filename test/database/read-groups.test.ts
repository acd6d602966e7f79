/** Reads that are sent together, tested on a real server. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Problem } from '@trellis/schema/problem.ts';
import { type DatabaseFailure, step } from '@trellis/server/kernel/database/batch.ts';
import { mostTogether, ReadGroups } from '@trellis/server/kernel/database/read-groups.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase({ poolSize: 8 });
});
after(() => database.drop());

const organizationId = '01890000-0000-7000-8000-000000000001';
const member = { organizationId, userId: '01890000-0000-7000-8000-00000000000a' };
const colleague = { organizationId, userId: '01890000-0000-7000-8000-00000000000b' };
const outsider = { organizationId: '01890000-0000-7000-8000-000000000002', userId: member.userId };

/** Tells its parameter, the transaction it ran in, and on whose behalf. */
const tell = {
  name: 'tell',
  text: `SELECT $1::text, pg_backend_pid() || ' ' || now(), trellis.current_organization(), trellis.current_user_id()`,
};
const divide = { name: 'divide', text: `SELECT 1 / $1::int, pg_backend_pid() || ' ' || now()` };
const ask = async (scope: typeof member, value: string, statement = tell) => {
  const { rows } = await database.api.queryTogether(scope, step(statement, [value]));
  const [echoed, transaction, organization, user] = rows[0] ?? [];
  return { echoed, transaction, organization, user };
};

test('equal reads of a member in one turn are one transaction, each with its own result', async () => {
  const responses = await Promise.all(['a', 'b', 'c'].map((value) => ask(member, value)));
  assert.deepEqual(
    responses.map(({ echoed }) => echoed),
    ['a', 'b', 'c'],
  );
  assert.equal(new Set(responses.map(({ transaction }) => transaction)).size, 1);
});

test('a group has a limit, and what is asked for in another turn is another transaction', async () => {
  const values = Array.from({ length: mostTogether * 2 + 1 }, (_, index) => `${index}`);
  const responses = await Promise.all(values.map((value) => ask(member, value)));
  assert.deepEqual(
    responses.map(({ echoed }) => echoed),
    values,
  );
  const groups = responses.map(({ transaction }) => transaction);
  assert.equal(new Set(groups).size, 3);
  assert.equal(new Set(groups.slice(0, mostTogether)).size, 1);
  const later = await ask(member, 'later');
  assert.ok(!groups.includes(later.transaction));
});

test('reads of different members, organizations and statements never share a transaction', async () => {
  const scopes = [member, colleague, outsider];
  const responses = await Promise.all([...scopes, ...scopes].map((scope) => ask(scope, 'x')));
  assert.deepEqual(
    responses.map(({ organization, user }) => ({ organizationId: organization, userId: user })),
    [...scopes, ...scopes],
  );
  assert.equal(new Set(responses.map(({ transaction }) => transaction)).size, 3);
  const [echoed, divided] = await Promise.all([ask(member, 'x'), ask(member, '1', divide)]);
  assert.notEqual(echoed.transaction, divided.transaction);
});

test('a read that fails does not fail the others of its group', async () => {
  const results = await Promise.allSettled(['1', '0', '1'].map((value) => ask(member, value, divide)));
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  const failure = results.find((result) => result.status === 'rejected');
  assert.equal((failure?.reason as DatabaseFailure | undefined)?.code, '22012');
});

test('a group that got no connection is not sent again', async () => {
  let sent = 0;
  const groups = new ReadGroups(
    () => {
      sent += 1;
      return Promise.reject(new Problem('overloaded'));
    },
    (error) => !(error instanceof Problem),
  );
  const results = await Promise.allSettled(
    ['1', '2'].map((value) => groups.join(member, step(tell, [value]))),
  );
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(sent, 1);
});

test('a statement that changes data is refused', async () => {
  const change = {
    name: 'change',
    text: `UPDATE trellis.organizations SET name = $1 RETURNING name`,
  };
  await assert.rejects(ask(member, 'x', change), (error: DatabaseFailure) => error.code === '25006');
});

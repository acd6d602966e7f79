/** Dynamic statements, whose text depends on the request: a connection keeps a limited number of them prepared. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  type DatabaseFailure,
  dynamicStatementLimit,
  type Statement,
  step,
} from '@trellis/server/kernel/database/batch.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
before(async () => {
  // One connection, since prepared statements belong to a connection.
  database = await createTestDatabase({ poolSize: 1 });
});
after(() => database.drop());

const scope = { organizationId: '01890000-0000-7000-8000-000000000001', userId: null };

const shape = (number: number): Statement => ({
  name: `shape_${number}`,
  text: `SELECT ${number}, $1::text`,
  isDynamic: true,
});
const divide = { name: 'divide', text: 'SELECT 1 / $1::int' };

async function ask(number: number): Promise<void> {
  const [result] = await database.api.query(scope, [step(shape(number), ['a'])]);
  assert.deepEqual(result?.rows, [[String(number), 'a']]);
}

/** The numbers of the shapes that the connection has prepared, in order of preparation. */
async function preparedShapes(): Promise<number[]> {
  const rows = await database.api.run(
    `SELECT substr(name, 7) FROM pg_prepared_statements WHERE name LIKE 'shape\\_%' ORDER BY prepare_time, name`,
  );
  return rows.map(([number]) => Number(number));
}

test('a connection keeps the most recently used dynamic statements, and all fixed ones', async () => {
  await database.api.query(scope, [step(divide, ['1'])]);
  for (let number = 0; number < dynamicStatementLimit; number += 1) await ask(number);
  assert.equal((await preparedShapes()).length, dynamicStatementLimit);
  // The first one is used again, so the second one is now the least recently used.
  await ask(0);
  await ask(1_000);
  const prepared = await preparedShapes();
  assert.equal(prepared.length, dynamicStatementLimit);
  assert.ok(prepared.includes(0));
  assert.ok(prepared.includes(1_000));
  assert.ok(!prepared.includes(1));
  // A closed statement is prepared again when it is used.
  await ask(1);
  assert.ok((await preparedShapes()).includes(1));
  const [fixed] = await database.api.run(`SELECT count(*) FROM pg_prepared_statements WHERE name = 'divide'`);
  assert.equal(fixed?.[0], '1');
});

test('after hundreds of shapes no more than the limit are prepared', async () => {
  for (let number = 2_000; number < 2_500; number += 1) await ask(number);
  const prepared = await preparedShapes();
  assert.deepEqual(
    prepared.toSorted((left, right) => left - right),
    Array.from({ length: dynamicStatementLimit }, (_, index) => 2_500 - dynamicStatementLimit + index),
  );
});

test('a batch that fails still closes surplus statements, and later batches work', async () => {
  const before = await preparedShapes();
  const [oldest = 0] = before;
  await assert.rejects(
    database.api.query(scope, [step(divide, ['0']), step(shape(6_000), ['a'])]),
    (error: DatabaseFailure) => error.code === '22012',
  );
  assert.ok(!(await preparedShapes()).includes(oldest));
  // Both work again: the closed one, and the one whose preparation was undone with its batch.
  await ask(oldest);
  await ask(6_000);
  assert.equal((await preparedShapes()).length, dynamicStatementLimit);
});

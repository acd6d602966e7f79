/** Rows by name, read from a real database. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { step } from '@trellis/server/kernel/database/batch.ts';
import {
  defineRow,
  flag,
  instant,
  joined,
  json,
  nullable,
  number,
  text,
  texts,
} from '@trellis/server/kernel/database/row.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase({ poolSize: 1 });
});
after(() => database.drop());

const row = defineRow({
  id: text('x.id'),
  name: nullable(text('x.name')),
  count: number('x.n'),
  isDone: flag('x.done'),
  madeAt: instant(`x.at::timestamptz(3)`),
  tags: texts('x.tags'),
});
const statement = (values: string) => ({
  name: '',
  text: `SELECT ${row.list} FROM (VALUES ${values}) x (done, tags, at, n, id, name)`,
});
const select = async (values: string) =>
  (await database.worker.query({ organizationId: '', userId: null }, [step(statement(values))]))[0];

test('columns are read by name, whatever the order in the table', async () => {
  const result = await select(
    `(true, '{a,"b c"}'::text[], timestamptz '2026-11-24 01:02:03.4+00', 7, 'first', NULL)`,
  );
  const expected = {
    id: 'first',
    name: null,
    count: 7,
    isDone: true,
    madeAt: '2026-11-24T01:02:03.400Z',
    tags: ['a', 'b c'],
  };
  assert.deepEqual(row.first(result), expected);
  assert.deepEqual(row.all(result), [expected]);
  assert.equal(row.first({ rows: [], affected: 0 }), undefined);
  assert.deepEqual(row.all(undefined), []);
});

test('NULL where there is to be a value is an error that names the column; a condition that is NULL does not hold', async () => {
  const result = await select(
    `(NULL::boolean, '{}'::text[], now(), 7, 'x', 'y'), (true, '{}', now(), 7, NULL, 'y')`,
  );
  assert.equal(row.first(result)?.isDone, false);
  assert.throws(() => row.all(result), /x\.id is NULL/);
});

test('what was joined is a row of its own, and null where there is none', async () => {
  const outer = defineRow({ id: text('o.id'), inner: joined(row), last: json<number[]>('o.last') });
  const [result] = await database.worker.query({ organizationId: '', userId: null }, [
    step({
      name: '',
      text: `SELECT ${outer.list} FROM (VALUES ('one', 1, '[1]'::json), ('two', 2, '[2]')) o (id, n, last)
        LEFT JOIN (VALUES (true, '{}'::text[], timestamptz '2026-11-24 01:02:03+00', 2, 'x', NULL)) x (done, tags, at, n, id, name)
          ON x.n = o.n ORDER BY o.id`,
    }),
  ]);
  const inner = { id: 'x', name: null, count: 2, isDone: true, madeAt: '2026-11-24T01:02:03.000Z', tags: [] };
  assert.deepEqual(outer.all(result), [
    { id: 'one', inner: null, last: [1] },
    { id: 'two', inner, last: [2] },
  ]);
});

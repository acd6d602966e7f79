/** Steps that are sent as one statement: their parameters, rows, constraints, and which of them are joined. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { resources } from '@trellis/schema/resources/index.ts';
import {
  type DatabaseFailure,
  type Statement,
  type Step,
  step,
} from '@trellis/server/kernel/database/batch.ts';
import { Database } from '@trellis/server/kernel/database/database.ts';
import { joinSteps } from '@trellis/server/kernel/database/joined-steps.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let admin: Database;
before(async () => {
  database = await createTestDatabase({ poolSize: 2 });
  admin = new Database({
    url: database.adminUrl,
    poolSize: 1,
    prepare: false,
    acquireTimeoutMs: 5_000,
    applicationName: 'joined steps',
    log: () => undefined,
  });
  for (const text of [
    `CREATE TABLE trellis.test_parents (id integer CONSTRAINT test_parents_pkey PRIMARY KEY, code text CONSTRAINT test_parents_code UNIQUE)`,
    `CREATE TABLE trellis.test_children (parent_id integer NOT NULL
       CONSTRAINT test_children_parent REFERENCES trellis.test_parents, size integer CONSTRAINT test_children_size CHECK (size > 0))`,
    'GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.test_parents, trellis.test_children TO trellis_api',
  ])
    await admin.run(text);
});
after(async () => {
  await admin.close();
  await database.drop();
});

const scope = { organizationId: '01890000-0000-7000-8000-000000000001', userId: null };
const insertParent: Statement = {
  name: 'test_insert_parent',
  text: 'INSERT INTO trellis.test_parents (id, code) VALUES ($1, $2)',
  isJoinable: true,
};
const insertChild: Statement = {
  name: 'test_insert_child',
  text: 'INSERT INTO trellis.test_children (parent_id, size) SELECT $1, unnest($2::integer[])',
  isJoinable: true,
};
const renameParent: Statement = {
  name: 'test_rename_parent',
  text: 'UPDATE trellis.test_parents SET code = $2 WHERE id = $1',
  isJoinable: true,
};
const readParent: Statement = {
  name: 'test_read_parent',
  text: 'SELECT code FROM trellis.test_parents WHERE id = $1',
};

const namesOf = (steps: readonly Step[]) => steps.map(({ statement: { name, parts = [name] } }) => parts);

async function constraintOf(steps: readonly Step[]): Promise<string | undefined> {
  try {
    await database.api.execute(scope, joinSteps(steps));
    return undefined;
  } catch (error) {
    return (error as DatabaseFailure).constraint;
  }
}

test('each part has its own parameters, and a child may refer to a parent of the same statement', async () => {
  const steps = joinSteps([step(insertChild, ['1', '{5,6}']), step(insertParent, ['1', 'one'])]);
  assert.equal(steps.length, 1);
  await database.api.execute(scope, steps);
  assert.deepEqual(await admin.run('SELECT id::text, code FROM trellis.test_parents WHERE id = 1'), [
    ['1', 'one'],
  ]);
  assert.deepEqual(
    await admin.run('SELECT size::text FROM trellis.test_children WHERE parent_id = 1 ORDER BY size'),
    [['5'], ['6']],
  );
});

test('a violated constraint is named, and undoes all parts', async () => {
  const parent = step(insertParent, ['2', 'two']);
  assert.equal(await constraintOf([parent, step(insertChild, ['2', '{1,0}'])]), 'test_children_size');
  assert.equal(await constraintOf([parent, step(insertChild, ['3', '{1}'])]), 'test_children_parent');
  assert.equal(
    await constraintOf([step(insertParent, ['2', 'one']), step(insertChild, ['2', '{1}'])]),
    'test_parents_code',
  );
  assert.deepEqual(await admin.run('SELECT FROM trellis.test_parents WHERE id = 2'), []);
  assert.deepEqual(await admin.run('SELECT FROM trellis.test_children WHERE parent_id = 2'), []);
});

test('of several violated constraints, that of the first step is named', async () => {
  const unchanged = step(renameParent, ['1', 'one']);
  const taken = step(insertParent, ['4', 'one']);
  const tooSmall = step(insertChild, ['1', '{0}']);
  assert.equal(await constraintOf([unchanged, taken, tooSmall]), 'test_parents_code');
  assert.equal(await constraintOf([unchanged, tooSmall, taken]), 'test_children_size');
});

test('steps that may depend on each other stay separate and in order', async () => {
  const read = step(readParent, ['5']);
  const steps = [
    step(insertParent, ['5', 'five']),
    step(insertChild, ['5', '{1}']),
    read,
    step(renameParent, ['5', 'fifth']),
    step(renameParent, ['5', 'V']),
    step(insertChild, ['5', '{2}']),
    read,
  ];
  const joined = joinSteps(steps);
  assert.deepEqual(namesOf(joined), [
    ['test_insert_parent', 'test_insert_child'],
    ['test_read_parent'],
    ['test_rename_parent'],
    ['test_rename_parent', 'test_insert_child'],
    ['test_read_parent'],
  ]);
  const results = await database.api.execute(scope, joined);
  assert.deepEqual([results[1]?.rows, results[4]?.rows], [[['five']], [['V']]]);
});

test('a single step stays as it is', () => {
  const alone = step(insertParent, ['6', 'six']);
  assert.deepEqual(joinSteps([alone]), [alone]);
  assert.deepEqual(joinSteps([]), []);
});

test('the same steps are the same statement', () => {
  const join = (id: string) =>
    joinSteps([step(insertParent, [id, id]), step(insertChild, [id, '{1}'])])[0]?.statement;
  assert.equal(join('7'), join('8'));
  const reversed = joinSteps([step(insertChild, ['7', '{1}']), step(insertParent, ['7', '7'])])[0]?.statement;
  assert.notEqual(join('7')?.name, reversed?.name);
});

test('no policy of a table whose rows are written by joined statements reads another table', async () => {
  const rows = await admin.run(
    `SELECT DISTINCT c.relname FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
     JOIN pg_depend d ON d.classid = 'pg_policy'::regclass AND d.objid = p.oid AND d.refclassid = 'pg_class'::regclass
     WHERE d.refobjid <> p.polrelid AND p.polroles && ARRAY[0::oid, 'trellis_api'::regrole]`,
  );
  const reading = new Set(rows.map(([table]) => table));
  assert.ok(reading.has('search_bodies'));
  const written = resources.flatMap(({ table, sideTables = {}, versions }) => [
    table,
    ...Object.keys(sideTables),
    ...(versions === undefined ? [] : [versions.table]),
  ]);
  assert.deepEqual(
    [...written, 'outbox', 'idempotency_keys'].filter((table) => reading.has(table)),
    [],
  );
});

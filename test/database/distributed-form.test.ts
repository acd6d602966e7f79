/** What a distributed database (Citus) gets in another form, checked without one: files as single statements, policies, steps. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { step } from '@trellis/server/database/batch.ts';
import { nameViolation } from '@trellis/server/database/distribution/shard-errors.ts';
import { pickResults, shardSteps } from '@trellis/server/database/distribution/shard-steps.ts';
import { joinSteps } from '@trellis/server/database/joined-steps.ts';
import { splitStatements } from '@trellis/server/database/split-statements.ts';
import { withSubquery } from '../support/policy-rules.ts';

const root = new URL('../../', import.meta.url);
const statement = (name: string, text: string, more = {}) => ({ name, text, ...more });
const textsOf = (text: string, values: string[] = []) =>
  shardSteps([step(statement('one', text), values)], 'org').steps.map((one) => one.statement.text.trim());

test('every statement of the migrations and functions is found, and begins with a command', async () => {
  const folders = ['migrations/', 'sql/functions/', 'sql/distributed/', 'sql/distributed/functions/'];
  let count = 0;
  for (const folder of folders) {
    for (const name of (await readdir(new URL(folder, root))).filter((one) => one.endsWith('.sql'))) {
      const sql = await readFile(new URL(`${folder}${name}`, root), 'utf8');
      for (const found of splitStatements(sql)) {
        count += 1;
        const command = found.replace(/^(--[^\n]*\n|\s)*/, '').split(/\s/)[0];
        assert.match(
          command ?? '',
          /^(CREATE|ALTER|DROP|GRANT|REVOKE|INSERT|UPDATE|DELETE|SELECT|WITH|COMMENT|DO)$/,
          `${name}: ${found}`,
        );
      }
    }
  }
  assert.ok(count > 800);
});

test('a semicolon in a text, a comment, a quoted name or the body of a function ends no statement', () => {
  assert.deepEqual(
    splitStatements(
      `-- one; two\nSELECT ';', E'\\';', ";" /* ; */;\nDO $x$ BEGIN; $$;$$ END $x$;\n-- the end;\n`,
    ),
    [`-- one; two\nSELECT ';', E'\\';', ";" /* ; */`, 'DO $x$ BEGIN; $$;$$ END $x$'],
  );
});

test('exactly the policies with a subquery are replaced, and none of the new ones has one', async () => {
  const statements = splitStatements(await readFile(new URL('sql/distributed/policies.sql', root), 'utf8'));
  const replaced = statements.map((one) => {
    const [, policy, table] = /ALTER POLICY (\w+) ON trellis\.(\w+)/.exec(one) ?? [];
    assert.doesNotMatch(one, /\bSELECT\b/);
    return `${table} ${policy}`;
  });
  assert.deepEqual(replaced.sort(), Object.values(withSubquery).flat().sort());
});

test('joined steps are sent one by one, and have the result of the first', () => {
  const joined = joinSteps([
    step(statement('a', 'INSERT INTO a VALUES ($1)', { isJoinable: true }), ['1']),
    step(statement('b', 'INSERT INTO b VALUES ($1, $2)', { isJoinable: true }), ['2', '3']),
  ]);
  const sent = shardSteps([...joined, step(statement('c', 'SELECT 1'))], undefined);
  assert.deepEqual(
    sent.steps.map((one) => [one.statement.text, one.values]),
    [
      ['INSERT INTO a VALUES ($1)', ['1']],
      ['INSERT INTO b VALUES ($1, $2)', ['2', '3']],
      ['SELECT 1', []],
    ],
  );
  const results = [1, 2, 3].map((affected) => ({ rows: [], affected }));
  assert.deepEqual(
    pickResults(sent, results).map(({ affected }) => affected),
    [1, 3],
  );
});

test('changes in WITH that nothing reads are statements of their own, with their parameters', () => {
  const { steps } = shardSteps(
    [
      step(
        statement(
          'put',
          'WITH changed AS (UPDATE t SET a = lower($2) WHERE id = $3 RETURNING id) INSERT INTO t SELECT $3, $1 WHERE NOT EXISTS (SELECT FROM changed)',
        ),
        ['x', 'y', 'z'],
      ),
    ],
    undefined,
  );
  assert.deepEqual(
    steps.map((one) => [one.statement.name, one.statement.text.trim(), one.values]),
    [
      ['put_1', 'UPDATE t SET a = lower($1) WHERE id = $2 RETURNING id', ['y', 'z']],
      ['put_2', 'INSERT INTO t SELECT $1, $2 ON CONFLICT DO NOTHING', ['z', 'x']],
    ],
  );
  const read = 'WITH a AS (DELETE FROM t RETURNING id) SELECT id FROM a';
  assert.deepEqual(textsOf(read), [read]);
});

test('selected rows are inserted by a statement, the time is that of the statement, and calls have a place', () => {
  assert.deepEqual(textsOf('INSERT INTO t SELECT unnest($1::text[])'), [
    'INSERT INTO t SELECT unnest($1::text[]) RETURNING NULL',
  ]);
  assert.deepEqual(textsOf('UPDATE t SET a = clock_timestamp()'), ['UPDATE t SET a = statement_timestamp()']);
  assert.deepEqual(textsOf('SELECT clock_timestamp()'), ['SELECT clock_timestamp()']);
  const { steps } = shardSteps(
    [step(statement('call', 'SELECT id FROM trellis.filter_page($1)'), ['x'])],
    'org',
  );
  assert.deepEqual(steps[0]?.values, ['org', 'x']);
  assert.match(
    steps[0]?.statement.text ?? '',
    /trellis\.roles WHERE organization_id = \$1 .*trellis\.filter_page\(\$2\)/,
  );
});

test('an error of a shard has the names of the schema', () => {
  const raise = (message: string, code = '23505') => Object.assign(new Error(message), { code });
  assert.equal(
    (
      nameViolation(raise('duplicate key value violates unique constraint "sites_key_102008"')) as {
        constraint?: string;
      }
    ).constraint,
    'sites_key',
  );
  const { constraint, table } = nameViolation(
    raise(
      'update or delete on table "tags_10" violates foreign key constraint "article_tags_tag_11" on table "article_tags_11"',
      '23503',
    ),
  ) as { constraint?: string; table?: string };
  assert.deepEqual([constraint, table], ['article_tags_tag', 'article_tags']);
  assert.equal('constraint' in (nameViolation(raise('constraint "a_1"', '42601')) as object), false);
});

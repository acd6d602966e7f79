/** What a distributed database (Citus) has in another form, checked without one: files as single statements, policies, functions, steps, errors. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { step } from '@trellis/server/database/batch.ts';
import { distributedSteps, resultsOf } from '@trellis/server/database/distribution/forms.ts';
import { translateError } from '@trellis/server/database/distribution/shard-errors.ts';
import { readFunctions } from '@trellis/server/database/functions.ts';
import { joinSteps } from '@trellis/server/database/joined-steps.ts';
import { readSchema } from '@trellis/server/database/schema.ts';
import { splitStatements } from '@trellis/server/database/split-statements.ts';
import { runOn } from '../support/citus.ts';
import { createTestDatabase } from '../support/database.ts';
import { withSubquery } from '../support/policy-rules.ts';

const root = new URL('../../', import.meta.url);
const statement = (name: string, text: string, more = {}) => ({ name, text, ...more });
test('every statement of the schema is found, and begins with a command', async () => {
  const folders = ['sql/schema/', 'sql/distributed/', 'sql/distributed/functions/'];
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
  assert.ok(count > 650, String(count));
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

test('exactly the columns with a default are granted that a role may not insert and Citus does', async () => {
  const database = await createTestDatabase({ distributed: false });
  try {
    const rows = await runOn(
      database.adminUrl,
      `SELECT r.rolname AS role, c.relname AS name, string_agg(a.attname, ', ' ORDER BY a.attnum) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.atthasdef AND a.attgenerated = '' AND NOT a.attisdropped, pg_roles r
       WHERE c.relnamespace = 'trellis'::regnamespace AND c.relkind IN ('r', 'p') AND r.rolname IN ('trellis_api', 'trellis_auth', 'trellis_worker', 'trellis_search')
         AND has_any_column_privilege(r.oid, c.oid, 'INSERT') AND NOT has_column_privilege(r.oid, c.oid, a.attnum, 'INSERT')
         AND (c.relname IN ('organizations', 'users') OR EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'organization_id'))
       GROUP BY 1, 2`,
    );
    const sql = await readFile(new URL('sql/distributed/grants.sql', root), 'utf8');
    const granted = [...sql.matchAll(/^GRANT INSERT \((.+)\) ON trellis\.(\w+) TO (\w+);$/gm)].map(
      ([, columns, table, role]) => `${role} ${table} ${columns}`,
    );
    assert.deepEqual(
      granted.sort(),
      rows.map(({ role, name, columns }) => `${role} ${name} ${columns}`).sort(),
    );
  } finally {
    await database.drop();
  }
});

test('no query of a function names the organization by a function: Citus would send it to the shards on all servers', async () => {
  const { distributedFiles } = await readFunctions(await readSchema());
  assert.ok(distributedFiles.length > 30);
  for (const { name, sql } of distributedFiles)
    assert.doesNotMatch(sql, /organization_id = trellis\.current_organization/, name);
});

test('joined steps are sent one by one, and have the result of the first', () => {
  const joined = joinSteps([
    step(statement('a', 'INSERT INTO a VALUES ($1)', { isJoinable: true }), ['1']),
    step(statement('b', 'INSERT INTO b VALUES ($1, $2)', { isJoinable: true }), ['2', '3']),
  ]);
  const sent = distributedSteps([...joined, step(statement('c', 'SELECT 1'))]);
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
    resultsOf(sent, results).map(({ affected }) => affected),
    [1, 3],
  );
});

test('a statement is executed in its other forms, with their parameters, and has the result of the last', () => {
  const forms = [
    { statement: statement('first', 'DELETE FROM a WHERE id = $1'), parameters: [2] },
    { statement: statement('second', 'INSERT INTO a VALUES ($1, $2)'), parameters: [0, 1] },
  ];
  const sent = distributedSteps([
    step(statement('scope', 'SELECT trellis.name_scope($1, $2)', { setsScope: true }), ['org', 'user']),
    step(statement('put', 'WITH x AS (DELETE …) INSERT …', { distributed: forms }), ['x', 'y']),
  ]);
  assert.deepEqual(
    sent.steps.map(({ statement: { name }, values }) => [name, ...values]),
    [
      ['scope', 'org', 'user'],
      ['first', 'y'],
      ['second', 'org', 'x'],
    ],
  );
  const results = [1, 2, 3].map((affected) => ({ rows: [], affected }));
  assert.deepEqual(
    resultsOf(sent, results).map(({ affected }) => affected),
    [1, 3],
  );
  // The last one failed behind a COMMIT.
  assert.equal(resultsOf(sent, results.slice(0, 2)).length, 1);
});

test('an error of a shard has the names of the schema', () => {
  const raise = (message: string, code = '23505') => Object.assign(new Error(message), { code });
  assert.equal(
    (
      translateError(raise('duplicate key value violates unique constraint "sites_key_102008"')) as {
        constraint?: string;
      }
    ).constraint,
    'sites_key',
  );
  const { constraint, table } = translateError(
    raise(
      'update or delete on table "tags_10" violates foreign key constraint "article_tags_tag_11" on table "article_tags_11"',
      '23503',
    ),
  ) as { constraint?: string; table?: string };
  assert.deepEqual([constraint, table], ['article_tags_tag', 'article_tags']);
  const condition = translateError(
    raise('new row for relation "tokens_102878" violates check constraint "tokens_deletions"', '23514'),
  ) as { constraint?: string; table?: string };
  assert.deepEqual([condition.constraint, condition.table], ['tokens_deletions', 'tokens']);
  // Without Citus, on the table of the shard itself.
  const own = Object.assign(raise('duplicate key value violates unique constraint "sites_key_102008"'), {
    constraint: 'sites_key_102008',
  });
  assert.equal((translateError(own) as { constraint?: string }).constraint, 'sites_key');
  assert.equal('constraint' in (translateError(raise('constraint "a_1"', '42601')) as object), false);
  // Citus's own SQLSTATEs for a server that is away are those of faults and of statements that it does not support.
  for (const [message, code] of [
    ['failure on connection marked as essential: 10.0.0.2:5432', 'XX000'],
    ['cannot find a worker that has active placements for all shards in the query', '0A000'],
  ] as const)
    assert.equal((translateError(raise(message, code)) as { code: string }).code, 'TR003');
  assert.equal((translateError(raise('cache lookup failed', 'XX000')) as { code: string }).code, 'XX000');
});

/** The files of the schema as single statements. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitStatements } from '@trellis/server/kernel/database/split-statements.ts';
import { readSqlFiles, releaseFolder } from '@trellis/server/kernel/database/sql-files.ts';

test('every statement of the schema is found, and begins with a command', async () => {
  const files = await readSqlFiles(`${releaseFolder}sql/schema/`);
  const statements = files.flatMap(({ sql }) => splitStatements(sql));
  for (const statement of statements)
    assert.match(
      statement,
      /^(?:--[^\n]*\n|\s)*(?:CREATE|ALTER|DROP|GRANT|REVOKE|INSERT|UPDATE|DELETE|SELECT|WITH|COMMENT|DO)\s/,
    );
  assert.ok(statements.length > 600, String(statements.length));
});

test('a semicolon in a text, a comment, a quoted name or the body of a function ends no statement', () => {
  assert.deepEqual(
    splitStatements(
      `-- one; two\nSELECT ';', E'\\';', ";" /* ; */;\nDO $x$ BEGIN; $$;$$ END $x$;\n-- the end;\n`,
    ),
    [`-- one; two\nSELECT ';', E'\\';', ";" /* ; */`, 'DO $x$ BEGIN; $$;$$ END $x$'],
  );
});

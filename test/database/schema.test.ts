/** The schema is what its generated description says, and every field has the column it needs. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { ColumnKind } from '@trellis/schema/resources/fields.ts';
import { Database } from '@trellis/server/database/database.ts';
import { createModels } from '@trellis/server/resources/models.ts';
import { describeSchema } from '../../scripts/describe-schema.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let admin: Database;
before(async () => {
  database = await createTestDatabase({ poolSize: 1 });
  admin = new Database({
    url: database.adminUrl,
    poolSize: 1,
    prepare: false,
    acquireTimeoutMs: 5_000,
    applicationName: 'trellis test',
    log: () => undefined,
  });
});
after(async () => {
  await admin.close();
  await database.drop();
});

test('docs/generated/schema.sql describes the schema that the migrations make (npm run generate renews it)', async () => {
  const golden = await readFile(new URL('../../docs/generated/schema.sql', import.meta.url), 'utf8');
  assert.equal(await describeSchema(admin), golden);
});

const types: Readonly<Record<ColumnKind, string>> = {
  text: 'text',
  integer: 'integer',
  boolean: 'boolean',
  instant: 'timestamp(3) with time zone',
  texts: 'text[]',
  uuid: 'uuid',
  uuids: 'uuid[]',
  json: 'json',
};

test('every field has a column of its kind, nullable exactly when the field is', async () => {
  for (const { resource, storage } of createModels().values()) {
    for (const column of storage.columns) {
      const table = column.sql.startsWith('v.') ? 'article_versions' : resource.table;
      const rows = await admin.run(
        `SELECT format_type(atttypid, atttypmod), NOT attnotnull FROM pg_attribute
         WHERE attrelid = $1::regclass AND attname = $2`,
        [`trellis.${table}`, column.name],
      );
      const label = `${resource.name}.${column.field}`;
      assert.equal(rows[0]?.[0], types[column.kind], label);
      const [head = '', inner] = column.field.split('.');
      const member = resource.fields[head];
      const field = member !== undefined && 'group' in member ? member.fields[inner ?? ''] : member;
      assert.ok(field !== undefined && !('group' in field), label);
      assert.equal(rows[0]?.[1] === 't', field.nullable, `${label}: nullable`);
    }
  }
});

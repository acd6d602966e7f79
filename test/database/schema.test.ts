/** The database schema: it matches its generated description and the declarations of the resources. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { createModels } from '@trellis/server/features.ts';
import { Database } from '@trellis/server/kernel/database/database.ts';
import { describeDatabase } from '@trellis/server/kernel/database/describe-schema.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { findSchemaFaults } from '../support/schema-faults.ts';

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

test('docs/generated/schema.sql describes the schema after all migrations (npm run generate renews it)', async () => {
  const golden = await readFile(new URL('../../docs/generated/schema.sql', import.meta.url), 'utf8');
  assert.equal(await describeDatabase(database.adminUrl), golden);
});

test('what is searched has no statistics: ANALYZE would take longer than everything else, and no plan uses them', async () => {
  const query = `SELECT c.relname || '.' || a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = 'trellis'::regnamespace AND coalesce(a.attstattarget, -1) <> 0
      AND c.relkind = 'r' AND a.atttypid = 'tsvector'::regtype ORDER BY 1`;
  assert.deepEqual(await admin.run(query), []);
  await admin.run('ALTER TABLE trellis.search_records ALTER COLUMN terms SET STATISTICS -1');
  const found = await admin.run(query);
  assert.equal(found.length, 1, 'what has statistics is found');
  await admin.run('ALTER TABLE trellis.search_records ALTER COLUMN terms SET STATISTICS 0');
});

test('every field, side table, unique value and reference has its columns and constraints', async () => {
  assert.deepEqual(await findSchemaFaults(admin, createModels()), []);
});

test('missing columns and constraints are found', async () => {
  const cases: [string, string][] = [
    ['ALTER TABLE trellis.books DROP COLUMN subtitle', 'books: there is no column books.subtitle'],
    [
      'ALTER TABLE trellis.books ALTER COLUMN page_count TYPE bigint',
      'books: the column books.page_count is of the type bigint, not integer',
    ],
    [
      'ALTER TABLE trellis.article_versions ALTER COLUMN title DROP NOT NULL',
      'articles: article_versions.title is nullable, unlike the field "versionData.title"',
    ],
    [
      'ALTER TABLE trellis.contact_tags RENAME COLUMN tag TO label',
      'contacts: there is no column contact_tags.tag',
    ],
    ['DROP INDEX trellis.tags_slug', 'tags: there is no constraint tags_slug of tags'],
    [
      'ALTER TABLE trellis.issue_articles DROP CONSTRAINT issue_articles_article',
      'issues: no foreign key leads from issue_articles.article_id to articles',
    ],
    [
      'ALTER TABLE trellis.tags RENAME CONSTRAINT tags_organization_id_site_id_fkey TO tags_site',
      'tags: the foreign key of the parent is not called tags_organization_id_site_id_fkey',
    ],
    [
      'DROP INDEX trellis.issues_status',
      'issues: no index begins with organization_id,magazine_id,status, unlike the filter "status" says',
    ],
    [
      'CREATE INDEX ON trellis.companies (organization_id, lifecycle_stage)',
      'companies: an index begins with organization_id,lifecycle_stage, unlike the filter "lifecycleStage" says',
    ],
  ];
  for (const [change, fault] of cases) {
    await admin.run('BEGIN');
    try {
      await admin.run(change);
      assert.deepEqual(await findSchemaFaults(admin, createModels()), [fault]);
    } finally {
      await admin.run('ROLLBACK');
    }
  }
});

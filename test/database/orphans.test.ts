/**
 * Rows that belong to another row are deleted with it, though no foreign key does it. The random sequences of `test/model`, over
 * all resources, and the tests of the trash and of undone imports end with the same check; an import of an organization begins with it.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { resources } from '@trellis/schema/resources/index.ts';
import { parts } from '@trellis/server/features/backup/organization/parts.ts';
import { movedTables } from '@trellis/server/features/backup/organization/tables.ts';
import pg from 'pg';
import { TestArticles } from '../support/articles.ts';
import { countOrphans } from '../support/orphans.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { trash } from '../support/trash.ts';
import { create, succeed } from '../support/writes.ts';

let server: TestServer;
let admin: pg.Client;
before(async () => {
  server = await startTestServer();
  admin = new pg.Client({ connectionString: server.database.adminUrl });
  await admin.connect();
});
after(async () => {
  await admin.end();
  await server.close();
});

/** Tables that are no parts: what keeps their rows together with others. */
const others: Readonly<Record<string, string>> = {
  users: 'people',
  knowledge_pages: 'a foreign key; they are written while the file may be deleted',
  picture_renditions: 'a foreign key; they are written while the file may be deleted',
  plants: 'records of their own',
  visitors: 'records of their own',
  identifications: 'a foreign key; they are written while the visitor may be deleted',
  trash: 'what was deleted',
  events: 'a log',
  event_positions: 'one for each organization',
  outbox: 'a log',
  timers: 'statements that compare the record when they are due',
  extraction_jobs: 'statements that compare the file when they are due',
  publishable_keys: 'a foreign key',
  publishable_key_origins: 'a foreign key',
  webhook_subscriptions: 'rows of an endpoint, written and deleted with it',
  webhook_deliveries: 'a log',
  webhook_attempts: 'a foreign key; a sweep deletes many at once',
  idempotency_keys: 'a log',
  changes: 'of every record; kept while it is in the trash, and erased with it',
  erasures: 'a log',
  search_marks: 'jobs',
};

test('each table of an organization is one of records, a part of them, or is named here', () => {
  const known = [...resources.map(({ table }) => table), ...parts.map(({ table }) => table)];
  const unknown = Object.keys(movedTables).filter((table) => !known.includes(table));
  assert.deepEqual(unknown.toSorted(), Object.keys(others).toSorted());
});

/** The rows of the parts that have some. */
async function countParts(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { table } of parts) {
    const { rows } = await admin.query(`SELECT count(*)::integer AS count FROM trellis."${table}"`);
    if (rows[0].count > 0) counts[table] = rows[0].count;
  }
  return counts;
}

test('the parts of a record go with it into the trash, come back, and go for good', async () => {
  const contact = await create(server, '/v1/crm/contacts', {
    firstName: 'Ada',
    emails: [{ address: 'ada@example.com' }],
    tags: ['first'],
  });
  const articles = await TestArticles.inNewSite(server, 'site');
  const tag = await create(server, `${articles.sitePath}/tags`, { name: 'Tag' });
  const category = await create(server, `${articles.sitePath}/categories`, { name: 'Category' });
  const path = await articles.createWithStatus('PUBLISHED');
  const articleData = { tagIds: [tag.id], categoryIds: [category.id] };
  const body = `![](kf_${'0'.repeat(26)})`;
  await succeed(server, 'PATCH', path, { articleData, versionData: { body } });
  const filled = await countParts();
  assert.deepEqual(filled, {
    article_categories: 1,
    article_files: 1,
    article_tags: 1,
    article_versions: 2,
    contact_emails: 1,
    contact_tags: 1,
  });
  const records = [`/v1/crm/contacts/${contact.id}`, path];
  const trashed = (record: string) => `${trash}/${record.split('/').at(-1)}`;
  for (const record of records) await succeed(server, 'DELETE', record);
  assert.deepEqual(await countParts(), { trash_versions: 2 });
  for (const record of records)
    assert.equal((await server.call('POST', `${trashed(record)}/restore`)).status, 200);
  assert.deepEqual(await countParts(), filled);
  for (const record of [...records, ...records.map(trashed)]) await succeed(server, 'DELETE', record);
  assert.deepEqual(await countParts(), {});
});

test('rows without the row that they belong to are found', async () => {
  await create(server, '/v1/crm/contacts', { firstName: 'Bob', tags: ['second'] });
  assert.deepEqual(await countOrphans(admin), {});
  await admin.query('DELETE FROM trellis.contacts');
  assert.deepEqual(await countOrphans(admin), { contact_tags: 1 });
});

/** Tests of the versions of articles: listing, comparing, restoring, and what the database guarantees. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeId } from '@trellis/schema/values/ids.ts';
import pg from 'pg';
import { TestArticles } from '../support/articles.ts';
import { createMember, createToken } from '../support/identities.ts';
import { type Json, startTestServer, type TestResponse, type TestServer } from '../support/server.ts';

let server: TestServer;
let articles: TestArticles;

before(async () => {
  server = await startTestServer();
  articles = await TestArticles.inNewSite(server, 'blog');
});
after(() => server.close());

test('restore copies an old version into a new draft and never publishes', async () => {
  const path = await articles.createWithStatus('PUBLISHED');
  await articles.change(path, { title: 'Second', body: 'changed body' });
  await articles.change(path, { status: 'PUBLISHED' });
  const restored = await server.call('POST', `${path}/versions/1/restore`, {});
  assert.equal(restored.status, 200, restored.text);
  assert.equal(restored.json.versionData.versionNumber, 3);
  assert.equal(restored.json.versionData.status, 'DRAFT');
  assert.equal(restored.json.versionData.title, 'A title');
  assert.equal(restored.json.publishedVersionNumber, 2);
  assert.equal(restored.json.state, 'CHANGED');
  assert.equal((await server.call('POST', `${path}/versions/99/restore`, {})).status, 404);
  assert.equal((await server.call('POST', `${path}/versions/0/restore`, {})).status, 404);
  assert.equal((await articles.eventsOf(path)).at(-1), 'article.updated');
});

test('restore keeps the draft that it replaces among the versions, from where it is restored', async () => {
  const path = await articles.createWithStatus('PUBLISHED');
  const typed = { title: 'Typed', body: 'typed\r\nfor an hour', summary: 'mine' };
  await articles.change(path, typed);
  const scheduledFor = new Date(Date.now() + 86_400_000).toISOString();
  await articles.change(path, { status: 'SCHEDULED', scheduledFor });
  const draft = (await server.call('GET', `${path}/versions/2`)).json;
  const restore = async (number: number) => {
    const { version } = (await server.call('GET', path)).json;
    const headers = { 'If-Match': `"${version}"` };
    const restored = await server.call('POST', `${path}/versions/${number}/restore`, { headers });
    assert.equal(restored.status, 200, restored.text);
    return restored.json;
  };
  const first = await restore(1);
  assert.deepEqual([first.versionData.versionNumber, first.versionData.title], [3, 'A title']);
  const kept = (await server.call('GET', `${path}/versions/2`)).json;
  assert.deepEqual(kept, {
    ...draft,
    versionData: { ...draft.versionData, status: 'ARCHIVED', scheduledFor: null },
  });
  // The same content once more: there is nothing to keep.
  assert.equal((await restore(1)).versionData.versionNumber, 3);
  const again = await restore(2);
  assert.equal(again.versionData.versionNumber, 4);
  for (const [name, value] of Object.entries(typed)) assert.equal(again.versionData[name], value);
  assert.deepEqual([again.state, again.publishedVersionNumber], ['CHANGED', 1]);
  const statuses = (await server.call('GET', `${path}/versions`)).json.items.map(
    ({ versionData }: Json) => versionData.status,
  );
  assert.deepEqual(statuses, ['DRAFT', 'ARCHIVED', 'ARCHIVED', 'PUBLISHED']);
  await articles.change(path, { status: 'PUBLISHED' });
  assert.equal((await server.call('GET', `${path}?perspective=published`)).json.versionData.title, 'Typed');
});

test('the difference lists fields, and the body by line hunks', async () => {
  const { path } = await articles.create({ versionData: { body: 'a\nb\nc\n' } });
  await articles.change(path, { status: 'PUBLISHED' });
  await articles.change(path, { title: 'Other', body: 'a\nB\nc\n' });
  const diff = await server.call('GET', `${path}/versions/2/diff?against=1`);
  assert.equal(diff.status, 200, diff.text);
  const title = diff.json.fields.find((item: Json) => item.field === 'versionData.title');
  assert.deepEqual(title, { field: 'versionData.title', before: 'A title', after: 'Other' });
  assert.deepEqual(diff.json.body[0].lines, [' a', '-b', '+B', ' c', ' ']);
  assert.equal((await server.call('GET', `${path}/versions/2/diff`)).status, 400);
  assert.equal((await server.call('GET', `${path}/versions/2/diff?against=7`)).status, 404);
});

test('versions are listed newest first, by cursor', async () => {
  const { path } = await articles.create();
  for (let count = 0; count < 4; count += 1) {
    await articles.change(path, { status: 'PUBLISHED' });
    await articles.change(path, { title: `Round ${count}` });
  }
  const numbers: number[] = [];
  let cursor: string | null = null;
  do {
    const page: TestResponse = await server.call(
      'GET',
      `${path}/versions?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`,
    );
    assert.equal(page.status, 200, page.text);
    numbers.push(...page.json.items.map((item: Json) => item.versionNumber));
    cursor = page.json.pageInfo.nextCursor;
  } while (cursor !== null);
  assert.deepEqual(numbers, [5, 4, 3, 2, 1]);
});

test('the database itself refuses a second published version', async () => {
  const path = await articles.createWithStatus('PUBLISHED');
  await articles.change(path, { title: 'Draft beside it' });
  const articleId = decodeId('art', path.split('/').at(-1) ?? '');
  const client = new pg.Client({ connectionString: server.database.adminUrl });
  await client.connect();
  try {
    await assert.rejects(
      client.query(
        `INSERT INTO trellis.article_versions (organization_id, site_id, article_id, number, created_at, updated_at, title,
           body_format, locale, status, word_count)
         SELECT organization_id, site_id, article_id, 99, now(), now(), 'x', 'HTML', 'en', 'PUBLISHED', 0
         FROM trellis.article_versions WHERE article_id = $1 AND number = 2`,
        [articleId],
      ),
      { code: '23505' },
    );
  } finally {
    await client.end();
  }
});

test('restore refuses a version whose cover the caller may not refer to, as a PATCH does', async () => {
  const { worker } = server.database;
  const editorId = await createMember(worker, server.organization, 'EDITOR');
  const { token: editor } = await createToken(worker, server.organization, editorId);
  const file = await server.call('POST', '/v1/knowledge-files', {
    body: { name: 'Private', visibility: 'PRIVATE' },
  });
  const coverFileId = file.json.id;
  const { path } = await articles.create({ versionData: { coverFileId } });
  await articles.change(path, { status: 'PUBLISHED' });
  const restore = (number: number, token = server.token) =>
    server.call('POST', `${path}/versions/${number}/restore`, { token });
  // The working version has this cover already: nothing new is referred to.
  assert.equal((await restore(1, editor)).json.versionData.coverFileId, coverFileId);
  await articles.change(path, { coverFileId: null });
  const refusals = [
    await articles.patch(path, { versionData: { coverFileId } }, editor),
    await restore(1, editor),
  ];
  for (const refused of refusals) {
    assert.equal(refused.status, 422, refused.text);
    assert.equal(refused.json.code, 'reference_not_found');
    assert.deepEqual(
      refused.json.errors.map(({ pointer }: Json) => pointer),
      ['/versionData/coverFileId'],
    );
  }
  assert.equal((await server.call('GET', path)).json.versionData.coverFileId, null);
  assert.equal((await restore(1)).json.versionData.coverFileId, coverFileId);
});

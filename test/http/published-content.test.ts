/**
 * Tests of the right to publish: only roles with this right may change what readers see; authors may edit their drafts.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createMember, createToken } from '../support/identities.ts';
import { type Json, startTestServer, type TestResponse, type TestServer } from '../support/server.ts';

let server: TestServer;
let articles = '';
let author = '';
let authorId = '';
/** Of an editor, without `articles:publish`. */
let autosave = '';

before(async () => {
  server = await startTestServer();
  const site = await server.call('POST', '/v1/sites', { body: { name: 'Blog', key: 'blog' } });
  articles = `/v1/sites/${site.json.id}/articles`;
  const { worker } = server.database;
  authorId = await createMember(worker, server.organization, 'AUTHOR');
  author = (await createToken(worker, server.organization, authorId)).token;
  const editorId = await createMember(worker, server.organization, 'EDITOR');
  const scopes = ['articles:read', 'articles:write'];
  autosave = (await createToken(worker, server.organization, editorId, { scopes })).token;
});
after(() => server.close());

/** The path of a new article of the author's, after these changes of its version by the owner. */
async function articleAfter(...changes: readonly object[]): Promise<string> {
  const created = await server.call('POST', articles, {
    token: author,
    body: { versionData: { title: 'Title' } },
  });
  const path = `${articles}/${created.json.id}`;
  for (const versionData of changes) {
    const { status, text } = await server.call('PATCH', path, { body: { versionData } });
    assert.equal(status, 200, text);
  }
  return path;
}

const published = { status: 'PUBLISHED' };
const draft = { title: 'Next' };
const scheduled = { status: 'SCHEDULED', scheduledFor: new Date(Date.now() + 3_600_000).toISOString() };
const change = (path: string, token: string, articleData: object = { featured: true }, key?: string) =>
  server.call('PATCH', path, { token, body: { articleData }, ...(key === undefined ? {} : { key }) });
const remove = (path: string, token: string, key?: string) =>
  server.call('DELETE', path, { token, ...(key === undefined ? {} : { key }) });

function expectDenied(response: TestResponse): void {
  assert.deepEqual([response.status, response.json?.code], [403, 'permission_denied'], response.text);
}

function expectScopes(response: TestResponse): void {
  assert.deepEqual([response.status, response.json?.code], [403, 'insufficient_scope'], response.text);
  assert.deepEqual(response.json.requiredScopes, ['articles:write', 'articles:publish']);
}

/** States in which readers see the article, or will see it without another check. */
const seen: readonly [string, readonly object[]][] = [
  ['published', [published]],
  ['published, with a newer draft', [published, draft]],
  ['scheduled', [scheduled]],
];

for (const [state, changes] of seen) {
  test(`changing articleData of an article that is ${state} requires the right to publish`, async () => {
    const path = await articleAfter(...changes);
    const before = (await server.call('GET', path)).json;
    for (const articleData of [{ featured: true }, { slug: 'mine' }, { authors: [{ name: 'Me' }] }]) {
      expectDenied(await change(path, author, articleData));
      expectScopes(await change(path, autosave, articleData));
    }
    assert.deepEqual((await server.call('GET', path)).json, before);
    // A patch that changes nothing needs no right.
    const { featured, slug } = before.articleData;
    assert.equal((await change(path, author, { featured, slug })).json.version, before.version);
    assert.equal((await change(path, server.token)).json.articleData.featured, true);
  });
}

test('a draft of a published article is opened and edited without the right to publish', async () => {
  const path = await articleAfter(published);
  for (const token of [author, autosave]) {
    const title = `By ${token.slice(-4)}`;
    const edited = await server.call('PATCH', path, { token, body: { versionData: { title } } });
    assert.equal(edited.status, 200, edited.text);
    assert.equal(edited.json.state, 'CHANGED');
  }
  const mixed = { versionData: { title: 'Both' }, articleData: { featured: true } };
  expectDenied(await server.call('PATCH', path, { token: author, body: mixed }));
});

test('deleting a published article requires the right to publish', async () => {
  for (const changes of [[published], [published, draft]]) {
    const path = await articleAfter(...changes);
    expectDenied(await remove(path, author));
    expectScopes(await remove(path, autosave));
    assert.equal((await server.call('GET', path)).status, 200);
    assert.equal((await remove(path, server.token)).status, 204);
  }
});

test('an author may change own drafts, including unpublished and archived articles', async () => {
  const review = [{ status: 'IN_REVIEW' }];
  for (const changes of [[], review, [published, { status: 'UNPUBLISHED' }], [{ status: 'ARCHIVED' }]]) {
    const path = await articleAfter(...changes);
    assert.equal((await change(path, author)).json?.articleData.featured, true);
    assert.equal((await remove(path, author)).status, 204);
  }
});

test('a replay requires the right that the write required', async () => {
  const { worker } = server.database;
  const userId = await createMember(worker, server.organization, 'EDITOR');
  const { token } = await createToken(worker, server.organization, userId);
  const path = await articleAfter(published);
  const other = await articleAfter(published);
  const [key, otherKey] = [randomUUID(), randomUUID()];
  const send = () => change(path, token, { featured: true }, key);
  const sendRemoval = () => remove(other, token, otherKey);
  assert.equal((await send()).status, 200);
  assert.equal((await sendRemoval()).status, 204);
  await worker.run(`UPDATE trellis.tokens SET scopes = '{articles:write}' WHERE user_id = $1`, [userId]);
  expectScopes(await send());
  expectScopes(await sendRemoval());
  await worker.run(
    `UPDATE trellis.tokens SET scopes = '{articles:write,articles:publish}' WHERE user_id = $1`,
    [userId],
  );
  await worker.run(`UPDATE trellis.memberships SET role = 'AUTHOR' WHERE user_id = $1`, [userId]);
  expectDenied(await send());
  expectDenied(await sendRemoval());
});

test('the descriptions of operations name the right to publish', async () => {
  const { paths } = (await server.call('GET', '/v1/openapi')).json;
  const article = paths['/v1/sites/{siteId}/articles/{id}'];
  assert.match(article.patch.description, /`articles:publish`[^.]*`articleData`/);
  assert.match(article.delete.description, /`articles:publish`[^.]*published/);
  const book: Json = paths['/v1/books/{id}'];
  assert.match(
    book.patch.description,
    /any change of a record that is PUBLISHED, requires a role that may publish\./,
  );
  assert.match(book.delete.description, /PUBLISHED[^.]*requires a role that may publish/);
  const page = await (await fetch(`${server.url}/docs/permissions`)).text();
  assert.match(page, /books: publish/);
  assert.match(page, /articleData/);
});

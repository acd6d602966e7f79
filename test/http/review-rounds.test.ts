/** Rounds of a review: what was submitted stays as it was, and an article is sent back with a sentence. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { TestArticles } from '../support/articles.ts';
import { createMember, createToken } from '../support/identities.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let articles: TestArticles;

before(async () => {
  server = await startTestServer();
  articles = await TestArticles.inNewSite(server, 'blog');
});
after(() => server.close());

const standingOf = ({ versionData }: Json) => [
  versionData.versionNumber,
  versionData.status,
  versionData.title,
  versionData.returnNote,
];

async function versionsOf(path: string): Promise<unknown[]> {
  const { json } = await server.call('GET', `${path}/versions`);
  return json.items.map(standingOf);
}

test('an article that was sent back and submitted again is compared with what was submitted before', async () => {
  const owner = encodeId('user', server.ownerId);
  const path = await articles.createWithStatus('IN_REVIEW');
  const submitted = (await server.call('GET', path)).json;
  assert.equal(submitted.versionData.submittedBy, owner);
  assert.equal(submitted.versionData.submittedAt, submitted.updatedAt);
  const returned = await articles.change(path, { status: 'DRAFT', returnNote: 'Please name the sources.' });
  assert.deepEqual(standingOf(returned), [2, 'DRAFT', 'A title', 'Please name the sources.']);
  assert.equal(returned.versionData.returnedBy, owner);
  assert.equal(returned.versionData.returnedAt, returned.updatedAt);
  assert.equal(returned.versionData.submittedAt, null);
  await articles.change(path, { body: 'one two three\nfour' });
  const again = await articles.change(path, { status: 'IN_REVIEW' });
  assert.deepEqual(standingOf(again), [2, 'IN_REVIEW', 'A title', 'Please name the sources.']);
  const { json } = await server.call('GET', `${path}/versions/2/diff?against=1`);
  assert.ok(json.body.length > 0);
  assert.deepEqual(await versionsOf(path), [
    [2, 'IN_REVIEW', 'A title', 'Please name the sources.'],
    [1, 'ARCHIVED', 'A title', null],
  ]);
  assert.deepEqual(await articles.eventsOf(path), [
    'article.created',
    'article.submitted',
    'article.returned',
    'article.updated',
    'article.submitted',
  ]);
});

test('an edit in review opens one further version, and does not end the review', async () => {
  const path = await articles.createWithStatus('IN_REVIEW');
  for (const title of ['Second', 'Third'])
    assert.deepEqual(standingOf(await articles.change(path, { title })), [2, 'IN_REVIEW', title, null]);
  // The version that was not submitted goes on as the draft.
  assert.deepEqual(standingOf(await articles.change(path, { status: 'DRAFT' })), [2, 'DRAFT', 'Third', null]);
  assert.deepEqual(await versionsOf(path), [
    [2, 'DRAFT', 'Third', null],
    [1, 'ARCHIVED', 'A title', null],
  ]);
});

test('an edit of an approved version stays approved, and keeps what was submitted', async () => {
  const path = await articles.createWithStatus('APPROVED');
  assert.deepEqual(standingOf(await articles.change(path, { title: 'Second' })), [
    2,
    'APPROVED',
    'Second',
    null,
  ]);
  assert.equal((await articles.eventsOf(path)).at(-2), 'article.approved');
  const published = await articles.change(path, { status: 'PUBLISHED' });
  assert.deepEqual([published.publishedVersionNumber, published.state], [2, 'PUBLISHED']);
});

test('the sentence of an earlier round is not that of a later version', async () => {
  const path = await articles.createWithStatus('IN_REVIEW');
  await articles.change(path, { status: 'DRAFT', returnNote: 'Too short.' });
  await articles.change(path, { status: 'PUBLISHED' });
  const next = await articles.change(path, { title: 'Second' });
  assert.deepEqual(standingOf(next), [3, 'DRAFT', 'Second', null]);
  assert.equal(next.versionData.returnedAt, null);
  const restored = await server.call('POST', `${path}/versions/2/restore`, {});
  assert.deepEqual(standingOf(restored.json), [4, 'DRAFT', 'A title', null]);
});

test('only who may publish sends back, and the sentence has a bounded length', async () => {
  const { worker } = server.database;
  const author = await createMember(worker, server.organization, 'AUTHOR');
  const { token } = await createToken(worker, server.organization, author);
  const created = await server.call('POST', articles.path, {
    body: { versionData: { title: 'Mine' } },
    token,
  });
  const path = `${articles.path}/${created.json.id}`;
  assert.equal((await articles.patch(path, { versionData: { status: 'IN_REVIEW' } }, token)).status, 200);
  for (const versionData of [{ status: 'DRAFT' }, { returnNote: 'Fine.' }])
    assert.equal((await articles.patch(path, { versionData }, token)).status, 403);
  const long = await articles.patch(path, { versionData: { status: 'DRAFT', returnNote: 'x'.repeat(501) } });
  assert.equal(long.status, 422);
  await articles.change(path, { status: 'DRAFT', returnNote: 'Longer, please.' });
  assert.equal((await articles.patch(path, { versionData: { title: 'Longer' } }, token)).status, 200);
  const again = await articles.patch(path, { versionData: { status: 'IN_REVIEW' } }, token);
  assert.equal(again.json.versionData.submittedBy, encodeId('user', author));
});

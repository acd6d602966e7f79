/** Tests of publishing issues: their articles are published with them, all or none, also under concurrent changes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { AdminClient } from '../support/admin-client.ts';
import { createToken } from '../support/identities.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { create, expectRefusal, succeed, typesOf, write } from '../support/writes.ts';

let server: TestServer;
/** Two sites: an issue brings articles of any site together. */
let sites: readonly [string, string];
let magazine: string;

before(async () => {
  // The publishing waits for a lock until a busy machine has seen that it does.
  server = await startTestServer({ statementTimeoutMs: 60_000 });
  const first = await create(server, '/v1/sites', { name: 'First', key: 'first' });
  const second = await create(server, '/v1/sites', { name: 'Second', key: 'second' });
  sites = [`/v1/sites/${first.id}/articles`, `/v1/sites/${second.id}/articles`];
  magazine = await createMagazine();
});
after(() => server.close());

async function createMagazine(): Promise<string> {
  return `/v1/magazines/${(await create(server, '/v1/magazines', { title: 'A magazine' })).id}`;
}

let numbers = 0;

/** Creates an issue in production with a new number. */
async function createIssue(body: object = {}): Promise<string> {
  numbers += 1;
  const given = { number: `n${numbers}`, status: 'IN_PRODUCTION', ...body };
  return `${magazine}/issues/${(await create(server, `${magazine}/issues`, given)).id}`;
}

interface Article {
  readonly id: string;
  readonly path: string;
}

/** An article of one of the sites, brought to a status. */
async function createArticle(site: 0 | 1, ...moves: readonly string[]): Promise<Article> {
  const { id } = await create(server, sites[site], { versionData: { title: 'An article' } });
  const path = `${sites[site]}/${id}`;
  for (const status of moves) await succeed(server, 'PATCH', path, { versionData: { status } });
  return { id, path };
}

const approve = (site: 0 | 1) => createArticle(site, 'IN_REVIEW', 'APPROVED');

function contentsOf(articles: readonly Article[]): { articleId: string }[] {
  return articles.map(({ id }) => ({ articleId: id }));
}

async function read(path: string): Promise<Json> {
  const response = await server.call('GET', path);
  assert.equal(response.status, 200, response.text);
  return response.json;
}

test('publishing an issue publishes its approved articles of two sites in one transaction', async () => {
  const fresh = [await approve(0), await approve(1)];
  const already = await createArticle(0, 'PUBLISHED');
  const renewed = await createArticle(1, 'PUBLISHED');
  await succeed(server, 'PATCH', renewed.path, { versionData: { title: 'Better' } });
  for (const status of ['IN_REVIEW', 'APPROVED'])
    await succeed(server, 'PATCH', renewed.path, { versionData: { status } });
  const outside = await approve(0);
  const articles = [...fresh, already, renewed];
  const path = await createIssue({ contents: contentsOf(articles) });
  const before = await Promise.all(articles.map((article) => read(article.path)));
  const untouched = await read(outside.path);
  const published = await succeed(server, 'PATCH', path, {
    status: 'PUBLISHED',
    publicationDate: '2026-03-01',
  });
  const logged = published.events.filter(({ type }) => type === 'article.published');
  const changing = [...fresh, renewed];
  assert.deepEqual(logged.map(({ subject }) => subject).sort(), changing.map(({ id }) => id).sort());
  assert.equal(published.events.length, changing.length + 1);
  const last = published.events.at(-1);
  assert.equal(last?.type, 'issue.published');
  assert.equal(last?.subject, published.json.id);
  assert.deepEqual(last?.changedFields, ['publicationDate', 'status']);
  for (const [index, article] of articles.entries()) {
    const now = await read(article.path);
    if (article === already) {
      assert.deepEqual(now, before[index]);
      continue;
    }
    assert.equal(now.versionData.status, 'PUBLISHED');
    assert.equal(now.state, 'PUBLISHED');
    assert.equal(now.version, before[index].version + 1);
    assert.equal(logged.find(({ subject }) => subject === article.id)?.version, now.version);
    assert.ok(now.versionData.publishedAt >= before[index].updatedAt);
    const first =
      article === renewed ? before[index].articleData.firstPublishedAt : now.versionData.publishedAt;
    assert.equal(now.articleData.firstPublishedAt, first);
    assert.notEqual(first, null);
    const seen = await read(`${article.path}?perspective=published`);
    assert.deepEqual(seen.versionData, now.versionData);
  }
  assert.deepEqual(await read(outside.path), untouched);
  const versions = await read(`${renewed.path}/versions`);
  const kept = versions.items.map((item: Json) => item.versionData.status);
  assert.deepEqual(kept, ['PUBLISHED', 'SUPERSEDED']);
});

test('contents that are set in the publishing request itself are published', async () => {
  const [old, added] = [await approve(0), await approve(1)];
  const path = await createIssue({ contents: contentsOf([old]) });
  const published = await succeed(server, 'PATCH', path, {
    contents: contentsOf([added]),
    status: 'PUBLISHED',
  });
  assert.deepEqual(typesOf(published), ['article.published', 'issue.published']);
  assert.equal(published.events[0]?.subject, added.id);
  assert.equal((await read(old.path)).versionData.status, 'APPROVED');
});

test('articles that are neither approved nor published refuse the publication, each with its pointer', async () => {
  const scheduledFor = new Date(Date.now() + 3_600_000).toISOString();
  const scheduled = await createArticle(1);
  await succeed(server, 'PATCH', scheduled.path, { versionData: { status: 'SCHEDULED', scheduledFor } });
  const changed = await createArticle(0, 'PUBLISHED');
  await succeed(server, 'PATCH', changed.path, { versionData: { title: 'A draft beside what readers see' } });
  const unfit = [
    await createArticle(0),
    await createArticle(1, 'IN_REVIEW'),
    scheduled,
    await createArticle(0, 'PUBLISHED', 'UNPUBLISHED'),
    await createArticle(1, 'ARCHIVED'),
    changed,
  ];
  const fit = await approve(0);
  const all = [fit, ...unfit];
  const path = await createIssue({ contents: contentsOf(all) });
  const before = await Promise.all([path, ...all.map((article) => article.path)].map(read));
  const refused = await write(server, 'PATCH', path, { body: { status: 'PUBLISHED', title: 'Not kept' } });
  const pointers = unfit.map((_, index) => `/contents/${index + 1}/articleId`);
  expectRefusal(refused, 409, 'invalid_transition', pointers);
  assert.deepEqual(await Promise.all([path, ...all.map((article) => article.path)].map(read)), before);
  await succeed(server, 'PATCH', path, { status: 'PUBLISHED', contents: contentsOf([fit]) });
});

test('publishing an issue with approved articles requires the right to publish articles', async () => {
  const scopes = ['issues:read', 'issues:write'];
  const { worker } = server.database;
  const { token } = await createToken(worker, server.organization, server.ownerId, { scopes });
  const article = await approve(0);
  const path = await createIssue({ contents: contentsOf([article]) });
  const before = [await read(path), await read(article.path)];
  const refused = await write(server, 'PATCH', path, { token, body: { status: 'PUBLISHED' } });
  expectRefusal(refused, 403, 'insufficient_scope');
  // The refusal names all rights that are needed, not only the missing ones.
  assert.match(refused.headers.get('www-authenticate') ?? '', /scope="issues:write articles:publish"/);
  assert.deepEqual([await read(path), await read(article.path)], before);
  const wider = await createToken(worker, server.organization, server.ownerId, {
    scopes: [...scopes, 'articles:publish'],
  });
  const published = await write(server, 'PATCH', path, { token: wider.token, body: { status: 'PUBLISHED' } });
  assert.deepEqual(typesOf(published), ['article.published', 'issue.published'], published.text);
});

test('a published issue stays published, and a recall does not change its articles', async () => {
  const article = await approve(0);
  const path = await createIssue({ contents: contentsOf([article]) });
  const published = await succeed(server, 'PATCH', path, { status: 'PUBLISHED' });
  const again = await succeed(server, 'PATCH', path, { status: 'PUBLISHED' });
  assert.equal(again.json.version, published.json.version);
  assert.deepEqual(again.events, []);
  const edited = await succeed(server, 'PATCH', path, { status: 'PUBLISHED', pageCount: 96 });
  assert.deepEqual(typesOf(edited), ['issue.updated']);
  const before = await read(article.path);
  const recalled = await succeed(server, 'PATCH', path, { status: 'IN_PRODUCTION' });
  assert.deepEqual(typesOf(recalled), ['issue.updated']);
  assert.deepEqual(await read(article.path), before);
  const once = await succeed(server, 'PATCH', path, { status: 'PUBLISHED' });
  assert.deepEqual(typesOf(once), ['issue.published']);
  assert.deepEqual(await read(article.path), before);
});

test('publishing waits for a concurrent change of an article and sees its result', async () => {
  const article = await approve(0);
  const path = await createIssue({ contents: contentsOf([article]) });
  const client = await AdminClient.open(server.database);
  try {
    const articleId = decodeId('art', article.id);
    await client.query('BEGIN');
    await client.query('SELECT FROM trellis.articles WHERE id = $1 FOR NO KEY UPDATE', [articleId]);
    await client.query(`UPDATE trellis.article_versions SET status = 'DRAFT' WHERE article_id = $1`, [
      articleId,
    ]);
    const publishing = write(server, 'PATCH', path, { body: { status: 'PUBLISHED' } });
    await until('somebody waits for the article', async () => (await client.countWaiting()) > 0);
    await client.query('COMMIT');
    expectRefusal(await publishing, 409, 'invalid_transition', ['/contents/0/articleId']);
  } finally {
    await client.end();
  }
  assert.equal((await read(path)).status, 'IN_PRODUCTION');
});

test('a concurrent edit of an article happens before or after the publication', async () => {
  for (let round = 0; round < 8; round += 1) {
    const articles = [await approve(0), await approve(1)];
    const edited = articles[round % 2];
    assert.ok(edited);
    const path = await createIssue({ contents: contentsOf(articles) });
    const [published, patched] = await Promise.all([
      write(server, 'PATCH', path, { body: { status: 'PUBLISHED' } }),
      write(server, 'PATCH', edited.path, { body: { versionData: { title: 'Edited' } } }),
    ]);
    assert.equal(published.status, 200, published.text);
    assert.equal(patched.status, 200, patched.text);
    assert.deepEqual(typesOf(published), ['article.published', 'article.published', 'issue.published']);
    assert.deepEqual(typesOf(patched), ['article.updated']);
    const now = await read(edited.path);
    const seen = await read(`${edited.path}?perspective=published`);
    // Before: the edit is published with the issue. After: it opens the next draft, and readers see the approved text.
    const wasBefore = patched.json.versionData.status === 'APPROVED';
    assert.equal(seen.versionData.title, wasBefore ? 'Edited' : 'An article');
    assert.equal(now.versionData.status, wasBefore ? 'PUBLISHED' : 'DRAFT');
    assert.equal(now.version, 5);
  }
});

test('two issues with the same articles in opposite orders are published at once, each article once', async () => {
  const articles = await Promise.all([approve(0), approve(1), approve(0), approve(1)]);
  const paths = [
    await createIssue({ contents: contentsOf(articles) }),
    await createIssue({ contents: contentsOf([...articles].reverse()) }),
  ];
  const responses = await Promise.all(
    paths.map((path) => write(server, 'PATCH', path, { body: { status: 'PUBLISHED' } })),
  );
  for (const response of responses) assert.equal(response.status, 200, response.text);
  const logged = responses.flatMap(({ events }) => events).filter(({ type }) => type === 'article.published');
  assert.deepEqual(logged.map(({ subject }) => subject).sort(), articles.map(({ id }) => id).sort());
});

test('an article that was changed with a faster clock is published with a later time than that change', async () => {
  const article = await approve(0);
  const issue = await createIssue({ contents: contentsOf([article]) });
  const admin = await AdminClient.open(server.database);
  try {
    const id = decodeId('art', article.id);
    // As if the issue had waited for the article, or another node's clock stood ahead.
    await admin.query(
      `UPDATE trellis.articles SET updated_at = updated_at + interval '1 hour' WHERE id = $1`,
      [id],
    );
    const { updatedAt } = await read(article.path);
    await succeed(server, 'PATCH', issue, { status: 'PUBLISHED' });
    assert.equal((await read(article.path)).updatedAt, updatedAt);
    const { rows } = await admin.query<{ at: Date }>(
      "SELECT occurred_at AS at FROM trellis.outbox WHERE subject_id = $1 AND type = 'article.published'",
      [id],
    );
    assert.equal(rows[0]?.at.toISOString(), updatedAt, 'events of a record are ordered by their instants');
  } finally {
    await admin.end();
  }
});

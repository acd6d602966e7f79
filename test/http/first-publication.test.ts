/** When articles were published for the first time: who says it, what keeps it, and how lists are sorted and filtered by it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TestArticles } from '../support/articles.ts';
import { createMember, createToken } from '../support/identities.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let articles: TestArticles;
let writeOnlyToken: string;
let authorToken: string;

before(async () => {
  server = await startTestServer();
  articles = await TestArticles.inNewSite(server, 'first-publication');
  const { worker } = server.database;
  const author = await createMember(worker, server.organization, 'AUTHOR');
  authorToken = (await createToken(worker, server.organization, author)).token;
  const scopes = ['articles:read', 'articles:write'];
  writeOnlyToken = (await createToken(worker, server.organization, server.ownerId, { scopes })).token;
});
after(() => server.close());

const long = '2015-03-04T08:00:00.000Z';
const firstOf = async (path: string) => (await server.call('GET', path)).json.articleData.firstPublishedAt;
const setFirst = (path: string, firstPublishedAt: string | null, token = server.token) =>
  articles.patch(path, { articleData: { firstPublishedAt } }, token);

test('the first publication sets it, and later ones keep it', async () => {
  const { article, path } = await articles.create();
  assert.equal(article.articleData.firstPublishedAt, null);
  const published = await articles.change(path, { status: 'PUBLISHED' });
  const first = published.versionData.publishedAt;
  assert.equal(published.articleData.firstPublishedAt, first);
  await articles.change(path, { title: 'Another title' });
  const again = await articles.change(path, { status: 'PUBLISHED' });
  assert.notEqual(again.versionData.publishedAt, first);
  assert.equal(again.articleData.firstPublishedAt, first);
  await articles.change(path, { status: 'UNPUBLISHED' });
  assert.equal(await firstOf(path), first);
});

test('a date that is given before is kept by the publication, and a later correction by all versions', async () => {
  const made = await server.call('POST', articles.path, {
    body: { articleData: { firstPublishedAt: '2015-03-04T09:00:00+01:00' }, versionData: { title: 'Old' } },
  });
  assert.equal(made.status, 201, made.text);
  assert.equal(made.json.articleData.firstPublishedAt, long);
  assert.equal(made.json.versionData.status, 'DRAFT');
  const path = `${articles.path}/${made.json.id}`;
  const published = await articles.change(path, { status: 'PUBLISHED' });
  assert.equal(published.articleData.firstPublishedAt, long);
  assert.ok(published.versionData.publishedAt > long);
  const corrected = await setFirst(path, '2014-01-01T00:00:00Z');
  assert.equal(corrected.status, 200, corrected.text);
  assert.equal(corrected.json.versionData.versionNumber, 1);
  assert.equal(corrected.json.state, 'PUBLISHED');
  const seen = await server.call('GET', `${path}?perspective=published`);
  assert.equal(seen.json.articleData.firstPublishedAt, '2014-01-01T00:00:00.000Z');
});

test('it is given and changed with articles:publish and a role that may publish only', async () => {
  const { path } = await articles.create();
  const body = { articleData: { firstPublishedAt: long }, versionData: { title: 'Mine' } };
  for (const [token, code] of [
    [writeOnlyToken, 'insufficient_scope'],
    [authorToken, 'permission_denied'],
  ] as const) {
    const made = await server.call('POST', articles.path, { token, body });
    assert.equal(made.json.code, code, made.text);
    const none = { ...body, articleData: { firstPublishedAt: null } };
    assert.equal((await server.call('POST', articles.path, { token, body: none })).status, 201);
  }
  assert.equal((await setFirst(path, long, writeOnlyToken)).json.code, 'insufficient_scope');
  assert.equal(await firstOf(path), null);
  assert.equal((await setFirst(path, long)).status, 200);
  // The value that it has already is no change.
  assert.equal((await setFirst(path, long, writeOnlyToken)).status, 200);
  assert.equal((await setFirst(path, null, writeOnlyToken)).json.code, 'insufficient_scope');
});

test('it is cleared while nothing is published only', async () => {
  const { path } = await articles.create();
  await setFirst(path, long);
  assert.equal((await setFirst(path, null)).json.articleData.firstPublishedAt, null);
  await articles.change(path, { status: 'PUBLISHED' });
  const refused = await setFirst(path, null);
  assert.equal(refused.json.code, 'validation_failed');
  assert.equal(refused.json.errors[0].pointer, '/articleData/firstPublishedAt');
  const both = { articleData: { firstPublishedAt: null }, versionData: { status: 'UNPUBLISHED' } };
  assert.equal((await articles.patch(path, both)).json.articleData.firstPublishedAt, null);
});

test('an article from the trash has the first publication that it had', async () => {
  const { article, path } = await articles.create();
  await setFirst(path, long);
  await articles.change(path, { status: 'PUBLISHED' });
  await server.call('DELETE', path);
  const restored = await server.call('POST', `/v1/trash/${article.id}/restore`);
  assert.equal(restored.status, 200, restored.text);
  assert.equal(await firstOf(path), long);
});

test('lists are sorted and filtered by it, page by page, in both perspectives', async () => {
  const site = await server.call('POST', '/v1/sites', { body: { name: 'Dates', key: 'dates' } });
  const path = `/v1/sites/${site.json.id}/articles`;
  const years = [2016, null, 2012, 2019, null, 2016, 2014, null];
  const titles: string[] = [];
  for (const [index, year] of years.entries()) {
    const title = `${year ?? 'none'} ${index}`;
    const firstPublishedAt = year === null ? null : `${year}-05-01T00:00:00Z`;
    const { json } = await server.call('POST', path, {
      body: { articleData: { firstPublishedAt }, versionData: { title } },
    });
    if (year !== null) await articles.change(`${path}/${json.id}`, { status: 'PUBLISHED' });
    titles.push(title);
  }
  const list = async (query: string): Promise<string[]> => {
    const found: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await server.call('GET', `${path}?limit=2&${query}${cursor}`);
      assert.equal(page.status, 200, page.text);
      found.push(...page.json.items.map((item: Json) => item.versionData.title));
      if (page.json.pageInfo.nextCursor === null) return found;
      cursor = `&cursor=${page.json.pageInfo.nextCursor}`;
    }
  };
  // Ties are sorted by id, which is by creation; what was never published is older than all others.
  const ascending = ['none 1', 'none 4', 'none 7', '2012 2', '2014 6', '2016 0', '2016 5', '2019 3'];
  const dated = ascending.slice(3);
  assert.deepEqual(titles.toSorted(), ascending.toSorted());
  assert.deepEqual(await list('sort=firstPublishedAt'), ascending);
  assert.deepEqual(await list('sort=-firstPublishedAt'), ascending.toReversed());
  assert.deepEqual(await list('sort=-firstPublishedAt&perspective=published'), dated.toReversed());
  for (const [filter, expected] of [
    ['[gte]=2014-05-01T00:00:00Z', dated.slice(1)],
    ['[gt]=2014-05-01T00:00:00Z', dated.slice(2)],
    ['[lte]=2016-05-01T00:00:00Z', dated.slice(0, 4)],
    ['[lt]=2016-05-01T02:00:00%2B02:00', dated.slice(0, 2)],
    ['[gte]=2014-01-01T00:00:00Z&firstPublishedAt[lt]=2017-01-01T00:00:00Z', dated.slice(1, 4)],
    ['[gt]=2017-01-01T00:00:00Z&firstPublishedAt[lt]=2016-01-01T00:00:00Z', []],
  ] as const) {
    for (const further of ['', '&perspective=published']) {
      assert.deepEqual(
        await list(`sort=firstPublishedAt&firstPublishedAt${filter}${further}`),
        expected,
        filter,
      );
    }
  }
  const newest = await list('firstPublishedAt%5Bgte%5D=2016-01-01T00:00:00Z');
  assert.deepEqual(newest, ['2016 5', '2019 3', '2016 0']);
  for (const query of [
    'firstPublishedAt=2016-01-01T00:00:00Z',
    'firstPublishedAt[ne]=2016-01-01T00:00:00Z',
  ]) {
    const refused = await server.call('GET', `${path}?${query}`);
    assert.equal(refused.json.code, 'unknown_parameter');
  }
  const malformed = await server.call('GET', `${path}?firstPublishedAt[gte]=soon`);
  assert.equal(malformed.json.code, 'invalid_parameter');
});

/** Tests of `perspective=published`: drafts do not influence what it returns. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runIndexJobs } from '../support/indexing.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';
import { create, succeed } from '../support/writes.ts';

let server: TestServer;
let articles: string;
const ids: Record<string, string> = {};

/** Published values, and values of drafts beside them, which are reversed in every respect. */
const texts = [
  { name: 'alpha', title: 'Alpha lighthouse', body: 'Granite publishing', locale: 'en' },
  { name: 'beta', title: 'Beta lighthouse', body: 'Marble', locale: 'de' },
  { name: 'gamma', title: 'Gamma tower', body: 'Granite and marble', locale: 'en' },
] as const;
const draft = { title: 'Embargoed merger', body: 'Secretword', locale: 'fr', summary: 'Hushhush' };

const sorts = ['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'title', '-title'];
const filters = [
  '',
  'status=PUBLISHED',
  'state=PUBLISHED',
  'locale=en',
  'featured=true',
  'updatedSince=2020-01-01T00:00:00Z',
];
const searches = ['', 'lighthouse', 'granite', 'mar'];
const combinations = sorts.flatMap((sort) =>
  filters.flatMap((filter) => searches.map((search) => ({ sort, filter, search }))),
);

before(async () => {
  server = await startTestServer();
  const site = await create(server, '/v1/sites', { name: 'Readers', key: 'readers' });
  articles = `/v1/sites/${site.id}/articles`;
  for (const { name, ...versionData } of texts) {
    const { id } = await create(server, articles, {
      versionData,
      articleData: { featured: name === 'beta' },
    });
    ids[name] = id;
    await succeed(server, 'PATCH', `${articles}/${id}`, { versionData: { status: 'PUBLISHED' } });
  }
  // Never published: not there for readers.
  await create(server, articles, { versionData: { title: 'Lighthouse draft', body: 'granite' } });
  await runIndexJobs(server.database);
});
after(() => server.close());

async function items(query: string): Promise<Json[]> {
  const response = await server.call('GET', `${articles}${query}`);
  assert.equal(response.status, 200, `${query}: ${response.text}`);
  return response.json.items;
}

/** Everything that readers get, page by page, except the version of the record. */
async function everything(): Promise<Json> {
  const responses: Record<string, Json> = {};
  for (const { sort, filter, search } of combinations) {
    const query = [`sort=${sort}`, filter, search === '' ? '' : `search=${search}`].filter(Boolean).join('&');
    const all: Json[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const after = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page = await server.call('GET', `${articles}?perspective=published&limit=1&${query}${after}`);
      assert.equal(page.status, 200, page.text);
      all.push(...page.json.items);
      cursor = page.json.pageInfo.nextCursor;
    }
    responses[query] = all.map(({ version: _version, ...item }) => item);
  }
  for (const query of ['lighthouse', 'granite', 'publish', 'marble -granite', 'lightouse'])
    responses[query] = (await items(`/search?perspective=published&query=${query}`)).map(
      ({ record: { version: _version, ...record }, ...hit }) => ({ ...hit, record }),
    );
  return responses;
}

const titlesOf = (list: Json[]) => list.map((item) => item.versionData.title);

test('lists and searches return the published versions', async () => {
  const published = (query: string) => items(`?perspective=published&${query}`);
  assert.deepEqual(titlesOf(await published('sort=title')), [
    'Alpha lighthouse',
    'Beta lighthouse',
    'Gamma tower',
  ]);
  assert.deepEqual(titlesOf(await published('sort=-title&search=lighthouse')), [
    'Beta lighthouse',
    'Alpha lighthouse',
  ]);
  assert.deepEqual(titlesOf(await published('sort=createdAt&search=granite')), [
    'Alpha lighthouse',
    'Gamma tower',
  ]);
  assert.deepEqual(titlesOf(await published('locale=de&status=PUBLISHED')), ['Beta lighthouse']);
  const found = await items('/search?perspective=published&query=granite');
  assert.deepEqual(found.map(({ id }) => id).sort(), [ids.alpha, ids.gamma].sort());
});

test('drafts change nothing in published lists and searches, in any order and with any filter', async () => {
  const beforehand = await everything();
  assert.equal(beforehand['sort=title'].length, 3);
  for (const name of ['alpha', 'gamma'])
    await succeed(server, 'PATCH', `${articles}/${ids[name]}`, { versionData: draft });
  assert.deepEqual(await everything(), beforehand, 'before the drafts are indexed');
  await runIndexJobs(server.database);
  assert.deepEqual(await everything(), beforehand, 'when they are');
  for (const word of ['embargoed', 'secretword', 'hushhush', 'embargode']) {
    assert.deepEqual(await items(`?perspective=published&search=${word}`), []);
    assert.deepEqual(await items(`?perspective=published&search=${word}&sort=title`), []);
    assert.deepEqual(await items(`/search?perspective=published&query=${word}`), []);
  }
  assert.equal((await items('?search=embargoed')).length, 2, 'editors find their drafts');
  assert.deepEqual(titlesOf(await items('?locale=fr&sort=title&perspective=published')), []);
  assert.deepEqual(await items('?perspective=published&state=CHANGED'), []);
});

test('publications, changes of published articles and unpublications are visible immediately', async () => {
  await succeed(server, 'PATCH', `${articles}/${ids.alpha}`, { versionData: { status: 'PUBLISHED' } });
  assert.equal((await items('?perspective=published&search=embargoed')).length, 1);
  assert.equal((await items('/search?perspective=published&query=embargoed')).length, 1);
  assert.equal((await items('/search?perspective=published&query=secretword')).length, 1);
  await succeed(server, 'PATCH', `${articles}/${ids.beta}`, { articleData: { featured: false } });
  const [latest] = await items('?perspective=published&sort=-updatedAt');
  assert.equal(latest.id, ids.beta, 'what all versions share is seen by readers too');
  await succeed(server, 'PATCH', `${articles}/${ids.alpha}`, { versionData: { status: 'UNPUBLISHED' } });
  for (const query of [
    '?perspective=published&search=embargoed',
    '/search?perspective=published&query=secretword',
  ])
    assert.deepEqual(await items(query), []);
  assert.deepEqual(titlesOf(await items('?perspective=published&sort=title')), [
    'Beta lighthouse',
    'Gamma tower',
  ]);
});

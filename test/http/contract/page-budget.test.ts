/**
 * Tests of the byte budget of pages: large records make a page shorter than `limit`, and paging returns each of them
 * once. Neither PostgreSQL nor the response exceeds the budget by more than one record.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { limits } from '@trellis/schema/resources/limits.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import type { StepResult } from '@trellis/server/kernel/database/batch.ts';
import pg from 'pg';
import { runIndexJobs } from '../../support/indexing.ts';
import { startTestServer, type TestResponse } from '../../support/server.ts';

const server = await startTestServer();
const { api } = server.database;
after(() => server.close());

/** Bytes that PostgreSQL has sent for reads. */
let fetched = 0;
const read = api.query.bind(api);
api.query = async (scope, steps) => {
  const results = await read(scope, steps);
  fetched += bytesOf(results);
  return results;
};

function bytesOf(results: readonly StepResult[]): number {
  return results.flatMap(({ rows }) => rows.flat()).reduce((sum, value) => sum + (value?.length ?? 0), 0);
}

const site = (await server.call('POST', '/v1/sites', { body: { name: 'Large', key: 'large' } })).json.id;
const articles = `/v1/sites/${site}/articles`;
const bodyBytes = 500_000;
const largest = 12;
const created: string[] = [];
for (let index = 0; index < largest; index += 1) {
  const body = `largeword ${'x'.repeat(bodyBytes - 10)}`;
  const response = await server.call('POST', articles, {
    body: { versionData: { title: `Largetitle ${index}`, body } },
  });
  assert.equal(response.status, 201, response.text);
  created.push(response.json.id);
}

await runIndexJobs(server.database);

interface Walk {
  readonly pages: readonly TestResponse[];
  readonly ids: readonly string[];
}

/** Walks a list or search to its end, and holds each page against the budget. */
async function walk(path: string, idOf: (item: TestResponse['json']) => string): Promise<Walk> {
  const pages: TestResponse[] = [];
  const ids: string[] = [];
  let cursor = '';
  do {
    fetched = 0;
    const page = await server.call('GET', `${path}${cursor}`);
    assert.equal(page.status, 200, page.text.slice(0, 500));
    const { items, pageInfo } = page.json;
    assert.ok(items.length > 0, 'a page is empty');
    assert.ok(
      items.length === 1 || Buffer.byteLength(page.text) <= limits.pageBytes + 4_096,
      `${page.text.length}`,
    );
    // The filter `search` may use two access paths: in order, and through the index.
    const looks = path.includes('search') ? 2 : 1;
    assert.ok(fetched <= looks * (limits.pageBytes + bodyBytes), `${fetched} bytes came from the database`);
    assert.equal(pageInfo.hasNextPage, pageInfo.nextCursor !== null);
    ids.push(...items.map(idOf));
    pages.push(page);
    cursor = pageInfo.nextCursor === null ? '' : `&cursor=${pageInfo.nextCursor}`;
  } while (cursor !== '');
  return { pages, ids };
}

const recordId = ({ id }: TestResponse['json']) => id;

for (const query of [
  'limit=100',
  'limit=100&sort=createdAt',
  'limit=100&sort=title',
  'limit=100&search=largetitle',
  'limit=100&search=largeword',
]) {
  test(`articles with large bodies are returned in pages within the budget: ${query}`, async () => {
    const { pages, ids } = await walk(`${articles}?${query}`, recordId);
    assert.deepEqual([...ids].sort(), [...created].sort());
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(pages.length >= 2);
  });
}

test('a page without the bodies is not shortened', async () => {
  const { pages } = await walk(`${articles}?limit=100&fields=versionData.title`, recordId);
  assert.equal(pages.length, 1);
});

test('a last page that is filled by its last record has no next page', async () => {
  const few = (await walk(`${articles}?limit=100`, recordId)).pages[0]?.json.items.length;
  const { json } = await server.call('GET', `${articles}?limit=${few}`);
  assert.equal(json.items.length, few);
  assert.equal(json.pageInfo.hasNextPage, true);
});

test('a search for large records has all hits, as many with their records as fit', async () => {
  const { status, text, json } = await server.call('GET', `${articles}/search?query=largeword&limit=100`);
  assert.equal(status, 200);
  assert.equal(json.items.length, largest);
  const withRecord = json.items.filter((item: { record?: unknown }) => item.record !== undefined).length;
  assert.ok(withRecord >= 1 && withRecord < largest, String(withRecord));
  assert.ok(Buffer.byteLength(text) <= limits.pageBytes + 4_096);
});

test('versions with large bodies are returned in pages within the budget', async () => {
  const [id] = created;
  const owner = new pg.Client({ connectionString: server.database.adminUrl });
  await owner.connect();
  await owner.query(
    `INSERT INTO trellis.article_versions
      SELECT (jsonb_populate_record(v, jsonb_build_object('number', n, 'status', 'ARCHIVED'))).*
      FROM trellis.article_versions v, generate_series(101, 112) n WHERE v.article_id = $1`,
    [decodeId('art', id ?? '')],
  );
  await owner.end();
  const numberOf = ({ versionNumber }: TestResponse['json']) => String(versionNumber);
  const { pages, ids } = await walk(`${articles}/${id}/versions?limit=100`, numberOf);
  assert.deepEqual(ids, [...Array.from({ length: 12 }, (_, index) => String(112 - index)), '1']);
  assert.ok(pages.length >= 2);
});

test('books with the longest texts are returned in pages within the budget', async () => {
  const made: string[] = [];
  const contributors = Array.from({ length: 50 }, (_, index) => ({
    name: `${'界'.repeat(200)} ${index}`,
    role: 'AUTHOR',
  }));
  for (let index = 0; index < 80; index += 1) {
    const body = {
      title: `Book ${index} ${'界'.repeat(480)}`,
      description: '界'.repeat(10_000),
      contributors,
    };
    const response = await server.call('POST', '/v1/books', { body });
    assert.equal(response.status, 201, response.text.slice(0, 500));
    made.push(response.json.id);
  }
  await runIndexJobs(server.database);
  const listed = await walk('/v1/books?limit=100', recordId);
  assert.deepEqual([...listed.ids].sort(), made.sort());
  assert.ok(listed.pages.length > 1);
  const found = await walk('/v1/books/search?query=book&limit=100', recordId);
  assert.deepEqual([...found.ids].sort(), made);
});

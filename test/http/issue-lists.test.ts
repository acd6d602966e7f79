/**
 * Tests of lists of issues: uniqueness of numbers, paths below the magazine, and the order of issues without a title.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createToken } from '../support/identities.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';
import { create, expectRefusal, idsOf, succeed, walk, write } from '../support/writes.ts';

let server: TestServer;
let issues: string;

before(async () => {
  server = await startTestServer();
  issues = await createMagazine();
});
after(() => server.close());

/** The path of a new magazine's issues. */
async function createMagazine(): Promise<string> {
  return `/v1/magazines/${(await create(server, '/v1/magazines', { title: 'A magazine' })).id}/issues`;
}

test('year, volume and number together belong to one issue of a magazine, absent ones included', async () => {
  const { token } = await createToken(server.database.worker, server.organization, server.ownerId, {
    scopes: ['issues:write'],
  });
  const keys: readonly Readonly<Record<string, string | number>>[] = [
    {},
    { year: 2026 },
    { volume: '1' },
    { number: '1' },
    { year: 2026, volume: '1' },
    { year: 2026, number: '1' },
    { volume: '1', number: '1' },
    { year: 2026, volume: '1', number: '1' },
  ];
  const made: Json[] = [];
  // All of them differ from each other.
  for (const key of keys) made.push(await create(server, issues, { title: 'First', ...key }));
  const other = await create(server, issues, { title: 'Other', number: 'other' });
  for (const [index, key] of keys.entries()) {
    // Where both lack a value, each of the three tells them apart.
    const pointers = Object.keys(key).length === 3 ? ['/number'] : ['/number', '/volume', '/year'];
    const taken = await write(server, 'POST', issues, { body: { title: 'Another title', ...key } });
    expectRefusal(taken, 409, 'conflict', pointers);
    assert.equal(taken.json.field, 'number');
    assert.equal(taken.json.existingId, made[index].id);
    const cleared = { year: null, volume: null, number: null };
    const moved = await write(server, 'PATCH', `${issues}/${other.id}`, { body: { ...cleared, ...key } });
    expectRefusal(moved, 409, 'conflict', pointers);
    assert.equal(moved.json.existingId, made[index].id);
    const unread = await write(server, 'POST', issues, { token, body: { title: 'x', ...key } });
    expectRefusal(unread, 409, 'conflict');
    assert.equal('existingId' in unread.json, false);
  }
  const elsewhere = await createMagazine();
  for (const key of keys) await create(server, elsewhere, { title: 'First', ...key });
});

test('an externalId is unique across the issues of all magazines', async () => {
  const first = await create(server, issues, { number: 'e1', externalId: 'legacy 7' });
  const elsewhere = await createMagazine();
  const taken = await write(server, 'POST', elsewhere, { body: { number: 'e2', externalId: 'legacy 7' } });
  expectRefusal(taken, 409, 'conflict', ['/externalId']);
  assert.equal(taken.json.field, 'externalId');
  assert.equal(taken.json.existingId, first.id);
});

test('an issue is not found below another magazine', async () => {
  const { id } = await create(server, issues, { number: 'elsewhere' });
  const elsewhere = await createMagazine();
  for (const path of [`${elsewhere}/${id}`, `${issues.replace(/mag_.{4}/, 'mag_0000')}/${id}`]) {
    const read = await server.call('GET', path);
    assert.equal(read.status, 404, read.text);
    expectRefusal(await write(server, 'PATCH', path, { body: { title: 'x' } }), 404, 'not_found');
    expectRefusal(await write(server, 'DELETE', path), 404, 'not_found');
  }
  assert.deepEqual(await idsOf(server, elsewhere), []);
  assert.deepEqual(await idsOf(server, `${elsewhere}/search?query=elsewhere`), []);
  const magazineId = issues.split('/')[3];
  const moved = await write(server, 'PATCH', `${elsewhere}/${id}`, { body: { magazineId } });
  expectRefusal(moved, 422, 'unknown_field', ['/magazineId']);
  const absent = '/v1/magazines/mag_01h455vb4pex5vsknk084sn02q/issues';
  expectRefusal(await write(server, 'POST', absent, { body: { number: '1' } }), 404, 'not_found');
});

test('issues without a title are sorted by their cover date or number', async () => {
  const collection = await createMagazine();
  const given = [
    { title: 'delta', coverDate: 'alpha', number: '1' },
    { coverDate: 'beta', number: '2' },
    { number: 'alpha' },
    { title: 'charlie', number: '3' },
    { title: 'charlie', number: '4' },
    { coverDate: 'charlie', number: '5' },
    { number: 'echo' },
  ];
  const order = ['alpha', 'beta', 'charlie', 'charlie', 'charlie', 'delta', 'echo'];
  const names = new Map<string, string>();
  for (const body of given) {
    const { id } = await create(server, collection, body);
    names.set(id, body.title ?? body.coverDate ?? body.number);
  }
  for (const limit of [1, 2, 3, 100]) {
    const rising = await walk(server, `${collection}?sort=title&limit=${limit}`);
    assert.deepEqual(
      rising.map((id) => names.get(id)),
      order,
      `limit ${limit}`,
    );
    assert.equal(new Set(rising).size, given.length);
    const falling = await walk(server, `${collection}?sort=-title&limit=${limit}`);
    assert.deepEqual(falling, [...rising].reverse(), `limit ${limit}`);
  }
  // The last record of a page may be deleted: the next page continues after it all the same.
  const first = await server.call('GET', `${collection}?sort=title&limit=2`);
  await succeed(server, 'DELETE', `${collection}/${first.json.items[1].id}`);
  const next = await server.call(
    'GET',
    `${collection}?sort=title&limit=1&cursor=${first.json.pageInfo.nextCursor}`,
  );
  assert.equal(names.get(next.json.items[0].id), 'charlie');
});

test('search shows the cover date or number of an issue without a title', async () => {
  const collection = await createMagazine();
  const titled = await create(server, collection, { title: 'Über das Meer', coverDate: 'Spring 2026' });
  const dated = await create(server, collection, { coverDate: 'Spring 2027', number: '9' });
  const found = await server.call('GET', `${collection}/search?query=spring`);
  const titles = found.json.items.map(({ id, title }: Json) => [id, title]);
  assert.deepEqual(
    new Map(titles),
    new Map([
      [titled.id, 'Über das Meer'],
      [dated.id, 'Spring 2027'],
    ]),
  );
  assert.deepEqual(await idsOf(server, `${collection}/search?query=uber`), [titled.id]);
  assert.deepEqual(await idsOf(server, `${collection}?search=SPRING%202027`), [dated.id]);
});

test('filters by year, volume and status', async () => {
  const collection = await createMagazine();
  const made = await create(server, collection, {
    year: 2026,
    volume: '12a',
    number: '1',
    status: 'IN_PRODUCTION',
  });
  await create(server, collection, { year: 2025, volume: '12', number: '1' });
  for (const query of ['year=2026', 'volume=12a', 'status=IN_PRODUCTION', 'year=2026&volume=12a'])
    assert.deepEqual(await idsOf(server, `${collection}?${query}`), [made.id], query);
  for (const query of ['year=2027', 'volume=1', 'year=2026&volume=12'])
    assert.deepEqual(await idsOf(server, `${collection}?${query}`), [], query);
  for (const query of ['year=1499', 'year=x', 'year=2026.0', 'year=', 'status=OPEN']) {
    const wrong = await server.call('GET', `${collection}?${query}`);
    assert.equal(wrong.status, 400, `${query}: ${wrong.text}`);
  }
});

test('a sparse record has the selected members and its id', async () => {
  const collection = await createMagazine();
  const { id, magazineId } = await create(server, collection, { number: '1', coverDate: 'May' });
  const sparse = await server.call('GET', `${collection}?fields=number,contents,magazineId`);
  assert.deepEqual(sparse.json.items, [{ id, magazineId, number: '1', contents: [] }]);
  const one = await server.call('GET', `${collection}/${id}?fields=title`);
  assert.deepEqual(one.json, { id, title: null });
});

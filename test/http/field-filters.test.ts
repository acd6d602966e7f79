/**
 * The filters that every field has by its kind: whether it has a value, a text in it, a range, one of several values; and the orders of
 * lists. Expected records are written by hand, by their titles.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { TestArticles } from '../support/articles.ts';
import { createMember, createToken } from '../support/identities.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';
import { create } from '../support/writes.ts';

let server: TestServer;
let articles: TestArticles;
let ownerId: string;
let otherId: string;
let otherToken: string;

/** The books, by what their titles say about them. */
const books = [
  { title: 'Straße nach İstanbul', publisher: 'Łódź Press', publicationDate: '2026-05-01', pageCount: 120 },
  {
    title: 'Cafe\u0301 100%',
    publisher: 'Path_finder',
    publicationDate: '2026-05',
    pageCount: 80,
    language: 'de',
  },
  { title: '管理系统', publicationDate: '2026', pageCount: 300, language: 'zh' },
  { title: 'A, B', publicationDate: '2026-05-31', language: 'sv', format: 'EBOOK' },
  {
    title: 'Back\\slash',
    publicationDate: '2026-06-01',
    format: 'PAPERBACK',
    subjects: [{ scheme: 'CUSTOM', code: 'x' }],
  },
];

before(async () => {
  server = await startTestServer();
  articles = await TestArticles.inNewSite(server, 'field-filters');
  const { worker } = server.database;
  ownerId = encodeId('user', server.ownerId);
  const other = await createMember(worker, server.organization, 'EDITOR');
  otherId = encodeId('user', other);
  otherToken = (await createToken(worker, server.organization, other)).token;
  for (const book of books) await create(server, '/v1/books', book);
});
after(() => server.close());

/** The titles of a list, all pages of two. */
async function titles(path: string, query: string, token = server.token): Promise<string[]> {
  const found: string[] = [];
  for (let cursor = ''; ; ) {
    const { status, json, text } = await server.call('GET', `${path}?limit=2&${query}${cursor}`, { token });
    assert.equal(status, 200, `${query}: ${text}`);
    found.push(
      ...json.items.map(
        (item: Json) => item.title ?? item.name ?? item.displayName ?? item.versionData.title,
      ),
    );
    if (json.pageInfo.nextCursor === null) return found;
    cursor = `&cursor=${json.pageInfo.nextCursor}`;
  }
}

const [street, cafe, systems, letters, slash] = books.map(({ title }) => title.normalize('NFC'));

async function assertBooks(
  cases: readonly (readonly [query: string, expected: readonly (string | undefined)[]])[],
) {
  for (const [query, expected] of cases)
    assert.deepEqual(await titles('/v1/books', `sort=createdAt&${query}`), expected, query);
}

test('a list of books finds those with a value and those without', () =>
  assertBooks([
    ['publisher[exists]=true', [street, cafe]],
    ['publisher[exists]=false', [systems, letters, slash]],
    ['pageCount[exists]=false', [letters, slash]],
    ['subjects[exists]=true', [slash]],
    ['subjects[exists]=false', [street, cafe, systems, letters]],
    ['coverFileId[exists]=true', []],
    ['coverFileId[exists]=false', [street, cafe, systems, letters, slash]],
    ['fileIds[exists]=false&publisher[exists]=true', [street, cafe]],
    ['format[exists]=false', [street, cafe, systems]],
  ]));

test('a text is contained without regard to case, accents and script; signs of patterns are plain', () =>
  assertBooks([
    ['title[contains]=STRASSE', [street]],
    ['title[contains]=istanbul', [street]],
    ['title[contains]=%C4%B0stanbul', [street]],
    ['title[contains]=i%CC%87', [street]],
    ['publisher[contains]=lodz', [street]],
    ['title[contains]=CAF%C3%89', [cafe]],
    ['title[contains]=cafe%CC%81', [cafe]],
    ['title[contains]=%E7%90%86%E7%B3%BB', [systems]],
    ['title[contains]=%25', [cafe]],
    ['publisher[contains]=_', [cafe]],
    ['title[contains]=%5C', [slash]],
    ['title[contains]=,', [letters]],
    ['title[contains]=A', [street, cafe, letters, slash]],
    ['title[contains]=nowhere', []],
    // A mark alone is nothing once accents are ignored.
    ['title[contains]=%CC%81', []],
  ]));

test('ranges of dates count a month and a year by their first day', () =>
  assertBooks([
    ['publicationDate[gte]=2026-05-01&publicationDate[lte]=2026-05-31', [street, cafe, letters]],
    ['publicationDate[gte]=2026-05&publicationDate[lte]=2026-05', [street, cafe, letters]],
    ['publicationDate[gt]=2026-05-01', [letters, slash]],
    ['publicationDate[gt]=2026-05', [slash]],
    ['publicationDate[lt]=2026-05', [systems]],
    ['publicationDate[lt]=2026-05-31', [street, cafe, systems]],
    ['publicationDate[lte]=2026', [street, cafe, systems, letters, slash]],
    ['publicationDate[gt]=2026', []],
    ['publicationDate[gte]=2026-07&publicationDate[lte]=2026-06', []],
  ]));

test('ranges of numbers leave out what has none', () =>
  assertBooks([
    ['pageCount[gte]=120', [street, systems]],
    ['pageCount[gt]=120', [systems]],
    ['pageCount[lte]=120', [street, cafe]],
    ['pageCount[lt]=120', [cafe]],
    ['pageCount[lt]=999999999999999', [street, cafe, systems]],
  ]));

test('one of several values', async () => {
  await assertBooks([
    ['language=de,sv', [cafe, letters]],
    ['language=sv,SV,de', [cafe, letters]],
    ['format=EBOOK,PAPERBACK&language=sv', [letters]],
    ['status=DRAFT', [street, cafe, systems, letters, slash]],
    ['status=PUBLISHED,ARCHIVED', []],
    ['status=PUBLISHED&status=DRAFT&status=PUBLISHED,ARCHIVED', [street, cafe, systems, letters, slash]],
    [`language=${Array.from({ length: 49 }, () => 'fr').join()},zh`, [systems]],
  ]);
  for (const query of [
    'status=DRAFT,NONE',
    'status=DRAFT,',
    'status=,',
    'status=',
    `language=${Array.from({ length: 51 }, () => 'fr').join()}`,
    'publisher[exists]=yes',
    'publisher[exists]=',
    'title[contains]=',
    `title[contains]=${'x'.repeat(201)}`,
    'pageCount[gte]=1.5',
    'pageCount[gte]=-1',
    'publicationDate[gte]=2026-02-30',
    'createdAt[gte]=2026-01-01',
  ]) {
    const { status, json } = await server.call('GET', `/v1/books?${query}`);
    assert.equal(status, 400, query);
    assert.equal(json.code, 'invalid_parameter', query);
  }
  for (const query of [
    'title[exists]=true',
    'title[gte]=A',
    'description[contains]=a',
    'pageCount[contains]=1',
  ]) {
    const { json } = await server.call('GET', `/v1/books?${query}`);
    assert.equal(json.code, 'unknown_parameter', query);
  }
});

test('a query has at most 30 parameters', async () => {
  const bounds = ['gte', 'gt', 'lte', 'lt'];
  const ranges = (name: string, value: string) => bounds.map((bound) => `${name}[${bound}]=${value}`);
  const many = [
    ...['createdAt', 'updatedAt'].flatMap((name) => ranges(name, '2026-01-01T00:00:00Z')),
    ...ranges('pageCount', '5'),
    ...ranges('publicationDate', '2026'),
    ...[
      'publisher',
      'pageCount',
      'subjects',
      'prices',
      'fileIds',
      'format',
      'language',
      'doi',
      'subtitle',
    ].map((name) => `${name}[exists]=true`),
    ...['title', 'publisher', 'imprint', 'subtitle', 'edition'].map((name) => `${name}[contains]=a`),
  ];
  assert.equal(many.length, 30);
  const most = await server.call('GET', `/v1/books?${many.join('&')}`);
  assert.equal(most.status, 200, most.text);
  const tooMany = await server.call('GET', `/v1/books?${many.join('&')}&limit=1`);
  assert.equal(tooMany.status, 400);
  assert.deepEqual(
    tooMany.json.errors.map(({ code }: Json) => code),
    ['too_many'],
  );
});

test('lists are sorted by dates, numbers and names; what has none comes first', async () => {
  for (const [sort, expected] of [
    ['publicationDate', [systems, cafe, street, letters, slash]],
    ['-publicationDate', [slash, letters, street, cafe, systems]],
    ['pageCount', [letters, slash, cafe, street, systems]],
    ['-pageCount', [systems, street, cafe, slash, letters]],
    ['publisher', [systems, letters, slash, street, cafe]],
    ['-publisher', [cafe, street, slash, letters, systems]],
  ] as const)
    assert.deepEqual(await titles('/v1/books', `sort=${sort}`), expected, sort);
});

test('contacts without an owner, an address or a label are found, and owners are one of several', async () => {
  const path = '/v1/crm/contacts';
  await create(server, path, { firstName: 'Owned', ownerUserId: ownerId, tags: ['vip'] });
  await create(server, path, {
    firstName: 'Other',
    ownerUserId: otherId,
    emails: [{ address: 'other@example.com' }],
  });
  await create(server, path, { firstName: 'Nobody', companies: [] });
  for (const [query, expected] of [
    ['ownerUserId[exists]=false', ['Nobody']],
    ['ownerUserId[exists]=true', ['Owned', 'Other']],
    ['emails[exists]=false', ['Owned', 'Nobody']],
    ['tags[exists]=true', ['Owned']],
    ['companies[exists]=true', []],
    [`ownerUserId=${otherId},${ownerId}`, ['Owned', 'Other']],
    [`ownerUserId=nonsense,${ownerId}`, ['Owned']],
    ['ownerUserId=nonsense,other', []],
    ['doNotContact=false&firstName[contains]=O', ['Owned', 'Other', 'Nobody']],
  ] as const)
    assert.deepEqual(await titles(path, `sort=createdAt&${query}`), expected, query);
  const { json } = await server.call(
    'GET',
    `${path}/counts?by=lifecycleStage&ownerUserId=${otherId},${ownerId}`,
  );
  assert.deepEqual(
    json.items.find(({ value }: Json) => value === null),
    { value: null, count: 2, isExact: true },
  );
});

test('what readers may not see is neither found nor counted by a filter', async () => {
  const path = '/v1/knowledge-files';
  await create(server, path, {
    name: 'Private plan',
    visibility: 'PRIVATE',
    sourceUrl: 'https://example.com/secret',
  });
  await create(server, path, { name: 'Common plan', visibility: 'ORGANIZATION' });
  const asOther = (query: string) => titles(path, `sort=createdAt&${query}`, otherToken);
  assert.deepEqual(await titles(path, 'sort=createdAt&name[contains]=plan'), ['Private plan', 'Common plan']);
  assert.deepEqual(await asOther('name[contains]=plan'), ['Common plan']);
  assert.deepEqual(await asOther('sourceUrl[contains]=secret'), []);
  assert.deepEqual(await asOther('sourceUrl[exists]=true'), []);
  assert.deepEqual(await asOther('visibility=PRIVATE,ORGANIZATION'), ['Common plan']);
  const { json } = await server.call('GET', `${path}/counts?by=visibility&name[contains]=plan`, {
    token: otherToken,
  });
  assert.deepEqual(
    json.items
      .map(({ value, count }: Json) => [value, count])
      .filter(([, count]: [string, number]) => count > 0),
    [['ORGANIZATION', 1]],
  );
});

test('the published perspective is filtered and sorted by the published version only', async () => {
  const { path } = await articles.create({ versionData: { title: 'First', subtitle: 'For readers' } });
  await articles.change(path, { status: 'PUBLISHED' });
  await articles.change(path, { title: 'Second', subtitle: null, summary: 'Only in the draft' });
  for (const [query, working, published] of [
    ['subtitle[exists]=true', [], ['First']],
    ['subtitle[exists]=false', ['Second'], []],
    ['summary[contains]=DRAFT', ['Second'], []],
    ['title[contains]=first', [], ['First']],
    ['title[contains]=second', ['Second'], []],
    ['subtitle[contains]=readers', [], ['First']],
    ['body[exists]=true', ['Second'], ['First']],
    ['sort=firstPublishedAt&wordCount[gte]=3', ['Second'], ['First']],
    ['wordCount[gt]=3', [], []],
    ['publishedAt[gte]=2020-01-01T00:00:00Z&sort=title', [], ['First']],
  ] as const) {
    assert.deepEqual(await titles(articles.path, query), working, query);
    assert.deepEqual(
      await titles(articles.path, `${query}&perspective=published`),
      published,
      `${query}, published`,
    );
  }
  const counted = await server.call(
    'GET',
    `${articles.path}/counts?by=status&summary[exists]=true&status=DRAFT,PUBLISHED`,
  );
  assert.deepEqual(
    counted.json.items.filter(({ count }: Json) => count > 0),
    [{ value: 'DRAFT', count: 1, isExact: true }],
  );
});

/** Tests of what a search finds: word forms, typos, phrases, and only records that the scopes of the token permit. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createToken } from '../support/identities.ts';
import { runIndexJobs } from '../support/indexing.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { create, idsOf } from '../support/writes.ts';

let server: TestServer;
let articles: string;
let siteId: string;

before(async () => {
  server = await startTestServer();
  siteId = (await create(server, '/v1/sites', { name: 'Words', key: 'words' })).id;
  articles = `/v1/sites/${siteId}/articles`;
});
after(() => server.close());

async function article(versionData: object): Promise<string> {
  const { id } = await create(server, articles, { versionData });
  await runIndexJobs(server.database);
  return id;
}

const search = (query: string, more = '') =>
  idsOf(server, `${articles}/search?query=${encodeURIComponent(query)}${more}`);

test('a word matches its other forms in the language of the record, ranked after exact matches', async () => {
  const stem = await article({ title: 'A guide to publishing', locale: 'en' });
  const exact = await article({ title: 'How to publish: a guide', locale: 'en' });
  const body = await article({ title: 'Printers: a guide', body: 'They published it.', locale: 'en-GB' });
  // The last word is a beginning as well; the other one is a whole word.
  const found = await search('publish guide');
  assert.equal(found[0], exact);
  assert.deepEqual(new Set(found), new Set([exact, stem, body]));
  assert.deepEqual(new Set(await search('published guide')), new Set([stem, exact, body]));
  assert.equal((await search('publishing guide'))[0], stem, 'also where the other form is the stem itself');
  assert.deepEqual(await search('"publish" guide'), [exact], 'what is in quotes is meant as it stands');
  assert.deepEqual(await search('publish guide -printers'), [exact, stem], 'what is excluded as well');
  const german = await article({ title: 'Alte Häuser', locale: 'de' });
  await article({ title: 'Alte Häuser', locale: 'tlh' });
  assert.deepEqual(await search('Haus alte'), [german], 'of the other language no stems are known');
  await article({ title: 'Wander', body: 'Stroll', locale: 'tlh' });
  const stems = await article({ title: 'Wander', body: 'Stroll', locale: 'en' });
  for (const query of ['wandering', 'strolling', 'wandered strolled'])
    assert.deepEqual(
      await search(query),
      [stems],
      'a word is found by its stem only where it is known to be one',
    );
});

test('one typo is tolerated when nothing matches, at any position', async () => {
  const id = await article({ title: 'Marmalade' });
  for (const typed of [
    'marmlade',
    'marmalxde',
    'marmaladee',
    'armalade',
    'mamralade',
    'marmaaldez',
    'amrmalade',
  ])
    assert.deepEqual(await search(typed), typed === 'marmaaldez' ? [] : [id], typed);
  // The letters on both sides of the middle.
  assert.deepEqual(await search('marmlaade'.replace('mlaa', 'mala')), [id]);
});

test('phrases, alternatives, exclusions and unfinished syntax', async () => {
  const one = await article({ title: 'Granite', body: 'crimson tide rising' });
  const two = await article({ title: 'Slate', body: 'tide of crimson' });
  assert.deepEqual(await search('"crimson tide"'), [one]);
  assert.deepEqual(new Set(await search('granite or slate')), new Set([one, two]));
  assert.deepEqual(await search('crimson -granite'), [two]);
  for (const query of ['"', '-', '- -', '"crimson', '(', '& |', ':*', "'", '\\', '!!', 'a\u0000'.slice(0, 1)])
    await search(query);
});

test('a published article is found by the slug that it has now, while a draft of it is newer', async () => {
  const { id } = await create(server, articles, {
    articleData: { slug: 'former-address' },
    versionData: { title: 'Seen by readers' },
  });
  const path = `${articles}/${id}`;
  const change = async (body: object) =>
    assert.equal((await server.call('PATCH', path, { body })).status, 200);
  const found = async (query: string) => {
    await runIndexJobs(server.database);
    const text = `${encodeURIComponent(query)}&perspective=published`;
    const ids = await idsOf(server, `${articles}/search?query=${text}`);
    assert.deepEqual(await idsOf(server, `${articles}?search=${text}`), ids);
    return ids;
  };
  await change({ versionData: { status: 'PUBLISHED' } });
  assert.deepEqual(await found('former-address'), [id]);
  await change({ articleData: { slug: 'second-address' }, versionData: { title: 'A secret plan' } });
  assert.deepEqual(await found('former-address'), []);
  assert.deepEqual(await found('second-address'), [id]);
  await change({ articleData: { slug: 'third-address' } });
  assert.deepEqual(await found('second-address'), []);
  assert.deepEqual(await found('third-address'), [id]);
  assert.deepEqual(await found('secret'), []);
  assert.deepEqual(await found('readers'), [id]);
});

test('the filter matches a part of a name, or words of other texts, from one letter on', async () => {
  const id = await article({
    title: 'Quixotic',
    subtitle: 'a 本 of 東京',
    summary: 'In la Mancha',
    body: 'windmills and giants',
  });
  const filter = (text: string) => idsOf(server, `${articles}?search=${encodeURIComponent(text)}`);
  for (const text of [
    'uixot',
    'qu',
    '東京',
    '本',
    '京',
    'windm',
    'giants wind',
    'and giants',
    'mancha in',
    'manc',
  ])
    assert.deepEqual(await filter(text), [id], text);
  for (const text of ['indmill', 'ancha', 'quixotic windmills', 'giants windmil x', '西'])
    assert.deepEqual(await filter(text), [], text);
  // The other ways that a list takes: another order, another filter.
  for (const text of ['uixot', 'qu', '本', 'giants wind'])
    assert.deepEqual(
      await idsOf(server, `${articles}?sort=title&status=DRAFT&search=${encodeURIComponent(text)}`),
      [id],
    );
});

test('without sites:read, categories and tags have no record; truncated results say so', async () => {
  const site = `/v1/sites/${siteId}`;
  await create(server, `${site}/categories`, { name: 'Zeppelin', description: 'Zeppelin secrets' });
  await create(server, `${site}/tags`, { name: 'Zeppelin' });
  await article({ title: 'Zeppelin' });
  const { token } = await createToken(server.database.worker, server.organization, server.ownerId, {
    scopes: ['articles:read'],
  });
  const { json } = await server.call('GET', `${articles}/search?query=zeppelin`, { token });
  const members = new Map(json.items.map((item: Json) => [item.type, Object.keys(item)]));
  const bare = ['type', 'id', 'score', 'title', 'highlights'];
  assert.deepEqual(members.get('article'), [...bare, 'record']);
  assert.deepEqual(members.get('category'), bare);
  assert.deepEqual(members.get('tag'), bare);
  assert.doesNotMatch(JSON.stringify(json), /secrets/);
  assert.deepEqual(json.pageInfo, { nextCursor: null, hasNextPage: false, truncated: false });
  const one = await server.call('GET', `${articles}/search?query=zeppelin&limit=1`);
  assert.deepEqual(one.json.pageInfo, { nextCursor: null, hasNextPage: true, truncated: true });
  assert.ok('record' in one.json.items[0]);
});

test('a search whose records are too large for a page has all results, those beyond it without their records', async () => {
  const body = 'ballast '.repeat(60_000);
  const ids: string[] = [];
  for (let number = 0; number < 12; number += 1)
    ids.push(await article({ title: `Kestrel ${number}`, body }));
  // Writing them took much of the process's time; while that counts, pages have a quarter of the budget.
  const { turns } = server.database.api;
  await until('the usual budget', () => !turns.givesWay(server.organization.id));
  const { json } = await server.call('GET', `${articles}/search?query=kestrel&limit=100`);
  assert.deepEqual(new Set(json.items.map(({ id }: Json) => id)), new Set(ids));
  assert.deepEqual(json.pageInfo, { nextCursor: null, hasNextPage: false, truncated: false });
  const whole = json.items.filter((item: Json) => 'record' in item);
  assert.ok(whole.length >= 5 && whole.length < ids.length, `${whole.length} with records`);
  assert.ok(whole.every(({ record }: Json) => record.versionData.body.startsWith('ballast')));
  assert.deepEqual(json.items.slice(0, whole.length), whole, 'the best have records');
  for (const { title, highlights } of json.items) {
    assert.match(title, /^Kestrel /);
    assert.match(highlights[0].snippet, /<mark>Kestrel<\/mark>/);
  }
  const some = await server.call('GET', `${articles}/search?query=kestrel&limit=10`);
  assert.equal(some.json.items.length, 10);
  assert.deepEqual(some.json.pageInfo, { nextCursor: null, hasNextPage: true, truncated: true });
});

/**
 * Tests of the parameter `include`. What a response must include is found by other requests: of each record that is mentioned, the caller's
 * own read.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type Include, includedName, includesOf } from '@trellis/schema/resources/includes.ts';
import { resourceByName, resources } from '@trellis/schema/resources/index.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { roles } from '@trellis/schema/rights/permissions.ts';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { decodeId, encodeId } from '@trellis/schema/values/ids.ts';
import type { Step } from '@trellis/server/kernel/database/batch.ts';
import { createMember, createToken } from '../support/identities.ts';
import { expectProblem } from '../support/refusals.ts';
import { chooseSeed, seededNumbers } from '../support/seed.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';
import { amount } from '../support/soak.ts';
import { create } from '../support/writes.ts';

const files = '/v1/knowledge-files';
const companies = '/v1/crm/companies';
const contacts = '/v1/crm/contacts';

let server: TestServer;
let site: string;
/** Collections by the name of the resource. */
const collections = new Map<string, string>();
/** Tokens by what they may: each role with all scopes, and an owner without one scope. */
const tokens = new Map<string, string>();

before(async () => {
  server = await startTestServer();
  const { worker } = server.database;
  for (const role of roles) {
    const userId = await createMember(worker, server.organization, role);
    tokens.set(role, (await createToken(worker, server.organization, userId)).token);
  }
  for (const scope of ['sites:read', 'knowledge:read', 'articles:read', 'crm.companies:read'])
    tokens.set(
      `without ${scope}`,
      (
        await createToken(worker, server.organization, server.ownerId, {
          scopes: allScopes.filter((one) => one !== scope),
        })
      ).token,
    );
  await createContent();
});
after(() => server.close());

/** Records that refer to each other by every reference that can be included, to visible and hidden ones. */
async function createContent(): Promise<void> {
  site = (await create(server, '/v1/sites', { name: 'Site', key: 'site' })).id;
  const below = `/v1/sites/${site}`;
  const open = (await create(server, files, { name: 'Included open', visibility: 'ORGANIZATION' })).id;
  const hidden = (await create(server, files, { name: 'Included hidden', visibility: 'PRIVATE' })).id;
  const some = { name: 'Included restricted', visibility: 'RESTRICTED', allowedRoles: ['EDITOR'] };
  const restricted = (await create(server, files, some)).id;
  const all = [hidden, open, restricted];
  const above = (await create(server, `${below}/categories`, { name: 'Included above' })).id;
  const category = await create(server, `${below}/categories`, { name: 'Included', parentId: above });
  const tag = (await create(server, `${below}/tags`, { name: 'Included' })).id;
  const article = await create(server, `${below}/articles`, {
    articleData: { categoryIds: [above, category.id], primaryCategoryId: category.id, tagIds: [tag] },
    versionData: { title: 'Included', body: 'A text.', coverFileId: hidden },
  });
  const magazine = (await create(server, '/v1/magazines', { title: 'Included', coverFileId: open })).id;
  await create(server, `/v1/magazines/${magazine}/issues`, {
    title: 'Included',
    contents: [{ articleId: article.id }],
    coverFileId: restricted,
    fileIds: all,
  });
  await create(server, '/v1/books', { title: 'Included', coverFileId: hidden, fileIds: all });
  const company = (await create(server, companies, { name: 'Included above' })).id;
  const child = (await create(server, companies, { name: 'Included', parentCompanyId: company })).id;
  const employers = [{ companyId: child }, { companyId: company }];
  await create(server, contacts, { lastName: 'Included', companies: employers });
  for (const { name, path } of resources)
    collections.set(name, `/v1${path.replace('{siteId}', site).replace('{magazineId}', magazine)}`);
}

function namesOf(includes: readonly Include[]): string {
  return includes.map(({ name }) => name).join();
}

/** The ids that a record mentions in the place of a reference, as it is shown. */
function idsOf({ field, member, name }: Include, record: Json): string[] {
  const value = (field ?? name).split('.').reduce((inside: Json, key) => inside[key], record);
  const values: Json[] = Array.isArray(value) ? value : [value];
  return values.map((one) => (member === null ? one : one[member])).filter((id) => id !== null);
}

/** What a response about the records must include: what the caller reads alone, each once and in the order of mention. */
async function expectedFor(
  token: string,
  includes: readonly Include[],
  records: readonly Json[],
  query = '',
): Promise<Record<string, Json[]>> {
  const expected: Record<string, Json[]> = {};
  const known = new Set<string>();
  for (const { target } of includes) expected[includedName(target)] = [];
  for (const record of records)
    for (const include of includes)
      for (const id of idsOf(include, record)) {
        if (known.has(id)) continue;
        known.add(id);
        const more = include.target === 'articles' ? query : '';
        const alone = await server.call('GET', `${collections.get(include.target)}/${id}${more}`, { token });
        if (alone.status === 200) expected[includedName(include.target)]?.push(alone.json);
        else assert.ok([403, 404].includes(alone.status), alone.text);
      }
  return expected;
}

const including = resources.filter((resource) => includesOf(resource).length > 0);

test('references between content can be included, and nothing else', () => {
  assert.deepEqual(
    Object.fromEntries(including.map((resource) => [resource.name, namesOf(includesOf(resource))])),
    {
      categories: 'siteId,parentId',
      tags: 'siteId',
      articles: 'siteId,categoryIds,primaryCategoryId,tagIds,coverFileId',
      books: 'coverFileId,fileIds',
      magazines: 'coverFileId',
      issues: 'magazineId,coverFileId,fileIds,articleId',
      contacts: 'companyId',
      companies: 'parentCompanyId',
      'webhook-endpoints': 'siteIds',
    },
  );
});

test('each response includes exactly what its caller reads alone, whatever the resource, the role and the scopes', async () => {
  let included = 0;
  let hidden = 0;
  for (const [who, token] of tokens)
    for (const resource of including) {
      const collection = collections.get(resource.name) ?? '';
      const includes = includesOf(resource);
      const query = `include=${namesOf(includes)}`;
      const label = `${who}: ${collection}`;
      const list = await server.call('GET', `${collection}?${query}`, { token });
      if (list.status === 403) continue;
      assert.equal(list.status, 200, `${label}: ${list.text}`);
      const expected = await expectedFor(token, includes, list.json.items);
      assert.deepEqual(list.json.included, expected, label);
      for (const { id } of list.json.items) {
        const one = await server.call('GET', `${collection}/${id}?${query}`, { token });
        const { included: found, ...record } = one.json;
        assert.deepEqual(record, (await server.call('GET', `${collection}/${id}`, { token })).json, label);
        assert.deepEqual(found, await expectedFor(token, includes, [record]), label);
      }
      const search = await server.call('GET', `${collection}/search?query=included&${query}`, { token });
      assert.equal(search.status, 200, `${label}: ${search.text}`);
      const wanted: Record<string, Map<string, Json>> = {};
      for (const { target } of includes) wanted[includedName(target)] = new Map();
      for (const { type, record } of search.json.items) {
        const of = resources.find(({ singular }) => singular === type);
        if (of === undefined || record === undefined) continue;
        const shared = includesOf(of).filter(({ name }) => includes.some((one) => one.name === name));
        for (const [name, records] of Object.entries(await expectedFor(token, shared, [record])))
          for (const one of records) wanted[name]?.set(one.id, one);
      }
      assert.deepEqual(
        search.json.included,
        Object.fromEntries(Object.entries(wanted).map(([name, found]) => [name, [...found.values()]])),
        label,
      );
      const count = Object.values(expected).reduce((sum, { length }) => sum + length, 0);
      included += count;
      const mentioned = list.json.items.flatMap((record: Json) =>
        includes.flatMap((one) => idsOf(one, record)),
      );
      hidden += new Set(mentioned).size - count;
    }
  // The comparison would say nothing if everything was visible, or nothing.
  assert.ok(included > 50 && hidden > 20, `${included} included, ${hidden} not`);
});

test('included files are those that a reference model lets the reader see, on every page', async (context) => {
  const random = seededNumbers(chooseSeed(context));
  const { worker } = server.database;
  const members = await Promise.all(
    (['EDITOR', 'VIEWER', 'VIEWER'] as const).map(async (role) => {
      const userId = await createMember(worker, server.organization, role);
      const { token } = await createToken(worker, server.organization, userId);
      return { id: encodeId('user', userId), role, token };
    }),
  );
  const draw = (below: number) => Math.floor(random() * below);
  const made: Json[] = [];
  for (let index = 0; index < amount(12, 60); index += 1)
    made.push(
      await create(server, files, {
        name: `Drawn ${index}`,
        visibility: ['PRIVATE', 'RESTRICTED', 'ORGANIZATION'][draw(3)],
        allowedUserIds: members.filter(() => draw(2) === 0).map(({ id }) => id),
        allowedRoles: (['EDITOR', 'VIEWER'] as const).filter(() => draw(3) === 0),
      }),
    );
  for (let index = 0; index < amount(9, 60); index += 1)
    await create(server, '/v1/books', {
      title: `Drawn ${index}`,
      importId: 'drawn',
      coverFileId: draw(3) === 0 ? null : made[draw(made.length)].id,
      fileIds: made.filter(() => draw(3) === 0).map(({ id }) => id),
    });
  for (const { id: userId, role, token } of members) {
    let pages = 0;
    for (let cursor = ''; ; pages += 1) {
      const path = `/v1/books?importId=drawn&limit=2&fields=title&include=fileIds,coverFileId${cursor}`;
      const whole = await server.call('GET', path.replace('fields=title', 'sort=-createdAt'), { token });
      const sparse = await server.call('GET', path, { token });
      assert.deepEqual(sparse.json.included, whole.json.included);
      assert.deepEqual(Object.keys(sparse.json.items[0]).sort(), ['id', 'title']);
      const mentioned: string[] = whole.json.items.flatMap(({ coverFileId, fileIds }: Json) => [
        ...(coverFileId === null ? [] : [coverFileId]),
        ...fileIds,
      ]);
      const visible = [...new Set(mentioned)].filter((id) => {
        const { visibility, allowedUserIds, allowedRoles } = made.find((file) => file.id === id);
        if (visibility === 'ORGANIZATION') return true;
        return (
          visibility === 'RESTRICTED' && (allowedUserIds.includes(userId) || allowedRoles.includes(role))
        );
      });
      assert.deepEqual(
        sparse.json.included.knowledgeFiles.map(({ id }: Json) => id),
        visible,
      );
      const { nextCursor } = sparse.json.pageInfo;
      if (nextCursor === null) break;
      cursor = `&cursor=${nextCursor}`;
    }
    assert.ok(pages >= 3);
  }
});

test('with the published perspective, included articles and what published versions mention are published ones', async () => {
  const below = `/v1/sites/${site}`;
  const [first, second] = [
    (await create(server, files, { name: 'First cover', visibility: 'ORGANIZATION' })).id,
    (await create(server, files, { name: 'Second cover', visibility: 'ORGANIZATION' })).id,
  ];
  const { id } = await create(server, `${below}/articles`, {
    versionData: { title: 'Covered', coverFileId: first },
  });
  for (const versionData of [{ status: 'PUBLISHED' }, { coverFileId: second }])
    assert.equal(
      (await server.call('PATCH', `${below}/articles/${id}`, { body: { versionData } })).status,
      200,
    );
  const coverOf = async (query: string) => {
    const { json } = await server.call('GET', `${below}/articles/${id}?include=coverFileId${query}`);
    return json.included.knowledgeFiles.map((file: Json) => file.id);
  };
  assert.deepEqual(await coverOf(''), [second]);
  assert.deepEqual(await coverOf('&perspective=published'), [first]);
});

test('what is in the trash is not included until it is restored', async () => {
  const gone = (await create(server, '/v1/sites', { name: 'Gone', key: 'gone' })).id;
  // The list keeps a site that is deleted.
  const { id } = await create(server, '/v1/webhook-endpoints', {
    url: 'https://example.com/included',
    eventTypes: ['article.*'],
    siteIds: [gone, site],
  });
  const includedSites = async () => {
    const { json } = await server.call('GET', `/v1/webhook-endpoints/${id}?include=siteIds`);
    assert.deepEqual(json.siteIds, [gone, site]);
    return json.included.sites.map((one: Json) => one.id);
  };
  assert.deepEqual(await includedSites(), [gone, site]);
  assert.equal((await server.call('DELETE', `/v1/sites/${gone}`)).status, 204);
  assert.deepEqual(await includedSites(), [site]);
  assert.equal((await server.call('POST', `/v1/trash/${gone}/restore`)).status, 200);
  assert.deepEqual(await includedSites(), [gone, site]);
});

test('the names are those of references, and others are refused with the list of these', async () => {
  for (const name of ['company', 'companies', 'ownerUserId', 'companyId.parentCompanyId', '']) {
    const refused = await server.call('GET', `${contacts}?include=${name}`);
    expectProblem(refused, 400, 'invalid_parameter');
    assert.match(refused.json.detail, /companyId/);
  }
  expectProblem(await server.call('GET', `${files}?include=fileIds`), 400, 'unknown_parameter');
  const twice = await server.call('GET', `${contacts}?include=companyId,companyId&include=companyId&limit=1`);
  assert.equal(twice.status, 200);
});

test('the tag of a record with others is that of all of them, and a change may be based on it', async () => {
  const company = (await create(server, companies, { name: 'Tagged' })).id;
  const { id } = await create(server, contacts, { lastName: 'Tagged', companies: [{ companyId: company }] });
  const read = (headers: Record<string, string> = {}) =>
    server.call('GET', `${contacts}/${id}?include=companyId`, { headers });
  const first = (await read()).headers.get('etag') ?? '';
  assert.match(first, /^"1;included=[0-9a-f]{32}"$/);
  assert.equal((await read({ 'if-none-match': first })).status, 304);
  assert.equal((await read({ 'if-none-match': '"1"' })).status, 200);
  assert.equal((await read({ 'if-match': '"1"' })).status, 412);
  // The record alone is another response.
  const alone = await server.call('GET', `${contacts}/${id}`, { headers: { 'if-none-match': first } });
  assert.equal(alone.status, 200);
  await server.call('PATCH', `${companies}/${company}`, { body: { name: 'Renamed' } });
  const second = await read({ 'if-none-match': first });
  assert.equal(second.status, 200);
  assert.equal(second.json.included.companies[0].name, 'Renamed');
  const based = second.headers.get('etag') ?? '';
  const change = (lastName: string, tag: string) =>
    server.call('PATCH', `${contacts}/${id}`, { body: { lastName }, headers: { 'if-match': tag } });
  assert.equal((await change('Changed', `W/${based.replace(/"$/, '-gzip"')}`)).status, 200);
  expectProblem(await change('Again', based), 412, 'version_mismatch');
});

test('one statement for each resource is sent, all in one message after that of the page', async () => {
  const messages: string[][] = [];
  const database = server.database.api;
  const query = database.query.bind(database);
  database.query = (scope, steps: readonly Step[]) => {
    messages.push(steps.map(({ statement }) => statement.name));
    return query(scope, steps);
  };
  const includes = namesOf(includesOf(resourceByName('articles')));
  await server.call('GET', `/v1/sites/${site}/articles?include=${includes}`);
  Object.assign(database, { query });
  assert.deepEqual(
    messages.filter((names) => names.some((name) => name.startsWith('by_ids_'))),
    [['sites', 'categories', 'tags', 'knowledge-files'].map((name) => `by_ids_${name}_working_full`)],
  );
});

/** Creates records in batches, and returns their ids. */
async function createMany(collection: string, bodies: readonly object[]): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < bodies.length; from += limits.batchItems) {
    const items = bodies.slice(from, from + limits.batchItems).map((data) => ({ op: 'create', data }));
    const body = { items };
    const { status, json, text } = await server.call('POST', `${collection}/batch`, {
      key: randomUUID(),
      body,
    });
    assert.equal(status, 200, text);
    ids.push(...json.items.map(({ id }: Json) => id));
  }
  return ids;
}

test('beyond 1,000 records the ids of the others are omitted', async () => {
  const { id } = await create(server, '/v1/sites', { name: 'Many', key: 'many' });
  const tagIds = await createMany(
    `/v1/sites/${id}/tags`,
    Array.from({ length: 1_030 }, (_, index) => ({ name: `Many ${index}` })),
  );
  const articles = Array.from({ length: 21 }, (_, index) => ({
    articleData: { tagIds: tagIds.slice(index * 50, index * 50 + 50) },
    versionData: { title: `Many ${index}` },
  }));
  await createMany(`/v1/sites/${id}/articles`, articles);
  const { json } = await server.call(
    'GET',
    `/v1/sites/${id}/articles?include=tagIds&sort=createdAt&limit=100`,
  );
  assert.deepEqual(
    json.included.tags.map((tag: Json) => tag.id),
    tagIds.slice(0, 1_000),
  );
  assert.deepEqual(json.included.omitted, tagIds.slice(1_000));
});

test('beyond the bytes of a page the ids of the others are omitted', async () => {
  const { id } = await create(server, '/v1/sites', { name: 'Large', key: 'large' });
  const body = 'x'.repeat(limits.articleBodyBytes);
  const articleIds: string[] = [];
  for (let index = 0; index < 10; index += 1)
    articleIds.push(
      (await create(server, `/v1/sites/${id}/articles`, { versionData: { title: `Large ${index}`, body } }))
        .id,
    );
  const issue = await create(server, collections.get('issues') ?? '', {
    title: 'Large',
    number: '2',
    contents: articleIds.map((articleId) => ({ articleId })),
  });
  const path = `${collections.get('issues')}/${issue.id}?include=articleId`;
  const { json, text } = await server.call('GET', path);
  const shown = json.included.articles.map((article: Json) => article.id);
  assert.ok(shown.length >= 7 && text.length < limits.pageBytes + 2 * limits.articleBodyBytes);
  assert.deepEqual([...shown, ...json.included.omitted], articleIds);
  assert.notEqual(decodeId('art', json.included.omitted[0]), null);
});

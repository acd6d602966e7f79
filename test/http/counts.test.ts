/** Counts of lists by the values of a choice: what they count, for whom, and where counting ends. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type CountedChoice, countedChoices } from '@trellis/schema/resources/counts.ts';
import { resourceByName, resources } from '@trellis/schema/resources/index.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { decodeId, encodeId } from '@trellis/schema/values/ids.ts';
import { AdminClient } from '../support/admin-client.ts';
import { attempt, createOtherWorld, createOwnWorld, type World } from '../support/fixtures.ts';
import { createMember, createToken } from '../support/identities.ts';
import { expectProblem } from '../support/refusals.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let world: World;
let admin: AdminClient;
before(async () => {
  server = await startTestServer();
  world = await createOwnWorld(server);
  admin = await AdminClient.open(server.database);
});
after(async () => {
  await admin.end();
  await server.close();
});

async function post(path: string, body: object, token = server.token): Promise<Json> {
  const { status, json, text } = await server.call('POST', path, { body, token });
  assert.equal(status, 201, text);
  return json;
}

/** The items of a response, with all that is not 0 by value. */
async function count(path: string, query: string, token = server.token) {
  const { status, json, text } = await server.call('GET', `${path}/counts?${query}`, { token });
  assert.equal(status, 200, text);
  const items: readonly Json[] = json.items;
  const found = items.filter((item) => item.count > 0);
  return { items, found: Object.fromEntries(found.map((item) => [item.value, item.count])) };
}

async function listed(path: string, query: string): Promise<readonly Json[]> {
  const { json, text } = await server.call('GET', `${path}?limit=100&${query}`);
  assert.equal(json.pageInfo?.nextCursor, null, text);
  return json.items;
}

/** Makes copies of a record with other ids, without the pipeline. */
async function copy(
  table: string,
  id: string,
  copies: number,
  changes: object,
  unique = `'external_id', NULL`,
): Promise<void> {
  await admin.query(
    `INSERT INTO trellis.${table}
      SELECT copied.* FROM trellis.${table} t, generate_series(1, $2::integer) AS n (number), json_populate_record(t,
        (jsonb_build_object('id', gen_random_uuid(), ${unique},
          'created_at', t.created_at - n.number * interval '1 second') || $3::jsonb)::json) copied
      WHERE t.id = $1`,
    [id, copies, JSON.stringify(changes)],
  );
}

function uuidOf(id: string): string {
  return decodeId(id.split('_')[0] ?? '', id) ?? assert.fail(id);
}

test('every list that is filtered by a closed choice is counted by it, and each count is what the list has', async () => {
  const operations = server.server.operations.filter(
    ({ operationId }) => operationId.startsWith('count') && operationId !== 'countVisits',
  );
  const counted = resources.filter((resource) => countedChoices(resource).length > 0);
  assert.deepEqual(
    operations.map(({ operationId }) => operationId),
    counted.map(({ title }) => `count${title.plural}`),
  );
  for (const [index, resource] of counted.entries()) {
    const operation = operations[index] ?? assert.fail(resource.name);
    for (const choice of countedChoices(resource)) {
      const { json, text } = await attempt(world, operation, { query: `?by=${choice.name}` });
      assert.deepEqual(
        json.items?.map(({ value }: Json) => value),
        choice.values,
        text,
      );
      await compareWithList(resource.name, choice, json.items);
    }
  }
});

async function compareWithList(name: string, choice: CountedChoice, items: readonly Json[]): Promise<void> {
  const list = server.server.operations.find(
    ({ operationId }) => operationId === `list${resourceByName(name).title.plural}`,
  );
  assert.ok(list);
  const { json } = await attempt(world, list, { query: '?limit=100' });
  const read = (record: Json) =>
    choice.field.split('.').reduce((value: Json, member) => value[member], record);
  for (const { value, count, isExact } of items) {
    const expected = json.items.filter((record: Json) => read(record) === value).length;
    assert.deepEqual(
      { count, isExact },
      { count: expected, isExact: true },
      `${name}: ${choice.name} ${value}`,
    );
  }
}

test('filters and search of the list apply, together, and to the counted field as well', async () => {
  const site = await post('/v1/sites', { name: 'Counted', key: 'counted' });
  const path = `/v1/sites/${site.id}/articles`;
  const tag = await post(`/v1/sites/${site.id}/tags`, { name: 'Tagged' });
  const make = async (title: string, more: { status?: string; tagged?: boolean; locale?: string }) => {
    const articleData = more.tagged === true ? { tagIds: [tag.id] } : {};
    const versionData = { title, ...(more.locale === undefined ? {} : { locale: more.locale }) };
    const { id } = await post(path, { articleData, versionData });
    const body = { versionData: { status: more.status } };
    if (more.status !== undefined)
      assert.equal((await server.call('PATCH', `${path}/${id}`, { body })).status, 200);
  };
  await make('Zebra one', {});
  await make('Zebra two', { status: 'IN_REVIEW', tagged: true });
  await make('Zebra three', { status: 'IN_REVIEW', locale: 'de' });
  await make('Horse', { status: 'PUBLISHED', tagged: true });
  const by = async (query: string) => (await count(path, `by=status&${query}`)).found;
  assert.deepEqual(await by(''), { DRAFT: 1, IN_REVIEW: 2, PUBLISHED: 1 });
  assert.deepEqual(await by('search=zebra'), { DRAFT: 1, IN_REVIEW: 2 });
  assert.deepEqual(await by(`tagId=${tag.id}`), { IN_REVIEW: 1, PUBLISHED: 1 });
  assert.deepEqual(await by('locale=de'), { IN_REVIEW: 1 });
  assert.deepEqual(await by(`search=zebra&tagId=${tag.id}`), { IN_REVIEW: 1 });
  assert.deepEqual(await by(`search=zebra&locale=de`), { IN_REVIEW: 1 });
  assert.deepEqual(await by(`tagId=${tag.id}&locale=de`), {});
  assert.deepEqual(await by('status=IN_REVIEW'), { IN_REVIEW: 2 });
  assert.deepEqual(await by(`tagId=${encodeId('tag', uuidOf(site.id))}`), {}, 'an unknown tag');
  assert.deepEqual((await count(path, 'by=state')).found, { UNPUBLISHED: 3, PUBLISHED: 1 });
  for (const query of ['search=zebra', `tagId=${tag.id}`, 'locale=de'])
    assert.equal((await listed(path, query)).length, sum(await by(query)), query);
});

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, each) => total + each, 0);
}

test('only what the caller may list is counted: restricted files, one organization, one site', async () => {
  const { worker } = server.database;
  const memberWith = async (role: 'EDITOR' | 'VIEWER' | 'ADMIN') => {
    const userId = await createMember(worker, server.organization, role);
    const { token } = await createToken(worker, server.organization, userId, { scopes: allScopes });
    return { id: encodeId('user', userId), token };
  };
  const [ada, ben, vic] = [
    await memberWith('EDITOR'),
    await memberWith('EDITOR'),
    await memberWith('VIEWER'),
  ];
  const files = '/v1/knowledge-files';
  const before = await count(files, 'by=visibility', vic.token);
  const file = { content: 'Words of a quagga' };
  await post(files, { name: 'Private quagga', visibility: 'PRIVATE', ...file }, ada.token);
  await post(
    files,
    { name: 'Quagga for Ben', visibility: 'RESTRICTED', allowedUserIds: [ben.id], ...file },
    ada.token,
  );
  await post(files, { name: 'Quagga for all', visibility: 'ORGANIZATION', ...file }, ada.token);
  const seen = async (token: string, query: string) =>
    (await count(files, `by=visibility&${query}`, token)).found;
  const shared = (before.found.ORGANIZATION ?? 0) + 1;
  assert.deepEqual(await seen(vic.token, ''), { ...before.found, ORGANIZATION: shared });
  assert.equal((await seen(ben.token, '')).RESTRICTED, 1);
  assert.equal((await seen(ben.token, '')).PRIVATE, undefined);
  assert.equal((await seen(ada.token, '')).PRIVATE, 1);
  for (const query of ['search=quagga', 'search=quagga&status=PROCESSING']) {
    assert.deepEqual(await seen(vic.token, query), { ORGANIZATION: 1 }, query);
    assert.deepEqual(await seen(ben.token, query), { ORGANIZATION: 1, RESTRICTED: 1 }, query);
    assert.deepEqual(await seen(ada.token, query), { ORGANIZATION: 1, PRIVATE: 1, RESTRICTED: 1 }, query);
  }

  const other = await createOtherWorld(server);
  const mine = await count('/v1/books', 'by=status');
  await post('/v1/books', { title: 'Of others' }, other.token);
  assert.deepEqual(await count('/v1/books', 'by=status'), mine);
  const [one, two] = [
    await post('/v1/sites', { name: 'One', key: 'one' }),
    await post('/v1/sites', { name: 'Two', key: 'two' }),
  ];
  await post(`/v1/sites/${one.id}/articles`, { versionData: { title: 'In one' } });
  assert.deepEqual((await count(`/v1/sites/${one.id}/articles`, 'by=status')).found, { DRAFT: 1 });
  assert.deepEqual((await count(`/v1/sites/${two.id}/articles`, 'by=status')).found, {});
  const foreign = other.ids.get('sites');
  for (const site of [foreign, encodeId('site', randomUUID())]) {
    const absent = await server.call('GET', `/v1/sites/${site}/articles/counts?by=status`);
    expectProblem(absent, 404, 'not_found');
  }
});

test('what is not declared is rejected, with the parameter', async () => {
  const faultsOf = async (query: string) => {
    const response = await server.call('GET', `/v1/crm/contacts/counts${query}`);
    return [
      response.status,
      response.json.code,
      response.json.errors?.map(({ parameter }: Json) => parameter),
    ];
  };
  const mistyped = await server.call('GET', '/v1/crm/contacts/counts?by=leadStatu');
  assert.match(mistyped.json.errors[0].detail, /^Must be one of .*\bleadStatus\b/);
  assert.deepEqual(await faultsOf(''), [400, 'invalid_parameter', ['by']]);
  assert.deepEqual(await faultsOf('?by=jobTitle'), [400, 'invalid_parameter', ['by']]);
  assert.deepEqual(await faultsOf('?by=doNotContact'), [400, 'invalid_parameter', ['by']]);
  assert.deepEqual(await faultsOf('?by=leadStatus&by=leadStatus'), [400, 'invalid_parameter', ['by']]);
  assert.deepEqual(await faultsOf('?by=leadStatus&leadStatus=NEVER'), [
    400,
    'invalid_parameter',
    ['leadStatus'],
  ]);
  for (const name of ['limit', 'cursor', 'sort', 'fields', 'perspective'])
    assert.deepEqual(await faultsOf(`?by=leadStatus&${name}=1`), [400, 'unknown_parameter', [name]]);
});

test('a count that an index has ends at a thousand, and the others stay exact', async () => {
  const path = '/v1/crm/contacts';
  const stages = async () => {
    const { items } = await count(path, 'by=lifecycleStage');
    return new Map(items.map(({ value, ...rest }) => [value, rest]));
  };
  const most = limits.countPerValue;
  const before = await stages();
  const one = await post(path, { firstName: 'Copied', lifecycleStage: 'OPPORTUNITY' });
  await copy('contacts', uuidOf(one.id), most - 1 - (before.get('OPPORTUNITY')?.count ?? 0), {});
  assert.deepEqual((await stages()).get('OPPORTUNITY'), { count: most, isExact: true });
  await post(path, { firstName: 'One more', lifecycleStage: 'OPPORTUNITY' });
  await post(path, { firstName: 'Without a stage' });
  const after = await stages();
  assert.deepEqual(after.get('OPPORTUNITY'), { count: most, isExact: false });
  assert.deepEqual(after.get(null), { count: (before.get(null)?.count ?? 0) + 1, isExact: true });
  assert.deepEqual(after.get('CUSTOMER'), before.get('CUSTOMER'));
});

test('without an index, or with a filter, the newest ten thousand are counted', async () => {
  const path = '/v1/crm/companies';
  const stages = async (query = '') => {
    const { items } = await count(path, `by=lifecycleStage${query}`);
    const { count: found, isExact } = items.find(({ value }) => value === 'OTHER');
    return [found, isExact];
  };
  const oldest = await post(path, { name: 'Oldest', lifecycleStage: 'OTHER', externalId: 'oldest' });
  await admin.query(
    `UPDATE trellis.companies SET created_at = created_at - interval '1 year' WHERE id = $1`,
    [uuidOf(oldest.id)],
  );
  const copied = await post(path, { name: 'Copied', industry: 'Mining' });
  const present = (await listed(path, '')).length;
  await copy('companies', uuidOf(copied.id), limits.countedRecords - present, { industry: 'Copying' });
  assert.deepEqual(await stages(), [1, true]);
  await post(path, { name: 'One more' });
  await post(path, { name: 'And another' });
  assert.deepEqual(await stages(), [0, false], 'the oldest is not looked at');
  assert.deepEqual(await stages('&externalId=oldest'), [1, true], 'an index has it');
  assert.deepEqual(await stages('&search=oldest'), [1, true], 'so has that of searches');
  assert.deepEqual(await stages('&search=copied'), [0, true]);
  await admin.query(
    `INSERT INTO trellis.search_records SELECT made.* FROM trellis.search_records t, trellis.companies c,
      json_populate_record(t, json_build_object('record_id', c.id)) made
      WHERE t.record_id = $1 AND c.industry = 'Copying'`,
    [uuidOf(copied.id)],
  );
  assert.deepEqual(await stages('&search=copied'), [0, false], 'a text that many have');
});

test('a filter that no index has is looked for among the newest ten thousand', async () => {
  const site = await post('/v1/sites', { name: 'Large', key: 'many' });
  const path = `/v1/sites/${site.id}/articles`;
  const german = await post(path, { versionData: { title: 'Alt', locale: 'de' } });
  await admin.query(`UPDATE trellis.articles SET created_at = created_at - interval '1 year' WHERE id = $1`, [
    uuidOf(german.id),
  ]);
  const copied = await post(path, { versionData: { title: 'Copied', locale: 'en' } });
  const isExact = async (query: string) =>
    (await count(path, `by=status&${query}`)).items.every((item) => item.isExact);
  assert.ok(await isExact('locale=de'));
  const slugs = `'slug', gen_random_uuid()`;
  await copy('articles', uuidOf(copied.id), limits.countedRecords, {}, slugs);
  assert.deepEqual((await count(path, 'by=status&locale=de')).found, {});
  assert.ok(!(await isExact('locale=de')));
  assert.deepEqual((await count(path, 'by=status')).found, { DRAFT: limits.countPerValue });
});

/** Tests of lists of chosen records: by the parameter `ids`, and by several values of `externalId`. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { resources } from '@trellis/schema/resources/index.ts';
import { operationsWithoutServer } from '@trellis/server/node/api/operations-without-server.ts';
import { createMember, createToken } from '../support/identities.ts';
import { expectProblem } from '../support/refusals.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';
import { create } from '../support/writes.ts';

let server: TestServer;
const contacts = '/v1/crm/contacts';
const made: string[] = [];

before(async () => {
  server = await startTestServer();
  for (let index = 0; index < 30; index += 1)
    made.push((await create(server, contacts, { lastName: `Chosen ${String(index).padStart(2, '0')}` })).id);
});
after(() => server.close());

async function idsOf(query: string): Promise<string[]> {
  const { status, json, text } = await server.call('GET', `${contacts}?${query}`);
  assert.equal(status, 200, text);
  assert.equal(json.pageInfo.hasNextPage, false);
  return json.items.map(({ id }: Json) => id);
}

test('a list returns the records with the given ids, all on one page, in its order', async () => {
  assert.deepEqual(await idsOf(`ids=${made.join()}&sort=createdAt`), made);
  assert.deepEqual(await idsOf(`ids=${made[3]}&ids=${made[1]}&sort=createdAt`), [made[1], made[3]]);
  assert.deepEqual(await idsOf(`ids=${made[3]},${made[3]}`), [made[3]]);
});

test('ids of no record, of other kinds and of other forms are left out', async () => {
  const others = ['con_01h455vb4pex5vsknk084sn02q', 'com_01h455vb4pex5vsknk084sn02q', 'nonsense', made[0]];
  assert.deepEqual(await idsOf(`ids=${others.join()}`), [made[0]]);
  assert.deepEqual(await idsOf('ids=nonsense'), []);
});

test('ids are combined with filters, searches and pages', async () => {
  assert.deepEqual(await idsOf(`ids=${made.slice(0, 3).join()}&search=Chosen 01`), [made[1]]);
  assert.deepEqual(await idsOf(`ids=${made.slice(0, 3).join()}&lifecycleStage=LEAD`), []);
  const query = `ids=${made.slice(0, 3).join()}&sort=createdAt&limit=2`;
  const first = (await server.call('GET', `${contacts}?${query}`)).json;
  const { nextCursor } = first.pageInfo;
  const second = (await server.call('GET', `${contacts}?${query}&cursor=${nextCursor}`)).json;
  assert.deepEqual(
    [...first.items, ...second.items].map(({ id }: Json) => id),
    made.slice(0, 3),
  );
  expectProblem(
    await server.call('GET', `${contacts}?ids=${made[4]}&cursor=${nextCursor}`),
    400,
    'cursor_mismatch',
  );
});

test('no more ids than records of a page are taken', async () => {
  const many = Array.from({ length: 101 }, () => made[0]).join();
  expectProblem(await server.call('GET', `${contacts}?ids=${many}`), 400, 'invalid_parameter');
});

test('what the caller does not see is left out', async () => {
  const files = '/v1/knowledge-files';
  const { worker } = server.database;
  const hidden = await create(server, files, { name: 'Hidden', visibility: 'PRIVATE' });
  const shown = await create(server, files, { name: 'Shown', visibility: 'ORGANIZATION' });
  const userId = await createMember(worker, server.organization, 'EDITOR');
  const { token } = await createToken(worker, server.organization, userId);
  const { json } = await server.call('GET', `${files}?ids=${hidden.id},${shown.id}`, { token });
  assert.deepEqual(
    json.items.map(({ id }: Json) => id),
    [shown.id],
  );
});

test('a list returns the records with the given keys, all on one page, whatever signs the keys have', async () => {
  const keys = [
    'shop,1',
    'shop',
    '1',
    'a&b=c',
    'ключ 7',
    'line\nbreak',
    ...Array.from({ length: 24 }, (_, index) => `k${index}`),
  ];
  const companies = '/v1/crm/companies';
  for (const externalId of [...keys, 'another'])
    await create(server, companies, { name: `Company ${externalId}`, externalId });
  const found = async (given: readonly string[], more = '') => {
    const query = given.map((key) => `externalId=${encodeURIComponent(key)}`).join('&');
    const { status, json, text } = await server.call('GET', `${companies}?${query}${more}`);
    assert.equal(status, 200, text);
    return { keys: json.items.map(({ externalId }: Json) => externalId), ...json.pageInfo };
  };
  assert.deepEqual(await found(keys, '&sort=createdAt'), { keys, nextCursor: null, hasNextPage: false });
  for (const key of keys) assert.deepEqual((await found([key])).keys, [key]);
  assert.deepEqual((await found(['shop,1', 'of none', 'shop,1'])).keys, ['shop,1']);
  const first = await found(['shop,1', 'shop'], '&sort=createdAt&limit=1');
  assert.deepEqual(first.keys, ['shop,1']);
  const second = await found(['shop,1', 'shop'], `&sort=createdAt&limit=1&cursor=${first.nextCursor}`);
  assert.deepEqual(second.keys, ['shop']);
  // The two keys of the cursor are not the one that they would be with a comma between them.
  expectProblem(
    await server.call(
      'GET',
      `${companies}?externalId=shop,1,shop&sort=createdAt&limit=1&cursor=${first.nextCursor}`,
    ),
    400,
    'cursor_mismatch',
  );
});

test('no more keys than records of a page are taken, and each is checked', async () => {
  const keys = (count: number) =>
    Array.from({ length: count }, (_, index) => `externalId=k${index}`).join('&');
  assert.equal((await server.call('GET', `${contacts}?${keys(100)}`)).status, 200);
  expectProblem(await server.call('GET', `${contacts}?${keys(101)}`), 400, 'invalid_parameter');
  for (const key of ['', 'x'.repeat(255), '%00', 'a%00b'])
    expectProblem(
      await server.call('GET', `${contacts}?externalId=k1&externalId=${key}`),
      400,
      'invalid_parameter',
    );
});

test('every resource with an externalId is listed by several of them', () => {
  const listed = operationsWithoutServer(server.url).filter(({ operationId }) =>
    operationId.startsWith('list'),
  );
  const taking = listed.filter(({ queryParameters }) =>
    queryParameters.some(({ name, schema }) => name === 'externalId' && schema.type === 'array'),
  );
  const having = resources.filter(({ fields }) => 'externalId' in fields);
  assert.deepEqual(
    taking.map(({ operationId }) => operationId).sort(),
    having.map(({ title }) => `list${title.plural}`).sort(),
  );
});

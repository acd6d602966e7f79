/** Tests of the history of records: what it lists, to whom, for how long, and the record as it was. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sweepHistory } from '@trellis/server/kernel/pipeline/history-retention.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { expectProblem } from '../support/refusals.ts';
import { startTestServer, type TestResponse } from '../support/server.ts';
import { TenantTables } from '../support/tenant-tables.ts';
import { create } from '../support/writes.ts';

const server = await startTestServer();
const { organization, ownerId } = server;
const { worker } = server.database;
const tables = await TenantTables.open(server.database);
after(async () => {
  await tables.close();
  await server.close();
});

const ok = async (method: string, path: string, body?: object, token?: string): Promise<TestResponse> => {
  const response = await server.call(method, path, {
    ...(body === undefined ? {} : { body }),
    ...(token === undefined ? {} : { token }),
  });
  assert.ok(response.status < 300, `${method} ${path}: ${response.text}`);
  return response;
};
const read = (path: string, token?: string) => server.call('GET', path, token === undefined ? {} : { token });

/** An item of a history. */
interface Item {
  readonly version: number;
  readonly action: string;
  readonly fields: readonly { field: string; before: unknown; after: unknown; offset: number | null }[];
}

async function historyOf(path: string, token?: string): Promise<Item[]> {
  const response = await read(`${path}/history`, token);
  assert.equal(response.status, 200, response.text);
  return response.json.items;
}

test('a history lists the values before and after, who made the change by which client, and the creation', async () => {
  const { id } = await create(server, '/v1/crm/companies', { name: 'Acme' });
  const path = `/v1/crm/companies/${id}`;
  const colleague = await createMember(worker, organization, 'ADMIN');
  const { token } = await createToken(worker, organization, colleague);
  const changed = await ok('PATCH', path, { name: 'Acme Ltd', domains: ['acme.example'] }, token);
  const me = await read('/v1/me', token);
  const [first, creation, ...more] = (await read(`${path}/history`)).json.items;
  assert.deepEqual(first, {
    version: 2,
    action: 'updated',
    changedAt: changed.json.updatedAt,
    changedBy: me.json.user.id,
    client: me.json.client.id,
    fields: [
      { field: 'name', before: 'Acme', after: 'Acme Ltd', offset: null },
      { field: 'domains', before: [], after: ['acme.example'], offset: null },
    ],
  });
  const owner = (await read('/v1/me')).json.user.id;
  assert.deepEqual(
    {
      action: creation.action,
      version: creation.version,
      changedBy: creation.changedBy,
      fields: creation.fields,
    },
    { action: 'created', version: 1, changedBy: owner, fields: [] },
  );
  assert.deepEqual(more, []);
});

test('references are shown as the record shows them, and of long texts what differs', async () => {
  const site = await create(server, '/v1/sites', { name: 'Blog', key: 'history' });
  const tag = await create(server, `/v1/sites/${site.id}/tags`, { name: 'News' });
  const articles = `/v1/sites/${site.id}/articles`;
  const body = `${'Lorem ipsum dolor. '.repeat(30)}😀 end`;
  const { id } = await create(server, articles, { versionData: { title: 'One', body } });
  const path = `${articles}/${id}`;
  await ok('PATCH', path, {
    articleData: { tagIds: [tag.id] },
    versionData: { body: body.replace('😀', '😁') },
  });
  const [{ fields } = { fields: [] }] = await historyOf(path);
  const changes = new Map(fields.map(({ field, ...change }) => [field, change]));
  assert.deepEqual(changes.get('articleData.tagIds'), { before: [], after: [tag.id], offset: null });
  assert.deepEqual(changes.get('versionData.body'), {
    before: '😀',
    after: '😁',
    offset: body.indexOf('😀'),
  });
  assert.equal((await read(`${path}/history/1`)).json.versionData.body, body);
});

test('a deletion and a restoration are changes, and the history comes back from the trash', async () => {
  const { id } = await create(server, '/v1/books', { title: 'Walden' });
  const path = `/v1/books/${id}`;
  await ok('PATCH', path, { title: 'Walden Pond' });
  await ok('DELETE', path);
  expectProblem(await read(`${path}/history`), 404, 'not_found');
  await ok('POST', `/v1/trash/${id}/restore`);
  const items = await historyOf(path);
  assert.deepEqual(
    items.map(({ version, action }) => [version, action]),
    [
      [4, 'restored'],
      [3, 'deleted'],
      [2, 'updated'],
      [1, 'created'],
    ],
  );
  assert.equal((await read(`${path}/history/1`)).json.title, 'Walden');
});

test('every version of a record is restored by a PATCH with its writable values', async () => {
  const { id } = await create(server, '/v1/crm/contacts', { firstName: 'Ada', lastName: 'King' });
  const path = `/v1/crm/contacts/${id}`;
  const states = [(await read(path)).json];
  const patches = [
    { lastName: 'Lovelace' },
    { emails: [{ address: 'ada@example.com' }] },
    { firstName: null, tags: ['a'] },
  ];
  for (const body of patches) states.push((await ok('PATCH', path, body)).json);
  for (const state of states) {
    const then = await read(`${path}/history/${state.version}`);
    assert.deepEqual(then.json, state);
    const { firstName, lastName, emails, tags } = then.json;
    const body = { firstName, lastName, emails, tags };
    const restored = (await ok('PATCH', path, body)).json;
    assert.deepEqual([restored.firstName, restored.lastName, restored.tags], [firstName, lastName, tags]);
    assert.deepEqual(restored.emails, emails);
  }
});

test('what was written while a file was private stays hidden from those who could not see it then', async () => {
  const member = await createMember(worker, organization, 'EDITOR');
  const { token } = await createToken(worker, organization, member);
  const { id } = await create(server, '/v1/knowledge-files', { name: 'Open', visibility: 'ORGANIZATION' });
  const path = `/v1/knowledge-files/${id}`;
  await ok('PATCH', path, { name: 'Hidden', visibility: 'PRIVATE' });
  await ok('PATCH', path, { name: 'Secret' });
  expectProblem(await read(`${path}/history`, token), 404, 'not_found');
  expectProblem(await read(`${path}/history/1`, token), 404, 'not_found');
  await ok('PATCH', path, { name: 'Shown', visibility: 'ORGANIZATION' });
  await ok('PATCH', path, { name: 'Still shown' });
  const versions = async (reader?: string) => (await historyOf(path, reader)).map(({ version }) => version);
  assert.deepEqual(await versions(), [5, 4, 3, 2, 1]);
  assert.deepEqual(await versions(token), [5, 1]);
  const seen = await read(`${path}/history`, token);
  for (const text of ['Hidden', 'Secret', 'PRIVATE']) assert.ok(!seen.text.includes(text), seen.text);
  assert.equal((await read(`${path}/history/5`, token)).json.name, 'Still shown');
  for (const version of [1, 2, 3, 4]) {
    const hidden = await read(`${path}/history/${version}`, token);
    expectProblem(hidden, 404, 'not_found', `version ${version}`);
    assert.equal((await read(`${path}/history/${version}`)).status, 200);
  }
});

test('a history is for those who may read the record, and of no other organization', async () => {
  const { id } = await create(server, '/v1/crm/companies', { name: 'Ours' });
  const path = `/v1/crm/companies/${id}`;
  await ok('PATCH', path, { name: 'Still ours' });
  const { token } = await createToken(worker, organization, ownerId, { scopes: ['books:read'] });
  const other = await createOrganization(worker, 'elsewhere');
  const foreigner = await createMember(worker, other, 'OWNER');
  const foreign = (await createToken(worker, other, foreigner)).token;
  for (const place of [`${path}/history`, `${path}/history/1`]) {
    expectProblem(await read(place, token), 403, 'insufficient_scope');
    expectProblem(await read(place, foreign), 404, 'not_found');
  }
  for (const version of ['0', '3', '99999999999', 'x', '-1'])
    expectProblem(await read(`${path}/history/${version}`), 404, 'not_found', version);
});

test('a history of 2,000 changes is read page by page, to its end', async () => {
  const { id } = await create(server, '/v1/crm/companies', { name: 'Busy 1' });
  const path = `/v1/crm/companies/${id}`;
  const last = 2_000;
  await tables.run(
    `INSERT INTO trellis.changes (organization_id, record_id, version, changed_at, action, fields)
     SELECT organization_id, id, n, now(), 'updated', json_build_object('name', json_build_array('Busy ' || n - 1, 'Busy ' || n))
     FROM trellis.companies, generate_series(2, $2::integer) n WHERE name = $1`,
    ['Busy 1', last],
  );
  await tables.run(
    `UPDATE trellis.companies SET version = $2, name = 'Busy ' || $2::integer WHERE name = $1`,
    ['Busy 1', last],
  );
  let cursor = '';
  let next = last;
  do {
    const page = await read(`${path}/history?limit=100${cursor}`);
    for (const { version, fields } of page.json.items) {
      assert.equal(version, next);
      assert.deepEqual(
        fields.map((one: Item['fields'][number]) => [one.before, one.after]),
        version === 1 ? [] : [[`Busy ${version - 1}`, `Busy ${version}`]],
      );
      next -= 1;
    }
    cursor = `&cursor=${page.json.pageInfo.nextCursor}`;
    assert.equal(page.json.pageInfo.hasNextPage, next > 0);
  } while (next > 0);
  assert.equal((await read(`${path}/history/1`)).json.name, 'Busy 1');
});

test('changes are kept as long as the organization says, and no shorter than idempotency keys', async () => {
  const { id } = await create(server, '/v1/crm/companies', { name: 'Aged' });
  const path = `/v1/crm/companies/${id}`;
  for (const name of ['Aged 2', 'Aged 3', 'Aged 4']) await ok('PATCH', path, { name });
  const week = 7 * 86_400;
  const versions = async () => (await historyOf(path)).map(({ version }) => version);
  const age = (version: number, days: number) =>
    tables.run(
      `UPDATE trellis.changes SET changed_at = now() - make_interval(days => $2::integer)
       WHERE version = $1 AND fields LIKE '%"Aged%'`,
      [version, days],
    );
  await age(2, 366);
  await age(3, 20);
  await age(4, 5);
  // Of a page at a time, as many rows are found as of the table at once.
  assert.equal(await sweepHistory(worker, week, undefined, 1), 1);
  assert.deepEqual(await versions(), [4, 3, 1]);
  expectProblem(await read(`${path}/history/2`), 404, 'not_found');
  assert.equal((await read(`${path}/history/3`)).json.name, 'Aged 3');
  await ok('PATCH', '/v1/organization', { historyDays: 1 });
  assert.equal(await sweepHistory(worker, week), 1);
  assert.deepEqual(await versions(), [4, 1]);
  for (const historyDays of [0, 3_651, null])
    expectProblem(
      await server.call('PATCH', '/v1/organization', { body: { historyDays } }),
      422,
      'validation_failed',
    );
});

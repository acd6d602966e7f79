/** Tests of upserts: PUT of a collection, for each resource and each value by which its records are found. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { resources } from '@trellis/schema/resources/index.ts';
import { matchingOf } from '@trellis/schema/resources/resource.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import type { Operation } from '@trellis/server/kernel/http/operation.ts';
import { attempt, bodyOf, createOwnWorld, resourceOf } from '../support/fixtures.ts';
import { createMember, createToken } from '../support/identities.ts';
import { changesNothing, expectProblem } from '../support/refusals.ts';
import { type Json, startTestServer, type TestResponse } from '../support/server.ts';
import { TenantTables } from '../support/tenant-tables.ts';
import { create } from '../support/writes.ts';

const server = await startTestServer();
const tables = await TenantTables.open(server.database);
const world = await createOwnWorld(server);
after(async () => {
  await tables.close();
  await server.close();
});

const upserts = server.server.operations.filter(({ operationId }) => operationId.startsWith('upsert'));
const contacts = '/v1/crm/contacts';

function put(path: string, matching: string, body: object, more: object = {}): Promise<TestResponse> {
  return server.call('PUT', `${path}?matching=${matching}`, { key: randomUUID(), body, ...more });
}

function countOf(operation: Operation): Promise<number> {
  const table = resourceOf(operation)?.table;
  return tables
    .run(`SELECT count(*)::int AS count FROM trellis.${table}`)
    .then(([row]) => Number(row?.count));
}

test('every resource with an externalId whose records are created and changed by bodies has an upsert', () => {
  const expected = resources.filter((resource) => matchingOf(resource).length > 0).map(({ name }) => name);
  assert.deepEqual(
    upserts.map((operation) => resourceOf(operation)?.name),
    expected,
  );
  assert.ok(expected.length >= 9);
});

for (const operation of upserts) {
  const { operationId } = operation;

  test(`${operationId}: creates a record, then finds it, and changes it only where it differs`, async () => {
    const body = bodyOf(operation, world.ids);
    const created = await attempt(world, operation, { body });
    assert.equal(created.status, 201, created.text);
    const again = await attempt(world, operation, { body });
    assert.equal(again.status, 200, again.text);
    assert.deepEqual(again.json, created.json);
    assert.equal(again.headers.get('etag'), '"1"');
    assert.deepEqual(await tables.eventsOf(again.requestId), []);
    const changed = await attempt(world, operation, {
      body: { ...bodyOf(operation, world.ids), externalId: body.externalId },
      headers: { 'if-match': '"1"' },
    });
    assert.equal(changed.status, 200, changed.text);
    assert.equal(changed.json.id, created.json.id);
    assert.equal((await tables.eventsOf(changed.requestId)).length, changed.json.version - 1);
  });

  test(`${operationId}: a value to match by is required, and one that the declaration does not name is refused`, () =>
    changesNothing(tables, async () => {
      const { externalId: _id, ...body } = bodyOf(operation, world.ids);
      const refused = await attempt(world, operation, { body });
      expectProblem(refused, 422, 'validation_failed');
      assert.equal(refused.json.errors[0].pointer, '/externalId');
      expectProblem(await attempt(world, operation, { query: '?matching=id' }), 400, 'invalid_parameter');
      expectProblem(await attempt(world, operation, { query: '' }), 400, 'invalid_parameter');
    }));

  test(`${operationId}: If-Match needs a record that matches`, () =>
    changesNothing(tables, async () => {
      for (const tags of ['"1"', '*']) {
        const refused = await attempt(world, operation, { headers: { 'if-match': tags } });
        expectProblem(refused, 412, 'version_mismatch', tags);
      }
    }));

  test(`${operationId}: many at once with the same new value create one record`, async () => {
    const body = bodyOf(operation, world.ids);
    const before = await countOf(operation);
    const responses = await Promise.all(Array.from({ length: 8 }, () => attempt(world, operation, { body })));
    const statuses = responses.map(({ status }) => status).toSorted();
    assert.deepEqual(
      statuses,
      [200, 200, 200, 200, 200, 200, 200, 201],
      responses.map(({ text }) => text).join(),
    );
    assert.equal(await countOf(operation), before + 1);
  });
}

interface Matched {
  readonly path: string;
  readonly matching: string;
  readonly created: object;
  /** The same value as others write it. */
  readonly same: object;
}

const written: readonly Matched[] = [
  {
    path: contacts,
    matching: 'email',
    created: { lastName: 'Upsert', emails: [{ address: 'Upsert@Example.com' }] },
    same: {
      lastName: 'Changed',
      emails: [{ address: 'upsert@EXAMPLE.com' }, { address: 'second@example.com' }],
    },
  },
  {
    path: '/v1/crm/companies',
    matching: 'domain',
    created: { name: 'Upsert Ltd', domains: ['upsert.example'] },
    same: { name: 'Changed Ltd', domains: ['https://www.Upsert.example/about'] },
  },
  {
    path: '/v1/books',
    matching: 'isbn13',
    created: { title: 'Upsert', isbn13: '978-3-16-148410-0' },
    same: { title: 'Changed', isbn13: '9783161484100' },
  },
  {
    path: '/v1/magazines',
    matching: 'issn',
    created: { title: 'Upsert', issnPrint: '2049-3630' },
    same: { title: 'Changed', issnOnline: '20493630', issnPrint: null },
  },
];

test('every value that a declaration names is tried', () => {
  const named = resources.flatMap((resource) => matchingOf(resource).filter((name) => name !== 'externalId'));
  assert.deepEqual(written.map(({ matching }) => matching).toSorted(), named.toSorted());
});

for (const { path, matching, created, same } of written) {
  test(`by ${matching}, the same value in another notation is the same record`, async () => {
    const first = await put(path, matching, created);
    assert.equal(first.status, 201, first.text);
    const second = await put(path, matching, same);
    assert.equal(second.status, 200, second.text);
    assert.equal(second.json.id, first.json.id);
    assert.equal(second.json.version, 2);
  });
}

test('a body that belongs to two records is refused, and names them to those who may read them', async () => {
  const made: Json[] = [];
  for (const name of ['one', 'two'])
    made.push(
      await create(server, contacts, { lastName: name, emails: [{ address: `${name}@both.example` }] }),
    );
  const { token } = await createToken(server.database.worker, server.organization, server.ownerId, {
    scopes: ['crm.contacts:write'],
  });
  const body = { emails: [{ address: 'one@both.example' }, { address: 'two@both.example' }] };
  await changesNothing(tables, async () => {
    const refused = await put(contacts, 'email', body);
    expectProblem(refused, 409, 'ambiguous_match');
    assert.deepEqual(refused.json.existingIds.toSorted(), made.map(({ id }) => id).toSorted());
    const blind = await put(contacts, 'email', body, { token });
    expectProblem(blind, 409, 'ambiguous_match');
    assert.equal(blind.json.existingIds, undefined);
  });
});

test('the body of a change may leave out what a creation needs', async () => {
  const externalId = randomUUID();
  await changesNothing(tables, async () => {
    const refused = await put('/v1/crm/companies', 'externalId', { externalId, industry: 'Software' });
    expectProblem(refused, 422, 'validation_failed');
    assert.equal(refused.json.errors[0].pointer, '/name');
  });
  await create(server, '/v1/crm/companies', { name: 'Partly', externalId });
  const changed = await put('/v1/crm/companies', 'externalId', { externalId, industry: 'Software' });
  assert.equal(changed.status, 200, changed.text);
  assert.equal(changed.json.name, 'Partly');
});

test('a role that may only create, or only change, does only that', async () => {
  const tokens: string[] = [];
  for (const action of ['create', 'update']) {
    const grants = ['read', action].map((each) => ({ resource: 'contacts', action: each, own: false }));
    const role = await create(server, '/v1/roles', { key: `only-${action}`, name: `Only ${action}`, grants });
    const userId = await createMember(server.database.worker, server.organization, 'VIEWER');
    const joined = await server.call('PATCH', `/v1/members/${encodeId('user', userId)}`, {
      body: { roleId: role.id },
    });
    assert.equal(joined.status, 200, joined.text);
    tokens.push((await createToken(server.database.worker, server.organization, userId)).token);
  }
  const [creator, changer] = tokens;
  const externalId = randomUUID();
  const body = { lastName: 'Rights', externalId };
  await changesNothing(tables, async () =>
    expectProblem(await put(contacts, 'externalId', body, { token: changer }), 403, 'permission_denied'),
  );
  assert.equal((await put(contacts, 'externalId', body, { token: creator })).status, 201);
  await changesNothing(tables, async () =>
    expectProblem(await put(contacts, 'externalId', body, { token: creator }), 403, 'permission_denied'),
  );
  assert.equal((await put(contacts, 'externalId', body, { token: changer })).status, 200);
});

test('an upsert and creations of the same value at once leave one record, and the upsert succeeds', async () => {
  for (let round = 0; round < 5; round += 1) {
    const body = { lastName: 'Race', externalId: randomUUID() };
    const responses = await Promise.all([
      server.call('POST', contacts, { body }),
      put(contacts, 'externalId', body),
      server.call('POST', contacts, { body }),
      put(contacts, 'externalId', body),
    ]);
    const created = responses.filter(({ status }) => status === 201);
    assert.equal(created.length, 1, responses.map(({ text }) => text).join());
    for (const index of [1, 3]) assert.ok([200, 201].includes(responses[index]?.status ?? 0));
  }
});

test('an upsert of a record that is being deleted creates it again', async () => {
  for (let round = 0; round < 5; round += 1) {
    const externalId = randomUUID();
    const { id } = await create(server, contacts, { lastName: 'Gone', externalId });
    const [deleted, upserted] = await Promise.all([
      server.call('DELETE', `${contacts}/${id}`),
      put(contacts, 'externalId', { lastName: 'Again', externalId }),
    ]);
    assert.equal(deleted.status, 204, deleted.text);
    assert.ok([200, 201].includes(upserted.status), upserted.text);
  }
});

test('articles are matched within their site', async () => {
  const site = await create(server, '/v1/sites', { name: 'Other', key: 'other-site' });
  const path = `/v1/sites/${world.ids.get('sites')}/articles`;
  const body = { externalId: randomUUID(), versionData: { title: 'Matched' } };
  const first = await put(path, 'externalId', body);
  assert.equal(first.status, 201, first.text);
  const elsewhere = await put(`/v1/sites/${site.id}/articles`, 'externalId', body);
  expectProblem(elsewhere, 409, 'conflict');
  assert.equal(elsewhere.json.existingId, first.json.id);
  const draft = await put(path, 'externalId', { ...body, versionData: { title: 'Changed' } });
  assert.equal(draft.status, 200, draft.text);
  assert.equal(draft.json.versionData.title, 'Changed');
});

test('a minimal response of an upsert says whether it created, and is replayed as it was', async () => {
  const body = { lastName: 'Minimal', externalId: randomUUID() };
  const headers = { prefer: 'return=minimal' };
  for (const status of [201, 204]) {
    const key = randomUUID();
    const changed = { ...body, lastName: `Minimal ${status}` };
    const first = await put(contacts, 'externalId', changed, { headers, key });
    assert.equal(first.status, status, first.text);
    assert.equal(first.text, '');
    const replay = await put(contacts, 'externalId', changed, { headers, key });
    assert.equal(replay.status, status);
    assert.equal(replay.headers.get('idempotent-replayed'), 'true');
    for (const name of ['location', 'etag']) assert.equal(replay.headers.get(name), first.headers.get(name));
  }
});

test('a replayed upsert of a deleted record is 404, and creates nothing', async () => {
  const body = { lastName: 'Replayed', externalId: randomUUID() };
  const key = randomUUID();
  const first = await put(contacts, 'externalId', body, { key });
  assert.equal((await server.call('DELETE', `${contacts}/${first.json.id}`)).status, 204);
  await changesNothing(tables, async () => {
    const replay = await put(contacts, 'externalId', body, { key });
    expectProblem(replay, 404, 'not_found');
    assert.equal(replay.json.recordId, first.json.id);
  });
});

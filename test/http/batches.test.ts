/** Tests of batches: POST below a collection. That each item is as it would be alone is tested in batches-alone.test.ts. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { createOwnWorld } from '../support/fixtures.ts';
import { createMember, createToken } from '../support/identities.ts';
import { changesNothing, expectProblem } from '../support/refusals.ts';
import { type CallOptions, type Json, startTestServer, type TestResponse } from '../support/server.ts';
import { amount } from '../support/soak.ts';
import { TenantTables } from '../support/tenant-tables.ts';
import { create } from '../support/writes.ts';

const server = await startTestServer();
const { worker } = server.database;
const tables = await TenantTables.open(server.database);
const world = await createOwnWorld(server);
after(async () => {
  await tables.close();
  await server.close();
});

const contacts = '/v1/crm/contacts';
const companies = '/v1/crm/companies';
const absent = 'com_01h455vb4pex5vsknk084sn02q';

function call(path: string, body: unknown, options: CallOptions = {}): Promise<TestResponse> {
  return server.call('POST', `${path}/batch`, { key: randomUUID(), body, ...options });
}

/** Sends a batch, and returns its outcomes. */
async function send(path: string, items: readonly object[], options: CallOptions = {}): Promise<Json[]> {
  const response = await call(path, { items }, options);
  assert.equal(response.status, 200, response.text);
  return response.json.items;
}

function statusesOf(outcomes: readonly Json[]): number[] {
  return outcomes.map(({ status }) => status);
}

function upsertOf(externalId: string, more: object = {}): object {
  return { op: 'upsert', matching: 'externalId', data: { lastName: 'Batch', externalId, ...more } };
}

test('a company and its contact are created in one call', async () => {
  const [company, contact] = await send(contacts, [
    { op: 'create', collection: companies, data: { name: 'Together Ltd' } },
    { op: 'create', data: { lastName: 'Together', companies: [{ companyId: '$0' }] } },
  ]);
  const { json } = await server.call('GET', `${contacts}/${contact.id}`);
  assert.equal(json.companies[0].companyId, company.id);
  assert.deepEqual([company.status, company.version, contact.status, contact.version], [201, 1, 201, 1]);
});

test('a reference to an upserted or changed item is to the record that it found', async () => {
  const { id } = await create(server, companies, { name: 'Found', externalId: 'found' });
  const outcomes = await send(companies, [
    { op: 'upsert', matching: 'externalId', data: { externalId: 'found', industry: 'Software' } },
    { op: 'create', data: { name: 'Below', parentCompanyId: '$0' } },
    { op: 'create', collection: contacts, data: { lastName: 'Below', companies: [{ companyId: '$1' }] } },
  ]);
  assert.deepEqual(statusesOf(outcomes), [200, 201, 201]);
  assert.equal(outcomes[0]?.id, id);
  assert.equal((await server.call('GET', `${companies}/${outcomes[1]?.id}`)).json.parentCompanyId, id);
});

test('what looks like a reference to an item is a text where no id is expected', async () => {
  const [, contact] = await send(contacts, [
    { op: 'create', data: { lastName: '$1' } },
    { op: 'create', data: { lastName: '$0', notes: '$0', tags: ['$0'] } },
  ]);
  const { json } = await server.call('GET', `${contacts}/${contact.id}`);
  assert.deepEqual([json.lastName, json.notes, json.tags], ['$0', '$0', ['$0']]);
});

test('a reference to an item that is refused, deleted, later, the same or none is refused, and nothing else', async () => {
  const { id } = await create(server, companies, { name: 'Deleted' });
  const belongs = (reference: string) => ({
    op: 'create',
    collection: contacts,
    data: { lastName: 'Lost', companies: [{ companyId: reference }] },
  });
  const outcomes = await send(companies, [
    { op: 'create', data: { nonsense: 1 } },
    { op: 'delete', id },
    belongs('$0'),
    belongs('$1'),
    belongs('$4'),
    belongs('$6'),
    { op: 'create', data: { name: 'Kept' } },
    belongs('$42'),
    belongs('$100'),
    belongs('$00'),
  ]);
  assert.deepEqual(statusesOf(outcomes), [422, 204, 422, 422, 422, 422, 201, 422, 422, 422]);
  for (const [index, { problem }] of outcomes.entries()) {
    if (problem === undefined || index === 0) continue;
    assert.equal(problem.code, 'reference_not_found');
    assert.equal(problem.errors[0].pointer, '/companies/0/companyId');
    assert.equal(problem.instance, contacts);
  }
});

test('two items that refer to each other are both refused', async () => {
  const outcomes = await send(companies, [
    { op: 'create', data: { name: 'One', parentCompanyId: '$1' } },
    { op: 'create', data: { name: 'Two', parentCompanyId: '$0' } },
  ]);
  assert.deepEqual(statusesOf(outcomes), [422, 422]);
});

test('of two items with the same unique value, the second is refused and names the first', async () => {
  const data = { lastName: 'Twice', emails: [{ address: 'twice@example.com' }] };
  const outcomes = await send(contacts, [
    { op: 'create', data },
    { op: 'create', data: { ...data, emails: [{ address: 'TWICE@example.com' }] } },
    { op: 'create', data: { lastName: 'After' } },
  ]);
  assert.deepEqual(statusesOf(outcomes), [201, 409, 201]);
  assert.equal(outcomes[1]?.problem.existingId, outcomes[0]?.id);
});

test('upserts of the same value in one batch are one record, also in another notation', async () => {
  const item = (address: string, firstName: string) => ({
    op: 'upsert',
    matching: 'email',
    data: { firstName, emails: [{ address }] },
  });
  const outcomes = await send(contacts, [
    item('case@example.com', 'Ada'),
    item('CASE@Example.com', 'Grace'),
    item('case@example.com', 'Grace'),
  ]);
  assert.deepEqual(statusesOf(outcomes), [201, 200, 200]);
  assert.equal(new Set(outcomes.map(({ id }) => id)).size, 1);
  // The second wrote the address differently, and the third again.
  assert.deepEqual(
    outcomes.map(({ version }) => version),
    [1, 2, 3],
  );
});

test('an upsert finds what an item before it has given or taken', async () => {
  const { id } = await create(server, contacts, { lastName: 'Moves', externalId: 'before' });
  const outcomes = await send(contacts, [
    { op: 'update', id, data: { externalId: 'after' } },
    upsertOf('before'),
    upsertOf('after', { firstName: 'Found' }),
    { op: 'create', data: { lastName: 'New', externalId: 'third' } },
    upsertOf('third', { firstName: 'Found' }),
  ]);
  assert.deepEqual(statusesOf(outcomes), [200, 201, 200, 201, 200]);
  assert.equal(outcomes[2]?.id, id);
  assert.equal(outcomes[4]?.id, outcomes[3]?.id);
});

test('the same record is changed several times, each time on its last version', async () => {
  const { id } = await create(server, contacts, { lastName: 'One' });
  const outcomes = await send(contacts, [
    { op: 'update', id, ifMatch: 1, data: { lastName: 'Two' } },
    { op: 'update', id, ifMatch: 1, data: { lastName: 'Stale' } },
    { op: 'update', id, ifMatch: 2, data: { lastName: 'Three' } },
    { op: 'delete', id, ifMatch: 3 },
    { op: 'update', id, data: { lastName: 'Gone' } },
  ]);
  assert.deepEqual(statusesOf(outcomes), [200, 412, 200, 204, 404]);
  assert.equal(outcomes[1]?.problem.currentVersion, 2);
});

test('a value is free for an item behind the deletion of its record', async () => {
  const { id } = await create(server, contacts, { lastName: 'Freed', externalId: 'freed' });
  const outcomes = await send(contacts, [
    { op: 'create', data: { lastName: 'Early', externalId: 'freed' } },
    { op: 'delete', id },
    { op: 'create', data: { lastName: 'Late', externalId: 'freed' } },
    upsertOf('freed', { firstName: 'Late' }),
  ]);
  assert.deepEqual(statusesOf(outcomes), [409, 204, 201, 200]);
});

test('articles of one title get slugs of their own, as alone', async () => {
  const path = `/v1/sites/${world.ids.get('sites')}/articles`;
  const item = { op: 'create', data: { versionData: { title: 'Same title' } } };
  const outcomes = await send(path, [item, item, item]);
  const slugs: string[] = [];
  for (const { id } of outcomes)
    slugs.push((await server.call('GET', `${path}/${id}`)).json.articleData.slug);
  assert.deepEqual(slugs, ['same-title', 'same-title-2', 'same-title-3']);
});

test('an empty batch and one of 101 items are refused; one of 100 is carried out', async () => {
  const items = Array.from({ length: 101 }, (_, index) => ({
    op: 'create',
    data: { lastName: `Many ${index}` },
  }));
  await changesNothing(tables, async () => {
    for (const wrong of [[], items]) {
      const refused = await call(contacts, { items: wrong });
      expectProblem(refused, 422, 'validation_failed');
      assert.equal(refused.json.errors[0].pointer, '/items');
    }
  });
  const outcomes = await send(contacts, items.slice(1));
  assert.deepEqual(new Set(statusesOf(outcomes)), new Set([201]));
  assert.equal(new Set(outcomes.map(({ id }) => id)).size, 100);
});

test('what is wrong with the form of a batch is refused as a whole, with pointers', () =>
  changesNothing(tables, async () => {
    const id = 'con_01h455vb4pex5vsknk084sn02q';
    const wrong: [object, string][] = [
      [{ op: 'replace', data: {} }, '/items/0/op'],
      [{ op: 'create' }, '/items/0/data'],
      [{ op: 'create', id, data: {} }, '/items/0/id'],
      [{ op: 'create', ifMatch: 1, data: {} }, '/items/0/ifMatch'],
      [{ op: 'update', data: {} }, '/items/0/id'],
      [{ op: 'update', id, ifMatch: '"1"', data: {} }, '/items/0/ifMatch'],
      [{ op: 'update', id, matching: 'email', data: {} }, '/items/0/matching'],
      [{ op: 'upsert', data: {} }, '/items/0/matching'],
      [{ op: 'upsert', matching: 'isbn13', data: {} }, '/items/0/matching'],
      [{ op: 'delete', id, data: {} }, '/items/0/data'],
      [{ op: 'create', collection: '/v1/tokens', data: {} }, '/items/0/collection'],
      [{ op: 'create', collection: '/v1/crm/contacts/', data: {} }, '/items/0/collection'],
      [{ op: 'create', collection: '/v1/knowledge-files', data: {} }, '/items/0/op'],
      [{ op: 'upsert', matching: 'externalId', collection: '/v1/views', data: {} }, '/items/0/op'],
    ];
    for (const [item, pointer] of wrong) {
      const refused = await call(contacts, { items: [item, upsertOf('form')] });
      expectProblem(refused, 422, 'validation_failed', JSON.stringify(item));
      assert.equal(refused.json.errors[0].pointer, pointer, refused.text);
    }
    expectProblem(await call(contacts, { items: [upsertOf('form')], nonsense: 1 }), 422, 'unknown_field');
    expectProblem(await call(contacts, [upsertOf('form')]), 422, 'validation_failed');
  }));

test('the faults of all items together are limited, and each refusal has one', async () => {
  const data = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`nonsense${index}`, 1]));
  const outcomes = await send(
    contacts,
    Array.from({ length: 50 }, () => ({ op: 'create', data })),
  );
  const counts = outcomes.map(({ problem }) => problem.errors.length);
  assert.deepEqual(new Set(counts.slice(0, 25)), new Set([40]));
  assert.deepEqual(new Set(counts.slice(25)), new Set([1]));
});

test('an atomic batch is carried out as a whole or not at all', async () => {
  const { id } = await create(server, contacts, { lastName: 'Atomic', externalId: 'atomic' });
  const good = [
    { op: 'update', id, data: { firstName: 'Changed' } },
    upsertOf('atomic-new'),
    { op: 'create', data: { lastName: 'New' } },
  ];
  const refusals: [object, string][] = [
    [{ op: 'create', data: { nonsense: 1 } }, 'unknown_field'],
    [{ op: 'create', data: { lastName: 'Taken', externalId: 'atomic' } }, 'conflict'],
    [{ op: 'update', id, ifMatch: 1, data: { firstName: 'Again' } }, 'version_mismatch'],
    [{ op: 'create', data: { lastName: 'X', companies: [{ companyId: absent }] } }, 'reference_not_found'],
    [{ op: 'delete', id: 'con_01h455vb4pex5vsknk084sn02q' }, 'not_found'],
  ];
  const key = randomUUID();
  await changesNothing(tables, async () => {
    for (const [wrong, code] of refusals) {
      // Of several refusals, the first in order is the response.
      const items = [...good, wrong, { op: 'create', data: {} }];
      const refused = await call(contacts, { items, atomic: true }, { key });
      assert.equal(refused.json.code, code, refused.text);
      assert.equal(refused.json.item, 3);
    }
  });
  const done = await call(contacts, { items: good, atomic: true }, { key });
  assert.deepEqual(statusesOf(done.json.items), [200, 201, 201], done.text);
});

test('a replay has the same bytes, whatever became of the records, and changes nothing', async () => {
  const key = randomUUID();
  const body = { items: [upsertOf('replay'), { op: 'create', data: { nonsense: 1 } }] };
  const first = await call(contacts, body, { key });
  const { id } = first.json.items[0];
  assert.equal(
    (await server.call('PATCH', `${contacts}/${id}`, { body: { lastName: 'Later' } })).status,
    200,
  );
  assert.equal((await server.call('DELETE', `${contacts}/${id}`)).status, 204);
  await changesNothing(tables, async () => {
    const replay = await call(contacts, body, { key });
    assert.equal(replay.text, first.text);
    assert.equal(replay.headers.get('idempotent-replayed'), 'true');
    expectProblem(
      await call(contacts, { items: [upsertOf('other')] }, { key }),
      422,
      'idempotency_key_reused',
    );
  });
});

test('a replay needs the rights of what was done', async () => {
  const role = await create(server, '/v1/roles', {
    key: 'replays',
    name: 'Replays',
    grants: ['read', 'create', 'update'].map((action) => ({ resource: 'contacts', action, own: false })),
  });
  const userId = await createMember(worker, server.organization, 'VIEWER');
  const member = `/v1/members/${encodeId('user', userId)}`;
  assert.equal((await server.call('PATCH', member, { body: { roleId: role.id } })).status, 200);
  const { token } = await createToken(worker, server.organization, userId);
  const key = randomUUID();
  const { id } = await create(server, contacts, { lastName: 'Rights' });
  const body = {
    items: [
      { op: 'update', id, data: { lastName: 'Changed' } },
      { op: 'delete', id },
    ],
  };
  const first = await call(contacts, body, { key, token });
  assert.deepEqual(statusesOf(first.json.items), [200, 403], first.text);
  const grants = ['read', 'create'].map((action) => ({ resource: 'contacts', action, own: false }));
  assert.equal((await server.call('PATCH', `/v1/roles/${role.id}`, { body: { grants } })).status, 200);
  await changesNothing(tables, async () =>
    expectProblem(await call(contacts, body, { key, token }), 403, 'permission_denied'),
  );
});

test('items of other collections need the rights and scopes of those', async () => {
  const { token } = await createToken(worker, server.organization, server.ownerId, {
    scopes: ['crm.contacts:write'],
  });
  const outcomes = await send(
    contacts,
    [
      { op: 'create', collection: companies, data: { name: 'Not allowed' } },
      { op: 'create', data: { lastName: 'Allowed' } },
    ],
    { token },
  );
  assert.deepEqual(statusesOf(outcomes), [403, 201]);
  assert.deepEqual(outcomes[0]?.problem.requiredScopes, ['crm.companies:write']);
});

test('an item that makes a file visible to its writer alone shows no other file to the next one', async () => {
  const files = '/v1/knowledge-files';
  const userId = await createMember(worker, server.organization, 'EDITOR');
  const { token } = await createToken(worker, server.organization, userId);
  const hidden = await create(server, files, { name: 'Hidden', visibility: 'PRIVATE' });
  const own = await server.call('POST', files, { token, body: { name: 'Own', visibility: 'PRIVATE' } });
  const { id } = own.json;
  const outcomes = await send(
    files,
    [
      { op: 'update', id, data: { name: 'Own 2' } },
      { op: 'update', id, data: { name: 'Own 3' } },
      { op: 'create', collection: '/v1/books', data: { title: 'Book', fileIds: [hidden.id] } },
      { op: 'update', id: hidden.id, data: { name: 'Found' } },
    ],
    { token },
  );
  assert.deepEqual(statusesOf(outcomes), [200, 200, 422, 404], JSON.stringify(outcomes));
});

test('batches that change the same records in different orders wait for each other', async () => {
  const made = await send(
    contacts,
    Array.from({ length: 10 }, (_, index) => upsertOf(`order-${index}`)),
  );
  const items = (round: number) =>
    made.map(({ id }) => ({ op: 'update', id, data: { firstName: `Round ${round}` } }));
  const rounds = amount(4, 20);
  const responses = await Promise.all(
    Array.from({ length: rounds }, (_, round) =>
      call(contacts, { items: round % 2 === 0 ? items(round) : items(round).toReversed() }),
    ),
  );
  for (const response of responses)
    assert.deepEqual(new Set(statusesOf(response.json.items)), new Set([200]), response.text);
  const { json } = await server.call('GET', `${contacts}/${made[0]?.id}`);
  assert.equal(json.version, 1 + rounds);
});

test('batches that create the same values in different orders at once make one record of each', async () => {
  const keys = Array.from({ length: 6 }, (_, index) => `race-${index}`);
  const responses = await Promise.all([
    call(contacts, { items: keys.map((key) => upsertOf(key)) }),
    call(contacts, { items: keys.toReversed().map((key) => upsertOf(key)) }),
    call(contacts, { items: keys.map((key) => upsertOf(key)), atomic: true }),
  ]);
  for (const response of responses) assert.equal(response.status, 200, response.text);
  const ids = new Set(responses.flatMap(({ json }) => json.items.map(({ id }: Json) => id)));
  assert.equal(ids.size, keys.length);
  const created = responses.flatMap(({ json }) => json.items).filter(({ status }: Json) => status === 201);
  assert.equal(created.length, keys.length);
});

test('a batch whose client has left is carried out once, and its retry gets the outcomes', async () => {
  const key = randomUUID();
  const body = JSON.stringify({ items: Array.from({ length: 20 }, (_, index) => upsertOf(`left-${index}`)) });
  const abort = new AbortController();
  const lost = fetch(`${server.url}${contacts}/batch`, {
    method: 'POST',
    body,
    signal: abort.signal,
    headers: {
      authorization: `Bearer ${server.token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
  });
  setTimeout(() => abort.abort(), 3);
  await lost.catch(() => undefined);
  let retry = await call(contacts, JSON.parse(body), { key });
  for (let tries = 0; retry.json.code === 'idempotency_in_progress' && tries < 50; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    retry = await call(contacts, JSON.parse(body), { key });
  }
  assert.deepEqual(new Set(statusesOf(retry.json.items)), new Set([201]), retry.text);
  const [row] = await tables.run(
    `SELECT count(*)::int AS count FROM trellis.contacts WHERE external_id LIKE 'left-%'`,
  );
  assert.equal(row?.count, 20);
});

test('a batch counts its items against the rate limits', async () => {
  const limited = await startTestServer({ rateLimit: 20 });
  const limitedTables = await TenantTables.open(limited.database);
  try {
    const items = Array.from({ length: 12 }, (_, index) => ({
      op: 'create',
      data: { lastName: `Rate ${index}` },
    }));
    const ask = (sent: readonly object[]) =>
      limited.call('POST', `${contacts}/batch`, { key: randomUUID(), body: { items: sent } });
    const first = await ask(items);
    assert.equal(first.status, 200, first.text);
    assert.match(first.headers.get('ratelimit') ?? '', /"token";r=8;/);
    await changesNothing(limitedTables, async () => {
      const refused = await ask(items);
      expectProblem(refused, 429, 'rate_limited');
      assert.ok(Number(refused.headers.get('retry-after')) >= 9);
    });
  } finally {
    await limitedTables.close();
    await limited.close();
  }
});

test('a batch of more items than the limit is carried out when nothing else was', async () => {
  const limited = await startTestServer({ rateLimit: 5 });
  try {
    const items = Array.from({ length: 12 }, (_, index) => ({
      op: 'create',
      data: { lastName: `Rate ${index}` },
    }));
    const response = await limited.call('POST', `${contacts}/batch`, { key: randomUUID(), body: { items } });
    assert.equal(response.status, 200, response.text);
    assert.match(response.headers.get('ratelimit') ?? '', /"token";r=0;/);
  } finally {
    await limited.close();
  }
});

/**
 * Tests of stored responses under idempotency keys: how much is stored, for how long, and what a retry returns
 * afterwards.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { isKeptWhenDeleted } from '@trellis/schema/resources/resource.ts';
import { isWrite, type Operation } from '@trellis/server/http/operation.ts';
import { ResponseAllowances } from '@trellis/server/pipeline/write/idempotency/response-budget.ts';
import { erasedAtOnce, finishErasures } from '@trellis/server/pipeline/write/idempotency/response-erasure.ts';
import { attempt, bodyOf, createOwnWorld, freshIds, pathOf, resourceOf } from '../support/fixtures.ts';
import { changesNothing, expectProblem } from '../support/refusals.ts';
import { startTestServer, type TestResponse } from '../support/server.ts';
import { TenantTables } from '../support/tenant-tables.ts';

// Two large responses at once, and no more for the duration of a test.
const allowances = new ResponseAllowances({ burstBytes: 1_100_000, bytesPerSecond: 1e-9 });
const server = await startTestServer({ allowances });
const tables = await TenantTables.open(server.database);
const world = await createOwnWorld(server);
const articles = `/v1/sites/${world.ids.get('sites')}/articles`;
const largeBody = 'lorem ipsum '.repeat(43_000);
after(async () => {
  await tables.close();
  await server.close();
});

/** Bytes of everything that is stored under a key. */
async function bytesUnder(key: string): Promise<number> {
  const [row] = await tables.run(
    'SELECT octet_length(k::text) AS bytes FROM trellis.idempotency_keys k WHERE key = $1',
    [key],
  );
  return Number(row?.bytes);
}

function expectSame(replay: TestResponse, first: TestResponse): void {
  assert.equal(replay.headers.get('idempotent-replayed'), 'true', replay.text);
  assert.equal(replay.text, first.text);
  assert.equal(replay.status, first.status);
  for (const header of ['etag', 'location'])
    assert.equal(replay.headers.get(header), first.headers.get(header));
}

test('a PATCH that changes nothing stores no body, and its retry returns the same response while the record is unchanged', async () => {
  const versionData = { title: 'Large', body: largeBody };
  const created = await server.call('POST', articles, { body: { versionData } });
  const path = `${articles}/${created.json.id}`;
  const key = randomUUID();
  const send = () => server.call('PATCH', path, { key, body: { versionData: { title: 'Large' } } });
  const first = await send();
  assert.equal(first.json.version, 1);
  assert.ok((await bytesUnder(key)) < 600, `${await bytesUnder(key)} bytes`);
  await changesNothing(tables, async () => expectSame(await send(), first));
  const changed = await server.call('PATCH', path, { body: { versionData: { title: 'Other' } } });
  await changesNothing(tables, async () => {
    const late = await send();
    assert.equal(late.status, 200);
    assert.equal(late.headers.get('idempotent-replayed'), 'true');
    assert.equal(late.headers.get('etag'), '"2"');
    assert.deepEqual(late.json, changed.json);
  });
  const minimalKey = randomUUID();
  const minimal = () =>
    server.call('PATCH', path, {
      key: minimalKey,
      body: { versionData: { title: 'Other' } },
      headers: { prefer: 'return=minimal' },
    });
  const empty = await minimal();
  assert.equal(empty.status, 204);
  await server.call('PATCH', path, { body: { articleData: { featured: true } } });
  expectSame(await minimal(), empty);
});

test('beyond the allowance large bodies are not stored, and no write is carried out twice', async () => {
  const created = await server.call('POST', articles, {
    body: { versionData: { title: 'Toggled', body: largeBody } },
  });
  const path = `${articles}/${created.json.id}`;
  const requests = Array.from({ length: 4 }, (_, index) => ({
    key: randomUUID(),
    body: { articleData: { featured: index % 2 === 0 } },
  }));
  const responses: TestResponse[] = [];
  for (const request of requests) responses.push(await server.call('PATCH', path, request));
  const stored = await Promise.all(requests.map(({ key }) => bytesUnder(key)));
  assert.equal(stored.filter((bytes) => bytes > 600).length <= 1, true, String(stored));
  await changesNothing(tables, async () => {
    for (const [index, request] of requests.entries()) {
      const replay = await server.call('PATCH', path, request);
      assert.equal(replay.headers.get('idempotent-replayed'), 'true');
      assert.equal(replay.status, 200);
      const isStored = (stored[index] ?? 0) > 600;
      assert.equal(replay.text, (isStored ? responses[index] : responses.at(-1))?.text);
    }
  });
  // A small record is stored whole whatever the allowance.
  const key = randomUUID();
  const tag = () =>
    server.call('POST', articles.replace('articles', 'tags'), { key, body: { name: 'Small' } });
  const first = await tag();
  assert.ok((await bytesUnder(key)) > 300);
  await server.call('PATCH', `${articles.replace('articles', 'tags')}/${first.json.id}`, {
    body: { name: 'Smaller' },
  });
  expectSame(await tag(), first);
});

/** Every table with a row that contains the text. */
async function tablesWith(text: string): Promise<string[]> {
  const names = await tables.run(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'trellis'::regnamespace AND c.relkind = 'r'`,
  );
  const found: string[] = [];
  for (const { name } of names) {
    const rows = await tables.run(`SELECT FROM trellis."${name}" t WHERE strpos(t::text, $1) > 0`, [text]);
    if (rows.length > 0) found.push(String(name));
  }
  return found;
}

function operationOf(removal: Operation, method: string, path: string): Operation {
  const found = server.server.operations.find(
    (operation) => operation.method === method && operation.path === path && isWrite(operation),
  );
  assert.ok(found, `${removal.operationId} has no ${method} ${path}`);
  return found;
}

for (const removal of server.server.operations.filter(({ method }) => method === 'DELETE')) {
  const resource = resourceOf(removal);
  // The mark stands in `externalId`, which people, roles, clients and tokens do not have.
  if (resource === undefined || !('externalId' in resource.fields)) continue;

  const isKept = isKeptWhenDeleted(resource);
  // What is kept leaves nothing behind if it is erased.
  const query = isKept ? { query: '?erase=true' } : {};

  test(`${removal.operationId}: no data of the record remains in any table, and retries return 404`, async () => {
    const mark = `mark-${randomUUID()}`;
    const create = operationOf(removal, 'POST', removal.path.replace('/{id}', ''));
    const update = operationOf(removal, 'PATCH', removal.path);
    const ids = new Map(world.ids);
    const creation = { key: randomUUID(), body: { ...bodyOf(create, ids), externalId: mark } };
    const created = await attempt(world, create, creation);
    assert.equal(created.status, 201, created.text);
    ids.set(resource.name, created.json.id);
    const change = { ids, key: randomUUID(), body: { externalId: `${mark}-2` } };
    const same = { ids, key: randomUUID(), body: { externalId: `${mark}-2` } };
    for (const request of [change, same]) assert.equal((await attempt(world, update, request)).status, 200);
    assert.ok((await tablesWith(mark)).includes('idempotency_keys'));
    const deletion = { ids, key: randomUUID(), ...query };
    assert.equal((await attempt(world, removal, deletion)).status, 204);
    assert.deepEqual(await tablesWith(mark), []);
    await changesNothing(tables, async () => {
      for (const [operation, request] of [
        [create, creation],
        [update, change],
        [update, same],
      ] as const) {
        const retry = await attempt(world, operation, request);
        expectProblem(retry, 404, 'not_found', operation.operationId);
        assert.equal(retry.headers.get('idempotent-replayed'), 'true');
        assert.equal(retry.json.recordId, created.json.id);
      }
      const again = await attempt(world, removal, deletion);
      assert.equal(again.status, 204);
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
      const fresh = await attempt(world, update, { ids, body: { externalId: mark } });
      expectProblem(fresh, 404, 'not_found');
      assert.equal(fresh.headers.get('idempotent-replayed'), null);
    });
  });

  if (isKept) {
    test(`${removal.operationId}: data of the record remain in the trash only, and in no table after it is purged`, async () => {
      const mark = `mark-${randomUUID()}`;
      const create = operationOf(removal, 'POST', removal.path.replace('/{id}', ''));
      const ids = new Map(world.ids);
      const created = await attempt(world, create, { body: { ...bodyOf(create, ids), externalId: mark } });
      ids.set(resource.name, created.json.id);
      assert.equal((await attempt(world, removal, { ids })).status, 204);
      assert.deepEqual(await tablesWith(mark), ['trash']);
      assert.equal((await server.call('DELETE', `/v1/trash/${created.json.id}`)).status, 204);
      assert.deepEqual(await tablesWith(mark), []);
    });
  }
}

test('a record with many stored responses is deleted at once, and its responses soon after', async () => {
  const mark = `mark-${randomUUID()}`;
  const key = randomUUID();
  const send = () => server.call('POST', '/v1/crm/contacts', { key, body: { lastName: mark } });
  const created = await send();
  const more = 5;
  await tables.run(
    `INSERT INTO trellis.idempotency_keys (organization_id, client_id, user_id, key, fingerprint, status, body, published,
       created_at, subject_id, shows_record, body_bytes)
     SELECT organization_id, client_id, user_id, $2 || n, fingerprint, 200, body, '{}', created_at, subject_id, true, 1
     FROM trellis.idempotency_keys, generate_series(1, $3::integer) n WHERE key = $1`,
    [key, `${mark} `, erasedAtOnce + more - 1],
  );
  assert.equal((await server.call('DELETE', `/v1/crm/contacts/${created.json.id}`)).status, 204);
  const left = async () => {
    const [row] = await tables.run(
      'SELECT count(*)::int AS n FROM trellis.idempotency_keys WHERE strpos(body, $1) > 0',
      [mark],
    );
    return row?.n;
  };
  assert.equal(await left(), more);
  // As if the response to the create were among those that are left.
  await tables.run('UPDATE trellis.idempotency_keys SET body = $2, body_dropped = false WHERE key = $1', [
    key,
    created.text,
  ]);
  const retry = await send();
  expectProblem(retry, 404, 'not_found');
  assert.equal(retry.headers.get('idempotent-replayed'), 'true');
  const { worker } = server.database;
  assert.equal(await finishErasures(worker), more + 1);
  assert.equal(await left(), 0);
  assert.deepEqual(await tables.run('SELECT FROM trellis.response_erasures'), []);
  assert.equal(await finishErasures(worker), 0);
});

test('the database roles of a server may erase stored responses, but not replace them', async () => {
  const { api, worker } = server.database;
  const { organization, ownerId } = server;
  const scope = { organizationId: organization.id, userId: ownerId };
  const change = (what: string) => ({
    statement: { name: '', text: `UPDATE trellis.idempotency_keys SET ${what} WHERE organization_id = $1` },
    values: [organization.id],
  });
  for (const what of [
    `body = 'forged'`,
    `body = NULL`,
    `body_dropped = false`,
    `body = 'forged', body_dropped = true`,
    'status = 500',
  ]) {
    await assert.rejects(api.execute(scope, [change(what)]), { code: '42501' }, `api: ${what}`);
    await assert.rejects(worker.executeInBackground([change(what)]), { code: '42501' }, `worker: ${what}`);
  }
});

test('a response with more than the record is stored completely', async () => {
  const path = '/v1/webhook-endpoints';
  const operation = server.server.operations.find(
    ({ operationId }) => operationId === 'rotateWebhookEndpointSecret',
  );
  assert.ok(operation);
  const ids = await freshIds(world, operation);
  const key = randomUUID();
  const rotate = () => server.call('POST', pathOf(operation, ids), { key });
  const first = await rotate();
  const [row] = await tables.run('SELECT shows_record FROM trellis.idempotency_keys WHERE key = $1', [key]);
  assert.equal(row?.shows_record, false);
  await server.call('PATCH', `${path}/${first.json.id}`, { body: { description: 'Changed' } });
  expectSame(await rotate(), first);
  await server.call('DELETE', `${path}/${first.json.id}`);
  expectProblem(await rotate(), 404, 'not_found');
});

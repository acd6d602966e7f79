/**
 * Tests of responses under idempotency keys, which are rendered again: how little is stored, what a retry returns after further changes,
 * and that nothing is left of an erased record.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { goesToTrash, hasHistory } from '@trellis/schema/resources/resource.ts';
import { isWrite, type Operation } from '@trellis/server/kernel/http/operation.ts';
import { mostChanges } from '@trellis/server/kernel/pipeline/changes.ts';
import { erasedAtOnce, finishErasures } from '@trellis/server/kernel/pipeline/write/erasure.ts';
import { attempt, bodyOf, createOwnWorld, freshIds, pathOf, resourceOf } from '../support/fixtures.ts';
import { changesNothing, expectProblem } from '../support/refusals.ts';
import { startTestServer, type TestResponse } from '../support/server.ts';
import { TenantTables } from '../support/tenant-tables.ts';

const server = await startTestServer();
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

test('a PATCH of a large record stores little, and its retry returns the same bytes whatever has changed since', async () => {
  const versionData = { title: 'Large', body: largeBody };
  const created = await server.call('POST', articles, { body: { versionData } });
  const path = `${articles}/${created.json.id}`;
  const requests = [
    { versionData: { title: 'Large' } },
    { articleData: { featured: true } },
    { versionData: { title: 'Other' } },
    { versionData: { body: `${largeBody.slice(0, 1_000)}and ${largeBody.slice(1_000)}` } },
  ].map((body) => ({ key: randomUUID(), body }));
  const responses: TestResponse[] = [];
  for (const request of requests) responses.push(await server.call('PATCH', path, request));
  assert.deepEqual(
    responses.map(({ json }) => json.version),
    [1, 2, 3, 4],
  );
  for (const { key } of requests) assert.ok((await bytesUnder(key)) < 600, `${await bytesUnder(key)} bytes`);
  const [changes] = await tables.run(
    'SELECT sum(octet_length(c::text))::integer AS bytes FROM trellis.changes c WHERE fields LIKE $1',
    ['%"versionData.body"%'],
  );
  assert.ok(Number(changes?.bytes) < 300, `${changes?.bytes} bytes`);
  await changesNothing(tables, async () => {
    for (const [index, request] of requests.entries())
      expectSame(await server.call('PATCH', path, request), responses[index] as TestResponse);
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
  await server.call('PATCH', path, { body: { articleData: { featured: false } } });
  expectSame(await minimal(), empty);
});

test('a retry after more changes than are read returns the record as it is', async () => {
  const key = randomUUID();
  const create = () => server.call('POST', '/v1/crm/companies', { key, body: { name: 'Busy' } });
  const created = await create();
  const path = `/v1/crm/companies/${created.json.id}`;
  // As if it had been renamed as often as is read, and once more.
  const addChanges = (from: number, to: number) =>
    tables.run(
      `INSERT INTO trellis.changes (organization_id, record_id, version, changed_at, action, fields)
       SELECT organization_id, id, n, now(), 'updated', json_build_object('name',
         json_build_array(CASE n WHEN 2 THEN 'Busy' ELSE 'Busy ' || n - 1 END, 'Busy ' || n))
       FROM trellis.companies, generate_series($2::integer, $3::integer) n WHERE name LIKE $1`,
      ['Busy%', from, to],
    );
  const setVersion = (version: number) =>
    tables.run(
      `UPDATE trellis.companies SET version = $1, name = 'Busy ' || $1::integer WHERE name LIKE 'Busy%'`,
      [version],
    );
  await addChanges(2, mostChanges + 1);
  await setVersion(mostChanges + 1);
  expectSame(await create(), created);
  await addChanges(mostChanges + 2, mostChanges + 2);
  await setVersion(mostChanges + 2);
  const current = await server.call('GET', path);
  const late = await create();
  assert.equal(late.status, 201);
  assert.equal(late.headers.get('idempotent-replayed'), 'true');
  assert.equal(late.text, current.text);
  assert.equal(late.headers.get('etag'), `"${mostChanges + 2}"`);
});

test('a retry whose changes are no longer stored returns the record as it is', async () => {
  const key = randomUUID();
  const create = () => server.call('POST', '/v1/crm/companies', { key, body: { name: 'Old' } });
  const created = await create();
  for (const name of ['Older', 'Oldest'])
    await server.call('PATCH', `/v1/crm/companies/${created.json.id}`, { body: { name } });
  expectSame(await create(), created);
  await tables.run(`DELETE FROM trellis.changes WHERE fields LIKE '%"Older"%' AND version = 2`);
  const late = await create();
  assert.equal(late.status, 201);
  assert.equal(late.headers.get('idempotent-replayed'), 'true');
  assert.equal(late.json.name, 'Oldest');
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

  const isTrashable = goesToTrash(resource);
  // What is kept leaves nothing behind if it is erased.
  const query = isTrashable ? { query: '?erase=true' } : {};

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
    assert.equal((await tablesWith(mark)).includes('changes'), hasHistory(resource));
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

  if (isTrashable) {
    test(`${removal.operationId}: data of the record remain in the trash and its history only, and in no table after it is purged`, async () => {
      const mark = `mark-${randomUUID()}`;
      const create = operationOf(removal, 'POST', removal.path.replace('/{id}', ''));
      const ids = new Map(world.ids);
      const created = await attempt(world, create, { body: { ...bodyOf(create, ids), externalId: mark } });
      ids.set(resource.name, created.json.id);
      const change = { ids, body: { externalId: `${mark}-2` } };
      assert.equal((await attempt(world, operationOf(removal, 'PATCH', removal.path), change)).status, 200);
      assert.equal((await attempt(world, removal, { ids })).status, 204);
      assert.deepEqual((await tablesWith(mark)).toSorted(), ['changes', 'trash']);
      assert.equal((await server.call('DELETE', `/v1/trash/${created.json.id}`)).status, 204);
      assert.deepEqual(await tablesWith(mark), []);
    });
  }
}

test('a record with many changes and stored bodies is deleted at once, and they soon after', async () => {
  const mark = `mark-${randomUUID()}`;
  const key = randomUUID();
  const send = () => server.call('POST', '/v1/crm/contacts', { key, body: { lastName: mark } });
  const created = await send();
  const more = 5;
  await tables.run(
    `INSERT INTO trellis.idempotency_keys (organization_id, client_id, user_id, key, fingerprint, status, shows, body, published,
       created_at, subject_id)
     SELECT organization_id, client_id, user_id, $2 || n, fingerprint, 200, 'OTHER', $2, '{}', created_at, subject_id
     FROM trellis.idempotency_keys, generate_series(1, $3::integer) n WHERE key = $1`,
    [key, `${mark} `, erasedAtOnce + more],
  );
  await tables.run(
    `INSERT INTO trellis.changes (organization_id, record_id, version, changed_at, action, fields)
     SELECT organization_id, subject_id, n + 1, now(), 'updated', json_build_object('lastName', json_build_array($2::text, $2::text))
     FROM trellis.idempotency_keys, generate_series(1, $3::integer) n WHERE key = $1`,
    [key, mark, erasedAtOnce + more],
  );
  assert.equal((await server.call('DELETE', `/v1/crm/contacts/${created.json.id}?erase=true`)).status, 204);
  const left = async () => {
    const [row] = await tables.run(
      `SELECT (SELECT count(*) FROM trellis.idempotency_keys WHERE strpos(body, $1) > 0)::integer AS bodies,
         (SELECT count(*) FROM trellis.changes WHERE strpos(fields, $1) > 0)::integer AS changes`,
      [mark],
    );
    return row;
  };
  assert.deepEqual(await left(), { bodies: more, changes: more });
  const retry = await send();
  expectProblem(retry, 404, 'not_found');
  assert.equal(retry.headers.get('idempotent-replayed'), 'true');
  const { worker } = server.database;
  assert.equal(await finishErasures(worker), 2 * more);
  assert.deepEqual(await left(), { bodies: 0, changes: 0 });
  assert.deepEqual(await tables.run('SELECT FROM trellis.erasures'), []);
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
  for (const what of [`body = 'forged'`, `shows = 'NOTHING'`, 'status = 500']) {
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
  const [row] = await tables.run('SELECT shows FROM trellis.idempotency_keys WHERE key = $1', [key]);
  assert.equal(row?.shows, 'OTHER');
  await server.call('PATCH', `${path}/${first.json.id}`, { body: { description: 'Changed' } });
  expectSame(await rotate(), first);
  await server.call('DELETE', `${path}/${first.json.id}`);
  expectProblem(await rotate(), 404, 'not_found');
});

/** Tests of the sandbox: three operations, 64-bit ids, its own error body. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AdminClient } from '../support/admin-client.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { startTestServer, type TestResponse, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

let server: TestServer;
let token: string;
before(async () => {
  server = await startTestServer();
  token = (
    await createToken(server.database.worker, server.organization, server.ownerId, { audiences: ['sandbox'] })
  ).token;
});
after(() => server.close());

function send(method: string, path: string, rawBody?: string, as = token): Promise<TestResponse> {
  return server.call(method, `/sandbox${path}`, {
    token: as,
    key: null,
    ...(rawBody === undefined ? {} : { rawBody }),
  });
}

function assertError(response: TestResponse, status: number, error: number): void {
  assert.equal(response.status, status, response.text);
  assert.deepEqual(Object.keys(response.json), ['error', 'message']);
  assert.equal(response.json.error, error, response.text);
  assert.equal(typeof response.json.message, 'string');
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
}

test('the minimum and maximum int64 ids work in create, list, error messages and delete', async () => {
  for (const id of ['9223372036854775807', '-9223372036854775808', '9007199254740993', '0', '-1']) {
    const created = await send('POST', '/plants', `{"id": ${id}, "name": "Plant ${id}"}`);
    assert.equal(created.status, 200, created.text);
    assert.deepEqual(created.json, { name: `Plant ${id}` });
    const again = await send('POST', '/plants', `{"id": ${id}, "name": "Other"}`);
    assertError(again, 400, 1004);
    assert.match(again.json.message, new RegExp(`\\b${id.replace('-', '-?')}\\b`));
  }
  const list = await send('GET', '/plants');
  assert.deepEqual(
    list.json.map(({ name }: { name: string }) => name),
    [
      'Plant 9223372036854775807',
      'Plant -9223372036854775808',
      'Plant 9007199254740993',
      'Plant 0',
      'Plant -1',
    ],
  );
  assertError(await send('DELETE', '/plants/9007199254740992'), 404, 3001);
  for (const id of ['9223372036854775807', '-9223372036854775808', '9007199254740993', '0', '-1']) {
    const removed = await send('DELETE', `/plants/${id}`);
    assert.equal(removed.status, 204);
    assert.equal(removed.text, '');
    assertError(await send('DELETE', `/plants/${id}`), 404, 3001);
  }
});

test('an id is an integer written as a number', async () => {
  for (const id of [
    '9223372036854775808',
    '-9223372036854775809',
    '1.5',
    '"1"',
    'true',
    'null',
    '1e19',
    '9007199254740991.4',
    '1e3',
    '1.0',
    '-0',
    '[1]',
    '{}',
  ]) {
    assertError(await send('POST', '/plants', `{"id": ${id}, "name": "x"}`), 400, 1002);
  }
  assert.deepEqual((await send('GET', '/plants')).json, []);
});

test('bodies are parsed strictly', async () => {
  assertError(await send('POST', '/plants', '{"id": 1, "name": "x", "nmae": "y"}'), 400, 1003);
  assertError(await send('POST', '/plants', '{"id": 1, "id": 2, "name": "x"}'), 400, 1001);
  assertError(await send('POST', '/plants', '{"id": 1'), 400, 1001);
  assertError(await send('POST', '/plants', ''), 400, 1001);
  assertError(await send('POST', '/plants', '[]'), 400, 1002);
  assertError(await send('POST', '/plants', '{"id": 1}'), 400, 1002);
  assertError(await send('POST', '/plants', '{"name": "x"}'), 400, 1002);
  assertError(await send('POST', '/plants', '{"id": 1, "name": "x", "tag": null}'), 400, 1002);
  assertError(await send('POST', '/plants', `{"id": 1, "name": "${'x'.repeat(1_100_000)}"}`), 413, 4001);
  const text = await server.call('POST', '/sandbox/plants', {
    token,
    rawBody: '{"id": 1, "name": "x"}',
    headers: { 'content-type': 'text/plain' },
  });
  assertError(text, 415, 4002);
  const packed = await server.call('POST', '/sandbox/plants', {
    token,
    rawBody: '{"id": 1, "name": "x"}',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  });
  assertError(packed, 415, 4002);
  assert.equal(packed.headers.get('accept-encoding'), 'identity');
  assert.deepEqual((await send('GET', '/plants')).json, []);
});

test('queries and paths are parsed strictly', async () => {
  for (const query of ['limit=0', 'limit=2147483648', 'limit=x', 'limit=1&limit=2', 'limt=1']) {
    assertError(await send('GET', `/plants?${query}`), 400, 1006);
  }
  for (const id of ['x', '1.5', '9223372036854775808', '1e3', '1.0', '-0', '007', '%20']) {
    assertError(await send('DELETE', `/plants/${id}`), 400, 1007);
  }
  assertError(await send('GET', '/nothing'), 404, 3001);
  for (const [method, path, body] of [
    ['POST', '/plants?dryRun=1', '{"id": 6, "name": "dry"}'],
    ['DELETE', '/plants/6?dryRun=1'],
  ] as const) {
    assertError(await send(method, path, body), 400, 1006);
  }
  assert.deepEqual((await send('GET', '/plants?limit=2147483647')).json, []);
});

test('undecodable paths and unsupported methods get the error body of the sandbox', async () => {
  for (const [method, path] of [
    ['DELETE', '/plants/%zz'],
    ['GET', '/%zz'],
    ['GET', '/plants/%ff%fe'],
  ] as const) {
    assertError(await send(method, path), 404, 3001);
  }
  for (const [method, path, allow] of [
    ['PUT', '/plants', 'GET, HEAD, POST'],
    ['PATCH', '/plants', 'GET, HEAD, POST'],
    ['OPTIONS', '/plants', 'GET, HEAD, POST'],
    ['GET', '/plants/1', 'DELETE'],
    ['POST', '/openapi.json', 'GET, HEAD'],
  ] as const) {
    const response = await fetch(`${server.url}/sandbox${path}`, { method });
    const { status, headers } = response;
    const text = await response.text();
    assertError({ status, headers, text, json: JSON.parse(text) }, 405, 4004);
    assert.equal(headers.get('allow'), allow);
  }
});

test('only tokens of the sandbox are accepted, and rights are checked by current state', async () => {
  assertError(await server.call('GET', '/sandbox/plants', { token: null }), 401, 2001);
  assertError(await server.call('GET', '/sandbox/plants', { token: 'nonsense' }), 401, 2002);
  assertError(await server.call('GET', '/sandbox/plants'), 401, 2002);
  assert.equal((await server.call('GET', '/v1/sites', { token })).status, 401);
  const { worker } = server.database;
  const reader = await createToken(worker, server.organization, server.ownerId, {
    audiences: ['sandbox'],
    scopes: ['plants:read'],
  });
  assertError(await send('POST', '/plants', '{"id": 5, "name": "x"}', reader.token), 403, 2003);
  const viewer = await createMember(worker, server.organization, 'VIEWER');
  const viewing = await createToken(worker, server.organization, viewer, { audiences: ['sandbox'] });
  assertError(await send('POST', '/plants', '{"id": 5, "name": "x"}', viewing.token), 403, 2003);
  assert.equal((await send('GET', '/plants', undefined, viewing.token)).status, 200);
  await worker.run('UPDATE trellis.tokens SET revoked_at = now() WHERE id = $1', [viewing.id]);
  assertError(await send('DELETE', '/plants/5', undefined, viewing.token), 401, 2002);
});

test('plants of another organization are not visible, and their ids can be used', async () => {
  const { worker } = server.database;
  const other = await createOrganization(worker, 'other');
  const member = await createMember(worker, other, 'OWNER');
  const theirs = await createToken(worker, other, member, { audiences: ['sandbox'] });
  assert.equal((await send('POST', '/plants', '{"id": 77, "name": "ours"}')).status, 200);
  assert.equal((await send('POST', '/plants', '{"id": 77, "name": "theirs"}', theirs.token)).status, 200);
  assert.deepEqual((await send('GET', '/plants', undefined, theirs.token)).json, [{ name: 'theirs' }]);
  assert.equal((await send('DELETE', '/plants/77', undefined, theirs.token)).status, 204);
  assert.deepEqual((await send('GET', '/plants')).json, [{ name: 'ours' }]);
});

test('an overloaded server, or one without its database, responds with Retry-After', async () => {
  const holder = await AdminClient.open(server.database);
  // Of this database only: other tests wait for locks of theirs on the same server.
  const waiting = `SELECT pid FROM pg_locks WHERE NOT granted AND relation = 'trellis.plants'::regclass
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  const requests = [
    ['POST', '/plants', '{"id": 503, "name": "late"}'],
    ['GET', '/plants'],
    ['DELETE', '/plants/503'],
  ] as const;
  try {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE trellis.plants IN ACCESS EXCLUSIVE MODE');
    for (const ending of ['the wait ends by itself', 'the connection is cut'] as const) {
      for (const [method, path, body] of requests) {
        const pending = send(method, path, body);
        if (ending === 'the connection is cut') {
          await until(`${method} waits`, async () => ((await holder.query(waiting)).rowCount ?? 0) > 0);
          await holder.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) w`);
        }
        const response = await pending;
        assertError(response, 503, 5001);
        assert.equal(response.headers.get('retry-after'), '1');
      }
    }
  } finally {
    await holder.end();
  }
  assert.equal((await send('POST', '/plants', '{"id": 503, "name": "in time"}')).status, 200);
  assert.equal((await send('DELETE', '/plants/503')).status, 204);
});

test('an organization has at most a thousand plants, also under concurrent creates', async () => {
  const { worker } = server.database;
  const full = await createOrganization(worker, 'full');
  const member = await createMember(worker, full, 'OWNER');
  const { token: own } = await createToken(worker, full, member, { audiences: ['sandbox'] });
  for (let base = 0; base < 990; base += 30) {
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        send('POST', '/plants', `{"id": ${base + index}, "name": "p"}`, own),
      ),
    );
  }
  const last = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      send('POST', '/plants', `{"id": ${2_000 + index}, "name": "p"}`, own),
    ),
  );
  assert.equal(last.filter(({ status }) => status === 200).length, 10);
  for (const response of last.filter(({ status }) => status !== 200)) assertError(response, 400, 1005);
  assert.equal((await send('GET', '/plants', undefined, own)).json.length, 1_000);
  assert.equal((await send('GET', '/plants?limit=7', undefined, own)).json.length, 7);
});

test('what the document accepts as a plant is accepted: an empty tag is the same as none', async () => {
  const { json: document } = await server.call('GET', '/sandbox/openapi.json', { token: null });
  const { tag } = document.components.schemas.Plant.properties;
  assert.equal(tag.minLength, undefined);
  const created = await send('POST', '/plants', '{"id": 7001, "name": "Fern", "tag": ""}');
  assert.deepEqual([created.status, created.json], [200, { name: 'Fern' }]);
  assert.equal((await send('DELETE', '/plants/7001')).status, 204);
});

test('a delete reads its body: none or an empty object is accepted, anything else refused, and nothing is deleted', async () => {
  await send('POST', '/plants', '{"id": 7002, "name": "Fern"}');
  for (const malformed of ['{"id"', '{{{', ' ', '{"a":1,"a":2}'])
    assertError(await send('DELETE', '/plants/7002', malformed), 400, 1001);
  assertError(await send('DELETE', '/plants/7002', '{"force": true}'), 400, 1003);
  for (const other of ['[]', 'null', '1', '"x"'])
    assertError(await send('DELETE', '/plants/7002', other), 400, 1002);
  const typed = await server.call('DELETE', '/sandbox/plants/7002', {
    token,
    key: null,
    rawBody: 'x',
    headers: { 'content-type': 'text/plain' },
  });
  assertError(typed, 415, 4002);
  assert.equal((await send('DELETE', '/plants/7002', '{}')).status, 204);
});

test('a token of the other interface is told which one it is for; a token that is not valid is not', async () => {
  const { worker } = server.database;
  const onSandbox = await send('GET', '/plants', undefined, server.token);
  assertError(onSandbox, 401, 2002);
  assert.match(onSandbox.json.message, /is for the API under \/v1, not for the sandbox.*--resource sandbox/);
  const onApi = await server.call('GET', '/v1/books', { token });
  assert.equal(onApi.status, 401);
  assert.match(onApi.json.detail, /is for the sandbox, not for the API under \/v1.*--resource api/);
  assert.match(onApi.headers.get('www-authenticate') ?? '', /error="invalid_token"/);
  const ended = await createToken(worker, server.organization, server.ownerId);
  await worker.run('UPDATE trellis.tokens SET revoked_at = now() WHERE id = $1', [ended.id]);
  const made = `trl_${'x'.repeat(40)}`;
  for (const unknown of [ended.token, made]) {
    const refused = await send('GET', '/plants', undefined, unknown);
    assertError(refused, 401, 2002);
    assert.doesNotMatch(refused.json.message, /\/v1/);
  }
});

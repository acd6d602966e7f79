/**
 * Tests of routing: unknown routes are 404 and unsupported methods 405 with `Allow`, whatever else is wrong with the
 * request; every path has a single spelling.
 */
import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { after, test } from 'node:test';
import { limits } from '@trellis/schema/resources/limits.ts';
import { step } from '@trellis/server/kernel/database/batch.ts';
import { isWrite } from '@trellis/server/kernel/http/operation.ts';
import { absentId, attempt, createOwnWorld, essence, pathOf, requiredQuery } from '../../support/fixtures.ts';
import { closeRawConnections, type RawRequest, sendRaw } from '../../support/raw-requests.ts';
import { expectProblem } from '../../support/refusals.ts';
import { startTestServer, type TestResponse } from '../../support/server.ts';
import { casesFor } from '../../support/soak.ts';

const server = await startTestServer();
const world = await createOwnWorld(server);
after(async () => {
  closeRawConnections();
  await server.close();
});

// As after a minute of use: the time when a member was last seen would otherwise be there for one request, and not for the one before it.
await server.database.api.execute({ organizationId: server.organization.id, userId: null }, [
  step({ name: 'tokens_were_used', text: 'UPDATE trellis.tokens SET last_used_at = statement_timestamp()' }),
]);

const authorization = { authorization: `Bearer ${server.token}` };
/**
 * The methods of RFC 9110 and 5789, except CONNECT, which has no path, and HEAD, whose response has no body to check.
 */
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
/** All others that Node can read. */
const oddMethods = METHODS.filter((method) => ![...methods, 'CONNECT', 'HEAD'].includes(method));

/** Bodies that would be refused where bodies are read. */
const bodies: readonly Omit<RawRequest, 'method' | 'path'>[] = [
  {},
  { headers: { 'content-type': 'application/json' }, body: '{' },
  { headers: { 'content-type': 'text/xml' }, body: '<a/>' },
  { headers: { 'content-type': 'nonsense' }, body: 'x' },
  { headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' }, body: 'x' },
  { headers: { 'content-type': 'application/json' }, body: Buffer.alloc(limits.bodyBytes + 1, ' ') },
];

function get(path: string): Promise<TestResponse> {
  return sendRaw(server.url, { method: 'GET', path, headers: authorization });
}

const absentPaths = [
  '/nothing',
  '/v1',
  '/v1/',
  '/v1/nothing',
  '/v1/nothing/here',
  '/v2/sites',
  '/docs/nothing',
];

for (const [index, path] of absentPaths.entries()) {
  test(`${path} is not found, with any method and any body`, async () => {
    for (const [place, method] of methods.entries()) {
      for (const body of casesFor(index + place, bodies)) {
        const response = await sendRaw(server.url, { method, path, ...body });
        expectProblem(response, 404, 'not_found', `${method} ${JSON.stringify(body.headers)}`);
        assert.equal(response.json.instance, path);
      }
    }
    for (const method of [...oddMethods, 'HEAD']) {
      assert.equal((await sendRaw(server.url, { method, path })).status, 404, method);
    }
  });
}

test('a misspelt path is told the nearest one of the API, whoever asks', async () => {
  for (const headers of [authorization, {}]) {
    for (const [path, nearest] of [
      ['/v1/boooks?limit=3', '/v1/books'],
      ['/v1/crm/contact', '/v1/crm/contacts'],
      ['/v1/knowledge_files', '/v1/knowledge-files'],
      ['/v1/artcles', '/v1/sites/{siteId}/articles'],
      ['/books', '/v1/books'],
      // Of all that end so, the one with the same beginning.
      ['/v1/crm/contacts/con_1/histroy', '/v1/crm/contacts/{id}/history'],
      ['/v1/magazines/mag_1/issues/iss_1/histroy', '/v1/magazines/{magazineId}/issues/{id}/history'],
    ] as const) {
      const response = await sendRaw(server.url, { method: 'GET', path, headers });
      expectProblem(response, 404, 'not_found');
      assert.equal(response.json.detail, `Not found. Did you mean "${nearest}"?`);
    }
    const response = await sendRaw(server.url, { method: 'GET', path: '/v1/nothing', headers });
    assert.equal(response.json.detail, 'Not found.');
  }
});

test('unknown methods are refused on every path', async () => {
  for (const [index, path] of ['/v1/sites', '/v1/openapi', '/docs', '/healthz'].entries()) {
    for (const method of casesFor(index, oddMethods)) {
      const response = await sendRaw(server.url, { method, path, headers: authorization });
      assert.match(
        `${response.status} ${response.json.code}`,
        /^(404 not_found|405 method_not_allowed)$/,
        method,
      );
    }
  }
});

for (const [index, [route, has]] of [...server.server.routes].entries()) {
  // The sandbox responds in its own form.
  if (route.startsWith('/sandbox/')) continue;
  const path = route.replace(/:\w+/g, 'x');

  test(`${route} responds to unsupported methods with 405 and the supported ones`, async () => {
    for (const [place, method] of methods.entries()) {
      if (has.has(method)) continue;
      // Every body with the methods that usually have one.
      const hasBody = ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method);
      for (const body of hasBody ? casesFor(index + place, bodies) : [{}]) {
        const response = await sendRaw(server.url, { method, path, ...body });
        expectProblem(response, 405, 'method_not_allowed', `${method} ${JSON.stringify(body.headers)}`);
        assert.deepEqual(response.headers.get('allow')?.split(', '), [...has].sort());
      }
    }
    for (const method of has) {
      const { status } = await sendRaw(server.url, { method, path });
      assert.notEqual(status, 405, `${method} is in Allow`);
    }
    if (!has.has('HEAD')) assert.equal((await sendRaw(server.url, { method: 'HEAD', path })).status, 405);
  });
}

for (const operation of server.server.operations.filter((candidate) => !isWrite(candidate))) {
  test(`${operation.operationId}: HEAD is GET without the body`, async () => {
    const path = pathOf(operation, world.ids) + requiredQuery(operation);
    const headers = { ...authorization, 'x-request-id': 'head' };
    const head = await sendRaw(server.url, { method: 'HEAD', path, headers });
    const full = await sendRaw(server.url, { method: 'GET', path, headers });
    // The framing of the body is known only if there is a body (RFC 9110, 9.3.2).
    const comparable = (response: TestResponse) =>
      [...response.headers].filter(([name]) => name !== 'date' && name !== 'transfer-encoding');
    assert.equal(head.status, full.status);
    assert.equal(head.text, '');
    assert.deepEqual(comparable(head), comparable(full));
  });
}

test('a path has one spelling', async () => {
  assert.equal((await get('/v1/sites')).status, 200);
  for (const path of [
    '/v1/sites/',
    '//v1/sites',
    '/v1//sites',
    '/v1/sites//',
    '/v1/./sites',
    '/v1/../v1/sites',
    '/v1/%2e/sites',
    '/v1/%2e%2e/v1/sites',
    '/V1/sites',
    '/v1/Sites',
    '/v1%2Fsites',
    '/v1/sites%2F',
    '/v1/sites%20',
    '/v1/sites%00',
    '/v1/sites;a=b',
    '/v1\\sites',
    '/v1/sites%3Flimit=1',
  ]) {
    expectProblem(await get(path), 404, 'not_found', path);
  }
});

test('letters that need no encoding mean the same encoded (RFC 3986, 6.2.2.2)', async () => {
  assert.equal((await get('/v1/%73ites')).text, (await get('/v1/sites')).text);
});

test('a path that is not percent-encoded UTF-8 is not found', async () => {
  for (const path of [
    '/%',
    '/%zz',
    '/v1/%',
    '/v1/sites/%ff',
    '/v1/sites/%E0%A4%A',
    '/v1/sites/%C0%80',
    '/%ED%A0%80',
  ]) {
    expectProblem(await get(path), 404, 'not_found', path);
  }
});

test('a long path is not found; one that is too long for a request is refused', async () => {
  for (const path of [
    `/${'a'.repeat(8_000)}`,
    `/v1/sites/${'a'.repeat(8_000)}`,
    `/v1${'/a'.repeat(4_000)}`,
  ]) {
    expectProblem(await get(path), 404, 'not_found');
  }
  // The connection is closed with the response, and may be so before it arrives.
  const refused = await fetch(`${server.url}/v1/sites/${'a'.repeat(20_000)}`).catch(() => null);
  assert.ok(refused === null || refused.status === 431);
  assert.equal((await get('/v1/sites')).status, 200);
});

test('malformed ids get the same response as ids that do not exist', async () => {
  const shapes = (id: string) => {
    const [prefix = ''] = id.split('_');
    const suffix = id.slice(prefix.length + 1);
    return [
      prefix,
      `${prefix}_`,
      suffix,
      `${prefix}-${suffix}`,
      `${prefix}_${suffix}x`,
      `${prefix}_${suffix.slice(1)}`,
      `${prefix}_8${suffix.slice(1)}`,
      `${prefix}_zzzzzzzzzzzzzzzzzzzzzzzzzz`,
      ` ${id}`,
      `${id} `,
      `${id}\u0000`,
      `${id}/`,
      `${id}%20`,
      `${id}' OR '1'='1`,
      '01977f2e-8b5a-7c3d-9e10-5d2f8a6b7c90',
      '-1',
      '0',
      'null',
      '{id}',
      '😀',
      'a'.repeat(300),
    ];
  };
  for (const [index, operation] of server.server.operations.entries()) {
    for (const { resource } of operation.pathParameters) {
      if (resource === null) continue;
      const id = world.ids.get(resource) ?? '';
      const withId = (other: string) => ({ ids: new Map([...world.ids, [resource, other]]) });
      const absent = await attempt(world, operation, withId(absentId(id)));
      expectProblem(absent, 404, 'not_found', operation.operationId);
      for (const shape of casesFor(index, shapes(id))) {
        const response = await attempt(world, operation, withId(shape));
        assert.deepEqual(essence(response), essence(absent), `${operation.operationId}: ${shape}`);
      }
    }
  }
});

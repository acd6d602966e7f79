/**
 * Tests of access to the identify call: every wrong combination of origin, key, header and body is refused and changes
 * nothing, and publishable keys and tokens are not interchangeable.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { newUuid } from '@trellis/schema/values/ids.ts';
import {
  createBrowserClient,
  setClientOrigins,
  setClientStatus,
} from '@trellis/server/features/access/clients.ts';
import { visitorLimits } from '@trellis/server/features/visitors/limits.ts';
import { makePublishableKey } from '@trellis/server/kernel/identity/publishable-key.ts';
import { createOwnWorld, createRecord } from '../support/fixtures.ts';
import { changesNothing, expectChallenge, expectProblem } from '../support/refusals.ts';
import { startTestServer } from '../support/server.ts';
import { TenantTables } from '../support/tenant-tables.ts';
import { createPublishableKey, identify, identifyBody, pageOrigin } from '../support/visitors.ts';

const server = await startTestServer();
const tables = await TenantTables.open(server.database);
const world = await createOwnWorld(server);
const siteId = world.ids.get('sites') ?? '';
after(async () => {
  await tables.close();
  await server.close();
});
const otherOrigin = 'http://localhost:8080';
const { key } = await createPublishableKey(server, world.organization, siteId);
const { key: otherKey } = await createPublishableKey(server, world.organization, siteId, [otherOrigin]);
const path = '/v1/visitors/identify';

function preflight(origin: string | null, method = 'OPTIONS'): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method,
    headers: {
      ...(origin === null ? {} : { origin }),
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-client-key',
    },
  });
}

/** Origins that are not the key's, close as they may be. */
const wrongOrigins = [
  'https://example.com',
  'http://www.example.com',
  'https://www.example.com:8443',
  'https://www.example.com:443',
  'https://www.example.com.evil.example',
  'https://evil-www.example.com',
  'https://WWW.EXAMPLE.COM',
  'https://www.example.com/',
  'https://www.example.com, https://evil.example',
  'null',
  '*',
  'file://',
  `https://${'a'.repeat(300)}.example`,
];

test('preflights get a response for known origins only', async () => {
  for (const origin of [pageOrigin, otherOrigin]) {
    const response = await preflight(origin);
    assert.equal(response.status, 204);
    assert.equal(response.headers.get('access-control-allow-origin'), origin);
    assert.equal(response.headers.get('access-control-allow-methods'), 'POST');
    assert.equal(response.headers.get('access-control-allow-headers'), 'Content-Type, X-Client-Key');
    assert.equal(response.headers.get('access-control-allow-credentials'), null);
    assert.ok(Number(response.headers.get('access-control-max-age')) > 0);
    assert.match(response.headers.get('vary') ?? '', /^Origin\b/);
  }
  for (const origin of [null, ...wrongOrigins]) {
    const response = await preflight(origin);
    for (const name of response.headers.keys()) {
      assert.doesNotMatch(name, /^access-control-/, `${origin}: ${name}`);
    }
    assert.match(response.headers.get('vary') ?? '', /^Origin\b/, String(origin));
  }
});

test('only pages of the key’s origins may read the response', async () => {
  const response = await identify(server, key);
  assert.equal(response.status, 200, response.text);
  assert.equal(response.headers.get('access-control-allow-origin'), pageOrigin);
  assert.equal(response.headers.get('access-control-allow-credentials'), null);
  assert.match(response.headers.get('access-control-expose-headers') ?? '', /\bX-Request-Id\b/);
  assert.equal(response.headers.get('vary'), 'Origin');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  await changesNothing(tables, async () => {
    for (const origin of [null, '', ...wrongOrigins]) {
      const body = identifyBody({ page: { origin: 'https://www.example.com', path: '/' } });
      const refused = await identify(server, key, { body, headers: { origin } });
      expectProblem(refused, 403, 'origin_not_allowed', String(origin));
      assert.equal(refused.headers.get('access-control-allow-origin'), null, String(origin));
    }
    // An origin of another key: known here, but not to this one.
    const body = identifyBody({ page: { origin: otherOrigin, path: '/' } });
    const refused = await identify(server, key, { body, headers: { origin: otherOrigin } });
    expectProblem(refused, 403, 'origin_not_allowed');
    assert.equal(refused.headers.get('access-control-allow-origin'), null);
    assert.equal(refused.headers.get('access-control-expose-headers'), null);
  });
});

test('no other route allows cross-origin requests, except the agent script', async () => {
  for (const [route, methods] of server.server.routes) {
    if (route === path || route === '/agent.js') continue;
    for (const method of ['GET', 'OPTIONS']) {
      if (method === 'OPTIONS' && methods.has('OPTIONS')) assert.fail(`${route} has OPTIONS`);
      const response = await fetch(`${server.url}${route.replace(/:\w+/g, 'x')}`, {
        method,
        redirect: 'manual',
        headers: { origin: pageOrigin, 'access-control-request-method': 'GET' },
      });
      await response.arrayBuffer();
      assert.equal(response.headers.get('access-control-allow-origin'), null, `${method} ${route}`);
    }
  }
});

test('pages of the key’s origins can read errors', async () => {
  const responses = [
    await identify(server, key, { rawBody: '{' }),
    await identify(server, key, { rawBody: ' '.repeat(visitorLimits.identifyBodyBytes + 1) }),
    await identify(server, key, { headers: { 'x-client-key': null } }),
    await identify(server, makePublishableKey(newUuid())),
    await identify(server, key, { headers: { authorization: `Bearer ${server.token}` } }),
  ];
  for (const { status, headers } of responses) {
    assert.ok(status >= 400);
    assert.equal(headers.get('access-control-allow-origin'), pageOrigin, String(status));
  }
});

test('keys and tokens are not interchangeable', () =>
  changesNothing(tables, async () => {
    expectProblem(await identify(server, key, { headers: { 'x-client-key': null } }), 401, 'token_missing');
    expectProblem(await identify(server, key, { headers: { 'x-client-key': '' } }), 401, 'token_missing');
    const wrongKeys = [
      makePublishableKey(newUuid()),
      `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
      key.toUpperCase(),
      `${key}x`,
      `${key}, ${key}`,
      server.token,
      'x',
    ];
    for (const wrong of wrongKeys) {
      const refused = await identify(server, wrong);
      expectProblem(refused, 401, 'token_invalid', wrong);
      expectChallenge(refused, /error="invalid_token"/);
      assert.equal(refused.json.errors[0].header, 'X-Client-Key');
    }
    for (const authorization of [`Bearer ${server.token}`, `Bearer ${key}`, 'Basic dXNlcjpwYXNz', '']) {
      const refused = await identify(server, key, { headers: { authorization } });
      expectProblem(refused, 401, 'token_invalid', authorization);
      assert.equal(refused.json.errors[0].header, 'Authorization');
    }
    // And the other way round.
    for (const operation of ['/v1/sites', '/v1/openapi', `/v1/visitors/${world.ids.get('visitors')}`]) {
      expectProblem(await server.call('GET', operation, { token: key }), 401, 'token_invalid');
      const headers = { 'x-client-key': key, origin: pageOrigin };
      expectProblem(await server.call('GET', operation, { token: null, headers }), 401, 'token_missing');
    }
    assert.equal((await server.call('GET', '/sandbox/plants', { token: key })).status, 401);
  }));

test('a disabled client, a missing site, a suspended organization and a disabled module are refused at once', async () => {
  const site = await createRecord(world, 'sites');
  const own = await createPublishableKey(server, world.organization, site);
  assert.equal((await identify(server, own.key)).status, 200);
  const refusedBy = async (status: number, code: string) => {
    await changesNothing(tables, async () => {
      expectProblem(await identify(server, own.key), status, code);
      // Missing permission is reported before faults of the request.
      expectProblem(await identify(server, own.key, { rawBody: '{"nonsense":1}' }), status, code);
    });
  };
  const [organization] = await tables.run('SELECT key, modules FROM trellis.organizations WHERE id = $1', [
    world.organization.id,
  ]);
  const wanted = { client: own.name, organization: String(organization?.key) };
  await setClientStatus(server.database.worker, { ...wanted, status: 'DISABLED' });
  await refusedBy(401, 'token_invalid');
  await setClientStatus(server.database.worker, { ...wanted, status: 'ACTIVE' });
  const setModules = 'UPDATE trellis.organizations SET modules = $2 WHERE id = $1';
  await tables.run(setModules, [world.organization.id, ['cms']]);
  await refusedBy(403, 'module_disabled');
  await tables.run(setModules, [world.organization.id, organization?.modules]);
  const setStatus = 'UPDATE trellis.organizations SET status = $2 WHERE id = $1';
  await tables.run(setStatus, [world.organization.id, 'SUSPENDED']);
  await refusedBy(403, 'organization_suspended');
  await tables.run(setStatus, [world.organization.id, 'ACTIVE']);
  assert.equal((await identify(server, own.key)).status, 200);
  assert.equal((await server.call('DELETE', `/v1/sites/${site}`)).status, 204);
  await refusedBy(401, 'token_invalid');
});

test('the body is validated strictly', () =>
  changesNothing(tables, async () => {
    const page = { origin: pageOrigin, path: '/' };
    const wrong: [string, Record<string, unknown>, string][] = [
      ['/consent', { consent: 'granted' }, 'enum'],
      ['/consent', { consent: undefined }, 'required'],
      ['/signals', { signals: undefined }, 'required'],
      ['/signals/canvasHash', { signals: { canvasHash: 'x' } }, 'pattern'],
      ['/signals/screenWidth', { signals: { screenWidth: '1920' } }, 'type'],
      ['/storedToken', { storedToken: null }, 'type'],
      ['/storedToken', { storedToken: 'x'.repeat(257) }, 'maxLength'],
      ['/page/origin', { page: { ...page, origin: otherOrigin } }, 'origin'],
      ['/page/path', { page: { ...page, path: 'x' } }, 'pattern'],
    ];
    for (const [pointer, changes, code] of wrong) {
      const refused = await identify(server, key, { body: identifyBody(changes) });
      expectProblem(refused, 422, 'validation_failed', pointer);
      const [fault, ...others] = refused.json.errors;
      assert.deepEqual([fault.pointer, fault.code, others.length], [pointer, code, 0], refused.text);
    }
    for (const changes of [
      { nonsense: 1 },
      { signals: { nonsense: 1 } },
      { page: { ...page, title: 'x' } },
    ]) {
      expectProblem(await identify(server, key, { body: identifyBody(changes) }), 422, 'unknown_field');
    }
    for (const rawBody of [
      '',
      '{',
      '[]x',
      '{"consent":"DENIED","consent":"GRANTED"}',
      '[[[[[1]]]]]',
      '\u0000',
    ]) {
      expectProblem(await identify(server, key, { rawBody }), 400, 'malformed_json', rawBody);
    }
    const tooLarge = `${JSON.stringify(identifyBody())}${' '.repeat(visitorLimits.identifyBodyBytes)}`;
    expectProblem(await identify(server, key, { rawBody: tooLarge }), 413, 'body_too_large');
    for (const type of ['text/plain', 'application/merge-patch+json', 'application/x-www-form-urlencoded']) {
      const refused = await identify(server, key, { headers: { 'content-type': type } });
      expectProblem(refused, 415, 'unsupported_media_type', type);
    }
    expectProblem(await identify(server, key, { query: '?x=1' }), 400, 'unknown_parameter');
  }));

test('a body of the maximum size is accepted', async () => {
  const text = JSON.stringify(identifyBody());
  const rawBody = text + ' '.repeat(visitorLimits.identifyBodyBytes - Buffer.byteLength(text));
  assert.equal((await identify(server, key, { rawBody })).status, 200);
});

test('the origin of a new client is accepted immediately', async () => {
  const origin = 'https://new.example.org';
  assert.equal((await preflight(origin)).headers.get('access-control-allow-origin'), null);
  const made = await createPublishableKey(server, world.organization, siteId, [origin]);
  assert.equal((await preflight(origin)).headers.get('access-control-allow-origin'), origin);
  const body = identifyBody({ page: { origin, path: '/' } });
  assert.equal((await identify(server, made.key, { body, headers: { origin } })).status, 200);
  expectProblem(await identify(server, otherKey, { body, headers: { origin } }), 403, 'origin_not_allowed');
});

test('a client is created once for its name, with normalized origins', async () => {
  const [row] = await tables.run('SELECT key FROM trellis.organizations WHERE id = $1', [
    world.organization.id,
  ]);
  const [site] = await tables.run('SELECT id FROM trellis.sites WHERE organization_id = $1 LIMIT 1', [
    world.organization.id,
  ]);
  const make = (...origins: string[]) =>
    createBrowserClient(server.database.worker, String(site?.id), {
      name: 'Twice',
      organization: String(row?.key),
      origins,
    });
  const first = await make('HTTPS://Bücher.example:443/', 'http://localhost:3000');
  assert.deepEqual(first.origins, ['http://localhost:3000', 'https://xn--bcher-kva.example']);
  assert.deepEqual(await make('http://localhost:3000', 'https://bücher.example'), first);
  await assert.rejects(make('http://localhost:3000'), /exists already, with another site or other origins/);
  const moved = await setClientOrigins(server.database.worker, {
    client: 'Twice',
    organization: String(row?.key),
    origins: ['http://localhost:3000', 'https://moved.example'],
  });
  assert.deepEqual(moved, { ...first, origins: ['http://localhost:3000', 'https://moved.example'] });
  for (const origin of ['https://*.example.com', 'https://example.com/path', 'null', 'example.com', '']) {
    await assert.rejects(make(origin), /is not an origin/);
  }
  await assert.rejects(make(), /needs 1 to 50 origins/);
});

test('calls are limited by key and by network, and pages can read Retry-After', async () => {
  const limited = await startTestServer({ visitorLimits: { perKey: 1, perNetwork: 4 } });
  try {
    const there = await createOwnWorld(limited);
    const site = there.ids.get('sites') ?? '';
    const one = await createPublishableKey(limited, there.organization, site);
    const two = await createPublishableKey(limited, there.organization, site);
    const responses: string[] = [];
    // One identify call, with another key, has created the world's visitor.
    for (const each of [one, one, two, two]) {
      const response = await identify(limited, each.key);
      const [, which = 'none'] = /The limit of the (\w+) is/.exec(response.json.detail ?? '') ?? [];
      responses.push(`${response.status} ${which}`);
      if (response.status !== 429) continue;
      expectProblem(response, 429, 'rate_limited');
      assert.ok(Number(response.headers.get('retry-after')) >= 1);
      assert.equal(response.headers.get('access-control-allow-origin'), pageOrigin);
    }
    assert.deepEqual(responses, ['200 none', '429 key', '200 none', '429 network']);
  } finally {
    await limited.close();
  }
});

test('behind a trusted proxy networks are distinguished, and a caller cannot forge its network', async () => {
  const askFrom = async (trustedProxies: string | null) => {
    const there = await startTestServer({
      visitorLimits: { perKey: 0, perNetwork: 1 },
      ...(trustedProxies === null ? {} : { trustedProxies }),
    });
    try {
      const responses: number[] = [];
      for (const address of ['192.0.2.1', '192.0.2.99', '198.51.100.1', '2001:db8::1', '2001:db8:0:ff::2']) {
        const headers = { origin: pageOrigin, 'x-forwarded-for': address };
        const { status } = await fetch(`${there.url}${path}`, { method: 'OPTIONS', headers });
        responses.push(status);
      }
      return responses;
    } finally {
      await there.close();
    }
  };
  assert.deepEqual(await askFrom('127.0.0.0/8, ::1'), [204, 429, 204, 204, 429]);
  assert.deepEqual(await askFrom(null), [204, 429, 429, 429, 429]);
});

test('/agent.js is one small script that any page may load, and is cached', async () => {
  const get = (headers: Readonly<Record<string, string>>) => fetch(`${server.url}/agent.js`, { headers });
  const plain = await get({ 'accept-encoding': 'identity', origin: 'https://anything.example' });
  assert.equal(plain.headers.get('content-type'), 'text/javascript; charset=utf-8');
  assert.equal(plain.headers.get('access-control-allow-origin'), '*');
  assert.equal(plain.headers.get('cross-origin-resource-policy'), 'cross-origin');
  assert.match(plain.headers.get('cache-control') ?? '', /^public, max-age=\d+$/);
  const packed = await get({ 'accept-encoding': 'gzip' });
  assert.equal(packed.headers.get('content-encoding'), 'gzip');
  const text = await plain.text();
  assert.equal(await packed.text(), text);
  assert.ok(gzipSync(text).length <= 6_000);
  for (const response of [plain, packed]) {
    const etag = response.headers.get('etag') ?? '';
    const encoding = response === plain ? 'identity' : 'gzip';
    assert.equal((await get({ 'if-none-match': etag, 'accept-encoding': encoding })).status, 304);
  }
  assert.notEqual(plain.headers.get('etag'), packed.headers.get('etag'));
});

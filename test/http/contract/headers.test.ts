/** Tests of the request and response headers of the contract, for every operation that has them. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Problem } from '@trellis/schema/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { isWrite } from '@trellis/server/kernel/http/operation.ts';
import { limitTenants, RateLimiter } from '@trellis/server/kernel/rate-limits/rate-limiter.ts';
import {
  absentId,
  attempt,
  bodyOf,
  createOwnWorld,
  freshIds,
  ownParameter,
  pathOf,
  resourceOf,
} from '../../support/fixtures.ts';
import { createToken } from '../../support/identities.ts';
import { closeRawConnections, sendRaw } from '../../support/raw-requests.ts';
import { changesNothing, expectChallenge, expectProblem, isSuccess } from '../../support/refusals.ts';
import { startTestServer, type TestResponse } from '../../support/server.ts';
import { casesFor } from '../../support/soak.ts';
import { TenantTables } from '../../support/tenant-tables.ts';

const server = await startTestServer();
const tables = await TenantTables.open(server.database);
const world = await createOwnWorld(server);
after(async () => {
  closeRawConnections();
  await tables.close();
  await server.close();
});

const { operations } = server.server;
const [anyWrite] = operations.filter(isWrite);
assert.ok(anyWrite);

/** Visible ASCII characters. */
const visible = Array.from({ length: 0x7e - 0x20 }, (_, index) => String.fromCharCode(0x21 + index)).join('');
const notEntityTags = ['1', '"1', '1"', 'w/"1"', '"1" "2"', '*, "1"', '"a b"', 'nonsense', '', ',', ', ,'];

/** The tag of version 1, as it was sent and as proxies that compress send it on; elements of a list may be empty. */
const versionOne = [
  '"1"',
  'W/"1"',
  '"1-gzip"',
  'W/"1-gzip"',
  '"1--gzip"',
  '"1;gzip"',
  '"1-br"',
  '"1;br"',
  '"1-zstd"',
  '"1-gzip-gzip"',
  ', "9",, , "1" ,',
];
const otherVersions = [
  '"2"',
  '"0"',
  '"01"',
  '"x"',
  '""',
  'W/"2"',
  '"2-gzip"',
  '"1-other"',
  '"1gzip"',
  '"-gzip"',
  '"2", "3"',
];

const minimal = [
  'return=minimal',
  'RETURN=MINIMAL',
  'respond-async, return=minimal',
  'return=minimal; x',
  'return="minimal"',
  'wait=10, , return = minimal;x="a,b"',
  'return=minimal, return=representation',
];
const notMinimal = [
  'return=representation',
  'return=minimalist',
  'nonsense',
  '',
  'x="a, return=minimal"',
  'x; return=minimal',
  'return=representation, return=minimal',
  'return',
  'x="a, return=minimal',
];

/** Sends one raw read with the headers given, as the owner. */
function readRaw(headers: Readonly<Record<string, string | readonly string[]>>): Promise<TestResponse> {
  const sent = { authorization: `Bearer ${server.token}`, ...headers };
  return sendRaw(server.url, { method: 'GET', path: '/v1/sites', headers: sent });
}

test('a request id of one to 128 visible ASCII characters is kept', async () => {
  for (const id of ['1', visible, 'x'.repeat(limits.requestId)]) {
    assert.equal((await readRaw({ 'x-request-id': id })).headers.get('x-request-id'), id);
  }
});

test('any other request id is replaced by a new one', async () => {
  const others = ['', 'a b', 'a\tb', 'é', 'x'.repeat(limits.requestId + 1), ['one', 'two']];
  const given = await Promise.all(
    [...others, undefined].map(async (id) => {
      const response = await readRaw(id === undefined ? {} : { 'x-request-id': id });
      const used = response.headers.get('x-request-id') ?? '';
      assert.match(used, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, JSON.stringify(id));
      return used;
    }),
  );
  assert.equal(new Set(given).size, given.length);
});

test('every response carries the request id, whatever the route and the outcome', async () => {
  const ids = { 'x-request-id': 'mine' };
  const paths = [...server.server.routes.keys(), '/nothing', '/v1/%ff', '/sandbox/nothing'];
  for (const [index, path] of paths.entries()) {
    for (const method of casesFor(index, ['GET', 'POST', 'TRACE'])) {
      const response = await sendRaw(server.url, { method, path: path.replace(/:\w+/g, 'x'), headers: ids });
      assert.equal(response.headers.get('x-request-id'), 'mine', `${method} ${path}`);
      assert.equal(response.headers.get('server'), null);
      assert.equal(response.headers.get('x-powered-by'), null);
    }
  }
});

/** How many operations before this one try the same cases. */
const before = { conditional: 0, guarded: 0, preferring: 0 };

for (const operation of operations) {
  const own = ownParameter(operation);

  test(`${operation.operationId}: responses for one caller are marked private, refusals too`, async () => {
    const marked = (response: TestResponse) => {
      assert.equal(response.headers.get('cache-control'), 'private, no-cache', response.text);
      assert.match(response.headers.get('vary') ?? '', /\bAuthorization\b/, response.text);
    };
    marked(await attempt(world, operation, { query: '?nonsense=1' }));
    marked(await attempt(world, operation, { headers: { 'if-match': 'x', 'if-none-match': 'x' } }));
    const { token } = await createToken(server.database.worker, world.organization, server.ownerId, {
      scopes: [],
    });
    marked(await attempt(world, operation, { token }));
    if (own === null) return;
    marked(
      await attempt(world, operation, {
        ids: new Map([...world.ids, [own, absentId(world.ids.get(own) ?? '')]]),
      }),
    );
  });

  if (operation.conditional) {
    const index = before.conditional++;
    test(`${operation.operationId}: a current copy gets 304`, async () => {
      const read = (tags?: string) =>
        attempt(world, operation, tags === undefined ? {} : { headers: { 'if-none-match': tags } });
      const first = await read();
      const etag = first.headers.get('etag') ?? '';
      assert.match(etag, /^"[\x21\x23-\x7e]+"$/);
      if (own !== null && resourceOf(operation) !== undefined && !operation.success.isContent) {
        assert.equal(etag, `"${first.json.version}"`);
      }
      const matching = [
        etag,
        '*',
        ` ${etag} `,
        `"x", ${etag}`,
        `${etag},"x"`,
        `W/${etag}`,
        `"a,b", ${etag}`,
        `, ,${etag},`,
        `${etag.slice(0, -1)}-gzip"`,
        `W/${etag.slice(0, -1)};br"`,
      ];
      for (const tags of casesFor(index, matching)) {
        const current = await read(tags);
        assert.equal(current.status, 304, tags);
        assert.equal(current.text, '');
        assert.equal(current.headers.get('content-type'), null);
        for (const name of ['etag', 'cache-control', 'vary']) {
          assert.equal(current.headers.get(name), first.headers.get(name), name);
        }
      }
      for (const tags of casesFor(index, ['"x"', '"x", "y"', 'W/"x"', '""'])) {
        const other = await read(tags);
        assert.equal(other.status, 200, tags);
        assert.equal(other.text, first.text);
      }
      for (const tags of casesFor(index, notEntityTags)) {
        const refused = await read(tags);
        expectProblem(refused, 400, 'invalid_header', tags);
        assert.equal(refused.json.errors[0].header, 'If-None-Match');
      }
    });
  }

  if (isWrite(operation) && own !== null) {
    const index = before.guarded++;
    test(`${operation.operationId}: If-Match guards against changes of other versions`, async () => {
      const ids = await freshIds(world, operation);
      const write = (tags: string) => attempt(world, operation, { ids, headers: { 'if-match': tags } });
      await changesNothing(tables, async () => {
        for (const tags of casesFor(index, otherVersions)) {
          const refused = await write(tags);
          expectProblem(refused, 412, 'version_mismatch', tags);
          assert.equal(refused.headers.get('etag'), '"1"');
          assert.equal(refused.json.currentVersion, 1);
        }
        for (const tags of casesFor(index, notEntityTags)) {
          const refused = await write(tags);
          expectProblem(refused, 400, 'invalid_header', tags);
          assert.equal(refused.json.errors[0].header, 'If-Match');
        }
      });
      for (const tags of casesFor(index, ['*', '"7", "1"', 'W/"7", "1"', ...versionOne])) {
        const accepted = await attempt(world, operation, {
          ids: await freshIds(world, operation),
          headers: { 'if-match': tags },
        });
        assert.ok(isSuccess(accepted), `${tags}: ${accepted.text}`);
      }
    });
  }

  if (operation.success.headers.includes('Preference-Applied')) {
    const index = before.preferring++;
    test(`${operation.operationId}: Prefer return=minimal omits the body`, async () => {
      for (const prefer of casesFor(index, minimal)) {
        const response = await attempt(world, operation, {
          ids: await freshIds(world, operation),
          headers: { prefer },
        });
        assert.equal(response.status, operation.success.status === 201 ? 201 : 204, prefer);
        assert.equal(response.text, '');
        assert.equal(response.headers.get('preference-applied'), 'return=minimal');
        // A response that is not a record, such as a delivery, has neither Location nor ETag.
        if (!operation.success.headers.includes('ETag')) continue;
        const location = response.headers.get('location') ?? '';
        const record = await server.call('GET', location);
        assert.equal(record.status, 200, location);
        assert.equal(response.headers.get('etag'), record.headers.get('etag'));
      }
      for (const prefer of casesFor(index, notMinimal)) {
        const ids = await freshIds(world, operation);
        const response = await attempt(world, operation, { ids, headers: { prefer } });
        assert.equal(response.status, operation.success.status, prefer);
        assert.equal(response.headers.get('preference-applied'), null, prefer);
        assert.notEqual(response.text, '');
      }
    });
  }
}

test('an idempotency key is any 1 to 255 visible ASCII characters, bare or quoted', async () => {
  const send = (key: string) => attempt(world, anyWrite, { key, body: bodyOf(anyWrite, world.ids) });
  const bare = visible.replaceAll('"', '');
  for (const key of ['!', bare, 'x'.repeat(limits.idempotencyKey.max)]) {
    const first = await send(key);
    assert.ok(isSuccess(first), `${key}: ${first.text}`);
  }
  for (const key of [`"${'y'.repeat(limits.idempotencyKey.max)}"`, '"a\\"b"', '"a\\\\b"']) {
    const first = await send(key);
    assert.ok(isSuccess(first), `${key}: ${first.text}`);
  }
  await changesNothing(tables, async () => {
    // The same keys, written the other way: known, and used for other bodies.
    for (const key of [
      `"${'x'.repeat(255)}"`,
      'y'.repeat(255),
      'a\\b',
      `"${bare.replaceAll('\\', '\\\\')}"`,
    ]) {
      expectProblem(await send(key), 422, 'idempotency_key_reused', key);
    }
    const path = pathOf(anyWrite, world.ids);
    const headers = {
      authorization: `Bearer ${world.token}`,
      'content-type': 'application/json',
      'idempotency-key': ['one', 'two'],
    };
    const twice = await sendRaw(server.url, { method: anyWrite.method, path, headers, body: '{}' });
    expectProblem(twice, 400, 'idempotency_key_invalid', 'two keys');
  });
});

test('a request without a token gets a challenge with the metadata URL', async () => {
  const response = await sendRaw(server.url, { method: 'GET', path: '/v1/sites' });
  expectProblem(response, 401, 'token_missing');
  expectChallenge(response, /resource_metadata="([^"]+)"$/);
  const address =
    /resource_metadata="([^"]+)"/.exec(response.headers.get('www-authenticate') ?? '')?.[1] ?? '';
  const { pathname } = new URL(address);
  const metadata = await sendRaw(server.url, { method: 'GET', path: pathname });
  assert.equal(metadata.status, 200);
  assert.match(metadata.json.resource, /\/v1$/);
});

test('the scheme of a token may be written in any case', async () => {
  for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
    const { status } = await readRaw({ authorization: `${scheme} ${server.token}` });
    assert.equal(status, 200, scheme);
  }
});

test('documentation pages run no scripts of other origins and cannot be framed', async () => {
  for (const [path, methods] of server.server.routes) {
    if (!methods.has('GET') || path.startsWith('/v1/') || path.startsWith('/sandbox/')) continue;
    const response = await sendRaw(server.url, { method: 'GET', path: path.replace(/:\w+/g, 'not_found') });
    if (!(response.headers.get('content-type') ?? '').startsWith('text/html')) continue;
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none';/, path);
    assert.match(policy, /frame-ancestors 'none'/, path);
    assert.doesNotMatch(policy, /unsafe-eval|https?:|\*|script-src[^;]*unsafe-inline/, path);
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff', path);
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer', path);
  }
});

/** The items of a RateLimit or RateLimit-Policy header: name to parameters. */
function readItems(header: string | null): Record<string, Record<string, number>> {
  const items = (header ?? '').split(', ').map((item): [string, Record<string, number>] => {
    const match = /^"(\w+)"((?:;\w+=\d+)+)$/.exec(item);
    assert.ok(match, `not an item with parameters: ${header}`);
    const parameters = (match[2] ?? '')
      .slice(1)
      .split(';')
      .map((pair) => pair.split('='));
    return [match[1] ?? '', Object.fromEntries(parameters.map(([name, value]) => [name, Number(value)]))];
  });
  return Object.fromEntries(items);
}

test('a token without remaining quota gets Retry-After; others are not affected', async () => {
  const quota = 5;
  const limited = await startTestServer({ rateLimit: quota });
  try {
    for (let left = quota - 1; left >= 0; left -= 1) {
      const { status, headers } = await limited.call('GET', '/v1/sites');
      assert.equal(status, 200);
      assert.deepEqual(readItems(headers.get('ratelimit-policy')), { token: { q: quota, w: 60 } });
      const { token } = readItems(headers.get('ratelimit'));
      assert.equal(token?.r, left);
      assert.ok(token?.t !== undefined && token.t >= 1 && token.t <= 60);
    }
    for (const [method, path] of [
      ['GET', '/v1/sites'],
      ['POST', '/v1/sites'],
    ] as const) {
      const refused = await limited.call(method, path, method === 'POST' ? { body: {} } : {});
      expectProblem(refused, 429, 'rate_limited');
      assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d?$/);
      assert.equal(readItems(refused.headers.get('ratelimit')).token?.r, 0);
      assert.equal(refused.headers.get('cache-control'), 'private, no-cache');
    }
    const { token } = await createToken(limited.database.worker, limited.organization, limited.ownerId);
    assert.equal((await limited.call('GET', '/v1/sites', { token })).status, 200);
    const anonymous = await limited.call('GET', '/v1/sites', { token: null });
    assert.equal(anonymous.status, 401);
    assert.equal(anonymous.headers.get('ratelimit'), null);
  } finally {
    await limited.close();
  }
});

test('a disabled limit sends no headers', async () => {
  const { headers } = await readRaw({});
  assert.equal(headers.get('ratelimit'), null);
  assert.equal(headers.get('ratelimit-policy'), null);
});

test('the tokens of an organization share its limit, which is refilled evenly', async () => {
  let nowMs = 0;
  const limiter = new RateLimiter({
    scope: 'test',
    shared: null,
    countCheck: () => undefined,
    now: () => nowMs,
  });
  const takeTenant = limitTenants(limiter, { perToken: 60, perOrganization: 3 });
  const take = async (tokenHash: string, organizationId: string, atMs: number) => {
    nowMs = atMs;
    try {
      const { ratelimit = '' } = await takeTenant({ tokenHash, organizationId });
      return readItems(ratelimit).organization?.r;
    } catch (error) {
      assert.ok(error instanceof Problem && error.code === 'rate_limited');
      return `wait ${error.headers['retry-after']}`;
    }
  };
  for (const [index, token] of ['a', 'b', 'c'].entries()) {
    assert.equal(await take(token, 'mine', 0), 2 - index);
  }
  assert.equal(await take('d', 'mine', 0), 'wait 20');
  assert.equal(await take('d', 'mine', 19_500), 'wait 1');
  assert.equal(await take('d', 'theirs', 0), 2);
  assert.equal(await take('d', 'mine', 20_000), 0);
  assert.equal(await take('d', 'mine', 600_000), 2);
  // Requests that exceed the organization's limit do not count against the token's.
  const { ratelimit = '' } = await takeTenant({ tokenHash: 'd', organizationId: 'mine' });
  const left = readItems(ratelimit).token?.r;
  assert.equal(left, 58);
});

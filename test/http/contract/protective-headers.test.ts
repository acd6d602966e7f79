/** Tests that every response tells browsers to do as little as possible with it, whatever the route and the outcome. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { renderOnce } from '@trellis/server/kernel/contract/documentation/rendered-document.ts';
import { createApp, createState } from '@trellis/server/kernel/http/app.ts';
import { createMetrics } from '@trellis/server/kernel/http/metrics.ts';
import { startMetricsServer } from '@trellis/server/node/api/metrics-server.ts';
import { pino } from 'pino';
import { type RawResponse, requestHead, sendAndWait } from '../../support/connections.ts';
import { startTestServer } from '../../support/server.ts';

const server = await startTestServer();
after(() => server.close());

const strict = "default-src 'none'; frame-ancestors 'none'";
const owner = `Authorization: Bearer ${server.token}`;

/** Sends one request on a connection of its own. */
function ask(method: string, target: string, headers: readonly string[] = []): Promise<RawResponse> {
  return sendAndWait(server.url, requestHead(method, target, ['Connection: close', ...headers]));
}

/** Pages have policies of their own, which allow their own scripts and styles and no frames either. */
function checkHeaders({ status, headers }: RawResponse, what: string, hasOwnPolicy: boolean): void {
  assert.ok(status >= 200, what);
  assert.equal(headers.get('x-content-type-options'), 'nosniff', what);
  assert.equal(headers.get('referrer-policy'), 'no-referrer', what);
  assert.ok(headers.get('cache-control'), what);
  assert.ok(headers.get('x-request-id'), what);
  assert.equal(headers.get('strict-transport-security'), undefined, what);
  const policy = headers.get('content-security-policy') ?? '';
  if (!hasOwnPolicy) assert.equal(policy, strict, what);
  assert.match(policy, /default-src 'none'/, what);
  assert.match(policy, /frame-ancestors 'none'/, what);
  // Only the reference of the API, whose script adds styles.
  assert.doesNotMatch(policy, /unsafe-eval|script-src[^;]*unsafe-inline|\*/, what);
}

const paths = [...server.server.routes.keys(), '/nothing', '/%ff', '/sandbox/nothing', '/auth/nothing'];

for (const [who, headers] of [
  ['unauthenticated requests', []],
  ['the owner', [owner]],
] as const) {
  test(`every response to ${who} has them`, async () => {
    for (const path of paths) {
      const target = path.replaceAll(/:\w+|\*/g, 'x');
      if (target === '/v1/events/stream') continue;
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'TRACE']) {
        const isPage = target.startsWith('/docs') || target.startsWith('/console');
        checkHeaders(await ask(method, target, headers), `${method} ${target}`, isPage && method !== 'POST');
      }
    }
  });
}

test('responses without a route have them', async () => {
  for (const head of [
    requestHead('GET', '/v1/sites', ['Expect: nonsense', 'Connection: close']),
    requestHead('OPTIONS', '*', ['Connection: close']),
    requestHead('GET', `/${'x'.repeat(20_000)}`),
    'GET / HTTP/3.0\r\n\r\n',
  ]) {
    const { headers } = await sendAndWait(server.url, head);
    assert.equal(headers.get('content-security-policy'), strict, head.slice(0, 40));
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.ok(headers.get('x-request-id'));
  }
});

test('every response at the port of the metrics has them', async () => {
  const metrics = await startMetricsServer({ host: '127.0.0.1', port: 0 }, pino({ level: 'silent' }));
  try {
    metrics.serve(async () => 'text');
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'TRACE']) {
      for (const target of ['/metrics', '/nothing', '/', '*']) {
        const head = requestHead(method, target, ['Connection: close']);
        const { headers } = await sendAndWait(metrics.url, head);
        assert.equal(headers.get('content-security-policy'), strict, `${method} ${target}`);
        assert.equal(headers.get('x-content-type-options'), 'nosniff');
        assert.equal(headers.get('referrer-policy'), 'no-referrer');
        assert.equal(headers.get('cache-control'), 'no-store');
      }
    }
  } finally {
    await metrics.close();
  }
});

test('a response that says that the copy is current has them', async () => {
  for (const path of ['/docs/openapi.json', '/auth/openapi.json', '/sandbox/openapi.json', '/v1/openapi']) {
    const etag = (await ask('GET', path, [owner])).headers.get('etag');
    assert.ok(etag, path);
    const again = await ask('GET', path, [owner, `If-None-Match: ${etag}`]);
    assert.equal(again.status, 304, path);
    checkHeaders(again, path, false);
  }
});

test('a server with a public address over TLS tells browsers to use no other', async () => {
  const app = createApp(
    createState('https://trellis.example', []),
    null,
    createMetrics(),
    pino({ level: 'silent' }),
  );
  app.get('/found', async () => 'found');
  for (const url of ['/found', '/nothing', '/%ff']) {
    const { headers } = await app.inject(url);
    assert.equal(headers['strict-transport-security'], 'max-age=31536000', url);
  }
  await app.close();
});

for (const [path, format] of [
  ['/sandbox/plants', 'message'],
  ['/v1/sites', 'code'],
  ['/auth/session', 'code'],
  ['/docs/limits', 'code'],
] as const) {
  test(`an expectation that ${path} does not know is refused in its format`, async () => {
    const { status, headers, json } = await ask('GET', path, ['Expect: nonsense', 'X-Request-Id: mine']);
    assert.deepEqual([status, headers.get('x-request-id')], [417, 'mine']);
    assert.equal(typeof json[format], 'string');
    if (format === 'code') assert.equal(json.code, 'expectation_failed');
    else assert.deepEqual(Object.keys(json), ['error', 'message']);
  });
}

test('a client of HTTP/1.0 gets no interim response', async () => {
  const { status } = await sendAndWait(
    server.url,
    'GET /docs/limits HTTP/1.0\r\nExpect: 100-continue\r\n\r\n',
  );
  assert.equal(status, 200);
});

test('versions of HTTP other than 1.0 and 1.1 are refused', async () => {
  for (const version of ['HTTP/2.0', 'HTTP/0.9']) {
    const { status, json } = await sendAndWait(
      server.url,
      `GET /v1/sites ${version}\r\nHost: localhost\r\n\r\n`,
    );
    assert.deepEqual([status, json.code], [400, 'malformed_request'], version);
  }
});

test('documents are made once', () => {
  const made: string[] = [];
  const render = renderOnce((address) => {
    made.push(address);
    return { address };
  });
  assert.equal(render('one'), render('one'));
  assert.deepEqual(made, ['one']);
  assert.equal(render('two').content.toString(), '{"address":"two"}');
  assert.deepEqual(made, ['one', 'two']);
});

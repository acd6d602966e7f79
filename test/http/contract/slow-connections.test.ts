/**
 * Tests of slow clients: those that send slowly, stop sending, or continue after a refusal occupy a connection for a
 * limited time, receive their response, and do not delay others.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  firstResponse,
  openRawConnection,
  type RawConnection,
  requestHead,
} from '../../support/connections.ts';
import { createToken } from '../../support/identities.ts';
import { startTestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { createPublishableKey } from '../../support/visitors.ts';

const logged: string[] = [];
const server = await startTestServer({
  connections: {
    headersTimeoutMs: 5_000,
    bodyTimeoutMs: 400,
    uploadIdleMs: 400,
    lingerMs: 1_000,
    checkIntervalMs: 50,
  },
  log: (line) => logged.push(line),
});
after(() => server.close());

const { worker } = server.database;
const sandbox = await createToken(worker, server.organization, server.ownerId, { audiences: ['sandbox'] });
const ended = await createToken(worker, server.organization, server.ownerId);
await worker.run('UPDATE trellis.tokens SET revoked_at = now() WHERE id = $1', [ended.id]);
const narrow = await createToken(worker, server.organization, server.ownerId, { scopes: ['books:read'] });
const file = await server.call('POST', '/v1/knowledge-files', { body: { name: 'Slow' } });
assert.equal(file.status, 201, file.text);
const content = `/v1/knowledge-files/${file.json.id}/content`;

const announced = ['Content-Type: application/json', 'Idempotency-Key: slow', 'Content-Length: 1000000'];
const bearer = (token: string) => `Authorization: Bearer ${token}`;

/** Keeps sending single bytes until the connection is closed. */
async function trickle({ socket }: RawConnection): Promise<void> {
  while (!socket.destroyed) {
    socket.write('x');
    await sleep(20);
  }
}

/** Refusals that need nothing of the body. */
const refusals: readonly [string, string, number][] = [
  ['no token', requestHead('POST', '/v1/books', announced), 401],
  ['a revoked token', requestHead('POST', '/v1/books', [bearer(ended.token), ...announced]), 401],
  ['a missing scope', requestHead('POST', '/v1/books', [bearer(narrow.token), ...announced]), 403],
  ['no such route', requestHead('POST', '/v1/nothing', [bearer(server.token), ...announced]), 404],
  ['a path that is not UTF-8', requestHead('POST', '/v1/%zz', announced), 404],
  ['no such method', requestHead('PATCH', '/v1/books', [bearer(server.token), ...announced]), 405],
  [
    'another media type',
    requestHead('POST', '/v1/books', [
      bearer(server.token),
      'Content-Type: text/plain',
      'Content-Length: 1000',
    ]),
    415,
  ],
  [
    'too many bytes',
    requestHead('POST', '/v1/books', [
      bearer(server.token),
      ...announced.slice(0, 2),
      'Content-Length: 2000000',
    ]),
    413,
  ],
  ['two Hosts', requestHead('POST', '/v1/books', ['Host: b', bearer(server.token), ...announced]), 400],
  ['no token for an upload', requestHead('PUT', content, announced), 401],
  [
    'an upload that is too large',
    requestHead('PUT', content, [bearer(server.token), 'Idempotency-Key: a', 'Content-Length: 9000000']),
    413,
  ],
  [
    'an upload to no file',
    requestHead('PUT', content.replace(/.\/content/, '/content'), [bearer(server.token), ...announced]),
    404,
  ],
  ['no token for a plant', requestHead('POST', '/sandbox/plants', announced), 401],
  [
    'a method that plants lack',
    requestHead('PUT', '/sandbox/plants', [bearer(sandbox.token), ...announced]),
    405,
  ],
  [
    'no publishable key',
    requestHead('POST', '/v1/visitors/identify', announced.slice(0, 1).concat('Content-Length: 9000')),
    401,
  ],
  ['a body of a read', requestHead('GET', '/v1/books', [bearer(server.token), ...announced]), 200],
  ['a body of a read without a token', requestHead('GET', '/v1/books', announced), 401],
];

test('a client that gets a response before its body is complete receives the response, and the connection ends', async () => {
  await Promise.all(
    refusals.map(async ([label, head, status]) => {
      const connection = await openRawConnection(server.url);
      connection.write(head);
      const [{ text }] = await Promise.all([connection.closed, trickle(connection)]);
      const response = firstResponse(text);
      assert.equal(response.status, status, `${label}: ${text}`);
      assert.equal(response.headers.get('connection'), 'close', label);
    }),
  );
});

test('a client that sends a megabyte before reading still receives the refusal', async () => {
  for (const [label, head, status] of refusals.slice(0, 4)) {
    const connection = await openRawConnection(server.url);
    connection.write(head);
    connection.write(Buffer.alloc(1_000_000, 'x'));
    const { text, wasReset } = await connection.closed;
    assert.equal(firstResponse(text).status, status, label);
    assert.equal(wasReset, false, label);
  }
});

test('a client that sends many megabytes before reading is held up and not reset, so that it receives the refusal', async (context) => {
  const patient = await startTestServer({ connections: { lingerMs: 2_000 } });
  context.after(() => patient.close());
  const heads: [label: string, head: string][] = [
    ['with a length', requestHead('PUT', content, ['Content-Length: 2000000000'])],
    ['in chunks', `${requestHead('PUT', content, ['Transfer-Encoding: chunked'])}5000000\r\n`],
    ['not HTTP', 'GET / HTTP/1.1\r\nHost a\r\n\r\n'],
  ];
  const piece = Buffer.alloc(1_000_000, 'x');
  await Promise.all(
    heads.map(async ([label, head]) => {
      const connection = await openRawConnection(patient.url, { ends: false });
      connection.write(head);
      for (let sent = 0; sent < 1_000; sent += 1) connection.write(piece);
      await once(connection.socket, 'end');
      // The limit of bytes is reached long before.
      await sleep(300);
      assert.equal(connection.socket.errored, null, label);
      assert.ok(connection.socket.writableLength > 0, label);
      assert.match(connection.received(), /^HTTP\/1.1 4\d\d /, label);
      connection.socket.destroy();
    }),
  );
});

test('a connection is not reset immediately when the client keeps sending after the response', async () => {
  const connection = await openRawConnection(server.url, { ends: false });
  connection.write(refusals[0]?.[1] ?? '');
  await once(connection.socket, 'end');
  for (let count = 0; count < 5; count += 1) {
    connection.write('x');
    await sleep(20);
  }
  assert.equal(connection.socket.errored, null);
  assert.equal(firstResponse(connection.received()).status, 401);
  connection.socket.destroy();
});

test('a client that keeps sending is disconnected after a limit of bytes', async () => {
  const [, head] = refusals[0] ?? ['', ''];
  const connection = await openRawConnection(server.url);
  connection.write(head.replace('1000000', '100000000000'));
  const piece = Buffer.alloc(65_536, 'x');
  let sent = 0;
  while (!connection.socket.destroyed) {
    if (connection.socket.write(piece)) sent += piece.length;
    await sleep(0);
  }
  await connection.closed;
  assert.ok(sent > 0);
});

test('a request after a refused one on the same connection is ignored', async () => {
  const connection = await openRawConnection(server.url);
  const body = '{"name": "Smuggled", "key": "smuggled"}';
  const head = refusals[1]?.[1] ?? '';
  connection.write(head);
  await until('the refusal has come', async () => connection.received().includes('\r\n\r\n'));
  connection.write(Buffer.alloc(999_999, 'x'));
  // In one packet with the end of the body.
  connection.write(
    `x${requestHead('POST', '/v1/sites', [bearer(server.token), 'Content-Type: application/json', 'Idempotency-Key: smuggled', `Content-Length: ${body.length}`])}${body}`,
  );
  const { text } = await connection.closed;
  assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 401']);
  assert.deepEqual((await server.call('GET', '/v1/sites?search=smuggled')).json.items, []);
});

test('a refused request whose body is complete leaves its connection open', async () => {
  const connection = await openRawConnection(server.url);
  const head = requestHead('POST', '/v1/books', ['Content-Type: application/json', 'Content-Length: 2']);
  connection.write(`${head}{}`);
  await until('the refusal has come', async () => connection.received().includes('token_missing'));
  connection.write(requestHead('GET', '/healthz', ['Connection: close']));
  const { text } = await connection.closed;
  assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 401', 'HTTP/1.1 200']);
});

test('a body that arrives too slowly or not at all gets 408 in the format of the interface', async () => {
  const writes: [string, string][] = [
    ['/v1/books', bearer(server.token)],
    ['/sandbox/plants', bearer(sandbox.token)],
  ];
  for (const [target, authorization] of writes) {
    for (const slowly of [true, false]) {
      const connection = await openRawConnection(server.url);
      connection.write(requestHead('POST', target, [authorization, ...announced]));
      const [{ text }] = await Promise.all([connection.closed, slowly ? trickle(connection) : null]);
      const response = firstResponse(text);
      assert.equal(response.status, 408, text);
      assert.ok(
        target.startsWith('/v1') ? response.json.code === 'request_timeout' : response.json.error === 1099,
        text,
      );
    }
  }
});

test('an upload that stalls gets 408, and no error is logged', async () => {
  for (const first of ['', 'some bytes']) {
    const connection = await openRawConnection(server.url);
    connection.write(
      requestHead('PUT', content, [
        bearer(server.token),
        'Idempotency-Key: silent',
        'Content-Length: 500000',
      ]),
    );
    connection.write(first);
    const { text } = await connection.closed;
    const response = firstResponse(text);
    assert.deepEqual([response.status, response.json?.code], [408, 'request_timeout'], text);
  }
});

test('a client that leaves in the middle of its body is not logged as an error', async () => {
  for (const [method, target] of [
    ['POST', '/v1/books'],
    ['PUT', content],
  ] as const) {
    const connection = await openRawConnection(server.url);
    connection.write(requestHead(method, target, [bearer(server.token), ...announced]));
    connection.write('{"title":');
    await sleep(100);
    connection.socket.resetAndDestroy();
    await connection.closed;
  }
  await sleep(100);
  assert.equal((await server.call('GET', '/v1/books')).status, 200);
});

test('100 Continue is sent only for permitted requests (Expect: 100-continue)', async () => {
  const expecting = ['Expect: 100-continue', 'Connection: close'];
  const refused = await openRawConnection(server.url);
  refused.write(requestHead('POST', '/v1/books', [bearer(ended.token), ...announced, ...expecting]));
  assert.equal(firstResponse((await refused.closed).text).status, 401);
  const welcome = await openRawConnection(server.url);
  const body = '{"title": "Invited"}';
  welcome.write(
    requestHead('POST', '/v1/books', [
      bearer(server.token),
      'Content-Type: application/json',
      'Idempotency-Key: invited',
      `Content-Length: ${body.length}`,
      ...expecting,
    ]),
  );
  await until('the invitation has come', async () => welcome.received().startsWith('HTTP/1.1 100'));
  welcome.write(body);
  assert.deepEqual((await welcome.closed).text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 100', 'HTTP/1.1 201']);
});

test('five hundred slow connections do not delay other requests', async () => {
  const half = `GET /v1/sites HTTP/1.1\r\nHost: test\r\nX-Slow: `;
  const body = requestHead('POST', '/v1/books', [bearer(server.token), ...announced]);
  const slow = await Promise.all(
    Array.from({ length: 500 }, async (_, index) => {
      const connection = await openRawConnection(server.url);
      connection.write([half, body, ''][index % 3] ?? '');
      return connection;
    }),
  );
  for (let count = 0; count < 20; count += 1) {
    assert.equal((await server.call('GET', '/v1/sites')).status, 200);
    const site = { name: 'Healthy', key: `healthy-${randomBytes(4).toString('hex')}` };
    assert.equal((await server.call('POST', '/v1/sites', { body: site })).status, 201);
  }
  // Every third one sends a body, which has its own, shorter limit.
  await Promise.all(slow.filter((_, index) => index % 3 === 1).map(({ closed }) => closed));
  for (const { socket } of slow) socket.destroy();
});

test('none of these cases was logged as an error', async () => {
  assert.deepEqual(logged, []);
});

test('an invalid key is refused before the body of an identify call', async () => {
  const site = await server.call('POST', '/v1/sites', { body: { name: 'Shop', key: 'shop' } });
  const origin = 'https://shop.example.com';
  const { key } = await createPublishableKey(server, server.organization, site.json.id, [origin]);
  const connection = await openRawConnection(server.url);
  connection.write(
    requestHead('POST', '/v1/visitors/identify', [
      `Origin: ${origin.replace('shop', 'other')}`,
      `X-Client-Key: ${key}`,
      'Content-Type: application/json',
      'Content-Length: 9000',
    ]),
  );
  const { text } = await connection.closed;
  assert.deepEqual([firstResponse(text).status, firstResponse(text).json.code], [403, 'origin_not_allowed']);
});

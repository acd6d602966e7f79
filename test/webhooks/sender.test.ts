/** Sending one webhook call: what arrives, what is returned, and the limits for hostile receivers. */
import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { AddressGuard } from '@trellis/server/features/webhooks/address-guard.ts';
import { type CallOutcome, keptBytes, sendCall } from '@trellis/server/features/webhooks/sender.ts';
import { hostileUrls, malformedUrls } from '../support/hostile-urls.ts';
import { type Receiver, respondWith, startReceiver } from '../support/receiver.ts';

const receiver: Receiver = await startReceiver();
after(() => receiver.close());

const never = new AbortController().signal;
const open = new AddressGuard({ allowPrivate: ['127.0.0.0/8'] });

function send(
  url: string,
  options: { guard?: AddressGuard; deadlineMs?: number; signal?: AbortSignal } = {},
) {
  const call = {
    url,
    headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' },
    body: '{"ä":1}',
  };
  return sendCall(call, { guard: open, signal: never, ...options });
}

function statusOf({ status, error }: CallOutcome) {
  return { status, error };
}

test('a call arrives unchanged, and its response is returned', async () => {
  receiver.respond(respondWith(202, 'thank you'));
  const before = receiver.calls.length;
  const outcome = await send(`${receiver.url}?a=b`);
  assert.deepEqual(statusOf(outcome), { status: 202, error: null });
  assert.equal(outcome.excerpt, 'thank you');
  const [call] = receiver.calls.slice(before);
  assert.equal(call?.path, '/hook?a=b');
  assert.equal(call?.body, '{"ä":1}');
  assert.equal(call?.headers['webhook-id'], 'evt_1');
  assert.equal(call?.headers['content-length'], '8');
  assert.equal(call?.headers['transfer-encoding'], undefined);
});

test('a redirect is returned and not followed', async () => {
  const target = await startReceiver();
  try {
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.respond(respondWith(status, '', { location: target.url }));
      assert.deepEqual(statusOf(await send(receiver.url)), { status, error: null });
    }
    assert.equal(target.connections(), 0);
  } finally {
    await target.close();
  }
});

test('the first 2 KB of a long response are kept, and reading stops there', async () => {
  let sent = 0;
  receiver.respond((response) => {
    response.writeHead(200);
    const more = () => {
      if (response.destroyed || sent > 50_000_000) return;
      sent += 65_536;
      response.write('x'.repeat(65_536), () => setImmediate(more));
    };
    more();
  });
  const outcome = await send(receiver.url);
  assert.deepEqual(statusOf(outcome), { status: 200, error: null });
  assert.equal(outcome.excerpt, 'x'.repeat(keptBytes));
  assert.ok(sent < 50_000_000, `${sent} bytes were taken`);
});

test('bytes that are not text are kept as text', async () => {
  receiver.respond((response) => {
    response.end(Buffer.from([0x61, 0x00, 0xff, 0xc3]));
  });
  assert.equal((await send(receiver.url)).excerpt, 'a\ufffd\ufffd\ufffd');
});

test('a receiver that never responds, or sends slowly without end, is abandoned at the deadline', async () => {
  receiver.respond(() => undefined);
  const silent = await send(receiver.url, { deadlineMs: 300 });
  assert.deepEqual(statusOf(silent), { status: null, error: 'No response within 0.3 seconds.' });
  receiver.respond((response) => {
    response.writeHead(200);
    response.write('begun');
    const timer = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(timer));
  });
  const dripping = await send(receiver.url, { deadlineMs: 300 });
  assert.deepEqual(statusOf(dripping), { status: 200, error: null });
  assert.ok(dripping.excerpt.startsWith('begun'));
});

test('slow endless headers are abandoned at the deadline as well', async () => {
  const outcome = await withServer(
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x: y\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    },
    (url) => send(url, { deadlineMs: 300 }),
  );
  assert.deepEqual(statusOf(outcome), { status: null, error: 'No response within 0.3 seconds.' });
});

test('an endless name lookup is abandoned at the deadline', async () => {
  const guard = new AddressGuard({ allowPrivate: [], lookup: () => new Promise(() => undefined) });
  const outcome = await send('https://slow.example.com/', { guard, deadlineMs: 300 });
  assert.deepEqual(statusOf(outcome), { status: null, error: 'No response within 0.3 seconds.' });
});

test('invalid HTTP, an early end, or too many headers is a failure with a description', async () => {
  const responses: Readonly<Record<string, string>> = {
    'SSH-2.0-OpenSSH\r\n': 'The response is not HTTP.',
    [`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}`]: 'The headers of the response are too large.',
    'HTTP/1.1 200': 'The connection was closed before a response arrived.',
  };
  for (const [response, error] of Object.entries(responses)) {
    const outcome = await withServer(
      (socket) => socket.end(response),
      (url) => send(url),
    );
    assert.deepEqual(statusOf(outcome), { status: null, error }, response.slice(0, 20));
  }
});

test('interim responses and upgrades do not delay the call', async () => {
  const failed = (error: string) => ({ status: null, error });
  const closed = failed('The connection was closed before a response arrived.');
  const switched = failed('The response switches to another protocol than HTTP.');
  const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
  const done = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
  const responses: readonly [string, object][] = [
    [upgrade, switched],
    [`HTTP/1.1 100 Continue\r\n\r\n${upgrade}`, switched],
    [`${upgrade}more of another protocol`, switched],
    [`HTTP/1.1 100 Continue\r\n\r\n${done}`, { status: 200, error: null }],
    [`HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${done}`, { status: 200, error: null }],
    ['HTTP/1.1 101 Switching Protocols\r\nContent-Length: 0\r\n\r\n', { status: 101, error: null }],
  ];
  for (const [response, expected] of responses) {
    const outcome = await withServer(
      (socket) => socket.write(response),
      (url) => send(url),
    );
    assert.deepEqual(statusOf(outcome), expected, response);
  }
  for (const leave of [(socket: Socket) => socket.end(), (socket: Socket) => socket.destroy()])
    assert.deepEqual(statusOf(await withServer(leave, (url) => send(url))), closed);
});

test('a connection to a closed port is refused', async () => {
  const gone = await startReceiver();
  await gone.close();
  assert.deepEqual(statusOf(await send(gone.url)), { status: null, error: 'The connection was refused.' });
});

test('TLS needs a trusted certificate', async () => {
  const outcome = await send(receiver.url.replace('http:', 'https:'));
  assert.equal(outcome.status, null);
  assert.match(outcome.error ?? '', /TLS|certificate/i);
});

test('a stop ends a call that is under way', async () => {
  receiver.respond(() => undefined);
  const stopping = new AbortController();
  const before = receiver.calls.length;
  const outcome = send(receiver.url, { signal: stopping.signal });
  await receiver.received(before + 1);
  stopping.abort();
  assert.deepEqual(statusOf(await outcome), { status: null, error: 'The server was stopped.' });
});

test('Retry-After is read from a response', async () => {
  receiver.respond(respondWith(503, '', { 'retry-after': '7' }));
  assert.equal((await send(receiver.url)).retryAfterMs, 7_000);
});

test('no notation of a forbidden address is connected to', async () => {
  const before = receiver.connections();
  const { port } = new URL(receiver.url);
  const guard = new AddressGuard({ allowPrivate: [] });
  // With the port of a real listener, so that a connection to this machine would succeed.
  const here = hostileUrls.map((url) =>
    url.replace('https:', 'http:').replace(/\/(?!\/)[^/]*$/, `:${port}/hook`),
  );
  for (const url of [...hostileUrls, ...malformedUrls, ...here, receiver.url]) {
    if (!malformedUrls.includes(url) && !URL.canParse(url)) continue;
    const outcome = await send(url, { guard });
    assert.equal(outcome.status, null, url);
    assert.match(outcome.error ?? '', /public|https|port|password/, url);
  }
  assert.equal(receiver.connections(), before);
});

test('a name that resolves differently the second time is resolved only once', async () => {
  const resolved: string[] = [];
  const before = receiver.connections();
  const { port } = new URL(receiver.url);
  const guard = new AddressGuard({
    allowPrivate: ['198.51.100.0/24'],
    lookup: async (name) => {
      resolved.push(name);
      return resolved.length === 1 ? ['198.51.100.7'] : ['127.0.0.1'];
    },
  });
  // An address for documentation, where no server exists, so the call fails, but never reaches the other address.
  const first = await send(`http://rebinding.example.com:${port}/hook`, { guard, deadlineMs: 500 });
  assert.equal(first.status, null);
  assert.deepEqual(resolved, ['rebinding.example.com']);
  const second = await send(`http://rebinding.example.com:${port}/hook`, { guard, deadlineMs: 500 });
  assert.match(second.error ?? '', /^The host name resolves to an address that is not public\./);
  assert.equal(receiver.connections(), before);
});

test('a name is called at the checked address, with the name in the request', async () => {
  receiver.respond(respondWith(204));
  const { port } = new URL(receiver.url);
  const guard = new AddressGuard({ allowPrivate: ['127.0.0.0/8'], lookup: async () => ['127.0.0.1'] });
  const before = receiver.calls.length;
  assert.equal((await send(`http://hooks.example.com:${port}/hook`, { guard })).status, 204);
  assert.equal(receiver.calls[before]?.headers.host, `hooks.example.com:${port}`);
});

async function withServer<T>(serve: (socket: Socket) => void, work: (url: string) => Promise<T>): Promise<T> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => serve(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  try {
    return await work(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`);
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
}

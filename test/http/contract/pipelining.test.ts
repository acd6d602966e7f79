/**
 * Tests of pipelined requests and of many unauthenticated ones: of a connection one request at a time is handled, few wait behind it,
 * and what waits of one network is bounded.
 */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type Server as HttpServer, IncomingMessage } from 'node:http';
import { after, test } from 'node:test';
import { maximumPendingRequests } from '@trellis/server/kernel/http/pipelining.ts';
import { unauthenticated } from '@trellis/server/kernel/lib/fair-queue.ts';
import { startMetricsServer } from '@trellis/server/node/api/metrics-server.ts';
import { pino } from 'pino';
import { firstResponse, openRawConnection, requestHead, sendAndWait } from '../../support/connections.ts';
import { countRunningTime } from '../../support/running-time.ts';
import { startTestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const logged: string[] = [];
const server = await startTestServer({ trustedProxies: '127.0.0.1', log: (line) => logged.push(line) });
const { turns } = server.database.api;
const enter = turns.enter.bind(turns);
/** Set: unauthenticated requests wait for it. */
let hold: Promise<void> | null = null;
let waiting = 0;
turns.enter = (key) => {
  if (key !== unauthenticated || hold === null) return enter(key);
  waiting += 1;
  return hold;
};
after(() => server.close());

/** How many responses begin in the bytes of a connection. */
function countResponses(text: string): number {
  return text.split(/(?<=^|[^\n])HTTP\/1\.1 \d{3} /).length - 1;
}

/** Holds unauthenticated requests back; returns what lets them go on. */
function holdUnauthenticated(): () => void {
  const held = Promise.withResolvers<void>();
  hold = held.promise;
  waiting = 0;
  return () => {
    hold = null;
    held.resolve();
  };
}

const owner = `Authorization: Bearer ${server.token}`;
/** Every route, read without a token and by the owner, and what no route takes. */
const targets = [...server.server.routes.keys(), '/nothing', '/%ff', '/v1/%ff', '/sandbox/nothing']
  .map((path) => path.replaceAll(/:\w+|\*/g, 'x'))
  .filter((path) => path !== '/v1/events/stream');

for (const [who, headers] of [
  ['no token', []],
  ['the owner', [owner]],
] as const) {
  test(`whatever ${who} pipelines, the connection ends with few responses`, async () => {
    for (const target of targets) {
      const { closed, write } = await openRawConnection(server.url);
      write(requestHead('GET', target, headers).repeat(1_000));
      const { text } = await closed;
      assert.ok(
        countResponses(text) <= maximumPendingRequests,
        `${target}: ${countResponses(text)} responses`,
      );
    }
    assert.equal((await server.call('GET', '/v1/sites')).status, 200);
  });
}

const post = ['Content-Type: application/json', 'Idempotency-Key: chunks', 'Transfer-Encoding: chunked'];

/** Counts the pieces of bodies that requests get while a function runs. */
async function countPieces(work: () => Promise<void>): Promise<number> {
  const { push } = IncomingMessage.prototype;
  let pieces = 0;
  IncomingMessage.prototype.push = function count(piece: unknown, ...rest) {
    if (piece !== null) pieces += 1;
    return push.call(this, piece, ...rest);
  };
  try {
    await work();
  } finally {
    IncomingMessage.prototype.push = push;
  }
  return pieces;
}

test('a body in tiny chunks ends the connection', async () => {
  const pieces = await countPieces(async () => {
    const { closed, write } = await openRawConnection(server.url);
    write(requestHead('POST', '/v1/sites', [owner, ...post]));
    write('1\r\n \r\n'.repeat(50_000));
    assert.equal((await closed).text, '');
  });
  assert.ok(pieces <= 1_024, String(pieces));
  assert.match(await server.metrics.render(), /^trellis_refusals_total\{code="small_chunks"\} 1$/m);
});

test('a body in many chunks as long as lines are is received', async () => {
  const connection = await openRawConnection(server.url);
  connection.write(requestHead('POST', '/v1/sites', [owner, ...post, 'Connection: close']));
  connection.write(`${`14\r\n${' '.repeat(20)}\r\n`.repeat(3_000)}2\r\n{}\r\n0\r\n\r\n`);
  assert.equal(firstResponse((await connection.closed).text).json.code, 'validation_failed');
});

/** Whether the parser gets what follows the response to a request whose body goes on. @param seen in the response */
async function isParsedFurther(url: string, head: string, seen: string): Promise<boolean> {
  const faults: unknown[] = [];
  const listen = (message: unknown) => {
    const { server: listening } = message as { server: HttpServer };
    listening.on('clientError', ({ code }: NodeJS.ErrnoException) => faults.push(code));
  };
  subscribe('http.server.request.start', listen);
  const { closed, received, socket, write } = await openRawConnection(url, { ends: false });
  write(head);
  await until('it gets a response', async () => received().includes(seen));
  unsubscribe('http.server.request.start', listen);
  write('no length of a chunk\r\n');
  socket.end();
  assert.equal((await closed).wasReset, false);
  return faults.some((code) => code !== 'HPE_INVALID_EOF_STATE');
}

test('what follows a refusal is not parsed', async () => {
  assert.equal(
    await isParsedFurther(server.url, requestHead('POST', '/v1/sites', post), 'token_missing'),
    false,
  );
});

test('the body of a request to the port of the metrics is not parsed', async (context) => {
  const metrics = await startMetricsServer({ host: '127.0.0.1', port: 0 }, pino({ level: 'silent' }));
  context.after(() => metrics.close());
  metrics.serve(async () => 'text');
  for (const [method, path, seen] of [
    ['GET', '/metrics', 'text'],
    ['POST', '/metrics', 'Only GET'],
    ['POST', '/nothing', 'Only /metrics'],
  ] as const)
    assert.equal(await isParsedFurther(metrics.url, requestHead(method, path, post), seen), false, seen);
});

test('a connection that has ended for pipelining is counted', async () => {
  assert.match(await server.metrics.render(), /^trellis_refusals_total\{code="pipelining"\} \d+$/m);
});

test('a connection ends for pipelining whatever its requests ask for', async () => {
  const heads = {
    'a response before the body': requestHead('POST', '/v1/sites', [owner, 'Expect: 100-continue']),
    'a tunnel': requestHead('CONNECT', 'example.com:443'),
  };
  for (const [what, head] of Object.entries(heads)) {
    const { closed, write } = await openRawConnection(server.url);
    write(head.repeat(1_000));
    assert.ok(countResponses((await closed).text) <= maximumPendingRequests, what);
  }
});

test('the metrics are read over and over on one connection only in turn', async () => {
  const metrics = await startMetricsServer({ host: '127.0.0.1', port: 0 }, pino({ level: 'silent' }));
  const rendered = Promise.withResolvers<string>();
  metrics.serve(() => rendered.promise);
  const { closed, write } = await openRawConnection(metrics.url);
  write(requestHead('GET', '/metrics').repeat(1_000));
  assert.equal((await closed).text, '');
  rendered.resolve('');
  await metrics.close();
});

test('a few pipelined requests are handled one after another, in order', async () => {
  const release = holdUnauthenticated();
  const { closed, received, write } = await openRawConnection(server.url);
  const paths = Array.from({ length: maximumPendingRequests }, (_, index) => `/nothing-${index}`);
  const requests = paths.map((path, index) => requestHead('GET', index === 0 ? '/docs/limits' : path));
  write(`${requests.slice(0, -1).join('')}${requestHead('GET', paths.at(-1) ?? '', ['Connection: close'])}`);
  await until('the first one waits', async () => waiting > 0);
  // Unknown paths have no turn: they would get a response at once.
  assert.equal((await server.call('GET', '/v1/sites')).status, 200);
  assert.deepEqual([waiting, received()], [1, '']);
  release();
  const { text } = await closed;
  const order = [...text.matchAll(/"instance":"([^"]+)"/g)].map(([, path]) => path);
  assert.deepEqual(order, paths.slice(1));
});

test('nothing is done for requests behind one that ends the connection', async () => {
  const { closed, write } = await openRawConnection(server.url);
  const body = JSON.stringify({ name: 'Behind', key: 'behind-the-last' });
  write(
    `${requestHead('GET', '/v1/sites', [owner, 'Connection: close'])}${requestHead('POST', '/v1/sites', [
      owner,
      'Idempotency-Key: behind-the-last',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ])}${body}`,
  );
  assert.equal(countResponses((await closed).text), 1);
  const { json } = await server.call('GET', '/v1/sites');
  assert.doesNotMatch(JSON.stringify(json), /behind-the-last/);
});

test('of one network so many unauthenticated requests wait; further ones get 503, and their connections end', async () => {
  const release = holdUnauthenticated();
  const from = (address: string, more: readonly string[] = []) =>
    requestHead('GET', '/docs/limits', [`X-Forwarded-For: ${address}`, 'Connection: keep-alive', ...more]);
  const all = await Promise.all(Array.from({ length: 1_000 }, () => openRawConnection(server.url)));
  for (const { write } of all) write(from('2001:db8:0:1::1'));
  await until('all wait', async () => waiting === all.length);
  const surplus = await openRawConnection(server.url);
  surplus.write(from('2001:db8:0:1:ffff::2'));
  const response = firstResponse((await surplus.closed).text);
  assert.deepEqual([response.status, response.json.code], [503, 'overloaded']);
  assert.equal(response.headers.get('retry-after'), '1');
  // Others still wait for their turn, but not with so many bytes.
  const other = await openRawConnection(server.url);
  other.write(from('2001:db8:0:2::1'));
  await until('another network waits', async () => waiting === all.length + 1);
  const large = Array.from({ length: 100 }, () => `X-Long: ${'x'.repeat(120)}`);
  const many = await Promise.all(Array.from({ length: 200 }, () => openRawConnection(server.url)));
  for (const { write } of many) write(from('192.0.2.1', large));
  const refused = () => many.filter((connection) => connection.received().startsWith('HTTP/1.1 503 ')).length;
  await until('all are refused or wait', async () => refused() + waiting === all.length + 1 + many.length);
  assert.ok(refused() > 0 && refused() < many.length, `${refused()} were refused`);
  release();
  for (const { socket } of [...all, ...many, other]) socket.destroy();
});

test('refusals are logged in sum, without stacks', async () => {
  logged.length = 0;
  const quiet = await startTestServer({ log: (line) => logged.push(line), logLevel: 'trace' });
  for (let round = 0; round < 50; round += 1) await fetch(`${quiet.url}/nothing-${round}`);
  await quiet.call('GET', '/v1/sites?limit=0');
  await quiet.close();
  const lines = logged.map((line) => JSON.parse(line)).filter(({ level }) => level >= 30);
  assert.deepEqual(
    lines.map(({ msg, refused, most }) => ({ msg, refused, most })),
    [
      {
        msg: 'requests were refused',
        refused: 51,
        most: { 'not_found unknown': 50, 'invalid_parameter /v1/sites': 1 },
      },
    ],
  );
});

test('a request to change the protocol is handled as any other, and the connection ends at once', async () => {
  const metrics = await startMetricsServer({ host: '127.0.0.1', port: 0 }, pino({ level: 'silent' }));
  metrics.serve(async () => 'text');
  const upgrade = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAoAAA'];
  for (const [url, path] of [
    [server.url, '/healthz'],
    [metrics.url, '/metrics'],
  ] as const) {
    const stop = countRunningTime();
    const { status, headers } = await sendAndWait(url, requestHead('GET', path, upgrade).repeat(2));
    assert.equal(status, 200, path);
    assert.equal(headers.get('connection'), 'close', path);
    // Without that, the server would wait ten seconds for the end of the second request.
    const took = stop();
    assert.ok(took < 8, `${path}: ${took} s`);
  }
  await metrics.close();
});

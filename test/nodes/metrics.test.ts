/** Metrics for the operator: on a separate address, of bounded size whatever callers do, and rendered once a second. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { readMetricsPlace } from '@trellis/server/kernel/config/values.ts';
import { shareText, startMetricsServer } from '@trellis/server/node/api/metrics-server.ts';
import { pino } from 'pino';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { readMetrics, runProgram, settingsOf, startServing } from '../support/program.ts';
import { sendRaw } from '../support/raw-requests.ts';
import { startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase({ poolSize: 2 });
});
after(() => database?.drop());

const words = ['--port', '0'];

test('metrics are on a port of the loopback interface, and not on the port of the API', async () => {
  const first = await startServing(words, settingsOf(database));
  const second = await startServing(words, settingsOf(database));
  try {
    assert.match(first.metricsUrl ?? '', /^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    // Two on one machine do not get in each other's way.
    assert.notEqual(first.metricsUrl, second.metricsUrl);
    assert.equal((await fetch(`${first.url}/metrics`)).status, 404);
    assert.match(await readMetrics(first), /^trellis_database_connections \d+$/m);
    const other = await fetch(new URL('/v1/sites', first.metricsUrl ?? ''));
    assert.equal(other.status, 404);
    const posted = await fetch(first.metricsUrl ?? '', { method: 'POST' });
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD']);
  } finally {
    await first.end('SIGTERM');
    await second.end('SIGTERM');
  }
});

test('metrics can be switched off, and a port in use stops the start with a remedy', async () => {
  const off = await startServing(words, { ...settingsOf(database), TRELLIS_METRICS: 'off' });
  assert.equal(off.metricsUrl, null);
  await off.end('SIGTERM');
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const address = taken.address();
  assert.ok(address !== null && typeof address === 'object');
  try {
    const setting = { TRELLIS_METRICS: `127.0.0.1:${address.port}` };
    const result = await runProgram(['serve', ...words], { ...settingsOf(database), ...setting });
    assert.equal(result.code, 1);
    assert.match(result.stderr, new RegExp(`127.0.0.1:${address.port} is already in use.*TRELLIS_METRICS`));
  } finally {
    taken.close();
  }
});

test('the address is a host and a port, a port, or off', () => {
  assert.equal(readMetricsPlace('off'), null);
  assert.deepEqual(readMetricsPlace('9464'), { host: '127.0.0.1', port: 9464 });
  assert.deepEqual(readMetricsPlace('0.0.0.0:9464'), { host: '0.0.0.0', port: 9464 });
  assert.deepEqual(readMetricsPlace('[::1]:0'), { host: '::1', port: 0 });
  for (const wrong of [
    '',
    'on',
    ':9464',
    '127.0.0.1:',
    '127.0.0.1:65536',
    '::1:9464',
    'a b:1',
    'http://a:1',
  ]) {
    assert.throws(() => readMetricsPlace(wrong), /must be/, wrong);
  }
});

test('requests within a second share one text, also when it fails', async () => {
  let made = 0;
  let now = 0;
  const render = shareText(
    async () => {
      made += 1;
      if (made === 2) throw new Error('not now');
      return `text ${made}`;
    },
    () => now,
  );
  assert.deepEqual(await Promise.all([render(), render()]), ['text 1', 'text 1']);
  now = 999;
  assert.equal(await render(), 'text 1');
  now = 1_000;
  await assert.rejects(render(), /not now/);
  await assert.rejects(render(), /not now/);
  now = 2_000;
  assert.equal(await render(), 'text 3');
});

test('until the node has started the response is 503', async () => {
  const server = await startMetricsServer({ host: '127.0.0.1', port: 0 }, pino({ level: 'silent' }));
  try {
    assert.equal((await fetch(server.url)).status, 503);
    server.serve(async () => 'text');
    assert.equal(await (await fetch(server.url)).text(), 'text');
  } finally {
    await server.close();
  }
});

test('idle connections do not keep anybody from the metrics', async () => {
  const server = await startMetricsServer({ host: '127.0.0.1', port: 0 }, pino({ level: 'silent' }));
  server.serve(async () => 'text');
  const port = Number(new URL(server.url).port);
  const idle: Socket[] = [];
  try {
    for (let index = 0; index < 40; index += 1) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      idle.push(socket);
    }
    assert.equal(await (await fetch(server.url)).text(), 'text');
    await until('the oldest ones have ended', () => idle[0]?.readyState === 'closed');
    assert.equal(idle.at(-1)?.readyState, 'open');
  } finally {
    for (const socket of idle) socket.destroy();
    await server.close();
  }
});

test('requests without a token create no more series than there are operations', async () => {
  const server = await startTestServer();
  try {
    const series = async () =>
      (await server.metrics.render())
        .split('\n')
        .filter((line) => line.startsWith('trellis_http_request_duration_seconds_count'));
    const attack = async (round: number) => {
      for (const [path, methods] of server.server.routes) {
        const url = path.replace(/:\w+/g, `x${round}`).replace('*', 'x');
        for (const method of [...methods, 'LOCK', 'PROPFIND', 'SEARCH', 'DELETE', 'PUT']) {
          await sendRaw(server.url, { method, path: url });
        }
      }
      for (let call = 0; call < 50; call += 1)
        await sendRaw(server.url, { method: 'GET', path: `/made-up/${round}/${call}` });
    };
    await attack(1);
    const first = await series();
    const routes = [...server.server.routes.values()].reduce((sum, methods) => sum + methods.size, 0);
    // Each route with one status, and `unknown` with a few.
    assert.ok(first.length <= routes + 10, `${first.length} series for ${routes} routes`);
    assert.ok(!first.some((line) => /made-up|LOCK|PROPFIND|SEARCH/.test(line)));
    await attack(2);
    assert.equal((await series()).length, first.length);
  } finally {
    await server.close();
  }
});

/** Several processes behind one port behave like one: to clients, to Prometheus, and when started and stopped. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDataDirectory } from '../support/folders.ts';
import { readMetrics, runProgram, type ServingProgram, startServing } from '../support/program.ts';
import type { Json } from '../support/server.ts';
import { until } from '../support/until.ts';

let dataDir: string;
let server: ServingProgram;
let demo: Json;

async function serve(): Promise<void> {
  const words = ['--workers', '2', '--demo', '--port', '0', '--data-dir', dataDir];
  server = await startServing(words, { TRELLIS_LOG_LEVEL: 'debug' });
  demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'));
}
before(async () => {
  dataDir = await makeDataDirectory('workers');
  await serve();
});
after(async () => {
  await server.end('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
});

/** One call on a new connection, which may reach either process. */
async function call(method: string, path: string, key?: string, body?: unknown): Promise<Response> {
  for (;;) {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${demo.token}`,
        connection: 'close',
        'content-type': 'application/json',
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // On a machine that is busy with other tests the server says so, and a client comes again.
    if (response.status !== 503) return response;
    await response.arrayBuffer();
    await sleep(100);
  }
}

/** Ids of the running processes by their work: those that serve, and the background process. */
function processes(): { serving: number[]; background: number[] } {
  const started = server.log.filter(({ msg }) => msg === 'This process has started');
  const living = started.filter(({ pid }) => isAlive(pid));
  const pids = (serving: boolean) =>
    living.filter(({ roles }) => roles.includes('api') === serving).map(({ pid }) => pid as number);
  return { serving: pids(true), background: pids(false) };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Calls at the same time, until each of the processes that serve has responded since. */
async function reachBoth(since: number): Promise<void> {
  await until('both processes have responded', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => call('GET', '/v1/sites')));
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
    const responded = server.log
      .slice(since)
      .filter(({ msg, route }) => msg === 'request' && route === '/v1/sites');
    return processes().serving.every((pid) => responded.some((line) => line.pid === pid));
  });
}

async function metric(name: string): Promise<number> {
  const text = await readMetrics(server);
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  return Number(line?.slice(name.length));
}

/** The sum of a metric over all its labels. */
async function requestsCounted(): Promise<number> {
  const text = await readMetrics(server);
  return text
    .split('\n')
    .filter((line) =>
      /^trellis_http_request_duration_seconds_count\{route="\/v1\/sites",method="GET"/.test(line),
    )
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

test('both processes respond on one port, start with one event, and share their metrics', async () => {
  assert.equal(new URL(server.url).port, new URL(demo.baseUrl).port);
  assert.deepEqual(
    server.events.map(({ event, pid }) => [event, pid]),
    [
      ['starting', server.pid],
      ['ready', server.pid],
    ],
  );
  const { serving, background } = processes();
  assert.equal(serving.length, 2);
  assert.equal(background.length, 1);
  assert.equal(new Set([...serving, ...background, server.pid]).size, 4);
  await reachBoth(0);
  // Reads alone: the demo was made by writes.
  const logged = server.log.filter(
    ({ msg, route, method }) => msg === 'request' && route === '/v1/sites' && method === 'GET',
  ).length;
  // A process that does not send its counts in time is left out.
  await until('all of them are counted', async () => (await requestsCounted()) >= logged);
  assert.equal((await metric('trellis_outbox_events')) >= 0, true);
});

test('a replay returns the same response from any process, and is counted once', async () => {
  const before = await metric('trellis_idempotent_replays_total');
  const key = randomUUID();
  const body = { name: 'Replayed', key: `replayed-${key.slice(0, 8)}` };
  const first = await call('POST', '/v1/sites', key, body);
  assert.equal(first.status, 201);
  const bytes = await first.text();
  const respondents = () =>
    new Set(
      server.log
        .filter(({ msg, method, route }) => msg === 'request' && method === 'POST' && route === '/v1/sites')
        .map(({ pid }) => pid),
    );
  let replays = 0;
  await until('both processes have responded to the write', async () => {
    // Others at the same time, so that it is not always the same process that is free.
    const [again] = await Promise.all([
      call('POST', '/v1/sites', key, body),
      ...Array.from({ length: 4 }, () => call('GET', '/v1/sites')),
    ]);
    replays += 1;
    assert.equal(again.status, 201);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal(await again.text(), bytes);
    return respondents().size === 2;
  });
  // A text is given for a second.
  const counted = async () => (await metric('trellis_idempotent_replays_total')) - before;
  await until('all replays are counted', async () => (await counted()) >= replays);
  assert.equal(await counted(), replays);
});

test('a write through one process is logged by the background process, and sent by the streams of all', async () => {
  const streams = await Promise.all([1, 2, 3, 4].map(() => call('GET', '/v1/events/stream?from=latest')));
  const key = randomUUID();
  const made = await call('POST', '/v1/sites', key, { name: 'Told', key: `told-${key.slice(0, 8)}` });
  assert.equal(made.status, 201);
  const { id } = (await made.json()) as Json;
  for (const stream of streams) {
    assert.equal(stream.status, 200);
    let text = '';
    for await (const chunk of stream.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes(id)) break;
    }
    assert.ok(text.includes('site.created'), text);
  }
});

for (const which of ['serving', 'background'] as const) {
  test(`a ${which} process that is killed is restarted, while requests continue`, async () => {
    const since = server.log.length;
    const [victim = 0] = processes()[which];
    process.kill(victim, 'SIGKILL');
    const { pid } = await until('it is started again', async () => {
      // A connection that the victim had accepted ends with it; a client makes another one.
      const response = await call('GET', '/v1/sites').catch(() => null);
      if (response !== null) assert.equal(response.status, 200);
      const started = server.log.slice(since).find(({ msg }) => msg === 'This process has started');
      return started as Json;
    });
    assert.notEqual(pid, victim);
    const died = server.log.slice(since).filter(({ msg }) => /process died/.test(msg));
    assert.deepEqual(
      died.map((line) => [line.process, line.signal]),
      [[victim, 'SIGKILL']],
    );
    assert.equal(processes()[which].length, which === 'serving' ? 2 : 1);
    await reachBoth(server.log.length);
    const made = await call('POST', '/v1/sites', randomUUID(), { name: 'After', key: `after-${which}` });
    const { id } = (await made.json()) as Json;
    // Another relay takes over once the lease of the dead one has run out.
    await until('its event is in the log', async () =>
      (await (await call('GET', '/v1/events?limit=100&type=site.created')).text()).includes(id),
    );
  });
}

test('SIGTERM: current requests finish, and all processes end', async () => {
  const { serving, background } = processes();
  const pids = [...serving, ...background];
  let stopped = false;
  let responded = 0;
  const clients = Array.from({ length: 4 }, async () => {
    while (!stopped) {
      assert.equal((await call('GET', '/v1/sites')).status, 200);
      responded += 1;
    }
  });
  await until('calls are under way', () => responded > 4);
  const ended = server.end('SIGTERM');
  await until('it is not ready', async () => (await fetch(`${server.url}/readyz`)).status === 503);
  stopped = true;
  await Promise.all(clients);
  assert.equal(await ended, 0);
  assert.deepEqual(pids.filter(isAlive), []);
  assert.deepEqual(
    server.events.map(({ event }) => event),
    ['starting', 'ready', 'stopping', 'stopped'],
  );
});

test('kill -9 of the first process leaves no serving process behind', async () => {
  await serve();
  const { serving, background } = processes();
  await server.end('SIGKILL');
  await until('all have ended', () => ![...serving, ...background].some(isAlive));
  await assert.rejects(fetch(`${server.url}/healthz`));
  // The next start finds everything as it was.
  await serve();
  assert.equal((await call('GET', '/v1/sites')).status, 200);
});

test('a port in use is reported in one sentence, and several processes need the API', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const address = listener.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const folder = await makeDataDirectory('workers');
  try {
    const words = ['serve', '--workers', '2', '--port', String(port), '--data-dir', folder];
    const taken = await runProgram(words, { TRELLIS_LOG_LEVEL: 'silent' });
    assert.equal(taken.code, 1);
    assert.match(taken.stderr, /^127\.0\.0\.1:\d+ is already in use\..*\n$/);
    const useless = await runProgram([...words, '--roles', 'relay'], { TRELLIS_LOG_LEVEL: 'silent' });
    assert.equal(useless.code, 2);
    assert.match(useless.stderr, /--workers .* needs the role api/);
  } finally {
    listener.close();
    await rm(folder, { recursive: true, force: true });
  }
});

/**
 * Strangers who pipeline, flood and send odd input to every route of both ports of a real server, beside a tenant: bounds on the
 * memory of the server, on the tenant's latency as a ratio to before, and on the longest block of the event loop.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { makeToken } from '@trellis/server/identity/tokens.ts';
import { requestHead } from '../support/connections.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import type { Flood } from '../support/flood-thread.ts';
import { makeDataDirectory } from '../support/folders.ts';
import { readMetrics, type ServingProgram, settingsOf, startServing } from '../support/program.ts';
import type { Json } from '../support/server.ts';

const mebibyte = 1_048_576;
const bounds = { growthBytes: 50 * mebibyte, ratio: 3, blockMs: 250 } as const;
/** Below this, the tenant's p99 is what the machine makes of it, in ms. */
const calmMs = 10;
const secondsOfFlood = 8;

let database: TestDatabase;
let dataDir: string;
let server: ServingProgram;
let token: string;
let calm: Latency;
before(async () => {
  database = await createTestDatabase({ poolSize: 2 });
  dataDir = await makeDataDirectory('strangers');
  server = await startServing(['--demo', '--port', '0', '--data-dir', dataDir], {
    ...settingsOf(database),
    TRELLIS_METRICS: '127.0.0.1:0',
  });
  ({ token } = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')));
  await beTenant(4_000);
  calm = await beTenant(10_000);
});
after(async () => {
  await server.end('SIGTERM');
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

interface Latency {
  readonly p99: number;
  readonly statuses: Readonly<Record<number, number>>;
}

/** Reads as a tenant, 40 times a second. */
async function beTenant(milliseconds: number): Promise<Latency> {
  const latencies: number[] = [];
  const statuses: Record<number, number> = {};
  const end = performance.now() + milliseconds;
  const read = async () => {
    const begun = performance.now();
    const response = await fetch(`${server.url}/v1/sites?limit=5`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await response.arrayBuffer();
    latencies.push(performance.now() - begun);
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
  };
  const running: Promise<void>[] = [];
  while (performance.now() < end) {
    running.push(read());
    await sleep(25);
  }
  await Promise.all(running);
  latencies.sort((one, other) => one - other);
  return { p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0, statuses };
}

/** Memory of the server's process, in bytes. */
async function memory(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1_024;
}

/** The longest block of the event loop since this was asked last, in ms. */
async function longestBlock(): Promise<number> {
  await sleep(1_100);
  const found = /^trellis_nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await readMetrics(server));
  return Number(found?.[1]) * 1_000;
}

/** Every route of the documents, with a method that it has. */
async function listHeads(): Promise<string[]> {
  const heads: string[] = [];
  for (const path of ['/docs/openapi.json', '/auth/openapi.json', '/sandbox/openapi.json']) {
    const document = (await (await fetch(`${server.url}${path}`)).json()) as Json;
    const [{ url = '' } = {}] = document.servers ?? [];
    const prefix = path.startsWith('/sandbox') ? new URL(url, server.url).pathname : '';
    for (const [route, item] of Object.entries<Json>(document.paths)) {
      for (const method of Object.keys(item)) {
        const isRead = method === 'get';
        const target = `${prefix}${route}`.replaceAll(/\{\w+\}/g, 'x');
        heads.push(requestHead(method.toUpperCase(), target, isRead ? [] : ['Content-Length: 0']));
      }
    }
    heads.push(requestHead('GET', path));
  }
  assert.ok(heads.length > 100, 'the documents list the routes');
  return heads.filter((head) => /^[A-Z]+ \//.test(head));
}

const flags = '\u{1F3F4}';
/** Input that no client sends. */
const odd = [
  'GET / HTTP/1.1\r\n\r\n',
  requestHead('GET', `/${'x'.repeat(15_000)}`),
  requestHead('GET', '/%ff'),
  requestHead('GET', '/v1/sites', ['Expect: nonsense']),
  requestHead('GET', '/v1/sites', [`Cookie: ${'a=b; '.repeat(2_000)}`]),
  requestHead('GET', `/docs/errors/${'e'.repeat(190)}`),
  requestHead('CONNECT', 'example.com:443'),
  requestHead('OPTIONS', '*'),
  requestHead('POST', '/auth/password', ['Sec-Fetch-Site: same-origin', 'Transfer-Encoding: chunked']),
  `${requestHead('POST', '/sandbox/plants', ['Content-Length: 70000'])}${'{'.repeat(65_000)}`,
  requestHead(
    'GET',
    '/v1/sites',
    Array.from({ length: 190 }, (_, index) => `X-${index}: ${flags}`),
  ),
  '\0'.repeat(60_000),
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
];

const unknownTokens = Array.from({ length: 1_000 }, () =>
  requestHead('GET', '/v1/sites', [`Authorization: Bearer ${makeToken()}`]),
);

const kinds: Readonly<Record<string, () => Promise<Pick<Flood, 'heads' | 'pipelined' | 'connections'>>>> = {
  'pipeline ten thousand requests to every route': async () => ({
    heads: await listHeads(),
    pipelined: 10_000,
    connections: 8,
  }),
  'open many connections, each with a packet of requests': async () => ({
    heads: [requestHead('GET', '/')],
    pipelined: 1_500,
    connections: 100,
  }),
  'come five hundred at once': async () => ({
    heads: [requestHead('GET', '/auth/session', ['Sec-Fetch-Site: same-origin'])],
    pipelined: 1,
    connections: 500,
  }),
  'ask for every route': async () => ({ heads: await listHeads(), pipelined: 1, connections: 50 }),
  'present a thousand unknown tokens': async () => ({ heads: unknownTokens, pipelined: 1, connections: 100 }),
  'send odd input': async () => ({ heads: odd, pipelined: 1, connections: 50 }),
};

for (const [what, describe] of Object.entries(kinds)) {
  test(`while strangers ${what}, a tenant is served as before`, async (context) => {
    const flood = await describe();
    const bytesBefore = await memory();
    await longestBlock();
    const strangers = begin({ ...flood, url: server.url });
    const beside = await beTenant(secondsOfFlood * 1_000);
    const blockMs = await longestBlock();
    await strangers;
    const growth = (await memory()) - bytesBefore;
    context.diagnostic(
      `p99 ${beside.p99.toFixed(0)} ms, before ${calm.p99.toFixed(0)} ms; block ${blockMs.toFixed(0)} ms; ${Math.round(growth / mebibyte)} MiB more`,
    );
    assert.deepEqual(Object.keys(beside.statuses), ['200']);
    assert.ok(growth <= bounds.growthBytes, 'memory');
    assert.ok(blockMs <= bounds.blockMs, 'the longest block of the loop');
    assert.ok(beside.p99 <= bounds.ratio * Math.max(calm.p99, calmMs), 'the latency of the tenant');
  });
}

test('strangers at the port of the metrics cost little', async () => {
  assert.ok(server.metricsUrl !== null);
  const bytesBefore = await memory();
  const heads = [requestHead('GET', '/metrics'), requestHead('GET', '/nothing'), ...odd];
  for (const pipelined of [1, 10_000]) {
    const strangers = begin({ heads, pipelined, connections: 8, url: server.metricsUrl }, 4);
    const beside = await beTenant(4_000);
    await strangers;
    assert.deepEqual(Object.keys(beside.statuses), ['200']);
    assert.ok(beside.p99 <= bounds.ratio * Math.max(calm.p99, calmMs), `p99 ${beside.p99} ms`);
  }
  assert.ok((await memory()) - bytesBefore <= bounds.growthBytes, 'memory');
});

test('strangers fill no log', () => {
  // One line in ten seconds, and those of the start.
  assert.ok(server.log.length < 100, `${server.log.length} lines`);
  assert.ok(server.events.filter(({ event }) => event === 'starting').length === 1, 'it never died');
});

function begin(
  flood: Pick<Flood, 'heads' | 'pipelined' | 'connections' | 'url'>,
  seconds = secondsOfFlood,
): Promise<unknown> {
  const thread = new Worker(new URL('../support/flood-thread.ts', import.meta.url), {
    workerData: { ...flood, milliseconds: seconds * 1_000, mostBytes: 100 * mebibyte },
  });
  return once(thread, 'exit');
}

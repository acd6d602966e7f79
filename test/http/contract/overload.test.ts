/**
 * Tests of overload and shutdown: an overloaded server responds with 503 and Retry-After and changes nothing; a stopping
 * server finishes its requests. The tests create each state and hold it, without waiting for time to pass.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { unauthenticated } from '@trellis/server/kernel/lib/fair-queue.ts';
import { AdminClient } from '../../support/admin-client.ts';
import { startNode, type TestNode } from '../../support/nodes.ts';
import { changesNothing, expectProblem, wasTurnedAway } from '../../support/refusals.ts';
import { countRunningTime } from '../../support/running-time.ts';
import { startTestServer, type TestResponse } from '../../support/server.ts';
import { TenantTables } from '../../support/tenant-tables.ts';
import { until } from '../../support/until.ts';

const server = await startTestServer();
const tables = await TenantTables.open(server.database);
after(async () => {
  await tables.close();
  await server.close();
});

interface Connection {
  write(text: string): void;
  end(): void;
  /** Everything that came, when the other side has closed. */
  readonly closed: Promise<string>;
}

/**
 * Opens a raw connection.
 * @throws if nobody listens
 */
function openConnection({ url }: { url: string }): Promise<Connection> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    const closed = new Promise<string>((done) => socket.on('close', () => done(received)));
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', reject);
    socket.on('connect', () =>
      resolve({
        write: (text) => socket.write(text),
        end: () => socket.destroy(),
        closed,
      }),
    );
  });
}

async function isListening(node: TestNode): Promise<boolean> {
  const connection = await openConnection(node).catch(() => null);
  connection?.end();
  return connection !== null;
}

/** Opened first, because the server gives them ten seconds, and is counted for until the last of them has left. */
const stopCounting = countRunningTime();
const slowClients = await Promise.all(Array.from({ length: 20 }, () => openConnection(server)));
for (const client of slowClients) client.write('GET /v1/sites HTTP/1.1\r\nHost: test\r\nX-Slow: ');
const haveLeft = Promise.all(slowClients.map(({ closed }) => closed)).then((responses) => ({
  responses,
  seconds: stopCounting(),
}));

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly key?: string;
  readonly body?: unknown;
}

/** Sends a request to a node as the owner; again when the node was too busy with this very test to look at it. */
async function send(
  { url }: { url: string },
  { method, path, key = randomUUID(), body }: Sent,
): Promise<TestResponse> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${server.token}`,
        ...(method === 'GET' ? {} : { 'idempotency-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const { status, headers } = response;
    const text = await response.text();
    const json = text === '' ? undefined : JSON.parse(text);
    if (!wasTurnedAway({ status, json }) || tries === 50) return { status, headers, text, json };
    await sleep(50);
  }
}

function expectOverloaded(response: TestResponse, detail: string): void {
  expectProblem(response, 503, 'overloaded');
  assert.equal(response.headers.get('retry-after'), '1');
  assert.equal(response.json.detail, detail);
}

function newSite(): Sent & { readonly body: { name: string; key: string } } {
  const key = `site-${randomUUID().slice(0, 8)}`;
  return { method: 'POST', path: '/v1/sites', key, body: { name: 'Site', key } };
}

async function createSite(): Promise<string> {
  return (await send(server, newSite())).json.id;
}

interface Hold {
  /** Ends when a change waits for the record. */
  waiting(change: Promise<TestResponse>): Promise<void>;
  release(): Promise<void>;
}

/** Locks a record, so that changes of it wait. */
async function holdSite(id: string): Promise<Hold> {
  const holder = await AdminClient.open(server.database);
  await holder.query('BEGIN');
  await holder.query('SELECT FROM trellis.sites WHERE id = $1 FOR UPDATE', [decodeId('site', id)]);
  return {
    async waiting(change) {
      let response: TestResponse | undefined;
      void change.then((received) => {
        response = received;
      });
      await until(
        'the change waits',
        async () => response !== undefined || (await holder.countWaiting()) > 0,
      );
      assert.equal(response?.text, undefined, 'the change did not wait');
    },
    release: () => holder.end(),
  };
}

/** Keeps the process from doing anything else, itself included. */
function blockFor(durationMs: number): void {
  const end = performance.now() + durationMs;
  while (performance.now() < end);
}

/** Opens the node's first connection: on a busy machine that may take longer than calls wait for one. */
function connectNode({ database }: TestNode): Promise<boolean> {
  return until('the node is connected', () =>
    database.run('SELECT 1').then(
      () => true,
      () => false,
    ),
  );
}

async function withNode(
  options: { poolSize?: number; acquireTimeoutMs?: number },
  work: (node: TestNode) => Promise<void>,
): Promise<void> {
  const node = await startNode(server.database, { maxLagMs: 250, ...options });
  try {
    await work(node);
  } finally {
    await node.close();
  }
}

test('a call without a free connection gets Retry-After, and succeeds when it is repeated', () =>
  withNode({ poolSize: 1, acquireTimeoutMs: 100 }, async (node) => {
    const id = await createSite();
    await connectNode(node);
    // While a connection is free, the token becomes known.
    assert.equal((await send(node, { method: 'GET', path: `/v1/sites/${id}` })).status, 200);
    const hold = await holdSite(id);
    const slow = send(node, { method: 'PATCH', path: `/v1/sites/${id}`, body: { name: 'Slow' } });
    await hold.waiting(slow);
    const site = newSite();
    await changesNothing(tables, async () => {
      const path = `/v1/sites/${id}`;
      for (const request of [site, { method: 'GET', path }, { method: 'DELETE', path }]) {
        expectOverloaded(await send(node, request), 'All database connections are busy.');
      }
    });
    await hold.release();
    assert.equal((await slow).status, 200);
    const again = await send(node, site);
    assert.equal(again.status, 201, again.text);
    assert.equal(again.headers.get('idempotent-replayed'), null);
  }));

test('a change that waits too long for a record is rolled back', async () => {
  const id = await createSite();
  const hold = await holdSite(id);
  const change = { method: 'PATCH', path: `/v1/sites/${id}`, key: randomUUID(), body: { name: 'Late' } };
  await changesNothing(tables, async () => {
    // The role's lock_timeout ends the wait.
    expectOverloaded(
      await send(server, change),
      'The database was too busy to finish in time. Nothing was changed.',
    );
  });
  await hold.release();
  const again = await send(server, change);
  assert.equal(again.status, 200);
  assert.equal(again.json.version, 2);
});

/** The responses to GETs of paths that arrive while the process is kept from working, as `/path HTTP/1.1 200`, and their texts. */
async function responsesDuringOverload(node: TestNode, paths: readonly string[], keepBusy: () => void) {
  const connections = await Promise.all(paths.map(() => openConnection(node)));
  const ends = `Authorization: Bearer ${server.token}\r\nConnection: close\r\n\r\n`;
  // Written at once, and read only when the process comes to it.
  connections.forEach((connection, index) => {
    connection.write(`GET ${paths[index]} HTTP/1.1\r\nHost: test\r\n${ends}`);
  });
  // For as long as any of them waits: on a busy machine they do not all arrive in the same turn.
  let isWaiting = true;
  const block = () => {
    keepBusy();
    if (isWaiting) setTimeout(block, 1);
  };
  block();
  const texts = await Promise.all(connections.map(({ closed }) => closed));
  isWaiting = false;
  return { texts, heads: texts.map((text, index) => `${paths[index]} ${text.slice(0, 12)}`) };
}

test('calls are refused during overload, probes are not', () =>
  withNode({}, async (node) => {
    await connectNode(node);
    const paths = ['/v1/sites', '/v1/openapi', '/docs', '/nothing', '/healthz', '/readyz'];
    const { heads, texts } = await responsesDuringOverload(node, paths, () => blockFor(600));
    assert.deepEqual(heads, [
      '/v1/sites HTTP/1.1 503',
      '/v1/openapi HTTP/1.1 503',
      '/docs HTTP/1.1 503',
      '/nothing HTTP/1.1 404',
      '/healthz HTTP/1.1 200',
      '/readyz HTTP/1.1 200',
    ]);
    for (const text of texts.slice(0, 3)) {
      assert.match(text, /^retry-after: 1\r$/im);
      assert.match(text, /"code":"overloaded"/);
    }
    // The server recovers by itself; `send` retries until it does.
    assert.equal((await send(node, { method: 'GET', path: '/v1/sites' })).status, 200);
  }));

test('while unauthenticated requests use the process, organizations are not refused', () =>
  withNode({}, async (node) => {
    await connectNode(node);
    assert.equal((await send(node, { method: 'GET', path: '/v1/sites' })).status, 200);
    const { heads } = await responsesDuringOverload(node, ['/v1/sites', '/docs'], () => {
      node.database.turns.charge(unauthenticated);
      blockFor(450);
    });
    assert.deepEqual(heads, ['/v1/sites HTTP/1.1 200', '/docs HTTP/1.1 503']);
  }));

test('a stopping server reports not ready, accepts no new connections, and finishes running requests', () =>
  withNode({}, async (node) => {
    const id = await createSite();
    const hold = await holdSite(id);
    const slow = send(node, { method: 'PATCH', path: `/v1/sites/${id}`, body: { name: 'In flight' } });
    await hold.waiting(slow);
    const stopped = node.server.close();
    const ready = await send(node, { method: 'GET', path: '/readyz' });
    assert.equal(ready.status, 503);
    assert.equal(ready.json.reason, 'stopping');
    assert.equal(ready.headers.get('connection'), 'close');
    // A balancer may not have noticed yet: what still comes gets a response, and is told to go elsewhere next time.
    const late = await send(node, { method: 'GET', path: `/v1/sites/${id}` });
    assert.equal(late.status, 200);
    assert.equal(late.headers.get('connection'), 'close');
    while (await isListening(node)) await sleep(20);
    await hold.release();
    const finished = await slow;
    assert.equal(finished.status, 200, finished.text);
    assert.equal(finished.json.version, 2);
    await stopped;
    assert.equal((await send(server, { method: 'GET', path: `/v1/sites/${id}` })).json.name, 'In flight');
  }));

test('clients that do not finish their headers are disconnected, others are not', async () => {
  const { responses, seconds } = await haveLeft;
  for (const response of responses) {
    assert.match(response, /^HTTP\/1\.1 408 /);
  }
  // Node looks for slow clients now and then, and would by itself give them a minute.
  assert.ok(seconds < 30, `${seconds} s`);
  assert.equal((await send(server, { method: 'GET', path: '/v1/sites' })).status, 200);
});

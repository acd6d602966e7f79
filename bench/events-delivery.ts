/**
 * The latency of webhook deliveries, from the commit of a write to the receiver's call: relay, fan-out, claim and call. It is
 * measured on one serving process with all roles, written to over HTTP.
 */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@trellis/server/kernel/database/database.ts';
import type { RoleUrls } from '@trellis/server/kernel/database/setup.ts';
import { makeDataDirectory } from '../test/support/folders.ts';
import { createMember, createOrganization, createToken } from '../test/support/identities.ts';
import { type ServingProgram, startServing } from '../test/support/program.ts';
import { type Receiver, startReceiver } from '../test/support/receiver.ts';
import { until } from '../test/support/until.ts';

export interface DeliveryDatabases {
  readonly urls: RoleUrls;
  readonly worker: Database;
}

/** Milliseconds from the instant of a change, which is read before its commit, to the arrival of its call. */
export interface Latency {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly calls: number;
  /** Calls that there had to be. */
  readonly expected: number;
}

/** Writes a second: what latency is measured at, and with twenty endpoints each. */
const latencyRate = 20;
const fairnessRate = 4;
const healthyCount = 20;
/** A fifth of all. */
const hangingCount = 5;

/** A node, and a way to write to it. */
interface Node {
  send(method: string, path: string, body: object): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

async function startNode({ urls, worker }: DeliveryDatabases): Promise<Node> {
  const directory = await makeDataDirectory('bench-node');
  const organization = await createOrganization(worker, `delivery-${Date.now()}`);
  const { token } = await createToken(
    worker,
    organization,
    await createMember(worker, organization, 'OWNER'),
  );
  const program: ServingProgram = await startServing(['--port', '0', '--data-dir', directory], {
    TRELLIS_DATABASE_URL: urls.api,
    TRELLIS_DATABASE_WORKER_URL: urls.worker,
    TRELLIS_CURSOR_KEY: '07'.repeat(32),
    TRELLIS_VISITOR_KEY: '08'.repeat(32),
    TRELLIS_WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
    TRELLIS_LOG_LEVEL: 'fatal',
  });
  return {
    async send(method, path, body) {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      };
      for (let tries = 1; ; tries += 1) {
        const response = await fetch(`${program.url}${path}`, {
          method,
          headers,
          body: JSON.stringify(body),
        });
        const text = await response.text();
        if (response.ok) return JSON.parse(text);
        // On a busy machine the server turns some calls away, and a client comes again.
        if (response.status !== 503 || tries === 50)
          throw new Error(`${method} ${path} got ${response.status}: ${text}`);
        await sleep(100);
      }
    },
    async stop() {
      await program.end('SIGTERM');
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function createEndpoints(node: Node, url: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const body = { url: `${url}/${number}`, eventTypes: ['book.created'] };
    ids.push(String((await node.send('POST', '/v1/webhook-endpoints', body)).id));
  }
  return ids;
}

/** Writes at a steady rate, whatever the responses take, and waits until all calls have arrived. */
async function measureTurn(
  node: Node,
  receiver: Receiver,
  rate: number,
  seconds: number,
  endpoints: number,
): Promise<Latency> {
  const begun = receiver.calls.length;
  const count = rate * seconds;
  const writes: Promise<unknown>[] = [];
  const start = performance.now();
  for (let number = 0; number < count; number += 1) {
    await sleep(Math.max(0, start + (number * 1_000) / rate - performance.now()));
    writes.push(node.send('POST', '/v1/books', { title: `Book ${number}` }));
  }
  await Promise.all(writes);
  const expected = count * endpoints;
  await until('all calls have arrived', () => receiver.calls.length >= begun + expected);
  const calls = receiver.calls.slice(begun);
  const waits = calls.map(({ at, body }) => at - Date.parse(JSON.parse(body).time));
  waits.sort((left, right) => left - right);
  const percentile = (part: number) => waits[Math.floor(waits.length * part)] ?? 0;
  return {
    p50: percentile(0.5),
    p95: percentile(0.95),
    p99: percentile(0.99),
    calls: waits.length,
    expected,
  };
}

/** One endpoint, and writes at a moderate rate. */
export async function measureLatency(
  databases: DeliveryDatabases,
  seconds: number,
): Promise<{ readonly rate: number; readonly latency: Latency }> {
  const node = await startNode(databases);
  const receiver = await startReceiver();
  try {
    await createEndpoints(node, receiver.url, 1);
    // The first seconds prepare statements and let V8 compile.
    await measureTurn(node, receiver, latencyRate, Math.min(3, seconds), 1);
    return { rate: latencyRate, latency: await measureTurn(node, receiver, latencyRate, seconds, 1) };
  } finally {
    await node.stop();
    await receiver.close();
  }
}

/**
 * Turns of twenty healthy endpoints alone, each followed by one with five additional endpoints that accept calls and
 * never respond.
 */
export async function measureFairness(
  databases: DeliveryDatabases,
  seconds: number,
  turns: number,
): Promise<{ readonly alone: Latency; readonly beside: Latency }[]> {
  const node = await startNode(databases);
  const healthy = await startReceiver();
  const hanging = await startReceiver(() => undefined);
  try {
    await createEndpoints(node, healthy.url, healthyCount);
    const hangingIds = await createEndpoints(node, hanging.url, hangingCount);
    const setHanging = async (status: 'ENABLED' | 'DISABLED') => {
      for (const id of hangingIds) await node.send('PATCH', `/v1/webhook-endpoints/${id}`, { status });
    };
    const turn = (length: number) => measureTurn(node, healthy, fairnessRate, length, healthyCount);
    await setHanging('DISABLED');
    await turn(Math.min(3, seconds));
    const pairs: { alone: Latency; beside: Latency }[] = [];
    for (let number = 0; number < turns; number += 1) {
      const alone = await turn(seconds);
      await setHanging('ENABLED');
      pairs.push({ alone, beside: await turn(seconds) });
      await setHanging('DISABLED');
    }
    return pairs;
  } finally {
    await node.stop();
    await Promise.all([healthy.close(), hanging.close()]);
  }
}

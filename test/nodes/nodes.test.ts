/**
 * Several nodes with different roles: nodes join, leave and die, and writers, readers of the log and webhook
 * receivers do not notice.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type ContentPlace, type ContentServer, openContentPlace } from '../support/content-server.ts';
import { readMetrics } from '../support/program.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { Json } from '../support/server.ts';
import { until } from '../support/until.ts';
import { verifyWebhook } from '../support/verify-webhook.ts';

/** The duration of a lease, with some time for another process to acquire it. */
const takeoverMs = 10_000;

let place: ContentPlace;
let receiver: Receiver;
/** Serves only; moves and delivers only; does everything. */
let serving: ContentServer;
let moving: ContentServer;
let whole: ContentServer;
let secret = '';

const start = (roles: string) =>
  place.start({ TRELLIS_ROLES: roles, TRELLIS_WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8' });

before(async () => {
  place = await openContentPlace();
  receiver = await startReceiver();
  moving = await start('relay,delivery');
  await until('it is the relay', async () => (await relayPid()) === moving.pid);
  [serving, whole] = await Promise.all([
    start('api'),
    start('api,scheduler,extractor,indexer,relay,delivery'),
  ]);
  const { status, json, text } = await serving.call('POST', '/v1/webhook-endpoints', {
    body: { url: receiver.url, eventTypes: ['site.*'] },
  });
  assert.equal(status, 201, text);
  secret = json.secret;
});
after(async () => {
  await place?.close();
  await receiver?.close();
});

/** The process that holds the lease of the relay. */
async function relayPid(): Promise<number> {
  const rows = await place.database.worker.run(
    `SELECT split_part(holder, ' ', 2) FROM trellis.leases WHERE name = 'relay' AND expires_at > clock_timestamp()`,
  );
  return Number(rows[0]?.[0]);
}

interface Writer {
  /** Versions that were acknowledged, `site version`, in order. */
  readonly acknowledged: readonly string[];
  /** Lets the write under way end. Rejects if any failed. */
  stop(): Promise<void>;
}

/** Creates a site through a node and changes it again and again, one write after the other. */
function startWriter(node: ContentServer): Writer {
  const acknowledged: string[] = [];
  let stopped = false;
  const write = async (method: string, path: string, body: object): Promise<Json> => {
    const response = await node.call(method, path, { body });
    assert.ok(response.status < 300, `${method} ${path}: ${response.status} ${response.text}`);
    acknowledged.push(`${response.json.id} ${response.json.version}`);
    return response.json;
  };
  const ended = (async () => {
    const { id } = await write('POST', '/v1/sites', { name: 'Site', key: `site-${randomUUID()}` });
    while (!stopped) await write('PATCH', `/v1/sites/${id}`, { name: `Site ${acknowledged.length}` });
  })();
  // The test that stops it reports its failure.
  ended.catch(() => undefined);
  return {
    acknowledged,
    stop() {
      stopped = true;
      return ended;
    },
  };
}

/** The whole log as a node gives it: events of sites. */
async function readFeed(node: ContentServer): Promise<Json[]> {
  const events: Json[] = [];
  for (let query = 'from=earliest'; ; ) {
    const { status, json, text } = await node.call('GET', `/v1/events?limit=100&${query}`);
    assert.equal(status, 200, text);
    events.push(...json.items);
    if (!json.pageInfo.hasNextPage) return events.filter(({ type }) => type.startsWith('site.'));
    query = `cursor=${encodeURIComponent(json.pageInfo.nextCursor)}`;
  }
}

const versionOf = ({ subject, data }: Json) => `${subject} ${data.version}`;

/** Waits until the log has everything acknowledged, and sees that it has each once, in order, and nothing else. */
async function expectInFeed(writers: readonly Writer[]): Promise<Json[]> {
  const all = writers.flatMap(({ acknowledged }) => acknowledged);
  const events = await until('everything is in the log', async () => {
    const found = await readFeed(whole);
    return found.length >= all.length && found;
  });
  for (const { acknowledged } of writers) {
    const [site = ''] = (acknowledged[0] ?? '').split(' ');
    assert.deepEqual(events.filter(({ subject }) => subject === site).map(versionOf), acknowledged);
  }
  assert.equal(events.length, all.length);
  const sequences = events.map(({ sequence }) => sequence);
  assert.deepEqual(sequences, [...new Set(sequences)].sort());
  return events;
}

/**
 * Waits until the receiver was called for each event; calls that a dead node had begun are repeated after the lease.
 */
async function expectDelivered(events: readonly Json[]): Promise<void> {
  const missing = () => {
    const ids = new Set(receiver.calls.map(({ headers }) => headers['webhook-id']));
    return events.filter(({ id }) => !ids.has(id));
  };
  for (let left = missing().length; left > 0; left = missing().length) {
    await until('another one is delivered', () => missing().length < left);
  }
  for (const { headers, body } of receiver.calls) {
    assert.ok(verifyWebhook(headers, body, secret));
    // However often a delivery is made, it goes under the id of its event.
    assert.equal(headers['webhook-id'], JSON.parse(body).id);
  }
}

const all: Writer[] = [];

test('writes through both serving nodes are logged once and in order, and delivered', async () => {
  const writers = [startWriter(serving), startWriter(whole)];
  all.push(...writers);
  await until('there is something', () => writers.every(({ acknowledged }) => acknowledged.length >= 10));
  await Promise.all(writers.map((writer) => writer.stop()));
  assert.equal(await relayPid(), moving.pid);
  await expectDelivered(await expectInFeed(all));
});

test('a file uploaded through a node without the role extractor is extracted by another node', async () => {
  const file = await serving.createFile({ name: 'shared' });
  assert.equal((await serving.upload(file.id, 'some words', '?fileName=a.txt')).status, 200);
  assert.equal((await serving.settled(file.id)).status, 'READY');
  const counted = async (node: ContentServer) =>
    /^trellis_extractions_total\{outcome="ready"\} (\d+)$/m.exec(await readMetrics(node))?.[1];
  await until('it is counted', async () => (await counted(whole)) === '1');
  // Only nodes with the role count.
  assert.equal(await counted(serving), undefined);
});

test('when the node with the relay is killed, another takes over, and nothing is lost', async () => {
  const writers = [startWriter(serving), startWriter(whole)];
  all.push(...writers);
  await until('there is something', () => writers.every(({ acknowledged }) => acknowledged.length >= 10));
  assert.equal(await relayPid(), moving.pid);
  const killedAt = performance.now();
  await moving.end('SIGKILL');
  await until('another one is the relay', async () => (await relayPid()) === whole.pid);
  assert.ok(performance.now() - killedAt < takeoverMs);
  await Promise.all(writers.map((writer) => writer.stop()));
  await expectDelivered(await expectInFeed(all));
});

test('no write fails when a node is stopped during writes', async () => {
  const writers = [startWriter(serving), startWriter(whole)];
  all.push(...writers);
  await until('there is something', () => writers.every(({ acknowledged }) => acknowledged.length >= 10));
  const ended = serving.end('SIGTERM');
  await until('it is not ready', async () => (await fetch(`${serving.url}/readyz`)).status === 503);
  await Promise.all(writers.map((writer) => writer.stop()));
  assert.equal(await ended, 0);
  await expectDelivered(await expectInFeed(all));
});

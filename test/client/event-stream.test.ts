/** Tests of following events: each once and in order, over connections that break, fall silent, or are ended by the server. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { after, afterEach, before, test } from 'node:test';
import { ApiClient } from '@trellis/client/api-client.ts';
import type { EventStream, EventStreamOptions } from '@trellis/client/event-stream.ts';
import { readServerSentEvents } from '@trellis/client/server-sent-events.ts';
import { AdminClient } from '../support/admin-client.ts';
import { CuttingProxy } from '../support/cutting-proxy.ts';
import { startFakeApi } from '../support/fake-api.ts';
import { chooseSeed, seededNumbers } from '../support/seed.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

let server: TestServer;
let client: ApiClient;
let rows: AdminClient;
let position = 0;

before(async () => {
  // Streams end after 200 ms, so that a reader also connects again by itself.
  server = await startTestServer({ streamLifetimeMs: 200, heartbeatMs: 20 });
  client = new ApiClient({ baseUrl: server.url, token: server.token });
  rows = await AdminClient.open(server.database);
});
after(async () => {
  await rows.end();
  await server.close();
});

/** Logs events about books, whose sequence numbers are returned. */
async function log(count: number, type = 'book.created'): Promise<string[]> {
  const first = position + 1;
  position += count;
  await rows.query(
    `INSERT INTO trellis.events (organization_id, position, logged_at, id, type, subject_type, subject_id,
        subject_version, request_id, changed_fields, occurred_at)
      SELECT $1, position, now(), gen_random_uuid(), $4, 'book', gen_random_uuid(), 1, 'test', '{title}', now()
      FROM generate_series($2::bigint, $3::bigint) position`,
    [server.organization.id, String(first), String(position), type],
  );
  await rows.query(
    `INSERT INTO trellis.event_positions (organization_id, position, logged_at) VALUES ($1, $2, now())
      ON CONFLICT (organization_id) DO UPDATE SET position = excluded.position`,
    [server.organization.id, String(position)],
  );
  return Array.from({ length: count }, (_, index) => String(first + index).padStart(19, '0'));
}

/** A reader, and what it has seen. */
class Following {
  readonly seen: string[] = [];
  readonly outages: string[] = [];
  connections = 0;
  readonly ended: Promise<void>;
  private readonly stream: EventStream;
  private readonly abort = new AbortController();

  constructor(from: ApiClient, options: EventStreamOptions) {
    this.stream = from.events({
      ...options,
      signal: this.abort.signal,
      onConnect: () => {
        this.connections += 1;
      },
      onOutage: ({ code }) => this.outages.push(code),
    });
    this.ended = this.read();
  }

  get cursor(): string | null {
    return this.stream.cursor;
  }

  async stop(): Promise<void> {
    this.abort.abort();
    await this.ended;
  }

  private async read(): Promise<void> {
    for await (const { sequence } of this.stream) this.seen.push(String(sequence));
  }
}

/** The readers of a test, which are stopped also when it has failed. */
const readers: Following[] = [];
afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.stop().catch(() => undefined);
});

function follow(from: ApiClient, options: EventStreamOptions = {}): Following {
  const reader = new Following(from, options);
  reader.ended.catch(() => undefined);
  readers.push(reader);
  return reader;
}

test('every event comes once and in order over connections that are cut at any byte', async (context) => {
  const random = seededNumbers(chooseSeed(context));
  const proxy = await CuttingProxy.start(server.url);
  context.after(() => proxy.close());
  const expected: string[] = [];
  const reader = follow(new ApiClient({ baseUrl: proxy.url, token: server.token }), { from: 'latest' });
  await until('it is connected', () => reader.connections > 0);
  for (let round = 0; round < 12; round += 1) {
    expected.push(...(await log(1 + Math.floor(random() * 60))));
    await new Promise((resolve) => setTimeout(resolve, random() * 40));
    proxy.cutAll();
  }
  await until('all have come', () => reader.seen.length >= expected.length);
  expected.push(...(await log(1)));
  await until('the last one has come', () => reader.seen.at(-1) === expected.at(-1));
  assert.deepEqual(reader.seen, expected);
  assert.ok(reader.outages.length > 0, 'no cut interrupted a stream');
  await reader.stop();
});

test('a later run continues from the cursor of an earlier one, also past events that the filter leaves out', async () => {
  const first = follow(client, { type: 'book.deleted' });
  await until('it is connected', () => first.connections > 0);
  const before = first.cursor;
  await log(5);
  await until('the cursor has moved', () => first.cursor !== before && first.connections > 1);
  const expected = await log(1, 'book.deleted');
  await until('it has come', () => first.seen.length === 1);
  await first.stop();
  const cursor = first.cursor;
  assert.ok(cursor);
  expected.push(...(await log(3, 'book.deleted')));
  const second = follow(client, { type: 'book.deleted', from: { cursor } });
  await until('all have come', () => second.seen.length === 3);
  await second.stop();
  assert.deepEqual([...first.seen, ...second.seen], expected);
  assert.deepEqual(first.outages, [], 'the end of a stream by the server is no outage');
});

test('a refusal ends the stream with its problem, and an address without a server after a few attempts', async () => {
  await assert.rejects(follow(client, { from: { cursor: 'nonsense' } }).ended, { code: 'cursor_invalid' });
  await assert.rejects(follow(client, { type: 'book.sold' }).ended, { code: 'invalid_parameter' });
  const unauthenticated = new ApiClient({ baseUrl: server.url, token: 'trl_pat_wrong' });
  await assert.rejects(follow(unauthenticated).ended, { code: 'token_invalid' });
  const nowhere = new ApiClient({ baseUrl: 'http://127.0.0.1:1', token: 'x' });
  await assert.rejects(follow(nowhere, { attempts: 2 }).ended, { code: 'unreachable' });
});

test('a connection that falls silent is replaced, with the id that came last', async (context) => {
  const positions: (string | undefined)[] = [];
  const open: ServerResponse[] = [];
  const fake = createServer((request, response) => {
    const last = request.headers['last-event-id'];
    positions.push(typeof last === 'string' ? last : undefined);
    open.push(response);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`: connected\n\nid: c${positions.length}\n\n`);
  });
  await once(fake.listen(0, '127.0.0.1'), 'listening');
  context.after(() => {
    fake.close();
    fake.closeAllConnections();
  });
  const address = fake.address();
  assert.ok(address !== null && typeof address === 'object');
  const reader = follow(new ApiClient({ baseUrl: `http://127.0.0.1:${address.port}`, token: 'x' }), {
    silenceMs: 50,
  });
  // Under load a connection may count as silent before its id has come; a later one has the last id that did come.
  await until(
    'it has continued twice',
    () => positions.filter((last, index) => last === `c${index}`).length >= 2,
  );
  for (const [index, last] of positions.entries()) {
    assert.ok(
      last === undefined || Number(last.slice(1)) <= index,
      `${last} came before connection ${index + 1}`,
    );
  }
  assert.ok(reader.outages.length > 0);
  await reader.stop();
});

test('what responds in place of the server is refused at first, and waited out after a connection', async (context) => {
  const portal = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' };
  const events = { ...portal, headers: { 'content-type': 'text/event-stream' } };
  const first = await startFakeApi(context, [portal]);
  await assert.rejects(follow(first.client).ended, { code: 'unexpected_response' });
  const event = 'id: c2\ndata: {"type":"book.created","subject":"book_1","sequence":"2"}\n\n';
  const later = await startFakeApi(context, [
    { ...events, body: 'id: c1\n\n' },
    portal,
    { ...events, body: event },
  ]);
  const reader = follow(later.client);
  await until('the event has come', () => reader.seen.length > 0);
  await reader.stop();
  assert.equal(reader.seen[0], '2');
  assert.deepEqual(reader.outages[0], 'unexpected_response');
  assert.equal(later.requests[2]?.headers['last-event-id'], 'c1');
});

test('blocks are read as the standard says, however the bytes are cut', async () => {
  const text =
    ': comment\n\nid: 1\r\nevent: book.created\r\ndata: {"a":\r\ndata: "é😀"}\r\n\r\nid: 2\n\nid\ndata:x\n\nretry: 5\rdata: last\r\rid: 9\ndata: incomplete';
  const bytes = new TextEncoder().encode(text);
  const expected = [
    { id: '', data: null },
    { id: '1', data: '{"a":\n"é😀"}' },
    { id: '2', data: null },
    { id: '', data: 'x' },
    { id: '', data: 'last' },
  ];
  for (const size of [1, 2, 3, 7, bytes.length]) {
    const parts: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += size) parts.push(bytes.slice(at, at + size));
    let chunks = 0;
    const blocks: unknown[] = [];
    for await (const block of readServerSentEvents(ReadableStream.from(parts), () => {
      chunks += 1;
    })) {
      blocks.push(block);
    }
    assert.deepEqual(blocks, expected, `in parts of ${size}`);
    assert.equal(chunks, parts.length);
  }
  const endless = ReadableStream.from([new TextEncoder().encode(`data: ${'x'.repeat(1_100_000)}`)]);
  await assert.rejects(async () => {
    for await (const _block of readServerSentEvents(endless, () => undefined));
  }, /too long/);
});

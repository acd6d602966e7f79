/** Tests of live changes against the real server: what changed, by whom and when, and one read for many events. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ApiClient } from '@trellis/client/api-client.ts';
import { Live, type LiveChange, type LiveOptions } from '@trellis/console/live/live-feed.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { Arrivals } from '@trellis/server/kernel/events/arrivals.ts';
import type { Relay } from '@trellis/server/kernel/events/relay.ts';
import { CuttingProxy } from '../../support/cutting-proxy.ts';
import { startFakeApi } from '../../support/fake-api.ts';
import { startTestRelay } from '../../support/relay.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

let server: TestServer;
let relay: Relay;
let client: ApiClient;

before(async () => {
  const arrivals = new Arrivals();
  server = await startTestServer({ streamLifetimeMs: 60_000, heartbeatMs: 50, arrivals });
  relay = startTestRelay(server.database);
  client = new ApiClient({ baseUrl: server.url, token: server.token });
});
after(async () => {
  await relay.stop();
  await server.close();
});

/** A page that is open; `calls` are its reads. */
async function openPage(from: ApiClient, options: Partial<LiveOptions> = {}) {
  const calls: (readonly LiveChange[])[] = [];
  const connections: boolean[] = [];
  const live = new Live({
    client: from,
    collectMs: 50,
    refetch: async (changes) => void calls.push(changes),
    onMissed: () => undefined,
    onConnection: (isConnected) => connections.push(isConnected),
    ...options,
  });
  const ended = live.start();
  ended.catch(() => undefined);
  return { live, calls, connections, ended };
}

test('tells which record changed, by whom and when, and reads records that changed often only once', async (context) => {
  const page = await openPage(client, { collectMs: 1_000 });
  context.after(() => page.live.stop());
  await until('it is connected', () => page.connections[0] === true);
  const { body: book } = await client.call('createBook', { body: { title: 'Emma' } });
  const path = { id: book.id };
  for (const edition of ['1', '2', '3']) await client.call('updateBook', { path, body: { edition } });
  await until('the last change is known', () => page.live.lastChange(book.id)?.version === 4);
  const last = page.live.lastChange(book.id);
  const { body: current } = await client.call('getBook', { path });
  assert.deepEqual(last, {
    recordId: book.id,
    type: 'book.updated',
    version: 4,
    by: encodeId('user', server.ownerId),
    at: current.updatedAt,
    fields: ['edition'],
  });
  // On a busy machine the last event may come after the first read.
  const readOfBook = () => page.calls.flat().filter(({ recordId }) => recordId === book.id);
  await until('the last change was read', () => readOfBook().at(-1)?.version === 4);
  const read = readOfBook();
  assert.ok(read.length < 4, 'several changes are one read');
  assert.equal(page.live.lastChange('book_unknown'), null);
});

test('a version that the page has made itself is not read again', async (context) => {
  const page = await openPage(client);
  context.after(() => page.live.stop());
  await until('it is connected', () => page.connections[0] === true);
  const { body: own } = await client.call('createBook', { body: { title: 'Own' } });
  page.live.noteVersion(own.id, 2);
  await client.call('updateBook', { path: { id: own.id }, body: { edition: '2' } });
  const { body: other } = await client.call('createBook', { body: { title: 'Other' } });
  await until('the other was read', () => page.calls.flat().some(({ recordId }) => recordId === other.id));
  assert.ok(!page.calls.flat().some(({ recordId }) => recordId === own.id));
  assert.equal(page.live.lastChange(own.id)?.version, 2);
  await client.call('deleteBook', { path: { id: own.id } });
  await until('the deletion is told', () => page.calls.flat().some(({ type }) => type === 'book.deleted'));
});

test('a read that fails is repeated with what has come since, and an interruption loses nothing', async (context) => {
  const proxy = await CuttingProxy.start(server.url);
  context.after(() => proxy.close());
  let failures = 2;
  const read = new Set<string>();
  const page = await openPage(new ApiClient({ baseUrl: proxy.url, token: server.token }), {
    refetch: async (changes) => {
      failures -= 1;
      if (failures >= 0) throw new Error('the network is gone');
      for (const { recordId } of changes) read.add(recordId);
    },
  });
  context.after(() => page.live.stop());
  await until('it is connected', () => page.connections[0] === true);
  const ids: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    ids.push((await client.call('createBook', { body: { title: `Book ${round}` } })).body.id);
    proxy.cutAll();
  }
  await until('all were read', () => ids.every((id) => read.has(id)));
  assert.ok(page.connections.includes(false), 'the interruption is told');
  await until('and that it is over', () => page.connections.at(-1) === true);
});

test('a refusal ends it, and a cursor that is too old tells that events were missed', async (context) => {
  const unauthenticated = await openPage(new ApiClient({ baseUrl: server.url, token: 'trl_pat_wrong' }));
  await assert.rejects(unauthenticated.ended, { code: 'token_invalid' });
  const event = (id: string) => ({
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: `id: ${id}\n\n`,
  });
  const expired = { status: 400, body: { code: 'cursor_invalid', detail: 'Expired.' } };
  const fake = await startFakeApi(context, [event('c1'), expired, event('c2')]);
  let missed = 0;
  const page = await openPage(fake.client, {
    onMissed: () => {
      missed += 1;
    },
  });
  context.after(() => page.live.stop());
  await until('it begins again', () => fake.requests.length >= 3);
  assert.equal(missed, 1);
  const [first, second, third] = fake.requests;
  assert.deepEqual(
    [first, second, third].map((request) => request?.headers['last-event-id']),
    [undefined, 'c1', undefined],
  );
});

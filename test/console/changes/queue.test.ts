/** Tests of the durable queue of changes against the real server: whatever breaks, each change happens once and in order. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from '@trellis/client/api-client.ts';
import { etagOf } from '@trellis/client/response.ts';
import { oneTimeMembers } from '@trellis/console/outbox/send/one-time.ts';
import type { Completed } from '@trellis/console/outbox/send/sender.ts';
import type { NewChange } from '@trellis/console/outbox/store/change.ts';
import { ChangeStore, composePatches } from '@trellis/console/outbox/store/change-store.ts';
import { storedTable } from '@trellis/console/outbox/store/change-table.ts';
import type { Values } from '@trellis/console/outbox/store/fields.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import { applyMergePatch } from '@trellis/schema/values/merge-patch.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import fc from 'fast-check';
import { CuttingProxy } from '../../support/cutting-proxy.ts';
import { startFakeApi } from '../../support/fake-api.ts';
import { chooseSeed, seededNumbers } from '../../support/seed.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { hurry, makeSealKey, QueueTab, TestBrowserStorage } from './tabs.ts';

let server: TestServer;
let client: ApiClient;

before(async () => {
  server = await startTestServer();
  client = new ApiClient({ baseUrl: server.url, token: server.token });
});
after(() => server.close());

async function createBook(title = 'Emma'): Promise<string> {
  return (await client.call('createBook', { body: { title } })).body.id;
}

const readBook = async (id: string) => (await client.call('getBook', { path: { id } })).body;

function patchOf(
  id: string,
  body: object,
  more: Partial<NewChange> = {},
  ifMatch: string | null = null,
): NewChange {
  return {
    record: id,
    label: 'A change',
    request: { method: 'PATCH', path: `/v1/books/${id}`, body, ifMatch },
    ...more,
  };
}

const isEmpty = (tab: QueueTab) => async () => (await tab.read()).waiting === 0;

test('changes are kept while the server is away and the tab is closed, and then happen once and in order', async (context) => {
  const random = seededNumbers(chooseSeed(context));
  const proxy = await CuttingProxy.start(server.url);
  context.after(() => proxy.close());
  const books = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(createBook));
  const storage = new TestBrowserStorage();
  const target = { url: proxy.url, token: server.token };
  let tab = await QueueTab.open(storage, target);
  const expected = new Map(books.map((id) => [id, [] as string[]]));
  const last = new Map<string, string>();
  proxy.beforeRequest = () => random() < 0.2;
  proxy.insteadOfResponse = () => random() < 0.3;
  for (let round = 0; round < 40; round += 1) {
    const id = books[Math.floor(random() * books.length)] ?? '';
    const subtitle = `Round ${round}`;
    // With If-Match a second request under another key would be refused, and not be a change of nothing.
    const version = 1 + (expected.get(id)?.length ?? 0);
    const after = last.get(id) ?? null;
    last.set(id, (await tab.add(patchOf(id, { subtitle }, { after }, etagOf(version)))).key);
    expected.get(id)?.push(subtitle);
    if (random() < 0.2) {
      // The tab is killed with requests under way; the next one finds what is left.
      await tab.kill();
      tab = await QueueTab.open(storage, target);
    }
  }
  await until('all are sent', isEmpty(tab));
  await tab.kill();
  for (const [id, subtitles] of expected) {
    const { version, subtitle } = await readBook(id);
    assert.equal(version, 1 + subtitles.length, 'each change made one version');
    assert.equal(subtitle, subtitles.at(-1) ?? null);
  }
  assert.deepEqual(await storage.changes(), []);
});

test('a tab that dies between the response and its storing sends the change again, and it happened once', async (context) => {
  const id = await createBook();
  const storage = new TestBrowserStorage();
  const vault = await storage.open();
  let deaths = 0;
  class DyingStore extends ChangeStore {
    override async settle(sequence: number, etag: string | null): Promise<void> {
      deaths += 1;
      if (deaths <= 2) throw new Error('the tab has died');
      await super.settle(sequence, etag);
    }
  }
  const tab = await QueueTab.open(storage, server, { store: new DyingStore(storedTable(vault)) });
  context.after(() => tab.kill());
  await tab.add(patchOf(id, { subtitle: 'Once' }));
  await until('it is sent', isEmpty(tab));
  assert.equal(deaths, 3);
  assert.equal((await readBook(id)).version, 2);
});

test('changes of one record are sent one after the other, those of different records at the same time', async (context) => {
  const books = await Promise.all(['a', 'b', 'c'].map(createBook));
  const open = new Map<string, number>();
  let mostOfOne = 0;
  let most = 0;
  const together = Promise.withResolvers<void>();
  context.after(() => together.resolve());
  const slow = new ApiClient({
    baseUrl: server.url,
    token: server.token,
    fetch: async (url, init) => {
      open.set(url, (open.get(url) ?? 0) + 1);
      mostOfOne = Math.max(mostOfOne, ...open.values());
      most = Math.max(most, [...open.values()].filter((count) => count > 0).length);
      if (most === books.length) together.resolve();
      await together.promise;
      await sleep(20);
      const response = await fetch(url, init);
      open.set(url, (open.get(url) ?? 0) - 1);
      return response;
    },
  });
  const tab = await QueueTab.open(new TestBrowserStorage(), server, { client: slow });
  context.after(() => tab.kill());
  for (let round = 0; round < 4; round += 1) {
    for (const id of books) await tab.add(patchOf(id, { subtitle: `${round}` }));
  }
  await until('all are sent', isEmpty(tab));
  assert.deepEqual([most, mostOfOne], [3, 1]);
  for (const id of books) {
    const { version, subtitle } = await readBook(id);
    assert.deepEqual([version, subtitle], [5, '3']);
  }
  for (const id of books) {
    const sequences = tab.done.filter(({ record }) => record === id).map(({ sequence }) => sequence);
    assert.deepEqual(
      sequences,
      [...sequences].sort((a, b) => a - b),
    );
  }
});

test('of several tabs one sends, all note the state, and another takes over when it is closed', async () => {
  const storage = new TestBrowserStorage();
  const id = await createBook();
  const first = await QueueTab.open(storage, server);
  const second = await QueueTab.open(storage, server);
  await second.add(patchOf(id, { subtitle: 'From the second' }));
  await until('the first sends it', () => first.done.length === 1);
  assert.equal(second.done.length, 0);
  await until('the second knows', () => second.state.waiting === 0);
  await first.kill();
  await second.add(patchOf(id, { subtitle: 'Again' }));
  await until('the second sends', () => second.done.length === 1);
  await second.kill();
  assert.equal((await readBook(id)).version, 3);
});

test('what is shown once reaches the tab that sends, and no other', async () => {
  const storage = new TestBrowserStorage();
  const sent: unknown[] = [];
  const received: unknown[] = [];
  const note = ({ body }: Completed) => void received.push(body);
  const first = await QueueTab.open(storage, server, {
    onDone: (_change, { body }) => void sent.push(body),
    onCompleted: note,
  });
  const second = await QueueTab.open(storage, server, { onCompleted: note });
  await first.add({
    record: 'new endpoint',
    label: 'An endpoint',
    request: {
      method: 'POST',
      path: '/v1/webhook-endpoints',
      body: { url: 'https://93.184.215.14/hook', eventTypes: ['*'] },
      ifMatch: null,
    },
  });
  await until('both tabs hear of it', () => received.length === 2);
  await first.kill();
  await second.kill();
  const [response] = sent;
  assert.ok(isPlainObject(response) && typeof response.secret === 'string');
  const { secret: _, ...others } = response;
  assert.deepEqual(received, [others, others]);
  const named = resources.filter(({ fields }) => oneTimeMembers.some((name) => Object.hasOwn(fields, name)));
  assert.deepEqual(
    named.map(({ name }) => name),
    [],
  );
});

test('a refusal is kept until it was seen, holds up its record only, and can be followed by another request', async (context) => {
  const [id, other] = [await createBook(), await createBook()];
  const storage = new TestBrowserStorage();
  let tab = await QueueTab.open(storage, server);
  const refused = await tab.add(patchOf(id, { subtitel: 'Typo' }));
  const next = await tab.add(patchOf(id, { subtitle: 'After it' }));
  await tab.add(patchOf(other, { subtitle: 'Elsewhere' }));
  await until('it is refused', async () => (await tab.read()).refused.length === 1);
  await until('the other record is changed', async () => (await readBook(other)).version === 2);
  await tab.kill();
  tab = await QueueTab.open(storage, server);
  context.after(() => tab.kill());
  const state = await tab.read();
  assert.deepEqual([state.waiting, state.refused.map(({ sequence }) => sequence)], [1, [refused.sequence]]);
  const [kept] = state.refused;
  assert.equal(kept?.refusal?.code, 'unknown_field');
  assert.match(kept?.refusal?.reasons[0] ?? '', /Did you mean "subtitle"/);
  assert.equal((await readBook(id)).version, 1);
  await tab.queue.retry(refused, {
    request: { ...refused.request, body: { subtitle: 'No typo' } },
    base: null,
  });
  await until('both are sent', isEmpty(tab));
  assert.deepEqual(
    tab.done.map(({ sequence }) => sequence),
    [refused.sequence, next.sequence],
  );
  const book = await readBook(id);
  assert.deepEqual([book.version, book.subtitle], [3, 'After it']);
  const again = await tab.add(patchOf(id, { nonsense: 1 }));
  await until('it is refused', async () => (await tab.read()).refused.length === 1);
  await tab.queue.dismiss(again);
  assert.deepEqual((await tab.read()).refused, []);
});

test('a change that follows another applies to the version that one left, and to no version of somebody else', async (context) => {
  const id = await createBook();
  const storage = new TestBrowserStorage();
  // Nothing is sent before all of them are stored, each for the version that the person has opened.
  const away = await QueueTab.open(storage, { url: 'http://127.0.0.1:1', token: 'x' });
  let after: string | null = null;
  for (const subtitle of ['1', '2', '3'])
    after = (await away.add(patchOf(id, { subtitle }, { after }, etagOf(1)))).key;
  await away.kill();
  const [first, second, ...others] = await storage.changes();
  assert.deepEqual(
    [first, second, ...others].map((change) => change?.dependsOn),
    [null, first?.sequence, second?.sequence],
  );
  const tab = await QueueTab.open(storage, server);
  context.after(() => tab.kill());
  await until('all are sent', isEmpty(tab));
  assert.deepEqual([(await readBook(id)).version, (await tab.read()).refused.length], [4, 0]);
  await client.call('updateBook', { path: { id }, body: { subtitle: 'Somebody else' } });
  await tab.add(patchOf(id, { subtitle: 'Mine' }, { after }, etagOf(4)));
  await until('it is refused', async () => (await tab.read()).refused.length === 1);
  assert.equal((await tab.read()).refused[0]?.refusal?.code, 'version_mismatch');
  assert.equal((await readBook(id)).subtitle, 'Somebody else');
});

test('a lost response that shows a later version does not let the next change overwrite it', async (context) => {
  const id = await createBook();
  const storage = new TestBrowserStorage();
  // The response to the first change is lost; when it is replayed, it shows what somebody else has written since.
  let calls = 0;
  const unlucky = new ApiClient({
    baseUrl: server.url,
    token: server.token,
    fetch: async (url, init) => {
      calls += 1;
      const response = await fetch(url, init);
      if (calls === 1) {
        await client.call('updateBook', { path: { id }, body: { edition: 'Somebody else' } });
        throw new TypeError('the response was lost');
      }
      if (calls > 2) return response;
      return new Response(await response.text(), { status: response.status, headers: { etag: etagOf(3) } });
    },
  });
  const tab = await QueueTab.open(storage, server, { client: unlucky });
  context.after(() => tab.kill());
  const first = await tab.add(patchOf(id, { subtitle: 'First' }, {}, etagOf(1)));
  await tab.add(patchOf(id, { edition: 'Mine' }, { after: first.key }, etagOf(1)));
  await until('the second is refused', async () => (await tab.read()).refused.length === 1);
  const { version, edition } = await readBook(id);
  assert.deepEqual([version, edition], [3, 'Somebody else']);
});

test('patches that were never sent are combined, and what was sent stays what it is', async (context) => {
  const id = await createBook();
  const storage = new TestBrowserStorage();
  const away = await QueueTab.open(storage, { url: 'http://127.0.0.1:1', token: 'x' });
  const add = (body: object, base: Values) => away.add(patchOf(id, body, { base }, etagOf(1)));
  const first = await add({ subtitle: 'A' }, { subtitle: null });
  await until('it was tried', async () => (await storage.changes())[0]?.firstSentAt !== null);
  const second = await add({ subtitle: 'B', edition: 'First' }, { subtitle: 'A', edition: null });
  const third = await add({ subtitle: 'C' }, { subtitle: 'B' });
  assert.notEqual(second.sequence, first.sequence);
  assert.equal(third.sequence, second.sequence);
  // Who has seen the second one only must not write over the third one.
  assert.notEqual(third.key, second.key);
  assert.deepEqual(third.request.body, { subtitle: 'C', edition: 'First' });
  await until('the obstacle is told', () => away.state.obstacle !== null);
  assert.equal(away.state.waiting, 2);
  await away.kill();
  const tab = await QueueTab.open(storage, server);
  context.after(() => tab.kill());
  await until('all are sent', isEmpty(tab));
  const { version, subtitle, edition } = await readBook(id);
  assert.deepEqual([version, subtitle, edition], [3, 'C', 'First']);
  const value = fc.oneof(
    fc.constant(null),
    fc.string(),
    fc.dictionary(fc.constantFrom('x', 'y'), fc.string()),
  );
  const patch = fc.dictionary(fc.constantFrom('a', 'b', 'c'), value);
  fc.assert(
    fc.property(patch, patch, patch, (target, one, two) => {
      // A member that is an object in one patch and a value in the other is no field of a record.
      fc.pre(Object.keys(one).every((name) => typeof one[name] === typeof (two[name] ?? one[name])));
      fc.pre(Object.keys(one).every((name) => (one[name] === null) === ((two[name] ?? one[name]) === null)));
      const joined = applyMergePatch(target, composePatches(one, two));
      assert.deepEqual(joined, applyMergePatch(applyMergePatch(target, one), two));
    }),
  );
});

test('a change whose key the server may have forgotten is not sent again, unless If-Match makes it safe', async (context) => {
  const [id, other] = [await createBook(), await createBook()];
  const storage = new TestBrowserStorage();
  let now = Date.now();
  const away = await QueueTab.open(storage, { url: 'http://127.0.0.1:1', token: 'x' }, { now: () => now });
  await away.add(patchOf(id, { subtitle: 'Unsafe' }));
  await away.add(patchOf(other, { subtitle: 'Safe' }, {}, etagOf(1)));
  await until('both were tried', async () =>
    (await storage.changes()).every(({ firstSentAt }) => firstSentAt !== null),
  );
  await away.kill();
  now += 24 * 3_600_000;
  const tab = await QueueTab.open(storage, server, { now: () => now });
  context.after(() => tab.kill());
  await until('they are decided', isEmpty(tab));
  const { refused } = await tab.read();
  assert.deepEqual(
    refused.map(({ record, refusal }) => [record, refusal?.code]),
    [[id, 'outcome_unknown']],
  );
  assert.deepEqual([(await readBook(id)).version, (await readBook(other)).version], [1, 2]);
  // The person has looked, and sends it again under a new key.
  const [unknown] = refused;
  assert.ok(unknown !== undefined);
  await tab.queue.retry(unknown);
  await until('it is sent', isEmpty(tab));
  assert.equal((await readBook(id)).subtitle, 'Unsafe');
});

test('the end of the session holds the queue up until the person has signed in again', async (context) => {
  const id = await createBook();
  let token = 'trl_pat_ended';
  const sessions = new ApiClient({ baseUrl: server.url, token: () => token });
  const tab = await QueueTab.open(new TestBrowserStorage(), server, { client: sessions });
  context.after(() => tab.kill());
  await tab.add(patchOf(id, { subtitle: 'Signed in' }));
  await until('it is told', () => tab.state.obstacle !== null);
  await tab.add(patchOf(id, { edition: 'Second' }));
  const { waiting, refused } = await tab.read();
  assert.deepEqual([waiting, refused.length], [2, 0]);
  token = server.token;
  tab.queue.resume();
  await until('both are sent', isEmpty(tab));
  assert.equal((await readBook(id)).version, 3);
});

test('what responds in place of the server decides nothing, and a delay that is asked for is kept', async (context) => {
  const portal = '<html>Please accept our terms</html>';
  const fake = await startFakeApi(context, [
    { status: 200, body: portal, headers: { 'content-type': 'text/html' } },
    { status: 404, body: portal },
    { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
    { status: 503, body: { code: 'overloaded', detail: 'Busy.' }, headers: { 'retry-after': '30' } },
    { status: 200, body: { id: 'book_1', version: 2 } },
  ]);
  const waits: number[] = [];
  const tab = await QueueTab.open(
    new TestBrowserStorage(),
    { url: fake.url, token: 'x' },
    {
      wait: (milliseconds, signal) => {
        waits.push(milliseconds);
        return hurry(milliseconds, signal);
      },
    },
  );
  context.after(() => tab.kill());
  await tab.add(patchOf('book_1', { subtitle: 'Through' }));
  await until('it is sent', isEmpty(tab));
  assert.equal(new Set(fake.requests.map(({ headers }) => headers['idempotency-key'])).size, 1);
  assert.equal(waits.length, 4);
  assert.ok((waits[3] ?? 0) >= 30_000);
});

test('changes of another person stay until that person signs in again', async (context) => {
  const storage = new TestBrowserStorage();
  const id = await createBook();
  const away = await QueueTab.open(storage, { url: 'http://127.0.0.1:1', token: 'x' });
  await away.add(patchOf(id, { subtitle: 'Mine' }));
  await away.kill();
  const owner = 'somebody else';
  const vault = await storage.open({ key: makeSealKey(), owner });
  const store = new ChangeStore(storedTable(vault));
  const other = await QueueTab.open(storage, server, { owner, store });
  await sleep(100);
  assert.equal((await other.read()).waiting, 0);
  await other.kill();
  assert.equal((await readBook(id)).version, 1);
  const tab = await QueueTab.open(storage, server);
  context.after(() => tab.kill());
  await until('it is sent', isEmpty(tab));
  assert.equal((await readBook(id)).version, 2);
});

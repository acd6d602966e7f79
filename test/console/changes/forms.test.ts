/** Tests of the saving of forms against the real server: when somebody asks for it, in one request, and with what other tabs do shown. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from '@trellis/client/api-client.ts';
import type { QueueOptions } from '@trellis/console/outbox/send/queue.ts';
import type { ApiRecord } from '../../../packages/console/src/api/api.ts';
import { chooseSeed, seededNumbers } from '../../support/seed.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { amount } from '../../support/soak.ts';
import { until, untilNone } from '../../support/until.ts';
import { FormTab, fields } from './form-tab.ts';
import { describeChange, LateStore, TestBrowserStorage } from './tabs.ts';

let server: TestServer;
let client: ApiClient;
before(async () => {
  server = await startTestServer();
  client = new ApiClient({ baseUrl: server.url, token: server.token });
});
after(() => server.close());

const createBook = async () => (await client.call('createBook', { body: { title: 'Emma' } })).body;
const readBook = async (id: string) => (await client.call('getBook', { path: { id } })).body;
/** Somebody else changes a book. */
const change = async (id: string, body: object) => {
  await client.call('updateBook', { path: { id }, body });
};

const wrong = '978-0-00-000000-0';

test('a form saves nothing before it is asked to, and all in one request, also after a refusal', async (context) => {
  const book = await createBook();
  const tab = await FormTab.open(context, new TestBrowserStorage(), server, book);
  tab.type({ subtitle: 'A Novel', isbn13: wrong });
  await tab.sync.save();
  assert.deepEqual([tab.sent, tab.sync.unstored(fields)], [[], ['subtitle', 'isbn13']]);
  assert.equal((await tab.save()).kind, 'refused');
  assert.deepEqual(tab.sync.unstored(fields), []);
  tab.type({ isbn13: null, edition: '2nd' });
  assert.equal((await tab.save()).kind, 'done');
  assert.deepEqual(tab.sent, ['PATCH', 'PATCH']);
  const { subtitle, edition, isbn13, version } = await readBook(book.id);
  assert.deepEqual([subtitle, edition, isbn13, version], ['A Novel', '2nd', null, 2]);
  await until('the form has no draft', () => Object.keys(tab.edited.snapshot().draft).length === 0);
});

test('a new record is created once, with all that was typed, also after a refusal', async (context) => {
  const tab = await FormTab.open(context, new TestBrowserStorage(), server, null);
  tab.type({ title: 'Sanditon', isbn13: wrong });
  assert.equal((await tab.save()).kind, 'refused');
  tab.type({ isbn13: null, subtitle: 'A Fragment' });
  const [outcome, second] = await Promise.all([tab.save(), tab.sync.save(fields)]);
  assert.equal(second, null);
  assert.ok(outcome.kind === 'done' && outcome.record !== null);
  const { title, subtitle, isbn13 } = await readBook(outcome.record.id);
  assert.deepEqual([title, subtitle, isbn13], ['Sanditon', 'A Fragment', null]);
  assert.deepEqual(tab.sent, ['POST', 'POST']);
  assert.deepEqual(tab.edited.snapshot().draft, {});
});

test('a creation of yesterday is confirmed by saving it again', async (context) => {
  const storage = new TestBrowserStorage();
  const first = await FormTab.open(context, storage, server, null);
  first.network.isOn = false;
  first.type({ title: 'The Watsons' });
  await first.sync.save(fields);
  await first.queue.stop();
  const tomorrow = () => Date.now() + 24 * 3_600_000;
  const next = await FormTab.open(context, storage, server, null, { now: tomorrow });
  await until('it is not sent', () => next.state.kind === 'refused');
  assert.equal(next.valueOf('title'), 'The Watsons');
  assert.equal((await next.save()).kind, 'done');
});

test('what is typed while a creation waits does not create another record', async (context) => {
  const storage = new TestBrowserStorage();
  const tab = await FormTab.open(context, storage, server, null);
  tab.network.isOn = false;
  tab.type({ title: 'Catharine' });
  await tab.sync.save(fields);
  tab.type({ subtitle: 'The Bower' });
  assert.equal(await tab.sync.save(fields), null);
  assert.equal((await storage.changes()).length, 1);
});

test('a form shows what another tab has saved, and no longer when that is given up', async (context) => {
  const book = await createBook();
  const storage = new TestBrowserStorage();
  const [first, other] = [
    await FormTab.open(context, storage, server, book),
    await FormTab.open(context, storage, server, book),
  ];
  for (const { network } of [first, other]) network.isOn = false;
  other.type({ edition: '3rd' });
  first.type({ subtitle: 'A Novel' });
  const outcome = first.save();
  await until('it is shown', () => other.valueOf('subtitle') === 'A Novel');
  assert.deepEqual([other.valueOf('edition'), other.sync.unstored(fields)], ['3rd', ['edition']]);
  const [waiting] = await storage.changes();
  assert.ok(waiting !== undefined);
  await other.queue.dismiss(waiting);
  assert.equal((await outcome).kind, 'gone');
  for (const tab of [first, other]) await until('it is gone', () => tab.valueOf('subtitle') === null);
  assert.equal(other.valueOf('edition'), '3rd');
  assert.deepEqual(first.edited.snapshot().draft, {});
});

test('a form shows what a tab has saved that is closed as soon as the server has responded', async (context) => {
  const book = await createBook();
  const storage = new TestBrowserStorage();
  const closing: Partial<QueueOptions> = {
    client: {
      request: async (request) => {
        const response = await client.request(request);
        void first.queue.stop();
        return response;
      },
    },
  };
  const first = await FormTab.open(context, storage, server, book, closing);
  const other = await FormTab.open(context, storage, server, book);
  first.type({ subtitle: 'A Novel' });
  await first.sync.save(fields);
  await until('it is shown', () => other.known.version === 2 && other.valueOf('subtitle') === 'A Novel');
});

test('what a colleague changes is shown, unless it is being changed here: then saving it finds the conflict', async (context) => {
  const book = await createBook();
  const tab = await FormTab.open(context, new TestBrowserStorage(), server, book);
  tab.type({ subtitle: 'Mine' });
  await change(book.id, { edition: '2nd' });
  await tab.receive();
  assert.deepEqual([tab.valueOf('edition'), tab.valueOf('subtitle')], ['2nd', 'Mine']);
  await change(book.id, { subtitle: 'Theirs', edition: '3rd' });
  await tab.receive();
  assert.deepEqual(tab.sync.concurrentFields(tab.known), ['subtitle']);
  assert.deepEqual([tab.valueOf('edition'), tab.valueOf('subtitle')], ['2nd', 'Mine']);
  const outcome = await tab.save();
  assert.ok(outcome.kind === 'refused' && outcome.refusal.code === 'version_mismatch');
  assert.equal((await readBook(book.id)).subtitle, 'Theirs');
  await tab.sync.discard();
  await tab.sync.check();
  assert.deepEqual([tab.valueOf('edition'), tab.valueOf('subtitle')], ['3rd', 'Theirs']);
  assert.deepEqual([tab.edited.snapshot().draft, tab.sync.concurrentFields(tab.known)], [{}, []]);
});

test('a text that both have changed is contested as a whole, and shown when the person takes back what was typed', async (context) => {
  const book = await createBook();
  await change(book.id, { description: 'One.\n\nTwo.\n\nThree.' });
  const tab = await FormTab.open(context, new TestBrowserStorage(), server, await readBook(book.id));
  tab.type({ description: 'One, mine.\n\nTwo.\n\nThree.' });
  await change(book.id, { description: 'One.\n\nTwo.\n\nThree, theirs.' });
  await tab.receive();
  // No text changes under the cursor.
  assert.equal(tab.valueOf('description'), 'One, mine.\n\nTwo.\n\nThree.');
  assert.deepEqual(tab.sync.concurrentFields(tab.known), ['description']);
  tab.type({ description: 'One.\n\nTwo.\n\nThree.' });
  await tab.sync.check();
  assert.equal(tab.valueOf('description'), 'One.\n\nTwo.\n\nThree, theirs.');
});

test('texts that both have changed are merged by lines when they are saved', async (context) => {
  const book = await createBook();
  await change(book.id, { description: 'One.\n\nTwo.\n\nThree.' });
  const tab = await FormTab.open(context, new TestBrowserStorage(), server, await readBook(book.id));
  tab.type({ description: 'One, mine.\n\nTwo.\n\nThree.' });
  await change(book.id, { description: 'One.\n\nTwo.\n\nThree, theirs.' });
  assert.equal((await tab.save()).kind, 'done');
  const merged = 'One, mine.\n\nTwo.\n\nThree, theirs.';
  assert.equal((await readBook(book.id)).description, merged);
  await until('it is shown', () => tab.valueOf('description') === merged);
});

test('what is saved over a change that the queue has merged does not overwrite what the form has not shown', async (context) => {
  const book = await createBook();
  const tab = await FormTab.open(context, new TestBrowserStorage(), server, book);
  const [sent, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let requests = 0;
  tab.network.before = async (method) => {
    if (method !== 'PATCH') return;
    requests += 1;
    // The first request is refused for its version; this is the merged one.
    if (requests !== 2) return;
    sent.resolve();
    await go.promise;
  };
  await change(book.id, { edition: 'Theirs' });
  tab.type({ subtitle: 'A Novel' });
  await tab.sync.save(fields);
  await sent.promise;
  await tab.sync.check();
  tab.type({ edition: 'Mine' });
  const outcome = tab.save();
  await until('it waits', async () => (await tab.queue.list(book.id)).length === 2);
  go.resolve();
  const result = await outcome;
  assert.ok(result.kind === 'refused' && result.refusal.code === 'version_mismatch');
  const { subtitle, edition } = await readBook(book.id);
  assert.deepEqual([subtitle, edition], ['A Novel', 'Theirs']);
});

test('what is sent again from elsewhere is shown as before, and replaced when it is refused again', async (context) => {
  const book = await createBook();
  const tab = await FormTab.open(context, new TestBrowserStorage(), server, book);
  tab.type({ subtitle: 'A Novel', isbn13: wrong });
  for (const attempt of [1, 2]) {
    const outcome =
      attempt === 1 ? await tab.save() : await (await tab.queue.retry(await tab.refused()))?.outcome;
    assert.equal(outcome?.kind, 'refused');
    await until('the form says so', () => tab.state.kind === 'refused');
    assert.deepEqual([tab.valueOf('isbn13'), tab.sync.unstored(fields)], [wrong, []]);
  }
  tab.type({ isbn13: null });
  assert.equal((await tab.save()).kind, 'done');
  assert.deepEqual(tab.sent, ['PATCH', 'PATCH', 'PATCH']);
  assert.deepEqual([(await readBook(book.id)).subtitle, await tab.queue.list(book.id)], ['A Novel', []]);
});

test('who discards gives up what was refused and what was saved after it', async (context) => {
  const book = await createBook();
  const storage = new TestBrowserStorage();
  const tab = await FormTab.open(context, storage, server, book);
  const [sent, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  tab.network.before = async () => {
    sent.resolve();
    await go.promise;
  };
  tab.type({ isbn13: wrong });
  const first = await tab.sync.save(fields);
  await sent.promise;
  tab.type({ subtitle: 'A Novel' });
  await tab.sync.save(fields);
  tab.type({ edition: '2nd' });
  go.resolve();
  assert.equal((await first?.outcome)?.kind, 'refused');
  assert.equal((await storage.changes()).length, 2);
  await tab.sync.discard();
  assert.deepEqual([await storage.changes(), tab.edited.snapshot().draft], [[], {}]);
  assert.deepEqual([tab.sync.unstored(fields), (await readBook(book.id)).version], [[], 1]);
});

const rounds = amount(40, 400);

test(`forms of two browsers are saved for ${rounds} rounds with a network that comes and goes: every value is there`, async (context) => {
  const seed = chooseSeed(context);
  const random = seededNumbers(seed);
  // Of its own, because it is asked at times that the seed does not decide.
  const delays = seededNumbers(seed + 1);
  const { id } = await createBook();
  const [shared, other] = [new TestBrowserStorage(), new TestBrowserStorage()];
  const places = [
    { field: 'title', storage: shared },
    { field: 'subtitle', storage: shared },
    { field: 'edition', storage: other },
  ];
  const open = async ({ storage }: (typeof places)[number]) => {
    const store = new LateStore(await storage.open(), () => sleep(delays() * 20));
    return FormTab.open(context, storage, server, await readBook(id), { store });
  };
  const tabs = await Promise.all(places.map(open));
  const saved = new Map<string, string>();
  for (let round = 1; round <= rounds; round += 1) {
    const index = Math.floor(random() * places.length);
    const [place, tab] = [places[index], tabs[index]];
    assert.ok(place !== undefined && tab !== undefined);
    const value = `round ${round}`;
    tab.type({ [place.field]: value });
    await tab.sync.save(fields);
    saved.set(place.field, value);
    if (random() < 0.2) {
      tab.network.isOn = !tab.network.isOn;
      if (tab.network.isOn) tab.queue.resume();
    }
    if (random() < 0.1) {
      // The tab is killed with a request under way. The next one shows what was saved.
      await tab.queue.stop();
      const next = await open(place);
      tabs[index] = next;
      assert.equal(next.valueOf(place.field), value);
    }
    if (random() < 0.2) await tab.receive();
    await sleep(random() * 20);
  }
  for (const { network, queue } of tabs) {
    network.isOn = true;
    queue.resume();
  }
  for (const storage of [shared, other])
    await untilNone(
      'unsent changes',
      async () => (await storage.changes()).length,
      async () =>
        [...(await storage.changes()).map(describeChange), ...tabs.map((tab) => tab.describe())].join('\n'),
    );
  const book: ApiRecord = await readBook(id);
  for (const [field, value] of saved) assert.equal(book[field], value);
  for (const tab of tabs) {
    await tab.receive();
    await until('it is shown', () => Object.keys(tab.edited.snapshot().draft).length === 0);
    for (const [field, value] of saved) assert.equal(tab.valueOf(field), value);
  }
});

/** Tests of bulk changes against the real server: exact, whatever breaks, with pause, resume and reasons of failures. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ApiClient } from '@trellis/client/api-client.ts';
import { type BulkProgress, mostBulkRecords } from '@trellis/console/outbox/bulk/bulk.ts';
import type { BulkAction, BulkTarget } from '@trellis/console/outbox/bulk/bulk-store.ts';
import { CuttingProxy } from '../../support/cutting-proxy.ts';
import { startFakeApi } from '../../support/fake-api.ts';
import { chooseSeed, seededNumbers } from '../../support/seed.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { hurry, openBulkTab, TestBrowserStorage } from './tabs.ts';

let server: TestServer;
let client: ApiClient;

before(async () => {
  server = await startTestServer();
  client = new ApiClient({ baseUrl: server.url, token: server.token });
});
after(() => server.close());

async function createBooks(count: number): Promise<BulkTarget[]> {
  const targets: BulkTarget[] = [];
  for (let number = 0; number < count; number += 1) {
    const { body } = await client.call('createBook', { body: { title: `Book ${number}` } });
    targets.push({ recordId: body.id, path: `/v1/books/${body.id}`, ifMatch: null });
  }
  return targets;
}

const change = (body: object): BulkAction => ({ method: 'PATCH', suffix: '', body });
const versionOf = async (id: string) => (await client.call('getBook', { path: { id } })).body.version;
const never = new AbortController().signal;
const numbersOf = (progress: BulkProgress | null) => [progress?.done, progress?.failed, progress?.waiting];

test('every record is changed once while connections are cut and tabs are killed', async (context) => {
  const random = seededNumbers(chooseSeed(context));
  const proxy = await CuttingProxy.start(server.url);
  context.after(() => proxy.close());
  // With If-Match a second request under another key would be refused, and not be a change of nothing.
  const targets = (await createBooks(90)).map((target) => ({ ...target, ifMatch: '"1"' }));
  const storage = new TestBrowserStorage();
  const cut = new ApiClient({ baseUrl: proxy.url, token: server.token, attempts: 2, wait: hurry });
  const first = await openBulkTab(storage, cut);
  const id = await first.add('Edition', change({ edition: 'Second' }), targets);
  proxy.beforeRequest = () => random() < 0.1;
  proxy.insteadOfResponse = () => random() < 0.2;
  let kills = 0;
  for (;;) {
    const tab = await openBulkTab(storage, cut);
    const before = await tab.progress(id);
    if (before?.waiting === 0) break;
    const kill = new AbortController();
    const after = 1 + Math.floor(random() * 25);
    let responded = 0;
    await tab.run(id, kill.signal, (progress) => {
      responded += 1;
      assert.equal(progress.done + progress.waiting, 90);
      if (responded === after) {
        kills += 1;
        kill.abort();
      }
    });
  }
  assert.ok(kills >= 3, `${kills} kills`);
  assert.deepEqual(numbersOf(await first.progress(id)), [90, 0, 0]);
  for (const { recordId } of targets) assert.equal(await versionOf(recordId), 2);
});

test('records that were refused are listed with their reasons, and can be tried again', async () => {
  const targets = await createBooks(6);
  const [gone, changed] = targets;
  assert.ok(gone && changed);
  await client.call('deleteBook', { path: { id: gone.recordId } });
  await client.call('updateBook', { path: { id: changed.recordId }, body: { subtitle: 'In between' } });
  const tab = await openBulkTab(new TestBrowserStorage(), client);
  const selected = targets.map((target) => ({ ...target, ifMatch: '"1"' }));
  const id = await tab.add('Edition', change({ edition: 'Second' }), selected);
  await tab.run(id, never);
  assert.deepEqual(numbersOf(await tab.progress(id)), [4, 2, 0]);
  const failures = await tab.failures(id);
  assert.deepEqual(
    failures.map(({ recordId, failure }) => [recordId, failure?.code]),
    [
      [gone.recordId, 'not_found'],
      [changed.recordId, 'version_mismatch'],
    ],
  );
  for (const { failure } of failures) assert.match(failure?.reasons[0] ?? '', /\w/);
  await tab.retryFailures(id);
  assert.deepEqual(numbersOf(await tab.progress(id)), [4, 0, 2]);
  await tab.run(id, never);
  assert.deepEqual(numbersOf(await tab.progress(id)), [4, 2, 0]);
  assert.deepEqual(
    (await tab.list()).map((bulk) => bulk.id),
    [id],
  );
  await tab.remove(id);
  assert.deepEqual(await tab.list(), []);
  assert.equal(await tab.progress(id), null);
});

test('a paused bulk change stays paused in other tabs, and continues where it was', async () => {
  const targets = await createBooks(60);
  const storage = new TestBrowserStorage();
  const tab = await openBulkTab(storage, client);
  const id = await tab.add('Edition', change({ edition: 'Second' }), targets);
  await tab.run(id, never, ({ done }) => {
    if (done === 5) void tab.pause(id);
  });
  const paused = await tab.progress(id);
  assert.ok(paused?.isPaused && paused.done >= 5 && paused.waiting > 0, JSON.stringify(paused));
  const other = await openBulkTab(storage, client);
  await other.run(id, never);
  assert.deepEqual(await other.progress(id), paused);
  await other.resume(id);
  await Promise.all([other.run(id, never), tab.run(id, never)]);
  assert.deepEqual(numbersOf(await tab.progress(id)), [60, 0, 0]);
  for (const { recordId } of targets) assert.equal(await versionOf(recordId), 2);
});

test('the key of a request names the bulk change and the record, and a limit of the server holds all of them up', async (context) => {
  const waits: number[] = [];
  let now = 0;
  const busy = {
    status: 429,
    body: { code: 'rate_limited', detail: 'Slowly.' },
    headers: { 'retry-after': '20' },
  };
  const fake = await startFakeApi(context, [busy, { status: 200, body: { id: 'x', version: 2 } }], {
    attempts: 3,
    clock: () => now,
    wait: async (milliseconds: number) => {
      waits.push(milliseconds);
      now += milliseconds;
    },
  });
  const tab = await openBulkTab(new TestBrowserStorage(), fake.client);
  const targets = ['a', 'b', 'c'].map((recordId) => ({
    recordId,
    path: `/v1/files/${recordId}`,
    ifMatch: null,
  }));
  const id = await tab.add('Extract', { method: 'POST', suffix: '/extract', body: null }, targets);
  await tab.run(id, never);
  assert.deepEqual(numbersOf(await tab.progress(id)), [3, 0, 0]);
  const keys = new Set(fake.requests.map(({ headers }) => headers['idempotency-key']));
  assert.deepEqual(
    [...keys].sort(),
    ['a', 'b', 'c'].map((recordId) => `${id}:${recordId}`),
  );
  assert.equal(fake.requests[0]?.url, '/v1/files/a/extract');
  assert.ok(Math.max(...waits) >= 20_000);
});

test('the end of the session stops a bulk change, and it continues after signing in', async () => {
  const targets = await createBooks(3);
  let token = 'trl_pat_ended';
  const tab = await openBulkTab(
    new TestBrowserStorage(),
    new ApiClient({ baseUrl: server.url, token: () => token }),
  );
  const id = await tab.add('Edition', change({ edition: 'Second' }), targets);
  await assert.rejects(tab.run(id, never), { status: 401 });
  assert.deepEqual(numbersOf(await tab.progress(id)), [0, 0, 3]);
  token = server.token;
  await tab.run(id, never);
  assert.deepEqual(numbersOf(await tab.progress(id)), [3, 0, 0]);
});

test('a record that was sent so long ago that its key may be forgotten is not sent again', async () => {
  const targets = await createBooks(2);
  const storage = new TestBrowserStorage();
  const kill = new AbortController();
  const lost = new ApiClient({
    baseUrl: server.url,
    token: server.token,
    attempts: 1,
    fetch: async () => {
      kill.abort();
      throw new TypeError('the laptop was closed');
    },
  });
  const away = await openBulkTab(storage, lost);
  const [first, second] = targets;
  assert.ok(first && second);
  const id = await away.add('Edition', change({ edition: 'Second' }), [first, { ...second, ifMatch: '"1"' }]);
  await away.run(id, kill.signal);
  const later = await openBulkTab(storage, client, () => Date.now() + 24 * 3_600_000);
  await later.run(id, never);
  const waiting = await later.progress(id);
  assert.deepEqual([numbersOf(waiting), waiting?.isPaused], [[0, 0, 2], true], 'it waits for the person');
  await later.resume(id);
  await later.run(id, never);
  assert.deepEqual(numbersOf(await later.progress(id)), [1, 1, 0]);
  assert.deepEqual(
    (await later.failures(id)).map(({ failure }) => failure?.code),
    ['outcome_unknown'],
  );
  assert.deepEqual([await versionOf(first.recordId), await versionOf(second.recordId)], [1, 2]);
});

test('10,000 records are stored, and one more or a record that is named twice is refused', async () => {
  const target = (number: number): BulkTarget => ({
    recordId: `r${number}`,
    path: `/v1/books/r${number}`,
    ifMatch: null,
  });
  const targets = Array.from({ length: mostBulkRecords }, (_, number) => target(number));
  const tab = await openBulkTab(new TestBrowserStorage(), client);
  const action = change({ edition: 'Second' });
  await assert.rejects(tab.add('Too many', action, [...targets, target(mostBulkRecords)]), RangeError);
  await assert.rejects(tab.add('Twice', action, [target(1), target(1)]), RangeError);
  const id = await tab.add('All', action, targets);
  assert.deepEqual(numbersOf(await tab.progress(id)), [0, 0, mostBulkRecords]);
});

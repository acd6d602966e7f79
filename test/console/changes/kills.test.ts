/** Tests of the queue and of bulk changes while the server is killed and tabs are closed: everything happens once. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from '@trellis/client/api-client.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createMember, createOrganization, createToken } from '../../support/identities.ts';
import { KillableServer } from '../../support/killable-server.ts';
import { chooseSeed, seededNumbers } from '../../support/seed.ts';
import { amount } from '../../support/soak.ts';
import { until } from '../../support/until.ts';
import { hurry, openBulkTab, QueueTab, TestBrowserStorage } from './tabs.ts';

const kills = amount(3, 30);
const records = amount(120, 2_000);
let database: TestDatabase;
let server: KillableServer;
let token: string;
let client: ApiClient;

before(async () => {
  database = await createTestDatabase();
  const organization = await createOrganization(database.worker, 'changes');
  const owner = await createMember(database.worker, organization, 'OWNER');
  token = (await createToken(database.worker, organization, owner)).token;
  server = await KillableServer.create(database.urls.api);
  client = new ApiClient({
    baseUrl: server.url,
    token,
    attempts: 10_000,
    wait: (_, signal) => hurry(0, signal),
  });
  await server.start();
});
after(async () => {
  await server.kill();
  await database.drop();
});

async function createBooks(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) {
    ids.push((await client.call('createBook', { body: { title: `Book ${number}` } })).body.id);
  }
  return ids;
}

test(`changes of a queue happen once while the server is killed ${kills} times and tabs are closed`, async (context) => {
  const random = seededNumbers(chooseSeed(context));
  const books = await createBooks(5);
  const storage = new TestBrowserStorage();
  const target = { url: server.url, token };
  let tab = await QueueTab.open(storage, target);
  const expected = new Map(books.map((id) => [id, 1]));
  for (let kill = 0; kill < kills; kill += 1) {
    for (let round = 0; round < 12; round += 1) {
      const id = books[Math.floor(random() * books.length)] ?? '';
      const version = (expected.get(id) ?? 0) + 1;
      expected.set(id, version);
      const request = {
        method: 'PATCH',
        path: `/v1/books/${id}`,
        body: { subtitle: `Version ${version}` },
        ifMatch: null,
      } as const;
      await tab.add({ record: id, label: 'Subtitle', request });
    }
    const done = tab.done.length;
    await until('one is sent', () => tab.done.length > done);
    await sleep(random() * 40);
    await server.kill();
    if (kill % 2 === 0) {
      await tab.kill();
      tab = await QueueTab.open(storage, target);
    }
    await server.start();
  }
  await until('all are sent', async () => (await tab.read()).waiting === 0);
  assert.deepEqual((await tab.read()).refused, []);
  await tab.kill();
  for (const [id, version] of expected) {
    const { body } = await client.call('getBook', { path: { id } });
    assert.deepEqual([body.version, body.subtitle], [version, version === 1 ? null : `Version ${version}`]);
  }
});

test(`a bulk change of ${records} records is exact while the server is killed ${kills} times and tabs are closed`, async (context) => {
  const random = seededNumbers(chooseSeed(context));
  const books = await createBooks(records);
  const storage = new TestBrowserStorage();
  const sender = new ApiClient({
    baseUrl: server.url,
    token,
    attempts: 2,
    wait: (_, signal) => hurry(0, signal),
  });
  const first = await openBulkTab(storage, sender);
  const targets = books.map((recordId) => ({ recordId, path: `/v1/books/${recordId}`, ifMatch: '"1"' }));
  const id = await first.add(
    'Edition',
    { method: 'PATCH', suffix: '', body: { edition: 'Second' } },
    targets,
  );
  const share = Math.floor(records / (kills + 1));
  for (let kill = 1; kill <= kills; kill += 1) {
    const tab = await openBulkTab(storage, sender);
    const closed = new AbortController();
    const reached = Promise.withResolvers<void>();
    const running = tab.run(id, closed.signal, ({ done }) => {
      if (done >= kill * share) reached.resolve();
    });
    await Promise.race([reached.promise, running]);
    await sleep(random() * 20);
    // The server goes first, the tab a moment later, with requests that nobody has responded to.
    await server.kill();
    closed.abort();
    await running;
    await server.start();
  }
  const last = await openBulkTab(storage, sender);
  await last.run(id, new AbortController().signal);
  const progress = await last.progress(id);
  assert.deepEqual([progress?.done, progress?.failed, progress?.waiting], [records, 0, 0]);
  const wanted = new Set(books);
  for await (const { id: book, version, edition } of client.iterate('listBooks', { query: { limit: 100 } })) {
    if (wanted.delete(book)) assert.deepEqual([version, edition], [2, 'Second']);
  }
  assert.equal(wanted.size, 0);
});

/** Tests of what might keep changes from being sent, until the page is loaded again or for ever, although the server can be reached. */
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { ApiClient } from '@trellis/client/api-client.ts';
import { ProblemError } from '@trellis/client/problem.ts';
import type { QueueOptions } from '@trellis/console/outbox/send/queue.ts';
import type { Change, NewChange } from '@trellis/console/outbox/store/change.ts';
import { ChangeStore } from '@trellis/console/outbox/store/change-store.ts';
import { storedTable } from '@trellis/console/outbox/store/change-table.ts';
import { signInApi } from '../../../packages/console/src/api/sign-in.ts';
import { startFakeApi, staySilent } from '../../support/fake-api.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { FormTab, fields } from './form-tab.ts';
import { LateStore, QueueTab, TestBrowserStorage } from './tabs.ts';

let server: TestServer;
let client: ApiClient;
before(async () => {
  server = await startTestServer();
  client = new ApiClient({ baseUrl: server.url, token: server.token });
});
after(() => server.close());

const createBook = async () => (await client.call('createBook', { body: { title: 'Emma' } })).body;
const readBook = async (id: string) => (await client.call('getBook', { path: { id } })).body;

for (const place of ['the tab that sends', 'another tab'] as const) {
  test(`what is typed in ${place} before it has gone on from a sent change is no conflict with it`, async (context) => {
    const book = await createBook();
    const storage = new TestBrowserStorage();
    const [left, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    context.after(() => go.resolve());
    const store = new LateStore(await storage.open(), async () => {
      left.resolve();
      await go.promise;
    });
    const sending = await FormTab.open(context, storage, server, book, { store });
    const other = await FormTab.open(context, storage, server, book);
    const typing = place === 'another tab' ? other : sending;
    typing.type({ subtitle: 'One' });
    await typing.sync.save(fields);
    await left.promise;
    await typing.sync.check();
    assert.equal(typing.valueOf('subtitle'), 'One');
    typing.type({ subtitle: 'Two' });
    const outcome = typing.save();
    await until('it waits', async () => (await storage.changes()).length === 1);
    go.resolve();
    assert.equal((await outcome).kind, 'done');
    assert.equal((await readBook(book.id)).subtitle, 'Two');
  });
}

/** A change of a book that others may overwrite. */
const patchOf = (id: string, body: object): NewChange => ({
  record: id,
  label: 'A change',
  request: { method: 'PATCH', path: `/v1/books/${id}`, body, ifMatch: null },
});

/** A tab that is closed after the test. */
async function openTab(
  context: TestContext,
  storage: TestBrowserStorage,
  options: Partial<QueueOptions> = {},
): Promise<QueueTab> {
  const tab = await QueueTab.open(storage, server, options);
  context.after(() => tab.kill());
  return tab;
}

const isSent = (storage: TestBrowserStorage) => async () => (await storage.changes()).length === 0;

/** A store that cannot be read for a while. */
class UnreadableStore extends ChangeStore {
  isUnreadable = true;
  failures = 0;

  override async list(): Promise<Change[]> {
    if (!this.isUnreadable) return super.list();
    this.failures += 1;
    throw new DOMException('Internal error.', 'UnknownError');
  }
}

test('a storage that cannot be read for a while delays what waits, and no more', async (context) => {
  const storage = new TestBrowserStorage();
  const store = new UnreadableStore(storedTable(await storage.open()));
  const tab = await openTab(context, storage, { store });
  const { id } = await createBook();
  await tab.add(patchOf(id, { subtitle: 'Later' }));
  await until('it is read several times', () => store.failures > 5);
  store.isUnreadable = false;
  await until('it is sent', isSent(storage));
  assert.equal((await readBook(id)).subtitle, 'Later');
});

test('a tab that cannot read the storage lets another one send', async (context) => {
  const storage = new TestBrowserStorage();
  const store = new UnreadableStore(storedTable(await storage.open()));
  await openTab(context, storage, { store });
  await until('it has tried', () => store.failures > 0);
  const other = await openTab(context, storage);
  await other.add(patchOf((await createBook()).id, { subtitle: 'By the other' }));
  await until('the other sends it', () => other.done.length === 1);
});

test('a request that always fails holds up its record only', async (context) => {
  const storage = new TestBrowserStorage();
  const [failing, other] = [await createBook(), await createBook()];
  let failures = 0;
  const tab = await openTab(context, storage, {
    client: {
      request: async (request) => {
        if (request.path !== `/v1/books/${failing.id}`) return client.request(request);
        failures += 1;
        throw new ProblemError({ code: 'internal_error', status: 500, detail: 'It is broken.' });
      },
    },
  });
  await tab.add(patchOf(failing.id, { subtitle: 'Never' }));
  await until('it has failed', () => tab.state.obstacle !== null);
  for (const subtitle of ['1', '2', '3']) await tab.add(patchOf(other.id, { subtitle }));
  await until('the others are sent', () => tab.done.length === 3);
  const before = failures;
  await until('it is tried again', () => failures > before);
  assert.equal((await storage.changes()).length, 1);
});

test('a change is sent although the one that it follows was removed, because it could not be opened', async (context) => {
  const storage = new TestBrowserStorage();
  const book = await createBook();
  const vault = await storage.open();
  const store = new ChangeStore(storedTable(vault));
  const submission = { askedAt: Date.now(), session: 'ses_1' };
  const first = await store.add(patchOf(book.id, { subtitle: 'Lost' }), submission);
  const next = { ...patchOf(book.id, { edition: '2nd' }), after: first.key };
  assert.equal((await store.add(next, submission)).dependsOn, first.sequence);
  await vault.write([{ remove: ['change', first.sequence] }]);
  await openTab(context, storage);
  await until('it is sent', isSent(storage));
  assert.equal((await readBook(book.id)).edition, '2nd');
});

test('a change whose tab was closed before it could tell of it is sent', async (context) => {
  const storage = new TestBrowserStorage();
  const tab = await openTab(context, storage, { checkIntervalMs: 50 });
  await until('it has told the state', () => tab.reports > 0);
  const store = new ChangeStore(storedTable(await storage.open()));
  const added = patchOf((await createBook()).id, { subtitle: 'Untold' });
  await store.add(added, { askedAt: Date.now(), session: 'ses_1' });
  await until('it is sent', isSent(storage));
});

test('a deletion that needs a fresh proof is refused, and holds up nothing else', async (context) => {
  const storage = new TestBrowserStorage();
  const [deleted, other] = [await createBook(), await createBook()];
  const tab = await openTab(context, storage, {
    client: {
      request: async (request) => {
        if (request.method !== 'DELETE') return client.request(request);
        const code = 'insufficient_user_authentication';
        throw new ProblemError({ code, status: 401, detail: 'Sign in again.' });
      },
    },
  });
  const path = `/v1/books/${deleted.id}`;
  const request = { method: 'DELETE', path, body: null, ifMatch: '"1"' } as const;
  await tab.add({ record: deleted.id, label: 'A deletion', request });
  await tab.add(patchOf(other.id, { subtitle: 'Not held up' }));
  await until('the other is sent', () => tab.done.length === 1);
  const { refused } = await tab.read();
  assert.deepEqual(
    refused.map(({ refusal }) => refusal?.code),
    ['insufficient_user_authentication'],
  );
});

test('a 401 of a proxy passes like its other responses', async (context) => {
  const storage = new TestBrowserStorage();
  const { id } = await createBook();
  let requests = 0;
  const tab = await openTab(context, storage, {
    client: {
      request: async (request) => {
        requests += 1;
        if (requests > 1) return client.request(request);
        throw new ProblemError({ code: 'unexpected_response', status: 401, detail: 'Who are you?' });
      },
    },
  });
  await tab.add(patchOf(id, { subtitle: 'Through' }));
  await until('it is sent', isSent(storage));
});

test('a request of before the sign-in that fails after it holds nothing up', async (context) => {
  const storage = new TestBrowserStorage();
  const { id } = await createBook();
  const [sent, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let requests = 0;
  const tab = await openTab(context, storage, {
    client: {
      request: async (request) => {
        requests += 1;
        if (requests > 1) return client.request(request);
        sent.resolve();
        await go.promise;
        throw new ProblemError({ code: 'session_invalid', status: 401, detail: 'It has ended.' });
      },
    },
  });
  await tab.add(patchOf(id, { subtitle: 'Signed in' }));
  await sent.promise;
  const { reports } = tab;
  tab.queue.resume();
  // Otherwise what the resumption has woken would send it.
  await until('the resumption is handled', () => tab.reports > reports);
  await tab.read();
  go.resolve();
  await until('it is sent', isSent(storage));
});

test('entering the organization again ends when no response comes', async (context) => {
  const silent = await startFakeApi(context, [staySilent]);
  const { fetch, AbortSignal } = globalThis;
  const limits: number[] = [];
  context.mock.method(globalThis, 'fetch', (path: string, init: RequestInit) =>
    fetch(`${silent.url}${path}`, init),
  );
  const { timeout } = AbortSignal;
  context.mock.method(AbortSignal, 'timeout', (milliseconds: number) => {
    limits.push(milliseconds);
    return timeout.call(AbortSignal, 50);
  });
  await assert.rejects(signInApi.enterOrganization('org_1'), { code: 'unreachable' });
  assert.deepEqual(limits, [60_000]);
});

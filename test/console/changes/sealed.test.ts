/**
 * What the console stores in a browser opens for the person who has stored it, in its place, and for nobody else: what somebody has
 * written, changed, moved or put back is not carried out.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ApiClient } from '@trellis/client/api-client.ts';
import type { NewChange } from '@trellis/console/outbox/store/change.ts';
import { ChangeStore } from '@trellis/console/outbox/store/change-store.ts';
import { storedTable } from '@trellis/console/outbox/store/change-table.ts';
import { importSealKey, open, type Place, seal } from '@trellis/console/storage/seal.ts';
import { startTestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { makeSealKey, openBulkTab, QueueTab, TestBrowserStorage } from './tabs.ts';

const server = await startTestServer();
after(() => server.close());
const client = new ApiClient({ baseUrl: server.url, token: server.token });

const createBook = async () => (await client.call('createBook', { body: { title: 'Emma' } })).body;
const readBook = async (id: string) => (await client.call('getBook', { path: { id } })).body;
const request = (path: string, body: object, ifMatch: string | null = null): NewChange => ({
  record: path,
  label: 'Emma',
  request: { method: 'PATCH', path, body, ifMatch },
});
const submission = { askedAt: Date.now(), session: 'ses_1' };
const never = new AbortController().signal;

/** Rows as the browser stores them, which whoever has the browser can read and write. */
interface Row {
  readonly key: readonly (string | number)[];
  readonly sealed: Uint8Array<ArrayBuffer>;
}

/** Does something in the browser's database without the console. */
async function inDatabase<T>(
  { factory }: TestBrowserStorage,
  work: (rows: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const finish = <R>(asking: IDBRequest<R>) =>
    new Promise<R>((resolve, reject) => {
      asking.onsuccess = () => resolve(asking.result);
      asking.onerror = () => reject(asking.error);
    });
  const database = await finish(factory.open('trellis-sealed'));
  const result = await finish(work(database.transaction('rows', 'readwrite').objectStore('rows')));
  database.close();
  return result;
}

const rowsIn = (storage: TestBrowserStorage): Promise<Row[]> => inDatabase(storage, (rows) => rows.getAll());

/** A browser in which a change of a new book waits. */
async function withChange() {
  const { id } = await createBook();
  const storage = new TestBrowserStorage();
  const store = new ChangeStore(storedTable(await storage.open()));
  const change = await store.add(request(`/v1/books/${id}`, { subtitle: 'Mine' }), submission);
  const [row] = await rowsIn(storage);
  assert.ok(row !== undefined);
  return { id, storage, store, change, row };
}

/** Lets the person's tab send what it can, and tells what has become of the book. */
async function send(storage: TestBrowserStorage, id: string): Promise<unknown> {
  const tab = await QueueTab.open(storage, server);
  await until('all that can be is sent', async () => (await tab.read()).waiting === 0);
  await tab.kill();
  return (await readBook(id)).subtitle ?? null;
}

test('what is stored cannot be read by who has the browser', async () => {
  const { row } = await withChange();
  assert.deepEqual(Object.keys(row).sort(), ['key', 'sealed']);
  const text = new TextDecoder('latin1').decode(row.sealed);
  assert.doesNotMatch(text, /Mine|books|Emma/);
});

test('a change that was changed by one bit is removed, and not sent', async () => {
  for (const position of [0, 12, -1]) {
    const { id, storage, row } = await withChange();
    const sealed = Uint8Array.from(row.sealed);
    const at = position < 0 ? sealed.length + position : position;
    sealed[at] = (sealed[at] ?? 0) ^ 1;
    await inDatabase(storage, (rows) => rows.put({ ...row, sealed }));
    assert.equal(await send(storage, id), null);
    assert.deepEqual([storage.unreadable, await rowsIn(storage)], [1, []]);
  }
});

test('what somebody else has written under the name of a person is removed, and not sent', async () => {
  const { id } = await createBook();
  const storage = new TestBrowserStorage();
  const forged = new ChangeStore(storedTable(await storage.open({ key: makeSealKey() })));
  await forged.add(request(`/v1/books/${id}`, { subtitle: 'Forged' }), submission);
  assert.equal((await rowsIn(storage)).length, 1);
  assert.equal(await send(storage, id), null);
  assert.deepEqual([storage.unreadable, await rowsIn(storage)], [1, []]);
});

test('a person does not see, send or remove what another one has left', async () => {
  const { storage } = await withChange();
  const other = await storage.open({ key: makeSealKey(), owner: 'org_1 user_2' });
  assert.deepEqual([await other.all(['change']), await other.count(['change'])], [[], 0]);
  assert.equal((await rowsIn(storage)).length, 1);
});

test('what was stored for another organization, or for another record, does not open', async () => {
  const { id, storage, row, store, change } = await withChange();
  const second = await store.add(request('/v1/books/book_2', {}), submission);
  for (const key of [
    ['org_2 user_1', 'change', change.sequence],
    [storage.owner, 'change', second.sequence],
    [storage.owner, 'bulk', change.sequence],
  ]) {
    await inDatabase(storage, (rows) => rows.put({ ...row, key }));
  }
  assert.equal((await (await storage.open({ owner: 'org_2 user_1' })).all(['change'])).length, 0);
  const list = await new ChangeStore(storedTable(await storage.open())).list();
  assert.deepEqual(
    list.map(({ sequence }) => sequence),
    [change.sequence],
  );
  assert.deepEqual(await (await storage.open()).all(['bulk']), []);
  assert.equal(storage.unreadable, 3);
  assert.equal(await send(storage, id), 'Mine');
});

test('rows that are none are removed and counted', async () => {
  const storage = new TestBrowserStorage();
  const vault = await storage.open();
  await vault.open();
  for (const sealed of [undefined, null, 'text', new Uint8Array(27), { length: 99 }]) {
    await inDatabase(storage, (rows) => rows.put({ key: [storage.owner, 'change', 7], sealed }));
    assert.deepEqual(await vault.all(['change']), []);
  }
  assert.deepEqual([storage.unreadable, await rowsIn(storage)], [5, []]);
});

test('a change that was done and is put back happens once: the server knows its key, and later the person is asked', async () => {
  const path = '/v1/books';
  const titles = async () => (await client.call('listBooks', { query: { limit: 100 } })).body.items.length;
  const storage = new TestBrowserStorage();
  const store = new ChangeStore(storedTable(await storage.open()));
  const create = { method: 'POST', path, body: { title: 'Once' }, ifMatch: null } as const;
  await store.add({ record: 'new', label: 'Once', request: create }, submission);
  const [row] = await rowsIn(storage);
  const before = await titles();
  const tab = await QueueTab.open(storage, server);
  await until('it is sent', async () => (await tab.read()).changes.length === 0);
  await tab.kill();
  assert.equal(await titles(), before + 1);
  await inDatabase(storage, (rows) => rows.put(row));
  const again = await QueueTab.open(storage, server);
  await until('it is sent again', async () => (await again.read()).changes.length === 0);
  await again.kill();
  assert.equal(await titles(), before + 1);
  await inDatabase(storage, (rows) => rows.put(row));
  const later = await QueueTab.open(storage, server, { now: () => Date.now() + 24 * 3_600_000 });
  await until('it waits for the person', async () => (await later.read()).refused.length === 1);
  const { refused } = await later.read();
  assert.deepEqual(
    refused.map(({ refusal }) => refusal?.code),
    ['not_confirmed'],
  );
  await later.kill();
  assert.equal(await titles(), before + 1);
});

test('what changes rights is sent in the sign-in in which it was asked for; in another one the person is asked again', async () => {
  const role = (await client.call('createRole', { body: { key: 'reader', name: 'Reader', grants: [] } }))
    .body;
  const nameOf = async () => (await client.call('getRole', { path: { id: role.id } })).body.name;
  const storage = new TestBrowserStorage();
  const store = new ChangeStore(storedTable(await storage.open()));
  const change = request(`/v1/roles/${role.id}`, { name: 'Editor of everything' });
  await store.add(change, { ...submission, session: 'ses_0' });
  const tab = await QueueTab.open(storage, server);
  await until('it waits for the person', async () => (await tab.read()).refused.length === 1);
  assert.equal(await nameOf(), 'Reader');
  const { refused } = await tab.read();
  assert.ok(refused[0] !== undefined);
  assert.equal(refused[0].refusal?.code, 'not_confirmed');
  await tab.queue.retry(refused[0]);
  await until('it is sent', async () => (await tab.read()).changes.length === 0);
  await tab.kill();
  assert.equal(await nameOf(), 'Editor of everything');
});

test('a bulk change of rights is paused in another sign-in', async () => {
  const role = (await client.call('createRole', { body: { key: 'guest', name: 'Guest', grants: [] } })).body;
  const storage = new TestBrowserStorage();
  const action = { method: 'PATCH', suffix: '', body: { name: 'Host' } } as const;
  const target = { recordId: role.id, path: `/v1/roles/${role.id}`, ifMatch: null };
  const before = await openBulkTab(storage, client, Date.now, 'ses_0');
  const id = await before.add('Roles', action, [target]);
  const tab = await openBulkTab(storage, client);
  await tab.run(id, never);
  assert.deepEqual([(await tab.progress(id))?.isPaused, (await tab.progress(id))?.waiting], [true, 1]);
  await tab.resume(id);
  await tab.run(id, never);
  assert.equal((await tab.progress(id))?.done, 1);
});

test('files are sealed in parts, which cannot be exchanged, left out or mixed with those of another content', async () => {
  const bytes = new Uint8Array(2_500_000).map((_, index) => index % 251);
  const file = new File([bytes], 'plan.pdf', { type: 'application/pdf', lastModified: 7 });
  const storage = new TestBrowserStorage();
  const vault = await storage.open();
  const id = ['upload-file', 'k'] as const;
  await vault.write([{ put: id, file }]);
  const found = await vault.file(id);
  assert.deepEqual([found?.name, found?.type, found?.lastModified], ['plan.pdf', 'application/pdf', 7]);
  assert.deepEqual(new Uint8Array((await found?.arrayBuffer()) ?? new ArrayBuffer()), bytes);
  const [stored] = await inDatabase<(Row & { content: Blob })[]>(storage, (rows) => rows.getAll());
  assert.ok(stored !== undefined);
  const part = 1_048_576 + 28;
  const { content } = stored;
  const [first, second, last] = [
    content.slice(0, part),
    content.slice(part, 2 * part),
    content.slice(2 * part),
  ];
  await vault.write([{ put: id, file }]);
  const [again] = await inDatabase<(Row & { content: Blob })[]>(storage, (rows) => rows.getAll());
  assert.ok(again !== undefined);
  for (const [head, changed] of [
    [stored, new Blob([second, first, last])],
    [stored, new Blob([first, second])],
    [stored, new Blob([first])],
    [again, new Blob([again.content.slice(0, part), second, last])],
    [again, content],
  ] as const) {
    await inDatabase(storage, (rows) => rows.put({ ...head, content: changed }));
    const fresh = await storage.open();
    assert.equal(await fresh.file(id), null);
    assert.equal(await fresh.count(id), 0, 'it is removed');
  }
});

test('a seal is bound to the key and to the whole place', async () => {
  const [key, other] = await Promise.all([importSealKey(makeSealKey()), importSealKey(makeSealKey())]);
  assert.equal(key.extractable, false);
  const place: Place = ['org_1 user_1', 'change', 1];
  const sealed = await seal(key, place, { a: 1 });
  assert.deepEqual(await open(key, place, sealed), { a: 1 });
  assert.equal(await open(other, place, sealed), null);
  for (const wrong of [
    ['org_1 user_1', 'change', 2],
    ['org_1 user_1', 'change', '1'],
    ['org_1 user_1', 'change'],
    ['org_1', 'user_1 change', 1],
    ['org_1 user_1","change', 1],
  ])
    assert.equal(await open(key, wrong, sealed), null);
});

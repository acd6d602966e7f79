/** Tests of undoing bulk changes, and of lists of which each record has its own, against the real server. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ApiClient } from '@trellis/client/api-client.ts';
import type { BulkProgress } from '@trellis/console/outbox/bulk/bulk.ts';
import type { BulkAction, BulkTarget } from '@trellis/console/outbox/bulk/bulk-store.ts';
import { bodyOf } from '@trellis/console/outbox/bulk/field-change.ts';
import { planInverse } from '@trellis/console/outbox/edit/undo.ts';
import { resourceByName } from '@trellis/schema/resources/index.ts';
import { CuttingProxy } from '../../support/cutting-proxy.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { hurry, openBulkTab, TestBrowserStorage } from './tabs.ts';

let server: TestServer;
let client: ApiClient;

before(async () => {
  server = await startTestServer();
  client = new ApiClient({ baseUrl: server.url, token: server.token });
});
after(() => server.close());

const books = resourceByName('books');
const never = new AbortController().signal;
const readBook = async (id: string) => (await client.call('getBook', { path: { id } })).body;
const numbersOf = (progress: BulkProgress | null) => [progress?.done, progress?.failed, progress?.undoable];

async function createBooks(editions: readonly (string | null)[]): Promise<BulkTarget[]> {
  const targets: BulkTarget[] = [];
  for (const edition of editions) {
    const { body } = await client.call('createBook', { body: { title: 'Book', edition } });
    targets.push({ recordId: body.id, path: `/v1/books/${body.id}`, ifMatch: null });
  }
  return targets;
}

async function createContacts(lists: readonly string[][]): Promise<BulkTarget[]> {
  const targets: BulkTarget[] = [];
  for (const tags of lists) {
    const { body } = await client.call('createContact', { body: { firstName: 'Ada', tags } });
    targets.push({ recordId: body.id, path: `/v1/crm/contacts/${body.id}`, ifMatch: null });
  }
  return targets;
}

const editTags = (add: string[], remove: string[] = []): BulkAction => ({
  method: 'PATCH',
  suffix: '',
  body: null,
  change: { resource: 'contacts', fields: ['tags'], to: { add, remove } },
});
const readContact = async (id: string) => (await client.call('getContact', { path: { id } })).body;
const setTags = (id: string, tags: string[]) =>
  client.call('updateContact', { path: { id }, body: { tags } });

/** A client before whose first request of a kind something happens. */
function clientBefore(method: string, path: string, happen: () => Promise<unknown>): ApiClient {
  let isFirst = true;
  return new ApiClient({
    baseUrl: server.url,
    token: server.token,
    fetch: async (url, init) => {
      if (isFirst && init?.method === method && String(url).endsWith(path)) {
        isFirst = false;
        await happen();
      }
      return fetch(url, init);
    },
  });
}

const setEdition: BulkAction = {
  method: 'PATCH',
  suffix: '',
  body: null,
  change: { resource: 'books', fields: ['edition'], to: { value: 'Second' } },
};

test('undo gives every record its own value of before, once, also when tabs ask for it at the same time', async () => {
  const targets = await createBooks(['First', null, 'Zeroth']);
  const storage = new TestBrowserStorage();
  const tab = await openBulkTab(storage, client);
  const id = await tab.add('Edition', setEdition, targets);
  await tab.run(id, never);
  assert.deepEqual(numbersOf(await tab.progress(id)), [3, 0, 3]);
  const other = await openBulkTab(storage, client);
  const begun = await Promise.all([tab.undo(id, 'Undo'), other.undo(id, 'Undo')]);
  const [undoing, ...more] = begun.filter((one) => one !== null);
  assert.ok(undoing !== undefined && more.length === 0, JSON.stringify(begun));
  assert.deepEqual(
    (await tab.list()).map((bulk) => [bulk.id, bulk.label, bulk.total]),
    [[undoing, 'Undo', 3]],
  );
  await other.run(undoing, never);
  assert.deepEqual(numbersOf(await tab.progress(undoing)), [3, 0, 0]);
  const found = await Promise.all(targets.map(({ recordId }) => readBook(recordId)));
  assert.deepEqual(
    found.map(({ edition, version }) => [edition, version]),
    [
      ['First', 3],
      [null, 3],
      ['Zeroth', 3],
    ],
  );
  assert.equal(await tab.undo(undoing, 'Undo'), null);
});

test('what somebody has changed since is not undone, and what they had before is what undo gives back', async () => {
  const targets = await createBooks(['A', 'B', 'C']);
  const [before, since, untouched] = targets;
  assert.ok(before && since && untouched);
  const between = clientBefore('PATCH', before.path, () =>
    client.call('updateBook', { path: { id: before.recordId }, body: { edition: 'Unseen' } }),
  );
  const tab = await openBulkTab(new TestBrowserStorage(), between);
  const id = await tab.add('Edition', setEdition, targets);
  await tab.run(id, never);
  assert.deepEqual(numbersOf(await tab.progress(id)), [3, 0, 3]);
  await client.call('updateBook', { path: { id: since.recordId }, body: { edition: 'Third' } });
  const undoing = (await tab.undo(id, 'Undo')) ?? '';
  await tab.run(undoing, never);
  assert.deepEqual(numbersOf(await tab.progress(undoing)), [2, 1, 0]);
  assert.deepEqual(
    (await tab.failures(undoing)).map(({ recordId, failure }) => [recordId, failure?.code]),
    [[since.recordId, 'version_mismatch']],
  );
  const editions = await Promise.all(targets.map(async ({ recordId }) => (await readBook(recordId)).edition));
  assert.deepEqual(editions, ['Unseen', 'Third', 'C']);
});

const remove: BulkAction = { method: 'DELETE', suffix: '', body: null };

test('a deletion is undone from the trash, once; what is in the way can be restored before a retry', async () => {
  const parent = (await client.call('createCompany', { body: { name: 'Above' } })).body;
  const child = (await client.call('createCompany', { body: { name: 'Below', parentCompanyId: parent.id } }))
    .body;
  const targetOf = ({ id }: { readonly id: string }) => ({
    recordId: id,
    path: `/v1/crm/companies/${id}`,
    ifMatch: null,
  });
  const tab = await openBulkTab(new TestBrowserStorage(), client);
  const below = await tab.add('Below', remove, [targetOf(child)]);
  await tab.run(below, never);
  const above = await tab.add('Above', remove, [targetOf(parent)]);
  await tab.run(above, never);
  assert.deepEqual(numbersOf(await tab.progress(below)), [1, 0, 1]);
  const early = (await tab.undo(below, 'Undo')) ?? '';
  assert.equal(await tab.undo(below, 'Undo'), null);
  await tab.run(early, never);
  assert.deepEqual(
    (await tab.failures(early)).map(({ failure }) => failure?.code),
    ['reference_gone'],
  );
  await tab.run((await tab.undo(above, 'Undo')) ?? '', never);
  await tab.retryFailures(early);
  await tab.run(early, never);
  assert.deepEqual(numbersOf(await tab.progress(early)), [1, 0, 0]);
  const restored = (await client.call('getCompany', { path: { id: child.id } })).body;
  assert.equal(restored.parentCompanyId, parent.id);
});

test('a deletion of what has no trash is not undone', async () => {
  const { body } = await client.call('createView', { body: { name: 'Mine', resource: 'books' } });
  const tab = await openBulkTab(new TestBrowserStorage(), client);
  const id = await tab.add('View', remove, [
    { recordId: body.id, path: `/v1/views/${body.id}`, ifMatch: null },
  ]);
  await tab.run(id, never);
  assert.deepEqual(numbersOf(await tab.progress(id)), [1, 0, 0]);
});

test('a record that has the value already cannot be undone', async () => {
  const targets = await createBooks(['Second']);
  const tab = await openBulkTab(new TestBrowserStorage(), client);
  const id = await tab.add('Edition', setEdition, targets);
  await tab.run(id, never);
  assert.deepEqual(numbersOf(await tab.progress(id)), [1, 0, 0]);
  assert.equal(await tab.undo(id, 'Undo'), null);
});

test('values are added to and removed from the list of each record, and undone', async () => {
  const lists = [['a', 'b'], ['b', 'new'], []];
  const targets = await createContacts(lists);
  const tags = () => Promise.all(targets.map(async ({ recordId }) => (await readContact(recordId)).tags));
  const tab = await openBulkTab(new TestBrowserStorage(), client);
  const id = await tab.add('Tags', editTags(['new', 'newer'], ['b']), targets);
  await tab.run(id, never);
  assert.deepEqual(await tab.failures(id), []);
  assert.deepEqual(await tags(), [
    ['a', 'new', 'newer'],
    ['new', 'newer'],
    ['new', 'newer'],
  ]);
  assert.deepEqual(numbersOf(await tab.progress(id)), [3, 0, 3]);
  const undoing = (await tab.undo(id, 'Undo')) ?? '';
  await tab.run(undoing, never);
  assert.deepEqual(await tags(), lists);
});

test('a list that somebody changes in between is made anew, and nothing of theirs is lost', async () => {
  const [target] = await createContacts([['a']]);
  assert.ok(target);
  const between = clientBefore('PATCH', target.path, () => setTags(target.recordId, ['a', 'theirs']));
  const tab = await openBulkTab(new TestBrowserStorage(), between);
  const id = await tab.add('Tags', editTags(['mine']), [target]);
  await tab.run(id, never);
  assert.deepEqual((await readContact(target.recordId)).tags, ['a', 'theirs', 'mine']);
  assert.deepEqual(numbersOf(await tab.progress(id)), [1, 0, 1]);
  await tab.run((await tab.undo(id, 'Undo')) ?? '', never);
  assert.deepEqual((await readContact(target.recordId)).tags, ['a', 'theirs']);
});

test('the records of a turn are read by one request, and what somebody changes after it is not overwritten', async () => {
  const targets = await createContacts(Array.from({ length: 30 }, (_, index) => [`own ${index}`]));
  const [changed, deleted] = targets;
  assert.ok(changed !== undefined && deleted !== undefined);
  const requests: string[] = [];
  const counting = new ApiClient({
    baseUrl: server.url,
    token: server.token,
    fetch: async (url, init) => {
      const { pathname, search } = new URL(String(url));
      requests.push(`${init?.method} ${pathname}`);
      const response = await fetch(url, init);
      if (search.includes(changed.recordId)) {
        await setTags(changed.recordId, ['theirs']);
        await client.call('deleteContact', { path: { id: deleted.recordId } });
      }
      return response;
    },
  });
  const tab = await openBulkTab(new TestBrowserStorage(), counting);
  const id = await tab.add('Tags', editTags(['mine']), targets);
  await tab.run(id, never);
  assert.deepEqual(numbersOf(await tab.progress(id)), [29, 1, 29]);
  assert.deepEqual((await readContact(changed.recordId)).tags, ['theirs', 'mine']);
  const [failure] = await tab.failures(id);
  assert.deepEqual([failure?.recordId, failure?.failure?.code], [deleted.recordId, 'not_found']);
  // Twenty are a turn. The one that somebody has changed is read once more, and changed again.
  const reads = requests.filter((request) => request.startsWith('GET'));
  assert.deepEqual(reads, ['GET /v1/crm/contacts', `GET ${changed.path}`, 'GET /v1/crm/contacts']);
  assert.equal(requests.length, 3 + 31);
});

test('a list whose response was lost is not made anew: the same request is repeated', async (context) => {
  const proxy = await CuttingProxy.start(server.url);
  context.after(() => proxy.close());
  const [target] = await createContacts([['a']]);
  assert.ok(target);
  const storage = new TestBrowserStorage();
  const kill = new AbortController();
  let requests = 0;
  proxy.insteadOfResponse = () => {
    requests += 1;
    // The response to the GET comes, and that to the PATCH does not.
    if (requests === 1) return false;
    kill.abort();
    return true;
  };
  const cut = new ApiClient({ baseUrl: proxy.url, token: server.token, attempts: 1, wait: hurry });
  const first = await openBulkTab(storage, cut);
  const id = await first.add('Tags', editTags(['mine']), [target]);
  await first.run(id, kill.signal);
  assert.equal((await readContact(target.recordId)).version, 2);
  // Somebody takes it out again: a request that were made anew would add it a second time.
  await setTags(target.recordId, ['a']);
  const later = await openBulkTab(storage, client);
  await later.run(id, never);
  assert.deepEqual(numbersOf(await later.progress(id)), [1, 0, 1]);
  const undoing = (await later.undo(id, 'Undo')) ?? '';
  await later.run(undoing, never);
  assert.deepEqual(numbersOf(await later.progress(undoing)), [0, 1, 0]);
  const { tags, version } = await readContact(target.recordId);
  assert.deepEqual([tags, version], [['a'], 3]);
});

test('an edit keeps the order of a list, and names no value twice', () => {
  const record = { version: 7, tags: ['c', 'a'] };
  const edit = (add: string[], remove: string[]) =>
    bodyOf({ resource: 'contacts', fields: ['tags'], to: { add, remove } }, record);
  assert.deepEqual(edit(['b', 'b', 'a'], []), { tags: ['c', 'a', 'b'] });
  assert.deepEqual(edit([], ['c', 'x']), { tags: ['a'] });
  assert.equal(edit(['a'], ['x']), null);
});

test('a change that somebody else makes at the same moment is theirs, and stays', async () => {
  const [target] = await createBooks(['First']);
  assert.ok(target);
  const between = clientBefore('PATCH', target.path, () =>
    client.call('updateBook', { path: { id: target.recordId }, body: { edition: 'Second' } }),
  );
  const tab = await openBulkTab(new TestBrowserStorage(), between);
  const id = await tab.add('Edition', setEdition, [target]);
  await tab.run(id, never);
  assert.deepEqual(numbersOf(await tab.progress(id)), [1, 0, 0]);
  assert.equal((await readBook(target.recordId)).version, 2);
});

test('a bulk change that is removed while its request is under way leaves nothing', async () => {
  const [target] = await createBooks(['First']);
  assert.ok(target);
  const removed: string[] = [];
  const storage = new TestBrowserStorage();
  const between = clientBefore('PATCH', target.path, async () => {
    for (const { id } of await tab.list()) removed.push(id);
    for (const id of removed) await tab.remove(id);
  });
  const tab = await openBulkTab(storage, between);
  const id = await tab.add('Edition', setEdition, [target]);
  await tab.run(id, never);
  assert.deepEqual(removed, [id]);
  const vault = await storage.open();
  for (const kind of ['bulk', 'bulk-item', 'bulk-undo'] as const)
    assert.equal(await vault.count([kind]), 0, kind);
});

test('nothing is undone while records wait', async () => {
  const targets = await createBooks(Array.from({ length: 12 }, () => 'First'));
  const tab = await openBulkTab(new TestBrowserStorage(), client);
  const id = await tab.add('Edition', setEdition, targets);
  const stop = new AbortController();
  await tab.run(id, stop.signal, () => stop.abort());
  const progress = await tab.progress(id);
  assert.ok(progress !== null && progress.waiting > 0 && progress.undoable > 0, JSON.stringify(progress));
  assert.equal(await tab.undo(id, 'Undo'), null);
  await tab.run(id, never);
  assert.notEqual(await tab.undo(id, 'Undo'), null);
});

test('fields that a row does not have, and what readers see, have no inverse', () => {
  assert.equal(planInverse(books, ['edition'], { version: 1 }), null);
  assert.deepEqual(planInverse(books, ['edition'], { version: 1, status: 'DRAFT', edition: null }), {
    edition: null,
  });
  assert.equal(planInverse(books, ['edition'], { version: 1, status: 'PUBLISHED', edition: null }), null);
});

/** Tests of what might keep changes from being sent, until the page is loaded again or for ever, although the server can be reached. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ApiClient } from '@trellis/client/api-client.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { FormTab, fields } from './form-tab.ts';
import { LateStore, TestBrowserStorage } from './tabs.ts';

let server: TestServer;
let client: ApiClient;
before(async () => {
  server = await startTestServer();
  client = new ApiClient({ baseUrl: server.url, token: server.token });
});
after(() => server.close());

const createBook = async () => (await client.call('createBook', { body: { title: 'Emma' } })).body;
const readBook = async (id: string) => (await client.call('getBook', { path: { id } })).body;

test('what is typed while another tab has sent a change and not yet gone on is no conflict with it', async (context) => {
  const book = await createBook();
  const storage = new TestBrowserStorage();
  const [left, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const store = new LateStore(await storage.open(), async () => {
    left.resolve();
    await go.promise;
  });
  await FormTab.open(context, storage, server, book, { store });
  const typing = await FormTab.open(context, storage, server, book);
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

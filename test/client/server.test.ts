/** Tests of the client against the real server: connections that are cut, limits, pages, conditions, uploads, cookies. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ApiClient } from '@trellis/client/api-client.ts';
import { ProblemError } from '@trellis/client/problem.ts';
import { etagOf } from '@trellis/client/response.ts';
import { uploadKnowledgeFile } from '@trellis/client/upload.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { givePassword, TestBrowser } from '../support/browser-client.ts';
import { CuttingProxy } from '../support/cutting-proxy.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let client: ApiClient;

before(async () => {
  server = await startTestServer();
  client = new ApiClient({ baseUrl: server.url, token: server.token });
});
after(() => server.close());

/** Number of events about a record that wait in the outbox: one for each write. */
async function countWrites(id: string): Promise<number> {
  const { json } = await server.call('GET', `/v1/books/${id}`);
  return json.version;
}

test('a connection that is cut before the request, or after the commit, does not do a write twice', async (context) => {
  const proxy = await CuttingProxy.start(server.url);
  context.after(() => proxy.close());
  const cut = new ApiClient({ baseUrl: proxy.url, token: server.token });
  let calls = 0;
  const everySecond = () => {
    calls += 1;
    return calls % 2 === 1;
  };
  const ids = new Set<string>();
  for (const place of ['beforeRequest', 'insteadOfResponse'] as const) {
    proxy[place] = everySecond;
    for (let round = 0; round < 5; round += 1) {
      const created = await cut.call('createBook', { body: { title: `${place} ${round}` } });
      ids.add(created.body.id);
      assert.equal(created.attempts, 2);
      assert.equal(created.replayed, place === 'insteadOfResponse');
      const { body, etag } = await cut.call('updateBook', {
        path: { id: created.body.id },
        body: { subtitle: 'Changed' },
        ifMatch: created.etag ?? '',
      });
      assert.deepEqual([body.version, body.subtitle, etag], [2, 'Changed', '"2"']);
    }
    proxy[place] = () => false;
  }
  const titles: string[] = [];
  for await (const { id, title, version } of client.iterate('listBooks', { query: { sort: 'createdAt' } })) {
    assert.ok(ids.has(id));
    assert.equal(version, 2);
    titles.push(title);
  }
  assert.equal(titles.length, 10);
  assert.equal(new Set(titles).size, 10);
});

test('the items and pages of a list come once and in order, from any cursor', async () => {
  const site = await client.call('createSite', { body: { name: 'Pages', key: 'pages' } });
  const path = { siteId: site.body.id };
  const names = Array.from({ length: 23 }, (_, index) => `tag-${String(index).padStart(2, '0')}`);
  for (const name of names) await client.call('createTag', { path, body: { name } });
  const listed: string[] = [];
  const query = { limit: 5, sort: 'createdAt' } as const;
  for await (const { name } of client.iterate('listTags', { path, query })) listed.push(name);
  assert.deepEqual(listed, names);
  const pages: string[][] = [];
  let cursor: string | null = null;
  for await (const { items, pageInfo } of client.pages('listTags', {
    path,
    query: { ...query, fields: 'name' },
  })) {
    pages.push(items.map(({ name }) => name ?? ''));
    cursor = pageInfo.nextCursor;
    if (pages.length === 2) break;
  }
  assert.ok(cursor);
  for await (const { items } of client.pages('listTags', {
    path,
    query: { ...query, cursor, fields: 'name' },
  })) {
    pages.push(items.map(({ name }) => name ?? ''));
  }
  assert.deepEqual(
    pages.map(({ length }) => length),
    [5, 5, 5, 5, 3],
  );
  assert.deepEqual(pages.flat(), names);
  const plain: unknown[] = [];
  for await (const { name } of client.itemsOf({ path: `/v1/sites/${site.body.id}/tags`, query }))
    plain.push(name);
  assert.deepEqual(plain, names);
});

test('a read returns null for the version that the caller has, and If-Match refuses a version that has passed', async () => {
  const { body: first, etag } = await client.call('createBook', { body: { title: 'Persuasion' } });
  const path = { id: first.id };
  assert.equal(etag, etagOf(1));
  assert.equal(await client.readIfChanged('getBook', etagOf(1), { path }), null);
  await client.call('updateBook', { path, body: { title: 'Persuasion, again' }, ifMatch: etagOf(1) });
  const changed = await client.readIfChanged('getBook', etagOf(1), { path });
  assert.equal(changed?.body.title, 'Persuasion, again');
  const stale = client.call('updateBook', { path, body: { title: 'Mine' }, ifMatch: etagOf(1) });
  await assert.rejects(stale, { code: 'version_mismatch', status: 412 });
  assert.equal(await countWrites(first.id), 2);
  const selected = await client.call('getBook', { path, query: { fields: 'title' } });
  assert.deepEqual(selected.body, { id: first.id, title: 'Persuasion, again' });
  assert.equal((await client.call('deleteBook', { path, ifMatch: etagOf(2) })).body, null);
  await assert.rejects(client.call('getBook', { path }), (error) => {
    assert.ok(error instanceof ProblemError);
    assert.deepEqual([error.code, error.status, error.isTemporary], ['not_found', 404, false]);
    assert.match(error.requestId ?? '', /./);
    return true;
  });
});

test('an upload that is cut and repeated under its key makes one file, whose bytes come back', async (context) => {
  const proxy = await CuttingProxy.start(server.url);
  context.after(() => proxy.close());
  const cut = new ApiClient({ baseUrl: proxy.url, token: server.token, attempts: 1 });
  const bytes = crypto.getRandomValues(new Uint8Array(60_000));
  const upload = {
    record: { name: 'Noise' },
    content: new File([bytes], 'noise.bin'),
    idempotencyKey: 'upload-1',
  } as const;
  let responses = 0;
  proxy.insteadOfResponse = () => {
    responses += 1;
    return responses <= 2;
  };
  // The first run loses the response to the record, the second one the response to the content.
  await assert.rejects(uploadKnowledgeFile(cut, upload), { code: 'unreachable' });
  responses = 1;
  await assert.rejects(uploadKnowledgeFile(cut, upload), { code: 'unreachable' });
  const { body: file } = await uploadKnowledgeFile(cut, upload);
  const files: string[] = [];
  for await (const { id } of client.iterate('listKnowledgeFiles')) files.push(id);
  assert.deepEqual(files, [file.id]);
  assert.equal(file.sizeBytes, bytes.length);
  assert.equal(file.fileName, 'noise.bin');
  const { body: stream } = await client.call('getKnowledgeFileContent', { path: { id: file.id } });
  assert.deepEqual(new Uint8Array(await new Response(stream).arrayBuffer()), bytes);
});

test('a limit of the server delays calls and fails none', async (context) => {
  const limited = await startTestServer({ rateLimit: 60 });
  context.after(() => limited.close());
  const waits: number[] = [];
  let now = 0;
  const patient = new ApiClient({
    baseUrl: limited.url,
    token: limited.token,
    clock: () => now,
    wait: async (milliseconds) => {
      waits.push(milliseconds);
      now += milliseconds;
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
    },
  });
  const ids = new Set<string>();
  for (let round = 0; waits.length < 2; round += 1) {
    assert.ok(round < 2_000, 'the limit was never reached');
    const { body } = await patient.call('createBook', { body: { title: `Book ${round}` } });
    assert.ok(!ids.has(body.id));
    ids.add(body.id);
  }
  for (const wait of waits) assert.ok(wait >= 1_000, `Retry-After is at least a second, not ${wait} ms`);
});

test('a page of the server calls with its cookie and names the organization', async () => {
  const account = await givePassword(server.database.auth, server.ownerId);
  const browser = new TestBrowser(server);
  await browser.signIn(account);
  const sent: Headers[] = [];
  const page = new ApiClient({
    baseUrl: server.url,
    organization: () => encodeId('org', server.organization.id),
    user: encodeId('user', server.ownerId),
    fetch: (url, init) => {
      // What a browser adds by itself.
      const headers = new Headers(init.headers);
      sent.push(new Headers(headers));
      headers.set('cookie', browser.cookie ?? '');
      headers.set('sec-fetch-site', 'same-origin');
      assert.equal(init.credentials, 'same-origin');
      return fetch(url, { ...init, headers });
    },
  });
  const { body } = await page.call('createBook', { body: { title: 'From a page' } });
  assert.equal(
    (await client.call('getBook', { path: { id: body.id } })).body.createdBy,
    encodeId('user', server.ownerId),
  );
  for (const headers of sent) assert.equal(headers.get('authorization'), null);
  const signedOut = new ApiClient({
    baseUrl: server.url,
    organization: encodeId('org', server.organization.id),
    user: encodeId('user', server.ownerId),
  });
  await assert.rejects(signedOut.call('listBooks'), { status: 401, isTemporary: false });
});

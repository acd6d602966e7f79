/** Tests of undo against the real server: back to what was, or refused with the reason. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ApiClient } from '@trellis/client/api-client.ts';
import { etagOf } from '@trellis/client/response.ts';
import { type NoUndo, planUndo, type Undo, undo } from '@trellis/console/outbox/edit/undo.ts';
import type { Values } from '@trellis/console/outbox/store/fields.ts';
import { resourceByName } from '@trellis/schema/resources/index.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
let client: ApiClient;

before(async () => {
  server = await startTestServer();
  client = new ApiClient({ baseUrl: server.url, token: server.token });
});
after(() => server.close());

async function read(path: string): Promise<Values> {
  const { body } = await client.request({ method: 'GET', path });
  assert.ok(isPlainObject(body));
  return body;
}

async function create(path: string, body: object): Promise<string> {
  const { body: record } = await client.request({ method: 'POST', path, body });
  assert.ok(isPlainObject(record));
  return `${path}/${record.id}`;
}

/** Makes a change, and plans its undo. */
async function changeRecord(
  resource: string,
  path: string,
  patch: Values,
): Promise<{ before: Values; plan: Undo | NoUndo }> {
  const before = await read(path);
  const { body: after } = await client.request({ method: 'PATCH', path, body: patch });
  assert.ok(isPlainObject(after));
  return { before, plan: planUndo({ resource: resourceByName(resource), path, patch, before, after }) };
}

function assertPlanned(plan: Undo | NoUndo): asserts plan is Undo {
  assert.ok('body' in plan, JSON.stringify(plan));
}

test('the fields that were changed get their values back, the others stay', async () => {
  const path = await create('/v1/books', { title: 'Emma', subtitle: 'A novel', subjects: [] });
  const { before, plan } = await changeRecord('books', path, {
    title: 'Emma!',
    subtitle: null,
    edition: 'Second',
    language: 'en',
  });
  assertPlanned(plan);
  assert.deepEqual([plan.body.title, plan.body.subtitle, plan.body.edition], ['Emma', 'A novel', null]);
  assert.equal(plan.ifMatch, etagOf(2));
  const result = await undo(client, plan);
  assert.equal(result.kind, 'undone');
  const { version, updatedAt, ...values } = await read(path);
  const { version: _version, updatedAt: _updatedAt, ...expected } = before;
  assert.deepEqual(values, expected);
  assert.equal(version, 3);
});

test('a change in between refuses the undo, and says who, when and which fields', async () => {
  const path = await create('/v1/books', { title: 'Emma' });
  const { plan } = await changeRecord('books', path, { title: 'Emma!', edition: 'Second' });
  assertPlanned(plan);
  await client.request({ method: 'PATCH', path, body: { title: 'Somebody else' } });
  const current = await read(path);
  assert.deepEqual(await undo(client, plan), {
    kind: 'changed-since',
    by: encodeId('user', server.ownerId),
    at: current.updatedAt,
    fields: ['title'],
  });
  assert.deepEqual(await read(path), current, 'nothing was changed');
  await client.request({ method: 'DELETE', path });
  assert.deepEqual(await undo(client, plan), { kind: 'deleted-since' });
});

test('an undo that is repeated under its key happens once', async () => {
  const path = await create('/v1/books', { title: 'Emma' });
  const { plan } = await changeRecord('books', path, { title: 'Emma!' });
  assertPlanned(plan);
  for (let time = 0; time < 2; time += 1) assert.equal((await undo(client, plan, 'undo-1')).kind, 'undone');
  const { title, version } = await read(path);
  assert.deepEqual([title, version], ['Emma', 3]);
});

test('what readers see, a transition and a change of nothing are not undone', async () => {
  const book = await create('/v1/books', { title: 'Emma' });
  assert.deepEqual((await changeRecord('books', book, { title: 'Emma' })).plan, { kind: 'unchanged' });
  assert.deepEqual((await changeRecord('books', book, { status: 'PUBLISHED' })).plan, { kind: 'transition' });
  assert.deepEqual((await changeRecord('books', book, { title: 'Emma!' })).plan, { kind: 'publishes' });

  const site = await create('/v1/sites', { name: 'Blog', key: 'blog' });
  const article = await create(`${site}/articles`, { versionData: { title: 'Hello' } });
  const draft = await changeRecord('articles', article, {
    articleData: { featured: true },
    versionData: { title: 'Hi' },
  });
  assertPlanned(draft.plan);
  assert.equal((await undo(client, draft.plan)).kind, 'undone');
  await client.request({ method: 'PATCH', path: article, body: { versionData: { status: 'PUBLISHED' } } });
  const seen = await changeRecord('articles', article, { articleData: { featured: true } });
  assert.deepEqual(seen.plan, { kind: 'publishes' });
  // An edit of a published article opens a draft that no reader sees.
  const edited = await changeRecord('articles', article, { versionData: { title: 'Hello, world' } });
  assertPlanned(edited.plan);
  assert.deepEqual(edited.plan.body, { versionData: { title: 'Hello' } });
  assert.equal((await undo(client, edited.plan)).kind, 'undone');
  const { versionData } = await read(article);
  assert.ok(isPlainObject(versionData));
  assert.deepEqual([versionData.title, versionData.status], ['Hello', 'DRAFT']);
});

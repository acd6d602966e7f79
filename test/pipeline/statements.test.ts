/**
 * The statements of each kind of write: two round trips, the first of which reads everything and the second of which
 * writes everything. A step that is added to the pipeline shows here.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { recordMessages } from '../support/messages.ts';
import { recordRoundTrips } from '../support/round-trips.ts';
import { type CallOptions, type Json, startTestServer, type TestResponse } from '../support/server.ts';
import { create } from '../support/writes.ts';

const server = await startTestServer();
after(() => server.close());
const roundTrips = recordRoundTrips(server.database.api);

/** The first statements of every write: the locks, and behind them the caller's identity with the stored response of the key. */
const opening = ['idempotency_lock_shared', 'identity_and_response'];

async function record(
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<{ response: TestResponse; sent: string[][] }> {
  roundTrips.length = 0;
  const response = await server.call(method, path, options);
  return { response, sent: [...roundTrips] };
}

async function succeed(method: string, path: string, body?: object): Promise<string[][]> {
  const { response, sent } = await record(method, path, body === undefined ? {} : { body });
  assert.ok(response.status < 300, response.text);
  return sent;
}

const site: Json = await create(server, '/v1/sites', { name: 'Statements', key: 'statements' });
const categories = `/v1/sites/${site.id}/categories`;
const root: Json = await create(server, categories, { name: 'Root' });

/** The statements of search depend on the texts of a record and not on the kind of write. */
const isOfSearch = (name: string) => /search|index_job/.test(name);
const withoutSearch = (names: readonly string[] | undefined) =>
  (names ?? []).filter((name) => !isOfSearch(name));

test('create', async () => {
  const [first, second, ...more] = await succeed('POST', '/v1/sites', { name: 'Other', key: 'other' });
  assert.deepEqual(first, opening);
  assert.deepEqual(withoutSearch(second), ['idempotency_store + append_event + insert_sites']);
  assert.deepEqual(more, []);
});

test('create with a parent, a reference, a slug and a hierarchy', async () => {
  const [first, second, ...more] = await succeed('POST', categories, { name: 'Leaf', parentId: root.id });
  assert.deepEqual(
    [...(first ?? [])].sort(),
    [
      ...opening,
      'read_sites_working_narrow',
      'find_categories_within',
      'advisory_lock',
      'taken_slugs_categories',
      'advisory_lock',
      'categories_above',
    ].sort(),
  );
  assert.deepEqual(withoutSearch(second), ['idempotency_store + append_event + insert_categories']);
  assert.deepEqual(more, []);
});

test('update', async () => {
  const path = `/v1/sites/${site.id}`;
  const [first, second, ...more] = await succeed('PATCH', path, { name: randomUUID() });
  assert.deepEqual(first, [...opening, 'lock_sites']);
  assert.deepEqual(withoutSearch(second), [
    'idempotency_store + append_event + insert_change + update_sites',
  ]);
  assert.deepEqual(more, []);
});

test('an update without a change stores only its response', async () => {
  const [, second, ...more] = await succeed('PATCH', `/v1/sites/${site.id}`, { key: 'statements' });
  assert.deepEqual(second, ['idempotency_store']);
  assert.deepEqual(more, []);
});

test('an action that reads more than its record', async () => {
  const articles = `/v1/sites/${site.id}/articles`;
  const article = await create(server, articles, { versionData: { title: 'One', body: 'Text' } });
  const path = `${articles}/${article.id}`;
  await succeed('PATCH', path, { versionData: { status: 'IN_REVIEW' } });
  const [first, second, ...more] = await succeed('POST', `${path}/versions/1/restore`);
  assert.deepEqual(first, [
    ...opening,
    'lock_articles',
    'read_articles_working_full',
    'read_article_version',
    'find_article_version_references',
  ]);
  assert.ok(second?.some((names) => names.includes('append_event')));
  assert.deepEqual(more, []);
});

test('delete', async () => {
  const other = await create(server, categories, { name: 'Short-lived' });
  const [first, second, ...more] = await succeed('DELETE', `${categories}/${other.id}`);
  assert.deepEqual(first, [...opening, 'lock_categories']);
  assert.deepEqual(withoutSearch(second), [
    'idempotency_store + append_event + insert_change',
    'keep_categories',
    'delete_categories',
  ]);
  assert.deepEqual(more, []);
});

test('a replay writes nothing; it checks whether the created record still exists', async () => {
  const key = randomUUID();
  const options = { body: { name: 'Once', key: 'once' }, key };
  assert.equal((await server.call('POST', '/v1/sites', options)).status, 201);
  const { response, sent } = await record('POST', '/v1/sites', options);
  assert.equal(response.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(sent, [opening, ['read_sites_working_full', 'read_changes_since']]);
});

test('a refusal writes nothing', async () => {
  const { response, sent } = await record('PATCH', `/v1/sites/${site.id}`, {
    body: { name: 'Late' },
    headers: { 'if-match': '"999"' },
  });
  assert.equal(response.status, 412);
  assert.deepEqual(sent, [[...opening, 'lock_sites']]);
});

test('creating an article takes 20 messages in two round trips, changing one 16', async () => {
  // One connection, which has prepared the statements of the second write of each kind.
  const other = await startTestServer({ poolSize: 1 });
  const { roundTrips: sent, stop } = recordMessages();
  try {
    const { id } = await create(other, '/v1/sites', { name: 'Messages', key: 'messages' });
    const category = await create(other, `/v1/sites/${id}/categories`, { name: 'Counted' });
    const articleData = { categoryIds: [category.id], primaryCategoryId: category.id };
    const versionData = () => ({
      title: `Counted ${randomUUID()}`,
      summary: 'Messages',
      body: 'Are counted.',
    });
    const count = async (method: string, path: string, body: object) => {
      sent.length = 0;
      const response = await other.call(method, path, { body });
      assert.ok(response.status < 300, response.text);
      const counted = sent.map((messages) => messages.filter(({ statement }) => !isOfSearch(statement)));
      return { id: response.json.id, counted: counted.map(({ length }) => length) };
    };
    const articles = `/v1/sites/${id}/articles`;
    const post = () => count('POST', articles, { articleData, versionData: versionData() });
    const first = await post();
    assert.deepEqual((await post()).counted, [15, 5]);
    const patch = () => count('PATCH', `${articles}/${first.id}`, { versionData: versionData() });
    await patch();
    assert.deepEqual((await patch()).counted, [11, 5]);
  } finally {
    stop();
    await other.close();
  }
});

/** What changed lately: events joined to pieces of work, with titles that the caller may read. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { examinedPositions } from '@trellis/server/features/log/activity.ts';
import pg from 'pg';
import { createMember, createToken } from '../support/identities.ts';
import { startTestRelay } from '../support/relay.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

let server: TestServer;
let relay: { stop(): Promise<void> };

before(async () => {
  server = await startTestServer();
  relay = startTestRelay(server.database);
});
after(async () => {
  await relay.stop();
  await server.close();
});

async function post(path: string, body: object, token = server.token): Promise<Json> {
  const { status, json, text } = await server.call('POST', path, { body, token });
  assert.equal(status, 201, text);
  return json;
}

async function readActivity(query = '', token = server.token): Promise<Json[]> {
  const { status, json, text } = await server.call('GET', `/v1/activity${query}`, { token });
  assert.equal(status, 200, text);
  return json.items;
}

/** Waits until the log has the last event of a record. */
async function logged(subject: string, count = 1): Promise<void> {
  await until('the event is in the log', async () => {
    const { json } = await server.call('GET', `/v1/events?subject=${subject}&limit=100`);
    return json.items.length >= count;
  });
}

test('changes of one kind by one person are one piece of work, with the newest records by name; updates are another', async () => {
  let last: Json = {};
  for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) {
    last = await post('/v1/books', { title });
    await post('/v1/magazines', { title: `Magazine ${title}` });
  }
  const changed = await server.call('PATCH', `/v1/books/${last.id}`, { body: { subtitle: 'At last' } });
  assert.equal(changed.status, 200);
  await logged(last.id, 2);
  const items = await readActivity();
  assert.deepEqual(
    items.map(({ resource, events, records, actions, user }) => [resource, events, records, actions, user]),
    [
      ['book', 1, 1, ['updated'], encodeId('user', server.ownerId)],
      ['magazine', 5, 5, ['created'], encodeId('user', server.ownerId)],
      ['book', 5, 5, ['created'], encodeId('user', server.ownerId)],
    ],
  );
  const [update, magazines, books] = items;
  assert.equal(books.userName, 'OWNER');
  assert.deepEqual(
    books.newest.map(({ title, actions }: Json) => [title, actions]),
    [
      ['Five', ['created']],
      ['Four', ['created']],
      ['Three', ['created']],
      ['Two', ['created']],
      ['One', ['created']],
    ],
  );
  assert.equal(new URL(books.newest[0].url).pathname, `/v1/books/${last.id}`);
  assert.ok(books.startedAt < books.changedAt);
  assert.deepEqual(
    update.newest.map(({ title, actions }: Json) => [title, actions]),
    [['Five', ['updated']]],
  );
  assert.ok(books.changedAt < update.startedAt, 'a later change is not when the books were created');
  assert.deepEqual(await readActivity('?type=magazine.*&limit=1'), [magazines]);
  assert.deepEqual(await readActivity('?type=book.deleted'), []);
});

test('nothing is said of records that the caller may not read, nor of deleted ones by name', async () => {
  const { database, organization } = server;
  const viewer = await createMember(database.worker, organization, 'VIEWER');
  const { token } = await createToken(database.worker, organization, viewer);
  const { token: eventsOnly } = await createToken(database.worker, organization, viewer, {
    scopes: ['events:read'],
  });
  const hidden = await post('/v1/knowledge-files', { name: 'For one only', visibility: 'PRIVATE' });
  const shown = await post('/v1/knowledge-files', { name: 'For all', visibility: 'ORGANIZATION' });
  await post('/v1/webhook-endpoints', { url: 'https://example.com/hook', eventTypes: ['book.*'] });
  const book = await post('/v1/books', { title: 'Soon gone' });
  await server.call('DELETE', `/v1/books/${book.id}`);
  await logged(book.id, 2);
  const ofViewer = await readActivity('', token);
  const files = ofViewer.find(({ resource }) => resource === 'knowledge-file');
  assert.deepEqual(
    [files.records, files.newest.map(({ id, title }: Json) => [id, title])],
    [1, [[shown.id, 'For all']]],
  );
  assert.ok(!JSON.stringify(ofViewer).includes(hidden.id));
  assert.ok(!ofViewer.some(({ resource }) => resource === 'webhook-endpoint'));
  const books = ofViewer.find(({ resource }) => resource === 'book');
  assert.deepEqual([books.newest[0].id, books.newest[0].title], [book.id, null]);
  for (const { newest, userName } of await readActivity('', eventsOnly)) {
    assert.equal(userName, null, 'without the scope that reads members');
    for (const { title } of newest) assert.equal(title, null, 'without the scope that reads the records');
  }
  const ofFile = await server.call('PATCH', `/v1/knowledge-files/${shown.id}`, {
    body: { visibility: 'PRIVATE' },
  });
  assert.equal(ofFile.status, 200, ofFile.text);
  const later = (await readActivity('', token)).find(({ resource }) => resource === 'knowledge-file');
  // What was shared then is in the log; its name is read with the rights of now.
  assert.deepEqual(
    later?.newest.map(({ title }: Json) => title),
    [null],
  );
});

test('a type that does not exist, and a token without the right, are refused', async () => {
  const unknown = await server.call('GET', '/v1/activity?type=book.eaten');
  assert.deepEqual([unknown.status, unknown.json.code], [400, 'invalid_parameter']);
  const tooMany = await server.call('GET', '/v1/activity?limit=51');
  assert.equal(tooMany.status, 400);
  const { database, organization, ownerId } = server;
  const { token } = await createToken(database.worker, organization, ownerId, { scopes: ['books:read'] });
  const refused = await server.call('GET', '/v1/activity', { token });
  assert.deepEqual([refused.status, refused.json.code], [403, 'insufficient_scope']);
});

test('of a type that nearly all events have no more are joined than of all types', async () => {
  const book = await post('/v1/books', { title: 'Changed very often' });
  await logged(book.id);
  const { database, organization } = server;
  // As if the log went on with updates of the book.
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  await admin.query(
    `WITH last AS (
      SELECT e.* FROM trellis.events e JOIN trellis.event_positions p USING (organization_id, position) WHERE e.organization_id = $1
    ), inserted AS (
      INSERT INTO trellis.events (organization_id, position, logged_at, id, type, subject_type, subject_id, subject_version, request_id,
        changed_fields, occurred_at)
      SELECT organization_id, position + n, logged_at, gen_random_uuid(), 'book.updated', subject_type, subject_id, subject_version, request_id,
        '{}', occurred_at
      FROM last, generate_series(1, $2) n)
    UPDATE trellis.event_positions SET position = position + $2 WHERE organization_id = $1`,
    [organization.id, examinedPositions + 1_000],
  );
  await admin.end();
  for (const query of ['', '?type=book.*', '?type=book.updated']) {
    const [work] = await readActivity(query);
    assert.equal(work.events, examinedPositions, query);
  }
});

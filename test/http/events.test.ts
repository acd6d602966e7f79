/**
 * Tests of reading the event log: every event once, in order, after its commit, and only about records that the user
 * may read.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { Arrivals } from '@trellis/server/kernel/events/arrivals.ts';
import { Agent, EventSource } from 'undici';
import { createMember, createToken } from '../support/identities.ts';
import { startTestRelay } from '../support/relay.ts';
import { type Json, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const arrivals = new Arrivals();
const server = await startTestServer({ arrivals, streamLifetimeMs: 3_000 });
const relay = startTestRelay(server.database, {
  logged: (organizationIds) => arrivals.notify(organizationIds),
});
after(async () => {
  await relay.stop();
  await server.close();
});

async function create(path: string, body: object, token = server.token): Promise<Json> {
  const response = await server.call('POST', path, { token, body });
  assert.equal(response.status, 201, response.text);
  return response.json;
}

async function page(query: string, token = server.token): Promise<Json> {
  const response = await server.call('GET', `/v1/events${query}`, { token });
  assert.equal(response.status, 200, response.text);
  return response.json;
}

/** The cursor after everything that is logged now, for a reader with the same filters. */
async function here(filters = ''): Promise<string> {
  return (await page(`?from=latest${filters}`)).pageInfo.nextCursor;
}

/** Reads from a cursor until so many events have been received. */
async function readOn(cursor: string, count: number, more = '', token = server.token): Promise<Json[]> {
  const events: Json[] = [];
  let next = cursor;
  await until(`${count} events are logged`, async () => {
    const { items, pageInfo } = await page(`?cursor=${next}${more}`, token);
    events.push(...items);
    next = pageInfo.nextCursor;
    return events.length >= count;
  });
  return events;
}

test('every write appends one event, in order, as a CloudEvent', async () => {
  const cursor = await here();
  const book = await create('/v1/books', { title: 'One' });
  const path = `/v1/books/${book.id}`;
  await server.call('PATCH', path, { body: { title: 'Two' }, headers: { 'x-request-id': 'my-request' } });
  await server.call('PATCH', path, { body: { title: 'Two' } });
  await server.call('DELETE', path);
  const events = await readOn(cursor, 3);
  assert.deepEqual(
    events.map(({ type, subject, data }) => [type, subject, data.version, data.changedFields]),
    [
      ['book.created', book.id, 1, ['title', 'contributors', 'subjects', 'prices', 'fileIds', 'status']],
      ['book.updated', book.id, 2, ['title']],
      ['book.deleted', book.id, 3, []],
    ],
  );
  const [, updated] = events;
  assert.equal(updated.specversion, '1.0');
  assert.match(updated.source, /^http:\/\/localhost:\d+\/v1\/organizations\/org_/);
  assert.equal(updated.data.url.endsWith(path), true, updated.data.url);
  assert.equal(updated.data.actor.requestId, 'my-request');
  const sequences = events.map(({ sequence }) => Number(sequence));
  assert.deepEqual(
    sequences.map((sequence) => sequence - (sequences[0] ?? 0)),
    [0, 1, 2],
  );
  assert.deepEqual(await page(`?cursor=${await here()}`).then(({ items }) => items), []);
});

test('by type, by all types of a resource, and by subject', async () => {
  const cursor = await here();
  const book = await create('/v1/books', { title: 'Filtered' });
  const magazine = await create('/v1/magazines', { title: 'Filtered' });
  await server.call('PATCH', `/v1/books/${book.id}`, { body: { title: 'Filtered again' } });
  await readOn(cursor, 3);
  const typesOf = async (query: string) =>
    (await page(`?from=earliest&limit=100${query}`)).items
      .filter(({ subject }: Json) => [book.id, magazine.id].includes(subject))
      .map(({ type }: Json) => type);
  assert.deepEqual(await typesOf('&type=book.*'), ['book.created', 'book.updated']);
  assert.deepEqual(await typesOf('&type=book.updated'), ['book.updated']);
  assert.deepEqual(await typesOf('&type=book.updated,magazine.*'), ['magazine.created', 'book.updated']);
  assert.deepEqual(await typesOf('&type=magazine.*,%20book.updated'), ['magazine.created', 'book.updated']);
  assert.deepEqual(await typesOf(`&subject=${magazine.id}`), ['magazine.created']);
  assert.deepEqual(await typesOf('&subject=mag_nonsense'), []);
  const wrong = await server.call('GET', '/v1/events?type=Book');
  assert.equal(wrong.json.code, 'invalid_parameter');
  for (const route of ['/v1/events', '/v1/events/stream']) {
    const misspelt = await server.call('GET', `${route}?type=book.updatet`);
    assert.deepEqual([misspelt.status, misspelt.json.code], [400, 'invalid_parameter']);
    assert.match(misspelt.json.detail, /Did you mean "book.updated"\?/);
  }
  for (const list of ['book.created,', 'book.created,,book.updated', 'book.created,book.updatet'])
    assert.equal((await server.call('GET', `/v1/events?type=${list}`)).status, 400, list);
  const both = await page('?from=earliest&limit=1&type=book.*,magazine.created');
  await page(`?cursor=${both.pageInfo.nextCursor}&type=magazine.created,book.*`);
  const first = await page('?from=earliest&limit=1&type=book.*');
  const mismatch = await server.call('GET', `/v1/events?cursor=${first.pageInfo.nextCursor}`);
  assert.equal(mismatch.json.code, 'cursor_mismatch');
});

test('events of files are for those who may see them, and a module that is off hides its events', async () => {
  const { worker } = server.database;
  const other = await createToken(
    worker,
    server.organization,
    await createMember(worker, server.organization, 'ADMIN'),
  );
  const cursor = await here();
  await create('/v1/knowledge-files', { name: 'mine' });
  const shared = await create('/v1/knowledge-files', { name: 'ours', visibility: 'ORGANIZATION' });
  const contact = await create('/v1/crm/contacts', { firstName: 'Ada' });
  assert.equal((await readOn(cursor, 3)).length, 3);
  const seen = await readOn(cursor, 2, '', other.token);
  assert.deepEqual(
    seen.map(({ subject }) => subject),
    [shared.id, contact.id],
  );
  const modules = (list: string) =>
    worker.run('UPDATE trellis.organizations SET modules = $1 WHERE id = $2', [list, server.organization.id]);
  await modules('{cms,publishing,knowledge}');
  await until('the module is off for reads', async () => {
    const { items } = await page(`?cursor=${cursor}`, other.token);
    return items.length === 1 && items[0].subject === shared.id;
  });
  await modules('{cms,publishing,knowledge,crm,visitors,sandbox}');
});

test('a stream sends each event once, also after a reconnect', async () => {
  const headers = { authorization: `Bearer ${server.token}` };
  const read = async (count: number, more: Record<string, string>, query: string): Promise<Json[]> => {
    const abort = new AbortController();
    const response = await fetch(`${server.url}/v1/events/stream${query}`, {
      headers: { ...headers, ...more },
      signal: abort.signal,
    });
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    const events: Json[] = [];
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks.filter((lines) => lines.startsWith('id: '))) {
        const [id = '', event = '', data = ''] = block.split('\n').map((line) => line.replace(/^\w+: /, ''));
        assert.equal(JSON.parse(data).type, event);
        events.push({ ...JSON.parse(data), cursor: id });
      }
      if (events.length >= count) break;
    }
    abort.abort();
    return events;
  };
  const cursor = await here('&type=book.*');
  const live = read(2, {}, `?cursor=${cursor}&type=book.*`);
  const one = await create('/v1/books', { title: 'Stream 1' });
  await create('/v1/magazines', { title: 'Not asked for' });
  const two = await create('/v1/books', { title: 'Stream 2' });
  const events = await live;
  assert.deepEqual(
    events.map(({ subject }) => subject),
    [one.id, two.id],
  );
  const three = await create('/v1/books', { title: 'Stream 3' });
  const rest = await read(2, { 'last-event-id': events[0].cursor }, '?type=book.*');
  assert.deepEqual(
    rest.map(({ subject }) => subject),
    [two.id, three.id],
  );
});

test('a stream ends when the token no longer permits it', async () => {
  const { worker } = server.database;
  const { token } = await createToken(
    worker,
    server.organization,
    await createMember(worker, server.organization, 'EDITOR'),
  );
  const response = await fetch(`${server.url}/v1/events/stream`, {
    headers: { authorization: `Bearer ${token}` },
  });
  assert.equal(response.status, 200);
  await worker.run(
    'UPDATE trellis.tokens SET revoked_at = now() WHERE organization_id = $1 AND user_id IN (SELECT user_id FROM trellis.memberships WHERE role = $2)',
    [server.organization.id, 'EDITOR'],
  );
  await assert.rejects(response.text(), 'it is cut, not ended: there may be more to see for others');
});

test('the log is read by who made a change and when, with the token in the actor', async () => {
  const { worker } = server.database;
  const editor = await createMember(worker, server.organization, 'EDITOR');
  const made = await createToken(worker, server.organization, editor);
  const actor = encodeId('user', editor);
  const titles = ['Audit 1', 'Audit 2', 'Audit 3', 'Audit 4', 'Audit 5'];
  const books: Json[] = [];
  for (const title of titles) {
    books.push(await create('/v1/books', { title }, made.token));
    // What others change in between, some of it hidden from the reader.
    await create('/v1/books', { title: `${title} of another` });
    await create('/v1/webhook-endpoints', { url: 'https://8.8.8.8/hook', eventTypes: ['tag.created'] });
  }
  const logged = await until('all are logged', async () => {
    const { items } = await page(`?actorId=${actor}&limit=100`);
    return items.length === titles.length ? items : undefined;
  });
  assert.deepEqual(
    logged.map(({ subject }: Json) => subject),
    books.map(({ id }) => id),
  );
  assert.deepEqual(logged[0].data.actor, {
    user: actor,
    client: encodeId('client', server.organization.clientId),
    token: encodeId('token', made.id),
    methods: null,
    requestId: logged[0].data.actor.requestId,
  });
  for (let first = 0; first < titles.length; first += 1) {
    for (let end = first; end < titles.length; end += 1) {
      const span = `from=${books[first]?.createdAt}&to=${books[end]?.createdAt}`;
      const { items } = await page(`?${span}&actorId=${actor}&limit=100`, made.token);
      const expected = books.filter(
        ({ createdAt }) => createdAt >= books[first]?.createdAt && createdAt < books[end]?.createdAt,
      );
      assert.deepEqual(
        items.map(({ subject }: Json) => subject),
        expected.map(({ id }) => id),
        span,
      );
    }
  }
  const { items: all } = await page(`?from=${books[2]?.createdAt}&limit=100`);
  assert.ok(all.every(({ time }: Json) => time >= books[2]?.createdAt));
  assert.ok(all.some(({ subject }: Json) => subject === books[4]?.id));
  assert.deepEqual((await page('?actorId=user_01h455vb4pex5vsknk084sn02q')).items, []);
  const wrong = await server.call('GET', '/v1/events?from=yesterday');
  assert.equal(wrong.json.code, 'invalid_parameter', wrong.text);
});

test('a page reads the stream by the names of its events, as docs/events.md shows', async () => {
  const text = readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8');
  const [, program = ''] = /```js\n(const stream = new EventSource[^`]*)```/.exec(text) ?? [];
  assert.notEqual(program, '');
  const printed: unknown[][] = [];
  const unnamed: unknown[] = [];
  const authorization = `Bearer ${server.token}`;
  const dispatcher = new Agent().compose(
    (dispatch) => (options, handler) =>
      dispatch(
        { ...options, headers: { ...(options.headers as Record<string, string>), authorization } },
        handler,
      ),
  );
  const streams: EventSource[] = [];
  class SignedInEventSource extends EventSource {
    constructor(path: string) {
      super(new URL(path, server.url).href, { node: { dispatcher } });
      this.onmessage = (event) => unnamed.push(event);
      streams.push(this);
    }
  }
  new Function('EventSource', 'console', program)(SignedInEventSource, {
    log: (...words: unknown[]) => printed.push(words),
  });
  try {
    await until('the stream is open', async () => streams[0]?.readyState === 1);
    const call = (method: string, path: string, body?: object) =>
      server.call(method, path, body === undefined ? {} : { body });
    const site = (
      await call('POST', '/v1/sites', { name: 'Blog', key: `blog-${randomBytes(4).toString('hex')}` })
    ).json;
    const articles = `/v1/sites/${site.id}/articles`;
    const article = (await call('POST', articles, { versionData: { title: 'Marmots' } })).json;
    await call('PATCH', `${articles}/${article.id}`, { versionData: { status: 'PUBLISHED' } });
    await call('DELETE', `${articles}/${article.id}`);
    await until('both are received', async () => printed.length === 2);
    assert.deepEqual(printed, [
      ['article.published', article.id, 2],
      ['article.unpublished', article.id, 3],
    ]);
    assert.deepEqual(unnamed, []);
  } finally {
    for (const stream of streams) stream.close();
    await dispatcher.close();
  }
});

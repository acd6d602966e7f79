/** Tests of the statuses of books: transitions, the right to publish, and the trade status. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMember, createToken } from '../support/identities.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { create, expectRefusal, succeed, tryValues, typesOf, write } from '../support/writes.ts';

let server: TestServer;

before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const books = '/v1/books';
const statuses = ['DRAFT', 'PUBLISHED', 'UNPUBLISHED', 'ARCHIVED'] as const;
type Status = (typeof statuses)[number];

/** DRAFT → PUBLISHED ↔ UNPUBLISHED → ARCHIVED. */
const allowed: Readonly<Record<Status, readonly Status[]>> = {
  DRAFT: ['PUBLISHED'],
  PUBLISHED: ['UNPUBLISHED'],
  UNPUBLISHED: ['PUBLISHED', 'ARCHIVED'],
  ARCHIVED: [],
};
const ways: Readonly<Record<Status, readonly Status[]>> = {
  DRAFT: [],
  PUBLISHED: ['PUBLISHED'],
  UNPUBLISHED: ['PUBLISHED', 'UNPUBLISHED'],
  ARCHIVED: ['PUBLISHED', 'UNPUBLISHED', 'ARCHIVED'],
};

async function createBook(body: object = {}): Promise<string> {
  return `${books}/${(await create(server, books, { title: 'A book', ...body })).id}`;
}

async function bookAt(status: Status): Promise<string> {
  const path = await createBook();
  for (const step of ways[status]) await succeed(server, 'PATCH', path, { status: step });
  return path;
}

async function tokenOf(role: 'EDITOR' | 'AUTHOR' | 'VIEWER'): Promise<string> {
  const { worker } = server.database;
  const userId = await createMember(worker, server.organization, role);
  return (await createToken(worker, server.organization, userId)).token;
}

test('a new book is a draft', async () => {
  for (const status of statuses) {
    const response = await write(server, 'POST', books, { body: { title: 'x', status } });
    if (status === 'DRAFT') assert.equal(response.status, 201, response.text);
    else expectRefusal(response, 422, 'validation_failed', ['/status']);
  }
});

test('every transition of the table is allowed, and any other is refused with the allowed ones', async () => {
  for (const from of statuses) {
    for (const to of statuses) {
      const path = await bookAt(from);
      const held = await server.call('GET', path);
      const response = await write(server, 'PATCH', path, { body: { status: to } });
      const label = `${from} to ${to}: ${response.text}`;
      if (from === to) {
        assert.equal(response.status, 200, label);
        assert.equal(response.json.version, held.json.version, label);
        assert.deepEqual(response.events, [], label);
      } else if (allowed[from].includes(to)) {
        assert.equal(response.status, 200, label);
        assert.equal(response.json.status, to, label);
        const event = to === 'PUBLISHED' ? 'published' : to === 'UNPUBLISHED' ? 'unpublished' : 'updated';
        assert.deepEqual(typesOf(response), [`book.${event}`], label);
        assert.deepEqual(response.events[0]?.changedFields, ['status'], label);
      } else {
        expectRefusal(response, 409, 'invalid_transition', ['/status']);
        assert.deepEqual(response.json.allowed, allowed[from], label);
        assert.deepEqual((await server.call('GET', path)).json, held.json, label);
      }
    }
  }
});

test('roles that may only read make no transitions; an editor may', async () => {
  const [author, viewer, editor] = [
    await tokenOf('AUTHOR'),
    await tokenOf('VIEWER'),
    await tokenOf('EDITOR'),
  ];
  for (const from of statuses) {
    for (const to of allowed[from]) {
      const path = await bookAt(from);
      for (const token of [author, viewer]) {
        const refused = await write(server, 'PATCH', path, { token, body: { status: to } });
        expectRefusal(refused, 403, 'permission_denied');
      }
      const moved = await write(server, 'PATCH', path, { token: editor, body: { status: to } });
      assert.equal(moved.status, 200, moved.text);
    }
  }
  const created = await write(server, 'POST', books, { token: author, body: { title: 'x' } });
  expectRefusal(created, 403, 'permission_denied');
});

test('a forthcoming book has a publication date as long as it is forthcoming', async () => {
  const undated = { title: 'x', tradeStatus: 'FORTHCOMING' };
  const pointers = ['/publicationDate'];
  expectRefusal(await write(server, 'POST', books, { body: undated }), 422, 'validation_failed', pointers);
  const path = await createBook({ ...undated, publicationDate: '2030' });
  const cleared = await write(server, 'PATCH', path, { body: { publicationDate: null } });
  expectRefusal(cleared, 422, 'validation_failed', pointers);
  const both = await succeed(server, 'PATCH', path, { publicationDate: null, tradeStatus: 'CANCELLED' });
  assert.deepEqual(both.events[0]?.changedFields, ['publicationDate', 'tradeStatus']);
  const back = await write(server, 'PATCH', path, { body: { tradeStatus: 'FORTHCOMING' } });
  expectRefusal(back, 422, 'validation_failed', pointers);
  const others = ['POSTPONED', 'ACTIVE', 'OUT_OF_STOCK', 'OUT_OF_PRINT', 'WITHDRAWN', 'CANCELLED', null];
  await tryValues(
    server,
    path,
    'tradeStatus',
    others.map((value) => [value, value]),
    ['SOLD', 'active', ''],
  );
});

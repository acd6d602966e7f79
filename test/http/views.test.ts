/** Tests of views: who sees, changes, shares and deletes them, and what a view may say. */

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { filtersOf } from '@trellis/schema/resources/filters.ts';
import { resourceByName, resources } from '@trellis/schema/resources/index.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import type { Permission } from '@trellis/schema/rights/permissions.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { Database } from '@trellis/server/kernel/database/database.ts';
import { countWaiting } from '../support/events.ts';
import { createMember, createToken } from '../support/identities.ts';
import { expectProblem } from '../support/refusals.ts';
import { startTestRelay } from '../support/relay.ts';
import { type Json, startTestServer, type TestResponse } from '../support/server.ts';
import { until } from '../support/until.ts';
import { expectRefusal, idsOf, type Written, write } from '../support/writes.ts';

const server = await startTestServer();
const { worker } = server.database;
const admin = new Database({
  url: server.database.adminUrl,
  poolSize: 1,
  prepare: false,
  acquireTimeoutMs: 5_000,
  applicationName: 'trellis test',
  log: () => undefined,
});
const relay = startTestRelay(server.database);
after(async () => {
  await relay.stop();
  await admin.close();
  await server.close();
});

interface Member {
  /** As the API shows it. */
  readonly id: string;
  readonly token: string;
}

async function join(role: 'OWNER' | 'ADMIN' | 'EDITOR' | 'AUTHOR' | 'VIEWER'): Promise<Member> {
  const userId = await createMember(worker, server.organization, role);
  const { token } = await createToken(worker, server.organization, userId);
  return { id: encodeId('user', userId), token };
}

let keys = 0;
/** A member with a role of the organization. */
async function joinWith(grants: readonly Permission[]): Promise<Member & { readonly roleId: string }> {
  keys += 1;
  const made = await server.call('POST', '/v1/roles', {
    body: { key: `r${keys}`, name: `R ${keys}`, grants },
  });
  assert.equal(made.status, 201, made.text);
  const member = await join('VIEWER');
  const moved = await server.call('PATCH', `/v1/members/${member.id}`, { body: { roleId: made.json.id } });
  assert.equal(moved.status, 200, moved.text);
  return { ...member, roleId: made.json.id };
}

const ada = await join('EDITOR');
const ben = await join('EDITOR');
const eva = await join('ADMIN');
const vic = await join('VIEWER');

let names = 0;
/** Creates a view of contacts. */
async function save(owner: Member, body: object = {}): Promise<Json> {
  names += 1;
  const created = await server.call('POST', '/v1/views', {
    token: owner.token,
    body: { name: `View ${names}`, resource: 'contacts', ...body },
  });
  assert.equal(created.status, 201, created.text);
  return created.json;
}

function change(who: Member, id: string, body: object): Promise<Written> {
  return write(server, 'PATCH', `/v1/views/${id}`, { token: who.token, body });
}

function remove(who: Member, id: string): Promise<Written> {
  return write(server, 'DELETE', `/v1/views/${id}`, { token: who.token });
}

function read(who: Member, id: string): Promise<TestResponse> {
  return server.call('GET', `/v1/views/${id}`, { token: who.token });
}

/** Everything by which somebody could learn of a view. */
async function waysTo(who: Member, view: Json): Promise<Readonly<Record<string, boolean>>> {
  const { token } = who;
  const has = async (path: string) => (await idsOf(server, path, token)).includes(view.id);
  const word = encodeURIComponent(view.name);
  return {
    read: (await read(who, view.id)).status === 200,
    list: await has('/v1/views?limit=100'),
    filter: await has(`/v1/views?ownerUserId=${view.ownerUserId}&limit=100`),
    text: await has(`/v1/views?search=${word}`),
    search: await has(`/v1/views/search?query=${word}`),
    events: await hasEvent(who, view.id),
  };
}

async function hasEvent({ token }: Member, id: string): Promise<boolean> {
  await until('all events are logged', async () => (await countWaiting(worker)) === 0 || undefined);
  const { json, status, text } = await server.call('GET', `/v1/events?subject=${id}`, { token });
  assert.equal(status, 200, text);
  return json.items.length > 0;
}

function ways(seen: boolean): Readonly<Record<string, boolean>> {
  return { read: seen, list: seen, filter: seen, text: seen, search: seen, events: seen };
}

test('a private view is its owner’s alone, also before administrators, for every way to it', async () => {
  const view = await save(vic, { name: 'Quietly mine', query: 'sort=-updatedAt' });
  assert.equal(view.ownerUserId, vic.id);
  assert.equal(view.shared, false);
  assert.deepEqual(await waysTo(vic, view), ways(true));
  for (const other of [ada, eva, { ...vic, token: server.token }])
    assert.deepEqual(await waysTo(other, view), ways(false));
  for (const refused of [await change(eva, view.id, { name: 'x' }), await remove(eva, view.id)])
    expectRefusal(refused, 404, 'not_found');
});

test('a shared view is seen by everybody who may read the resource, and by nobody else', async () => {
  const view = await save(ada, { name: 'Everybodys', shared: true });
  for (const other of [ada, ben, eva, vic]) assert.deepEqual(await waysTo(other, view), ways(true));
  const reading = (...readable: string[]): Permission[] =>
    ['views', 'events', ...readable].map((resource) => ({ resource, action: 'read' }));
  const within = await joinWith(reading('contacts'));
  assert.deepEqual(await waysTo(within, view), ways(true));
  const outside = await joinWith(reading('books'));
  assert.deepEqual(await waysTo(outside, view), ways(false));
  const widened = await server.call('PATCH', `/v1/roles/${outside.roleId}`, {
    body: { grants: reading('books', 'contacts') },
  });
  assert.equal(widened.status, 200, widened.text);
  assert.deepEqual(await waysTo(outside, view), ways(true));
});

test('sharing and the end of it take effect for every way, and search and replays follow', async () => {
  const view = await save(ada, { name: 'Wandering' });
  assert.equal((await change(ada, view.id, { shared: true })).status, 200);
  assert.deepEqual(await waysTo(vic, view), ways(true));
  // An administrator takes it out of the sight of all but its owner, including their own.
  const key = 'unshare-wandering';
  const unshare = () =>
    server.call('PATCH', `/v1/views/${view.id}`, { token: eva.token, key, body: { shared: false } });
  assert.equal((await unshare()).status, 200);
  const { events: _log, ...seen } = await waysTo(vic, view);
  assert.deepEqual(seen, { read: false, list: false, filter: false, text: false, search: false });
  assert.equal((await read(eva, view.id)).status, 404);
  expectProblem(await unshare(), 404, 'not_found');
  assert.equal((await read(ada, view.id)).json.shared, false);
  assert.equal((await read(ada, view.id)).json.ownerUserId, ada.id);
});

test('one changes and deletes one’s own; administrators also the shared ones of others', async () => {
  const shared = await save(ada, { shared: true });
  expectRefusal(await change(ben, shared.id, { name: 'Mine now' }), 403, 'permission_denied');
  expectRefusal(await remove(ben, shared.id), 403, 'permission_denied');
  const renamed = await change(eva, shared.id, { name: 'Renamed by Eva' });
  assert.deepEqual(
    renamed.events.map(({ type }) => type),
    ['view.updated'],
  );
  assert.equal(renamed.json.ownerUserId, ada.id);
  assert.deepEqual(
    (await remove(eva, shared.id)).events.map(({ type }) => type),
    ['view.deleted'],
  );
  const mine = await save(ben, { shared: true });
  assert.equal((await remove(ben, mine.id)).status, 204);
});

test('sharing needs the right to publish views: to create, to share, and to change or delete a shared one', async () => {
  const create = await write(server, 'POST', '/v1/views', {
    token: vic.token,
    body: { name: 'For all', resource: 'contacts', shared: true },
  });
  expectRefusal(create, 403, 'permission_denied');
  const mine = await save(vic);
  expectRefusal(await change(vic, mine.id, { shared: true }), 403, 'permission_denied');
  // Somebody who was an editor once.
  const former = await join('EDITOR');
  const shared = await save(former, { shared: true });
  const demoted = await server.call('PATCH', `/v1/members/${former.id}`, {
    body: { roleId: 'role_00000000000000000000000005' },
  });
  assert.equal(demoted.status, 200, demoted.text);
  expectRefusal(await change(former, shared.id, { name: 'Still mine' }), 403, 'permission_denied');
  expectRefusal(await remove(former, shared.id), 403, 'permission_denied');
});

test('nobody makes a view of what they may not read', async () => {
  const reader = await joinWith([
    { resource: 'views', action: 'read' },
    { resource: 'views', action: 'create' },
    { resource: 'views', action: 'update', own: true },
    { resource: 'books', action: 'read' },
  ]);
  const body = { name: 'Contacts', resource: 'contacts' };
  const refused = await write(server, 'POST', '/v1/views', { token: reader.token, body });
  expectRefusal(refused, 403, 'permission_denied');
  assert.match(refused.json.detail, /may not read contacts/);
  const books = await save(reader, { resource: 'books' });
  expectRefusal(await change(reader, books.id, { resource: 'contacts' }), 403, 'permission_denied');
});

test('a name is taken once among the shared views of a resource, and once among the private ones of a user', async () => {
  const name = 'Taken';
  const shared = await save(ada, { name, shared: true });
  const mine = await save(ada, { name });
  await save(ben, { name });
  await save(ada, { name, resource: 'companies' });
  const again = (body: object) =>
    write(server, 'POST', '/v1/views', { token: ada.token, body: { name, resource: 'contacts', ...body } });
  const refused = await again({});
  expectRefusal(refused, 409, 'conflict', ['/name']);
  assert.equal(refused.json.existingId, mine.id);
  const refusedShared = await again({ shared: true });
  expectRefusal(refusedShared, 409, 'conflict', ['/name']);
  assert.equal(refusedShared.json.existingId, shared.id);
  expectRefusal(await change(ada, mine.id, { shared: true }), 409, 'conflict', ['/name']);
});

test('the query is stored in one form, and names only what the list of the resource has', async () => {
  const view = await save(ada, { query: 'sort=-updatedAt&lifecycleStage=LEAD&search=&tag=a%20b' });
  assert.equal(view.query, 'lifecycleStage=LEAD&sort=-updatedAt&tag=a+b');
  const several = await save(ada, { query: 'lifecycleStage=LEAD&lifecycleStage=CUSTOMER' });
  assert.equal(several.query, 'lifecycleStage=LEAD%2CCUSTOMER');
  const wrong: readonly [string, string][] = [
    ['stage=LEAD', 'unknown_parameter'],
    ['limit=5', 'unknown_parameter'],
    ['lifecycleStage=lead', 'parameter'],
    ['sort=name', 'parameter'],
    ['updatedSince=yesterday', 'parameter'],
    [`tag=${'x'.repeat(limits.filterText + 1)}`, 'parameter'],
    ['email=abc', 'parameter'],
    [`ownerUserId=${'x'.repeat(65)}`, 'parameter'],
    ['search=%00', 'parameter'],
    [`search=a${'%CC%96'.repeat(31)}`, 'parameter'],
    ['tag=%zz', 'encoding'],
    ['tag=a&tag=b', 'repeated'],
    ['tag=a&tag=', 'repeated'],
    ['stage=', 'unknown_parameter'],
    ['stage', 'unknown_parameter'],
    // Shorter than the limit only before it is encoded.
    [`search=${'語'.repeat(200)}&tag=${'語'.repeat(254)}&externalId=a`, 'maxLength'],
  ];
  for (const [query, code] of wrong) {
    const refused = await change(ada, view.id, { query });
    expectRefusal(refused, 422, 'validation_failed', ['/query']);
    assert.equal(refused.json.errors[0].code, code, query);
  }
  const misspelt = await change(ada, view.id, { query: 'lifecyclestage=LEAD' });
  assert.match(misspelt.json.errors[0].detail, /Did you mean "lifecycleStage"\?/);
  expectRefusal(
    await change(ada, view.id, { columns: ['displayName', 'shoeSize'] }),
    422,
    'validation_failed',
    ['/columns/1'],
  );
  for (const width of ['', '59', '1001', '0320', '320-1', '1e3', ' 320', '3.5']) {
    const refused = await change(ada, view.id, { columns: ['displayName', `tags-${width}`] });
    expectRefusal(refused, 422, 'validation_failed', ['/columns/1']);
    assert.equal(refused.json.errors[0].code, 'column_width', width);
  }
  // What is right for one resource is not for another.
  expectRefusal(await change(ada, view.id, { resource: 'books' }), 422, 'validation_failed', ['/query']);
  expectRefusal(await change(ada, view.id, { resource: 'views' }), 422, 'validation_failed', ['/resource']);
  const columns = ['displayName-320', 'tags', 'updatedAt-60'];
  const wide = await change(ada, view.id, { columns });
  assert.deepEqual([wide.status, wide.json.columns], [200, columns]);
});

test('every parameter that the example of a filter names makes a view, whose query the list takes', async () => {
  const filter = resourceByName('views').filters.resource;
  const viewable = filter !== undefined && 'values' in filter ? (filter.values ?? []) : [];
  assert.ok(viewable.includes('articles') && !viewable.includes('tokens'));
  for (const resource of resources.filter(({ name }) => viewable.includes(name))) {
    for (const [name, { example }] of Object.entries(filtersOf(resource))) {
      const query = new URLSearchParams({ [name]: example }).toString();
      const view = await save(ada, { resource: resource.name, query, columns: [resource.titleField] });
      if (resource.parent !== null) continue;
      const list = await server.call('GET', `/v1${resource.path}?${view.query}`);
      assert.equal(list.status, 200, list.text);
      assert.equal((await remove(ada, view.id)).status, 204);
    }
  }
});

test('a view that says what its list no longer has can be renamed and deleted, but not given more of it', async () => {
  const view = await save(ada);
  const [row] = await admin.run(
    `UPDATE trellis.views SET query = 'mood=GOOD' WHERE name = $1 RETURNING query`,
    [view.name],
  );
  assert.deepEqual(row, ['mood=GOOD']);
  const renamed = await change(ada, view.id, { name: 'Old filters' });
  assert.equal(renamed.status, 200, renamed.text);
  assert.equal(renamed.json.query, 'mood=GOOD');
  expectRefusal(await change(ada, view.id, { columns: ['displayName'] }), 422, 'validation_failed', [
    '/query',
  ]);
  assert.equal((await remove(ada, view.id)).status, 204);
});

test('a user has a limited number of views, however many are created at once', async () => {
  const owner = await join('EDITOR');
  const [userId] =
    (
      await admin.run(
        `INSERT INTO trellis.views (organization_id, id, version, created_at, updated_at, created_by, updated_by, name, resource,
          query, columns, shared, owner_user_id)
        SELECT $1, gen_random_uuid(), 1, now(), now(), t.user_id, t.user_id, 'n' || n, 'books', '', '[]', false, t.user_id
        FROM generate_series(1, $2 - 2) n, (SELECT user_id FROM trellis.memberships ORDER BY created_at DESC LIMIT 1) t
        RETURNING owner_user_id`,
        [server.organization.id, String(limits.views)],
      )
    )[0] ?? [];
  assert.equal(encodeId('user', userId ?? ''), owner.id);
  const attempts = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) =>
      server.call('POST', '/v1/views', { token: owner.token, body: { name, resource: 'books' } }),
    ),
  );
  assert.deepEqual(attempts.map(({ status }) => status).sort(), [201, 201, 409, 409]);
  const [refused] = attempts.filter(({ status }) => status !== 201);
  assert.equal(refused?.json.code, 'quota_reached');
});

test('what a removed member shared stays, and what was theirs is seen by nobody', async () => {
  const leaving = await join('EDITOR');
  const shared = await save(leaving, { shared: true });
  const mine = await save(leaving);
  const removed = await server.call('DELETE', `/v1/members/${leaving.id}`);
  assert.equal(removed.status, 204, removed.text);
  assert.equal((await read(ben, shared.id)).json.ownerUserId, leaving.id);
  assert.equal((await read(eva, mine.id)).status, 404);
  assert.equal((await change(eva, shared.id, { name: 'Kept' })).status, 200);
});

/** Tests of roles: what an organization's own roles permit, and who may make, change and delete them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import { listPermissions, type Permission, rightsOf, roles } from '@trellis/schema/rights/permissions.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { createMember, createToken } from '../support/identities.ts';
import { expectProblem } from '../support/refusals.ts';
import { type Json, startTestServer, type TestResponse } from '../support/server.ts';
import { succeed } from '../support/writes.ts';

const server = await startTestServer();
after(() => server.close());
const { worker } = server.database;

const read = (...names: string[]): Permission[] =>
  names.map((resource) => ({ resource, action: 'read', own: false }));

let made = 0;
function make(grants: readonly Permission[], token?: string): Promise<TestResponse> {
  made += 1;
  const body = { key: `role-${made}`, name: `Role ${made}`, grants };
  return server.call('POST', '/v1/roles', { body, ...(token === undefined ? {} : { token }) });
}

/** A member with a role of these permissions, and a token with all scopes. */
async function joinWith(
  grants: readonly Permission[],
): Promise<{ role: Json; userId: string; token: string }> {
  const role = (await make(grants)).json;
  const userId = await createMember(worker, server.organization, 'VIEWER');
  await succeed(server, 'PATCH', `/v1/members/${encodeId('user', userId)}`, { roleId: role.id });
  return { role, userId, token: (await createToken(worker, server.organization, userId)).token };
}

let site: string;
before(async () => {
  site = (await succeed(server, 'POST', '/v1/sites', { name: 'Site', key: 'site' })).json.id;
});

test('built-in roles are listed with what the matrix says, and cannot be changed', async () => {
  const { json } = await server.call('GET', '/v1/roles?builtIn=true&sort=createdAt');
  assert.deepEqual(json.items.map(({ key }: Json) => key).sort(), [...roles].sort());
  for (const role of roles) {
    const id = encodeId('role', builtInRoleIds[role]);
    const { json: found } = await server.call('GET', `/v1/roles/${id}`);
    assert.equal(found.key, role);
    assert.equal(found.builtIn, true);
    assert.deepEqual(found.grants, listPermissions(rightsOf(role)));
    expectProblem(
      await server.call('PATCH', `/v1/roles/${id}`, { body: { name: 'Mine' } }),
      403,
      'permission_denied',
    );
    expectProblem(await server.call('DELETE', `/v1/roles/${id}`), 403, 'permission_denied');
  }
});

test('a role permits what it lists and nothing else, from the next request on', async () => {
  const { role, token } = await joinWith(read('sites', 'tags'));
  const tags = `/v1/sites/${site}/tags`;
  const create = (key: string) => server.call('POST', tags, { token, body: { name: key, slug: key } });
  assert.equal((await server.call('GET', tags, { token })).status, 200);
  expectProblem(await server.call('GET', '/v1/books', { token }), 403, 'permission_denied');
  const refused = await create('first');
  expectProblem(refused, 403, 'permission_denied');
  assert.match(refused.json.detail, new RegExp(`The role ${role.key} may not create tags`));
  const more = [...role.grants, { resource: 'tags', action: 'create' }, ...read('books')];
  await succeed(server, 'PATCH', `/v1/roles/${role.id}`, { grants: more });
  assert.equal((await create('second')).status, 201);
  assert.equal((await server.call('GET', '/v1/books', { token })).status, 200);
  await succeed(server, 'PATCH', `/v1/roles/${role.id}`, { grants: read('sites') });
  expectProblem(await create('third'), 403, 'permission_denied');
  expectProblem(await server.call('GET', tags, { token }), 403, 'permission_denied');
});

test('a permission for own records excludes those of others', async () => {
  const { token } = await joinWith([
    ...read('sites', 'books'),
    { resource: 'books', action: 'create' },
    { resource: 'books', action: 'update', own: true },
  ]);
  const theirs = (await succeed(server, 'POST', '/v1/books', { title: 'Theirs' })).json.id;
  const mine = (await server.call('POST', '/v1/books', { token, body: { title: 'Mine' } })).json.id;
  const change = (id: string) =>
    server.call('PATCH', `/v1/books/${id}`, { token, body: { title: 'Changed' } });
  assert.equal((await change(mine)).status, 200);
  expectProblem(await change(theirs), 403, 'permission_denied');
});

test('nobody makes, changes, gives or deletes a role with more permissions than their own', async () => {
  const managing: Permission[] = [
    ...read('roles', 'members', 'sites'),
    ...(['create', 'update', 'delete'] as const).map((action) => ({ resource: 'roles', action, own: false })),
    { resource: 'members', action: 'update' },
  ];
  const { token, role, userId } = await joinWith(managing);
  const all = listPermissions(rightsOf('OWNER')).filter(({ resource }) => resource !== 'webhook-endpoints');
  for (const permission of all) {
    const { resource, action } = permission;
    const within = managing.some((held) => held.resource === resource && held.action === action);
    const grants = action === 'read' ? [permission] : [...read(resource), permission];
    const mayRead = managing.some((held) => held.resource === resource && held.action === 'read');
    const expected = within && mayRead ? 201 : 403;
    const created = await make(grants, token);
    assert.equal(created.status, expected, `create ${action} ${resource}: ${created.text}`);
    const changed = await server.call('PATCH', `/v1/roles/${role.id}`, {
      token,
      body: {
        grants: [...managing, ...(within ? [] : grants.filter((grant) => !isListed(managing, grant)))],
      },
    });
    assert.equal(changed.status, within ? 200 : 403, `change ${action} ${resource}: ${changed.text}`);
  }
  const above = (await make(read('sites', 'books'))).json;
  const path = `/v1/roles/${above.id}`;
  expectProblem(
    await server.call('PATCH', path, { token, body: { name: 'Ours' } }),
    403,
    'permission_denied',
  );
  expectProblem(await server.call('DELETE', path, { token }), 403, 'permission_denied');
  const self = `/v1/members/${encodeId('user', userId)}`;
  expectProblem(
    await server.call('PATCH', self, { token, body: { roleId: above.id } }),
    403,
    'permission_denied',
  );
});

function isListed(grants: readonly Permission[], { resource, action }: Permission): boolean {
  return grants.some((grant) => grant.resource === resource && grant.action === action);
}

test('a role that members have cannot be deleted', async () => {
  const { role, userId } = await joinWith(read('sites'));
  const used = await server.call('DELETE', `/v1/roles/${role.id}`);
  expectProblem(used, 409, 'in_use');
  assert.deepEqual(used.json.usedBy, [{ resource: 'members', count: 1 }]);
  await succeed(server, 'PATCH', `/v1/members/${encodeId('user', userId)}`, {
    roleId: encodeId('role', builtInRoleIds.VIEWER),
  });
  assert.equal((await server.call('DELETE', `/v1/roles/${role.id}`)).status, 204);
});

test('wrong permissions are refused with the place and a reason', async () => {
  const attempts: readonly [Permission[], string, string][] = [
    [[{ resource: 'artikles', action: 'read' }], '/grants/0/resource', 'unknown_resource'],
    [read('sites', 'sites'), '/grants/1', 'repeated'],
    [[...read('events'), { resource: 'events', action: 'delete' }], '/grants/1/action', 'unknown_action'],
    [read('webhook-endpoints'), '/grants/0/resource', 'reserved'],
    [[{ resource: 'books', action: 'read', own: true }], '/grants/0/own', 'own'],
    [[{ resource: 'books', action: 'update' }], '/grants/0', 'unreadable'],
  ];
  for (const [grants, pointer, code] of attempts) {
    const refused = await make(grants);
    expectProblem(refused, 422, 'validation_failed');
    assert.deepEqual(
      refused.json.errors.map((error: Json) => [error.pointer, error.code]),
      [[pointer, code]],
    );
  }
  const body = { key: 'SUPERUSER', name: 'Superuser' };
  const reserved = await server.call('POST', '/v1/roles', { body });
  expectProblem(reserved, 422, 'validation_failed');
  assert.equal(reserved.json.errors[0].pointer, '/key');
});

test('a search of articles finds categories and tags only for a role that may read them', async () => {
  const collection = `/v1/sites/${site}`;
  await succeed(server, 'POST', `${collection}/articles`, { versionData: { title: 'Quokka' } });
  await succeed(server, 'POST', `${collection}/categories`, { name: 'Quokka' });
  await succeed(server, 'POST', `${collection}/tags`, { name: 'Quokka' });
  const typesFor = async (grants: readonly Permission[], query: string) => {
    const { token } = await joinWith(grants);
    for (const kind of ['categories', 'tags'] as const) {
      const { status } = await server.call('GET', `${collection}/${kind}`, { token });
      assert.equal(status, grants.some(({ resource }) => resource === kind) ? 200 : 403);
    }
    const { json } = await server.call('GET', `${collection}/articles/search?query=${query}`, { token });
    return json.items.map(({ type }: Json) => type).sort();
  };
  // Also with a typo, which is compared with names.
  for (const query of ['quokka', 'quokkx']) {
    assert.deepEqual(await typesFor(read('sites', 'articles'), query), ['article'], query);
    assert.deepEqual(await typesFor(read('sites', 'articles', 'tags'), query), ['article', 'tag'], query);
    assert.deepEqual(await typesFor(read('sites', 'articles', 'tags', 'categories'), query), [
      'article',
      'category',
      'tag',
    ]);
  }
});

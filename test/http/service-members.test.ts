/**
 * Tests of service members, the programs of an organization: who makes them and their tokens, who is responsible for them, and that nobody holds
 * by a token what they may not do themselves.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import type { Role } from '@trellis/schema/rights/permissions.ts';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { decodeId, encodeId } from '@trellis/schema/values/ids.ts';
import { TestBrowser } from '../support/browser-client.ts';
import { createMember, createToken } from '../support/identities.ts';
import { expectProblem } from '../support/refusals.ts';
import { type Json, startTestServer, type TestResponse } from '../support/server.ts';
import { expectRefusal, succeed, typesOf, write } from '../support/writes.ts';

const server = await startTestServer();
const { worker } = server.database;
const clientId = encodeId('client', server.organization.clientId);
after(() => server.close());

const roleId = (role: Role) => encodeId('role', builtInRoleIds[role]);

/** A person with a role, and a token that they made for themselves. */
async function join(role: Role, scopes: readonly string[] = allScopes) {
  const uuid = await createMember(worker, server.organization, role);
  const { token } = await createToken(worker, server.organization, uuid, { scopes });
  return { uuid, id: encodeId('user', uuid), token };
}

async function makeService(role: Role, token?: string): Promise<Json> {
  const body = { name: `Program ${role}`, roleId: roleId(role) };
  const made = await write(server, 'POST', '/v1/members', token === undefined ? { body } : { body, token });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(typesOf(made), ['member.created']);
  return made.json;
}

const make = (token: string, userId: string, scopes: readonly string[] = allScopes): Promise<TestResponse> =>
  server.call('POST', '/v1/tokens', { token, body: { name: 'Some token', clientId, userId, scopes } });

/** A token for a service member, made by somebody. */
async function tokenFor(service: Json, token: string): Promise<{ id: string; secret: string }> {
  const made = await make(token, service.id);
  assert.equal(made.status, 201, made.text);
  return made.json;
}

/** Whether a token is accepted by a write, which sees the state of now. */
async function isAccepted(token: string): Promise<boolean> {
  const { json } = await server.call('POST', '/v1/sites', { token, body: { key: 'No key' } });
  assert.ok(['token_invalid', 'validation_failed', 'permission_denied'].includes(json.code), json.code);
  return json.code !== 'token_invalid';
}

let owner: Awaited<ReturnType<typeof join>>;
before(async () => {
  owner = await join('OWNER');
});

test('nobody reaches the private file of somebody else by a token that they make for them', async () => {
  const admin = await join('ADMIN');
  const editor = await join('EDITOR');
  const file = await server.call('POST', '/v1/knowledge-files', {
    token: editor.token,
    body: { name: 'Diary', visibility: 'PRIVATE' },
  });
  assert.equal(file.status, 201, file.text);
  expectProblem(
    await server.call('GET', `/v1/knowledge-files/${file.json.id}`, { token: admin.token }),
    404,
    'not_found',
  );
  expectProblem(await make(admin.token, editor.id), 403, 'permission_denied');
  const { json } = await server.call('GET', `/v1/tokens?userId=${editor.id}`);
  assert.equal(json.items.length, 1);
  for (const { id } of json.items)
    expectProblem(
      await server.call('POST', `/v1/tokens/${id}/rotate`, { token: admin.token, body: {} }),
      403,
      'permission_denied',
    );
});

test('a token that somebody made for somebody else before is refused', async () => {
  const admin = await join('ADMIN');
  const author = await join('AUTHOR');
  const own = await createToken(worker, server.organization, author.uuid);
  await worker.run('UPDATE trellis.tokens SET created_by = $2 WHERE id = $1', [own.id, admin.uuid]);
  assert.equal(await isAccepted(own.token), false);
  await worker.run('UPDATE trellis.tokens SET created_by = $2 WHERE id = $1', [own.id, author.uuid]);
  assert.equal(await isAccepted(own.token), true);
});

test('a service member is named as such wherever members are', async () => {
  const service = await makeService('EDITOR', owner.token);
  assert.equal(service.kind, 'SERVICE');
  assert.equal(service.email, null);
  assert.equal(service.responsibleUserId, owner.id);
  const viewer = await join('VIEWER');
  const read = await server.call('GET', `/v1/members/${service.id}`, { token: viewer.token });
  assert.deepEqual(read.json, service);
  for (const [query, isListed] of [
    ['kind=SERVICE', true],
    ['kind=PERSON', false],
    [`responsibleUserId=${owner.id}`, true],
  ] as const) {
    const { json } = await server.call('GET', `/v1/members?limit=100&${query}`);
    assert.equal(
      json.items.some(({ id }: Json) => id === service.id),
      isListed,
      query,
    );
  }
  const { secret } = await tokenFor(service, owner.token);
  const me = await server.call('GET', '/v1/me', { token: secret });
  assert.deepEqual(me.json.user, {
    id: service.id,
    name: 'Program EDITOR',
    email: null,
    kind: 'SERVICE',
    responsibleUserId: owner.id,
  });
  const { json } = await server.call('GET', '/v1/me');
  assert.equal(json.user.kind, 'PERSON');
  assert.equal(json.user.responsibleUserId, null);
});

test('a service member keeps a person who is responsible for it', async () => {
  const service = await makeService('VIEWER', owner.token);
  const path = `/v1/members/${service.id}`;
  const other = await makeService('VIEWER', owner.token);
  const disabled = await join('ADMIN');
  await succeed(server, 'PATCH', `/v1/members/${disabled.id}`, { status: 'DISABLED' });
  for (const [responsibleUserId, code] of [
    [null, 'validation_failed'],
    [service.id, 'validation_failed'],
    [other.id, 'validation_failed'],
    [disabled.id, 'reference_not_found'],
  ] as const) {
    const refused = await write(server, 'PATCH', path, { body: { responsibleUserId } });
    expectRefusal(refused, 422, code, ['/responsibleUserId']);
    if (responsibleUserId === null) continue;
    const body = { name: 'x', roleId: roleId('VIEWER'), responsibleUserId };
    expectRefusal(await write(server, 'POST', '/v1/members', { body }), 422, code, ['/responsibleUserId']);
  }
  const person = await join('EDITOR');
  for (const body of [{ name: 'Somebody else' }, { responsibleUserId: owner.id }])
    expectRefusal(
      await write(server, 'PATCH', `/v1/members/${person.id}`, { body }),
      422,
      'validation_failed',
    );
  await succeed(server, 'PATCH', path, { responsibleUserId: person.id, name: 'Nightly import' });
  assert.equal((await server.call('GET', path)).json.name, 'Nightly import');
  const leaving = await write(server, 'DELETE', `/v1/members/${person.id}`);
  expectRefusal(leaving, 409, 'in_use');
  assert.match(leaving.json.detail, /^Is responsible for 1 service member: /);
  await succeed(server, 'PATCH', path, { responsibleUserId: owner.id });
  await succeed(server, 'DELETE', `/v1/members/${person.id}`);
});

test('a token for a service member is made and replaced by those who manage members and may do as much', async () => {
  const service = await makeService('ADMIN', owner.token);
  const { id } = await tokenFor(service, owner.token);
  const tokensOnly = await join('ADMIN', ['tokens:manage', 'members:read']);
  const editor = await join('EDITOR');
  for (const [caller, code] of [
    [tokensOnly, 'insufficient_scope'],
    [editor, 'permission_denied'],
  ] as const) {
    expectProblem(await make(caller.token, service.id, ['members:read']), 403, code);
    const rotated = await server.call('POST', `/v1/tokens/${id}/rotate`, { token: caller.token, body: {} });
    expectProblem(rotated, 403, code);
  }
  const admin = await join('ADMIN');
  const rotated = await server.call('POST', `/v1/tokens/${id}/rotate`, { token: admin.token, body: {} });
  assert.equal(rotated.status, 200, rotated.text);
  const ownerService = await makeService('OWNER', owner.token);
  expectProblem(await make(admin.token, ownerService.id), 403, 'permission_denied');
});

test('a service member makes no tokens, neither for itself nor for others', async () => {
  const service = await makeService('OWNER', owner.token);
  const other = await makeService('VIEWER', owner.token);
  const { id, secret } = await tokenFor(service, owner.token);
  for (const userId of [service.id, other.id, owner.id])
    expectProblem(await make(secret, userId), 403, 'permission_denied');
  const rotated = await server.call('POST', `/v1/tokens/${id}/rotate`, { token: secret, body: {} });
  expectProblem(rotated, 403, 'permission_denied');
});

test('a service member sends no invitations, whose links nobody could accept', async () => {
  const { secret } = await tokenFor(await makeService('ADMIN', owner.token), owner.token);
  const body = { email: 'invited@example.com', roleId: roleId('VIEWER') };
  const invitation = await write(server, 'POST', '/v1/invitations', { body, token: secret });
  expectRefusal(invitation, 403, 'permission_denied');
  const { json } = await succeed(server, 'POST', '/v1/invitations', body);
  const path = `/v1/invitations/${json.id}`;
  expectRefusal(await write(server, 'POST', `${path}/resend`, { token: secret }), 403, 'permission_denied');
  const link = json.link.split('#')[1];
  const read = await new TestBrowser(server).post('/auth/invitations/read', { link });
  assert.equal(read.status, 200, read.text);
  assert.equal((await write(server, 'DELETE', path, { token: secret })).status, 204);
});

test('who made a token for a service member never holds more by it than their own role permits', async () => {
  const admin = await join('ADMIN');
  const service = await makeService('EDITOR', admin.token);
  const path = `/v1/members/${service.id}`;
  const { secret } = await tokenFor(service, admin.token);
  assert.equal(await isAccepted(secret), true);
  await succeed(server, 'PATCH', path, { roleId: roleId('OWNER') });
  assert.equal(await isAccepted(secret), false, 'the service member was promoted above its maker');
  await succeed(server, 'PATCH', path, { roleId: roleId('EDITOR') });
  assert.equal(await isAccepted(secret), true);
  await succeed(server, 'PATCH', `/v1/members/${admin.id}`, { roleId: roleId('VIEWER') });
  assert.equal(await isAccepted(secret), false, 'the maker was demoted');
  await succeed(server, 'PATCH', `/v1/members/${admin.id}`, { roleId: roleId('EDITOR') });
  assert.equal(await isAccepted(secret), true);
  await succeed(server, 'PATCH', `/v1/members/${admin.id}`, { status: 'DISABLED' });
  assert.equal(await isAccepted(secret), false, 'the maker was disabled');
  await succeed(server, 'PATCH', `/v1/members/${admin.id}`, { status: 'ACTIVE' });
  await succeed(server, 'PATCH', path, { status: 'DISABLED' });
  assert.equal(await isAccepted(secret), false, 'the service member was disabled');
});

test('a token for a service member ends when its maker is removed, unless somebody else replaces it before', async () => {
  const admin = await join('ADMIN');
  const service = await makeService('EDITOR', owner.token);
  const ending = await tokenFor(service, admin.token);
  const kept = await tokenFor(service, admin.token);
  const rotated = await server.call('POST', `/v1/tokens/${kept.id}/rotate`, {
    token: owner.token,
    body: { overlapSeconds: 0 },
  });
  assert.equal(rotated.status, 200, rotated.text);
  const removed = await write(server, 'DELETE', `/v1/members/${admin.id}`);
  assert.equal(removed.status, 204, removed.text);
  assert.ok(removed.events.some(({ type, subject }) => type === 'token.deleted' && subject === ending.id));
  assert.equal(await isAccepted(ending.secret), false);
  assert.equal(await isAccepted(rotated.json.secret), true);
  expectProblem(await server.call('GET', `/v1/tokens/${ending.id}`), 404, 'not_found');
  await worker.run(
    `INSERT INTO trellis.memberships (organization_id, user_id, role) VALUES ($1, $2, 'ADMIN')`,
    [server.organization.id, admin.uuid],
  );
  assert.equal(await isAccepted(ending.secret), false, 'who comes back gets nothing back');
});

test('a service member that is removed loses its tokens', async () => {
  const service = await makeService('EDITOR', owner.token);
  const { id, secret } = await tokenFor(service, owner.token);
  const removed = await write(server, 'DELETE', `/v1/members/${service.id}`);
  assert.deepEqual(typesOf(removed).sort(), ['member.deleted', 'token.deleted']);
  assert.equal(await isAccepted(secret), false);
  expectProblem(await server.call('GET', `/v1/tokens/${id}`), 404, 'not_found');
});

test('a service member is no owner whom the organization keeps', async () => {
  const other = await startTestServer();
  try {
    const body = { name: 'Program', roleId: roleId('OWNER') };
    const service = await succeed(other, 'POST', '/v1/members', body);
    const self = encodeId('user', other.ownerId);
    for (const change of [{ status: 'DISABLED' }, { roleId: roleId('ADMIN') }])
      expectRefusal(await write(other, 'PATCH', `/v1/members/${self}`, { body: change }), 409, 'last_owner');
    await succeed(other, 'DELETE', `/v1/members/${service.json.id}`);
  } finally {
    await other.close();
  }
});

test('a service member has no account that could sign in', async () => {
  const service = await makeService('EDITOR', owner.token);
  const [row] = await worker.run('SELECT email, email_normalized FROM trellis.users WHERE id = $1', [
    decodeId('user', service.id),
  ]);
  assert.deepEqual(row, [null, null]);
});

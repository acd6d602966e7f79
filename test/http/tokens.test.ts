/** Clients and tokens over HTTP: made, replaced and revoked by those who may, with a secret that is shown once. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { createMember, createToken } from '../support/identities.ts';
import { expectProblem } from '../support/refusals.ts';
import { type Json, startTestServer } from '../support/server.ts';
import { expectRefusal, succeed, write } from '../support/writes.ts';

const server = await startTestServer();
const { worker } = server.database;
let clientId = '';
before(async () => {
  clientId = encodeId('client', server.organization.clientId);
});
after(() => server.close());

/** The types of events since the last call, with the changed fields. */
async function newEvents(): Promise<string[]> {
  const rows = await worker.run(
    `WITH gone AS (DELETE FROM trellis.outbox RETURNING *)
     SELECT type, array_to_string(changed_fields, ' ') FROM gone ORDER BY occurred_at, id`,
  );
  return rows.map(([type, changed]) => `${type} ${changed}`.trim());
}

async function makeToken(body: object = {}, options: { token?: string; key?: string } = {}): Promise<Json> {
  const response = await server.call('POST', '/v1/tokens', {
    body: { name: 'Import', clientId, scopes: ['sites:read'], ...body },
    ...options,
  });
  assert.equal(response.status, 201, response.text);
  return response.json;
}

const reads = async (token: string) => (await server.call('GET', '/v1/sites', { token })).status;
/** What no state of up to two seconds ago permits. */
const writes = async (token: string) =>
  (await server.call('POST', '/v1/sites', { token, body: { key: 'x' } })).json?.code;

test('a token is shown once, acts for its user, and is gone when it is deleted', async () => {
  await newEvents();
  const made = await makeToken({ scopes: ['sites:read', 'sites:write'] }, { key: 'once' });
  assert.match(made.secret, /^trl_pat_/);
  assert.equal(made.start, made.secret.slice(0, 12));
  assert.equal(made.userId, encodeId('user', server.ownerId));
  assert.deepEqual(made.resources, ['api']);
  assert.equal(Date.parse(made.expiresAt) - Date.parse(made.createdAt), 90 * 86_400_000);
  assert.match((await newEvents()).join(), /^token\.created /);
  const again = await makeToken({ scopes: ['sites:read', 'sites:write'] }, { key: 'once' });
  assert.equal(again.secret, made.secret);
  assert.deepEqual(await newEvents(), []);
  const read = await server.call('GET', `/v1/tokens/${made.id}`);
  assert.equal(read.json.secret, undefined);
  const [stored] = await worker.run('SELECT t::text FROM trellis.tokens t WHERE start = $1', [made.start]);
  assert.ok(!stored?.[0]?.includes(made.secret));
  assert.equal(await reads(made.secret), 200);
  assert.equal((await server.call('DELETE', `/v1/tokens/${made.id}`)).status, 204);
  assert.deepEqual(await newEvents(), ['token.deleted']);
  assert.equal(await writes(made.secret), 'token_invalid');
  expectProblem(await server.call('GET', `/v1/tokens/${made.id}`), 404, 'not_found');
  expectProblem(await server.call('DELETE', `/v1/tokens/${made.id}`), 404, 'not_found');
});

test('only the name of a token can be changed', async () => {
  const made = await makeToken();
  const renamed = await server.call('PATCH', `/v1/tokens/${made.id}`, { body: { name: 'Nightly import' } });
  assert.equal(renamed.json.name, 'Nightly import', renamed.text);
  for (const body of [{ scopes: ['articles:read'] }, { lifetimeDays: 3 }, { neverExpires: true }]) {
    expectProblem(await server.call('PATCH', `/v1/tokens/${made.id}`, { body }), 422, 'validation_failed');
  }
  assert.equal(await reads(made.secret), 200);
});

test('a token ends after the days that it was made for, or never', async () => {
  const short = await makeToken({ lifetimeDays: 1 });
  assert.equal(Date.parse(short.expiresAt) - Date.parse(short.createdAt), 86_400_000);
  assert.equal((await makeToken({ neverExpires: true })).expiresAt, null);
  for (const lifetimeDays of [0, 366, 1.5]) {
    const body = { name: 'x', clientId, scopes: ['sites:read'], lifetimeDays };
    expectProblem(await server.call('POST', '/v1/tokens', { body }), 422, 'validation_failed');
  }
});

test('what cannot be a token is refused with its place', async () => {
  const wrong = { name: 'x', clientId, scopes: ['sites:raed'] };
  const refused = await server.call('POST', '/v1/tokens', { body: wrong });
  expectProblem(refused, 422, 'validation_failed');
  assert.equal(refused.json.errors[0].pointer, '/scopes/0');
  assert.match(refused.json.errors[0].detail, /Did you mean "sites:read"/);
  expectProblem(
    await server.call('POST', '/v1/tokens', { body: { name: 'x', clientId, scopes: [] } }),
    422,
    'validation_failed',
  );
  const { json } = await server.call('GET', '/v1/clients?kind=CONSOLE');
  const ofConsole = { name: 'x', clientId: json.items[0].id, scopes: ['sites:read'] };
  expectProblem(await server.call('POST', '/v1/tokens', { body: ofConsole }), 422, 'validation_failed');
});

test('a token that is replaced is accepted for as long as was asked for', async () => {
  const old = await makeToken();
  await newEvents();
  const path = `/v1/tokens/${old.id}/rotate`;
  const rotated = await server.call('POST', path, { body: { overlapSeconds: 3_600 }, key: 'rotate' });
  assert.equal(rotated.status, 200, rotated.text);
  const { id, secret, scopes, createdAt } = rotated.json;
  assert.notEqual(id, old.id);
  assert.deepEqual(scopes, old.scopes);
  const again = await server.call('POST', path, { body: { overlapSeconds: 3_600 }, key: 'rotate' });
  assert.equal(again.json.secret, secret);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  const [updated, created] = await newEvents();
  assert.equal(updated, 'token.updated expiresAt');
  assert.match(created ?? '', /^token\.created /);
  const shown = (await server.call('GET', `/v1/tokens/${old.id}`)).json;
  assert.equal(Date.parse(shown.expiresAt) - Date.parse(createdAt), 3_600_000);
  assert.deepEqual([await reads(old.secret), await reads(secret)], [200, 200]);
  const atOnce = await server.call('POST', `/v1/tokens/${id}/rotate`, { body: { overlapSeconds: 0 } });
  assert.equal(atOnce.status, 200, atOnce.text);
  assert.equal(await writes(secret), 'token_invalid');
  assert.equal(await reads(atOnce.json.secret), 200);
  for (const overlapSeconds of [-1, 86_401, '60']) {
    expectProblem(await server.call('POST', path, { body: { overlapSeconds } }), 422, 'validation_failed');
  }
});

/** A token of a new member with a role. */
async function tokenOf(role: 'OWNER' | 'ADMIN' | 'EDITOR', scopes: readonly string[] = allScopes) {
  const userId = await createMember(worker, server.organization, role);
  const { token, id } = await createToken(worker, server.organization, userId, { scopes });
  return { token, id: encodeId('token', id), userId: encodeId('user', userId), uuid: userId };
}

test('people make and replace tokens for themselves only, and none that may do more than they may', async () => {
  const admin = await tokenOf('ADMIN');
  const editor = await tokenOf('EDITOR');
  const limited = await tokenOf('ADMIN', ['tokens:manage', 'sites:read']);
  const body = { name: 'x', clientId, scopes: ['sites:read'] };
  const make = (token: string, more: object = {}) =>
    server.call('POST', '/v1/tokens', { token, body: { ...body, ...more } });
  expectProblem(await make(editor.token), 403, 'permission_denied', 'a role that manages no tokens');
  expectProblem(await make(limited.token, { scopes: ['sites:write'] }), 403, 'insufficient_scope');
  expectProblem(await make(limited.token, { resources: ['sandbox'] }), 403, 'permission_denied');
  assert.equal((await make(limited.token)).status, 201);
  expectProblem(
    await make(admin.token, { userId: editor.userId }),
    403,
    'permission_denied',
    'somebody else',
  );
  const rotate = (token: string, id: string) =>
    server.call('POST', `/v1/tokens/${id}/rotate`, { token, body: {} });
  const own = await createToken(worker, server.organization, limited.uuid);
  const path = encodeId('token', own.id);
  expectProblem(await rotate(limited.token, path), 403, 'insufficient_scope', 'more scopes than its own');
  assert.equal((await rotate(own.token, path)).status, 200);
  expectProblem(await rotate(admin.token, editor.id), 403, 'permission_denied', 'a token of somebody else');
});

test('a client is made, disabled and deleted, and keeps its kind', async () => {
  await newEvents();
  const made = await server.call('POST', '/v1/clients', { body: { name: 'Newsletter' } });
  assert.equal(made.status, 201, made.text);
  assert.equal(made.json.kind, 'SERVER');
  assert.equal(made.json.publishableKey, null);
  assert.match((await newEvents()).join(), /^client\.created /);
  const { secret } = await makeToken({ clientId: made.json.id });
  const path = `/v1/clients/${made.json.id}`;
  expectProblem(await server.call('PATCH', path, { body: { kind: 'CLI' } }), 422, 'validation_failed');
  expectProblem(
    await server.call('PATCH', path, { body: { origins: ['https://a.example'] } }),
    422,
    'validation_failed',
  );
  assert.equal((await server.call('PATCH', path, { body: { status: 'DISABLED' } })).status, 200);
  assert.equal(await writes(secret), 'token_invalid');
  const used = await server.call('DELETE', path);
  expectProblem(used, 409, 'in_use');
  assert.equal(used.json.detail, 'Still used by 1 token.');
  const listed = await server.call('GET', `/v1/tokens?clientId=${made.json.id}`);
  assert.equal(listed.json.items.length, 1);
  assert.equal((await server.call('DELETE', `/v1/tokens/${listed.json.items[0].id}`)).status, 204);
  assert.equal((await server.call('DELETE', path)).status, 204, 'a client whose only token was deleted');
  assert.equal(await writes(secret), 'token_invalid');
  assert.equal((await server.call('POST', '/v1/clients', { body: { name: 'Newsletter' } })).status, 201);
  const unused = await server.call('POST', '/v1/clients', { body: { name: 'Unused' } });
  assert.equal((await server.call('DELETE', `/v1/clients/${unused.json.id}`)).status, 204);
  expectProblem(await server.call('POST', '/v1/clients', { body: { name: 'Newsletter' } }), 409, 'conflict');
});

test('the status of a client is changed by those who may end each of its tokens', async () => {
  const client = await succeed(server, 'POST', '/v1/clients', { name: 'Shared' });
  const path = `/v1/clients/${client.json.id}`;
  await makeToken({ clientId: client.json.id });
  const grants = [
    { resource: 'clients', action: 'read' },
    { resource: 'clients', action: 'update' },
  ];
  const role = await succeed(server, 'POST', '/v1/roles', { key: 'clients', name: 'Clients', grants });
  const limited = await tokenOf('EDITOR');
  await succeed(server, 'PATCH', `/v1/members/${limited.userId}`, { roleId: role.json.id });
  const admin = await tokenOf('ADMIN');
  for (const { token } of [limited, admin]) {
    const refused = await write(server, 'PATCH', path, { token, body: { status: 'DISABLED' } });
    expectRefusal(refused, 403, 'permission_denied');
    assert.equal((await server.call('PATCH', path, { token, body: { name: 'Shared' } })).status, 200);
  }
  await succeed(server, 'PATCH', path, { status: 'DISABLED' });
  const enabling = await write(server, 'PATCH', path, { token: admin.token, body: { status: 'ACTIVE' } });
  expectRefusal(enabling, 403, 'permission_denied');
});

test('the last active client of the console stays', async () => {
  const { json } = await server.call('GET', '/v1/clients?kind=CONSOLE');
  assert.equal(json.items.length, 1);
  const path = `/v1/clients/${json.items[0].id}`;
  const disable = { body: { status: 'DISABLED' } };
  expectRefusal(await write(server, 'PATCH', path, disable), 409, 'last_console');
  expectRefusal(await write(server, 'DELETE', path), 409, 'last_console');
  const other = await succeed(server, 'POST', '/v1/clients', { name: 'Second console', kind: 'CONSOLE' });
  await succeed(server, 'PATCH', path, { status: 'DISABLED' });
  const otherPath = `/v1/clients/${other.json.id}`;
  expectRefusal(await write(server, 'PATCH', otherPath, disable), 409, 'last_console');
  expectRefusal(await write(server, 'DELETE', otherPath), 409, 'last_console');
  await succeed(server, 'PATCH', path, { status: 'ACTIVE' });
  await succeed(server, 'DELETE', otherPath);
});

test('a client of pages has a publishable key, a site, and origins as browsers send them', async () => {
  const site = await server.call('POST', '/v1/sites', { body: { key: 'pages', name: 'Pages' } });
  const body = {
    name: 'Website',
    kind: 'BROWSER',
    siteId: site.json.id,
    origins: ['HTTPS://Www.Example.com:443/'],
  };
  for (const [less, pointer] of [
    [{ siteId: undefined }, '/siteId'],
    [{ origins: [] }, '/origins'],
    [{ origins: ['*'] }, '/origins/0'],
  ] as const) {
    const refused = await server.call('POST', '/v1/clients', { body: { ...body, ...less } });
    expectProblem(refused, 422, 'validation_failed', pointer);
    assert.equal(refused.json.errors[0].pointer, pointer);
  }
  const made = await server.call('POST', '/v1/clients', { body });
  assert.equal(made.status, 201, made.text);
  assert.match(made.json.publishableKey, /^trl_pk_/);
  assert.deepEqual(made.json.origins, ['https://www.example.com']);
  const path = `/v1/clients/${made.json.id}`;
  const moved = await server.call('PATCH', path, {
    body: { origins: ['https://b.example', 'https://a.example'] },
  });
  assert.deepEqual(moved.json.origins, ['https://a.example', 'https://b.example'], moved.text);
  assert.equal(moved.json.publishableKey, made.json.publishableKey);
  assert.deepEqual((await server.call('GET', path)).json.origins, moved.json.origins);
  assert.equal((await server.call('DELETE', path)).status, 204);
});

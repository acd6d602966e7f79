/** Tests of members: who may change and remove whom, what happens at the same time, and what applies at once. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import { type Role, roles } from '@trellis/schema/rights/permissions.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { accessLockStep } from '@trellis/server/kernel/identity/access-lock.ts';
import { AdminClient } from '../support/admin-client.ts';
import { createMember, createToken } from '../support/identities.ts';
import { runIndexJobs } from '../support/indexing.ts';
import { expectProblem } from '../support/refusals.ts';
import { startTestServer } from '../support/server.ts';
import { amount } from '../support/soak.ts';
import { TenantTables } from '../support/tenant-tables.ts';
import { until } from '../support/until.ts';
import { succeed } from '../support/writes.ts';

const server = await startTestServer();
const tables = await TenantTables.open(server.database);
after(async () => {
  await tables.close();
  await server.close();
});
const { worker } = server.database;

const roleId = (role: Role) => encodeId('role', builtInRoleIds[role]);
const idOf = (userId: string) => encodeId('user', userId);
const pathOf = (userId: string) => `/v1/members/${idOf(userId)}`;

async function join(role: Role, scopes?: readonly string[]): Promise<{ userId: string; token: string }> {
  const userId = await createMember(worker, server.organization, role);
  const options = scopes === undefined ? {} : { scopes };
  return { userId, token: (await createToken(worker, server.organization, userId, options)).token };
}

test('every member resolves the id of a user, and sees who has which role', async () => {
  const { userId } = await join('AUTHOR');
  const { token } = await join('VIEWER', ['members:read']);
  const { json } = await server.call('GET', pathOf(userId), { token });
  assert.equal(json.id, idOf(userId));
  assert.equal(json.name, 'AUTHOR');
  assert.equal(json.email, `${userId}@example.com`);
  assert.equal(json.roleId, roleId('AUTHOR'));
  assert.equal(json.status, 'ACTIVE');
  assert.equal(json.lastSeenAt, null);
  assert.equal(json.hasMfa, false);
  const filtered = await server.call('GET', `/v1/members?roleId=${roleId('AUTHOR')}`, { token });
  assert.deepEqual(
    filtered.json.items.map(({ id }: { id: string }) => id),
    [idOf(userId)],
  );
});

test('members are found by name and address once they are indexed', async () => {
  const { userId } = await join('EDITOR');
  const name = 'Grace Brewster Hopper';
  await tables.run('UPDATE trellis.users SET name = $2 WHERE id = $1', [userId, name]);
  await worker.run(
    `INSERT INTO trellis.search_marks
       (organization_id, type, record_id, parent_id, number, available_at, attempts)
     VALUES ($1, 'member', $2, $1, 1, now(), 0)`,
    [server.organization.id, userId],
  );
  await runIndexJobs(server.database);
  const searched = await server.call('GET', `/v1/members/search?query=brewster`);
  assert.equal(searched.json.items[0]?.id, idOf(userId), searched.text);
  const listed = await server.call('GET', `/v1/members?search=${userId.slice(0, 13)}&sort=name`);
  assert.ok(
    listed.json.items.some(({ id }: { id: string }) => id === idOf(userId)),
    listed.text,
  );
});

test('nobody changes, disables or removes a member with more rights, or gives a role with more', async () => {
  const manage = ['members:read', 'members:manage'];
  for (const caller of roles) {
    for (const target of roles) {
      for (const wanted of roles) {
        const { token } = await join(caller, manage);
        const { userId } = await join(target);
        const response = await server.call('PATCH', pathOf(userId), {
          token,
          body: { roleId: roleId(wanted) },
        });
        const mayManage = caller === 'OWNER' || caller === 'ADMIN';
        const exceeds = [target, wanted].includes('OWNER') && caller !== 'OWNER';
        const expected = mayManage && !exceeds ? 200 : 403;
        assert.equal(response.status, expected, `${caller} makes ${target} ${wanted}: ${response.text}`);
        const { json } = await server.call('GET', pathOf(userId));
        assert.equal(json.roleId, roleId(expected === 200 ? wanted : target));
      }
      const { token } = await join(caller, manage);
      const { userId } = await join(target);
      const allowed = caller === 'OWNER' || (caller === 'ADMIN' && target !== 'OWNER');
      const disabled = await server.call('PATCH', pathOf(userId), { token, body: { status: 'DISABLED' } });
      assert.equal(disabled.status, allowed ? 200 : 403, `${caller} disables ${target}: ${disabled.text}`);
      const removed = await server.call('DELETE', pathOf(userId), { token });
      assert.equal(removed.status, allowed ? 204 : 403, `${caller} removes ${target}: ${removed.text}`);
    }
  }
});

test('a changed role, a disabled and a removed member apply at once, to reads as well', async () => {
  const { userId, token } = await join('EDITOR');
  const read = () => server.call('GET', '/v1/webhook-endpoints', { token });
  const create = (key: string) => server.call('POST', '/v1/sites', { token, body: { name: key, key } });
  await succeed(server, 'POST', '/v1/sites', { name: 'Site', key: 'site' });
  expectProblem(await read(), 403, 'permission_denied');
  await succeed(server, 'PATCH', pathOf(userId), { roleId: roleId('ADMIN') });
  assert.equal((await read()).status, 200);
  await succeed(server, 'PATCH', pathOf(userId), { roleId: roleId('VIEWER') });
  expectProblem(await read(), 403, 'permission_denied');
  expectProblem(await create('viewer'), 403, 'permission_denied');
  await succeed(server, 'PATCH', pathOf(userId), { status: 'DISABLED' });
  expectProblem(await server.call('GET', '/v1/sites', { token }), 401, 'token_invalid');
  await succeed(server, 'PATCH', pathOf(userId), { status: 'ACTIVE', roleId: roleId('EDITOR') });
  assert.equal((await create('editor')).status, 201);
  assert.equal((await server.call('DELETE', pathOf(userId))).status, 204);
  expectProblem(await server.call('GET', '/v1/sites', { token }), 401, 'token_invalid');
  expectProblem(await create('gone'), 401, 'token_invalid');
});

test('nothing that a member writes commits after the response of the removal', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { userId, token } = await join('EDITOR');
    let over = false;
    let accepted = 0;
    const work = async (name: string) => {
      for (let number = 0; !over; number += 1) {
        const key = `${name}-${number}`;
        const { status } = await server.call('POST', '/v1/sites', { token, body: { name: key, key } });
        if (status === 201) accepted += 1;
        else assert.equal(status, 401);
      }
    };
    const workers = Array.from({ length: 8 }, (_, index) => work(`removed-${round}-${index}`));
    // Five rounds: a thousand writes in a soak.
    while (accepted < amount(20, 200)) await new Promise((resolve) => setImmediate(resolve));
    assert.equal((await server.call('DELETE', pathOf(userId))).status, 204);
    const count = async () =>
      (await tables.run('SELECT count(*)::int FROM trellis.sites WHERE created_by = $1', [userId]))[0]?.count;
    const atResponse = await count();
    for (let further = 0; further < 50; further += 1) await new Promise((resolve) => setImmediate(resolve));
    over = true;
    await Promise.all(workers);
    assert.equal(await count(), atResponse);
    assert.equal(accepted, atResponse);
  }
});

test('of fifty demotions of the two last owners at once, one owner remains', async () => {
  for (const change of [{ roleId: roleId('VIEWER') }, { status: 'DISABLED' }]) {
    await tables.run(`UPDATE trellis.memberships SET role = 'ADMIN' WHERE organization_id = $1`, [
      server.organization.id,
    ]);
    const two = [await join('OWNER'), await join('OWNER')];
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const target = two[index % 2];
        const caller = two[(index + 1) % 2];
        assert.ok(target !== undefined && caller !== undefined);
        return server.call('PATCH', pathOf(target.userId), { token: caller.token, body: change });
      }),
    );
    const statuses = new Set(responses.map(({ status }) => status));
    assert.ok(statuses.has(200), [...statuses].join());
    const [owners] = await tables.run(
      `SELECT count(*)::int FROM trellis.memberships
       WHERE organization_id = $1 AND role = 'OWNER' AND status = 'ACTIVE'`,
      [server.organization.id],
    );
    assert.deepEqual(owners, { count: 1 });
  }
});

test('the last owner can be neither demoted, disabled nor removed', async () => {
  await tables.run(`UPDATE trellis.memberships SET role = 'ADMIN' WHERE organization_id = $1`, [
    server.organization.id,
  ]);
  const { userId, token } = await join('OWNER');
  for (const body of [{ roleId: roleId('ADMIN') }, { status: 'DISABLED' }])
    expectProblem(await server.call('PATCH', pathOf(userId), { token, body }), 409, 'last_owner');
  expectProblem(await server.call('DELETE', pathOf(userId), { token }), 409, 'last_owner');
  await join('OWNER');
  assert.equal((await server.call('DELETE', pathOf(userId), { token })).status, 204);
});

test('a removal revokes the tokens of the member and leaves an event of each', async () => {
  const { token: owner } = await join('OWNER');
  const { userId, token } = await join('VIEWER');
  const found = `SELECT type FROM trellis.search_records WHERE record_id = $1
    OR record_id IN (SELECT id FROM trellis.tokens WHERE user_id = $1) ORDER BY type`;
  await tables.run(
    `INSERT INTO trellis.search_marks (organization_id, type, record_id, parent_id, number, available_at, attempts)
     SELECT organization_id, 'token', id, organization_id, 1, now(), 0 FROM trellis.tokens WHERE user_id = $1
     UNION ALL SELECT $2, 'member', $1, $2, 1, now(), 0`,
    [userId, server.organization.id],
  );
  await runIndexJobs(server.database);
  assert.deepEqual(await tables.run(found, [userId]), [{ type: 'member' }, { type: 'token' }]);
  const { headers, status } = await server.call('DELETE', pathOf(userId), { token: owner });
  assert.equal(status, 204);
  const events = await tables.eventsOf(headers.get('x-request-id') ?? '');
  assert.deepEqual(events.map(({ type }) => type).sort(), ['member.deleted', 'token.deleted']);
  expectProblem(await server.call('GET', '/v1/sites', { token }), 401, 'token_invalid');
  const valid = await tables.run('SELECT FROM trellis.tokens WHERE user_id = $1 AND revoked_at IS NULL', [
    userId,
  ]);
  assert.deepEqual(valid, []);
  await runIndexJobs(server.database);
  assert.deepEqual(await tables.run(found, [userId]), [], 'neither is found any more');
  expectProblem(await server.call('GET', pathOf(userId), { token: owner }), 404, 'not_found');
});

test('a removal waits for the writes that began before it', async () => {
  const { token } = await join('OWNER');
  const { userId } = await join('EDITOR');
  const writer = await AdminClient.open(server.database);
  try {
    await writer.query('BEGIN');
    const { text, values } = accessLockOf(server.organization.id);
    await writer.query(text, values);
    let hasResponse = false;
    const removal = server.call('DELETE', pathOf(userId), { token }).then((response) => {
      hasResponse = true;
      return response;
    });
    await until('the removal waits', async () => (await writer.countWaiting()) === 1);
    assert.equal(hasResponse, false);
    await writer.query('COMMIT');
    assert.equal((await removal).status, 204);
  } finally {
    await writer.end();
  }
});

/** How a write under way holds the access lock. */
function accessLockOf(organizationId: string): { text: string; values: string[] } {
  const { statement } = accessLockStep('shared', organizationId);
  return { text: statement.text, values: [organizationId] };
}

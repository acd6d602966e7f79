/** Invitations over HTTP: made, sent again and revoked by those who may, with a link that is shown once. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { limits } from '@trellis/schema/resources/limits.ts';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import pg from 'pg';
import { AdminClient } from '../support/admin-client.ts';
import { createMember, createToken } from '../support/identities.ts';
import { expectProblem } from '../support/refusals.ts';
import { type Json, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const server = await startTestServer();
const { worker, adminUrl } = server.database;
/** As a superuser, whom no policy binds. */
const admin = new pg.Client({ connectionString: adminUrl });
before(() => admin.connect());
after(async () => {
  await admin.end();
  await server.close();
});

const roleOf = (role: keyof typeof builtInRoleIds) => encodeId('role', builtInRoleIds[role]);

let addresses = 0;
/** An address that nobody has. */
function freshAddress(): string {
  addresses += 1;
  return `guest-${addresses}@example.com`;
}

/** The types of events since the last call, with the changed fields. */
async function newEvents(): Promise<string[]> {
  const rows = await worker.run(
    `WITH gone AS (DELETE FROM trellis.outbox RETURNING *)
     SELECT type, array_to_string(changed_fields, ' ') FROM gone ORDER BY occurred_at, id`,
  );
  return rows.map(([type, changed]) => `${type} ${changed}`.trim());
}

async function invite(body: object = {}, options: { token?: string; key?: string } = {}): Promise<Json> {
  const response = await server.call('POST', '/v1/invitations', {
    body: { email: freshAddress(), roleId: roleOf('EDITOR'), ...body },
    ...options,
  });
  assert.equal(response.status, 201, response.text);
  return response.json;
}

test('an invitation shows its link once, and a retry shows the same', async () => {
  await newEvents();
  const email = freshAddress();
  const made = await invite({ email }, { key: 'invite-once' });
  assert.match(made.link, /^http:\/\/localhost:\d+\/console\/invitation#[0-9A-Za-z]{43}$/);
  assert.equal(made.status, 'PENDING');
  assert.equal(Date.parse(made.expiresAt) - Date.parse(made.createdAt), 7 * 86_400_000);
  assert.deepEqual(await newEvents(), ['invitation.created email roleId status expiresAt']);
  assert.equal((await invite({ email }, { key: 'invite-once' })).link, made.link);
  assert.deepEqual(await newEvents(), []);
  const read = await server.call('GET', `/v1/invitations/${made.id}`);
  assert.equal(read.json.link, undefined);
  assert.equal(read.json.email, email);
  const secret = made.link.split('#')[1];
  for (const table of ['invitations', 'idempotency_keys', 'outbox']) {
    const { rows } = await admin.query(`SELECT t::text FROM trellis.${table} t`);
    assert.ok(!JSON.stringify(rows).includes(secret), table);
    assert.ok(!JSON.stringify(rows).includes(Buffer.from(secret).toString('hex')), table);
  }
});

test('an address is invited once at a time, and no member is invited', async () => {
  const made = await invite({ email: 'Ada.Once@Example.com' });
  const again = await server.call('POST', '/v1/invitations', {
    body: { email: 'ada.once@EXAMPLE.com', roleId: roleOf('VIEWER') },
  });
  expectProblem(again, 409, 'conflict');
  assert.equal(again.json.existingId, made.id);
  assert.equal(again.json.field, 'email');
  const { json } = await server.call('GET', '/v1/members');
  const { email } = json.items[0];
  const member = await server.call('POST', '/v1/invitations', { body: { email, roleId: roleOf('VIEWER') } });
  expectProblem(member, 409, 'conflict');
  assert.match(member.json.detail, /is already a member/);
  for (const wrong of ['nobody', 'a@b', '']) {
    const refused = await server.call('POST', '/v1/invitations', {
      body: { email: wrong, roleId: roleOf('VIEWER') },
    });
    expectProblem(refused, 422, 'validation_failed', wrong);
  }
});

test('of many who invite an address at the same time, one does', async (t) => {
  const body = { email: freshAddress(), roleId: roleOf('VIEWER') };
  const holder = await AdminClient.open(server.database);
  t.after(() => holder.end());
  // They may read, and wait before they write.
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE trellis.invitations IN EXCLUSIVE MODE');
  const requests = Array.from({ length: 10 }, () => server.call('POST', '/v1/invitations', { body }));
  await until('several wait', async () => (await holder.countWaiting()) > 1);
  await holder.query('COMMIT');
  const [made, ...refused] = (await Promise.all(requests)).sort((one, other) => one.status - other.status);
  assert.equal(made?.status, 201, made?.text);
  for (const response of refused) {
    expectProblem(response, 409, 'conflict');
    assert.equal(response.json.existingId, made?.json.id);
  }
});

test('what would not be made is not sent again either', async (t) => {
  t.after(() => admin.query('DELETE FROM trellis.invitations'));
  const made = await invite();
  const path = `/v1/invitations/${made.id}/resend`;
  await admin.query(`UPDATE trellis.invitations SET expires_at = now() - interval '1 day' WHERE email = $1`, [
    made.email,
  ]);
  await admin.query('DELETE FROM trellis.invitations WHERE email <> $1', [made.email]);
  const { rows } = await admin.query<{ id: string }>(
    `INSERT INTO trellis.invitations SELECT (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(),
        'email', 'many-' || n || '@example.com', 'email_normalized', 'many-' || n || '@example.com',
        'expires_at', now() + interval '1 day'))).*
      FROM trellis.invitations i, generate_series(1, $2) n WHERE i.email = $1 RETURNING id`,
    [made.email, limits.invitations],
  );
  expectProblem(await server.call('POST', path), 409, 'quota_reached');
  const another = { email: freshAddress(), roleId: roleOf('VIEWER') };
  expectProblem(await server.call('POST', '/v1/invitations', { body: another }), 409, 'quota_reached');
  // One that is among them itself makes no more of them.
  const resend = `/v1/invitations/${encodeId('inv', rows[0]?.id ?? '')}/resend`;
  assert.equal((await server.call('POST', resend)).status, 200);
  await admin.query(`DELETE FROM trellis.invitations WHERE email LIKE 'many-%' AND id <> $1`, [rows[0]?.id]);
  assert.equal((await server.call('POST', path)).status, 200);
  const userId = await createMember(worker, server.organization, 'VIEWER');
  await admin.query('UPDATE trellis.users SET email = $2, email_normalized = $2 WHERE id = $1', [
    userId,
    made.email,
  ]);
  const member = await server.call('POST', path);
  expectProblem(member, 409, 'conflict');
  assert.match(member.json.detail, /is already a member/);
});

test('an invitation that is sent again has another link and seven more days', async () => {
  const made = await invite();
  await admin.query(`UPDATE trellis.invitations SET expires_at = now() - interval '1 day' WHERE email = $1`, [
    made.email,
  ]);
  const path = `/v1/invitations/${made.id}`;
  assert.equal((await server.call('GET', path)).json.status, 'EXPIRED');
  const expired = await server.call('GET', '/v1/invitations?status=EXPIRED');
  assert.deepEqual(
    expired.json.items.map(({ id }: Json) => id),
    [made.id],
  );
  await newEvents();
  const resent = await server.call('POST', `${path}/resend`, { key: 'again' });
  assert.equal(resent.status, 200, resent.text);
  assert.equal(resent.json.status, 'PENDING');
  assert.notEqual(resent.json.link, made.link);
  assert.equal(resent.json.version, 2);
  assert.deepEqual(await newEvents(), ['invitation.resent status expiresAt']);
  const replayed = await server.call('POST', `${path}/resend`, { key: 'again' });
  assert.equal(replayed.json.link, resent.json.link);
  const stale = await server.call('POST', `${path}/resend`, { headers: { 'if-match': '"1"' } });
  expectProblem(stale, 412, 'version_mismatch');
});

test('an invitation is revoked first, and its record deleted afterwards', async () => {
  const made = await invite();
  const path = `/v1/invitations/${made.id}`;
  await newEvents();
  assert.equal((await server.call('DELETE', path)).status, 204);
  assert.deepEqual(await newEvents(), ['invitation.revoked status']);
  assert.equal((await server.call('GET', path)).json.status, 'REVOKED');
  expectProblem(await server.call('POST', `${path}/resend`), 409, 'invalid_transition');
  assert.equal((await invite({ email: made.email })).status, 'PENDING');
  await newEvents();
  assert.equal((await server.call('DELETE', path)).status, 204);
  assert.deepEqual(await newEvents(), ['invitation.deleted']);
  expectProblem(await server.call('GET', path), 404, 'not_found');
  const found = await server.call('GET', `/v1/invitations/search?query=${made.email.split('@')[0]}`);
  assert.ok(found.json.items.every(({ id }: Json) => id !== made.id));
});

test('nobody invites, sends again or revokes beyond their own role', async () => {
  const role = await server.call('POST', '/v1/roles', {
    body: {
      key: 'host',
      name: 'Host',
      grants: ['read', 'create', 'delete'].map((action) => ({ resource: 'invitations', action })),
    },
  });
  assert.equal(role.status, 201, role.text);
  const userId = await createMember(worker, server.organization, 'VIEWER');
  const member = `/v1/members/${encodeId('user', userId)}`;
  assert.equal((await server.call('PATCH', member, { body: { roleId: role.json.id } })).status, 200);
  const { token } = await createToken(worker, server.organization, userId, { scopes: allScopes });
  assert.equal((await invite({ roleId: role.json.id }, { token })).status, 'PENDING');
  const body = { email: freshAddress(), roleId: roleOf('VIEWER') };
  expectProblem(await server.call('POST', '/v1/invitations', { token, body }), 403, 'permission_denied');
  const other = await invite({ roleId: roleOf('ADMIN') });
  const path = `/v1/invitations/${other.id}`;
  expectProblem(await server.call('POST', `${path}/resend`, { token }), 403, 'permission_denied');
  expectProblem(await server.call('DELETE', path, { token }), 403, 'permission_denied');
});

test('a role that somebody is invited to cannot be deleted', async () => {
  const role = await server.call('POST', '/v1/roles', { body: { key: 'guest', name: 'Guest' } });
  await invite({ roleId: role.json.id });
  const refused = await server.call('DELETE', `/v1/roles/${role.json.id}`);
  expectProblem(refused, 409, 'in_use');
  assert.deepEqual(refused.json.usedBy, [{ resource: 'invitations', count: 1 }]);
});

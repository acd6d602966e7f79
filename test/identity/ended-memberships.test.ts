/** Tests of ended memberships: their tokens are revoked permanently, also under concurrency. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { createToken, listTokens } from '@trellis/server/features/access/tokens.ts';
import { createUser, removeUser } from '@trellis/server/features/access/users.ts';
import { hashToken, makeToken } from '@trellis/server/kernel/identity/tokens.ts';
import { AdminClient } from '../support/admin-client.ts';
import { createOrganization } from '../support/identities.ts';
import { expectProblem } from '../support/refusals.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const email = 'ada@example.org';
const scopes = ['sites:read', 'sites:write'];
const wanted = { organization: 'acme', email, scopes, audiences: ['api'], expiresInSeconds: null } as const;

let server: TestServer;
let admin: AdminClient;
let organizationId = '';

before(async () => {
  server = await startTestServer();
  const { worker } = server.database;
  organizationId = (await createOrganization(worker, 'acme')).id;
  await createOrganization(worker, 'other');
  admin = await AdminClient.open(server.database);
});
after(async () => {
  await admin.end();
  await server.close();
});

const join = (organization: string) =>
  createUser(server.database.worker, { email, organization, role: 'EDITOR' });
const leave = () => removeUser(server.database.worker, { email, organization: 'acme' });
const issueToken = (organization = 'acme') =>
  createToken(server.database.worker, { ...wanted, organization, client: 'test' });
const revokedOf = async (organization: string) =>
  (await listTokens(server.database.worker, organization)).map(({ revokedAt }) => revokedAt !== null);

/** Waits until a statement waits for a lock of another transaction. */
function blocked(): Promise<unknown> {
  return until('a statement waits for a lock', async () => (await admin.countWaiting()) > 0);
}

test('the tokens of a removed member stay refused when the member returns', async () => {
  await join('acme');
  await join('other');
  const { token } = await issueToken();
  const { token: elsewhere } = await issueToken('other');
  const write = (own: string) =>
    server.call('POST', '/v1/sites', { token: own, body: { name: 'Acme', key: `s-${newUuid()}` } });
  assert.equal((await write(token)).status, 201);
  await leave();
  assert.deepEqual(await revokedOf('acme'), [true]);
  await join('acme');
  expectProblem(await write(token), 401, 'token_invalid');
  assert.equal((await write((await issueToken()).token)).status, 201);
  assert.equal((await write(elsewhere)).status, 201, 'a token of another organization was revoked');
  assert.deepEqual(await revokedOf('other'), [false]);
  await leave();
});

test('a token that is created while its member is removed is revoked with the others', async () => {
  const { id } = await join('acme');
  const userId = decodeId('user', id);
  const { rows } = await admin.query('SELECT id FROM trellis.clients WHERE organization_id = $1', [
    organizationId,
  ]);
  const tokenId = newUuid();
  await admin.query('BEGIN');
  await admin.query(
    `INSERT INTO trellis.tokens (organization_id, id, user_id, client_id, secret_hash, resources, scopes)
     SELECT m.organization_id, $3, m.user_id, $4, decode($5, 'hex'), '{api}', '{}' FROM trellis.memberships m
     WHERE m.organization_id = $1 AND m.user_id = $2 FOR KEY SHARE`,
    [organizationId, userId, tokenId, rows[0]?.id, hashToken(makeToken(organizationId))],
  );
  const leaving = leave();
  await blocked();
  await admin.query('COMMIT');
  await leaving;
  const made = await admin.query('SELECT revoked_at FROM trellis.tokens WHERE id = $1', [tokenId]);
  assert.notEqual(made.rows[0]?.revoked_at, null);
});

test('a token cannot be created for a member who is being removed', async () => {
  const { id } = await join('acme');
  const known = (await listTokens(server.database.worker, 'acme')).length;
  await admin.query('BEGIN');
  await admin.query('DELETE FROM trellis.memberships WHERE organization_id = $1 AND user_id = $2', [
    organizationId,
    decodeId('user', id),
  ]);
  const making = issueToken().then(
    () => null,
    (error: Error) => error,
  );
  await blocked();
  await admin.query('COMMIT');
  assert.match((await making)?.message ?? 'it was made', /is no longer a member/);
  assert.equal((await listTokens(server.database.worker, 'acme')).length, known);
});

/**
 * Accounts that somebody has made of another person's address, with an invitation whose link they were shown. Whoever shows that the
 * account is theirs finds nothing of what was prepared in it.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import { decodeId, encodeId } from '@trellis/schema/values/ids.ts';
import { createUser } from '@trellis/server/features/access/users.ts';
import { claimAccount } from '@trellis/server/features/sign-in/claim.ts';
import { makeLink } from '@trellis/server/features/sign-in/links.ts';
import { AddressGuard } from '@trellis/server/features/webhooks/address-guard.ts';
import pg from 'pg';
import { AdminClient } from '../support/admin-client.ts';
import { TestBrowser } from '../support/browser-client.ts';
import {
  createMember,
  createOrganization,
  createToken,
  type TestOrganization,
} from '../support/identities.ts';
import { runIndexJobs } from '../support/indexing.ts';
import { startMailServer } from '../support/mail-server.ts';
import { runCommand, settingsOf } from '../support/program.ts';
import { expectProblem } from '../support/refusals.ts';
import { startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { createEndpoint, sealer } from '../support/webhooks.ts';

const mail = await startMailServer();
const guard = new AddressGuard({ allowPrivate: ['127.0.0.0/8'], lookup: async () => ['127.0.0.1'] });
const server = await startTestServer({ signIn: { mail: mail.settings }, webhooks: { guard, sealer } });
const { auth, worker, adminUrl } = server.database;
/** As a superuser, whom no policy binds. */
const admin = new pg.Client({ connectionString: adminUrl });
before(() => admin.connect());
after(async () => {
  await admin.end();
  await server.close();
  await mail.close();
});

const password = 'eleven distant foghorns';

/** An organization with an administrator's token. */
async function makeOrganization(): Promise<
  TestOrganization & { readonly key: string; readonly token: string }
> {
  const key = `other-${randomUUID()}`;
  const organization = await createOrganization(worker, key);
  const { token } = await createToken(
    worker,
    organization,
    await createMember(worker, organization, 'OWNER'),
  );
  return { ...organization, key, token };
}

/** Invites an address. @returns the secret of the link that is shown */
async function invite(token: string, email: string): Promise<string> {
  const body = { email, roleId: encodeId('role', builtInRoleIds.EDITOR) };
  const response = await server.call('POST', '/v1/invitations', { body, token });
  assert.equal(response.status, 201, response.text);
  return response.json.link.split('#')[1];
}

interface Prepared {
  readonly email: string;
  readonly userId: string;
  readonly browser: TestBrowser;
  /** A bearer token. */
  readonly token: string;
  readonly tokenId: string;
  /** Webhook endpoints that act for it; uuids. */
  readonly endpointId: string;
  readonly pausedEndpointId: string;
  /** The secret of the link of an invitation that it has sent, and its id (uuid). */
  readonly sentLink: string;
  readonly sentId: string;
}

/** Makes an endpoint of the server's organization that acts for a user. @returns its id, a uuid */
async function makeEndpoint(userId: string): Promise<string> {
  const options = { url: 'https://hooks.example.com/all', createdBy: userId };
  return (await createEndpoint(server.database.api, server.organization.id, options)).id;
}

/** The pending invitation of the server's organization that a user has sent, with the secret of its link. */
async function makeSentInvitation(userId: string): Promise<{ link: string; id: string }> {
  const email = `${randomUUID()}@example.com`;
  const link = await invite(server.token, email);
  const { rows } = await admin.query<{ id: string }>(
    'UPDATE trellis.invitations SET sent_by = $2 WHERE email = $1 RETURNING id',
    [email, userId],
  );
  return { link, id: rows[0]?.id ?? '' };
}

/** An account that the server's owner makes of somebody's address, with everything that signs in to it. */
async function prepareAccount(): Promise<Prepared> {
  const email = `${randomUUID()}@example.com`;
  const link = await invite(server.token, email);
  // Nothing is mailed once it is accepted.
  await mail.lastLink(email);
  const browser = new TestBrowser(server);
  const made = { link, name: 'Grace Hopper', password };
  assert.equal((await browser.post('/auth/invitations/accept-with-new-account', made)).status, 200);
  await browser.enter(server.organization.id);
  const { rows } = await admin.query<{ id: string }>('SELECT id FROM trellis.users WHERE email = $1', [
    email,
  ]);
  const userId = rows[0]?.id ?? '';
  const { token, id: tokenId } = await createToken(worker, server.organization, userId);
  await admin.query(
    `INSERT INTO trellis.external_identities (id, issuer, subject, user_id)
     VALUES (gen_random_uuid(), 'https://issuer.example', $2, $1)`,
    [userId, email],
  );
  await admin.query(
    `INSERT INTO trellis.totp_secrets (user_id, sealed_secret, last_step) VALUES ($1, 'sealed', 0)`,
    [userId],
  );
  await admin.query(
    `INSERT INTO trellis.recovery_codes (user_id, hash) VALUES ($1, sha256('a recovery code'))`,
    [userId],
  );
  await admin.query(
    `INSERT INTO trellis.passkeys (id, user_id, credential_id, public_key, sign_count, transports, name)
     VALUES (gen_random_uuid(), $1, $2, '\\x00', 0, '{}', 'Key')`,
    [userId, email],
  );
  await admin.query('UPDATE trellis.users SET has_mfa = true WHERE id = $1', [userId]);
  const endpointId = await makeEndpoint(userId);
  const pausedEndpointId = await makeEndpoint(userId);
  const pause = await server.call('PATCH', `/v1/webhook-endpoints/${encodeId('whe', pausedEndpointId)}`, {
    body: { status: 'DISABLED' },
  });
  assert.equal(pause.status, 200, pause.text);
  const { link: sentLink, id: sentId } = await makeSentInvitation(userId);
  assert.equal((await server.call('GET', '/v1/me', { token })).status, 200);
  await runIndexJobs(server.database);
  mail.received.length = 0;
  await admin.query('DELETE FROM trellis.outbox');
  return { email, userId, browser, token, tokenId, endpointId, pausedEndpointId, sentLink, sentId };
}

/** What acts for an account without a token. */
async function actingFor({ endpointId, pausedEndpointId, sentId }: Prepared) {
  const { rows: endpoints } = await admin.query(
    `SELECT e.version, e.status, e.disabled_reason AS reason, s.enabled FROM trellis.webhook_endpoints e
     JOIN trellis.webhook_subscriptions s ON s.organization_id = e.organization_id AND s.endpoint_id = e.id
     WHERE e.id IN ($1, $2) ORDER BY e.id = $2`,
    [endpointId, pausedEndpointId],
  );
  const { rows: invitations } = await admin.query(
    'SELECT version, status FROM trellis.invitations WHERE id = $1',
    [sentId],
  );
  return { endpoints, invitation: invitations[0] };
}

/** What signs in to an account, besides its password. */
async function credentialsOf(userId: string): Promise<Record<string, unknown>> {
  const { rows } = await admin.query(
    `SELECT address_proven, has_mfa,
       (SELECT count(*)::int FROM trellis.passkeys p WHERE p.user_id = u.id) AS passkeys,
       (SELECT count(*)::int FROM trellis.totp_secrets t WHERE t.user_id = u.id) AS totp,
       (SELECT count(*)::int FROM trellis.recovery_codes c WHERE c.user_id = u.id) AS codes,
       (SELECT count(*)::int FROM trellis.external_identities e WHERE e.user_id = u.id) AS external
     FROM trellis.users u WHERE u.id = $1`,
    [userId],
  );
  return rows[0] ?? {};
}

/** The types of events since the last call, with who has caused them. */
async function newEvents(): Promise<string[]> {
  const { rows } = await admin.query<{ type: string; actor_user_id: string | null }>(
    'WITH gone AS (DELETE FROM trellis.outbox RETURNING *) SELECT type, actor_user_id FROM gone',
  );
  return rows
    .map(({ type, actor_user_id: actor }) => (actor === null ? `${type} by an operator` : type))
    .sort();
}

/** Nothing of what was prepared is left. */
async function assertClaimed(prepared: Prepared): Promise<void> {
  const { email, userId, browser, token, tokenId } = prepared;
  assert.deepEqual(await credentialsOf(userId), {
    address_proven: true,
    has_mfa: false,
    passkeys: 0,
    totp: 0,
    codes: 0,
    external: 0,
  });
  expectProblem(await browser.get('/auth/session'), 401, 'session_invalid');
  const site = { key: 'a', name: 'A', defaultLocale: 'en' };
  expectProblem(await browser.post('/v1/sites', site), 401, 'token_invalid');
  expectProblem(await server.call('POST', '/v1/sites', { body: site, token }), 401, 'token_invalid');
  const old = await new TestBrowser(server).post('/auth/password', { email, password });
  expectProblem(old, 401, 'sign_in_failed');
  await runIndexJobs(server.database);
  const { rows } = await admin.query('SELECT FROM trellis.search_records WHERE record_id = $1', [tokenId]);
  assert.equal(rows.length, 0, 'the token is found no more');
  assert.deepEqual(await actingFor(prepared), {
    endpoints: [
      { version: 2, status: 'DISABLED', reason: 'CLAIMED', enabled: false },
      { version: 3, status: 'DISABLED', reason: 'CLAIMED', enabled: false },
    ],
    invitation: { version: 2, status: 'REVOKED' },
  });
  const accepted = await new TestBrowser(server).post('/auth/invitations/accept-with-new-account', {
    link: prepared.sentLink,
    name: 'Somebody',
    password: 'thirteen narrow bridges',
  });
  expectProblem(accepted, 410, 'link_invalid');
}

const claimed = [
  'invitation.revoked',
  'member.factor_removed',
  'session.deleted',
  'token.deleted',
  'webhook-endpoint.disabled',
  'webhook-endpoint.updated',
];

test('who sets a password by mail loses what was prepared, and it is said', async () => {
  const prepared = await prepareAccount();
  await new TestBrowser(server).post('/auth/password-resets', { email: prepared.email });
  const reset = { link: await mail.lastLink(prepared.email), password: 'twelve patient glaciers' };
  const browser = new TestBrowser(server);
  assert.equal((await browser.post('/auth/password-resets/redeem', reset)).status, 204);
  assert.deepEqual(await newEvents(), [...claimed, 'member.link_redeemed', 'member.password_changed'].sort());
  await assertClaimed(prepared);
  const { email } = prepared;
  const signedIn = await browser.post('/auth/password', { email, password: reset.password });
  assert.equal(signedIn.json?.status, 'SIGNED_IN', signedIn.text);
});

test('who signs in by a link of an operator loses what was prepared', async () => {
  const prepared = await prepareAccount();
  const { secret } = await makeLink(auth, 'SIGN_IN', prepared.userId, server.url);
  const browser = new TestBrowser(server);
  assert.equal((await browser.post('/auth/links/redeem', { link: secret })).status, 200);
  assert.deepEqual(await newEvents(), [...claimed, 'member.link_redeemed'].sort());
  await assertClaimed(prepared);
  assert.equal((await browser.get('/auth/session')).status, 200);
  // What is set up from now on stays.
  const own = 'twelve patient glaciers';
  assert.equal((await browser.call('PUT', '/auth/factors/password', { password: own })).status, 204);
  await newEvents();
  const again = await makeLink(auth, 'SIGN_IN', prepared.userId, server.url);
  await new TestBrowser(server).post('/auth/links/redeem', { link: again.secret });
  assert.deepEqual(await newEvents(), ['member.link_redeemed']);
  const { email } = prepared;
  const signedIn = await new TestBrowser(server).post('/auth/password', { email, password: own });
  assert.equal(signedIn.json?.status, 'SIGNED_IN', signedIn.text);
});

test('who accepts an invitation by its mailed link keeps the session that does, and nothing else', async () => {
  const prepared = await prepareAccount();
  const other = await makeOrganization();
  const shown = await invite(other.token, prepared.email);
  const mailed = await mail.lastLink(prepared.email);
  assert.notEqual(mailed, shown);
  const browser = new TestBrowser(server);
  await admin.query('DELETE FROM trellis.totp_secrets WHERE user_id = $1', [prepared.userId]);
  assert.equal((await browser.post('/auth/password', { email: prepared.email, password })).status, 200);
  await newEvents();
  assert.equal((await browser.post('/auth/invitations/accept', { link: mailed })).status, 204);
  assert.deepEqual(await newEvents(), [...claimed, 'invitation.accepted', 'member.created'].sort());
  await assertClaimed(prepared);
  await browser.enter(other.id);
  assert.equal((await browser.get('/v1/me')).status, 200);
});

test('an invitation that is accepted by the link that was shown proves and removes nothing', async () => {
  const prepared = await prepareAccount();
  const link = await invite((await makeOrganization()).token, prepared.email);
  assert.equal((await prepared.browser.post('/auth/invitations/accept', { link })).status, 204);
  assert.deepEqual(await newEvents(), ['invitation.accepted', 'invitation.created', 'member.created']);
  assert.equal((await credentialsOf(prepared.userId)).address_proven, false);
  assert.equal((await server.call('GET', '/v1/me', { token: prepared.token })).status, 200);
  assert.deepEqual(await actingFor(prepared), {
    endpoints: [
      { version: 1, status: 'ENABLED', reason: null, enabled: true },
      { version: 2, status: 'DISABLED', reason: null, enabled: false },
    ],
    invitation: { version: 1, status: 'PENDING' },
  });
});

/** The events of the outbox about a record (uuid). */
async function toldOf(subjectId: string) {
  const { rows } = await admin.query(
    `SELECT type, subject_version AS version, changed_fields AS changed, readers FROM trellis.outbox WHERE subject_id = $1`,
    [subjectId],
  );
  return rows;
}

test('a claim ends what acts for the account and nothing else; an endpoint acts for who enables it again', async () => {
  const prepared = await prepareAccount();
  const { userId } = prepared;
  const ofOwner = await makeEndpoint(server.ownerId);
  const sentByOwner = await makeSentInvitation(server.ownerId);
  // In an organization that the account has left, too: it may come back.
  const former = await makeOrganization();
  const left = await createEndpoint(server.database.api, former.id, {
    url: 'https://hooks.example.com/left',
    createdBy: userId,
  });
  const { secret } = await makeLink(auth, 'SIGN_IN', userId, server.url);
  assert.equal((await new TestBrowser(server).post('/auth/links/redeem', { link: secret })).status, 200);

  const administrators = ['OWNER', 'ADMIN'];
  assert.deepEqual(await toldOf(prepared.endpointId), [
    {
      type: 'webhook-endpoint.disabled',
      version: 2,
      changed: ['status', 'disabledReason'],
      readers: administrators,
    },
  ]);
  assert.deepEqual(await toldOf(prepared.pausedEndpointId), [
    { type: 'webhook-endpoint.updated', version: 3, changed: ['disabledReason'], readers: administrators },
  ]);
  assert.deepEqual(await toldOf(prepared.sentId), [
    { type: 'invitation.revoked', version: 2, changed: ['status'], readers: null },
  ]);
  const shown = await server.call('GET', `/v1/webhook-endpoints/${encodeId('whe', left.id)}`, {
    token: former.token,
  });
  assert.deepEqual([shown.json.status, shown.json.disabledReason], ['DISABLED', 'CLAIMED']);

  const { rows: untouched } = await admin.query(
    `SELECT enabled FROM trellis.webhook_subscriptions WHERE endpoint_id = $1`,
    [ofOwner],
  );
  assert.deepEqual(untouched, [{ enabled: true }]);
  const { rows: pending } = await admin.query('SELECT status FROM trellis.invitations WHERE id = $1', [
    sentByOwner.id,
  ]);
  assert.deepEqual(pending, [{ status: 'PENDING' }]);

  for (const [id, statuses] of [
    [prepared.endpointId, ['ENABLED']],
    [prepared.pausedEndpointId, ['DISABLED', 'ENABLED']],
  ] as const) {
    for (const status of statuses) {
      const path = `/v1/webhook-endpoints/${encodeId('whe', id)}`;
      const changed = await server.call('PATCH', path, { body: { status } });
      assert.equal(changed.status, 200, changed.text);
      assert.equal(changed.json.disabledReason, null);
    }
    const { rows } = await admin.query(
      'SELECT enabled, acts_for FROM trellis.webhook_subscriptions WHERE endpoint_id = $1',
      [id],
    );
    assert.deepEqual(rows, [{ enabled: true, acts_for: server.ownerId }]);
  }
});

test('whoever enables an endpoint with full payloads after a claim needs to read what it sends', async () => {
  const { userId } = await prepareAccount();
  const { id } = await createEndpoint(server.database.api, server.organization.id, {
    url: 'https://hooks.example.com/full',
    createdBy: userId,
    payload: 'FULL',
    eventTypes: ['contact.*'],
  });
  const { secret } = await makeLink(auth, 'SIGN_IN', userId, server.url);
  assert.equal((await new TestBrowser(server).post('/auth/links/redeem', { link: secret })).status, 200);
  const path = `/v1/webhook-endpoints/${encodeId('whe', id)}`;
  const enable = (scopes: readonly string[]) =>
    createToken(worker, server.organization, server.ownerId, { scopes }).then(({ token }) =>
      server.call('PATCH', path, { body: { status: 'ENABLED' }, token }),
    );
  expectProblem(await enable(['webhooks:manage']), 403, 'insufficient_scope');
  const enabled = await enable(['webhooks:manage', 'crm.contacts:read']);
  assert.equal(enabled.status, 200, enabled.text);
});

test('an operator who makes the account a member of another organization claims it first', async () => {
  const prepared = await prepareAccount();
  const { key } = await makeOrganization();
  const wanted = { email: prepared.email, organization: key, role: 'ADMIN' };
  await assert.rejects(createUser(worker, wanted), /address is not proven/);
  const nobody = await runCommand(
    ['user', 'create', prepared.email, '--organization', key, '--role', 'NOBODY'],
    settingsOf(server.database),
  );
  assert.equal(nobody.code, 1);
  assert.deepEqual(await newEvents(), []);
  const made = await runCommand(
    ['user', 'create', prepared.email.toUpperCase(), '--organization', key, '--role', 'ADMIN', '--json'],
    settingsOf(server.database),
  );
  assert.equal(made.code, 0, made.stderr);
  assert.equal(made.json().role, 'ADMIN');
  assert.deepEqual(
    await newEvents(),
    [...claimed, 'member.created'].map((type) => `${type} by an operator`).sort(),
  );
  await assertClaimed(prepared);
});

test('an operator who only looks at a member claims nothing', async () => {
  const { email, userId } = await prepareAccount();
  const [row] = await worker.run('SELECT key FROM trellis.organizations WHERE id = $1', [
    server.organization.id,
  ]);
  const member = await createUser(worker, { email, organization: row?.[0] ?? '', role: 'EDITOR' });
  assert.equal(member.id, encodeId('user', userId));
  assert.equal((await credentialsOf(userId)).address_proven, false);
  assert.deepEqual(await newEvents(), []);
});

test('a token that is being made while the account is claimed does not outlive it', async () => {
  const prepared = await prepareAccount();
  const { secret } = await makeLink(auth, 'SIGN_IN', prepared.userId, server.url);
  // A write of the account is under way: it has read that its token is good, and holds the access lock until it commits.
  const writing = await AdminClient.open(server.database);
  try {
    await writing.query('BEGIN');
    await writing.query(
      `SELECT pg_advisory_xact_lock_shared(hashtextextended('trellis access ' || $1::text, 0))`,
      [server.organization.id],
    );
    const redeemed = new TestBrowser(server).post('/auth/links/redeem', { link: secret });
    await until('the claim waits', async () => (await writing.countWaiting()) > 0);
    await writing.query(
      `INSERT INTO trellis.tokens (organization_id, id, user_id, client_id, secret_hash, resources, scopes)
       SELECT organization_id, gen_random_uuid(), user_id, client_id, sha256('another'), resources, scopes
       FROM trellis.tokens WHERE id = $1`,
      [prepared.tokenId],
    );
    await writing.query('COMMIT');
    assert.equal((await redeemed).status, 200);
  } finally {
    await writing.end();
  }
  const { rows } = await admin.query(
    'SELECT FROM trellis.tokens WHERE user_id = $1 AND session_id IS NULL AND revoked_at IS NULL',
    [prepared.userId],
  );
  assert.equal(rows.length, 0);
});

test('a claim ends the tokens that the account has made for service members', async () => {
  const prepared = await prepareAccount();
  const body = { name: 'Program', roleId: encodeId('role', builtInRoleIds.VIEWER) };
  const service = await server.call('POST', '/v1/members', { body });
  assert.equal(service.status, 201, service.text);
  const userId = decodeId('user', service.json.id) ?? '';
  const { token, id } = await createToken(worker, server.organization, userId);
  await admin.query('UPDATE trellis.tokens SET created_by = $2 WHERE id = $1', [id, prepared.userId]);
  const kept = await createToken(worker, server.organization, userId);
  assert.equal((await server.call('GET', '/v1/me', { token })).status, 200);
  await admin.query('DELETE FROM trellis.outbox');
  await claimAccount(server.database.auth, prepared.userId, randomUUID());
  const { rows } = await admin.query<{ subject_id: string; subject_version: number; version: number }>(
    `SELECT subject_id, subject_version, t.version FROM trellis.outbox e
     JOIN trellis.tokens t ON t.organization_id = e.organization_id AND t.id = e.subject_id WHERE e.type = 'token.deleted'`,
  );
  assert.deepEqual(rows.map(({ subject_id }) => subject_id).sort(), [id, prepared.tokenId].sort());
  for (const { subject_version: logged, version } of rows) assert.deepEqual([logged, version], [2, 2]);
  const writing = { body: { name: 'x', key: 'x' } };
  const refused = await server.call('POST', '/v1/sites', { token, ...writing });
  assert.equal(refused.json?.code, 'token_invalid');
  const accepted = await server.call('POST', '/v1/sites', { token: kept.token, ...writing });
  assert.equal(accepted.json?.code, 'permission_denied');
});

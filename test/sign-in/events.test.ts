/** Signing in leaves events: of sessions where they are entered, and of what a person signs in with in all their organizations. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { enterOrganization } from '@trellis/server/features/sign-in/enter-organization.ts';
import { makeLink } from '@trellis/server/features/sign-in/links.ts';
import { findSession } from '@trellis/server/features/sign-in/sessions.ts';
import { Secret, TOTP } from 'otpauth';
import { givePassword, type TestAccount, TestBrowser } from '../support/browser-client.ts';
import {
  createMember,
  createOrganization,
  joinOrganization,
  type TestOrganization,
} from '../support/identities.ts';
import { expectProblem } from '../support/refusals.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();
const { auth, worker } = server.database;
after(() => server.close());

let second: TestOrganization;
let account: TestAccount;
let browser: TestBrowser;
before(async () => {
  second = await createOrganization(worker, 'second');
});
beforeEach(async () => {
  account = await givePassword(auth, await createMember(worker, server.organization, 'EDITOR'));
  await joinOrganization(worker, second.id, account.userId, 'VIEWER');
  browser = new TestBrowser(server);
  await browser.signIn(account);
  await newEvents();
});

/** The events since the last call, in both organizations: `organization: type changed fields`. */
async function newEvents(): Promise<string[]> {
  const rows = await worker.run(
    `WITH gone AS (DELETE FROM trellis.outbox RETURNING *)
     SELECT CASE organization_id WHEN $1 THEN 'first' ELSE 'second' END, type, array_to_string(changed_fields, ' '),
       actor_user_id, readers @> ARRAY['OWNER', 'ADMIN', actor_user_id::text], subject_id::text
     FROM gone ORDER BY 1, occurred_at, id`,
    [server.organization.id],
  );
  for (const [, type, , actor, isForReaders, subject] of rows) {
    assert.equal(actor, account.userId);
    assert.equal(isForReaders, 't');
    if (type?.startsWith('member.')) assert.equal(subject, account.userId);
  }
  return rows.map(([where, type, changed]) => `${where}: ${type} ${changed}`.trim());
}

/** The same event in both organizations. */
const everywhere = (event: string) => [`first: ${event}`, `second: ${event}`];

async function setUpTotp(): Promise<string> {
  const { challenge, secret } = (await browser.post('/auth/factors/totp')).json;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const confirmed = await browser.post('/auth/factors/totp/confirm', { challenge, code });
  assert.equal(confirmed.status, 200, confirmed.text);
  return secret;
}

test('a session is told of in each organization when it is entered, stepped up and ended, and nowhere else', async () => {
  const other = new TestBrowser(server);
  await other.post('/auth/password', { email: account.email, password: account.password });
  assert.deepEqual(await newEvents(), [], 'nothing was entered');
  await other.enter(second.id);
  assert.deepEqual(await newEvents(), ['second: session.created']);
  await other.enter(second.id);
  assert.deepEqual(await newEvents(), [], 'it was entered before');
  const stepped = await other.post('/auth/session/step-up', { password: account.password });
  assert.equal(stepped.status, 200, stepped.text);
  assert.deepEqual(await newEvents(), ['second: session.updated authenticatedAt methods']);
  assert.equal((await other.call('DELETE', '/auth/session')).status, 204);
  assert.deepEqual(await newEvents(), ['second: session.deleted']);
  expectProblem(await other.call('DELETE', '/auth/session'), 401, 'session_invalid');
  assert.deepEqual(await newEvents(), []);
});

test('the session that a sign-in replaces in a browser is told to have ended', async () => {
  const { email, password } = account;
  assert.equal((await browser.post('/auth/password', { email, password })).status, 200);
  assert.deepEqual(await newEvents(), ['first: session.deleted']);
});

test('a refused sign-in and a refused factor leave no event', async () => {
  const { email } = account;
  expectProblem(
    await browser.post('/auth/password', { email, password: 'not this one' }),
    401,
    'sign_in_failed',
  );
  expectProblem(
    await browser.call('PUT', '/auth/factors/password', {
      password: 'password1234',
      currentPassword: account.password,
    }),
    422,
    'validation_failed',
  );
  expectProblem(
    await browser.call('DELETE', '/auth/factors/passkeys/pk_01h455vb4pex5vsknk084sn02q'),
    404,
    'not_found',
  );
  expectProblem(await browser.post('/auth/links/redeem', { link: 'a'.repeat(43) }), 410, 'link_invalid');
  assert.deepEqual(await newEvents(), []);
});

test('a link that is redeemed, and a new password by one, are told in all organizations', async () => {
  const link = await makeLink(auth, 'SIGN_IN', account.userId, server.url);
  assert.equal((await new TestBrowser(server).post('/auth/links/redeem', { link: link.secret })).status, 200);
  assert.deepEqual(await newEvents(), everywhere('member.link_redeemed'));
  const reset = await makeLink(auth, 'RESET', account.userId, server.url);
  const password = 'eleven wooden bridges';
  const done = await new TestBrowser(server).post('/auth/password-resets/redeem', {
    link: reset.secret,
    password,
  });
  assert.equal(done.status, 204, done.text);
  assert.deepEqual(
    (await newEvents()).sort(),
    [
      'first: session.deleted',
      ...everywhere('member.link_redeemed'),
      ...everywhere('member.password_changed hasPassword'),
    ].sort(),
  );
});

/** Each change of what a person signs in with: how it is made, and what is told of it. */
const changes: readonly [what: string, prepare: () => Promise<string>, event: string][] = [
  ['a new password', async () => 'PUT /auth/factors/password', 'member.password_changed hasPassword'],
  [
    'an authenticator app that is removed',
    async () => {
      await setUpTotp();
      return 'DELETE /auth/factors/totp';
    },
    'member.factor_removed hasTotp recoveryCodesLeft',
  ],
  [
    'new recovery codes',
    async () => 'POST /auth/factors/recovery-codes',
    'member.factor_replaced recoveryCodesLeft',
  ],
  [
    'a passkey that is removed',
    async () => {
      await auth.run(
        `INSERT INTO trellis.passkeys (id, user_id, credential_id, public_key, sign_count, transports, name)
         VALUES ($1, $2, $3, 'x', 0, '{}', 'Key')`,
        [newUuid(), account.userId, newUuid()],
      );
      const [passkey] = (await browser.get('/auth/factors')).json.passkeys;
      return `DELETE /auth/factors/passkeys/${passkey.id}`;
    },
    'member.factor_removed passkeys',
  ],
  [
    'an account elsewhere that is disconnected',
    async () => {
      await auth.run(
        `INSERT INTO trellis.external_identities (id, issuer, subject, user_id) VALUES ($1, 'https://issuer.example', $2, $3)`,
        [newUuid(), newUuid(), account.userId],
      );
      const [identity] = (await browser.get('/auth/factors')).json.external;
      return `DELETE /auth/factors/external/${identity.id}`;
    },
    'member.factor_removed external',
  ],
];

for (const [what, prepare, event] of changes) {
  test(`${what} is told in all organizations, and ends the other sessions`, async () => {
    const [method = '', path = ''] = (await prepare()).split(' ');
    const other = new TestBrowser(server);
    await signInAnyhow(other);
    await newEvents();
    const proven = { password: 'nine quiet harbours', currentPassword: account.password };
    const body = method === 'PUT' ? proven : undefined;
    const done = await browser.call(method, path, body);
    assert.ok(done.status < 300, done.text);
    assert.deepEqual(
      (await newEvents()).sort(),
      [...everywhere(event), 'first: session.deleted', 'second: session.deleted'].sort(),
    );
    expectProblem(await other.get('/auth/session'), 401, 'session_invalid');
    const site = { key: 'a', name: 'A', defaultLocale: 'en' };
    expectProblem(await other.post('/v1/sites', site), 401, 'token_invalid');
    assert.equal((await browser.get('/auth/session')).status, 200, 'the session that asked goes on');
  });
}

/** Signs in by a link, whatever else is asked for, and enters both organizations. */
async function signInAnyhow(other: TestBrowser): Promise<void> {
  const { secret } = await makeLink(auth, 'SIGN_IN', account.userId, server.url);
  assert.equal((await other.post('/auth/links/redeem', { link: secret })).status, 200);
  await other.enter(server.organization.id);
  await other.enter(second.id);
}

test('an authenticator app that is set up is told in all organizations, and ends the other sessions', async () => {
  const other = new TestBrowser(server);
  await other.signIn(account);
  await newEvents();
  await setUpTotp();
  assert.deepEqual(
    (await newEvents()).sort(),
    [...everywhere('member.factor_replaced hasTotp recoveryCodesLeft'), 'first: session.deleted'].sort(),
  );
  expectProblem(await other.get('/auth/session'), 401, 'session_invalid');
  assert.equal((await browser.call('DELETE', '/auth/factors/totp')).status, 204);
  await newEvents();
  assert.equal((await browser.call('DELETE', '/auth/factors/totp')).status, 204);
  assert.deepEqual(await newEvents(), [], 'there was none');
});

test('a change that fails leaves neither row nor event', async () => {
  const count = async () =>
    (await auth.run('SELECT count(*) FROM trellis.sessions WHERE ended_at IS NULL'))[0]?.[0];
  const before = await count();
  // The outbox takes no event without a request.
  const session = await findSession(auth, browser.secret);
  assert.ok(session);
  const tokens = () =>
    auth.run('SELECT organization_id FROM trellis.tokens WHERE session_id = $1', [session.id]);
  const lacking: unknown = null;
  await assert.rejects(
    enterOrganization(auth, { session, secret: browser.secret }, second.id, lacking as string),
    { code: '23502' },
  );
  // Those of the other organization.
  assert.deepEqual(await tokens(), [[server.organization.id], [server.organization.id]]);
  assert.equal(await count(), before);
  assert.deepEqual(await newEvents(), []);
});

test('organizations see whether a member has a second factor', async () => {
  const hasMfa = async () =>
    (await server.call('GET', `/v1/members/${encodeId('user', account.userId)}`)).json.hasMfa;
  assert.equal(await hasMfa(), false);
  await setUpTotp();
  assert.equal(await hasMfa(), true);
  assert.equal((await browser.call('DELETE', '/auth/factors/totp')).status, 204);
  assert.equal(await hasMfa(), false);
});

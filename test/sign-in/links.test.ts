/** Links: they sign in once, within their time, and do nothing else. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeSignInLink } from '@trellis/server/features/access/sign-in-link.ts';
import { makeLink } from '@trellis/server/features/sign-in/links.ts';
import { givePassword, TestBrowser } from '../support/browser-client.ts';
import { createMember } from '../support/identities.ts';
import { expectProblem } from '../support/refusals.ts';
import { startTestServer } from '../support/server.ts';
import { makeOlder } from '../support/sign-in-age.ts';

const server = await startTestServer();
const { auth, worker } = server.database;
after(() => server.close());

async function emailOf(userId: string): Promise<string> {
  const [row] = await worker.run('SELECT email FROM trellis.users WHERE id = $1', [userId]);
  return row?.[0] ?? '';
}

test('a link of an operator signs in once, as one factor', async () => {
  const link = await makeSignInLink(auth, await emailOf(server.ownerId), server.url);
  assert.equal(link.url, `${server.url}/console/link#${link.secret}`);
  const browser = new TestBrowser(server);
  const signedIn = await browser.post('/auth/links/redeem', { link: link.secret });
  assert.equal(signedIn.json.status, 'SIGNED_IN', signedIn.text);
  assert.deepEqual(signedIn.json.session.methods, ['LINK']);
  assert.equal(signedIn.json.session.multiFactor, false);
  await browser.enter(server.organization.id);
  assert.equal((await browser.get('/v1/sites')).status, 200);
  expectProblem(
    await new TestBrowser(server).post('/auth/links/redeem', { link: link.secret }),
    410,
    'link_invalid',
  );
});

test('of 50 who spend a link at the same time one is signed in', async () => {
  for (const kind of ['FIRST_START', 'SIGN_IN'] as const) {
    const { secret } = await makeLink(auth, kind, server.ownerId, server.url);
    await auth.run('DELETE FROM trellis.sessions');
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => new TestBrowser(server).post('/auth/links/redeem', { link: secret })),
    );
    assert.equal(responses.filter(({ status }) => status === 200).length, 1, kind);
    // On a busy machine some do not get a connection in time, which is no sign-in either.
    for (const refused of responses.filter(({ status }) => status !== 200 && status !== 503)) {
      expectProblem(refused, 410, 'link_invalid');
    }
    const [row] = await auth.run('SELECT count(*) FROM trellis.sessions');
    assert.equal(row?.[0], '1', kind);
  }
});

test('a link is over after its time, and is stored as a hash', async () => {
  const lifetimes = { FIRST_START: 600, SIGN_IN: 600, RESET: 600 } as const;
  for (const [kind, seconds] of Object.entries(lifetimes)) {
    const { secret } = await makeLink(auth, kind as keyof typeof lifetimes, server.ownerId, server.url);
    const [row] = await auth.run(
      `SELECT extract(epoch FROM expires_at - created_at)::integer, l::text FROM trellis.sign_in_links l ORDER BY created_at DESC, id DESC LIMIT 1`,
    );
    assert.ok(Math.abs(Number(row?.[0]) - seconds) <= 1, `${kind}: ${row?.[0]}`);
    assert.ok(!row?.[1]?.includes(secret));
    await auth.run(`UPDATE trellis.sign_in_links SET expires_at = clock_timestamp() WHERE used_at IS NULL`);
    expectProblem(
      await new TestBrowser(server).post('/auth/links/redeem', { link: secret }),
      410,
      'link_invalid',
    );
    const password = 'eleven wooden bridges';
    const reset = await new TestBrowser(server).post('/auth/password-resets/redeem', {
      link: secret,
      password,
    });
    expectProblem(reset, 410, 'link_invalid');
  }
});

test('a link of one kind does not do what another does', async () => {
  const browser = new TestBrowser(server);
  const reset = await makeLink(auth, 'RESET', server.ownerId, server.url);
  expectProblem(await browser.post('/auth/links/redeem', { link: reset.secret }), 410, 'link_invalid');
  const signIn = await makeLink(auth, 'SIGN_IN', server.ownerId, server.url);
  const password = 'eleven wooden bridges';
  expectProblem(
    await browser.post('/auth/password-resets/redeem', { link: signIn.secret, password }),
    410,
    'link_invalid',
  );
  // Neither was spent by it.
  assert.equal((await browser.post('/auth/links/redeem', { link: signIn.secret })).status, 200);
});

test('a reset sets the password, ends all sessions, and signs nobody in', async () => {
  const account = await givePassword(auth, await createMember(worker, server.organization, 'EDITOR'));
  const before = new TestBrowser(server);
  await before.signIn(account);
  const { secret, url } = await makeLink(auth, 'RESET', account.userId, server.url);
  assert.equal(url, `${server.url}/console/reset#${secret}`);
  const browser = new TestBrowser(server);
  const weak = await browser.post('/auth/password-resets/redeem', { link: secret, password: 'password1234' });
  expectProblem(weak, 422, 'validation_failed', 'a common password, with which the link stays good');
  const password = 'eleven wooden bridges';
  const responses = await Promise.all(
    Array.from({ length: 2 }, () => browser.post('/auth/password-resets/redeem', { link: secret, password })),
  );
  assert.deepEqual(responses.map(({ status }) => status).sort(), [204, 410]);
  assert.equal(browser.cookie, null);
  expectProblem(await before.get('/auth/session'), 401, 'session_invalid');
  expectProblem(
    await before.post('/v1/sites', { key: 'a', name: 'A', defaultLocale: 'en' }),
    401,
    'token_invalid',
  );
  const old = { email: account.email, password: account.password };
  expectProblem(await browser.post('/auth/password', old), 401, 'sign_in_failed');
  assert.equal((await browser.post('/auth/password', { email: account.email, password })).status, 200);
});

test('a link of somebody who is disabled opens nothing', async () => {
  const userId = await createMember(worker, server.organization, 'VIEWER');
  const { secret } = await makeLink(auth, 'SIGN_IN', userId, server.url);
  await worker.run(`UPDATE trellis.users SET status = 'DISABLED' WHERE id = $1`, [userId]);
  expectProblem(
    await new TestBrowser(server).post('/auth/links/redeem', { link: secret }),
    410,
    'link_invalid',
  );
  await assert.rejects(makeSignInLink(auth, await emailOf(userId), server.url), /no active user/);
});

/** A browser that a link has signed in so long ago that nothing is permitted that takes a recent sign-in. */
async function comeByLink(userId: string): Promise<TestBrowser> {
  const { secret } = await makeLink(auth, 'SIGN_IN', userId, server.url);
  const browser = new TestBrowser(server);
  assert.equal((await browser.post('/auth/links/redeem', { link: secret })).status, 200);
  await browser.enter(server.organization.id);
  await age(userId);
  return browser;
}

/** Makes the sign-ins of a user an hour old. */
function age(userId: string): Promise<void> {
  return makeOlder(server.database, 'authenticated_at', 3_600, userId);
}

const password = 'nine quiet harbours';

test('whom a link has signed in sets the first factor while the sign-in is recent, and later with a new link', async () => {
  const owner = await createMember(worker, server.organization, 'OWNER');
  const late = await comeByLink(owner);
  const invitation = { email: 'grace@example.com', roleId: 'role_00000000000000000000000004' };
  expectProblem(await late.post('/v1/invitations', invitation), 401, 'insufficient_user_authentication');
  // Whoever has taken this session has no more proof of who they are than the person has.
  for (const path of ['/auth/factors/passkeys/begin', '/auth/factors/totp', '/auth/factors/recovery-codes'])
    expectProblem(await late.post(path), 401, 'insufficient_user_authentication', path);
  const set = (browser: TestBrowser) => browser.call('PUT', '/auth/factors/password', { password });
  expectProblem(await set(late), 401, 'insufficient_user_authentication');

  const { secret } = await makeLink(auth, 'SIGN_IN', owner, server.url);
  const browser = new TestBrowser(server);
  await browser.post('/auth/links/redeem', { link: secret });
  await browser.enter(server.organization.id);
  assert.equal((await set(browser)).status, 204);
  expectProblem(await late.get('/auth/session'), 401, 'session_invalid');
  await age(owner);
  expectProblem(await browser.post('/v1/invitations', invitation), 401, 'insufficient_user_authentication');
  assert.equal((await browser.post('/auth/session/step-up', { password })).status, 200);
  const invited = await browser.post('/v1/invitations', invitation);
  assert.notEqual(invited.json.code, 'insufficient_user_authentication', invited.text);
});

test('whom a link has signed in changes nothing later where there is a factor', async () => {
  const factors = {
    'a password': async (userId: string) => {
      await givePassword(auth, userId);
    },
    'a passkey': async (userId: string) => {
      await auth.run(
        `INSERT INTO trellis.passkeys (id, user_id, credential_id, public_key, sign_count, transports, name)
         VALUES ($1, $1, $2, 'x', 0, '{}', 'Key')`,
        [userId, `key-${userId}`],
      );
    },
    'an authenticator app': async (userId: string) => {
      await auth.run(
        `INSERT INTO trellis.totp_secrets (user_id, sealed_secret, last_step) VALUES ($1, 'x', 0)`,
        [userId],
      );
    },
    'an account elsewhere': async (userId: string) => {
      await auth.run(
        `INSERT INTO trellis.external_identities (id, issuer, subject, user_id) VALUES ($1, 'https://a.example', $2, $1)`,
        [userId, userId],
      );
    },
  };
  for (const [what, give] of Object.entries(factors)) {
    const userId = await createMember(worker, server.organization, 'EDITOR');
    const browser = await comeByLink(userId);
    await give(userId);
    for (const [method, path, body] of [
      ['PUT', '/auth/factors/password', { password }],
      ['POST', '/auth/factors/passkeys/begin', undefined],
    ] as const) {
      const refused = await browser.call(method, path, body);
      expectProblem(refused, 401, 'insufficient_user_authentication', `${what}: ${path}`);
    }
  }
});

test('a link stands in for the password that was lost, until another one is set', async () => {
  const { userId } = await givePassword(auth, await createMember(worker, server.organization, 'EDITOR'));
  const { secret } = await makeLink(auth, 'SIGN_IN', userId, server.url);
  const browser = new TestBrowser(server);
  await browser.post('/auth/links/redeem', { link: secret });
  const set = (body: object) => browser.call('PUT', '/auth/factors/password', body);
  assert.equal((await set({ password })).status, 204);
  expectProblem(await set({ password: 'gravel otter mint' }), 422, 'validation_failed');
  const proven = { password: 'gravel otter mint', currentPassword: password };
  assert.equal((await set(proven)).status, 204);
});

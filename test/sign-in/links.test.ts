/** Links: they sign in once, within their time, and do nothing else. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeSignInLink } from '@trellis/server/administration/sign-in-link.ts';
import { makeLink } from '@trellis/server/identity/sign-in/links.ts';
import { givePassword, TestBrowser } from '../support/browser-client.ts';
import { createMember } from '../support/identities.ts';
import { expectProblem } from '../support/refusals.ts';
import { startTestServer } from '../support/server.ts';

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
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => new TestBrowser(server).post('/auth/links/redeem', { link: secret })),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1, kind);
    // On a busy machine some do not get a connection in time, which is no sign-in either.
    for (const refused of answers.filter(({ status }) => status !== 200 && status !== 503)) {
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
  const answers = await Promise.all(
    Array.from({ length: 2 }, () => browser.post('/auth/password-resets/redeem', { link: secret, password })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 410]);
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

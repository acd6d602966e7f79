/** Signing in by password, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SessionCookie } from '@trellis/server/kernel/identity/session-cookie.ts';
import { givePassword, type TestAccount, TestBrowser } from '../support/browser-client.ts';
import { createMember } from '../support/identities.ts';
import { expectProblem } from '../support/refusals.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();
const { auth, worker } = server.database;
let owner: TestAccount;
before(async () => {
  owner = await givePassword(auth, server.ownerId);
});
after(() => server.close());

test('a password opens a session, whose cookie opens the organizations that are entered', async () => {
  const browser = new TestBrowser(server);
  const signedIn = await browser.post('/auth/password', { email: owner.email, password: owner.password });
  assert.equal(signedIn.status, 200, signedIn.text);
  assert.equal(signedIn.json.status, 'SIGNED_IN');
  assert.equal(signedIn.json.user.email, owner.email);
  assert.deepEqual(signedIn.json.session.methods, ['PASSWORD']);
  assert.equal(signedIn.json.session.multiFactor, false);
  assert.match(
    browser.lastSetCookie ?? '',
    /^trellis_session_[0-9a-f]{8}=[0-9A-Za-z]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
  );

  const organizations = await browser.get('/auth/organizations');
  assert.equal(organizations.json.items.length, 1);
  assert.equal(organizations.json.items[0].role, 'OWNER');
  browser.organizationId = server.organization.id;
  expectProblem(await browser.get('/v1/sites'), 401, 'token_invalid', 'before it is entered');
  await browser.enter(server.organization.id);
  const created = await browser.post('/v1/sites', { key: 'blog', name: 'Blog', defaultLocale: 'en' });
  assert.equal(created.status, 201, created.text);
  const read = await browser.get(`/v1/sites/${created.json.id}`);
  assert.equal(read.json.name, 'Blog');
});

test('signing out ends the session everywhere', async () => {
  const browser = new TestBrowser(server);
  await browser.signIn(owner);
  const { cookie } = browser;
  assert.equal((await browser.call('DELETE', '/auth/session')).status, 204);
  assert.equal(browser.cookie, null);
  assert.match(browser.lastSetCookie ?? '', /Max-Age=0/);
  browser.cookie = cookie;
  expectProblem(await browser.get('/auth/session'), 401, 'session_invalid');
  expectProblem(
    await browser.post('/v1/sites', { key: 'x', name: 'X', defaultLocale: 'en' }),
    401,
    'token_invalid',
  );
});

test('staying signed in makes the cookie outlive the browser, for 30 days', async () => {
  const browser = new TestBrowser(server);
  const { email, password } = owner;
  const { json } = await browser.post('/auth/password', { email, password, staySignedIn: true });
  assert.match(browser.lastSetCookie ?? '', /; Max-Age=2592000;/);
  const lifetime = Date.parse(json.session.expiresAt) - Date.parse(json.session.authenticatedAt);
  assert.equal(lifetime, 30 * 86_400_000);
});

test('a wrong password and an unknown account get the same response', async () => {
  const browser = new TestBrowser(server);
  const member = await givePassword(auth, await createMember(worker, server.organization, 'VIEWER'));
  const wrong = await browser.post('/auth/password', { email: member.email, password: 'not the password' });
  const unknown = await browser.post('/auth/password', {
    email: 'nobody@example.com',
    password: 'not the password',
  });
  for (const response of [wrong, unknown]) expectProblem(response, 401, 'sign_in_failed');
  const comparable = ({ json, headers }: typeof wrong) => ({
    ...json,
    requestId: null,
    headers: [...headers.keys()].sort(),
  });
  assert.deepEqual(comparable(wrong), comparable(unknown));
});

test('a disabled account, and one without a password, cannot sign in', async () => {
  const browser = new TestBrowser(server);
  const disabled = await givePassword(auth, await createMember(worker, server.organization, 'VIEWER'));
  await worker.run(`UPDATE trellis.users SET status = 'DISABLED' WHERE id = $1`, [disabled.userId]);
  const { email, password } = disabled;
  expectProblem(await browser.post('/auth/password', { email, password }), 401, 'sign_in_failed');
  const bare = await createMember(worker, server.organization, 'VIEWER');
  const [row] = await worker.run('SELECT email FROM trellis.users WHERE id = $1', [bare]);
  expectProblem(await browser.post('/auth/password', { email: row?.[0], password }), 401, 'sign_in_failed');
});

test('a new sign-in ends the session that the browser had', async () => {
  const browser = new TestBrowser(server);
  await browser.signIn(owner);
  const before = browser.cookie;
  await browser.signIn(owner);
  assert.notEqual(browser.cookie, before);
  browser.cookie = before;
  expectProblem(await browser.get('/auth/session'), 401, 'session_invalid');
});

test('a step-up renews the cookie, in every organization; the old one is worth nothing', async () => {
  const browser = new TestBrowser(server);
  await browser.signIn(owner);
  const before = browser.cookie;
  assert.equal((await browser.get('/v1/sites')).status, 200);
  const stepped = await browser.post('/auth/session/step-up', { password: owner.password });
  assert.equal(stepped.status, 200, stepped.text);
  assert.notEqual(browser.cookie, before);
  assert.equal((await browser.get('/v1/sites')).status, 200);
  const old = new TestBrowser(server);
  old.cookie = before;
  old.organizationId = server.organization.id;
  old.userId = browser.userId;
  expectProblem(
    await old.post('/v1/sites', { key: 'y', name: 'Y', defaultLocale: 'en' }),
    401,
    'token_invalid',
  );
  expectProblem(await old.get('/auth/session'), 401, 'session_invalid');
});

test('a network asks so often a minute, whatever it asks', async () => {
  const limited = await startTestServer({ signIn: { callsPerNetwork: 3 }, trustedProxies: '127.0.0.1' });
  try {
    const here = new TestBrowser(limited, '192.0.2.1');
    for (let index = 0; index < 3; index += 1)
      assert.equal((await here.post('/auth/passkeys/begin')).status, 200);
    const refused = await new TestBrowser(limited, '192.0.2.77').post('/auth/passkeys/begin');
    expectProblem(refused, 429, 'rate_limited');
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal((await new TestBrowser(limited, '198.51.100.1').get('/auth/methods')).status, 200);
  } finally {
    await limited.close();
  }
});

test('secrets are stored nowhere', async () => {
  const browser = new TestBrowser(server);
  await browser.signIn(owner);
  const tables = await auth.run(
    `SELECT t.id::text, encode(t.secret_hash, 'hex'), encode(s.secret_hash, 'hex') FROM trellis.tokens t
     JOIN trellis.sessions s ON s.id = t.session_id`,
  );
  assert.ok(tables.length > 0);
  for (const row of tables) assert.notEqual(row[1], row[2]);
  assert.ok(!JSON.stringify(tables).includes(Buffer.from(browser.secret).toString('hex')));
});

test('over TLS the cookie is Secure and for this very host', () => {
  const key = Buffer.alloc(32, 1);
  const cookie = new SessionCookie(key, () => 'https://cms.example.com');
  const set = cookie.write('s'.repeat(43), null);
  assert.match(set, /^__Host-trellis_session_[0-9a-f]{8}=s{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
  const elsewhere = new SessionCookie(key, () => 'http://cms.example.com');
  assert.match(elsewhere.write('s'.repeat(43), null), /^__Host-.*Secure/, 'only loopback may do without');
  const other = new SessionCookie(Buffer.alloc(32, 2), () => 'https://cms.example.com');
  assert.equal(other.read(set.split(';')[0]), null, 'of another installation');
  assert.equal(cookie.read(set.split(';')[0]), 's'.repeat(43));
});

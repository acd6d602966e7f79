/** Signing in by an account at an OpenID Connect provider: a real one, over HTTP. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import Provider from 'oidc-provider';
import { Secret, TOTP } from 'otpauth';
import { givePassword, type TestAccount, TestBrowser } from '../support/browser-client.ts';
import { findFreePort } from '../support/free-port.ts';
import { createMember } from '../support/identities.ts';
import { expectProblem } from '../support/refusals.ts';
import { startTestServer } from '../support/server.ts';

const issuer = `http://127.0.0.1:${await findFreePort()}`;
const client = { issuer, clientId: 'trellis', clientSecret: 'a-secret-of-the-client', name: 'Test login' };
const server = await startTestServer({ signIn: { external: client } });
const { auth, worker } = server.database;
const redirectUri = `http://localhost:${new URL(server.url).port}/console/external`;
/** Who signs in at the provider next. */
let subject = 'alice';
let account: TestAccount;
/** When the provider says that somebody signed in, in seconds since 1970; null: now. */
let signedInAt: number | null = null;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: client.clientId,
      client_secret: client.clientSecret,
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
  // It says of everybody the same address: that of somebody who has an account here.
  findAccount: async (_context, id) => ({
    accountId: id,
    claims: async () => ({ sub: id, email: account.email, email_verified: true }),
  }),
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  pkce: { required: () => true },
});
const callback = provider.callback();
const provided = createServer((request, response) => {
  if (!request.url?.startsWith('/interaction/')) return callback(request, response);
  // Somebody who signs in and agrees to everything.
  consent().catch((error: unknown) => response.writeHead(500).end(String(error)));
  async function consent() {
    const { prompt, params, grantId, session } = await provider.interactionDetails(request, response);
    if (prompt.name === 'login') {
      const login = { accountId: subject, ...(signedInAt === null ? {} : { ts: signedInAt }) };
      return provider.interactionFinished(request, response, { login });
    }
    const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
    const grant =
      known ??
      new provider.Grant({ accountId: session?.accountId ?? '', clientId: String(params.client_id) });
    grant.addOIDCScope('openid');
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  }
});
provided.listen(Number(new URL(issuer).port), '127.0.0.1');
await once(provided, 'listening');
before(async () => {
  account = await givePassword(auth, await createMember(worker, server.organization, 'EDITOR'));
});
after(async () => {
  provided.closeAllConnections();
  provided.close();
  await server.close();
});

/** Follows the provider's redirects as a browser does, up to our page. @returns its query */
async function visit(address: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = address;
  for (let step = 0; step < 10; step += 1) {
    if (url.startsWith(redirectUri)) return new URL(url).search.slice(1);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = set.split(';', 1)[0]?.split('=') ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    assert.ok(location, `${url} responded with ${response.status}: ${await response.text()}`);
    url = new URL(location, url).href;
  }
  throw new Error('the provider redirects without an end');
}

/** Goes to the provider and comes back, with what to send to the callback. */
async function goThere(
  browser: TestBrowser,
  purpose: 'SIGN_IN' | 'CONNECT' | 'STEP_UP',
  change: (url: URL) => void = () => undefined,
) {
  const begun = await browser.post('/auth/external/begin', { purpose });
  assert.equal(begun.status, 200, begun.text);
  const url = new URL(begun.json.authorizationUrl);
  change(url);
  return { challenge: begun.json.challenge, query: await visit(url.href) };
}

/** What a provider makes of a request whose parameters it does not know: it says nothing of when somebody signed in. */
function withoutAge(url: URL): void {
  url.searchParams.delete('max_age');
  url.searchParams.delete('prompt');
}

test('an account that nobody has connected signs nobody in, whatever its e-mail address', async () => {
  const browser = new TestBrowser(server);
  assert.equal((await browser.get('/auth/methods')).json.external, 'Test login');
  const response = await browser.post('/auth/external/callback', await goThere(browser, 'SIGN_IN'));
  expectProblem(response, 401, 'sign_in_failed');
  assert.equal(browser.cookie, null);
});

test('a connected account signs in, until it is disconnected', async () => {
  const browser = new TestBrowser(server);
  expectProblem(await browser.post('/auth/external/begin', { purpose: 'CONNECT' }), 401, 'session_invalid');
  await browser.signIn(account);
  const forSomebodyElse = { headers: { 'trellis-user': 'user_00000000000000000000000000' } };
  const meant = await browser.post('/auth/external/begin', { purpose: 'CONNECT' }, forSomebodyElse);
  expectProblem(meant, 400, 'wrong_user');
  const connected = await browser.post('/auth/external/callback', await goThere(browser, 'CONNECT'));
  assert.equal(connected.status, 200, connected.text);
  const [identity] = (await browser.get('/auth/factors')).json.external;
  assert.deepEqual([identity.issuer, identity.subject], [issuer, 'alice']);

  const other = new TestBrowser(server);
  const signedIn = await other.post('/auth/external/callback', await goThere(other, 'SIGN_IN'));
  assert.equal(signedIn.json.user?.email, account.email, signedIn.text);
  assert.deepEqual(signedIn.json.session.methods, ['EXTERNAL']);

  subject = 'mallory';
  const outsider = new TestBrowser(server);
  expectProblem(
    await outsider.post('/auth/external/callback', await goThere(outsider, 'SIGN_IN')),
    401,
    'sign_in_failed',
  );
  subject = 'alice';

  assert.equal((await browser.call('DELETE', `/auth/factors/external/${identity.id}`)).status, 204);
  expectProblem(
    await other.post('/auth/external/callback', await goThere(other, 'SIGN_IN')),
    401,
    'sign_in_failed',
  );
});

test('connecting an account beside other factors needs a sign-in of the last 2 minutes', async () => {
  const browser = new TestBrowser(server);
  await browser.signIn(account);
  const old = `UPDATE trellis.sessions SET authenticated_at = now() - interval '3 minutes' WHERE user_id = $1`;
  await auth.run(old, [account.userId]);
  const refused = await browser.post('/auth/external/begin', { purpose: 'CONNECT' });
  expectProblem(refused, 401, 'insufficient_user_authentication');
  const { password } = account;
  assert.equal((await browser.post('/auth/session/step-up', { password })).status, 200);
  assert.equal((await browser.post('/auth/external/begin', { purpose: 'CONNECT' })).status, 200);
});

test('an account is connected with one person, by whoever began it', async () => {
  const browser = new TestBrowser(server);
  await browser.signIn(account);
  const back = await goThere(browser, 'CONNECT');
  const other = new TestBrowser(server);
  const somebody = await givePassword(auth, await createMember(worker, server.organization, 'VIEWER'));
  await other.signIn(somebody);
  expectProblem(
    await other.post('/auth/external/callback', back),
    401,
    'session_invalid',
    'of somebody else',
  );
  const own = await goThere(browser, 'CONNECT');
  assert.equal((await browser.post('/auth/external/callback', own)).status, 200);
  const second = await other.post('/auth/external/callback', await goThere(other, 'CONNECT'));
  expectProblem(second, 409, 'conflict');
});

test('what comes back is taken once, and only for what was begun in the same page', async () => {
  const browser = new TestBrowser(server);
  const first = await goThere(browser, 'SIGN_IN');
  const second = await goThere(browser, 'SIGN_IN');
  const mixed = { challenge: first.challenge, query: second.query };
  expectProblem(await browser.post('/auth/external/callback', mixed), 401, 'sign_in_failed', 'another state');
  expectProblem(
    await browser.post('/auth/external/callback', first),
    410,
    'challenge_invalid',
    'was spent by it',
  );
  assert.equal((await browser.post('/auth/external/callback', second)).status, 200);
  expectProblem(await browser.post('/auth/external/callback', second), 410, 'challenge_invalid');
});

/** A person whose account is connected with `subject` of the provider. */
async function createConnected(name: string, factors: { password?: boolean } = {}): Promise<string> {
  const userId = await createMember(worker, server.organization, 'OWNER');
  if (factors.password) await givePassword(auth, userId);
  await auth.run(
    'INSERT INTO trellis.external_identities (id, issuer, subject, user_id) VALUES ($1, $2, $3, $1)',
    [userId, issuer, name],
  );
  subject = name;
  return userId;
}

const daySeconds = 86_400;
const newPassword = { password: 'nine quiet harbours' };

async function signInThere(change?: (url: URL) => void): Promise<{ browser: TestBrowser; session: Session }> {
  const browser = new TestBrowser(server);
  const signedIn = await browser.post('/auth/external/callback', await goThere(browser, 'SIGN_IN', change));
  assert.equal(signedIn.json.status, 'SIGNED_IN', signedIn.text);
  await browser.enter(server.organization.id);
  return { browser, session: signedIn.json.session };
}
interface Session {
  readonly authenticatedAt: string;
}

/** @param seconds since 1970; two clocks are read one after the other */
function assertInstant(instant: string, seconds: number): void {
  assert.ok(Math.abs(Date.parse(instant) - seconds * 1_000) < 1_000, instant);
}

/** Changes that take a recent sign-in, below `/auth` and `/v1`, are refused. */
async function expectNotRecent(browser: TestBrowser): Promise<void> {
  for (const [method, path, body] of [
    ['PUT', '/auth/factors/password', newPassword],
    ['POST', '/auth/factors/totp', undefined],
    ['POST', '/v1/invitations', { email: 'grace@example.com', roleId: 'role_00000000000000000000000004' }],
  ] as const) {
    expectProblem(await browser.call(method, path, body), 401, 'insufficient_user_authentication', path);
  }
}

test('the sign-in is as old as the one at the provider', async () => {
  await createConnected('silent');
  signedInAt = Math.floor(Date.now() / 1_000) - daySeconds + 600;
  const { browser, session } = await signInThere();
  assertInstant(session.authenticatedAt, signedInAt);
  await expectNotRecent(browser);
  signedInAt = Math.floor(Date.now() / 1_000) - 14 * 60;
  const { browser: recent } = await signInThere();
  assert.equal((await recent.call('PUT', '/auth/factors/password', newPassword)).status, 204);
  signedInAt = null;
});

test('a sign-in at a provider that does not say when it was is not recent', async () => {
  await createConnected('vague');
  const { browser } = await signInThere(withoutAge);
  await expectNotRecent(browser);
});

test('a sign-in of the future is one of now', async () => {
  await createConnected('early');
  signedInAt = Math.floor(Date.now() / 1_000) + daySeconds;
  const { session } = await signInThere();
  signedInAt = null;
  assert.ok(Date.parse(session.authenticatedAt) <= Date.now() + 1_000);
});

test('with a second factor, too, the sign-in is as old as the one at the provider', async () => {
  const userId = await createConnected('both');
  const { browser } = await signInThere();
  const begun = (await browser.post('/auth/factors/totp')).json;
  const totp = new TOTP({ secret: Secret.fromBase32(begun.secret) });
  await browser.post('/auth/factors/totp/confirm', { challenge: begun.challenge, code: totp.generate() });
  await auth.run('UPDATE trellis.totp_secrets SET last_step = 0 WHERE user_id = $1', [userId]);
  signedInAt = Math.floor(Date.now() / 1_000) - 3_600;
  const other = new TestBrowser(server);
  const half = await other.post('/auth/external/callback', await goThere(other, 'SIGN_IN'));
  assert.equal(half.json.status, 'SECOND_FACTOR_REQUIRED', half.text);
  const { challenge } = half.json;
  const signedIn = await other.post('/auth/second-factor', { challenge, code: totp.generate() });
  assertInstant(signedIn.json.session.authenticatedAt, signedInAt);
  signedInAt = null;
  expectProblem(
    await other.post('/auth/session/step-up', { code: totp.generate() }),
    422,
    'validation_failed',
  );
});

test('a step-up has the provider ask again, and accepts no older one', async () => {
  await createConnected('again');
  expectProblem(
    await new TestBrowser(server).post('/auth/external/begin', { purpose: 'STEP_UP' }),
    401,
    'session_invalid',
  );
  signedInAt = Math.floor(Date.now() / 1_000) - 3_600;
  const { browser } = await signInThere();
  await expectNotRecent(browser);
  const returned = await goThere(browser, 'STEP_UP', ({ searchParams }) => {
    assert.equal(searchParams.get('prompt'), 'login');
    assert.equal(searchParams.get('max_age'), '0');
  });
  // The provider has responded with the sign-in of an hour ago all the same.
  expectProblem(await browser.post('/auth/external/callback', returned), 401, 'sign_in_failed');
  const unsaid = await goThere(browser, 'STEP_UP', withoutAge);
  expectProblem(await browser.post('/auth/external/callback', unsaid), 401, 'sign_in_failed');
  await expectNotRecent(browser);
  signedInAt = null;
  const before = browser.cookie;
  const fresh = await goThere(browser, 'STEP_UP');
  const stepped = await browser.post('/auth/external/callback', fresh);
  assert.equal(stepped.json.status, 'SIGNED_IN', stepped.text);
  assert.notEqual(browser.cookie, before);
  assert.equal((await browser.call('PUT', '/auth/factors/password', newPassword)).status, 204);
});

test('a step-up is by the account of who is signed in', async () => {
  await createConnected('somebody');
  await createConnected('person');
  const { browser } = await signInThere();
  subject = 'somebody';
  const other = await goThere(browser, 'STEP_UP');
  expectProblem(await browser.post('/auth/external/callback', other), 401, 'sign_in_failed');
  subject = 'person';
  const outsider = new TestBrowser(server);
  const own = await goThere(browser, 'STEP_UP');
  expectProblem(await outsider.post('/auth/external/callback', own), 401, 'session_invalid');
});

test('a step-up by a provider that knows one factor will not do where there is a passkey', async () => {
  const userId = await createConnected('keyholder');
  signedInAt = Math.floor(Date.now() / 1_000) - 3_600;
  const { browser } = await signInThere();
  signedInAt = null;
  await auth.run(
    `INSERT INTO trellis.passkeys (id, user_id, credential_id, public_key, sign_count, transports, name)
      VALUES ($1, $1, 'keyholder', '', 0, '{}', 'Key')`,
    [userId],
  );
  const returned = await goThere(browser, 'STEP_UP');
  expectProblem(await browser.post('/auth/external/callback', returned), 401, 'sign_in_failed');
  await expectNotRecent(browser);
});

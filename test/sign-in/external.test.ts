/** Signing in by an account at an OpenID Connect provider: a real one, over HTTP. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import Provider from 'oidc-provider';
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
      return provider.interactionFinished(request, response, { login: { accountId: subject } });
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
    assert.ok(location, `${url} answered ${response.status}: ${await response.text()}`);
    url = new URL(location, url).href;
  }
  throw new Error('the provider redirects without an end');
}

/** Goes to the provider and comes back, with what to send to the callback. */
async function goThere(browser: TestBrowser, purpose: 'SIGN_IN' | 'CONNECT') {
  const begun = await browser.post('/auth/external/begin', { purpose });
  assert.equal(begun.status, 200, begun.text);
  return { challenge: begun.json.challenge, query: await visit(begun.json.authorizationUrl) };
}

test('an account that nobody has connected signs nobody in, whatever its e-mail address', async () => {
  const browser = new TestBrowser(server);
  assert.equal((await browser.get('/auth/methods')).json.external, 'Test login');
  const answer = await browser.post('/auth/external/callback', await goThere(browser, 'SIGN_IN'));
  expectProblem(answer, 401, 'sign_in_failed');
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
  const stranger = new TestBrowser(server);
  expectProblem(
    await stranger.post('/auth/external/callback', await goThere(stranger, 'SIGN_IN')),
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

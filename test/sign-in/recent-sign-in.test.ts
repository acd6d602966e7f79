/** What takes a recent sign-in: every operation and route that is refused to a session whose sign-in is long ago. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { Secret, TOTP } from 'otpauth';
import { givePassword, type TestAccount, TestBrowser } from '../support/browser-client.ts';
import { attempt, createOwnWorld } from '../support/fixtures.ts';
import { expectProblem } from '../support/refusals.ts';
import { startTestServer } from '../support/server.ts';
import { makeOlder } from '../support/sign-in-age.ts';

// A provider that is not asked: the route is refused before.
const external = {
  issuer: 'http://127.0.0.1:9',
  clientId: 'trellis',
  clientSecret: 'a-secret',
  name: 'Login',
};
const server = await startTestServer({ signIn: { external } });
const { auth } = server.database;
const world = await createOwnWorld(server);
const browser = new TestBrowser(server);
let account: TestAccount;
let totp: TOTP;
after(() => server.close());

/** Somebody with two factors, who has signed in an hour ago. */
before(async () => {
  account = await givePassword(auth, server.ownerId);
  await browser.signIn(account);
  const { challenge, secret } = (await browser.post('/auth/factors/totp')).json;
  totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const confirmed = await browser.post('/auth/factors/totp/confirm', { challenge, code: totp.generate() });
  assert.equal(confirmed.status, 200, confirmed.text);
  await auth.run('UPDATE trellis.totp_secrets SET last_step = 0');
  await makeOlder(server.database, 'authenticated_at', 3_600);
});

/** The operations of the API that are refused now. */
async function refusedOperations(): Promise<string[]> {
  const headers = {
    cookie: browser.cookie ?? '',
    'sec-fetch-site': 'same-origin',
    'trellis-organization': encodeId('org', server.organization.id),
    'trellis-user': encodeId('user', server.ownerId),
  };
  const refused: string[] = [];
  for (const operation of server.server.operations) {
    const { json } = await attempt(world, operation, { token: null, headers, key: null });
    if (json?.code === 'insufficient_user_authentication') refused.push(operation.operationId);
  }
  return refused.sort();
}

/** The routes of signing in that are refused now. */
async function refusedRoutes(): Promise<string[]> {
  const refused: string[] = [];
  for (const [route, methods] of server.server.routes) {
    if (!route.startsWith('/auth/')) continue;
    for (const method of methods) {
      // What needs no recent sign-in is not to end the session of the test.
      if (method === 'HEAD' || `${method} ${route}` === 'DELETE /auth/session') continue;
      const body = route === '/auth/external/begin' ? { purpose: 'CONNECT' } : undefined;
      const { json } = await browser.call(method, route.replace(/:\w+/g, 'x'), body);
      if (json?.code === 'insufficient_user_authentication') refused.push(`${method} ${route}`);
    }
  }
  return refused.sort();
}

// The lists may only grow.
const operations: readonly string[] = [
  'createClient',
  'createInvitation',
  'createMember',
  'createRole',
  'createToken',
  'deleteClient',
  'deleteInvitation',
  'deleteMember',
  'deleteRole',
  'deleteSession',
  'deleteToken',
  'resendInvitation',
  'rotateToken',
  'rotateWebhookEndpointSecret',
  'updateClient',
  'updateMember',
  'updateOrganization',
  'updateRole',
  'updateToken',
];
const routes: readonly string[] = [
  'DELETE /auth/factors/external/:externalId',
  'DELETE /auth/factors/passkeys/:passkeyId',
  'DELETE /auth/factors/totp',
  'DELETE /auth/sessions/:sessionId',
  'POST /auth/external/begin',
  'POST /auth/factors/passkeys',
  'POST /auth/factors/passkeys/begin',
  'POST /auth/factors/recovery-codes',
  'POST /auth/factors/totp',
  'POST /auth/factors/totp/confirm',
  'PUT /auth/factors/password',
];

test('changes of access and of factors are refused, also after fewer proofs than there are', async () => {
  assert.deepEqual(await refusedOperations(), operations);
  assert.deepEqual(await refusedRoutes(), routes);
  const { password } = account;
  expectProblem(await browser.post('/auth/session/step-up', { password }), 422, 'validation_failed');
  const code = totp.generate();
  expectProblem(await browser.post('/auth/session/step-up', { code }), 422, 'validation_failed');
  assert.deepEqual(await refusedOperations(), operations);
  assert.deepEqual(await refusedRoutes(), routes);
  // The code was not spent by the refusal.
  const stepped = await browser.post('/auth/session/step-up', { password, code });
  assert.equal(stepped.status, 200, stepped.text);
  assert.deepEqual(await refusedOperations(), []);
});

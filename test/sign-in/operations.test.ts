/** Tests of every operation below `/auth`: who is refused, which requests are refused, and in which order. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import type { AuthOperation } from '@trellis/server/features/sign-in/http/operation.ts';
import { makeLink } from '@trellis/server/features/sign-in/links.ts';
import { givePassword, TestBrowser } from '../support/browser-client.ts';
import type { Variation } from '../support/fixtures.ts';
import { createMember } from '../support/identities.ts';
import { type Tried, testBody, testUndeclaredBody, testUnknownParameters } from '../support/inputs.ts';
import { authOperationList, foreignPointer } from '../support/operations.ts';
import { changesNothing, expectProblem, isSuccess } from '../support/refusals.ts';
import { startTestServer, type TestResponse } from '../support/server.ts';
import { TenantTables } from '../support/tenant-tables.ts';

const server = await startTestServer();
const { auth, worker } = server.database;
const tables = await TenantTables.open(server.database);
after(async () => {
  await tables.close();
  await server.close();
});

type Headers = Readonly<Record<string, string>>;

const page: Headers = { 'sec-fetch-site': 'same-origin' };
const otherUser = encodeId('user', await createMember(worker, server.organization, 'OWNER'));
/** By a link, and without a factor: may do everything at once. */
const browser = new TestBrowser(server);
/** By a password, an hour ago. */
const lateBrowser = new TestBrowser(server);

before(async () => {
  const newcomer = await createMember(worker, server.organization, 'EDITOR');
  const { secret } = await makeLink(auth, 'SIGN_IN', newcomer, '');
  const signedIn = await browser.post('/auth/links/redeem', { link: secret });
  assert.equal(signedIn.status, 200, signedIn.text);
  const member = await createMember(worker, server.organization, 'EDITOR');
  await lateBrowser.signIn(await givePassword(auth, member));
  await auth.run(
    `UPDATE trellis.sessions SET authenticated_at = authenticated_at - interval '1 hour' WHERE user_id = $1`,
    [member],
  );
});

/** The headers of a page on which somebody is signed in. */
function headersOf({ cookie, userId }: TestBrowser): Headers {
  return { ...page, cookie: cookie ?? '', 'trellis-user': userId ?? '' };
}

/** Sends the request with the example of its body, or with another one, or another query. */
function ask(
  operation: AuthOperation,
  headers: Headers,
  { query = '', rawBody, headers: more }: Pick<Variation, 'query' | 'rawBody' | 'headers'> = {},
): Promise<TestResponse> {
  const { method, body, pathParameters } = operation;
  const path = pathParameters.reduce(
    (target, { name, example }) => target.replace(`{${name}}`, String(example)),
    operation.path,
  );
  return server.call(method, path + query, {
    token: null,
    key: null,
    ...(rawBody === undefined ? { body: body?.example } : { rawBody }),
    headers: { ...headers, ...more },
  });
}

/** Sends a request that is refused as it is, whoever asks. */
function askBadly(operation: AuthOperation, headers: Headers): Promise<TestResponse> {
  const query = '?nonsense=1';
  if (operation.method === 'GET') return ask(operation, headers, { query });
  return ask(operation, headers, { query, rawBody: '{{{', headers: { 'content-type': 'text/plain' } });
}

/** Expects that a bad request was refused for what it is, and not for who asks. */
function expectAdmitted({ method }: AuthOperation, response: TestResponse): void {
  if (method === 'GET') expectProblem(response, 400, 'unknown_parameter');
  else expectProblem(response, 415, 'unsupported_media_type');
}

/** Expects that attempts change nothing in the organization, nor the factors and sessions of who is signed in. */
async function leavesEverything(attempts: () => Promise<void>): Promise<void> {
  const read = async () => {
    const [factors, sessions] = await Promise.all([
      browser.get('/auth/factors'),
      browser.get('/auth/sessions'),
    ]);
    assert.ok(isSuccess(factors) && isSuccess(sessions), `${factors.text} ${sessions.text}`);
    return [factors.json, sessions.json];
  };
  const earlier = await read();
  await changesNothing(tables, attempts);
  assert.deepEqual(await read(), earlier);
}

// The lists may only shrink.
test('few operations need no session, and one does not name its user', () => {
  const namesOf = (list: readonly AuthOperation[]) => list.map(({ operationId }) => operationId).sort();
  assert.deepEqual(namesOf(authOperationList.filter(({ access }) => access === 'anyone')), [
    'acceptInvitationWithNewAccount',
    'beginExternalSignIn',
    'beginPasskeySignIn',
    'finishExternalSignIn',
    'readInvitation',
    'readSignInMethods',
    'redeemLink',
    'requestPasswordReset',
    'resetPassword',
    'signInByPasskey',
    'signInByPassword',
    'signInBySecondFactor',
  ]);
  assert.deepEqual(namesOf(authOperationList.filter(({ tellsUser }) => tellsUser)), ['readSession']);
});

for (const [index, operation] of authOperationList.entries()) {
  const { operationId, method, access, tellsUser, body } = operation;

  test(`${operationId}: other origins, tokens, and whoever is not signed in are refused before the request is read`, () =>
    leavesEverything(async () => {
      const signedIn = headersOf(browser);
      const { 'sec-fetch-site': _site, ...unsaid } = signedIn;
      for (const site of ['cross-site', 'same-site', 'none']) {
        const foreign = { ...signedIn, 'sec-fetch-site': site };
        expectProblem(await askBadly(operation, foreign), 403, 'cross_site_request', site);
      }
      expectProblem(await askBadly(operation, unsaid), 403, 'cross_site_request');
      const origin = 'https://evil.example';
      expectProblem(await askBadly(operation, { ...unsaid, origin }), 403, 'cross_site_request');
      const token = { ...signedIn, authorization: `Bearer ${server.token}` };
      expectProblem(await askBadly(operation, token), 400, 'invalid_header');
      const unknown = { ...signedIn, cookie: `${browser.cookie?.split('=')[0]}=${'a'.repeat(43)}` };
      for (const headers of [page, unknown]) {
        const refused = await askBadly(operation, headers);
        if (access === 'anyone') expectAdmitted(operation, refused);
        else expectProblem(refused, 401, 'session_invalid');
      }
    }));

  test(`${operationId}: a request for nobody or for somebody else is refused if it needs a session`, () =>
    leavesEverything(async () => {
      const { 'trellis-user': _user, ...forNobody } = headersOf(browser);
      const forOther = { ...forNobody, 'trellis-user': otherUser };
      const [nobody, other] = [await askBadly(operation, forNobody), await askBadly(operation, forOther)];
      if (access === 'anyone' || tellsUser) {
        expectAdmitted(operation, nobody);
        expectAdmitted(operation, other);
      } else {
        expectProblem(nobody, 400, 'invalid_header');
        expectProblem(other, 400, 'wrong_user');
      }
    }));

  test(`${operationId}: a sign-in of an hour ago suffices unless a recent one is needed`, () =>
    leavesEverything(async () => {
      const refused = await askBadly(operation, headersOf(lateBrowser));
      if (access === 'anyone' || access === 'session') expectAdmitted(operation, refused);
      else expectProblem(refused, 401, 'insufficient_user_authentication');
    }));

  const tried: Tried = {
    operation,
    index,
    foreign: foreignPointer,
    validBody: () => ({ ...(body?.example as object) }),
    send: (variation) => ask(operation, headersOf(browser), variation),
    changesNothing: leavesEverything,
  };
  testBody(tried);
  testUnknownParameters(tried);
  if (method === 'GET') {
    test(`${operationId}: whoever may read gets what is documented, which no cache stores`, async () => {
      const response = await ask(operation, headersOf(browser));
      assert.ok(isSuccess(response), response.text);
      assert.equal(response.status, operation.success.status);
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.match(response.headers.get('vary') ?? '', /\bCookie, Origin, Sec-Fetch-Site, Trellis-User\b/);
    });
    continue;
  }
  if (body === null) testUndeclaredBody(tried);

  test(`${operationId}: a body that is too large or of another type is refused`, () =>
    leavesEverything(async () => {
      const large = ' '.repeat(65_537);
      expectProblem(await ask(operation, headersOf(browser), { rawBody: large }), 413, 'body_too_large');
      for (const type of ['text/plain', 'application/merge-patch+json', 'application/json; charset=latin1']) {
        const headers = { 'content-type': type };
        const refused = await ask(operation, headersOf(browser), { rawBody: '{}', headers });
        expectProblem(refused, 415, 'unsupported_media_type', type);
      }
    }));
}

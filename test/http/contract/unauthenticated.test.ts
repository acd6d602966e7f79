/**
 * Unauthenticated requests share the event loop as one organization: everything that they can ask for waits for its
 * turn, and what refusals cost is charged to whoever is refused.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { makeToken } from '@trellis/server/kernel/identity/tokens.ts';
import { unauthenticated } from '@trellis/server/kernel/lib/fair-queue.ts';
import { givePassword, type TestAccount, TestBrowser } from '../../support/browser-client.ts';
import { openRawConnection, requestHead } from '../../support/connections.ts';
import { createToken } from '../../support/identities.ts';
import { expectProblem } from '../../support/refusals.ts';
import { startTestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const server = await startTestServer();
const { turns } = server.database.api;
const enter = turns.enter.bind(turns);
const charge = turns.charge.bind(turns);
/** On whose behalf turns were begun since the start of the test. */
const entered: string[] = [];
const charged: string[] = [];
/** Set: unauthenticated requests wait for it. */
let hold: Promise<void> | null = null;
turns.enter = (key) => {
  entered.push(key);
  return key === unauthenticated && hold !== null ? hold : enter(key);
};
turns.charge = (key) => {
  charged.push(key);
  charge(key);
};

let owner: TestAccount;
before(async () => {
  owner = await givePassword(server.database.auth, server.ownerId);
  // From here on, the token is known.
  assert.equal((await server.call('GET', '/v1/sites')).status, 200);
});
beforeEach(() => {
  entered.length = 0;
  charged.length = 0;
});
after(() => server.close());

const credentials = { email: 'nobody@example.com', password: 'one of very many guesses' };

/** What a page of this server sends for somebody who is not signed in. */
const post = (path: string, body: object) => () => new TestBrowser(server).post(path, body);

const requests: Readonly<Record<string, () => Promise<{ readonly status: number }>>> = {
  'sign in by password': post('/auth/password', credentials),
  'redeem a link': post('/auth/links/redeem', { token: 'x'.repeat(43) }),
  'ask for a new password': post('/auth/password-resets', { email: credentials.email }),
  'redeem a new password': post('/auth/password-resets/redeem', { token: 'x'.repeat(43), newPassword: 'x' }),
  'return from elsewhere': post('/auth/external/callback', { state: 'x', code: 'x' }),
  'begin with a passkey': post('/auth/passkeys/begin', {}),
  'send no JSON': () =>
    fetch(`${server.url}/auth/password`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      body: '{',
    }),
  'come from another site': () => fetch(`${server.url}/auth/password`, { method: 'POST' }),
  'read a document': () => fetch(`${server.url}/docs/openapi.json`),
  'use a wrong method': () => fetch(`${server.url}/docs/openapi.json`, { method: 'DELETE' }),
  'identify with an unknown key': () =>
    fetch(`${server.url}/v1/visitors/identify`, { method: 'POST', headers: { 'x-client-key': 'none' } }),
  'call the sandbox without a token': () => fetch(`${server.url}/sandbox/plants`),
  'use an unknown token': () => server.call('GET', '/v1/sites', { token: makeToken(server.organization.id) }),
};

for (const [name, request] of Object.entries(requests)) {
  test(`unauthenticated requests that ${name} wait for their turn`, async () => {
    const waiting = Promise.withResolvers<void>();
    hold = waiting.promise;
    let hasResponse = false;
    const response = request().finally(() => {
      hasResponse = true;
    });
    await until('the request waits', async () => entered.includes(unauthenticated));
    // Others do not wait.
    assert.equal((await server.call('GET', '/v1/sites')).status, 200);
    assert.equal(hasResponse, false, 'it had its response out of turn');
    hold = null;
    waiting.resolve();
    const { status } = await response;
    assert.ok(status < 500, `the response was ${status}`);
    const others = entered.filter((key) => key !== unauthenticated);
    assert.deepEqual([...new Set(others)], [server.organization.id], 'of the other call');
    assert.deepEqual(
      [...new Set(charged)],
      status < 400 ? [] : [unauthenticated],
      'who pays for the refusal',
    );
  });
}

for (const [name, request, code] of [
  ['no token', { token: null }, 'token_missing'],
  ['a token of no form', { token: 'none' }, 'token_invalid'],
] as const) {
  test(`the refusal of ${name} is charged to unauthenticated requests`, async () => {
    expectProblem(await server.call('GET', '/v1/sites', request), 401, code);
    assert.deepEqual([entered, charged], [[], [unauthenticated]]);
  });
}

test('the refusal of an unknown path is charged to unauthenticated requests, with a token too', async () => {
  expectProblem(await server.call('GET', '/nothing'), 404, 'not_found');
  assert.deepEqual([entered, charged], [[], [unauthenticated]]);
});

test('a refusal of a known caller is charged to the organization', async () => {
  expectProblem(await server.call('GET', '/v1/sites?limit=0'), 400, 'invalid_parameter');
  assert.deepEqual([...new Set([...entered, ...charged])], [server.organization.id]);
  assert.equal(charged.length, 1);
});

test('an unauthenticated request whose body is cut off has had a turn', async () => {
  const connection = await openRawConnection(server.url);
  connection.write(
    `${requestHead('POST', '/auth/password', [
      'Sec-Fetch-Site: same-origin',
      'Content-Type: application/json',
      'Content-Length: 500',
    ])}{"email":`,
  );
  await until('it has begun', async () => entered.includes(unauthenticated));
  connection.socket.destroy();
  await connection.closed;
  assert.deepEqual([...new Set(entered)], [unauthenticated]);
});

test('a request of an organization has had a turn before its body arrives', async () => {
  const connection = await openRawConnection(server.url);
  connection.write(
    `${requestHead('POST', '/v1/sites', [
      `Authorization: Bearer ${server.token}`,
      'Idempotency-Key: cut-off',
      'Content-Type: application/json',
      'Content-Length: 500',
    ])}{"name":`,
  );
  await until('it has begun', async () => entered.length > 0);
  connection.socket.destroy();
  await connection.closed;
  assert.deepEqual([...new Set(entered)], [server.organization.id]);
});

test('who is signed in does not wait with unauthenticated requests when the session is known', async () => {
  const browser = new TestBrowser(server);
  await browser.signIn(owner);
  entered.length = 0;
  assert.equal((await browser.get('/auth/session')).status, 200);
  assert.deepEqual(entered, [unauthenticated, `person ${owner.userId}`]);
});

test('an unknown token is looked up once in some seconds, and a new one is known at once', async () => {
  const { api, worker } = server.database;
  const original = api.queryPresented.bind(api);
  let looks = 0;
  api.queryPresented = (...parameters) => {
    looks += 1;
    return original(...parameters);
  };
  const unknown = makeToken(server.organization.id);
  for (let round = 0; round < 5; round += 1) {
    expectProblem(await server.call('GET', '/v1/sites', { token: unknown }), 401, 'token_invalid');
  }
  assert.equal(looks, 1);
  const { token } = await createToken(worker, server.organization, server.ownerId);
  assert.equal((await server.call('GET', '/v1/sites', { token })).status, 200);
  assert.equal(looks, 2);
  api.queryPresented = original;
});

test('the connections of one caller whose token is not known yet wait for one look-up, and none is refused', async () => {
  const { api, worker } = server.database;
  const original = api.queryPresented.bind(api);
  let looks = 0;
  api.queryPresented = (...parameters) => {
    looks += 1;
    return original(...parameters);
  };
  const { token } = await createToken(worker, server.organization, server.ownerId);
  const waiting = Promise.withResolvers<void>();
  hold = waiting.promise;
  const responses = Promise.all(Array.from({ length: 300 }, () => server.call('GET', '/v1/me', { token })));
  await until('it waits', async () => entered.includes(unauthenticated));
  hold = null;
  waiting.resolve();
  const statuses = (await responses).map(({ status }) => status);
  assert.deepEqual([...new Set(statuses)], [200]);
  assert.equal(looks, 1);
  api.queryPresented = original;
});

test('people of one address who come at once are not refused', async () => {
  const waiting = Promise.withResolvers<void>();
  hold = waiting.promise;
  const ask = () => fetch(`${server.url}/auth/session`, { headers: { 'sec-fetch-site': 'same-origin' } });
  const responses = Promise.all(Array.from({ length: 600 }, ask));
  await until('all of them wait', async () => entered.length === 600);
  hold = null;
  waiting.resolve();
  const statuses = (await responses).map(({ status }) => status);
  assert.deepEqual([...new Set(statuses)], [401]);
});

test('probes have no turns', async () => {
  for (const path of ['/healthz', '/readyz']) await fetch(`${server.url}${path}`);
  assert.deepEqual([entered, charged], [[], []]);
});

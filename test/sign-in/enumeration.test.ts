/**
 * A session opens what a token opens, and nothing that was not caused by a page of this server for an organization that it was
 * entered in and for its own user: every operation, with everything that must be refused.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import type { Operation } from '@trellis/server/kernel/http/operation.ts';
import { givePassword, type TestAccount, TestBrowser } from '../support/browser-client.ts';
import { attempt, createOtherWorld, createOwnWorld, freshIds, type Variation } from '../support/fixtures.ts';
import { createMember } from '../support/identities.ts';
import { changesNothing, expectProblem, isSuccess } from '../support/refusals.ts';
import { startTestServer } from '../support/server.ts';
import { TenantTables } from '../support/tenant-tables.ts';

const server = await startTestServer();
const { auth } = server.database;
const tables = await TenantTables.open(server.database);
const world = await createOwnWorld(server);
const other = await createOtherWorld(server);
const otherUser = encodeId('user', await createMember(server.database.worker, other.organization, 'OWNER'));
const browser = new TestBrowser(server);
/** Headers of a page of this server. */
let page: Record<string, string> = {};
after(async () => {
  await tables.close();
  await server.close();
});
before(async () => {
  await browser.signIn(await givePassword(auth, server.ownerId));
  page = {
    cookie: browser.cookie ?? '',
    'sec-fetch-site': 'same-origin',
    'trellis-organization': encodeId('org', server.organization.id),
    'trellis-user': encodeId('user', server.ownerId),
  };
});

function tryAs(operation: Operation, headers: Record<string, string>, variation: Variation = {}) {
  return attempt(world, operation, { token: null, ...variation, headers });
}

/** Ways of asking that are refused, with status and code. */
function refusals(): {
  what: string;
  headers: Record<string, string>;
  token?: string;
  response: [number, string];
}[] {
  const { 'trellis-organization': organization = '', 'sec-fetch-site': _site, ...bare } = page;
  const { 'trellis-user': _user, ...forNobody } = page;
  const origin = 'https://evil.example';
  const own = new URL(server.url).port;
  return [
    {
      what: 'no organization',
      headers: { ...bare, 'sec-fetch-site': 'same-origin' },
      response: [400, 'invalid_header'],
    },
    {
      what: 'an organization that is none',
      headers: { ...page, 'trellis-organization': 'acme' },
      response: [400, 'invalid_header'],
    },
    {
      what: 'another organization',
      headers: { ...page, 'trellis-organization': encodeId('org', other.organization.id) },
      response: [401, 'token_invalid'],
    },
    { what: 'no user', headers: forNobody, response: [400, 'invalid_header'] },
    {
      what: 'a user that is none',
      headers: { ...page, 'trellis-user': 'ada' },
      response: [400, 'invalid_header'],
    },
    {
      what: 'another user',
      headers: { ...page, 'trellis-user': otherUser },
      response: [400, 'wrong_user'],
    },
    {
      what: 'a foreign Origin',
      headers: { ...bare, 'trellis-organization': organization, origin },
      response: [403, 'cross_site_request'],
    },
    {
      what: 'the Origin of another port',
      headers: {
        ...bare,
        'trellis-organization': organization,
        origin: `http://localhost:${Number(own) + 1}`,
      },
      response: [403, 'cross_site_request'],
    },
    {
      what: 'neither Origin nor Sec-Fetch-Site',
      headers: { ...bare, 'trellis-organization': organization },
      response: [403, 'cross_site_request'],
    },
    ...['cross-site', 'same-site', 'none'].map((site) => ({
      what: `Sec-Fetch-Site: ${site}`,
      headers: { ...page, 'sec-fetch-site': site, origin: `http://localhost:${own}` },
      response: [403, 'cross_site_request'] as [number, string],
    })),
    {
      what: 'the cookie as a bearer token',
      headers: { 'trellis-organization': organization, authorization: `Bearer ${browser.secret}` },
      response: [401, 'token_invalid'],
    },
    { what: 'cookie and bearer token', headers: page, token: world.token, response: [400, 'invalid_header'] },
    {
      what: 'a cookie of the right form that nobody has',
      headers: { ...page, cookie: `${browser.cookie?.split('=')[0]}=${'a'.repeat(43)}` },
      response: [401, 'token_invalid'],
    },
    {
      what: 'an empty cookie',
      headers: { ...page, cookie: `${browser.cookie?.split('=')[0]}=` },
      response: [401, 'token_invalid'],
    },
    {
      what: 'the cookie of another installation',
      headers: { ...page, cookie: `trellis_session_00000000=${browser.secret}` },
      response: [401, 'token_missing'],
    },
  ];
}

for (const operation of server.server.operations) {
  test(`${operation.operationId}: a session opens it, by its page alone`, async () => {
    await changesNothing(tables, async () => {
      for (const { what, headers, token, response } of refusals()) {
        const refused = await tryAs(operation, headers, token === undefined ? {} : { token });
        expectProblem(refused, ...response, what);
      }
    });
    const response = await tryAs(operation, page, { ids: await freshIds(world, operation) });
    assert.ok(isSuccess(response), response.text);
    assert.equal(response.headers.get('cache-control'), 'no-store');
  });
}

test('without Sec-Fetch-Site the own Origin will do', async () => {
  const { 'sec-fetch-site': _site, ...headers } = page;
  const origin = `http://localhost:${new URL(server.url).port}`;
  const response = await server.call('GET', '/v1/sites', { token: null, headers: { ...headers, origin } });
  assert.equal(response.status, 200, response.text);
});

/** Ways in which a session ends; $1 is the organization. */
const ends = [
  [
    'is revoked',
    'UPDATE trellis.tokens SET revoked_at = now() WHERE session_id IS NOT NULL AND organization_id = $1',
  ],
  [
    'is idle',
    `UPDATE trellis.tokens SET last_used_at = now() - interval '61 minutes' WHERE session_id IS NOT NULL AND organization_id = $1`,
  ],
  [
    'has expired',
    `UPDATE trellis.tokens SET expires_at = now() WHERE session_id IS NOT NULL AND organization_id = $1`,
  ],
  [
    'lacks a factor',
    'UPDATE trellis.organizations SET mfa_required = true WHERE id = $1',
    'insufficient_user_authentication',
  ],
] as const;

for (const [what, sql, code = 'token_invalid'] of ends) {
  test(`a session that ${what} opens no operation`, async () => {
    const own = new TestBrowser(server);
    const [row] = await auth.run('SELECT email FROM trellis.users WHERE id = $1', [server.ownerId]);
    await own.signIn({ userId: server.ownerId, email: row?.[0] ?? '', password: 'seven lighthouses hum' });
    const headers = { ...page, cookie: own.cookie ?? '' };
    const fresh = new Map<Operation, ReadonlyMap<string, string>>();
    for (const operation of server.server.operations) fresh.set(operation, await freshIds(world, operation));
    await tables.run(sql, [server.organization.id]);
    try {
      await changesNothing(tables, async () => {
        for (const operation of server.server.operations) {
          const refused = await tryAs(operation, headers, { ids: fresh.get(operation) ?? world.ids });
          expectProblem(refused, 401, code, operation.operationId);
        }
      });
    } finally {
      await tables.run('UPDATE trellis.organizations SET mfa_required = false WHERE id = $1', [
        server.organization.id,
      ]);
    }
  });
}

test('the key of what is stored in browsers is one for each user, and given to that user alone', async () => {
  const path = '/auth/storage-key';
  const [account, colleague] = await Promise.all([newAccount(), newAccount()]);
  const keyOf = async (of: TestAccount) => {
    const own = new TestBrowser(server);
    await own.signIn(of);
    const response = await own.get(path);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(Buffer.from(response.json.key, 'base64').length, 32);
    return { own, key: response.json.key };
  };
  const { own, key } = await keyOf(account);
  assert.equal((await keyOf(account)).key, key, 'in another session');
  const password = 'eleven buoys ring';
  assert.equal(
    (await own.call('PUT', '/auth/factors/password', { password, currentPassword: account.password })).status,
    204,
  );
  assert.equal((await keyOf({ ...account, password })).key, key, 'after a change of the password');
  assert.notEqual((await keyOf(colleague)).key, key);
});

async function newAccount(): Promise<TestAccount> {
  const member = await createMember(server.database.worker, server.organization, 'EDITOR');
  return givePassword(auth, member);
}

test('an organization that somebody is no member of cannot be entered', async () => {
  for (const id of [encodeId('org', other.organization.id), 'org_00000000000000000000000000', 'x']) {
    expectProblem(await browser.post(`/auth/organizations/${id}/enter`), 404, 'not_found', id);
  }
});

/**
 * The token of a session that cannot publish, which the header `Trellis-Session-Scopes` chooses: what it opens, that it is never told
 * apart from its session, and that it ends with it.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { versionTransitions } from '@trellis/schema/resources/article-transitions.ts';
import { allScopes, draftScopes } from '@trellis/schema/rights/scopes.ts';
import { decodeId, encodeId } from '@trellis/schema/values/ids.ts';
import { listTokens, revokeToken } from '@trellis/server/features/access/tokens.ts';
import { removeUser } from '@trellis/server/features/access/users.ts';
import { Authenticator } from '@trellis/server/kernel/identity/authenticator.ts';
import { SessionCookie } from '@trellis/server/kernel/identity/session-cookie.ts';
import { inOneHour, TestArticles } from '../support/articles.ts';
import { givePassword, type TestAccount, TestBrowser } from '../support/browser-client.ts';
import { attempt, createOwnWorld, freshIds, operationsFor } from '../support/fixtures.ts';
import { createMember } from '../support/identities.ts';
import { changesNothing, expectProblem, isSuccess } from '../support/refusals.ts';
import { startTestServer, type TestResponse } from '../support/server.ts';
import { TenantTables } from '../support/tenant-tables.ts';

const server = await startTestServer();
const { auth, worker } = server.database;
const tables = await TenantTables.open(server.database);
const world = await createOwnWorld(server);
const articles = await TestArticles.inNewSite(server, 'drafts');
const drafts = { 'trellis-session-scopes': 'drafts' } as const;
let editor: TestAccount;
let admin: TestAccount;
after(async () => {
  await tables.close();
  await server.close();
});
before(async () => {
  editor = await newMember('EDITOR');
  admin = await newMember('ADMIN');
});

async function newMember(role: 'OWNER' | 'ADMIN' | 'EDITOR'): Promise<TestAccount> {
  return givePassword(auth, await createMember(worker, server.organization, role));
}

async function signIn(account: TestAccount): Promise<TestBrowser> {
  const browser = new TestBrowser(server);
  await browser.signIn(account);
  return browser;
}

/** A request with the token for drafts. */
function asDraft(browser: TestBrowser, method: string, path: string, body?: unknown): Promise<TestResponse> {
  return browser.call(method, path, body, { headers: drafts });
}

/** Headers of a page of this server. */
const pageOf = (browser: TestBrowser) => ({
  cookie: browser.cookie ?? '',
  'sec-fetch-site': 'same-origin',
  'trellis-organization': encodeId('org', server.organization.id),
  'trellis-user': browser.userId ?? '',
});

const idOf = async (browser: TestBrowser): Promise<string> =>
  (await browser.get('/auth/session')).json.session.id;

/** The types of the events about sessions since the last call. */
async function newEvents(): Promise<string[]> {
  const rows = await worker.run(
    `WITH gone AS (DELETE FROM trellis.outbox RETURNING *) SELECT type FROM gone WHERE subject_type = 'session'`,
  );
  return rows.map(([type]) => type ?? '');
}

test('it has the scopes of what is published by a scope of its own, and none that publishes', () => {
  assert.deepEqual(draftScopes, ['articles:read', 'articles:write']);
  for (const scope of draftScopes) assert.ok(allScopes.includes(scope), scope);
});

test('it opens the operations on drafts, and is refused by all others, which change nothing', async () => {
  const browser = await signIn(await newMember('OWNER'));
  const headers = { ...pageOf(browser), ...drafts };
  const opened: string[] = [];
  for (const operation of operationsFor(world)) {
    const { operationId, requirement } = operation;
    if (requirement.scopes.every((scope) => draftScopes.includes(scope))) {
      const response = await attempt(world, operation, {
        token: null,
        headers,
        ids: await freshIds(world, operation),
      });
      assert.ok(isSuccess(response), `${operationId}: ${response.text}`);
      opened.push(operationId);
      continue;
    }
    await changesNothing(tables, async () => {
      expectProblem(
        await attempt(world, operation, { token: null, headers }),
        403,
        'insufficient_scope',
        operationId,
      );
    });
  }
  const ofArticles = server.server.operations.filter(({ path }) => path.includes('/articles'));
  const forEverybody = [
    'getMe',
    'getWaiting',
    'listTrash',
    'getOpenApi',
    'getAsyncApi',
    'getVisitorLookupChangelog',
  ];
  assert.deepEqual(
    opened.sort(),
    [...ofArticles.map(({ operationId }) => operationId), ...forEverybody].sort(),
  );
});

test('no transition that publishes is made with it', async () => {
  const browser = await signIn(editor);
  let tried = 0;
  for (const from of ['DRAFT', 'IN_REVIEW', 'APPROVED', 'SCHEDULED', 'PUBLISHED', 'UNPUBLISHED'] as const) {
    for (const [status, right] of Object.entries(versionTransitions[from])) {
      if (right !== 'publish') continue;
      const path = await articles.createWithStatus(from);
      const versionData = { status, ...(status === 'SCHEDULED' ? { scheduledFor: inOneHour() } : {}) };
      await changesNothing(tables, async () => {
        const refused = await asDraft(browser, 'PATCH', path, { versionData });
        expectProblem(refused, 403, 'insufficient_scope', `${from} to ${status}`);
        assert.ok(refused.json.requiredScopes.includes('articles:publish'), refused.text);
      });
      const allowed = await browser.call('PATCH', path, { versionData });
      assert.equal(allowed.status, 200, `${from} to ${status}: ${allowed.text}`);
      tried += 1;
    }
  }
  assert.ok(tried >= 9, String(tried));
});

test('nothing that readers see is changed with it, and a draft beside it is', async () => {
  const browser = await signIn(editor);
  const path = await articles.createWithStatus('PUBLISHED');
  await changesNothing(tables, async () => {
    for (const [method, body] of [
      ['PATCH', { articleData: { allowComments: true } }],
      ['PATCH', { versionData: { title: 'At once', status: 'PUBLISHED' } }],
      ['DELETE', undefined],
    ] as const)
      expectProblem(await asDraft(browser, method, path, body), 403, 'insufficient_scope', method);
  });
  const saved = await asDraft(browser, 'PATCH', path, { versionData: { title: 'Later' } });
  assert.equal(saved.status, 200, saved.text);
  assert.deepEqual([saved.json.state, saved.json.publishedVersionNumber], ['CHANGED', 1]);
});

test('the header has one value, and limits sessions alone', async () => {
  const browser = await signIn(editor);
  for (const value of ['', 'all', 'Drafts', 'drafts, drafts', 'articles:write']) {
    const refused = await browser.call('GET', '/v1/me', undefined, {
      headers: { 'trellis-session-scopes': value },
    });
    expectProblem(refused, 400, 'invalid_header', value);
    assert.equal(refused.json.errors[0].header, 'Trellis-Session-Scopes');
  }
  const withToken = await server.call('GET', '/v1/me', { headers: drafts });
  expectProblem(withToken, 400, 'invalid_header');
  assert.equal(withToken.json.errors[0].header, 'Trellis-Session-Scopes');
  // A page whose session has ended elsewhere signs in again; its request was not wrong.
  expectProblem(await server.call('GET', '/v1/me', { token: null, headers: drafts }), 401, 'token_missing');
  const foreign = await browser.call('GET', '/v1/me', undefined, {
    headers: { ...drafts, 'sec-fetch-site': 'cross-site' },
  });
  expectProblem(foreign, 403, 'cross_site_request');
  const { json, headers } = await asDraft(browser, 'GET', '/v1/me');
  assert.deepEqual(json.scopes, draftScopes);
  assert.match(headers.get('vary') ?? '', /\bTrellis-Session-Scopes\b/);
});

test('a session with both tokens is one session, told of once', async () => {
  const account = await newMember('EDITOR');
  await newEvents();
  const browser = await signIn(account);
  await browser.enter(server.organization.id);
  assert.deepEqual(await newEvents(), ['session.created']);
  const path = await articles.createWithStatus('DRAFT');
  assert.equal((await asDraft(browser, 'PATCH', path, { versionData: { title: 'Saved' } })).status, 200);
  const id = await idOf(browser);
  const { items } = (await browser.get('/v1/sessions')).json;
  assert.deepEqual(
    items.map((session: { id: string }) => session.id),
    [id],
  );
  assert.equal((await browser.get('/auth/sessions')).json.items.length, 1);
  const tokens = (await listTokens(worker)).filter(({ user }) => user === account.email);
  assert.deepEqual(
    tokens.map(({ scopes }) => scopes),
    [allScopes],
  );
  await newEvents();
  const cookie = browser.cookie ?? '';
  assert.equal((await browser.post('/auth/session/step-up', { password: account.password })).status, 200);
  assert.deepEqual(await newEvents(), ['session.updated']);
  for (const headers of [{}, drafts]) {
    assert.equal((await browser.call('GET', '/v1/me', undefined, { headers })).status, 200);
    // A write: reads may use state that is two seconds old.
    const old = await browser.call('POST', articles.path, {}, { headers: { ...headers, cookie } });
    expectProblem(old, 401, 'token_invalid');
  }
});

test('a request that is repeated with the other token of the session is the same one, and a publication is not', async () => {
  const browser = await signIn(editor);
  const path = await articles.createWithStatus('DRAFT');
  const send = (key: string, versionData: object, headers: Record<string, string>) =>
    server.call('PATCH', path, {
      token: null,
      key,
      body: { versionData },
      headers: { ...pageOf(browser), ...headers },
    });
  for (const [key, first, second] of [
    ['drafts first', drafts, {}],
    ['drafts second', {}, drafts],
  ] as const) {
    const name = key.replace(' ', '-');
    const done = await send(name, { title: key }, first);
    assert.equal(done.status, 200, done.text);
    const repeated = await send(name, { title: key }, second);
    assert.equal(repeated.headers.get('idempotent-replayed'), 'true');
    assert.equal(repeated.text, done.text);
  }
  assert.equal((await send('publish', { status: 'PUBLISHED' }, {})).status, 200);
  expectProblem(await send('publish', { status: 'PUBLISHED' }, drafts), 403, 'insufficient_scope');
});

/** Ways in which a session ends, with what is told of it. */
const ends: Readonly<
  Record<string, (own: TestBrowser, account: TestAccount, other: TestBrowser) => Promise<unknown>>
> = {
  'signs out': (own) => own.call('DELETE', '/auth/session'),
  'is ended by the person': async (_own, account) => {
    const laptop = await signIn(account);
    const [, older] = (await laptop.get('/auth/sessions')).json.items;
    await newEvents();
    return laptop.call('DELETE', `/auth/sessions/${older.id}`);
  },
  'is ended in the organization': async (own, _account, other) =>
    other.call('DELETE', `/v1/sessions/${await idOf(own)}`),
  'ends with a new password': async (_own, account) => {
    const laptop = await signIn(account);
    await newEvents();
    return laptop.call('PUT', '/auth/factors/password', {
      password: 'nine quiet harbours',
      currentPassword: account.password,
    });
  },
  'ends with the membership': (_own, { userId }, other) =>
    other.call('DELETE', `/v1/members/${encodeId('user', userId)}`),
  'ends with the membership, by an operator': async (_own, { email }) => {
    const [row] = await worker.run('SELECT key FROM trellis.organizations WHERE id = $1', [
      server.organization.id,
    ]);
    await worker.run('UPDATE trellis.users SET email_normalized = email WHERE email = $1', [email]);
    return removeUser(worker, { email, organization: row?.[0] ?? '' });
  },
};

for (const [how, end] of Object.entries(ends)) {
  test(`when a session ${how}, neither of its tokens opens anything, and it is told once`, async () => {
    const other = await signIn(admin);
    const account = await newMember('EDITOR');
    const own = await signIn(account);
    const cookie = own.cookie ?? '';
    const id = await idOf(own);
    for (const headers of [{}, drafts])
      assert.equal((await own.call('GET', '/v1/me', undefined, { headers })).status, 200);
    await newEvents();
    const response = await end(own, account, other);
    assert.ok(response !== null);
    assert.deepEqual(
      (await newEvents()).filter((type) => type === 'session.deleted'),
      ['session.deleted'],
    );
    for (const headers of [{}, drafts]) {
      // A write is checked by current state; reads may use state that is two seconds old.
      const refused = await own.call('POST', articles.path, {}, { headers: { ...headers, cookie } });
      expectProblem(refused, 401, 'token_invalid');
    }
    const left = await worker.run(
      'SELECT id FROM trellis.tokens WHERE session_id = $1 AND revoked_at IS NULL',
      [decodeId('ses', id)],
    );
    assert.deepEqual(left, []);
  });
}

test('an operator who revokes either token of a session revokes both', async () => {
  for (const draftsOnly of [false, true]) {
    const browser = await signIn(await newMember('EDITOR'));
    const [row] = await worker.run(
      'SELECT id FROM trellis.tokens WHERE session_id = $1 AND drafts_only = $2',
      [decodeId('ses', await idOf(browser)), String(draftsOnly)],
    );
    await revokeToken(worker, encodeId('token', row?.[0] ?? ''));
    for (const headers of [{}, drafts]) {
      const refused = await browser.call('POST', articles.path, {}, { headers });
      expectProblem(refused, 401, 'token_invalid');
    }
    const path = `/auth/organizations/${encodeId('org', server.organization.id)}/enter`;
    expectProblem(await browser.post(path), 401, 'session_invalid');
  }
});

test('both tokens expire with the session', async () => {
  const browser = await signIn(editor);
  const rows = await auth.run(
    `SELECT t.expires_at = s.expires_at, t.idle_seconds = s.idle_seconds, t.authenticated_at = s.authenticated_at,
       t.multi_factor = s.multi_factor, t.client_id FROM trellis.tokens t JOIN trellis.sessions s ON s.id = t.session_id
     WHERE s.id = $1`,
    [decodeId('ses', await idOf(browser))],
  );
  assert.equal(rows.length, 2);
  assert.deepEqual(rows[0], rows[1]);
  assert.deepEqual(rows[0]?.slice(0, 4), ['t', 't', 't', 't']);
});

test('requests with either token are no use of the session; what the person does is that of both', async () => {
  const browser = await signIn(editor);
  const session = decodeId('ses', await idOf(browser));
  const cookie = new SessionCookie(randomBytes(32), () => server.url);
  const authenticator = new Authenticator(server.database.api, cookie);
  for (const headers of [{}, drafts]) {
    await worker.run(
      `UPDATE trellis.tokens SET last_used_at = now() - interval '50 minutes' WHERE session_id = $1`,
      [session],
    );
    const credentials = await authenticator.presentRequest({
      ...pageOf(browser),
      cookie: `${cookie.name()}=${browser.secret}`,
      ...headers,
    });
    await authenticator.currentActor(credentials, 'api');
    // It writes what was used.
    await authenticator.close();
    const rows = await worker.run(
      `SELECT last_used_at > now() - interval '1 minute' FROM trellis.tokens WHERE session_id = $1`,
      [session],
    );
    assert.deepEqual(rows, [['f'], ['f']]);
  }
  assert.equal((await browser.post('/auth/session/use')).status, 204);
  const rows = await worker.run(
    `SELECT last_used_at > now() - interval '1 minute' FROM trellis.tokens WHERE session_id = $1`,
    [session],
  );
  assert.deepEqual(rows, [['t'], ['t']]);
});

test('what either token deletes counts as deleted by the session', async () => {
  const browser = await signIn(editor);
  const session = decodeId('ses', await idOf(browser));
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => articles.createWithStatus('DRAFT')));
  await worker.run(
    `UPDATE trellis.tokens SET authenticated_at = now() - interval '16 minutes', deletions = 98, deletions_since = now()
     WHERE session_id = $1 AND NOT drafts_only`,
    [session],
  );
  await worker.run(
    `UPDATE trellis.tokens SET authenticated_at = now() - interval '16 minutes' WHERE session_id = $1`,
    [session],
  );
  assert.equal((await asDraft(browser, 'DELETE', first ?? '')).status, 204);
  assert.equal((await browser.call('DELETE', second ?? '')).status, 204);
  for (const headers of [{}, drafts]) {
    const refused = await browser.call('DELETE', third ?? '', undefined, { headers });
    expectProblem(refused, 401, 'insufficient_user_authentication');
  }
});

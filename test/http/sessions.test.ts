/** Sessions over HTTP: people see and end their own, administrators everybody's, and an end applies at once. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeId, encodeId } from '@trellis/schema/values/ids.ts';
import { removeUser } from '@trellis/server/features/access/users.ts';
import { describeDevice } from '@trellis/server/features/sign-in/device.ts';
import { parseTextArray } from '@trellis/server/kernel/database/values.ts';
import { givePassword, type TestAccount, TestBrowser } from '../support/browser-client.ts';
import { createMember, createToken } from '../support/identities.ts';
import { expectProblem, wasTurnedAway } from '../support/refusals.ts';
import { type Json, startTestServer, type TestResponse } from '../support/server.ts';

const server = await startTestServer();
const { auth, worker } = server.database;
after(() => server.close());

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0';
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

async function person(role: 'OWNER' | 'ADMIN' | 'EDITOR' | 'VIEWER'): Promise<TestAccount> {
  return givePassword(auth, await createMember(worker, server.organization, role));
}

/** Signs in with a User-Agent, and enters the organization. */
async function open({ email, password }: TestAccount, userAgent = firefox): Promise<TestBrowser> {
  const browser = new TestBrowser(server);
  const headers = { 'user-agent': userAgent };
  const response = await browser.post('/auth/password', { email, password }, { headers });
  assert.equal(response.json?.status, 'SIGNED_IN', response.text);
  await browser.enter(server.organization.id);
  return browser;
}

const list = async (browser: TestBrowser, query = ''): Promise<Json[]> => {
  const response = await browser.get(`/v1/sessions${query}`);
  assert.equal(response.status, 200, response.text);
  return response.json.items;
};

let editor: TestAccount;
let admin: TestAccount;
before(async () => {
  editor = await person('EDITOR');
  admin = await person('ADMIN');
});

/** The types of events about sessions since the last call. */
async function newEvents(): Promise<(string | null)[]> {
  const rows = await worker.run(
    `WITH gone AS (DELETE FROM trellis.outbox RETURNING *) SELECT type FROM gone WHERE subject_type = 'session'`,
  );
  return rows.map(([type]) => type ?? null);
}

test('people see their own sessions, with the browser of each', async () => {
  const laptop = await open(editor);
  await open(editor, safari);
  await open(admin);
  const sessions = await list(laptop);
  assert.deepEqual(
    sessions.map(({ device, current, userId, methods }) => ({ device, current, userId, methods })),
    [
      ['Safari on iPhone', false],
      ['Firefox on Linux', true],
    ].map(([device, current]) => ({
      device,
      current,
      userId: encodeId('user', editor.userId),
      methods: ['PASSWORD'],
    })),
  );
  const [, own] = sessions;
  assert.equal((await laptop.get('/auth/session')).json.session.id, own.id);
  assert.deepEqual((await laptop.get(`/v1/sessions/${own.id}`)).json, own);
  assert.deepEqual(await list(laptop, `?userId=${encodeId('user', admin.userId)}`), []);
});

test('a session that is ended opens nothing from then on, and enters again after a sign-in only', async () => {
  const laptop = await open(editor);
  const lost = await open(editor, safari);
  const { id } = (await lost.get('/auth/session')).json.session;
  assert.equal((await lost.get('/v1/me')).status, 200);
  await newEvents();
  assert.equal((await laptop.call('DELETE', `/v1/sessions/${id}`)).status, 204);
  assert.deepEqual(await newEvents(), ['session.deleted']);
  expectProblem(await lost.get('/v1/me'), 401, 'token_invalid');
  const enter = `/auth/organizations/${encodeId('org', server.organization.id)}/enter`;
  expectProblem(await lost.post(enter), 401, 'session_invalid');
  expectProblem(await laptop.call('DELETE', `/v1/sessions/${id}`), 404, 'not_found');
  expectProblem(await laptop.get(`/v1/sessions/${id}`), 404, 'not_found');
  assert.deepEqual(await newEvents(), []);
  assert.equal((await laptop.get('/v1/me')).status, 200);
});

test('those who may remove members see and end the sessions of everybody, and nobody else does', async () => {
  const laptop = await open(editor);
  const { id } = (await laptop.get('/auth/session')).json.session;
  const viewer = await open(await person('VIEWER'));
  expectProblem(await viewer.get(`/v1/sessions/${id}`), 404, 'not_found');
  expectProblem(await viewer.call('DELETE', `/v1/sessions/${id}`), 404, 'not_found');
  const owner = await open(admin);
  const seen = await list(owner, `?userId=${encodeId('user', editor.userId)}&limit=100`);
  assert.ok(seen.some((session) => session.id === id));
  assert.equal((await owner.call('DELETE', `/v1/sessions/${id}`)).status, 204);
  expectProblem(await laptop.get('/v1/me'), 401, 'token_invalid');
});

test('nobody ends the session of somebody with more rights, by itself or with the client of the console', async () => {
  const owner = await person('OWNER');
  const laptop = await open(owner);
  const { id } = (await laptop.get('/auth/session')).json.session;
  const admins = await open(admin);
  expectProblem(await admins.call('DELETE', `/v1/sessions/${id}`), 403, 'permission_denied');
  const { json } = await server.call('GET', '/v1/clients?kind=CONSOLE');
  const path = `/v1/clients/${json.items[0].id}`;
  const second = { body: { name: 'Second console', kind: 'CONSOLE' } };
  const made = await server.call('POST', '/v1/clients', second);
  assert.equal(made.status, 201, made.text);
  const disable = { body: { status: 'DISABLED' } };
  expectProblem(await admins.call('PATCH', path, disable.body), 403, 'permission_denied');
  assert.equal((await laptop.get('/v1/me')).status, 200);
  assert.equal((await server.call('PATCH', path, disable)).status, 200);
  expectProblem(await laptop.call('PATCH', path, disable.body), 401, 'token_invalid');
  const again = await open(owner);
  const me = await again.get('/v1/me');
  assert.equal(me.json.client.id, made.json.id, 'the client that is active is taken');
  assert.equal((await server.call('PATCH', path, { body: { status: 'ACTIVE' } })).status, 200);
  const gone = await server.call('DELETE', `/v1/clients/${made.json.id}`);
  expectProblem(gone, 409, 'in_use');
  assert.equal(gone.json.detail, 'Still used by 1 session.');
});

test('who may no longer end the sessions of others gets no response about one again', async () => {
  const person = await createMember(worker, server.organization, 'ADMIN');
  const { token } = await createToken(worker, server.organization, person);
  const ended = async (account: TestAccount, key: string) => {
    const { id } = (await (await open(account)).get('/auth/session')).json.session;
    const end = () => server.call('DELETE', `/v1/sessions/${id}`, { token, key });
    assert.equal((await end()).status, 204);
    return end;
  };
  const again = await ended(editor, 'end-of-another');
  const ownAgain = await ended(await givePassword(auth, person), 'end-of-own');
  const setRole = (role: string) =>
    worker.run('UPDATE trellis.memberships SET role = $3 WHERE organization_id = $1 AND user_id = $2', [
      server.organization.id,
      person,
      role,
    ]);
  await setRole('VIEWER');
  expectProblem(await again(), 404, 'not_found');
  assert.equal((await ownAgain()).status, 204);
  await setRole('ADMIN');
  assert.equal((await again()).headers.get('idempotent-replayed'), 'true');
});

test('a bearer token needs the scope to manage members', async () => {
  const { token } = await createToken(worker, server.organization, admin.userId, {
    scopes: ['members:read'],
  });
  expectProblem(await server.call('GET', '/v1/sessions', { token }), 403, 'insufficient_scope');
  assert.equal((await server.call('GET', '/v1/sessions')).status, 200);
  const all = (await server.call('GET', '/v1/sessions')).json.items;
  assert.ok(all.every(({ current }: Json) => current === false));
});

test('the end of a session may be read by administrators and by whose it was, however it ended', async () => {
  const [row] = await worker.run('SELECT key FROM trellis.organizations WHERE id = $1', [
    server.organization.id,
  ]);
  const end: Readonly<
    Record<string, (account: TestAccount, browser: TestBrowser, id: string) => Promise<unknown>>
  > = {
    'by the person': (_account, browser) => browser.call('DELETE', '/auth/session'),
    'in the organization': async (_account, _browser, id) =>
      (await open(admin)).call('DELETE', `/v1/sessions/${id}`),
    'with the member': async ({ userId }) =>
      (await open(admin)).call('DELETE', `/v1/members/${encodeId('user', userId)}`),
    'with the member, by an operator': ({ email }) =>
      removeUser(worker, { email, organization: row?.[0] ?? '' }),
  };
  for (const [how, make] of Object.entries(end)) {
    const account = await person('EDITOR');
    const browser = await open(account);
    const { id } = (await browser.get('/auth/session')).json.session;
    // The command line finds people by the address in the form in which it compares it.
    await worker.run('UPDATE trellis.users SET email_normalized = email WHERE id = $1', [account.userId]);
    await make(account, browser, id);
    const found = await worker.run(
      `SELECT readers FROM trellis.outbox WHERE type = 'session.deleted' AND subject_id = $1`,
      [decodeId('ses', id)],
    );
    assert.deepEqual(
      found.map(([readers]) => parseTextArray(readers ?? '{}')),
      [['OWNER', 'ADMIN', account.userId]],
      how,
    );
  }
});

test('an end that is repeated under its key gets a response again, and ends nothing else', async () => {
  const { userId } = await givePassword(auth, await createMember(worker, server.organization, 'ADMIN'));
  const { token } = await createToken(worker, server.organization, userId);
  const laptop = await open(editor);
  const { id } = (await laptop.get('/auth/session')).json.session;
  const remove = () => server.call('DELETE', `/v1/sessions/${id}`, { token, key: `end-${id}` });
  assert.equal((await remove()).status, 204);
  await newEvents();
  const repeated = await remove();
  assert.equal(repeated.status, 204, repeated.text);
  assert.equal(repeated.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(await newEvents(), []);
  await worker.run('DELETE FROM trellis.memberships WHERE organization_id = $1 AND user_id = $2', [
    server.organization.id,
    userId,
  ]);
  expectProblem(await remove(), 401, 'token_invalid');
});

test('ending a session needs a recent sign-in', async () => {
  const laptop = await open(editor);
  const { id } = (await laptop.get('/auth/session')).json.session;
  const forget = `UPDATE trellis.tokens SET authenticated_at = now() - interval '16 minutes' WHERE session_id IS NOT NULL`;
  await auth.run(forget);
  const refused = await laptop.call('DELETE', `/v1/sessions/${id}`);
  expectProblem(refused, 401, 'insufficient_user_authentication');
});

test('pages continue each other, and sessions of another organization are not among them', async () => {
  const { length } = await list(await open(admin), '?limit=100');
  const browser = await open(admin);
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { json } = await browser.get(`/v1/sessions?limit=2${more}`);
    ids.push(...json.items.map(({ id }: Json) => id));
    cursor = json.pageInfo.nextCursor;
  }
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(ids.length, length + 1);
});

test('a device is the browser and the system, and nothing else of a header', () => {
  const known: readonly [string | undefined, string][] = [
    [firefox, 'Firefox on Linux'],
    [safari, 'Safari on iPhone'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      'Chrome on macOS',
    ],
    ['curl/8.5.0', 'curl/8.5.0'],
    [undefined, ''],
    ['<b>\u0007\u202e</b>', '<b></b>'],
    ['x'.repeat(10_000), 'x'.repeat(60)],
  ];
  for (const [userAgent, device] of known) assert.equal(describeDevice(userAgent), device);
});

test('a person sees all of their sessions, and ends one in all organizations', async () => {
  const account = await person('EDITOR');
  const laptop = await open(account);
  const lost = await open(account, safari);
  await new TestBrowser(server).post('/auth/password', { email: account.email, password: account.password });
  const { items } = (await laptop.get('/auth/sessions')).json;
  assert.deepEqual(
    items.map(({ device }: Json) => device),
    ['Test browser', 'Safari on iPhone', 'Firefox on Linux'],
  );
  assert.equal((await laptop.post('/auth/session/use', {})).status, 204);
  const usedAt = items.map(({ lastUsedAt }: Json) => lastUsedAt);
  const usedAgainAt = (await laptop.get('/auth/sessions')).json.items.map(
    ({ lastUsedAt }: Json) => lastUsedAt,
  );
  assert.deepEqual(usedAgainAt.slice(0, 2), usedAt.slice(0, 2));
  assert.ok(usedAgainAt[2] > usedAt[2], `${usedAgainAt[2]} > ${usedAt[2]}`);
  await newEvents();
  assert.equal((await laptop.call('DELETE', `/auth/sessions/${items[1].id}`)).status, 204);
  assert.deepEqual(await newEvents(), ['session.deleted']);
  expectProblem(await lost.get('/auth/session'), 401, 'session_invalid');
  assert.equal((await laptop.get('/auth/sessions')).json.items.length, 2);
  expectProblem(await laptop.call('DELETE', `/auth/sessions/${items[1].id}`), 404, 'not_found');
  const other = await open(admin);
  expectProblem(await other.call('DELETE', `/auth/sessions/${items[2].id}`), 404, 'not_found');
});

/** Makes the sign-ins of all sessions older than a recent one may be. */
const age = () =>
  auth.run(
    `UPDATE trellis.tokens SET authenticated_at = now() - interval '16 minutes' WHERE session_id IS NOT NULL`,
  );

/** Creates contacts. @returns their ids */
function makeContacts(count: number): Promise<string[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const made = await server.call('POST', '/v1/crm/contacts', { body: { firstName: 'Gone' } });
      assert.equal(made.status, 201, made.text);
      return made.json.id;
    }),
  );
}

test('a session deletes at most 100 records a day without a recent sign-in, also at the same time', async () => {
  const account = await person('EDITOR');
  const browser = await open(account);
  const contacts = await makeContacts(110);
  // Again, when the server was too busy with these very deletions to look at one.
  const remove = async (id = ''): Promise<TestResponse> => {
    for (let tries = 1; ; tries += 1) {
      const response = await browser.call('DELETE', `/v1/crm/contacts/${id}`);
      if (!wasTurnedAway(response) || tries === 100) return response;
      await sleep(100);
    }
  };
  for (const id of contacts.splice(0, 3)) assert.equal((await remove(id)).status, 204);
  await age();
  const responses = await Promise.all(contacts.splice(0, 105).map(remove));
  const codes = responses.map(({ status, json }) => json?.code ?? status);
  assert.equal(codes.filter((code) => code === 204).length, 100, codes.join());
  assert.equal(codes.filter((code) => code === 'insufficient_user_authentication').length, 5, codes.join());
  const refused = await remove(contacts[0]);
  expectProblem(refused, 401, 'insufficient_user_authentication');
  assert.match(refused.headers.get('www-authenticate') ?? '', /max_age="900"/);
  const { token } = await createToken(worker, server.organization, account.userId);
  assert.equal((await server.call('DELETE', `/v1/crm/contacts/${contacts.pop()}`, { token })).status, 204);
  assert.equal((await browser.post('/auth/session/step-up', { password: account.password })).status, 200);
  assert.equal((await remove(contacts.pop())).status, 204);
});

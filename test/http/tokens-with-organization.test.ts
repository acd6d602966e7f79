/**
 * Tokens, and publishable keys that name their organization: one statement looks them up, within that organization, and a wrong one is
 * refused like one that nobody has.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { createServiceMember } from '@trellis/server/features/access/service-members.ts';
import { createToken as createAsOperator } from '@trellis/server/features/access/tokens.ts';
import { makePublishableKey, parsePublishableKey } from '@trellis/server/kernel/identity/publishable-key.ts';
import { hashToken, makeToken, parseToken } from '@trellis/server/kernel/identity/tokens.ts';
import { givePassword, TestBrowser } from '../support/browser-client.ts';
import { withOtherOrganization } from '../support/credentials.ts';
import {
  createMember,
  createOrganization,
  createToken,
  type TestOrganization,
} from '../support/identities.ts';
import { expectProblem } from '../support/refusals.ts';
import { startTestServer, type TestResponse } from '../support/server.ts';
import { identify, pageOrigin } from '../support/visitors.ts';
import { create } from '../support/writes.ts';

const server = await startTestServer();
after(() => server.close());
const { api, auth, worker } = server.database;
const { organization } = server;
const clientId = encodeId('client', organization.clientId);
let other: TestOrganization;

/** The statements that looked tokens and keys up, not those that asked for the origin of a page. */
const lookUps: string[] = [];
const queryPresented = api.queryPresented.bind(api);
api.queryPresented = (what, value, read) => {
  if (what !== 'origin') lookUps.push(read.statement.name);
  return queryPresented(what, value, read);
};
before(async () => {
  other = await createOrganization(worker, 'other');
});
beforeEach(() => {
  lookUps.length = 0;
});

const read = (token: string) => server.call('GET', '/v1/me', { token });

async function makeOverHttp(
  path: string,
  body: object,
): Promise<{ id: string; secret: string; start: string }> {
  const response = await server.call('POST', path, { body });
  assert.ok(response.status < 300, response.text);
  assert.equal(response.json.start, response.json.secret.slice(0, 12));
  return response.json;
}

const newToken = () => makeOverHttp('/v1/tokens', { name: 'Import', clientId, scopes: ['sites:read'] });

/** A refusal without what every response has of its own. */
function refusalOf({ status, headers, json }: TestResponse): object {
  const { requestId, ...body } = json;
  assert.ok(requestId);
  const own = ['date', 'x-request-id', 'etag'];
  return { status, body, headers: [...headers].filter(([name]) => !own.includes(name)) };
}

test('tokens are made with their organization, by people, operators and for service members, and are looked up within it', async () => {
  const key =
    (await worker.run('SELECT key FROM trellis.organizations WHERE id = $1', [organization.id]))[0]?.[0] ??
    '';
  const program = await createServiceMember(worker, {
    name: 'Nightly import',
    organization: key,
    role: 'EDITOR',
    responsible: `${server.ownerId}@example.com`,
  });
  const { secret, id } = await newToken();
  const rotated = await makeOverHttp(`/v1/tokens/${id}/rotate`, { overlapSeconds: 60 });
  const operators = await createAsOperator(worker, {
    organization: key,
    email: program.id,
    scopes: ['plants:read'],
    audiences: ['api', 'sandbox'],
    expiresInSeconds: null,
    client: 'Program',
  });
  lookUps.length = 0;
  for (const token of [secret, rotated.secret, operators.token]) {
    assert.equal(parseToken(token), organization.id);
    assert.equal((await read(token)).status, 200);
    assert.equal((await read(token)).status, 200);
  }
  assert.equal((await server.call('GET', '/sandbox/plants', { token: operators.token })).status, 200);
  assert.deepEqual(lookUps, Array(3).fill('token_binding'));
});

/** A token of an organization whose text names another one. */
async function makeNamed(of: TestOrganization, userId: string, named: string) {
  const token = makeToken(named);
  const { id } = await createToken(worker, of, userId);
  await worker.run(`UPDATE trellis.tokens SET secret_hash = decode($2, 'hex') WHERE id = $1`, [
    id,
    hashToken(token),
  ]);
  return token;
}

test('a changed organization is refused like a token that nobody has, whether it exists or not, and spoils nothing', async () => {
  const { secret } = await newToken();
  const unknown = await read(makeToken(organization.id));
  expectProblem(unknown, 401, 'token_invalid');
  const changed = [other.id, newUuid(), '00000000-0000-0000-0000-000000000000'].map((id) =>
    withOtherOrganization(secret, id),
  );
  lookUps.length = 0;
  for (const token of changed) {
    assert.deepEqual(refusalOf(await read(token)), refusalOf(unknown));
    assert.equal(lookUps.length, 1);
    // It is remembered, as for every unknown token.
    expectProblem(await read(token), 401, 'token_invalid');
    assert.deepEqual(lookUps.splice(0), ['token_binding']);
  }
  const statuses = await Promise.all(
    [secret, ...changed, secret].map(async (token) => (await read(token)).status),
  );
  assert.deepEqual(statuses, [200, 401, 401, 401, 200]);
  assert.equal((await read(secret)).json.organization.id, encodeId('org', organization.id));
  for (const token of changed) expectProblem(await read(token), 401, 'token_invalid');
});

test('a token is found in the organization that it names, and nowhere else', async () => {
  const userId = await createMember(worker, other, 'OWNER');
  const token = await makeNamed(other, userId, organization.id);
  expectProblem(await read(token), 401, 'token_invalid');
  const { token: right } = await createToken(worker, other, userId);
  assert.equal((await read(right)).json.organization.id, encodeId('org', other.id));
});

test('a malformed token or key is refused before any query', async () => {
  const { secret } = await newToken();
  lookUps.length = 0;
  const [mistyped, beyond] = [
    `${secret.slice(0, 45)}${secret[45] === '0' ? '1' : '0'}${secret.slice(46)}`,
    `${secret}0`,
  ];
  for (const token of [mistyped, beyond, secret.slice(0, 44), secret.replace('trl_pat_', 'trl_pk_')]) {
    expectProblem(await read(token), 401, 'token_invalid');
    expectProblem(await identify(server, token), 401, 'token_invalid');
  }
  assert.deepEqual(lookUps, []);
});

test('a session is looked up within the organization that its page names', async () => {
  const browser = new TestBrowser(server);
  await browser.signIn(await givePassword(auth, server.ownerId));
  assert.equal((await browser.get('/v1/me')).status, 200);
  assert.deepEqual(lookUps, ['token_binding']);
  lookUps.length = 0;
  browser.organizationId = other.id;
  expectProblem(await browser.get('/v1/me'), 401, 'token_invalid');
  browser.organizationId = newUuid();
  expectProblem(await browser.get('/v1/me'), 401, 'token_invalid');
  assert.deepEqual(lookUps, ['token_binding', 'token_binding']);
});

test('publishable keys are made with their organization and looked up within it', async () => {
  const site = await create(server, '/v1/sites', { name: 'Pages', key: 'pages' });
  const made = await create(server, '/v1/clients', {
    name: 'Website',
    kind: 'BROWSER',
    siteId: site.id,
    origins: [pageOrigin],
  });
  const key: string = made.publishableKey;
  assert.equal(parsePublishableKey(key)?.organizationId, organization.id);
  assert.equal((await server.call('GET', `/v1/clients/${made.id}`)).json.publishableKey, key);
  /** The response, with the statements that looked the key up. */
  const call = async (sent: string) => {
    lookUps.length = 0;
    const response = await identify(server, sent);
    return { response, found: [...lookUps] };
  };
  for (const [sent, found] of [
    [key, ['publishable_key_binding']],
    [key, []],
  ] as const) {
    const called = await call(sent);
    assert.deepEqual([called.response.status, called.found], [200, found], called.response.text);
  }
  const unknown = refusalOf((await call(makePublishableKey(organization.id))).response);
  for (const id of [other.id, newUuid()]) {
    const changed = withOtherOrganization(key, id);
    const refused = await call(changed);
    assert.deepEqual(refusalOf(refused.response), unknown);
    assert.deepEqual(refused.found, ['publishable_key_binding']);
    assert.deepEqual((await call(changed)).found, []);
  }
  assert.equal((await call(key)).response.status, 200);
});

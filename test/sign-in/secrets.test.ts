/**
 * No secret that a client saw is in the database, its write-ahead log, the logs of the server or its metrics: passwords, cookies,
 * tokens, links, challenges, secrets and codes of authenticator apps, secrets of webhooks.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeSignInLink } from '@trellis/server/features/access/sign-in-link.ts';
import { createToken } from '@trellis/server/features/access/tokens.ts';
import { makeLink } from '@trellis/server/features/sign-in/links.ts';
import { Secret, TOTP } from 'otpauth';
import pg from 'pg';
import { givePassword, TestBrowser } from '../support/browser-client.ts';
import { createMember } from '../support/identities.ts';
import { startTestServer, type TestResponse, type TestServer } from '../support/server.ts';

const lines: string[] = [];
let server: TestServer;
let admin: pg.Client;
before(async () => {
  // In a cluster of its own: wherever others create databases, checkpoints remove parts of the log.
  server = await startTestServer({ durable: true, log: (line) => lines.push(line), logLevel: 'trace' });
  admin = new pg.Client({ connectionString: server.database.adminUrl });
  await admin.connect();
});
after(async () => {
  await admin.end();
  await server.close();
});

/** Secrets that a client has sent or was shown, with what they are. */
const secrets = new Map<string, string>();

function collect(what: string, secret: unknown): string {
  assert.ok(typeof secret === 'string' && secret.length >= 8, `${what}: ${String(secret)}`);
  secrets.set(secret, what);
  return secret;
}

function succeeded(response: TestResponse): TestResponse {
  assert.ok(response.status < 300, response.text);
  return response;
}

/** Signs in, and sets up, uses and changes everything that has a secret. @returns the person's address */
async function useEverything(): Promise<string> {
  const { auth, worker } = server.database;
  const account = await givePassword(auth, await createMember(worker, server.organization, 'OWNER'));
  collect('password', account.password);
  const browser = new TestBrowser(server);
  await browser.signIn(account);
  collect('cookie', browser.secret);
  await browser.post('/auth/password', {
    email: account.email,
    password: collect('wrong password', 'a wrong password'),
  });
  const begun = succeeded(await browser.post('/auth/factors/totp')).json;
  collect('secret of an authenticator app', begun.secret);
  const totp = new TOTP({ secret: Secret.fromBase32(begun.secret) });
  const confirmed = succeeded(
    await browser.post('/auth/factors/totp/confirm', {
      challenge: collect('challenge', begun.challenge),
      code: totp.generate(),
    }),
  );
  for (const code of confirmed.json.recoveryCodes) {
    collect('recovery code', code);
    collect('recovery code without hyphens', code.replaceAll('-', ''));
  }
  const half = succeeded(
    await browser.post('/auth/password', { email: account.email, password: account.password }),
  );
  const recoveryCode = confirmed.json.recoveryCodes[0];
  const challenge = collect('challenge of a second factor', half.json.challenge);
  succeeded(await browser.post('/auth/second-factor', { challenge, recoveryCode }));
  collect('cookie after the second factor', browser.secret);
  await browser.enter(server.organization.id);
  await auth.run('UPDATE trellis.totp_secrets SET last_step = 0 WHERE user_id = $1', [account.userId]);
  const proofs = { password: account.password, code: totp.generate() };
  succeeded(await browser.post('/auth/session/step-up', proofs));
  collect('cookie after a step-up', browser.secret);
  succeeded(await browser.get('/v1/sites'));
  const passkey = succeeded(await browser.post('/auth/factors/passkeys/begin')).json;
  collect('challenge of a passkey', passkey.challenge);
  const password = collect('new password', 'nine quiet harbours');
  succeeded(
    await browser.call('PUT', '/auth/factors/password', { password, currentPassword: account.password }),
  );
  const link = await makeSignInLink(auth, account.email, server.url);
  const linked = new TestBrowser(server);
  succeeded(await linked.post('/auth/links/redeem', { link: collect('link', link.secret) }));
  collect('cookie of a link', linked.secret);
  const reset = await makeLink(auth, 'RESET', account.userId, server.url);
  succeeded(
    await linked.post('/auth/password-resets/redeem', {
      link: collect('link for a new password', reset.secret),
      password: collect('password by a link', 'eleven wooden bridges'),
    }),
  );
  return account.email;
}

/** Makes and uses tokens and secrets of webhooks. */
async function useTokens(): Promise<void> {
  collect('token', server.token);
  const [organization] = await server.database.worker.run(
    'SELECT key FROM trellis.organizations WHERE id = $1',
    [server.organization.id],
  );
  const [user] = await server.database.worker.run('SELECT email FROM trellis.users WHERE id = $1', [
    server.ownerId,
  ]);
  const { token } = await createToken(server.database.worker, {
    organization: organization?.[0] ?? '',
    email: user?.[0] ?? '',
    scopes: ['sites:read'],
    audiences: ['api'],
    expiresInSeconds: null,
    client: 'Test',
  });
  collect('token of the command line', token);
  succeeded(await server.call('GET', '/v1/sites', { token }));
  const unknown = `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`;
  await server.call('GET', '/v1/sites', { token: collect('token with a typing error', unknown) });
  const webhook = { url: 'https://8.8.8.8/hook', eventTypes: ['article.*'] };
  const made = succeeded(
    await server.call('POST', '/v1/webhook-endpoints', { body: webhook, key: 'webhook' }),
  );
  collect('secret of a webhook', made.json.secret);
  succeeded(await server.call('POST', '/v1/webhook-endpoints', { body: webhook, key: 'webhook' }));
  const path = `/v1/webhook-endpoints/${made.json.id}/rotate-secret`;
  collect('new secret of a webhook', succeeded(await server.call('POST', path)).json.secret);
}

/** All rows of all tables as text, by table. */
async function readTables(): Promise<[place: string, content: Buffer][]> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'trellis'::regnamespace AND relkind = 'r'`,
  );
  const contents: [string, Buffer][] = [];
  for (const { name } of rows) {
    const { rows: found } = await admin.query<{ row: string }>(
      `SELECT t::text AS row FROM trellis."${name}" t`,
    );
    contents.push([`table ${name}`, Buffer.from(found.map(({ row }) => row).join('\n'))]);
  }
  return contents;
}

/** The files of the cluster's write-ahead log that were written since a position. */
async function listWriteAheadLog(since: string): Promise<string[]> {
  // Writes what is in buffers. A checkpoint would also remove what it no longer needs.
  await admin.query('SELECT pg_switch_wal()');
  const { rows } = await admin.query<{ name: string }>(
    `SELECT name FROM pg_ls_waldir() WHERE name ~ '^[0-9A-F]{24}$' AND name >= pg_walfile_name($1)`,
    [since],
  );
  return rows.map(({ name }) => name);
}

async function readWriteAheadLog(name: string): Promise<Buffer> {
  const { rows } = await admin.query<{ content: Buffer }>(
    `SELECT pg_read_binary_file('pg_wal/' || $1) AS content`,
    [name],
  );
  return rows[0]?.content ?? Buffer.alloc(0);
}

/** How a secret may be written. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '')];
}

test('no secret that a client saw is in tables, the write-ahead log, logs or metrics', async () => {
  const { rows } = await admin.query<{ at: string }>('SELECT pg_current_wal_insert_lsn() AS at');
  const email = await useEverything();
  await useTokens();
  const found: string[] = [];
  const places = new Set<string>();
  /** Looks for the secrets, and for the address, which is no secret: the search must find what is there. */
  const search = (place: string, content: Buffer) => {
    if (content.includes(email)) places.add(place);
    for (const [secret, what] of secrets) {
      if (formsOf(secret).some((form) => content.includes(form))) found.push(`${what} in ${place}`);
    }
  };
  for (const [place, content] of await readTables()) search(place, content);
  for (const name of await listWriteAheadLog(rows[0]?.at ?? '')) {
    search('write-ahead log', await readWriteAheadLog(name));
  }
  search('log', Buffer.from(lines.join('\n')));
  search('metrics', Buffer.from(await server.metrics.render()));
  assert.deepEqual(found, []);
  assert.deepEqual([...places].sort(), ['table users', 'write-ahead log']);
  assert.ok(
    lines.some((line) => line.includes('/auth/password')),
    'requests are logged',
  );
});

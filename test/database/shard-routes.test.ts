/**
 * Which shard a read or a change of an organization is sent to, and when the coordinator has to serve it, with servers and hashes that the test
 * names. test/citus/shard-routes.test.ts reads and writes on a cluster.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { newUuid } from '@trellis/schema/values/ids.ts';
import type { Step, StepResult } from '@trellis/server/database/batch.ts';
import { step } from '@trellis/server/database/batch.ts';
import { Database } from '@trellis/server/database/database.ts';
import type { ServerState } from '@trellis/server/database/distribution/servers.ts';
import { ShardRoutes } from '@trellis/server/database/distribution/shard-routes.ts';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

/** Hashes of organizations: those at and beside the beginnings of shards, and the lowest and the highest one. */
const hashes = [-2_147_483_648, -1, 0, 99, 100, 2_147_483_647];
const organizations = new Map(hashes.map((hash) => [hash, newUuid()]));
const readBooks = { name: 'read_books', text: 'SELECT title FROM trellis.books WHERE organization_id = $1' };
const options = {
  poolSize: 1,
  prepare: true,
  acquireTimeoutMs: 5_000,
  applicationName: 'trellis test',
};

let stored: TestDatabase;
let api: Database;
let admin: pg.Client;
let servers: ServerState[] | null;
let tell: () => void;
let routes: ShardRoutes;
const messages: string[] = [];

before(async () => {
  stored = await createTestDatabase({ distributed: false });
  admin = new pg.Client(stored.adminUrl);
  await admin.connect();
  await admin.query(`CREATE SCHEMA test_hashes; CREATE TABLE test_hashes.hashes (id uuid, hash integer); GRANT USAGE ON SCHEMA test_hashes TO trellis_api;
    GRANT SELECT ON test_hashes.hashes TO trellis_api`);
  for (const [hash, id] of organizations)
    await admin.query('INSERT INTO test_hashes.hashes VALUES ($1, $2)', [id, hash]);
  await defineHashes();
  api = new Database({ ...options, url: stored.urls.api, log: () => undefined });
});
after(async () => {
  await routes.close();
  await api.close();
  await admin.end();
  await stored.drop();
});

/** In place of Citus's function. */
async function defineHashes(): Promise<void> {
  await admin.query(`CREATE FUNCTION public.worker_hash(uuid) RETURNS integer LANGUAGE sql STABLE
    AS 'SELECT hash FROM test_hashes.hashes WHERE id = $1'`);
}

beforeEach(async () => {
  await routes?.close();
  messages.length = 0;
  // Three shards, of which the first and the last one are on the same server.
  servers = [serverOf('127.0.0.1:1', [-2_147_483_648, 100]), serverOf('127.0.0.1:2', [0])];
  const followed = {
    state: () => servers,
    onChange: (listener: () => void) => {
      tell = listener;
      return () => true;
    },
  };
  routes = new ShardRoutes(api, followed, {
    ...options,
    url: stored.urls.api,
    log: (message) => messages.push(message),
  });
});

function serverOf(address: string, begins: readonly number[], isAway = false, isEnabled = true): ServerState {
  const shards = begins.map((from) => ({
    id: String(from),
    from,
    names: new Map([['books', `books_at_${from}`]]),
  }));
  return { address, number: 1, isAway, isEnabled, shards };
}

const found: StepResult = { rows: [[]], affected: 1 };
const none: StepResult = { rows: [], affected: 0 };

/** Reads for an organization. @returns what was sent, or null if nothing was */
async function send(hash: number, results: (steps: readonly Step[]) => Promise<StepResult[]>) {
  const organizationId = organizations.get(hash) ?? '';
  await until('its hash is known', () => routes.knows(organizationId));
  let sent: readonly Step[] | null = null;
  const read = await routes.read(
    { organizationId, userId: null },
    [step(readBooks, [organizationId])],
    (_, steps) => {
      sent = steps;
      return results(steps);
    },
  );
  const names = (sent as readonly Step[] | null)?.flatMap(
    ({ statement: { text } }) => /books_at_-?\d+/.exec(text) ?? [],
  );
  return { read, table: names?.[0] ?? null };
}

/** The shard of each organization when the rows are found there. */
async function tables(): Promise<(string | null)[]> {
  const sent = hashes.map((hash) => send(hash, async (steps) => steps.slice(1).map(() => found)));
  return (await Promise.all(sent)).map(({ table }) => table);
}

test('a read is sent to the shard whose range has the hash of its organization', async () => {
  const [first, second, third] = ['books_at_-2147483648', 'books_at_0', 'books_at_100'];
  assert.deepEqual(await tables(), [first, first, second, second, third, third]);
});

test('it returns the results of the requested steps', async () => {
  const own: StepResult = { rows: [['title']], affected: 1 };
  const { read } = await send(0, async () => [found, own, found]);
  assert.deepEqual(read, [own]);
});

test('the coordinator serves it when the shard has left the server, or its tables are gone', async () => {
  assert.equal((await send(0, async () => [found, found, none])).read, null);
  const gone = Object.assign(new Error('relation does not exist'), { code: '42P01' });
  assert.equal((await send(0, () => Promise.reject(gone))).read, null);
  const refused = Object.assign(new Error('permission denied'), { code: '42501' });
  await assert.rejects(
    send(0, () => Promise.reject(refused)),
    refused,
  );
});

test('nothing is sent to a server that is away, and to no other one instead', async () => {
  servers = [serverOf('127.0.0.1:1', [-2_147_483_648, 100], true), serverOf('127.0.0.1:2', [0])];
  tell();
  assert.deepEqual(await tables(), [null, null, 'books_at_0', 'books_at_0', null, null]);
});

test('a change is sent there as well: it holds the shard first, and names the tables of the shard', async () => {
  const organizationId = organizations.get(99) ?? '';
  await until('its hash is known', () => routes.knows(organizationId));
  const route = routes.find(organizationId);
  assert.ok(route);
  const [hold] = route.open({ organizationId, userId: null });
  assert.deepEqual([hold?.statement.text, hold?.values], ['SELECT trellis.hold_shard($1)', ['0']]);
  const change = { name: 'change', text: 'UPDATE trellis.books SET title = $2 WHERE organization_id = $1' };
  const [changed] = route.name([step(change)]);
  assert.match(changed?.statement.text ?? '', /^UPDATE trellis\.books_at_0 /);
  for (const text of [
    'UPDATE trellis.users SET name = $1',
    'INSERT INTO trellis.organizations (id) VALUES ($1)',
  ])
    assert.throws(() => route.name([step({ name: 'copy', text })]), /on every server/);
});

test('a change is not sent to a server that is away', async () => {
  const organizationId = organizations.get(-1) ?? '';
  await until('its hash is known', () => routes.knows(organizationId));
  assert.notEqual(routes.find(organizationId), null);
  servers = [serverOf('127.0.0.1:1', [-2_147_483_648, 100], true), serverOf('127.0.0.1:2', [0])];
  tell();
  assert.equal(routes.find(organizationId), null);
});

test('an organization whose server is disabled gets 503 at once, also for a token that names it', async () => {
  const organizationId = organizations.get(-1) ?? '';
  await until('its hash is known', () => routes.knows(organizationId));
  servers = [serverOf('127.0.0.1:1', [-2_147_483_648, 100], true, false), serverOf('127.0.0.1:2', [0])];
  tell();
  const refused = { code: 'database_unavailable' };
  assert.throws(() => routes.find(organizationId), refused);
  await assert.rejects(
    send(-1, async () => []),
    refused,
  );
  api.routeToShards(routes);
  try {
    await assert.rejects(
      api.queryPresented('token_hash', 'ab', organizationId, step(readBooks, [organizationId])),
      refused,
    );
  } finally {
    api.routeToShards(null);
  }
});

test('a shard that has moved is read where it is now', async () => {
  assert.equal((await tables())[2], 'books_at_0');
  servers = [serverOf('127.0.0.1:1', [-2_147_483_648, 100]), serverOf('127.0.0.1:2', [0, 50])];
  tell();
  assert.deepEqual((await tables()).slice(2, 4), ['books_at_0', 'books_at_50']);
});

test('a plain database has no routes, and no hash is read', () => {
  servers = null;
  tell();
  assert.equal(routes.knows(organizations.get(0) ?? ''), false);
  assert.deepEqual(messages, []);
});

test('when the hashes cannot be read, the next read tries again', async () => {
  await admin.query('DROP FUNCTION public.worker_hash');
  assert.equal(routes.knows(organizations.get(0) ?? ''), false);
  await until('it has failed', () => messages.length > 0);
  await defineHashes();
  await until('it is known', () => routes.knows(organizations.get(0) ?? ''));
});

test('no function has the name of a table, which would become that of a shard', async () => {
  const { rows } = await admin.query(`SELECT proname FROM pg_proc p JOIN pg_class c ON c.relname = p.proname
    WHERE p.pronamespace = 'trellis'::regnamespace AND c.relnamespace = 'trellis'::regnamespace`);
  assert.deepEqual(rows, []);
});

/**
 * Two PostgreSQL servers, of which one is the standby of the other: the server finds the one that takes writes wherever it
 * stands in the URL, follows a switchover under load without losing a write, and never answers 500 for want of one.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { step } from '@trellis/server/database/batch.ts';
import type { Database } from '@trellis/server/database/database.ts';
import { problemOfFailure } from '@trellis/server/database/failures.ts';
import { migrate } from '@trellis/server/database/migrate.ts';
import { setUpDatabase } from '@trellis/server/database/setup.ts';
import pg from 'pg';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { KillableServer } from '../support/killable-server.ts';
import { openOne, type ServerPair, startServerPair } from '../support/standby.ts';
import { until } from '../support/until.ts';
import { checkAccounts, checkReplays, startWorkload } from '../support/workload.ts';

let pair: ServerPair;
let server: KillableServer;
let token: string;
let siteId: string;

before(async () => {
  pair = await startServerPair();
  const worker = openOne(pair.urls.worker);
  const organization = await createOrganization(worker, 'failover');
  const owner = await createMember(worker, organization, 'OWNER');
  token = (await createToken(worker, organization, owner)).token;
  await worker.close();
  await until('the standby has what the primary has', () => isSameOnBoth(pair));
  server = await KillableServer.create(pair.over(pair.urls.api, pair.standby, pair.primary));
  await server.start();
});
after(async () => {
  await server?.kill();
  await pair?.stop();
});

async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openOne(url);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Whether the standby has replayed what the primary has written. */
function isSameOnBoth({ primary }: ServerPair): Promise<boolean> {
  return withDatabase(primary.adminUrl(), async (admin) => {
    const rows = await admin.run(
      'SELECT coalesce(min(replay_lsn) >= pg_current_wal_lsn(), false) FROM pg_stat_replication',
    );
    return rows[0]?.[0] === 't';
  });
}

/** Lets the server's sessions take writes, also those that are open, or not. */
async function setReadOnly(adminUrl: string, value: 'on' | 'off'): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
    await admin.query('SELECT pg_reload_conf()');
  } finally {
    await admin.end();
  }
}

function call(method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(method === 'GET' ? {} : { 'idempotency-key': crypto.randomUUID() }),
    },
  });
}

/** Why the server says that it is not ready; null when it is. */
async function whyNotReady(): Promise<string | null> {
  const response = await fetch(`${server.url}/readyz`);
  const { reason } = (await response.json()) as { reason?: string };
  assert.equal(response.status, reason === undefined ? 200 : 503);
  return reason ?? null;
}

test('a standby named first is passed over, for reads and writes', async () => {
  assert.equal(await whyNotReady(), null);
  const created = await call('POST', '/v1/sites', { name: 'Failover', key: 'failover' });
  assert.equal(created.status, 201, await created.clone().text());
  siteId = ((await created.json()) as { id: string }).id;
  // A read that follows a write at once sees it, which it would not always on the standby.
  assert.equal((await call('GET', `/v1/sites/${siteId}`)).status, 200);
  const serving = await withDatabase(pair.primary.adminUrl(), (admin) =>
    admin.run(`SELECT count(*) > 0 FROM pg_stat_activity WHERE usename = 'trellis_api'`),
  );
  assert.deepEqual(serving, [['t']]);
});

test('a migration and a set-up find the primary behind a standby', async () => {
  assert.deepEqual(
    await migrate(pair.over(pair.urls.owner, pair.standby, pair.primary), () => undefined),
    [],
  );
  const adminUrl = pair.over(pair.primary.adminUrl(), pair.standby, pair.primary);
  const made = await setUpDatabase(adminUrl, 'another', { owner: 'o', api: 'a', worker: 'w', auth: 's' });
  assert.equal(
    made.api,
    `postgresql://trellis_api:a@${adminUrl.split('@')[1]?.replace('/postgres', '/another')}`,
  );
  // The passwords belong to the cluster: they are as they were.
  const passwordOf = (url: string) => new URL(url).password;
  await setUpDatabase(adminUrl, 'another', {
    owner: passwordOf(pair.urls.owner),
    api: passwordOf(pair.urls.api),
    worker: passwordOf(pair.urls.worker),
    auth: passwordOf(pair.urls.auth),
  });
});

test('no server that takes writes is no database: a server that names only the standby is not ready', async () => {
  const lonely = await KillableServer.create(pair.over(pair.urls.api, pair.standby));
  await lonely.start();
  try {
    const response = await fetch(`${lonely.url}/readyz`);
    assert.equal(response.status, 503);
    assert.deepEqual(await response.json(), { status: 'not ready', reason: 'no database takes writes' });
    const read = await fetch(`${lonely.url}/v1/sites`, { headers: { authorization: `Bearer ${token}` } });
    assert.equal(read.status, 503);
    assert.equal(read.headers.get('retry-after'), '1');
    assert.equal(((await read.json()) as { code: string }).code, 'database_unavailable');
  } finally {
    await lonely.kill();
  }
});

test('a statement that is refused as a write closes its connection and is answered 503', async () => {
  await withDatabase(pair.urls.worker, async (database) => {
    const readOnly = step({ name: '', text: 'SET TRANSACTION READ ONLY' });
    const write = step({ name: '', text: 'DELETE FROM trellis.outbox WHERE false' });
    const processId = async () => (await database.run('SELECT pg_backend_pid()'))[0]?.[0];
    const before = await processId();
    const failure = await database
      .backgroundTransaction([readOnly], (_rows, transaction) => transaction.commit([write]))
      .catch((error: unknown) => error);
    const problem = problemOfFailure(failure);
    assert.equal(problem?.code, 'database_unavailable');
    assert.equal(problem?.headers['retry-after'], '1');
    assert.notEqual(await processId(), before);
  });
});

test('a switchover under load loses no acknowledged write, fails none, and needs no restart', async (context) => {
  const workload = startWorkload(context, server.url, token, siteId, 4);
  const statuses = new Map<number, number>();
  let reading = true;
  const reader = (async () => {
    while (reading) {
      const { status } = await call('GET', `/v1/sites/${siteId}`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await sleep(10);
    }
  })();
  await until('writes are acknowledged', () => workload.acknowledged() > 20);
  // A clean shutdown ends when the standby has received everything.
  await pair.primary.stop('fast');
  await until('the server says that it is not ready', async () => (await whyNotReady()) !== null);
  assert.equal(await whyNotReady(), 'no database takes writes');
  await pair.promote();
  const promotedAt = performance.now();
  const before = workload.acknowledged();
  await until('writes are acknowledged again', () => workload.acknowledged() > before);
  context.diagnostic(
    `writes again ${Math.round(performance.now() - promotedAt)} ms after the promotion; reads by status: ${JSON.stringify([...statuses])}`,
  );
  await until('more writes are acknowledged', () => workload.acknowledged() > before + 20);
  assert.equal(await whyNotReady(), null);
  reading = false;
  await reader;
  assert.deepEqual(
    [...statuses.keys()].filter((status) => status !== 200 && status !== 503),
    [],
  );
  const result = await workload.finish();
  await withDatabase(pair.over(pair.urls.worker, pair.standby), (worker) =>
    withDatabase(pair.standby.adminUrl('trellis'), (admin) => checkAccounts(worker, admin, result)),
  );
  await checkReplays(server.url, token, result, 100);
});

test('a server that no longer takes writes is left, and used again when it does', async () => {
  await setReadOnly(pair.standby.adminUrl(), 'on');
  await until('the server says that it is not ready', async () => (await whyNotReady()) !== null);
  for (const response of [
    await call('GET', `/v1/sites/${siteId}`),
    await call('PATCH', `/v1/sites/${siteId}`, { name: 'Renamed' }),
  ]) {
    assert.equal(response.status, 503);
    assert.equal(((await response.json()) as { code: string }).code, 'database_unavailable');
  }
  await setReadOnly(pair.standby.adminUrl(), 'off');
  await until('the server is ready again', async () => (await whyNotReady()) === null);
  assert.equal((await call('PATCH', `/v1/sites/${siteId}`, { name: 'Renamed' })).status, 200);
});

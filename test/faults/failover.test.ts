/**
 * Failover between a primary and its standby: the server finds the one that takes writes, whatever their order in the URL,
 * follows a switchover under load without losing a write, and never responds with 500.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { step } from '@trellis/server/kernel/database/batch.ts';
import type { Database } from '@trellis/server/kernel/database/database.ts';
import { problemOfFailure } from '@trellis/server/kernel/database/failures.ts';
import { migrate } from '@trellis/server/kernel/database/migrate.ts';
import { setUpDatabase } from '@trellis/server/kernel/database/setup.ts';
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

/** Switches all sessions of the PostgreSQL server, including open ones, to read-only or back. */
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

/** The reason of the readiness probe; null when the server is ready. */
async function readUnreadyReason(): Promise<string | null> {
  const response = await fetch(`${server.url}/readyz`);
  const { reason } = (await response.json()) as { reason?: string };
  assert.equal(response.status, reason === undefined ? 200 : 503);
  return reason ?? null;
}

test('a standby that is first in the URL is skipped for reads and writes', async () => {
  assert.equal(await readUnreadyReason(), null);
  const created = await call('POST', '/v1/sites', { name: 'Failover', key: 'failover' });
  assert.equal(created.status, 201, await created.clone().text());
  siteId = ((await created.json()) as { id: string }).id;
  // A read immediately after a write sees it; on the standby it sometimes would not.
  await until('it is read', async () => {
    const read = await call('GET', `/v1/sites/${siteId}`);
    const text = await read.text();
    // On a busy machine the server may be overloaded right after its start.
    if (read.status === 503 && text.includes('"overloaded"')) return false;
    assert.equal(read.status, 200, text);
    return true;
  });
  const serving = await withDatabase(pair.primary.adminUrl(), (admin) =>
    admin.run(`SELECT count(*) > 0 FROM pg_stat_activity WHERE usename = 'trellis_api'`),
  );
  assert.deepEqual(serving, [['t']]);
});

test('migration and setup find the primary after a standby in the URL', async () => {
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
  // The passwords belong to the cluster and stay the same.
  const passwordOf = (url: string) => new URL(url).password;
  await setUpDatabase(adminUrl, 'another', {
    owner: passwordOf(pair.urls.owner),
    api: passwordOf(pair.urls.api),
    worker: passwordOf(pair.urls.worker),
    auth: passwordOf(pair.urls.auth),
  });
});

test('a server with only the standby in its URL is not ready', async () => {
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

test('a write refused as read-only closes its connection and responds with 503', async () => {
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

test('a switchover under load loses no acknowledged write, and needs no restart', async (context) => {
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
  await until('the server reports that it is not ready', async () => (await readUnreadyReason()) !== null);
  assert.equal(await readUnreadyReason(), 'no database takes writes');
  await pair.promote();
  const promotedAt = performance.now();
  const before = workload.acknowledged();
  await until('writes are acknowledged again', () => workload.acknowledged() > before);
  context.diagnostic(
    `writes again ${Math.round(performance.now() - promotedAt)} ms after the promotion; reads by status: ${JSON.stringify([...statuses])}`,
  );
  await until('more writes are acknowledged', () => workload.acknowledged() > before + 20);
  assert.equal(await readUnreadyReason(), null);
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

test('a PostgreSQL server that stops taking writes is abandoned, and used again when it takes them', async () => {
  await setReadOnly(pair.standby.adminUrl(), 'on');
  await until('the server says that it is not ready', async () => (await readUnreadyReason()) !== null);
  for (const response of [
    await call('GET', `/v1/sites/${siteId}`),
    await call('PATCH', `/v1/sites/${siteId}`, { name: 'Renamed' }),
  ]) {
    assert.equal(response.status, 503);
    assert.equal(((await response.json()) as { code: string }).code, 'database_unavailable');
  }
  await setReadOnly(pair.standby.adminUrl(), 'off');
  await until('the server is ready again', async () => (await readUnreadyReason()) === null);
  assert.equal((await call('PATCH', `/v1/sites/${siteId}`, { name: 'Renamed' })).status, 200);
});

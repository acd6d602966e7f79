/**
 * A database that is stopped and not ended (SIGSTOP): its connections stay open, and nothing comes over them. Requests get 503 within
 * seconds, a write whose COMMIT had no response happens once, and everything recovers by itself.
 */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedDatabase, startEmbedded } from '@trellis/embedded-postgres/embedded.ts';
import { step } from '@trellis/server/kernel/database/batch.ts';
import { Database } from '@trellis/server/kernel/database/database.ts';
import { migrate } from '@trellis/server/kernel/database/migrate.ts';
import { makeRolePasswords, type RoleUrls, setUpDatabase } from '@trellis/server/kernel/database/setup.ts';
import { makeDataDirectory } from '../support/folders.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { startNode, type TestNode } from '../support/nodes.ts';
import { countRunningTime } from '../support/running-time.ts';
import { whileStopped } from '../support/stopped-cluster.ts';
import { until } from '../support/until.ts';

const silenceMs = 1_000;
let dataDirectory: string;
let cluster: EmbeddedDatabase;
let urls: RoleUrls;
let node: TestNode;
let token: string;
let siteId: string;

function open(url: string, { silence = silenceMs } = {}): Database {
  return new Database({
    url,
    poolSize: 2,
    prepare: false,
    acquireTimeoutMs: 1_000,
    silenceMs: silence,
    applicationName: 'trellis fault test',
    log: () => undefined,
  });
}

async function call(method: string, path: string, key?: string, body?: object) {
  const stop = countRunningTime();
  const response = await fetch(`${node.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(key === undefined ? {} : { 'idempotency-key': key, 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json = JSON.parse((await response.text()) || 'null');
  return { status: response.status, headers: response.headers, json, seconds: stop() };
}

before(async () => {
  dataDirectory = await makeDataDirectory('silent');
  const binaries = process.env.TRELLIS_TEST_BINARIES;
  cluster = await startEmbedded({
    dataDirectory,
    log: () => undefined,
    ...(binaries === undefined ? {} : { binaries }),
  });
  urls = await setUpDatabase(cluster.adminUrl(), 'trellis', makeRolePasswords());
  await migrate(urls.owner, () => undefined);
  const worker = open(urls.worker);
  const organization = await createOrganization(worker, 'faults');
  token = (await createToken(worker, organization, await createMember(worker, organization, 'OWNER'))).token;
  await worker.close();
  node = await startNode({ urls }, { acquireTimeoutMs: 1_000, silenceMs });
  siteId = (await call('POST', '/v1/sites', 'site', { name: 'Faults', key: 'faults' })).json.id;
});
after(async () => {
  await node.close();
  await cluster.stop('immediate');
  await rm(dataDirectory, { recursive: true, force: true });
});

async function untilReady(): Promise<void> {
  await until(
    'reads are served again',
    async () => (await call('GET', `/v1/sites/${siteId}`)).status === 200,
  );
}

test('several slow statements in one batch are no silence', async () => {
  const database = open(urls.api, { silence: 2_000 });
  try {
    const scope = { organizationId: '01890000-0000-7000-8000-000000000001', userId: null };
    const slow = step({ name: 'slow', text: `SELECT pg_backend_pid(), pg_sleep(0.25)` });
    const first = await database.query(scope, Array(10).fill(slow));
    const [second] = await database.query(scope, [slow]);
    assert.deepEqual(
      first.map(({ rows }) => rows[0]?.[0]),
      Array(10).fill(second?.rows[0]?.[0]),
    );
  } finally {
    await database.close();
  }
});

test('requests over open connections to a database that is stopped get 503 within seconds, and so do all after them', async () => {
  await Promise.all(Array.from({ length: 6 }, () => call('GET', `/v1/sites/${siteId}`)));
  await whileStopped(cluster, async () => {
    const first = await Promise.all(Array.from({ length: 6 }, () => call('GET', `/v1/sites?limit=1`)));
    const later = await call('GET', '/v1/sites?limit=2');
    const write = await call('POST', '/v1/sites', 'stopped', { name: 'Stopped', key: 'stopped' });
    const probe = await call('GET', '/readyz');
    for (const { status, seconds, json, headers } of [...first, later, write]) {
      assert.equal(status, 503, JSON.stringify(json));
      assert.equal(json.code, 'database_unavailable');
      assert.ok(Number(headers.get('retry-after')) > 0);
      assert.ok(seconds < 5, `${seconds} s`);
    }
    assert.equal(probe.status, 503);
    assert.ok(probe.seconds < 5, `${probe.seconds} s`);
  });
  await untilReady();
  const write = await call('POST', '/v1/sites', 'stopped', { name: 'Stopped', key: 'stopped' });
  assert.equal(write.status, 201, JSON.stringify(write.json));
});

test('a write whose COMMIT gets no response happens once, however it is repeated', async () => {
  const admin = open(cluster.adminUrl('trellis'));
  try {
    for (let round = 0; round < 8; round += 1) {
      const key = `round-${round}`;
      const site = { name: 'Round', key };
      const writing = call('POST', '/v1/sites', key, site);
      // At any point of the write: before it has begun, in the middle of it, and after it.
      await sleep(round * 2);
      const first = await whileStopped(cluster, () => writing);
      assert.ok([201, 503].includes(first.status), JSON.stringify(first.json));
      await untilReady();
      const repeated = await until('the write is confirmed', async () => {
        const response = await call('POST', '/v1/sites', key, site);
        return response.status === 201 ? response : undefined;
      });
      if (first.status === 201) assert.equal(repeated.json.id, first.json.id);
      const rows = await admin.run('SELECT count(*) FROM trellis.sites WHERE key = $1', [key]);
      assert.equal(rows[0]?.[0], '1', key);
    }
  } finally {
    await admin.close();
  }
});

test('a statement that takes long but sends rows goes on, and one that sends nothing ends with its connection', async () => {
  const database = open(urls.api, { silence: 2_000 });
  try {
    const slow = (rows: number, seconds: number) =>
      database.queryInBackground([
        step({
          name: '',
          text: `SELECT repeat('x', 20000), pg_sleep(${seconds}) FROM generate_series(1, ${rows})`,
        }),
      ]);
    const rows = await slow(12, 0.25);
    assert.equal(rows[0]?.rows.length, 12);
    await assert.rejects(slow(1, 60), /PostgreSQL has said nothing for 2 s/);
    assert.equal((await slow(1, 0)).length, 1, 'the next one has a connection of its own');
    assert.ok(database.poolState().total <= 2);
  } finally {
    await database.close();
  }
});

test('a process that blocks itself for longer does not take that for silence', async () => {
  const database = open(urls.api);
  try {
    // The connection is open: opening one has a deadline of its own, which counts time.
    await database.run('SELECT 1');
    const waiting = database.run('SELECT pg_sleep(0.2)');
    await sleep(50);
    const until = performance.now() + 2_500;
    while (performance.now() < until);
    assert.equal((await waiting).length, 1);
  } finally {
    await database.close();
  }
});

test('a pool that is closed while the database is stopped leaves no connection open', async () => {
  const opened: Socket[] = [];
  const note = (message: unknown) => opened.push((message as { socket: Socket }).socket);
  subscribe('net.client.socket', note);
  const database = open(urls.api);
  try {
    await database.run('SELECT 1');
  } finally {
    unsubscribe('net.client.socket', note);
  }
  assert.equal(opened.length, 1);
  await whileStopped(cluster, async () => {
    await database.close();
    await until('its socket is closed', async () => opened.every(({ destroyed }) => destroyed));
  });
  await untilReady();
});

/**
 * A server of a distributed database (Citus) that is frozen in the middle of its work stops only the work of its own organizations.
 * Nothing else may use the cluster meanwhile.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { step } from '@trellis/server/database/batch.ts';
import { Shard } from '@trellis/server/database/distribution/shard.ts';
import { startRelay } from '@trellis/server/events/relay.ts';
import { createMetrics } from '@trellis/server/http/metrics.ts';
import { buildProbeServer } from '@trellis/server/node/api/probe-server.ts';
import type { Loop } from '@trellis/server/node/background/dependencies.ts';
import { createLocalStore } from '@trellis/server/objects/local-store.ts';
import { modelOf } from '@trellis/server/pipeline/model.ts';
import { startIndexer } from '@trellis/server/pipeline/search/indexer.ts';
import { defaultExtractionLimits } from '@trellis/server/resources/knowledge-files/extraction.ts';
import { startExtraction } from '@trellis/server/resources/knowledge-files/extraction-service.ts';
import { startScheduler } from '@trellis/server/scheduler/scheduler.ts';
import { AddressGuard } from '@trellis/server/webhooks/address-guard.ts';
import { startDelivery } from '@trellis/server/webhooks/delivery.ts';
import { fanOutToWebhooks } from '@trellis/server/webhooks/fan-out.ts';
import { makeSecret } from '@trellis/server/webhooks/signatures.ts';
import { pino } from 'pino';
import { runOn, withoutCitus } from '../support/citus.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { whileStopped } from '../support/stopped-cluster.ts';
import { until } from '../support/until.ts';
import { sealer, testModels, testOrigin } from '../support/webhooks.ts';
import { createDistributedDatabase, type WorkDatabase } from '../support/workplaces.ts';

/** How long the work of others may take while a server is frozen, in ms. */
const patienceMs = 10_000;
const skip = withoutCitus;

let database: WorkDatabase;
let receiver: Receiver;
let folder: string;
/** The postmaster of the server that is frozen, and its address. */
let frozen: { readonly pid: number; readonly address: string };
const metrics = createMetrics();
let probes: Awaited<ReturnType<typeof buildProbeServer>>;
let probePort: number;
let own: string[];
let others: string[];

before(async () => {
  if (withoutCitus) return;
  database = await createDistributedDatabase();
  receiver = await startReceiver();
  const { api, servers } = database;
  metrics.watchServers(() => servers.state());
  const log = pino({ level: 'silent' });
  probes = await buildProbeServer({ database: api, servers, metrics, origin: null, log });
  probePort = (await probes.listen({ host: '127.0.0.1', port: 0 })).port;
  folder = await mkdtemp(join(tmpdir(), 'trellis-away-'));
  const [first] = database.serverUrls;
  assert.ok(first);
  const [address, url] = first;
  const [row] = await runOn(url, `SELECT (pg_read_file('postmaster.pid', 0, 20)::text) AS text`);
  frozen = { pid: Number(String(row?.text).split('\n')[0]), address };
  const organizations = Array.from({ length: 16 }, newUuid);
  const places = new Map<string, string>();
  for (const id of organizations) {
    await prepare(id);
    const { rows } = await database.admin.query<{ address: string }>(
      `SELECT nodename || ':' || nodeport AS address FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
       WHERE shardid = get_shard_id_for_distribution_column('trellis.memberships', $1::uuid)`,
      [id],
    );
    places.set(id, rows[0]?.address ?? '');
  }
  own = organizations.filter((id) => places.get(id) === address);
  others = organizations.filter((id) => places.get(id) !== address);
  assert.ok(own.length > 0 && others.length > 0);
});
after(async () => {
  if (withoutCitus) return;
  await probes.close();
  await receiver.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

/** An organization with a member and an endpoint. */
async function prepare(id: string): Promise<void> {
  const { admin } = database;
  await admin.query(
    `INSERT INTO trellis.organizations (id, key, name, modules) VALUES ($1, $2, $2, '{publishing}')`,
    [id, id],
  );
  await admin.query(
    `INSERT INTO trellis.users (id, email, email_normalized, name)
     VALUES ($1, $2, $2, 'Owner')`,
    [id, `${id}@example.com`],
  );
  await admin.query(
    `INSERT INTO trellis.memberships (organization_id, user_id, role) VALUES ($1, $1, 'OWNER')`,
    [id],
  );
  await admin.query(
    `INSERT INTO trellis.webhook_subscriptions (organization_id, endpoint_id, url, event_types, payload, enabled, acts_for, secret)
     VALUES ($1, $1, $2, '{site.*}', 'THIN', true, $1, $3)`,
    [id, `${receiver.url}/${id}`, sealer.seal(makeSecret(), { organizationId: id, endpointId: id })],
  );
}

/** Gives an organization an event, a timer, a file to be read and an index job. @returns the record of the timer */
async function giveWork(id: string, dueInSeconds = 0): Promise<string> {
  const { admin } = database;
  const record = newUuid();
  await admin.query(
    `INSERT INTO trellis.timers (organization_id, kind, record_id, due_at, available_at)
     VALUES ($1, 'FILE_EXPIRE', $2, now(), now() + make_interval(secs => $3))`,
    [id, record, dueInSeconds],
  );
  await admin.query(
    `INSERT INTO trellis.extraction_jobs (organization_id, file_id, content_version, media_type, sha256, available_at, attempts)
     VALUES ($1, $2, 1, 'text/plain', repeat('0', 64), now() + make_interval(secs => $3), 0)`,
    [id, record, dueInSeconds],
  );
  await admin.query(
    `INSERT INTO trellis.search_marks (organization_id, type, record_id, parent_id, number, available_at, attempts)
     VALUES ($1, 'role', $2, $1, 1, now() + make_interval(secs => $3), 0)`,
    [id, record, dueInSeconds],
  );
  await admin.query(
    `INSERT INTO trellis.outbox (organization_id, id, type, subject_type, subject_id, subject_version, request_id,
       changed_fields, occurred_at, readers) VALUES ($1, $2, 'site.updated', 'site', $2, 1, 'test', '{}', now(), NULL)`,
    [id, record],
  );
  return record;
}

/** Waits until each kind of work of these records was begun, and their events delivered. @returns how long it took, in ms */
async function untilDone(records: ReadonlyMap<string, string>): Promise<number> {
  const began = performance.now();
  for (const [id, record] of records)
    await until(`the work of ${id} is done`, async () => {
      const { rows } = await database.admin.query<{ done: boolean }>(
        `SELECT (SELECT attempts > 0 FROM trellis.timers WHERE organization_id = $1 AND record_id = $2)
           AND (SELECT attempts > 0 FROM trellis.extraction_jobs WHERE organization_id = $1 AND file_id = $2)
           AND (SELECT attempts > 0 FROM trellis.search_marks WHERE organization_id = $1 AND record_id = $2)
           AND EXISTS (SELECT FROM trellis.webhook_deliveries
             WHERE organization_id = $1 AND event_id = $2 AND status = 'SUCCEEDED') AS done`,
        [id, record],
      );
      return rows[0]?.done === true;
    });
  return performance.now() - began;
}

async function giveAll(ids: readonly string[], dueInSeconds?: number): Promise<Map<string, string>> {
  const records = new Map<string, string>();
  for (const id of ids) records.set(id, await giveWork(id, dueInSeconds));
  return records;
}

/** Starts all roles. Timed changes and index jobs fail, because they have no models, and so do files, which are not stored. */
async function startRoles(): Promise<Loop> {
  const { workplaces, worker } = database;
  const log = pino({ level: 'silent' });
  const nudge = () => undefined;
  const objects = await createLocalStore({ directory: folder });
  const relay = startRelay({
    database: worker,
    places: () => workplaces.list(),
    fanOut: fanOutToWebhooks,
    log: nudge,
  });
  const loops = [
    relay,
    workplaces.run((place) =>
      startDelivery({
        worker: place,
        api: place.api,
        models: testModels,
        guard: new AddressGuard({ allowPrivate: ['127.0.0.0/8'] }),
        sealer,
        origin: testOrigin,
        nudge,
        log: nudge,
      }),
    ),
    workplaces.run((place) =>
      startScheduler({
        worker: place,
        api: place.api,
        models: new Map(),
        nudge,
        log,
        timing: { pollMs: 50 },
      }),
    ),
    workplaces.run((place) =>
      startExtraction({
        worker: place,
        api: place.api,
        objects,
        model: modelOf(testModels, knowledgeFiles.name),
        limits: defaultExtractionLimits,
        pollMs: 50,
        nudge,
        log,
      }),
    ),
    workplaces.run((place) =>
      startIndexer({ worker: place, api: place.api, models: new Map(), log: nudge, timing: { pollMs: 50 } }),
    ),
  ];
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

function isAway(): boolean {
  const { servers } = database;
  return servers.state()?.find(({ address }) => address === frozen.address)?.isAway ?? false;
}

/** What the node says of the servers: in its metrics, of the one that is frozen, and when it is asked whether it is ready. */
async function reported(): Promise<{ readonly away: string | undefined; readonly conditions: string[] }> {
  const text = await metrics.render();
  const away = text
    .split('\n')
    .find((line) => line.startsWith(`trellis_database_server_away{server="${frozen.address}"}`));
  const response = await fetch(`http://127.0.0.1:${probePort}/readyz`);
  assert.equal(response.status, 200);
  const body = (await response.json()) as { servers: { number: number; condition: string }[] };
  assert.ok(body.servers.every(({ number }) => number > 0));
  return { away: away?.split(' ')[1], conditions: body.servers.map(({ condition }) => condition).sort() };
}

test('a frozen server: the others go on within seconds, its own work waits for it, and the end does not', {
  skip,
}, async () => {
  let roles = await startRoles();
  try {
    await untilDone(await giveAll([...own, ...others]));
    assert.equal(isAway(), false);
    assert.deepEqual(await reported(), { away: '0', conditions: ['ready', 'ready'] });
    // Due while the server is frozen.
    const waiting = await giveAll(own, 2);
    await whileStopped(frozen, async () => {
      const took = await untilDone(await giveAll(others));
      assert.ok(took < patienceMs, `the work of the others took ${took} ms`);
      await until('the server counts as away', isAway);
      assert.deepEqual(await reported(), { away: '1', conditions: ['away', 'ready'] });
      const again = await untilDone(await giveAll(others));
      assert.ok(again < patienceMs, `the work of the others took ${again} ms`);
      const began = performance.now();
      await roles.stop();
      const ms = performance.now() - began;
      assert.ok(ms < patienceMs, `stopping took ${ms} ms`);
      roles = await startRoles();
      assert.ok((await untilDone(await giveAll(others))) < patienceMs);
    });
    await until('the server is back', () => !isAway());
    assert.deepEqual(await reported(), { away: '0', conditions: ['ready', 'ready'] });
    assert.ok((await untilDone(waiting)) < patienceMs);
    assert.ok((await untilDone(await giveAll([...own, ...others]))) < patienceMs);
  } finally {
    await roles.stop();
  }
});

test('a transaction in a shard makes a move of the shard wait, and nothing is changed in a shard that is elsewhere', {
  skip,
}, async () => {
  const state = database.servers.state() ?? [];
  const [here] = state.find(({ address }) => address === frozen.address)?.shards ?? [];
  const [elsewhere] = state.find(({ address }) => address !== frozen.address)?.shards ?? [];
  assert.ok(here && elsewhere);
  const server = database.openWorker(frozen.address);
  try {
    // As a move takes it: with ExclusiveLock.
    const lock = () =>
      runOn(
        database.serverUrls.get(frozen.address) ?? '',
        `SET lock_timeout = '200ms'`,
        `SELECT lock_shard_metadata(7, ARRAY[${here.id}]::bigint[])`,
      );
    await new Shard(server, database.worker, here).backgroundTransaction(
      [],
      async (_results, transaction) => {
        await assert.rejects(lock(), { code: '55P03' });
        await transaction.commit([]);
      },
    );
    await lock();
    const gone = new Shard(server, database.worker, elsewhere);
    const change = step({ name: 'change', text: 'UPDATE trellis.timers SET attempts = 0' });
    await assert.rejects(gone.executeInBackground([change]), { code: 'TR002' });
    // One that was split is known nowhere.
    const split = new Shard(server, database.worker, { ...here, id: '1' });
    await assert.rejects(split.executeInBackground([change]), { code: 'TR002' });
  } finally {
    await server.close();
  }
});

/**
 * Relay and delivery processes are killed again and again while events are sent to several endpoints. Nothing is lost,
 * repeated calls are identical, and the deliveries of a killed process are sent again soon after their leases have ended.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { eventIdPrefix } from '@trellis/server/kernel/events/cloud-event.ts';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { killDeliveryProcesses, prepareDeliveryProcess } from '../support/delivery-processes.ts';
import { countWaiting, createSite, readWholeLog, writeSite } from '../support/events.ts';
import { createMember, createOrganization, type TestOrganization } from '../support/identities.ts';
import { type ReceivedCall, type Receiver, startReceiver } from '../support/receiver.ts';
import { killRelayProcesses, startRelayProcess } from '../support/relay-processes.ts';
import { chooseSeed, seededNumbers } from '../support/seed.ts';
import { amount } from '../support/soak.ts';
import { until } from '../support/until.ts';
import { createEndpoint, deliveriesOf, type TestEndpoint } from '../support/webhooks.ts';

const killsOfEach = amount(6, 50);
const endpointCount = 4;
const leaseMs = 2_000;
/** How long a delivery may wait after the end of its lease. */
const toleranceMs = 5_000;

let random = Math.random;
let database: TestDatabase;
let organization: TestOrganization;
let receiver: Receiver;
const endpoints: TestEndpoint[] = [];

before(async () => {
  database = await createTestDatabase();
  organization = await createOrganization(database.worker, 'kills');
  const createdBy = await createMember(database.worker, organization, 'OWNER');
  // It responds slowly, so that kills happen during calls.
  receiver = await startReceiver((response) => {
    setTimeout(() => response.writeHead(204).end(), random() * 40);
  });
  for (let number = 0; number < endpointCount; number += 1) {
    const url = `${receiver.url}/${number}`;
    endpoints.push(await createEndpoint(database.api, organization.id, { url, createdBy }));
  }
});
after(async () => {
  await killRelayProcesses();
  await killDeliveryProcesses();
  await receiver?.close();
  await database?.drop();
});

/** A delivery that was leased by a process when that was killed. */
interface Orphan {
  readonly key: string;
  readonly leasedUntil: number;
  /** An instant at which all calls of the killed process had come. */
  readonly foundAt: number;
}

const keyOf = (endpoint: number, eventId: string) => `${endpoint} ${eventId}`;
const keyOfCall = ({ path, headers }: ReceivedCall) =>
  keyOf(Number(path.split('/').at(-1)), String(headers['webhook-id']));

/** The connections of delivery processes. */
async function countConnections(): Promise<number> {
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  const { rowCount } = await client.query(
    `SELECT FROM pg_stat_activity WHERE application_name = 'trellis test delivery' AND datname = current_database()`,
  );
  await client.end();
  return rowCount ?? 0;
}

/** The leased deliveries when no process runs and the database has finished the last one's statements. */
async function findOrphans(): Promise<Orphan[]> {
  await until('its connections are gone', async () => (await countConnections()) === 0);
  const rows = await database.worker.run(
    `SELECT endpoint_id, event_id, floor(extract(epoch FROM leased_until) * 1000)
     FROM trellis.webhook_deliveries WHERE status = 'PENDING' AND leased_until > clock_timestamp()`,
  );
  const foundAt = Date.now();
  return rows.map(([endpointId, eventId, leasedUntil]) => {
    const number = endpoints.findIndex(({ id }) => id === endpointId);
    const key = keyOf(number, encodeId(eventIdPrefix, eventId ?? ''));
    return { key, leasedUntil: Number(leasedUntil), foundAt };
  });
}

async function killRelays(): Promise<number> {
  let killed = 0;
  for (; killed < killsOfEach; killed += 1) {
    const relay = startRelayProcess(database, { leaseMs: 300 });
    await relay.says('moving');
    // A kill at any moment of its loop.
    await sleep(random() * 100);
    assert.equal(await relay.end('SIGKILL'), null);
  }
  // The other processes may still be working.
  startRelayProcess(database, { leaseMs: 300 });
  return killed;
}

/** Loads the next process while one works; it begins when the one before has ended. */
async function killDeliveries(orphans: Orphan[]): Promise<number> {
  let killed = 0;
  let next = prepareDeliveryProcess(database, leaseMs);
  for (; killed < killsOfEach; killed += 1) {
    const had = receiver.calls.length;
    const delivering = await (await next).begin();
    next = prepareDeliveryProcess(database, leaseMs);
    await until('calls have arrived', () => receiver.calls.length > had);
    await next;
    await sleep(random() * 50);
    await delivering.kill();
    orphans.push(...(await findOrphans()));
  }
  await (await next).begin();
  return killed;
}

/** Approximate maximum of waiting deliveries: enough for every kill to interrupt one, and few enough to finish soon. */
const backlog = 100;

async function countPending(): Promise<number> {
  const [row] = await database.worker.run(
    `SELECT count(*) FROM trellis.webhook_deliveries WHERE status = 'PENDING'`,
  );
  return Number(row?.[0]) + endpointCount * (await countWaiting(database.worker));
}

/** Writes versions of some sites until it is stopped, as fast as they are delivered. */
function startWriting(): { stop(): Promise<number> } {
  let written = 0;
  let writing = true;
  const done = (async () => {
    while (writing) {
      const site = await createSite(database.api, organization.id);
      for (let version = 1; version <= 5; version += 1) {
        const rollBack = random() < 0.05;
        await writeSite(database.api, organization.id, site, { rollBack });
        if (!rollBack) written += 1;
      }
      await until('the backlog is small', async () => (await countPending()) < backlog);
    }
  })();
  return {
    async stop() {
      writing = false;
      await done;
      return written;
    },
  };
}

test(`${2 * killsOfEach} kills lose nothing, and repeated calls are identical`, async (context) => {
  random = seededNumbers(chooseSeed(context));
  const orphans: Orphan[] = [];
  const writing = startWriting();
  let kills: readonly number[];
  let written: number;
  try {
    kills = await Promise.all([killRelays(), killDeliveries(orphans)]);
  } finally {
    written = await writing.stop();
  }
  assert.deepEqual(kills, [killsOfEach, killsOfEach]);
  await until('the outbox is empty', async () => (await countWaiting(database.worker)) === 0);
  for (const endpoint of endpoints) {
    await until('everything is delivered', async () => {
      const all = await deliveriesOf(database.worker, endpoint);
      return all.length === written && all.every(({ status }) => status === 'SUCCEEDED');
    });
  }

  const log = await readWholeLog(database.api, organization.id);
  assert.equal(log.length, written);
  const expected = endpoints.flatMap((_, number) =>
    log.map(({ id }) => keyOf(number, encodeId(eventIdPrefix, id))),
  );
  const calls = Map.groupBy(receiver.calls, keyOfCall);
  assert.deepEqual([...calls.keys()].sort(), expected.sort());
  // The same id in header and body, the same bytes, and no change with two ids.
  const idOfChange = new Map<string, unknown>();
  for (const [key, same] of calls) {
    assert.equal(new Set(same.map(({ body }) => body)).size, 1, `bodies of ${key}`);
    const { id, data } = JSON.parse(same[0]?.body ?? '{}');
    assert.equal(key.split(' ')[1], id);
    const change = `${data.id} ${data.version}`;
    assert.equal(idOfChange.get(change) ?? id, id);
    idOfChange.set(change, id);
  }
  assert.equal(idOfChange.size, written);

  // Each is sent again, not before its lease has ended and soon after that, unless it was leased in time and interrupted again.
  const waits = orphans.map(({ key, leasedUntil, foundAt }) => {
    const again = calls.get(key)?.find(({ at }) => at > foundAt)?.at;
    assert.ok(again !== undefined, `${key} was not sent again`);
    assert.ok(again >= leasedUntil, `${key} was sent ${leasedUntil - again} ms before its lease had ended`);
    const orphaned = orphans.find((other) => other.key === key && other.foundAt > foundAt)?.foundAt;
    return Math.min(again, orphaned ?? again) - foundAt;
  });
  const longest = Math.max(...waits);
  assert.ok(longest <= leaseMs + toleranceMs, `an orphan lay for ${longest} ms`);
  const duplicates = receiver.calls.length - calls.size;
  assert.ok(orphans.length > 0 && duplicates > 0, 'kills fell into calls');
  context.diagnostic(
    `${written} events to ${endpointCount} endpoints, ${orphans.length} orphans (longest ${longest} ms), ${duplicates} sent again`,
  );
});

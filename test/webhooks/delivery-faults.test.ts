/** Deliveries despite kills, stops and freezes of processes: each is still made, with the same id. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { AddressGuard } from '@trellis/server/features/webhooks/address-guard.ts';
import { EndpointTurn, recordFailure, recordSuccess } from '@trellis/server/features/webhooks/queue.ts';
import { sweepDeliveries } from '@trellis/server/features/webhooks/retention.ts';
import { SecretSealer } from '@trellis/server/features/webhooks/sealing.ts';
import type { Relay } from '@trellis/server/kernel/events/relay.ts';
import { AdminClient } from '../support/admin-client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  type DeliveryProcess,
  killDeliveryProcesses,
  startDeliveryProcess,
} from '../support/delivery-processes.ts';
import { countWaiting, createSite, writeSite } from '../support/events.ts';
import { createMember, createOrganization, type TestOrganization } from '../support/identities.ts';
import { type Receiver, respondWith, startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import {
  attemptsOf,
  createEndpoint,
  deliveriesOf,
  makeDue,
  removeEndpoint,
  startTestDelivery,
  startWebhookRelay,
  type TestEndpoint,
} from '../support/webhooks.ts';

const leaseMs = 2_000;

let database: TestDatabase;
let organization: TestOrganization;
let owner = '';
let relay: Relay;

before(async () => {
  database = await createTestDatabase();
  organization = await createOrganization(database.worker, 'faults');
  owner = await createMember(database.worker, organization, 'OWNER');
  relay = startWebhookRelay(database);
});
after(async () => {
  await killDeliveryProcesses();
  await relay.stop();
  await database.drop();
});

async function withEndpoint(work: (endpoint: TestEndpoint, own: Receiver) => Promise<void>): Promise<void> {
  const own = await startReceiver();
  const options = { url: own.url, createdBy: owner };
  const endpoint = await createEndpoint(database.api, organization.id, options);
  try {
    await work(endpoint, own);
  } finally {
    await removeEndpoint(database.api, endpoint);
    await own.close();
  }
}

async function writeSites(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const site = await createSite(database.api, organization.id);
    await writeSite(database.api, organization.id, site);
  }
  await until('the outbox is empty', async () => (await countWaiting(database.worker)) === 0);
}

const startProcess = (): Promise<DeliveryProcess> => startDeliveryProcess(database, leaseMs);

const allSucceeded = (endpoint: TestEndpoint, count: number) =>
  until('everything is delivered', async () => {
    const all = await deliveriesOf(database.worker, endpoint);
    return all.length === count && all.every(({ status }) => status === 'SUCCEEDED');
  });

test('calls of a killed process are made by another one after the lease has expired', () =>
  withEndpoint(async (endpoint, own) => {
    own.respond(() => undefined);
    const first = await startProcess();
    await writeSites(3);
    await own.received(2);
    await first.kill();
    const killedAt = Date.now();
    const [leased] = await database.worker.run(
      `SELECT floor(extract(epoch FROM min(leased_until)) * 1000) FROM trellis.webhook_deliveries
       WHERE endpoint_id = $1 AND leased_until > clock_timestamp()`,
      [endpoint.id],
    );
    own.respond(respondWith(204));
    const second = await startProcess();
    await allSucceeded(endpoint, 3);
    const again = own.calls
      .slice(2)
      .filter(({ headers }) =>
        own.calls.slice(0, 2).some((call) => call.headers['webhook-id'] === headers['webhook-id']),
      );
    assert.equal(again.length, 2);
    assert.ok(leased !== undefined);
    for (const { at } of again) {
      assert.ok(at >= Number(leased[0]), `${at}, leased until ${leased[0]}`);
      assert.ok(at - killedAt <= leaseMs + 5_000, `${at - killedAt} ms`);
    }
    assert.equal(new Set(own.calls.map(({ headers }) => headers['webhook-id'])).size, 3);
    await second.kill();
  }));

test('processes that are killed repeatedly deliver everything in the end', () =>
  withEndpoint(async (endpoint, own) => {
    own.respond((response) => setTimeout(() => response.writeHead(204).end(), 15));
    const written = writeSites(30);
    for (let round = 0; round < 3; round += 1) {
      const child = await startProcess();
      const before = own.calls.length;
      await until('some have arrived', () => own.calls.length >= Math.min(before + 3, 30));
      await child.kill();
    }
    await written;
    const last = await startProcess();
    await allSucceeded(endpoint, 30);
    assert.equal(new Set(own.calls.map(({ headers }) => headers['webhook-id'])).size, 30);
    await last.kill();
  }));

test('a stopped loop releases unfinished deliveries, and another one claims them at once', () =>
  withEndpoint(async (endpoint, own) => {
    own.respond(() => undefined);
    const timing = { deadlineMs: 60_000, leaseMs: 120_000, graceMs: 50 };
    const first = startTestDelivery(database, { timing });
    await writeSites(1);
    await own.received(1);
    await first.stop();
    assert.deepEqual(await attemptsOf(database.worker, endpoint), []);
    own.respond(respondWith(204));
    const second = startTestDelivery(database, { timing });
    await allSucceeded(endpoint, 1);
    await second.stop();
    assert.equal(own.calls.length, 2);
  }));

test('deliveries of a dead process come before later ones of the endpoint', () =>
  withEndpoint(async (endpoint) => {
    await writeSites(6);
    const waiting = (await deliveriesOf(database.worker, endpoint)).map(({ eventId }) => eventId);
    assert.equal(waiting.length, 6);
    // With a lease that expires at once.
    const take = () =>
      until('some are taken', async () => {
        const taken = await new EndpointTurn().claim(database.worker, 10, 1);
        return taken.length > 0 && taken.map(({ eventId }) => eventId).sort();
      });
    const orphans = await take();
    assert.equal(orphans.length, 2);
    assert.deepEqual(await take(), orphans);
  }));

test('a result that arrives after the lease was lost changes nothing', () =>
  withEndpoint(async (endpoint) => {
    await writeSites(1);
    const take = (lease: number) =>
      until('it is taken', async () => (await new EndpointTurn().claim(database.worker, 10, lease))[0]);
    const late = await take(1);
    const current = await take(60_000);
    assert.equal(current.eventId, late.eventId);
    const outcome = { status: 500, latencyMs: 1, excerpt: '', error: null, retryAfterMs: null };
    const result = { outcome, attemptedAt: new Date().toISOString() };
    await recordFailure(database.worker, late, result, null);
    assert.equal((await deliveriesOf(database.worker, endpoint))[0]?.status, 'PENDING');
    await recordSuccess(database.worker, current, { ...result, outcome: { ...outcome, status: 200 } });
    await recordFailure(database.worker, late, result, null);
    assert.equal((await deliveriesOf(database.worker, endpoint))[0]?.status, 'SUCCEEDED');
  }));

test('a name that resolves to this network when it is called is not called, although it was public when it was entered', async () => {
  const own = await startReceiver();
  const { port } = new URL(own.url);
  // The name was public when it was entered; now it resolves to this machine.
  const endpoint = await createEndpoint(database.api, organization.id, {
    url: `https://rebinding.example.com:${port}/hook`,
    createdBy: owner,
  });
  const guard = new AddressGuard({ allowPrivate: [], lookup: async () => ['127.0.0.1'] });
  const delivery = startTestDelivery(database, { guard });
  try {
    await writeSites(1);
    const [attempt] = await until('an attempt is recorded', async () => {
      const attempts = await attemptsOf(database.worker, endpoint);
      return attempts.length > 0 && attempts;
    });
    assert.deepEqual(attempt, {
      number: 1,
      status: null,
      error:
        'The host name resolves to an address that is not public. Only the operator of this server can allow private addresses, with the setting TRELLIS_WEBHOOK_ALLOW_PRIVATE.',
      response: '',
    });
    assert.equal(own.connections(), 0);
  } finally {
    await delivery.stop();
    await removeEndpoint(database.api, endpoint);
    await own.close();
  }
});

test('deliveries are deleted after 30 days, those of a deleted endpoint at once; others stay', () =>
  withEndpoint(async (endpoint) => {
    await writeSites(2);
    const [kept, old] = await deliveriesOf(database.worker, endpoint);
    const orphan = newUuid();
    const admin = `UPDATE trellis.webhook_deliveries SET created_at = created_at - interval '30 days 1 minute',
      next_attempt_at = next_attempt_at - interval '30 days 1 minute' WHERE event_id = $1`;
    await asAdmin(admin, [old?.eventId ?? '']);
    await asAdmin('UPDATE trellis.webhook_deliveries SET endpoint_id = $1 WHERE endpoint_id <> $2', [
      orphan,
      endpoint.id,
    ]);
    await sweepDeliveries(database.worker);
    const rows = await database.worker.run('SELECT event_id FROM trellis.webhook_deliveries');
    assert.deepEqual(rows, [[kept?.eventId]]);
  }));

test('a replay after almost 30 days is not deleted before it is sent; deliveries that can never be sent are deleted', () =>
  withEndpoint(async (endpoint) => {
    await writeSites(2);
    const [repeated, forgotten] = (await deliveriesOf(database.worker, endpoint)).map(
      ({ eventId }) => eventId,
    );
    const age = (column: string, eventId = '') =>
      asAdmin(
        `UPDATE trellis.webhook_deliveries SET ${column} = ${column} - interval '30 days 1 minute' WHERE event_id = $1`,
        [eventId],
      );
    await age('created_at', repeated);
    await age('created_at', forgotten);
    await age('next_attempt_at', forgotten);
    await sweepDeliveries(database.worker);
    const left = await deliveriesOf(database.worker, endpoint);
    assert.deepEqual(
      left.map(({ eventId, status }) => [eventId, status]),
      [[repeated, 'PENDING']],
    );
    const sending = startTestDelivery(database);
    await allSucceeded(endpoint, 1);
    await sending.stop();
    await sweepDeliveries(database.worker);
    assert.deepEqual(await deliveriesOf(database.worker, endpoint), []);
  }));

test('deliveries with a secret sealed by another key wait with an explanation, and are sent once the key is correct', () =>
  withEndpoint(async (endpoint, own) => {
    const logged: string[] = [];
    const wrong = startTestDelivery(database, {
      sealer: new SecretSealer(Buffer.alloc(32, 8)),
      log: (message, { endpoint: id }) => logged.push(`${id}: ${message}`),
    });
    await writeSites(1);
    const [line] = await until('it is logged', () => logged.length > 0 && logged);
    await wrong.stop();
    assert.ok(line?.startsWith(endpoint.id));
    assert.match(line ?? '', /TRELLIS_CURSOR_KEY.*rotate the secret/);
    const [waiting] = await deliveriesOf(database.worker, endpoint);
    assert.equal(waiting?.status, 'PENDING');
    assert.ok((waiting?.waitSeconds ?? 0) > 30 && (waiting?.waitSeconds ?? 0) <= 60);
    assert.equal(own.connections(), 0);
    await makeDue(database.worker, endpoint);
    const right = startTestDelivery(database);
    await allSucceeded(endpoint, 1);
    await right.stop();
  }));

/** Makes a change that no role may make. */
async function asAdmin(text: string, values: readonly string[]): Promise<void> {
  const admin = await AdminClient.open(database);
  await admin.query('SET session_replication_role = replica');
  await admin.query(text, values);
  await admin.end();
}

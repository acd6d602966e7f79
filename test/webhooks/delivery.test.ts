/** Deliveries from a committed write to a receiver: what arrives, how often, and the effect of the responses. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import type { Delivery } from '@trellis/server/features/webhooks/delivery-loop.ts';
import type { Relay } from '@trellis/server/kernel/events/relay.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { countWaiting, createSite, writeSite } from '../support/events.ts';
import { createMember, createOrganization, type TestOrganization } from '../support/identities.ts';
import { type Receiver, respondWith, startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { verifyWebhook } from '../support/verify-webhook.ts';
import {
  attemptsOf,
  createEndpoint,
  deliveriesOf,
  type EndpointOptions,
  makeDue,
  removeEndpoint,
  startTestDelivery,
  startWebhookRelay,
  type TestEndpoint,
  testOrigin,
} from '../support/webhooks.ts';

let database: TestDatabase;
let organization: TestOrganization;
let owner = '';
let relay: Relay;
let delivery: Delivery;
let receiver: Receiver;

before(async () => {
  database = await createTestDatabase();
  organization = await createOrganization(database.worker, 'webhooks');
  owner = await createMember(database.worker, organization, 'OWNER');
  relay = startWebhookRelay(database);
  delivery = startDelivery();
  receiver = await startReceiver();
});
after(async () => {
  await delivery.stop();
  await relay.stop();
  await receiver.close();
  await database.drop();
});

/** A call that has no response does not end during a test, also on a slow machine, and so makes no place for another one. */
function startDelivery(): Delivery {
  return startTestDelivery(database, { timing: { deadlineMs: 120_000, leaseMs: 240_000 } });
}

/** Runs a test with a new receiver and endpoint. */
async function withEndpoint(
  options: Partial<EndpointOptions>,
  work: (endpoint: TestEndpoint, receiver: Receiver) => Promise<void>,
): Promise<void> {
  const own = await startReceiver();
  // Events of earlier tests are not for this endpoint.
  await relayed();
  const endpoint = await createEndpoint(database.api, organization.id, {
    url: own.url,
    createdBy: owner,
    ...options,
  });
  try {
    await work(endpoint, own);
  } finally {
    await removeEndpoint(database.api, endpoint);
    await own.close();
  }
}

/** Writes a number of versions of a new site; returns its id. */
async function writeSites(versions = 1): Promise<string> {
  const site = await createSite(database.api, organization.id);
  for (let version = 1; version <= versions; version += 1)
    await writeSite(database.api, organization.id, site);
  return site;
}

/** Waits until all events are in the log, and so fanned out. */
async function relayed(): Promise<void> {
  await until('the outbox is empty', async () => (await countWaiting(database.worker)) === 0);
}

const settled = (endpoint: TestEndpoint, status: string) =>
  until(`the delivery is ${status}`, async () => {
    const all = await deliveriesOf(database.worker, endpoint);
    return all.length > 0 && all.every((one) => one.status === status) && all;
  });

const attempted = (endpoint: TestEndpoint, count: number) =>
  until(`${count} attempts are recorded`, async () => {
    const attempts = await attemptsOf(database.worker, endpoint);
    return attempts.length >= count && attempts;
  });

test('a committed write arrives as a signed event that says what changed, and where to read it', () =>
  withEndpoint({}, async (endpoint, own) => {
    const site = await writeSites();
    const [call] = await own.received(1);
    assert.ok(call);
    const event = JSON.parse(call.body);
    assert.equal(verifyWebhook(call.headers, call.body, endpoint.secret), true);
    assert.equal(call.headers['content-type'], 'application/json');
    assert.equal(call.headers['webhook-id'], event.id);
    assert.ok(Math.abs(Number(call.headers['webhook-timestamp']) * 1_000 - call.at) < 60_000);
    assert.equal(event.type, 'site.created');
    assert.equal(event.specversion, '1.0');
    const id = encodeId('site', site);
    assert.equal(event.data.url, `${testOrigin}/v1/sites/${id}`);
    assert.deepEqual(Object.keys(event.data), ['resource', 'id', 'url', 'version', 'changedFields', 'actor']);
    const [stored] = await settled(endpoint, 'SUCCEEDED');
    assert.equal(encodeId('evt', stored?.eventId ?? ''), event.id);
    assert.equal(stored?.attempts, 1);
    assert.deepEqual(await attemptsOf(database.worker, endpoint), [
      { number: 1, status: 204, error: null, response: '' },
    ]);
  }));

test('a write that is rolled back is never delivered', () =>
  withEndpoint({}, async (_endpoint, own) => {
    const site = await createSite(database.api, organization.id);
    await writeSite(database.api, organization.id, site, { rollBack: true });
    await writeSite(database.api, organization.id, site);
    const calls = await own.received(1);
    await relayed();
    assert.deepEqual(
      calls.map(({ body }) => JSON.parse(body).data.version),
      [1],
    );
  }));

test('an endpoint gets its event types, of its own organization', () =>
  withEndpoint({ eventTypes: ['site.updated', 'article.*'] }, async (endpoint, own) => {
    const other = await createOrganization(database.worker, 'other');
    const foreign = await createSite(database.api, other.id);
    for (let version = 1; version <= 2; version += 1) await writeSite(database.api, other.id, foreign);
    await writeSites(2);
    await relayed();
    await settled(endpoint, 'SUCCEEDED');
    assert.deepEqual(
      own.calls.map(({ body }) => JSON.parse(body).type),
      ['site.updated'],
    );
  }));

test('a failed delivery is retried after 5 s, 5 m and so on with the same id, and fails after the tenth attempt', () =>
  withEndpoint({}, async (endpoint, own) => {
    own.respond(respondWith(500, 'out of order'));
    await writeSites();
    const waits = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    for (const [index, wait] of waits.entries()) {
      await attempted(endpoint, index + 1);
      const [stored] = await settled(endpoint, 'PENDING');
      assert.ok(stored && stored.waitSeconds <= wait * 1.2 + 1, `${stored?.waitSeconds} after ${index + 1}`);
      // The first delay may have passed on a busy machine.
      assert.ok(index === 0 || stored.waitSeconds >= wait * 0.8 - 30, `${stored.waitSeconds}`);
      await makeDue(database.worker, endpoint);
    }
    await attempted(endpoint, 10);
    await settled(endpoint, 'FAILED');
    const attempts = await attemptsOf(database.worker, endpoint);
    assert.deepEqual(
      attempts.map(({ number, status, response }) => [number, status, response]),
      Array.from({ length: 10 }, (_, index) => [index + 1, 500, 'out of order']),
    );
    assert.equal(new Set(own.calls.map(({ headers }) => headers['webhook-id'])).size, 1);
  }));

test('a receiver can request a longer delay', () =>
  withEndpoint({}, async (endpoint, own) => {
    own.respond(respondWith(429, '', { 'retry-after': '3600' }));
    await writeSites();
    await attempted(endpoint, 1);
    const [stored] = await settled(endpoint, 'PENDING');
    assert.ok(stored && stored.waitSeconds > 3_000 && stored.waitSeconds <= 3_600);
  }));

test('a 3xx response is a failure, and the redirect is not followed', () =>
  withEndpoint({}, async (endpoint, own) => {
    const before = receiver.connections();
    own.respond(respondWith(307, '', { location: receiver.url }));
    await writeSites();
    await attempted(endpoint, 1);
    const [stored] = await settled(endpoint, 'PENDING');
    assert.equal(stored?.attempts, 1);
    assert.equal(receiver.connections(), before);
  }));

async function stateOf(endpoint: TestEndpoint) {
  const { json } = await readEndpoint(endpoint);
  return json;
}

async function readEndpoint({ organizationId, id }: TestEndpoint) {
  const [result] = await database.api.query({ organizationId, userId: null }, [
    {
      statement: {
        name: 'test_read_endpoint',
        text: 'SELECT status, disabled_reason FROM trellis.webhook_endpoints WHERE organization_id = $1 AND id = $2',
      },
      values: [organizationId, id],
    },
  ]);
  const [status, reason] = result?.rows[0] ?? [];
  return { json: { status, reason } };
}

async function disabledEvents(endpoint: TestEndpoint): Promise<number> {
  const rows = await database.worker.run(
    `SELECT count(*) FROM (
       SELECT subject_id FROM trellis.events WHERE type = 'webhook-endpoint.disabled'
       UNION ALL SELECT subject_id FROM trellis.outbox WHERE type = 'webhook-endpoint.disabled') e
     WHERE subject_id = $1`,
    [endpoint.id],
  );
  return Number(rows[0]?.[0]);
}

test('a 410 response disables the endpoint at once, with an event, and nothing more is sent', () =>
  withEndpoint({ eventTypes: ['site.*'] }, async (endpoint, own) => {
    own.respond(respondWith(410));
    await writeSites();
    await until('it is disabled', async () => (await stateOf(endpoint)).status === 'DISABLED');
    assert.deepEqual(await stateOf(endpoint), { status: 'DISABLED', reason: 'GONE' });
    assert.equal(await disabledEvents(endpoint), 1);
    await writeSites();
    await relayed();
    await makeDue(database.worker, endpoint);
    assert.equal((await deliveriesOf(database.worker, endpoint)).length, 1);
    assert.equal(own.calls.length, 1);
  }));

test('after a 410 response, waiting deliveries stay, and no further call begins', () =>
  withEndpoint({ eventTypes: ['site.*'] }, (endpoint, own) =>
    withEndpoint({ eventTypes: ['site.*'] }, async (other, witness) => {
      const late: ServerResponse[] = [];
      own.respond((response) => late.push(response));
      await writeSites(10);
      await witness.received(10);
      await own.received(2);
      for (const response of late.splice(0)) response.writeHead(410).end();
      own.respond(respondWith(410));
      await until('it is disabled', async () => (await stateOf(endpoint)).status === 'DISABLED');
      await until('nothing is under way', async () => {
        const [row] = await database.worker.run(
          'SELECT count(*) FROM trellis.webhook_deliveries WHERE endpoint_id = $1 AND leased_until IS NOT NULL',
          [endpoint.id],
        );
        return row?.[0] === '0';
      });
      const calls = own.calls.length;
      await makeDue(database.worker, endpoint);
      await writeSites(3);
      await witness.received(13);
      await settled(other, 'SUCCEEDED');
      assert.equal(own.calls.length, calls);
      // Only the calls that were under way, and none between the response and the end of the endpoint.
      assert.equal(calls, 2);
      const all = await deliveriesOf(database.worker, endpoint);
      assert.equal(all.length, 10);
      assert.ok(all.every(({ status }) => status === 'PENDING'));
    }),
  ));

test('five days of failures only disable the endpoint, with an event; a success restarts the time', () =>
  withEndpoint({ eventTypes: ['site.*'] }, async (endpoint, own) => {
    own.respond(respondWith(500));
    await writeSites();
    await attempted(endpoint, 1);
    const sinceDays = (days: number) =>
      database.worker.run(
        `UPDATE trellis.webhook_subscriptions SET failing_since = now() - $2 * interval '1 hour'
         WHERE endpoint_id = $1`,
        [endpoint.id, String(days * 24)],
      );
    await sinceDays(4.9);
    await makeDue(database.worker, endpoint);
    await attempted(endpoint, 2);
    assert.equal((await stateOf(endpoint)).status, 'ENABLED');
    await sinceDays(5.1);
    own.respond(respondWith(204));
    await makeDue(database.worker, endpoint);
    await settled(endpoint, 'SUCCEEDED');
    own.respond(respondWith(500));
    await writeSites();
    await attempted(endpoint, 4);
    assert.equal((await stateOf(endpoint)).status, 'ENABLED');
    await sinceDays(5.1);
    await makeDue(database.worker, endpoint);
    await until('it is disabled', async () => (await stateOf(endpoint)).status === 'DISABLED');
    assert.deepEqual(await stateOf(endpoint), { status: 'DISABLED', reason: 'FAILING' });
    assert.equal(await disabledEvents(endpoint), 1);
  }));

test('at most two calls of an endpoint are under way, and one that hangs does not delay another', () =>
  withEndpoint({}, (hanging, slow) =>
    withEndpoint({}, async (healthy, quick) => {
      slow.respond(() => undefined);
      await writeSites(12);
      await quick.received(12);
      await settled(healthy, 'SUCCEEDED');
      // The hanging endpoint has no response, and at most two calls.
      assert.ok(slow.calls.length >= 1 && slow.calls.length <= 2, `${slow.calls.length} calls`);
      assert.ok(slow.mostAtOnce() <= 2);
      assert.ok(quick.mostAtOnce() <= 2);
      assert.equal(new Set(quick.calls.map(({ headers }) => headers['webhook-id'])).size, 12);
      assert.equal((await deliveriesOf(database.worker, hanging)).length, 12);
    }),
  ));

test('two nodes together have no more than two calls of an endpoint under way, and make each once', async () => {
  const second = startDelivery();
  try {
    await withEndpoint({}, async (endpoint, own) => {
      own.respond((response) => setTimeout(() => response.writeHead(204).end(), 10));
      await writeSites(40);
      await until('all have been delivered', async () => {
        const all = await deliveriesOf(database.worker, endpoint);
        return all.length === 40 && all.every(({ status }) => status === 'SUCCEEDED');
      });
      assert.ok(own.mostAtOnce() <= 2, `${own.mostAtOnce()} at once`);
      assert.equal(own.calls.length, 40);
    });
  } finally {
    await second.stop();
  }
});

test('an endpoint that only fails is not called for a while', () =>
  withEndpoint({}, async (endpoint, own) => {
    own.respond(respondWith(500));
    await writeSites(30);
    await attempted(endpoint, 5);
    await until('it is left alone', async () => {
      const [row] = await database.worker.run(
        `SELECT blocked_until > clock_timestamp() FROM trellis.webhook_subscriptions WHERE endpoint_id = $1`,
        [endpoint.id],
      );
      return row?.[0] === 't';
    });
    // The concurrent calls may all have failed, but these are far fewer than thirty.
    assert.ok(own.calls.length <= 7, `${own.calls.length} calls`);
  }));

/** Fairness of deliveries: endpoints that never respond, a fifth of all, do not delay the others on the same node. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Loop } from '@trellis/server/kernel/background/roles.ts';
import type { Relay } from '@trellis/server/kernel/events/relay.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createSite, writeSite } from '../support/events.ts';
import { createMember, createOrganization, type TestOrganization } from '../support/identities.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import {
  createEndpoint,
  deliveriesOf,
  startTestDelivery,
  startWebhookRelay,
  type TestEndpoint,
} from '../support/webhooks.ts';

const endpointCount = 40;
const hangingCount = endpointCount / 5;
const eventCount = 25;
/** Longer than the test, so that no slot is freed by a timeout. */
const foreverMs = 600_000;

let database: TestDatabase;
let relay: Relay;
let delivery: Loop;
let organization: TestOrganization;
let healthy: Receiver;
let hanging: Receiver;
const endpoints: { readonly healthy: TestEndpoint[]; readonly hanging: TestEndpoint[] } = {
  healthy: [],
  hanging: [],
};

before(async () => {
  database = await createTestDatabase();
  organization = await createOrganization(database.worker, 'fairness');
  const createdBy = await createMember(database.worker, organization, 'OWNER');
  healthy = await startReceiver();
  hanging = await startReceiver(() => undefined);
  for (let number = 0; number < endpointCount; number += 1) {
    const kind = number % 5 === 0 ? 'hanging' : 'healthy';
    const { url } = kind === 'hanging' ? hanging : healthy;
    const options = { url: `${url}/${number}`, createdBy };
    endpoints[kind].push(await createEndpoint(database.api, organization.id, options));
  }
  relay = startWebhookRelay(database);
  delivery = startTestDelivery(database, { timing: { deadlineMs: foreverMs, leaseMs: 2 * foreverMs } });
});
after(async () => {
  await delivery?.stop();
  await relay?.stop();
  await healthy?.close();
  await hanging?.close();
  await database?.drop();
});

test('while a fifth of the endpoints hang, all others get every event once', async () => {
  const site = await createSite(database.api, organization.id);
  for (let version = 1; version <= eventCount; version += 1)
    await writeSite(database.api, organization.id, site);
  const expected = endpoints.healthy.length * eventCount;
  await healthy.received(expected);
  for (const endpoint of endpoints.healthy) {
    await until('everything is delivered', async () => {
      const all = await deliveriesOf(database.worker, endpoint);
      return all.length === eventCount && all.every(({ status }) => status === 'SUCCEEDED');
    });
  }
  assert.equal(healthy.calls.length, expected);
  const once = new Set(healthy.calls.map(({ path, headers }) => `${path} ${headers['webhook-id']}`));
  assert.equal(once.size, expected);
  // Each hanging endpoint has its maximum of concurrent calls, and its other deliveries wait.
  assert.equal(hanging.calls.length, 2 * hangingCount);
  for (const endpoint of endpoints.hanging) {
    const all = await deliveriesOf(database.worker, endpoint);
    assert.deepEqual(
      all.map(({ status, attempts }) => [status, attempts]),
      all.map((_, index) => ['PENDING', index < 2 ? 1 : 0]),
    );
    assert.equal(all.length, eventCount);
  }
});

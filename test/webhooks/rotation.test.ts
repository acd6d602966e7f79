/**
 * Rotation of secrets under load: a receiver that accepts only its newest two secrets never has to refuse a call.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { createWebhookSettings } from '@trellis/server/features/webhooks/settings.ts';
import type { Loop } from '@trellis/server/kernel/background/roles.ts';
import type { Relay } from '@trellis/server/kernel/events/relay.ts';
import { createSite, writeSite } from '../support/events.ts';
import { type ReceivedCall, type Receiver, respondWith, startReceiver } from '../support/receiver.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { verifyWebhook } from '../support/verify-webhook.ts';
import { serverKey, startTestDelivery, startWebhookRelay } from '../support/webhooks.ts';

const rotations = 12;
const writerCount = 3;

let server: TestServer;
let relay: Relay;
let delivery: Loop;
let receiver: Receiver;

before(async () => {
  server = await startTestServer({ webhooks: createWebhookSettings(serverKey, ['127.0.0.0/8']) });
  relay = startWebhookRelay(server.database);
  delivery = startTestDelivery(server.database);
  receiver = await startReceiver();
});
after(async () => {
  await delivery?.stop();
  await relay?.stop();
  await receiver?.close();
  await server?.close();
});

/** The calls under way, as texts of a delivery and the number of its attempt. */
async function underWay(): Promise<string[]> {
  const rows = await server.database.worker.run(
    `SELECT event_id || ' ' || attempts FROM trellis.webhook_deliveries
     WHERE status = 'PENDING' AND leased_until IS NOT NULL`,
  );
  return rows.map(([text]) => text ?? '');
}

/** Writes versions of sites concurrently until it is stopped; returns their number. */
function startWriting(): { stop(): Promise<number> } {
  const { api } = server.database;
  const { id } = server.organization;
  let writing = true;
  let written = 0;
  const writers = Array.from({ length: writerCount }, async () => {
    const site = await createSite(api, id);
    while (writing) {
      await writeSite(api, id, site, { openMs: 20 });
      written += 1;
    }
  });
  return {
    async stop() {
      writing = false;
      await Promise.all(writers);
      return written;
    },
  };
}

test('secrets are rotated again and again while events flow, and every call is verified', async (context) => {
  const body = { url: receiver.url, eventTypes: ['site.*'] };
  const created = await server.call('POST', '/v1/webhook-endpoints', { body });
  assert.equal(created.status, 201, created.text);
  let known: readonly string[] = [created.json.secret];
  const refused: ReceivedCall[] = [];
  receiver.respond((response, call, request) => {
    if (known.some((secret) => verifyWebhook(call.headers, call.body, secret))) {
      setTimeout(() => response.writeHead(204).end(), 5);
    } else {
      refused.push(call);
      respondWith(401)(response, call, request);
    }
  });
  const writing = startWriting();
  let verifiedByBoth = 0;
  let written: number;
  try {
    for (let count = 0; count < rotations; count += 1) {
      await receiver.received(receiver.calls.length + 5);
      const rotated = await server.call('POST', `/v1/webhook-endpoints/${created.json.id}/rotate-secret`);
      assert.equal(rotated.status, 200, rotated.text);
      known = [rotated.json.secret, ...known.slice(0, 1)];
      // Calls that were signed before must have arrived before their secret is replaced a second time.
      const before = await underWay();
      await until('those before the rotation have ended', async () => {
        const now = await underWay();
        return before.every((text) => !now.includes(text));
      });
      // From now on both secrets sign, so a receiver without the new one continues.
      const [call] = (await receiver.received(receiver.calls.length + 3)).slice(-1);
      assert.ok(call);
      for (const secret of known) assert.ok(verifyWebhook(call.headers, call.body, secret));
      verifiedByBoth += 1;
    }
  } finally {
    written = await writing.stop();
  }
  await until('everything is delivered', async () => {
    const [row] = await server.database.worker.run(
      `SELECT count(*) FROM trellis.webhook_deliveries WHERE endpoint_id = $1 AND status = 'SUCCEEDED'`,
      [decodeId('whe', created.json.id)],
    );
    return Number(row?.[0]) === written;
  });
  assert.deepEqual(refused, []);
  assert.equal(receiver.calls.length, written);
  assert.equal(verifiedByBoth, rotations);
  context.diagnostic(`${written} calls, ${rotations} rotations`);
});

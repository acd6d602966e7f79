/** Webhook endpoints with known secrets, and the state of their deliveries. */

import { webhookEndpoints } from '@trellis/schema/resources/webhook-endpoints.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { AddressGuard } from '@trellis/server/features/webhooks/address-guard.ts';
import {
  type Delivery,
  type DeliveryOptions,
  startDelivery,
} from '@trellis/server/features/webhooks/delivery-loop.ts';
import { setSecretStep } from '@trellis/server/features/webhooks/endpoints.ts';
import { fanOutToWebhooks } from '@trellis/server/features/webhooks/fan-out.ts';
import { SecretSealer } from '@trellis/server/features/webhooks/sealing.ts';
import { makeSecret } from '@trellis/server/features/webhooks/signatures.ts';
import { createModels } from '@trellis/server/features.ts';
import { step } from '@trellis/server/kernel/database/batch.ts';
import type { Database } from '@trellis/server/kernel/database/database.ts';
import type { Relay } from '@trellis/server/kernel/events/relay.ts';
import { modelOf } from '@trellis/server/kernel/pipeline/model.ts';
import type { TestDatabase } from './database.ts';
import { startTestRelay } from './relay.ts';

export const testModels = createModels();
export const serverKey = Buffer.alloc(32, 7);
export const sealer = new SecretSealer(serverKey);
export const testOrigin = 'https://api.example.com';

export interface TestEndpoint {
  readonly organizationId: string;
  readonly id: string;
  readonly secret: string;
}

export interface EndpointOptions {
  readonly url: string;
  readonly createdBy: string;
  readonly eventTypes?: readonly string[];
  readonly payload?: 'THIN' | 'FULL';
}

/** Creates an endpoint through the pipeline. */
export async function createEndpoint(
  api: Database,
  organizationId: string,
  { url, createdBy, eventTypes = ['*'], payload = 'THIN' }: EndpointOptions,
): Promise<TestEndpoint> {
  const id = newUuid();
  const secret = makeSecret();
  const instant = new Date().toISOString();
  const { storage } = modelOf(testModels, webhookEndpoints.name);
  const values = {
    url,
    eventTypes,
    payload,
    description: null,
    status: 'ENABLED',
    disabledReason: null,
    secretRotatedAt: null,
    externalId: null,
  };
  const people = { createdBy, updatedBy: createdBy };
  const after = { id, parentId: null, version: 1, createdAt: instant, updatedAt: instant, ...people, values };
  const sealed = sealer.seal(secret, { organizationId, endpointId: id });
  await api.transaction({ organizationId, userId: createdBy }, [], (_rows, transaction) =>
    transaction.commit([
      ...storage.insert({ organizationId, before: null, after }),
      setSecretStep(organizationId, id, sealed),
    ]),
  );
  return { organizationId, id, secret };
}

/** Starts deliveries, which may call this machine. */
export function startTestDelivery(
  { worker, api }: Pick<TestDatabase, 'worker' | 'api'>,
  options: Partial<Omit<DeliveryOptions, 'worker' | 'api'>> = {},
): Delivery {
  return startDelivery({
    worker,
    api,
    models: testModels,
    guard: new AddressGuard({ allowPrivate: ['127.0.0.0/8'] }),
    sealer,
    origin: testOrigin,
    nudge: () => undefined,
    log: () => undefined,
    ...options,
    timing: { pollMs: 20, deadlineMs: 2_000, leaseMs: 4_000, graceMs: 100, ...options.timing },
  });
}

/** Starts a relay that fans out to webhooks, and looks for events often. */
export function startWebhookRelay(database: Pick<TestDatabase, 'worker'>): Relay {
  return startTestRelay(database, { fanOut: fanOutToWebhooks, timing: { pollMs: 20, gatherMs: 1 } });
}

/** A stored delivery. */
export interface StoredDelivery {
  readonly eventId: string;
  readonly type: string;
  readonly status: string;
  readonly attempts: number;
  /** Seconds until the next attempt. */
  readonly waitSeconds: number;
}

/** The deliveries of an endpoint, oldest event first. */
export async function deliveriesOf(worker: Database, { id }: TestEndpoint): Promise<StoredDelivery[]> {
  const rows = await worker.run(
    `SELECT event_id, type, status, attempts, extract(epoch FROM next_attempt_at - clock_timestamp())
     FROM trellis.webhook_deliveries WHERE endpoint_id = $1 ORDER BY event_id`,
    [id],
  );
  return rows.map(([eventId, type, status, attempts, wait]) => ({
    eventId: eventId ?? '',
    type: type ?? '',
    status: status ?? '',
    attempts: Number(attempts),
    waitSeconds: Number(wait),
  }));
}

/** Status, error and response of every attempt for an endpoint, in order. */
export async function attemptsOf(worker: Database, { id }: TestEndpoint) {
  const rows = await worker.run(
    `SELECT number, status, error, response FROM trellis.webhook_attempts WHERE endpoint_id = $1 ORDER BY event_id, number`,
    [id],
  );
  return rows.map(([number, status, error, response]) => ({
    number: Number(number),
    status: status == null ? null : Number(status),
    error: error ?? null,
    response: response ?? '',
  }));
}

/** Makes the next attempts due without waiting. */
export async function makeDue(worker: Database, { id }: TestEndpoint): Promise<void> {
  await worker.run(
    `UPDATE trellis.webhook_deliveries SET next_attempt_at = statement_timestamp()
     WHERE endpoint_id = $1 AND leased_until IS NULL`,
    [id],
  );
  await worker.run(
    `UPDATE trellis.webhook_subscriptions SET blocked_until = '-infinity' WHERE endpoint_id = $1`,
    [id],
  );
}

/** Removes an endpoint, so that the next test's events are not sent to it. */
export async function removeEndpoint(api: Database, { organizationId, id }: TestEndpoint): Promise<void> {
  const remove = (table: string, column: string) =>
    step(
      {
        name: `test_remove_${table}`,
        text: `DELETE FROM trellis.${table} WHERE organization_id = $1 AND ${column} = $2`,
      },
      [organizationId, id],
    );
  await api.execute({ organizationId, userId: null }, [
    remove('webhook_subscriptions', 'endpoint_id'),
    remove('webhook_endpoints', 'id'),
  ]);
}

/**
 * Why: an endpoint is kept twice: as a record, and as the subscription that the background works with, which may not read
 * records. Both are written here, in one transaction, so that they never say different things.
 */

import { describeUnknownPattern, isKnownPattern, resourcesOf } from '@trellis/schema/event-types.ts';
import { type Fault, Problem } from '@trellis/schema/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { scopeOf } from '@trellis/schema/resources/resource.ts';
import { webhookEndpoints } from '@trellis/schema/resources/webhook-endpoints.ts';
import type { StoredRecord, Values } from '@trellis/schema/validation/values.ts';
import { type Statement, type Step, step } from '../database/flight.ts';
import { textArray } from '../database/values.ts';
import { type Actor, permit } from '../identity/actor.ts';
import { takeTurn } from '../pipeline/locks.ts';
import { createModel, type Model, type Rules } from '../pipeline/model.ts';
import { type Change, createTableStorage, type Storage } from '../pipeline/storage.ts';
import { managers } from './fan-out.ts';

const insertSubscription: Statement = {
  name: 'insert_webhook_subscription',
  text: `INSERT INTO trellis.webhook_subscriptions
      (organization_id, endpoint_id, url, event_types, payload, enabled, acts_for)
    VALUES ($1, $2, $3, $4, $5, $6, $7)`,
};
const updateSubscription: Statement = {
  name: 'update_webhook_subscription',
  text: `UPDATE trellis.webhook_subscriptions SET url = $3, event_types = $4, payload = $5, enabled = $6
    WHERE organization_id = $1 AND endpoint_id = $2`,
};
/** Who says where events go, which ones and in which form, is the one whose events they are from then on. */
const actForAnother: Statement = {
  name: 'act_for_another',
  text: `UPDATE trellis.webhook_subscriptions SET acts_for = $3 WHERE organization_id = $1 AND endpoint_id = $2`,
};
/** Another address, or another beginning: what went wrong before says nothing about it. */
const forgetFailures: Statement = {
  name: 'forget_webhook_failures',
  text: `UPDATE trellis.webhook_subscriptions
    SET failures = 0, failing_since = NULL, blocked_until = '-infinity'
    WHERE organization_id = $1 AND endpoint_id = $2`,
};
const deleteSubscription: Statement = {
  name: 'delete_webhook_subscription',
  text: 'DELETE FROM trellis.webhook_subscriptions WHERE organization_id = $1 AND endpoint_id = $2',
};

const table = createTableStorage(webhookEndpoints, []);

const endpointStorage: Storage = {
  ...table,
  insert: (change) => [
    ...table.insert(change),
    step(insertSubscription, [...subscriptionValues(change), change.after.createdBy]),
  ],
  update: (change) => [
    ...table.update(change),
    step(updateSubscription, subscriptionValues(change)),
    ...(isRedirected(change)
      ? [step(actForAnother, [...keyOf(change.organizationId, change.after), change.after.updatedBy])]
      : []),
    ...(beginsAnew(change) ? [step(forgetFailures, keyOf(change.organizationId, change.after))] : []),
  ],
  remove: (organizationId, record) => [
    ...table.remove(organizationId, record),
    step(deleteSubscription, keyOf(organizationId, record)),
  ],
};

const countEndpoints: Statement = {
  name: 'count_webhook_endpoints',
  text: 'SELECT count(*) FROM trellis.webhook_endpoints WHERE organization_id = $1',
};

/** What says where events go, which ones, and in which form. */
const redirecting = ['url', 'payload', 'eventTypes'];

const endpointRules: Rules = {
  gather: ({ organizationId, id }) =>
    // Creates take turns, so that each one sees what the one before has made.
    id === null
      ? [takeTurn(organizationId, webhookEndpoints.name), step(countEndpoints, [organizationId])]
      : [],
  create(values, { gathered, actor }) {
    requireReading(values, actor);
    if (Number(gathered[1]?.rows[0]?.[0]) < limits.webhookEndpoints) return values;
    throw new Problem(
      'quota_reached',
      `An organization has at most ${limits.webhookEndpoints} webhook endpoints.`,
    );
  },
  update(_before, patch, merged, { actor }) {
    if (redirecting.some((field) => field in patch)) requireReading(merged, actor);
    const values = 'status' in patch ? { ...merged, disabledReason: null } : merged;
    return { values, events: ['updated'] };
  },
  check: ({ eventTypes }) => checkTypes(eventTypes as readonly string[]),
  readers: () => managers,
};

/** The model of endpoints. */
export function createWebhookEndpointModel(): Model {
  return createModel(webhookEndpoints, endpointStorage, endpointRules);
}

function checkTypes(types: readonly string[]): Fault[] {
  if (types.length === 0) {
    return [
      { pointer: '/eventTypes', code: 'minItems', detail: 'Name at least one type; `*` is every type.' },
    ];
  }
  return types.flatMap((type, index): Fault[] => {
    if (isKnownPattern(type)) return [];
    const detail = describeUnknownPattern(type);
    return [{ pointer: `/eventTypes/${index}`, code: 'unknown_event_type', detail }];
  });
}

function keyOf(organizationId: string, { id }: Pick<StoredRecord, 'id'>): [string, string] {
  return [organizationId, id];
}

function subscriptionValues({ organizationId, after }: Change): string[] {
  const { url, eventTypes, payload, status } = after.values;
  return [
    ...keyOf(organizationId, after),
    String(url),
    textArray(eventTypes as readonly string[]),
    String(payload),
    String(status === 'ENABLED'),
  ];
}

/**
 * A full payload is a way to read: who asks for it needs a token that may read what comes in it.
 * @throws Problem insufficient_scope
 */
function requireReading({ payload, eventTypes }: Values, actor: Actor): void {
  if (payload !== 'FULL') return;
  const reading = resourcesOf(eventTypes as readonly string[]).map((resource) => scopeOf(resource, 'read'));
  const scopes = [...new Set([webhookEndpoints.scope, ...reading])];
  permit(actor, { scopes, module: null, permission: null });
}

function isRedirected({ before, after }: Change): boolean {
  const told = ({ values }: StoredRecord) => JSON.stringify(redirecting.map((field) => values[field]));
  return before === null || told(before) !== told(after);
}

function beginsAnew({ before, after }: Change): boolean {
  const enabledAgain = before?.values.status === 'DISABLED' && after.values.status === 'ENABLED';
  return enabledAgain || before?.values.url !== after.values.url;
}

const setSecret: Statement = {
  name: 'set_webhook_secret',
  text: 'UPDATE trellis.webhook_subscriptions SET secret = $3 WHERE organization_id = $1 AND endpoint_id = $2',
};
const rotateSecret: Statement = {
  name: 'rotate_webhook_secret',
  text: `UPDATE trellis.webhook_subscriptions
    SET previous_secret = secret, previous_secret_until = $4::timestamptz + interval '24 hours', secret = $3
    WHERE organization_id = $1 AND endpoint_id = $2`,
};

/** The step that gives a new endpoint its secret, which is sealed. */
export function setSecretStep(organizationId: string, endpointId: string, sealed: string): Step {
  return step(setSecret, [organizationId, endpointId, sealed]);
}

/** The step that replaces the secret; the one before signs as well for a day, and one before that no more. */
export function rotateSecretStep(
  organizationId: string,
  endpointId: string,
  sealed: string,
  instant: string,
): Step {
  return step(rotateSecret, [organizationId, endpointId, sealed, instant]);
}

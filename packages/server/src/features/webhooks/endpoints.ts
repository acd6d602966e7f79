/**
 * The model of webhook endpoints. An endpoint is stored twice: as a record, and as the subscription for the background
 * work, which may not read records. Both are written in one transaction, so that they always agree.
 */

import { resourcesOf } from '@trellis/schema/event-types.ts';
import { Problem } from '@trellis/schema/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { scopeOf } from '@trellis/schema/resources/resource.ts';
import { type FieldName, type ValuesOf, withChanges } from '@trellis/schema/resources/stored-values.ts';
import { webhookEndpoints } from '@trellis/schema/resources/webhook-endpoints.ts';
import type { StoredRecord, Values } from '@trellis/schema/validation/values.ts';
import { type Parameter, type Statement, type Step, step } from '../../kernel/database/batch.ts';
import { defineRow, number } from '../../kernel/database/row.ts';
import { encodeColumn, textArray } from '../../kernel/database/values.ts';
import { type Actor, findGrant } from '../../kernel/identity/actor.ts';
import { advisoryLock } from '../../kernel/pipeline/locks.ts';
import type { Rules } from '../../kernel/pipeline/model.ts';
import { Refusal } from '../../kernel/pipeline/refusal.ts';
import { type Change, createTableStorage, type Storage } from '../../kernel/pipeline/storage.ts';
import { managers } from './fan-out.ts';

const insertSubscription: Statement = {
  name: 'insert_webhook_subscription',
  text: `INSERT INTO trellis.webhook_subscriptions
      (organization_id, endpoint_id, url, event_types, payload, enabled, site_ids, acts_for)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
};
const updateSubscription: Statement = {
  name: 'update_webhook_subscription',
  text: `UPDATE trellis.webhook_subscriptions SET url = $3, event_types = $4, payload = $5, enabled = $6,
      site_ids = $7
    WHERE organization_id = $1 AND endpoint_id = $2`,
};
/** Events are sent on behalf of the user who last set the destination, the types, the sites, the payload or the secret, or ended a claim. */
const setActingUser: Statement = {
  name: 'act_for_another',
  text: `UPDATE trellis.webhook_subscriptions SET acts_for = $3 WHERE organization_id = $1 AND endpoint_id = $2`,
};
/** A new URL or enabling the endpoint clears the record of earlier failures. */
const resetFailures: Statement = {
  name: 'forget_webhook_failures',
  text: `UPDATE trellis.webhook_subscriptions
    SET failures = 0, failing_since = NULL, blocked_until = '-infinity'
    WHERE organization_id = $1 AND endpoint_id = $2`,
};
const deleteSubscription: Statement = {
  name: 'delete_webhook_subscription',
  text: 'DELETE FROM trellis.webhook_subscriptions WHERE organization_id = $1 AND endpoint_id = $2',
};

const table = createTableStorage(webhookEndpoints);

/** How endpoints are kept. */
export const endpointStorage: Storage = {
  ...table,
  insert: (change) => [
    ...table.insert(change),
    step(insertSubscription, [...subscriptionValues(change), change.after.createdBy]),
  ],
  update: (change) => [
    ...table.update(change),
    step(updateSubscription, subscriptionValues(change)),
    ...(isRedirected(change)
      ? [step(setActingUser, [...keyOf(change.organizationId, change.after), change.after.updatedBy])]
      : []),
    ...(startsOver(change) ? [step(resetFailures, keyOf(change.organizationId, change.after))] : []),
  ],
  remove: (organizationId, record) => [
    ...table.remove(organizationId, record),
    step(deleteSubscription, keyOf(organizationId, record)),
  ],
};

const countRow = defineRow({ count: number('count(*)') });
const countEndpoints: Statement = {
  name: 'count_webhook_endpoints',
  text: `SELECT ${countRow.list} FROM trellis.webhook_endpoints WHERE organization_id = $1`,
};

/** The values of an endpoint. */
export type EndpointValues = ValuesOf<typeof webhookEndpoints>;

/** Fields that decide where events go, which ones, and in which form. */
const redirecting: readonly FieldName<typeof webhookEndpoints>[] = [
  'url',
  'payload',
  'eventTypes',
  'siteIds',
];

/** What is read when an endpoint is created. */
type EndpointReads = {
  /** The number of endpoints, read under a lock, so that each create counts the previous one. */
  readonly count?: readonly Step[];
};

/** Rules of endpoints. */
export const endpointRules: Rules<typeof webhookEndpoints, EndpointReads> = {
  reads: ({ organizationId, id }) =>
    id === null
      ? {
          count: [
            advisoryLock(organizationId, webhookEndpoints.name),
            step(countEndpoints, [organizationId]),
          ],
        }
      : {},
  create(values, { rows, actor }) {
    const refused = checkActing(values, actor);
    if (refused !== null) return refused;
    const count = countRow.first(rows.count)?.count;
    if (count !== undefined && count < limits.webhookEndpoints) return values;
    const detail = `An organization has at most ${limits.webhookEndpoints} webhook endpoints.`;
    return new Refusal(new Problem('quota_reached', detail));
  },
  update(before, patch, merged, { actor }) {
    const values = 'status' in patch ? withChanges(merged, { disabledReason: null }) : merged;
    const changesActor = redirecting.some((field) => field in patch) || endsClaim(before.values, values);
    const refused = changesActor ? checkActing(merged, actor) : null;
    return refused ?? { values, events: ['updated'] };
  },
  readers: () => managers,
};

function keyOf(organizationId: string, { id }: Pick<StoredRecord, 'id'>): [string, string] {
  return [organizationId, id];
}

function subscriptionValues({ organizationId, after }: Change): Parameter[] {
  const { url, eventTypes, payload, status, siteIds } = after.values;
  return [
    ...keyOf(organizationId, after),
    String(url),
    textArray(eventTypes as readonly string[]),
    String(payload),
    String(status === 'ENABLED'),
    encodeColumn('uuids', siteIds),
  ];
}

/**
 * Whether an endpoint may begin to act for this user. A full payload discloses records, so it needs a token that may read them, else
 * insufficient_scope. An endpoint outlives the token that it was made with, so none acts for a service member, whose rights depend on who
 * made its token: permission_denied.
 */
export function checkActing({ payload, eventTypes }: EndpointValues, actor: Actor): Refusal | null {
  if (actor.isService) {
    const detail = 'A webhook endpoint acts for a person, not for a service member.';
    return new Refusal(new Problem('permission_denied', detail));
  }
  if (payload !== 'FULL') return null;
  const reading = resourcesOf(eventTypes).map((resource) => scopeOf(resource, 'read'));
  const scopes = [...new Set([webhookEndpoints.scope, ...reading])];
  const granted = findGrant(actor, { scopes, module: null, permission: null });
  return granted instanceof Problem ? new Refusal(granted) : null;
}

function isRedirected({ before, after }: Change): boolean {
  const visible = ({ values }: StoredRecord) =>
    JSON.stringify([...redirecting, 'secretRotatedAt'].map((field) => values[field]));
  return before === null || visible(before) !== visible(after) || endsClaim(before.values, after.values);
}

/**
 * Whether a user sets the status of an endpoint that was disabled because the account it acted for was claimed. It acts for them from then
 * on: what somebody else has set up in the account does not begin to act for its owner again.
 */
function endsClaim(before: Values, after: Values): boolean {
  return before.disabledReason === 'CLAIMED' && after.disabledReason === null;
}

function startsOver({ before, after }: Change): boolean {
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

/** The step that stores the sealed secret of a new endpoint. */
export function setSecretStep(organizationId: string, endpointId: string, sealed: string): Step {
  return step(setSecret, [organizationId, endpointId, sealed]);
}

/** The step that replaces the secret. The previous one stays valid for a day; an older one ends at once. */
export function rotateSecretStep(
  organizationId: string,
  endpointId: string,
  sealed: string,
  instant: string,
): Step {
  return step(rotateSecret, [organizationId, endpointId, sealed, instant]);
}

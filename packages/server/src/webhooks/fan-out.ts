/**
 * Creates the deliveries of logged events, in the relay's transaction, so that a delivery exists exactly when its event is
 * in the log. An endpoint acts on behalf of a user and receives what that user may read at that moment; a user who has left
 * the organization may read nothing. Permissions are checked again when a delivery is claimed.
 */

import { patternsOf } from '@trellis/schema/event-types.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import { webhookEndpoints } from '@trellis/schema/resources/webhook-endpoints.ts';
import { grantIn, grantOf, type Rights, rightsOf, roles } from '@trellis/schema/rights/permissions.ts';
import { type Statement, step } from '../database/batch.ts';
import { textArray } from '../database/values.ts';
import type { FanOut } from '../events/outbox.ts';

/** Whether somebody with these rights may manage endpoints. */
export function managesEndpoints(rights: Rights): boolean {
  return grantIn(rights, webhookEndpoints.name, 'update') !== null;
}

/** The built-in roles that may manage endpoints, from the permission matrix. */
export const managers: readonly string[] = roles.filter((role) => managesEndpoints(rightsOf(role)));
const managersList = managers.map((role) => `'${role}'`).join(', ');

/** SQL: joins what the user of the subscription `s` reads as, `p.readers`. It is computed once for each subscription. */
export const joinReaders = `
    CROSS JOIN LATERAL (SELECT trellis.readers_of(s.organization_id, s.acts_for) AS readers OFFSET 0) p`;

/**
 * SQL: what the user of a subscription of the organization $1 reads as, from the membership `m` that `joinPerson` joins. The same as
 * `readers_of`, which the background role does not call: on a shard of a distributed database (Citus), a function may not read other tables.
 */
export const personReads = `ARRAY[m.user_id::text, m.role] || CASE WHEN m.role_id IS NULL THEN '{}' ELSE ARRAY(
      SELECT 'read:' || (g.value ->> 'resource') FROM trellis.roles r, json_array_elements(r.grants) g
      WHERE r.organization_id = $1 AND r.id = m.role_id AND g.value ->> 'action' = 'read') END`;

/** As whom one must read to see events of a kind, as `readers_of` names it, by the first part of their types. */
const readersByKind: ReadonlyMap<string, readonly string[]> = new Map(
  resources.map(({ name, singular }) => [
    singular,
    [...roles.filter((role) => grantOf(role, name, 'read') !== null), `read:${name}`],
  ]),
);

// Each WHEN compares for itself: Citus sends the shards NULL instead of the values of a CASE that compares one expression with them.
const readersOfKind = (event: string) =>
  `CASE ${[...readersByKind]
    .map(
      ([kind, readers]) => `WHEN split_part(${event}.type, '.', 1) = '${kind}' THEN '{${readers}}'::text[]`,
    )
    .join(' ')} END`;

/**
 * SQL: whether the user of the subscription, with what `joinReaders` joins, may read the record of an event, and records of its kind, as in
 * the log.
 */
export const personMayRead = (event: string) =>
  `(trellis.may_read(${event}.readers, p.readers) AND trellis.may_read(${readersOfKind(event)}, p.readers))`;

/**
 * SQL: joins the user of the subscription `s` as an active member. A full payload is sent only while the user may manage
 * endpoints; a thin one says nothing that this user could not read in the log.
 */
export const joinPerson = `
    JOIN trellis.memberships m ON m.organization_id = s.organization_id AND m.user_id = s.acts_for
      AND m.status = 'ACTIVE' AND (s.payload <> 'FULL' OR m.role IN (${managersList}))
    JOIN trellis.users u ON u.id = m.user_id AND u.status = 'ACTIVE'`;

// One statement for each organization, as in the log. Materialized: what a user reads as is looked up once for each subscription,
// not for each event.
const insertDeliveries: Statement = {
  name: 'fan_out_webhooks',
  text: `WITH p AS MATERIALIZED (
      SELECT s.endpoint_id, s.event_types, ${personReads} AS readers
      FROM trellis.webhook_subscriptions s ${joinPerson}
      WHERE s.organization_id = $1 AND s.enabled
    )
    INSERT INTO trellis.webhook_deliveries
      (organization_id, endpoint_id, event_id, type, event, readers, status, created_at, next_attempt_at)
    SELECT $1::uuid, p.endpoint_id, e.id, e.type, e.event, e.readers, 'PENDING', now(), now()
    FROM json_to_recordset($2) AS e
      (id uuid, type text, patterns text[], readers text[], kind_readers text[], event json)
    JOIN p ON p.event_types && e.patterns
    WHERE trellis.may_read(e.readers, p.readers) AND trellis.may_read(e.kind_readers, p.readers)
    ON CONFLICT DO NOTHING`,
};

// Receivers' responses about the subject in its organization: a response may repeat a full payload.
const eraseResponses: Statement = {
  name: 'erase_webhook_responses',
  text: `UPDATE trellis.webhook_attempts a SET answer = ''
    FROM trellis.webhook_deliveries d
    WHERE d.organization_id = $1 AND d.event ->> 'subjectId' = ANY ($2)
      AND a.organization_id = $1 AND a.endpoint_id = d.endpoint_id AND a.event_id = d.event_id AND a.answer <> ''`,
};

/**
 * The relay's fan-out: creates a delivery for each endpoint that subscribes to an event and may receive it, and erases the
 * responses of receivers about deleted records.
 */
export const fanOutToWebhooks: FanOut = (events) =>
  [...Map.groupBy(events, ({ organizationId }) => organizationId)].flatMap(([organizationId, own]) => {
    const rows = own.map((event) => ({
      id: event.id,
      type: event.type,
      patterns: patternsOf(event.type),
      readers: event.readers,
      kind_readers: readersByKind.get(event.type.split('.', 1)[0] ?? '') ?? null,
      event,
    }));
    const gone = own.filter(({ type }) => /\.(deleted|erased)$/.test(type)).map(({ subjectId }) => subjectId);
    return [
      step(insertDeliveries, [organizationId, JSON.stringify(rows)]),
      ...(gone.length === 0 ? [] : [step(eraseResponses, [organizationId, textArray(gone)])]),
    ];
  });

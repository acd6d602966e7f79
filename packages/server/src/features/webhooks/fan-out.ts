/**
 * Creates the deliveries of logged events, in the relay's transaction, so that a delivery exists exactly when its event is
 * in the log. An endpoint acts on behalf of a user and receives what that user may read at that moment; a user who has left
 * the organization may read nothing. Permissions are checked again when a delivery is claimed.
 */

import { patternsOf, subjectsOfSites } from '@trellis/schema/event-types.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import { sites } from '@trellis/schema/resources/sites.ts';
import { webhookEndpoints } from '@trellis/schema/resources/webhook-endpoints.ts';
import { grantIn, grantOf, type Rights, rightsOf, roles } from '@trellis/schema/rights/permissions.ts';
import { type Statement, step } from '../../kernel/database/batch.ts';
import { uuidArray } from '../../kernel/database/values.ts';
import type { FanOut } from '../../kernel/events/outbox.ts';

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
 * SQL: as whom one must read to see events of the kind of an event, as `readers_of` names it; NULL: every member may.
 */
const readersOfKind = (event: string) =>
  `CASE ${resources
    .map(({ name, singular }) => {
      const reading = roles.filter((role) => grantOf(role, name, 'read') !== null);
      return `WHEN ${event}.type ^@ '${singular}.' THEN '{${[...reading, `read:${name}`].join(',')}}'::text[]`;
    })
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

/**
 * SQL: whether an event is of one of the sites of a subscription: of the site itself, or of a record below it. A subscription without a list
 * gets everything, one with an empty list nothing.
 */
export const isOfSites = (subscription: string, event: string) =>
  `(${subscription}.site_ids IS NULL
      OR ${event}.subject_type = '${sites.singular}' AND ${event}.subject_id = ANY (${subscription}.site_ids)
      OR ${event}.subject_type IN (${subjectsOfSites.map((subject) => `'${subject}'`).join(', ')})
        AND ${event}.parent_id = ANY (${subscription}.site_ids))`;

const insertDeliveries: Statement = {
  name: 'fan_out_webhooks',
  // Materialized: what a user reads as is looked up once for each subscription, not for each event.
  text: `WITH p AS MATERIALIZED (
      SELECT s.organization_id, s.endpoint_id, s.event_types, s.site_ids, trellis.readers_of(s.organization_id, s.acts_for) AS readers
      FROM trellis.webhook_subscriptions s ${joinPerson}
      WHERE s.enabled AND s.organization_id = ANY ($2::uuid[])
    )
    INSERT INTO trellis.webhook_deliveries
      (organization_id, endpoint_id, event_id, type, event, readers, status, created_at, next_attempt_at)
    SELECT p.organization_id, p.endpoint_id, e.id, e.type, e.event, e.readers, 'PENDING', now(), now()
    FROM json_to_recordset($1) AS e
      (organization_id uuid, id uuid, type text, subject_type text, subject_id uuid, parent_id uuid, patterns text[],
        readers text[], event json)
    JOIN p ON p.organization_id = e.organization_id AND p.event_types && e.patterns
    WHERE ${personMayRead('e')} AND ${isOfSites('p', 'e')}
    ON CONFLICT DO NOTHING`,
};

// Receivers' responses about the subject in its organization: a response may repeat a full payload.
const eraseResponses: Statement = {
  name: 'erase_webhook_responses',
  text: `UPDATE trellis.webhook_attempts a SET response = ''
    FROM json_to_recordset($1) AS e (organization_id uuid, subject_id text)
    JOIN trellis.webhook_deliveries d
      ON d.organization_id = e.organization_id AND d.event ->> 'subjectId' = e.subject_id
    WHERE a.organization_id = d.organization_id AND a.endpoint_id = d.endpoint_id AND a.event_id = d.event_id
      AND a.response <> ''`,
};

/**
 * The relay's fan-out: creates a delivery for each endpoint that subscribes to an event and may receive it, and erases the
 * responses of receivers about deleted and purged records.
 */
export const fanOutToWebhooks: FanOut = (events) => {
  const rows = events.map((event) => ({
    organization_id: event.organizationId,
    id: event.id,
    type: event.type,
    subject_type: event.subjectType,
    subject_id: event.subjectId,
    parent_id: event.parentId,
    patterns: patternsOf(event.type),
    readers: event.readers,
    event,
  }));
  const organizations = events.map(({ organizationId }) => organizationId);
  const gone = events
    .filter(({ type }) => /\.(deleted|purged|erased)$/.test(type))
    .map(({ organizationId, subjectId }) => ({ organization_id: organizationId, subject_id: subjectId }));
  return [
    step(insertDeliveries, [JSON.stringify(rows), uuidArray([...new Set(organizations)])]),
    ...(gone.length === 0 ? [] : [step(eraseResponses, [JSON.stringify(gone)])]),
  ];
};

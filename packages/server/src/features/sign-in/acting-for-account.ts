/**
 * Webhook endpoints and pending invitations of an account: both act for it without a token. Endpoints receive what the account may read,
 * and invitations are valid while their sender is a member. Claiming the account ends both.
 */
import { invitations } from '@trellis/schema/resources/invitations.ts';
import { webhookEndpoints } from '@trellis/schema/resources/webhook-endpoints.ts';
import { type Row, type Statement, type Step, step } from '../../kernel/database/batch.ts';
import type { ResultsOf } from '../../kernel/database/reads.ts';
import { parseTimestamp, uuidArray } from '../../kernel/database/values.ts';
import {
  administrators,
  type PersonEventContext,
  type RecordEvent,
  recordEventSteps,
} from './person-events.ts';

/** Of a proven account, none. Includes disabled ones, which would act for the account again when enabled. */
const lockEndpoints: Statement = {
  name: 'claim_lock_endpoints',
  text: `SELECT e.organization_id, e.id, e.version, e.updated_at, e.status FROM trellis.webhook_endpoints e
    JOIN trellis.webhook_subscriptions s ON s.organization_id = e.organization_id AND s.endpoint_id = e.id
    JOIN trellis.users u ON u.id = s.acts_for AND NOT u.address_proven
    WHERE s.acts_for = $1 ORDER BY e.organization_id, e.id FOR UPDATE OF e`,
};
const lockInvitations: Statement = {
  name: 'claim_lock_invitations',
  text: `SELECT i.organization_id, i.id, i.version, i.updated_at FROM trellis.invitations i
    JOIN trellis.users u ON u.id = i.sent_by AND NOT u.address_proven
    WHERE i.sent_by = $1 AND i.status = 'PENDING' AND i.expires_at > clock_timestamp()
    ORDER BY i.organization_id, i.id FOR UPDATE OF i`,
};
const disableEndpoints: Statement = {
  name: 'claim_disable_endpoints',
  text: `UPDATE trellis.webhook_endpoints SET version = version + 1, updated_at = greatest(updated_at, $3), updated_by = $4,
      status = 'DISABLED', disabled_reason = 'CLAIMED'
    WHERE organization_id = $1 AND id = ANY ($2)`,
};
/** Records the state before the statement above, for the history of the endpoints; sent before it. */
const noteDisabling: Statement = {
  name: 'claim_note_disabling',
  text: `INSERT INTO trellis.changes (organization_id, record_id, version, changed_at, changed_by, action, fields)
    SELECT organization_id, id, version + 1, greatest(updated_at, $3), $4, 'updated', json_build_object(
      'status', json_build_array(status, 'DISABLED'), 'disabledReason', json_build_array(disabled_reason, 'CLAIMED'))
    FROM trellis.webhook_endpoints WHERE organization_id = $1 AND id = ANY ($2)`,
};
const disableSubscriptions: Statement = {
  name: 'claim_disable_subscriptions',
  text: 'UPDATE trellis.webhook_subscriptions SET enabled = false WHERE organization_id = $1 AND endpoint_id = ANY ($2)',
};
const revokeInvitations: Statement = {
  name: 'claim_revoke_invitations',
  text: `UPDATE trellis.invitations SET version = version + 1, updated_at = greatest(updated_at, $3), updated_by = $4, status = 'REVOKED'
    WHERE organization_id = $1 AND id = ANY ($2)`,
};

/**
 * Reads and locks the endpoints and invitations of a user (uuid) whose address is not proven. The access locks prevent additions in the
 * meantime.
 */
export function actingReads(userId: string) {
  return {
    endpoints: step(lockEndpoints, [userId]),
    invitations: step(lockInvitations, [userId]),
  };
}

/** The steps that end the endpoints and invitations found by `actingReads`, with their events. The address must not be proven yet. */
export function endActingSteps(
  { endpoints, invitations: sent }: ResultsOf<ReturnType<typeof actingReads>>,
  context: PersonEventContext,
): Step[] {
  const stamp = [context.instant, context.actorId];
  return [
    ...byOrganization(endpoints.rows, (organizationId, rows, ids) => [
      step(noteDisabling, [organizationId, ids, ...stamp]),
      step(disableEndpoints, [organizationId, ids, ...stamp]),
      step(disableSubscriptions, [organizationId, ids]),
      ...recordEventSteps(
        organizationId,
        rows.map((row) => endpointEvent(row, context)),
        context,
      ),
    ]),
    ...byOrganization(sent.rows, (organizationId, rows, ids) => [
      step(revokeInvitations, [organizationId, ids, ...stamp]),
      ...recordEventSteps(
        organizationId,
        rows.map((row) => invitationEvent(row, context)),
        context,
      ),
    ]),
  ];
}

/** @param stepsOf makes the steps of an organization from its rows and their ids (a SQL array) */
function byOrganization(
  found: readonly Row[],
  stepsOf: (organizationId: string, rows: readonly Row[], ids: string) => Step[],
): Step[] {
  const groups = Map.groupBy(found, ([organizationId]) => organizationId ?? '');
  return [...groups].flatMap(([organizationId, rows]) =>
    stepsOf(organizationId, rows, uuidArray(rows.map(([, id]) => id ?? ''))),
  );
}

function endpointEvent(row: Row, context: PersonEventContext): RecordEvent {
  const wasEnabled = row[4] === 'ENABLED';
  return {
    ...stateAfter(row, context),
    type: wasEnabled ? 'webhook-endpoint.disabled' : 'webhook-endpoint.updated',
    subjectType: webhookEndpoints.singular,
    changedFields: wasEnabled ? ['status', 'disabledReason'] : ['disabledReason'],
    readers: administrators,
  };
}

function invitationEvent(row: Row, context: PersonEventContext): RecordEvent {
  return {
    ...stateAfter(row, context),
    type: 'invitation.revoked',
    subjectType: invitations.singular,
    changedFields: ['status'],
    readers: null,
  };
}

/** A record's clock never goes backwards. */
function stateAfter([, id, version, updatedAt]: Row, { instant }: PersonEventContext) {
  const before = parseTimestamp(updatedAt ?? '');
  return {
    subjectId: id ?? '',
    subjectVersion: Number(version) + 1,
    occurredAt: before > instant ? before : instant,
  };
}

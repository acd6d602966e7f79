/** The plans of what is done to webhook endpoints beside create, update and delete. */

import { testEventType } from '@trellis/schema/event-types.ts';
import { Problem } from '@trellis/schema/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { type Statement, step } from '../database/flight.ts';
import type { LoggedEvent } from '../events/logged-event.ts';
import type { StoredResponse } from '../pipeline/idempotency.ts';
import type { Model } from '../pipeline/model.ts';
import { planAction } from '../pipeline/plans.ts';
import type { Target } from '../pipeline/storage.ts';
import type { Outcome, Plan } from '../pipeline/write.ts';
import { decodeDelivery, lockDeliverySteps, renderDelivery, type StoredDelivery } from './deliveries.ts';
import { rotateSecretStep, setSecretStep } from './endpoints.ts';
import { joinPerson, personMayRead } from './fan-out.ts';
import type { SecretSealer } from './sealing.ts';
import { makeSecret } from './signatures.ts';

interface Shape {
  readonly minimal: boolean;
}

/**
 * A create that also makes the secret. The response, which is stored under the idempotency key, has it sealed: whoever
 * sends it opens it, so that a replay answers the same and nobody else can read it.
 */
export function withNewSecret(plan: Plan, organizationId: string, sealer: SecretSealer): Plan {
  return {
    ...plan,
    decide(context, before) {
      const outcome = plan.decide(context, before);
      const endpointId = outcome.events[0]?.subjectId ?? '';
      const sealed = sealer.seal(makeSecret(), { organizationId, endpointId });
      return {
        ...outcome,
        steps: [...outcome.steps, setSecretStep(organizationId, endpointId, sealed)],
        response: withSealed(outcome.response, sealed),
        shown: { recordId: endpointId, as: 'other' },
      };
    },
  };
}

/** Replaces the secret. */
export function planRotation(model: Model, target: Target, sealer: SecretSealer, shape: Shape): Plan {
  const { organizationId, id } = target;
  const plan = planAction(model, target, [], shape, (before, { instant }) => ({
    values: { ...before.values, secretRotatedAt: instant },
    events: ['updated'],
  }));
  return {
    ...plan,
    decide(context, before) {
      const outcome = plan.decide(context, before);
      const sealed = sealer.seal(makeSecret(), { organizationId, endpointId: id });
      return {
        ...outcome,
        steps: [...outcome.steps, rotateSecretStep(organizationId, id, sealed, context.instant)],
        response: withSealed(outcome.response, sealed),
        shown: { recordId: id, as: 'other' },
      };
    },
  };
}

function withSealed(response: StoredResponse, sealed: string): StoredResponse {
  if (response.body === null) return response;
  return { ...response, body: JSON.stringify({ ...JSON.parse(response.body), secret: sealed }) };
}

const insertTest: Statement = {
  name: 'insert_test_delivery',
  text: `INSERT INTO trellis.webhook_deliveries
      (organization_id, endpoint_id, event_id, type, event, status, created_at, next_attempt_at)
    VALUES ($1, $2, $3, $4, $5, 'PENDING', $6, $6)`,
};

/** Sends an event to this endpoint alone, once, to see whether it arrives; also to a disabled one. */
export function planTest(model: Model, target: Target, requestId: string, shape: Shape): Plan {
  const { organizationId, id } = target;
  return planOf(model, target, [], (before, { instant, actor }) => {
    const event: LoggedEvent = {
      organizationId,
      id: newUuid(),
      type: testEventType,
      subjectType: model.resource.singular,
      subjectId: id,
      parentId: null,
      subjectVersion: before.version,
      userId: actor.userId,
      clientId: actor.clientId,
      requestId,
      changedFields: [],
      occurredAt: instant,
      readers: null,
      // It is in no log.
      position: 0,
    };
    const delivery = {
      eventId: event.id,
      type: event.type,
      status: 'PENDING',
      createdAt: instant,
      nextAttemptAt: instant,
      attempts: [],
    };
    return {
      steps: [step(insertTest, [organizationId, id, event.id, event.type, JSON.stringify(event), instant])],
      events: [],
      response: deliveryResponse(model, id, delivery, shape),
    };
  });
}

const retry: Statement = {
  name: 'retry_webhook_delivery',
  text: `UPDATE trellis.webhook_deliveries d
    SET status = 'PENDING', failed_attempts = 0, next_attempt_at = clock_timestamp()
    WHERE organization_id = $1 AND endpoint_id = $2 AND event_id = $3`,
};
const unblock: Statement = {
  name: 'unblock_webhook',
  text: `UPDATE trellis.webhook_subscriptions SET blocked_until = '-infinity'
    WHERE organization_id = $1 AND endpoint_id = $2`,
};

/** Sends a delivery again, now, whatever became of it; the schedule begins anew. @throws Problem not_found */
export function planRetry(model: Model, target: Target, eventId: string | null, shape: Shape): Plan {
  const { organizationId, id } = target;
  const gather = lockDeliverySteps(organizationId, id, eventId ?? newUuid());
  return planOf(model, target, gather, (before, { instant, gathered }) => {
    const row = gathered[1]?.rows[0];
    if (row === undefined) throw new Problem('not_found');
    const delivery = decodeDelivery(row);
    if (delivery.type !== testEventType) requireEnabled(before);
    return {
      steps: [step(retry, [organizationId, id, delivery.eventId]), step(unblock, [organizationId, id])],
      events: [],
      response: deliveryResponse(
        model,
        id,
        { ...delivery, status: 'PENDING', nextAttemptAt: instant },
        shape,
      ),
    };
  });
}

/** Events of a span of time; instants are RFC 3339. */
export interface ReplaySpan {
  readonly from: string;
  readonly to: string;
}

// What is logged at an instant happened before it, so the log is looked at from `from` on.
const matching = `
    FROM trellis.webhook_subscriptions s ${joinPerson}
    JOIN trellis.events e ON e.organization_id = s.organization_id
    WHERE s.organization_id = $1 AND s.endpoint_id = $2 AND e.logged_at >= $3::timestamptz
      AND e.occurred_at >= $3::timestamptz AND e.occurred_at < $4::timestamptz
      AND s.event_types && ARRAY[e.type, split_part(e.type, '.', 1) || '.*', '*'] AND ${personMayRead('e')}`;

const countMatching: Statement = {
  name: 'count_webhook_replay',
  text: `SELECT count(*), min(position), max(position)
    FROM (SELECT e.position ${matching} ORDER BY e.position LIMIT $5) m`,
};
const replay: Statement = {
  name: 'replay_webhook_events',
  text: `INSERT INTO trellis.webhook_deliveries AS d
      (organization_id, endpoint_id, event_id, type, event, readers, status, created_at, next_attempt_at)
    SELECT e.organization_id, s.endpoint_id, e.id, e.type, json_build_object(
        'organizationId', e.organization_id, 'id', e.id, 'type', e.type, 'subjectType', e.subject_type,
        'subjectId', e.subject_id, 'parentId', e.parent_id, 'subjectVersion', e.subject_version,
        'userId', e.actor_user_id, 'clientId', e.actor_client_id, 'requestId', e.request_id,
        'changedFields', e.changed_fields,
        'occurredAt', to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'readers', e.readers, 'position', e.position),
      e.readers, 'PENDING', now(), now()
    ${matching} AND e.position BETWEEN $5 AND $6
    ON CONFLICT (organization_id, endpoint_id, event_id) DO UPDATE
      SET status = 'PENDING', failed_attempts = 0, next_attempt_at = clock_timestamp()`,
};

/** Sends the events of a span again, or for the first time, as far as the caller, and the person for whom the endpoint acts, may read them. */
export function planReplay(model: Model, target: Target, span: ReplaySpan, shape: Shape): Plan {
  const { organizationId, id } = target;
  const most = limits.webhookReplayEvents;
  const values = [organizationId, id, span.from, span.to];
  const gather = [step(countMatching, [...values, String(most + 1)])];
  return planOf(model, target, gather, (before, { gathered }) => {
    requireEnabled(before);
    const [count, first, last] = gathered[0]?.rows[0] ?? [];
    const events = Number(count ?? 0);
    if (events > most) {
      const detail = `There are more than ${most} events in this span: replay a shorter one at a time.`;
      throw new Problem('validation_failed', detail, {
        errors: [{ pointer: '/from', code: 'too_many_events', detail }],
      });
    }
    const steps = events === 0 ? [] : [step(replay, [...values, first ?? null, last ?? null])];
    return { steps, events: [], response: responseOf(model, id, { events }, shape) };
  });
}

function requireEnabled({ values }: StoredRecord): void {
  if (values.status === 'ENABLED') return;
  throw new Problem('invalid_transition', 'The endpoint is DISABLED. Enable it first.', {
    members: { from: 'DISABLED', to: 'DISABLED', allowed: ['ENABLED'] },
  });
}

type Decide = (
  before: StoredRecord,
  context: Parameters<Plan['decide']>[0],
) => Pick<Outcome, 'steps' | 'events' | 'response'>;

/** A plan that locks the endpoint and leaves its record as it is. */
function planOf(model: Model, target: Target, gather: Plan['gather'], decide: Decide): Plan {
  const plan = planAction(model, target, gather, { minimal: false }, ({ values }) => ({
    values,
    events: [],
  }));
  return {
    ...plan,
    decide(context, before) {
      if (before === null) throw new Problem('not_found');
      return { ...decide(before, context), shown: { recordId: target.id, as: 'other' } };
    },
  };
}

function deliveryResponse(model: Model, id: string, delivery: StoredDelivery, shape: Shape): StoredResponse {
  return responseOf(model, id, renderDelivery(encodeId(model.resource.idPrefix, id), delivery), shape);
}

function responseOf(
  { resource }: Model,
  id: string,
  body: Record<string, unknown>,
  { minimal }: Shape,
): StoredResponse {
  const location = minimal ? `/v1${resource.path}/${encodeId(resource.idPrefix, id)}` : null;
  return { status: minimal ? 204 : 200, location, etag: null, body: minimal ? null : JSON.stringify(body) };
}

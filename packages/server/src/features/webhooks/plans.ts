/** The write plans of webhook endpoints beyond create, update and delete: secrets, tests, retries and replays. */

import { subscribableSubjects, testEventType } from '@trellis/schema/event-types.ts';
import { Problem } from '@trellis/schema/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { withChanges } from '@trellis/schema/resources/stored-values.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { type Statement, type Step, step } from '../../kernel/database/batch.ts';
import type { Reads } from '../../kernel/database/reads.ts';
import { defineRow, nullable, number, text } from '../../kernel/database/row.ts';
import type { LoggedEvent } from '../../kernel/events/logged-event.ts';
import type { Model } from '../../kernel/pipeline/model.ts';
import { Refusal } from '../../kernel/pipeline/refusal.ts';
import type { Target } from '../../kernel/pipeline/storage.ts';
import { definePlan } from '../../kernel/pipeline/write/define-plan.ts';
import type { StoredResponse } from '../../kernel/pipeline/write/idempotency/idempotency.ts';
import type { Outcome, Plan, PlanContext } from '../../kernel/pipeline/write/plan.ts';
import { type PlanAdditions, planAction, replayOf } from '../../kernel/pipeline/write/plans.ts';
import { lockDeliverySteps, readDeliveryResult, renderDelivery, type StoredDelivery } from './deliveries.ts';
import { checkActing, type EndpointValues, rotateSecretStep, setSecretStep } from './endpoints.ts';
import { isOfSites, joinPerson, joinReaders, personMayRead } from './fan-out.ts';
import type { SecretSealer } from './sealing.ts';
import { makeSecret } from './signatures.ts';

interface Shape {
  readonly minimal: boolean;
}

/**
 * A create that also makes the secret. The response stored under the idempotency key contains the sealed secret; it is
 * opened when the response is sent, so that a replay gives the same response and nobody else can read the secret.
 */
export function newSecret(
  organizationId: string,
  sealer: SecretSealer,
): Required<Pick<PlanAdditions, 'complete'>> {
  return {
    complete(outcome, endpointId) {
      const sealed = sealer.seal(makeSecret(), { organizationId, endpointId });
      return withSecret(outcome, endpointId, sealed, setSecretStep(organizationId, endpointId, sealed));
    },
  };
}

/** Replaces the secret. The endpoint then acts for the caller, who obtains the new one, see `endpointStorage`. */
export function planRotation(
  model: Model,
  target: Target,
  sealer: SecretSealer,
  shape: Shape,
): Plan<'action'> {
  const { organizationId } = target;
  return planAction(
    model,
    target,
    {},
    shape,
    ({ values }: StoredRecord<EndpointValues>, { instant, actor }) =>
      checkActing(values, actor) ?? {
        values: withChanges(values, { secretRotatedAt: instant }),
        events: ['updated'],
      },
    {
      complete(outcome, endpointId, instant) {
        const sealed = sealer.seal(makeSecret(), { organizationId, endpointId });
        const rotate = rotateSecretStep(organizationId, endpointId, sealed, instant);
        return withSecret(outcome, endpointId, sealed, rotate);
      },
    },
  );
}

/** The outcome with a step that keeps the secret, and the sealed secret in its response. */
function withSecret(outcome: Outcome, endpointId: string, sealed: string, keep: Step): Outcome {
  return {
    ...outcome,
    steps: [...outcome.steps, keep],
    response: withSealed(outcome.response, sealed),
    shown: { recordId: endpointId, as: 'other' },
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

/** Sends a test event to this endpoint alone, even a disabled one. */
export function planTest(model: Model, target: Target, requestId: string, shape: Shape): Plan<'command'> {
  const { organizationId, id } = target;
  return planCommand(model, target, {}, (before, { instant, actor }) => {
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
      tokenId: actor.tokenId,
      methods: actor.session?.methods ?? null,
      requestId,
      changedFields: [],
      occurredAt: instant,
      readers: null,
      // It is not in the log.
      position: 0,
    };
    const delivery = {
      eventId: event.id,
      type: event.type,
      event,
      status: 'PENDING',
      createdAt: instant,
      nextAttemptAt: instant,
      attempts: [],
    };
    return {
      steps: [step(insertTest, [organizationId, id, event.id, event.type, JSON.stringify(event), instant])],
      response: deliveryResponse(model, id, delivery, shape),
    };
  });
}

const retry: Statement = {
  name: 'retry_webhook_delivery',
  text: `UPDATE trellis.webhook_deliveries d
    SET status = 'PENDING', failed_attempts = 0, next_attempt_at = statement_timestamp()
    WHERE organization_id = $1 AND endpoint_id = $2 AND event_id = $3`,
};
const unblock: Statement = {
  name: 'unblock_webhook',
  text: `UPDATE trellis.webhook_subscriptions SET blocked_until = '-infinity'
    WHERE organization_id = $1 AND endpoint_id = $2`,
};

/** Sends a delivery again now, whatever its status; the retry schedule starts over. */
export function planRetry(model: Model, target: Target, eventId: string, shape: Shape): Plan<'command'> {
  const { organizationId, id } = target;
  const reads = { delivery: lockDeliverySteps(organizationId, id, eventId) };
  return planCommand(model, target, reads, (before, { instant, rows }) => {
    const delivery = readDeliveryResult(rows.delivery);
    if (delivery === undefined) return new Refusal(new Problem('not_found'));
    const refused = delivery.type === testEventType ? null : checkEnabled(before);
    if (refused !== null) return refused;
    return {
      steps: [step(retry, [organizationId, id, delivery.eventId]), step(unblock, [organizationId, id])],
      response: deliveryResponse(
        model,
        id,
        { ...delivery, status: 'PENDING', nextAttemptAt: instant },
        shape,
      ),
    };
  });
}

/** A time span of events; instants are RFC 3339. */
export interface ReplaySpan {
  readonly from: string;
  readonly to: string;
}

// An event is logged after its instant, so the log is searched from `from` on.
const matching = `
    FROM trellis.webhook_subscriptions s ${joinPerson} ${joinReaders}
    JOIN trellis.events e ON e.organization_id = s.organization_id
    WHERE s.organization_id = $1 AND s.endpoint_id = $2 AND e.logged_at >= $3::timestamptz
      AND e.occurred_at >= $3::timestamptz AND e.occurred_at < $4::timestamptz
      AND e.subject_type IN (${subscribableSubjects.map((subject) => `'${subject}'`).join(', ')})
      AND s.event_types && ARRAY[e.type, split_part(e.type, '.', 1) || '.*', '*'] AND ${personMayRead('e')}
      AND ${isOfSites('s', 'e')}`;

const matchingRow = defineRow({
  count: number('count(*)'),
  first: nullable(text('min(position)')),
  last: nullable(text('max(position)')),
});
const countMatching: Statement = {
  name: 'count_webhook_replay',
  text: `SELECT ${matchingRow.list}
    FROM (SELECT e.position ${matching} ORDER BY e.position LIMIT $5) m`,
};
const replay: Statement = {
  name: 'replay_webhook_events',
  text: `INSERT INTO trellis.webhook_deliveries AS d
      (organization_id, endpoint_id, event_id, type, event, readers, status, created_at, next_attempt_at)
    SELECT e.organization_id, s.endpoint_id, e.id, e.type, json_build_object(
        'organizationId', e.organization_id, 'id', e.id, 'type', e.type, 'subjectType', e.subject_type,
        'subjectId', e.subject_id, 'parentId', e.parent_id, 'subjectVersion', e.subject_version,
        'userId', e.actor_user_id, 'clientId', e.actor_client_id, 'tokenId', e.actor_token_id,
        'methods', e.actor_methods, 'requestId', e.request_id,
        'changedFields', e.changed_fields,
        'occurredAt', to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'readers', e.readers, 'position', e.position),
      e.readers, 'PENDING', now(), now()
    ${matching} AND e.position BETWEEN $5 AND $6
    ON CONFLICT (organization_id, endpoint_id, event_id) DO UPDATE
      SET status = 'PENDING', failed_attempts = 0, next_attempt_at = excluded.next_attempt_at`,
};

/**
 * Sends the events of a time span again, or for the first time, as far as the caller and the endpoint's user may read
 * them.
 */
export function planReplay(model: Model, target: Target, span: ReplaySpan, shape: Shape): Plan<'command'> {
  const { organizationId, id } = target;
  const most = limits.webhookReplayEvents;
  const values = [organizationId, id, span.from, span.to];
  const reads = { matching: step(countMatching, [...values, String(most + 1)]) };
  return planCommand(model, target, reads, (before, { rows }) => {
    const refused = checkEnabled(before);
    if (refused !== null) return refused;
    const {
      count: events,
      first,
      last,
    } = matchingRow.first(rows.matching) ?? { count: 0, first: null, last: null };
    if (events > most) {
      const detail = `There are more than ${most} events in this time span: replay a shorter span.`;
      const errors = [{ pointer: '/from', code: 'too_many_events', detail }];
      return new Refusal(new Problem('validation_failed', detail, { errors }));
    }
    const steps = events === 0 ? [] : [step(replay, [...values, first, last])];
    return { steps, response: responseOf(model, id, { events }, shape) };
  });
}

function checkEnabled({ values }: StoredRecord): Refusal | null {
  if (values.status === 'ENABLED') return null;
  const problem = new Problem('invalid_transition', 'The endpoint is DISABLED. Enable it first.', {
    members: { from: 'DISABLED', to: 'DISABLED', allowed: ['ENABLED'] },
  });
  return new Refusal(problem);
}

type DecideCommand<R extends Reads> = (
  before: StoredRecord,
  context: PlanContext<'command', R>,
) => Pick<Outcome<'command'>, 'steps' | 'response'> | Refusal;

/** A plan that locks the endpoint and leaves its record as it is. */
function planCommand<R extends Reads>(
  model: Model,
  target: Target,
  reads: R,
  decide: DecideCommand<R>,
): Plan<'command'> {
  return definePlan<'command', R>({
    kind: 'command',
    model,
    lock: model.statements.lock(target),
    reads,
    decide(context, before) {
      const decided = decide(before, context);
      return decided instanceof Refusal
        ? decided
        : { ...decided, shown: { recordId: target.id, as: 'other' } };
    },
    replay: replayOf(model, target),
  });
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

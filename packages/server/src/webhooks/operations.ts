/**
 * The operations of webhook endpoints in addition to the six of every resource: test, rotate the secret, list and retry
 * deliveries, replay events. The address of a URL is checked when it is set, so that mistakes are reported at once.
 */

import { Problem } from '@trellis/schema/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { webhookEndpoints } from '@trellis/schema/resources/webhook-endpoints.ts';
import { createBodyCheck } from '@trellis/schema/validation/check-body.ts';
import { refuseFaults } from '@trellis/schema/validation/faults.ts';
import { parseInstant, toInstant } from '@trellis/schema/values/clock.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { acceptInput, handleRead, handleWrite, respondWithPage } from '../http/calls.ts';
import type { HttpContext } from '../http/context.ts';
import type { Call, Operation, OperationResponse } from '../http/operation.ts';
import { placeOf, requirementOf, type SharedOperations, targetOf } from '../http/resource-operations.ts';
import { cursorParameter, idParameter, limitParameter } from '../http/resource-parameters.ts';
import { instant } from '../http/schemas.ts';
import type { Model } from '../pipeline/model.ts';
import { readRecord } from '../pipeline/read/read.ts';
import { type PlanAdditions, planCreate, planUpdate } from '../pipeline/write/plans.ts';
import { authorizeOnly } from '../pipeline/write/steps/authorize.ts';
import { deliveryIdPrefix, deliveryStatuses, listDeliveries, renderDelivery } from './deliveries.ts';
import { newSecret, planReplay, planRetry, planRotation, planTest, type ReplaySpan } from './plans.ts';

/** Time limit for resolving the host of a URL, in ms. */
const lookupMs = 5_000;

const replaySchema = {
  type: 'object',
  properties: {
    from: instant('Events that happened at or after this instant.', '2026-03-01T09:00:00Z'),
    to: instant('Events that happened before this instant; until now when absent.', '2026-03-01T12:00:00Z'),
  },
  additionalProperties: false,
  required: ['from'],
};
const checkReplay = createBodyCheck(replaySchema);

/** Replaces create and update by operations that check the address of the URL, and adds the other operations. */
export function webhookOperations(
  context: HttpContext,
  model: Model,
  shared: SharedOperations,
): Readonly<Record<string, Operation>> {
  const { resource } = model;
  const item = `/v1${resource.path}/{id}`;
  const id = idParameter('id', resource.name, resource.idPrefix, 'Id of the webhook endpoint.');
  const deliveryId = idParameter('deliveryId', 'webhook-deliveries', deliveryIdPrefix, 'Id of the delivery.');
  const common = {
    tag: resource.title.plural,
    pathParameters: [id],
    queryParameters: [],
    body: null,
    conditional: false,
  } as const;
  const acting = { ...common, method: 'POST', requirement: requirementOf(resource, 'update') } as const;
  const headers = ['Idempotent-Replayed', 'Preference-Applied'] as const;
  return {
    create: createOperation(context, model, shared.create),
    update: updateOperation(context, model, shared.update),
    rotateSecret: {
      ...acting,
      operationId: 'rotateWebhookEndpointSecret',
      requirement: { ...acting.requirement, needsRecentSignIn: true },
      path: `${item}/rotate-secret`,
      summary: 'Replace the secret of a webhook endpoint',
      description:
        'Returns the new secret, which is shown only this once. For 24 hours calls are signed with the old one as well; a second rotation within them ends the oldest at once.',
      success: {
        status: 200,
        description: 'The endpoint with its new secret.',
        schemaName: 'WebhookEndpointWithSecret',
        headers: ['ETag', ...headers],
      },
      problems: ['version_mismatch'],
      handle: async (call) =>
        reveal(
          context,
          call,
          await handleWrite(context, call, ({ minimal }) =>
            planRotation(model, targetOf(resource, call), context.webhooks.sealer, { minimal }),
          ),
        ),
    },
    test: {
      ...acting,
      operationId: 'testWebhookEndpoint',
      path: `${item}/test`,
      summary: 'Try a webhook endpoint',
      description:
        'Sends an event of the type `webhook.test` to this endpoint only, once, even if the endpoint is disabled. The result is in the deliveries of the endpoint a moment later.',
      success: {
        status: 200,
        description: 'The pending delivery.',
        schemaName: 'WebhookDelivery',
        headers,
      },
      problems: ['version_mismatch'],
      handle: (call) =>
        handleWrite(context, call, ({ minimal }) =>
          planTest(model, targetOf(resource, call), call.requestId, { minimal }),
        ),
    },
    replay: {
      ...acting,
      operationId: 'replayWebhookEvents',
      path: `${item}/replay`,
      summary: 'Replay the events of a time span',
      description: `Sends the logged events of a time span that the endpoint subscribes to, including those that were delivered before, each under the same \`webhook-id\`. At most ${limits.webhookReplayEvents} events at a time.`,
      body: {
        schemaName: 'WebhookReplayCreate',
        schema: replaySchema,
        mediaTypes: ['application/json'],
        example: { from: '2026-03-01T09:00:00Z', to: '2026-03-01T12:00:00Z' },
      },
      success: {
        status: 200,
        description: 'The number of events that are sent.',
        schemaName: 'WebhookReplay',
        headers,
      },
      problems: ['version_mismatch', 'invalid_transition', 'validation_failed', 'unknown_field'],
      handle: (call) =>
        handleWrite(context, call, ({ body, minimal }) => {
          const span = readSpan(body);
          return planReplay(model, targetOf(resource, call), span, { minimal });
        }),
    },
    listDeliveries: {
      ...common,
      operationId: 'listWebhookDeliveries',
      method: 'GET',
      path: `${item}/deliveries`,
      summary: 'List deliveries of a webhook endpoint',
      description:
        'Deliveries that were or will be sent, newest first, with their attempts. They are kept for 30 days. Deliveries of events that the caller may not read are omitted.',
      requirement: requirementOf(resource, 'read'),
      queryParameters: [
        limitParameter(limits.listPageSize),
        cursorParameter,
        {
          name: 'status',
          description: 'Only those with this status.',
          required: false,
          schema: { type: 'string', enum: deliveryStatuses },
          example: 'FAILED',
        },
      ],
      success: {
        status: 200,
        description: 'One page of deliveries.',
        schemaName: 'WebhookDeliveryList',
        headers: [],
      },
      isListing: true,
      problems: ['cursor_invalid', 'cursor_mismatch'],
      handle: (call) =>
        handleRead(context, call, (_actor, parameters) => list(context, model, call, parameters)),
    },
    retryDelivery: {
      ...acting,
      operationId: 'retryWebhookDelivery',
      path: `${item}/deliveries/{deliveryId}/retry`,
      summary: 'Send a delivery again',
      description:
        'Sends a delivery again at once, whatever its status, under the same `webhook-id`. If it fails, the retry schedule starts again.',
      pathParameters: [id, deliveryId],
      success: {
        status: 200,
        description: 'The pending delivery.',
        schemaName: 'WebhookDelivery',
        headers,
      },
      problems: ['version_mismatch', 'invalid_transition'],
      handle: (call) =>
        handleWrite(context, call, ({ minimal }) => {
          const eventId = decodeId(deliveryIdPrefix, call.params.deliveryId ?? '');
          return planRetry(model, targetOf(resource, call), eventId, { minimal });
        }),
    },
  };
}

/** The update, which also checks the address of a new URL. */
function updateOperation(context: HttpContext, model: Model, operation: Operation): Operation {
  return {
    ...operation,
    handle: (call) =>
      handleWrite(context, call, async ({ body, minimal }) => {
        const input = acceptInput(model.input.patch(body));
        const target = targetOf(model.resource, call);
        const checked = await checkUrl(context, call, input.values.url);
        return planUpdate(model, target, input, { minimal }, checked);
      }),
  };
}

/** The create, which also checks the address of the URL, and creates and returns the secret. */
function createOperation(context: HttpContext, model: Model, operation: Operation): Operation {
  const { resource } = model;
  return {
    ...operation,
    handle: async (call) =>
      reveal(
        context,
        call,
        await handleWrite(context, call, async ({ body, minimal }) => {
          const input = acceptInput(model.input.create(body));
          const place = placeOf(resource, call);
          return planCreate(
            context.models,
            model,
            place,
            input,
            { minimal },
            {
              ...newSecret(place.organizationId, context.webhooks.sealer),
              ...(await checkUrl(context, call, input.values.url)),
            },
          );
        }),
      ),
  };
}

/**
 * Refuses a URL that must not be called. The name is resolved before the transaction, which must not wait for a
 * resolver, and only for callers that may write. The error is returned within the transaction, so that a replay gets
 * its stored response.
 */
async function checkUrl(
  context: HttpContext,
  call: Call,
  url: unknown,
): Promise<Pick<PlanAdditions, 'confirm'>> {
  if (typeof url !== 'string') return {};
  const { credentials, operation } = call;
  await authorizeOnly(context.database, { credentials, audience: 'api', requirement: operation.requirement });
  const detail = await context.webhooks.guard.findFault(url, AbortSignal.timeout(lookupMs));
  if (detail === null) return {};
  const errors = [{ pointer: '/url', code: 'refused_url', detail }];
  return { confirm: async () => new Problem('validation_failed', `/url: ${detail}`, { errors }) };
}

/** Decrypts the secret in a stored response for the caller. */
function reveal(context: HttpContext, call: Call, response: OperationResponse): OperationResponse {
  if (typeof response.body !== 'string') return response;
  const { secret, ...record } = JSON.parse(response.body);
  const endpointId = decodeId(webhookEndpoints.idPrefix, record.id) ?? '';
  const owner = { organizationId: call.credentials.organizationId, endpointId };
  return {
    ...response,
    body: JSON.stringify({ ...record, secret: context.webhooks.sealer.open(secret, owner) }),
  };
}

async function list(
  context: HttpContext,
  model: Model,
  call: Call,
  { limit, cursor, status }: Readonly<Record<string, string>>,
): Promise<OperationResponse> {
  const target = targetOf(model.resource, call);
  const binding = {
    organizationId: target.organizationId,
    route: `${call.operation.operationId} ${call.path}`,
    query: status === undefined ? {} : { status },
  };
  const page = await listDeliveries(context.database, target, {
    endpointId: target.id,
    status: status ?? null,
    after: cursor === undefined ? null : context.cursors.open(binding, cursor),
    limit: Number(limit ?? limits.listPageSize.default),
  });
  // Deliveries of a deleted endpoint are kept for a while, but are not shown.
  await readRecord(context.database, model, target, 'working', 'narrow');
  const nextCursor = page.next === null ? null : context.cursors.seal(binding, page.next);
  const items = page.deliveries.map((delivery) =>
    JSON.stringify(renderDelivery(call.params.id ?? '', delivery)),
  );
  return respondWithPage(
    call,
    items,
    page.deliveries.map(({ eventId }) => `${target.id} ${eventId}`),
    nextCursor,
  );
}

/** @throws Problem validation_failed, unknown_field */
function readSpan(body: unknown): ReplaySpan {
  const checked = checkReplay(body);
  refuseFaults(checked.faults);
  const { from, to } = checked.body as { from: string; to?: string };
  const span = {
    from: toInstant(parseInstant(from) ?? 0),
    to: to === undefined ? toInstant(Date.now() + 60_000) : toInstant(parseInstant(to) ?? 0),
  };
  if (span.from < span.to) return span;
  const detail = 'Must be after `from`.';
  const fault = { pointer: '/to', code: 'order', detail };
  throw new Problem('validation_failed', `/to: ${detail}`, { errors: [fault] });
}

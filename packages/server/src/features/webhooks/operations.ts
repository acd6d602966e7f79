/**
 * The operations of webhook endpoints that need code: the actions, the list of deliveries, and creating and changing endpoints, where the
 * address of the URL is checked, so that mistakes are reported at once.
 */

import { Problem } from '@trellis/schema/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { webhookEndpoints } from '@trellis/schema/resources/webhook-endpoints.ts';
import { parseInstant, toInstant } from '@trellis/schema/values/clock.ts';
import { handleRead, respondWithPage } from '../../kernel/http/calls.ts';
import type { HttpContext } from '../../kernel/http/context.ts';
import type { Call, Operation, OperationResponse } from '../../kernel/http/operation.ts';
import { ownOperations } from '../../kernel/http/own-operations.ts';
import {
  itemOf,
  requirementOf,
  type SharedOperations,
  targetOf,
} from '../../kernel/http/resource-operations.ts';
import { cursorParameter, limitParameter } from '../../kernel/http/resource-parameters.ts';
import type { Model } from '../../kernel/pipeline/model.ts';
import { readRecord } from '../../kernel/pipeline/read/read.ts';
import type { PlanAdditions } from '../../kernel/pipeline/write/plans.ts';
import { authorizeOnly } from '../../kernel/pipeline/write/steps/authorize.ts';
import type { AddressGuard } from './address-guard.ts';
import { deliveryStatuses, listDeliveries, renderDelivery } from './deliveries.ts';
import { newSecret, planReplay, planRetry, planRotation, planTest, type ReplaySpan } from './plans.ts';
import type { WebhookSettings } from './settings.ts';

/** Time limit for resolving the host of a URL, in ms. */
const lookupMs = 5_000;

/** Completes creations, updates and the actions, and adds the list of deliveries. */
export function webhookOperations(
  context: HttpContext,
  settings: WebhookSettings,
  model: Model,
  shared: SharedOperations,
): Readonly<Record<string, Operation>> {
  const { resource } = model;
  const item = itemOf(resource);
  const common = {
    tag: resource.title.plural,
    queryParameters: [],
    body: null,
    conditional: false,
  } as const;
  return {
    ...ownOperations(context, model, shared, webhookEndpoints, {
      creation: async ({ call, place: { organizationId }, input }) => ({
        ...newSecret(organizationId, settings.sealer),
        ...(await checkUrl(context, settings.guard, call, input.values.url)),
      }),
      update: ({ call, input }) => checkUrl(context, settings.guard, call, input.values.url),
      actions: {
        rotateWebhookEndpointSecret: ({ target, shape }) =>
          planRotation(model, target, settings.sealer, shape),
        testWebhookEndpoint: ({ call, target, shape }) => planTest(model, target, call.requestId, shape),
        retryWebhookDelivery: ({ target, part, shape }) => planRetry(model, target, part, shape),
        replayWebhookEvents: ({ target, input, shape }) => planReplay(model, target, spanOf(input), shape),
      },
      open: (sealed, organizationId, endpointId) =>
        settings.sealer.open(sealed, { organizationId, endpointId }),
    }),
    listDeliveries: {
      ...common,
      operationId: 'listWebhookDeliveries',
      method: 'GET',
      path: `${item.path}/deliveries`,
      pathParameters: item.parameters,
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
  };
}

/**
 * Refuses a URL that must not be called. The name is resolved before the transaction, which must not wait for a
 * resolver, and only for callers that may write. The error is returned within the transaction, so that a replay gets
 * its stored response.
 */
async function checkUrl(
  context: HttpContext,
  guard: AddressGuard,
  call: Call,
  url: unknown,
): Promise<Pick<PlanAdditions, 'confirm'>> {
  if (typeof url !== 'string') return {};
  const { credentials, operation } = call;
  await authorizeOnly(context.database, { credentials, audience: 'api', requirement: operation.requirement });
  const detail = await guard.findFault(url, AbortSignal.timeout(lookupMs));
  if (detail === null) return {};
  const errors = [{ pointer: '/url', code: 'refused_url', detail }];
  return { confirm: async () => new Problem('validation_failed', `/url: ${detail}`, { errors }) };
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

/** @throws Problem validation_failed */
function spanOf({ from = '', to }: { readonly from?: string; readonly to?: string }): ReplaySpan {
  const span = {
    from: toInstant(parseInstant(from) ?? 0),
    to: to === undefined ? toInstant(Date.now() + 60_000) : toInstant(parseInstant(to) ?? 0),
  };
  if (span.from < span.to) return span;
  const detail = 'Must be after `from`.';
  const fault = { pointer: '/to', code: 'order', detail };
  throw new Problem('validation_failed', `/to: ${detail}`, { errors: [fault] });
}

/** The schemas of webhooks: deliveries, the calls that receivers get, and the responses of the operations for endpoints. */
import { type EventType, eventTypes, testEventType } from '@trellis/schema/event-types.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { deliveryIdPrefix, webhookEndpoints } from '@trellis/schema/resources/webhook-endpoints.ts';
import { orNull } from '@trellis/schema/validation/body-schemas.ts';
import { eventMessageSchemas, eventSchemaName } from '../../kernel/contract/openapi/event-messages.ts';
import {
  exampleId,
  idSchema,
  instant,
  int32Max,
  integer,
  list,
  object,
  oneOf,
  pageSchema,
  reference,
  type Schemas,
  text,
} from '../../kernel/http/schemas.ts';
import { deliveryStatuses, shownAttempts } from './deliveries.ts';
import { keptBytes } from './sender.ts';

const attempt = object('One attempt to deliver.', {
  number: integer('Number of the attempt, from 1.', 1, { minimum: 1, maximum: int32Max }),
  attemptedAt: instant('When the attempt was started.'),
  status: orNull(
    integer('HTTP status of the response; null if there was none.', 204, { minimum: 100, maximum: 999 }),
  ),
  latencyMs: integer('Duration in milliseconds.', 83, { minimum: 0, maximum: int32Max }),
  response: text(`The first ${keptBytes} bytes of the response.`, 'ok'),
  error: orNull(text('Why there was no response; null if there was one.', 'The connection was refused.')),
});

const deliveryProperties: Schemas = {
  id: idSchema(deliveryIdPrefix, 'Id of the delivery.'),
  endpointId: idSchema(webhookEndpoints.idPrefix, 'The endpoint.'),
  eventId: idSchema('evt', 'The event; sent as `webhook-id`, by every attempt and replay.'),
  eventType: text('Type of the event.', 'article.published'),
  subject: text('Id of the record that the event is about.', exampleId('art')),
  path: orNull(
    text(
      'Path of that record, also after its deletion; null if there is none.',
      `/v1/sites/${exampleId('site')}/articles/${exampleId('art')}`,
    ),
  ),
  status: oneOf(
    'PENDING before the first attempt and between attempts; FAILED after the last attempt.',
    'PENDING',
    deliveryStatuses,
  ),
  createdAt: instant('When the delivery was created.'),
  nextAttemptAt: orNull(instant('When the next attempt is made; null unless PENDING.')),
  attempts: list(
    `The last attempts, at most ${shownAttempts}, oldest first.`,
    reference('WebhookAttempt'),
    { maxItems: shownAttempts },
    [],
  ),
};

/** All schemas of webhooks, by the name of the component. */
export function webhookSchemas(): Schemas {
  const delivery = object('One event for one endpoint.', deliveryProperties);
  return {
    WebhookAttempt: attempt,
    WebhookDelivery: delivery,
    WebhookDeliveryList: pageSchema(
      'One page of deliveries, newest first.',
      reference('WebhookDelivery'),
      delivery.examples ?? [],
      limits.listPageSize.max,
    ),
    WebhookReplay: object('The result of a replay request.', {
      events: integer('Number of events that are sent.', 12, {
        minimum: 0,
        maximum: limits.webhookReplayEvents,
      }),
    }),
    ...eventMessageSchemas(sentTypes),
  };
}

/** All event types that are sent: those that can be subscribed to, and the test event. */
export const sentTypes: readonly EventType[] = [
  ...eventTypes,
  {
    type: testEventType,
    description: 'A test of the endpoint. It is not in the event log, and its `sequence` is 0.',
  },
];

/** The section `webhooks` of the document: the calls that receivers get, by event type. */
export function webhookCalls(): Record<string, unknown> {
  return Object.fromEntries(
    sentTypes.map(({ type, description }) => {
      const name = eventSchemaName(type);
      const post = {
        operationId: `on${name}`,
        tags: [webhookEndpoints.title.plural],
        summary: type,
        description: `${description} At least once, after commit, never for a rolled-back write; unordered across records; per record use \`data.version\`; dedupe on \`webhook-id\`.`,
        security: [],
        parameters: ['WebhookId', 'WebhookTimestamp', 'WebhookSignature'].map((header) => ({
          $ref: `#/components/parameters/${header}`,
        })),
        requestBody: {
          required: true,
          content: { 'application/json': { schema: reference(name) } },
        },
        responses: {
          '2XX': { description: 'The event was accepted; the content of the response is ignored.' },
          '410': { description: 'The endpoint is gone: it is disabled immediately.' },
          default: {
            description:
              'Any other status, including redirects, is a failure: the event is sent again later.',
          },
        },
      };
      return [type, { post }];
    }),
  );
}

/** The headers of a call, by the name of their component. */
export const webhookParameters: Readonly<Record<string, ReturnType<typeof header>>> = {
  WebhookId: header('webhook-id', 'Id of the event, the same on every retry and replay.', exampleId('evt')),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'When this attempt was made, in seconds since 1970.',
    '1772355600',
  ),
  WebhookSignature: header(
    'webhook-signature',
    'Signatures of `{webhook-id}.{webhook-timestamp}.{body}` (HMAC-SHA256, base64), separated by spaces: one, or two for 24 hours after a rotation.',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ),
};

function header(name: string, description: string, example: string) {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example };
}

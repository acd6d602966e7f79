/** The calls of webhook endpoints in the AsyncAPI document. */
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import type { FeatureMessages } from '../../kernel/contract/feature-documents.ts';
import { eventMessages, sendOperation } from '../../kernel/contract/openapi/event-channels.ts';
import { reference } from '../../kernel/http/schemas.ts';
import { sentTypes, webhookParameters } from './schemas.ts';

/** The channel. `origin`: public address of the server */
export function webhookMessages(origin: string): FeatureMessages {
  return {
    channels: {
      webhookDeliveries: {
        address: null,
        title: 'Webhook deliveries',
        description: `Calls of the URLs of webhook endpoints. At least once, after commit, never for a rolled-back write; unordered across records; per record use \`data.version\`; dedupe on \`webhook-id\`. See ${origin}/docs/webhooks.`,
        servers: [{ $ref: '#/servers/receiver' }],
        messages: eventMessages(sentTypes, reference('WebhookHeaders')),
      },
    },
    operations: { deliverWebhook: sendOperation('webhookDeliveries', 'Call a webhook endpoint.', 'POST') },
    servers: {
      receiver: {
        host: '{receiver}',
        protocol: 'https',
        description: 'The receiver of a webhook endpoint.',
        variables: { receiver: { description: 'Host of the URL.', examples: ['hooks.example.com'] } },
      },
    },
    schemas: { WebhookHeaders: webhookHeaders() },
  };
}

/** The headers of a call, as the OpenAPI document has them. */
function webhookHeaders(): JsonSchema {
  const headers = Object.values(webhookParameters);
  return {
    type: 'object',
    description: 'Headers that identify and sign a call (Standard Webhooks).',
    properties: Object.fromEntries(
      headers.map(({ name, description, example }) => [
        name,
        { type: 'string', description, examples: [example] },
      ]),
    ),
    required: headers.map(({ name }) => name),
  };
}

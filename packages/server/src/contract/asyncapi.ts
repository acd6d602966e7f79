/**
 * The AsyncAPI document, which describes the events that the server sends. It is made of the same types and schemas as the
 * OpenAPI document (AsyncAPI 3.0, https://www.asyncapi.com/docs/reference/specification/v3.0.0).
 */

import { type EventType, eventTypes } from '@trellis/schema/event-types.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import packageFile from '../../../../package.json' with { type: 'json' };
import { reference } from '../http/schemas.ts';
import { renderOnce } from './documentation/rendered-document.ts';
import { nameGroups } from './openapi/name-groups.ts';
import { responseSchemas } from './openapi/shared-schemas.ts';
import { keepUsed } from './openapi/used-components.ts';
import { eventSchemaName, sentTypes, webhookParameters } from './openapi/webhook-schemas.ts';

/** The document. `origin`: scheme, host and port of the server, without a slash at the end. */
export function buildAsyncApi(origin: string): Record<string, unknown> {
  const channels = {
    webhookDeliveries: {
      address: null,
      title: 'Webhook deliveries',
      description: `Calls of the URLs of webhook endpoints. At least once, after commit, never for a rolled-back write; unordered across records; per record use \`data.version\`; dedupe on \`webhook-id\`. See ${origin}/docs/webhooks.`,
      servers: [{ $ref: '#/servers/receiver' }],
      messages: messagesOf(sentTypes, reference('WebhookHeaders')),
    },
    eventStream: {
      address: '/v1/events/stream',
      title: 'The event log as a stream',
      description:
        'Server-sent events in the order of the log: `data` is the event, `event` its type, and `id` a cursor. A client that reconnects with the last cursor as `Last-Event-ID` receives each event once. The events have no `record`.',
      servers: [{ $ref: '#/servers/api' }],
      messages: messagesOf(eventTypes, null),
    },
  };
  const schemas = { ...nameGroups(responseSchemas(origin)), WebhookHeaders: webhookHeaders() };
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Trellis events',
      version: packageFile.version,
      description:
        'The events of the records of an organization, as CloudEvents 1.0 in JSON. They are sent to webhook endpoints, and can be read as a stream.',
      license: { name: 'Apache License 2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      externalDocs: { description: 'Documentation of this server', url: `${origin}/docs` },
    },
    defaultContentType: 'application/json',
    servers: servers(origin),
    channels,
    operations: {
      deliverWebhook: operation('webhookDeliveries', 'Call a webhook endpoint.', 'POST'),
      streamEvents: operation('eventStream', 'Send events as they are logged.', 'GET'),
    },
    components: {
      ...keepUsed({ schemas }, channelReferences(channels)),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token of the tenant API with the scope `events:read`.',
        },
      },
    },
  };
}

/** The document as it is sent. */
export const renderAsyncApi = renderOnce(buildAsyncApi);

/** A message for each type, by the name of its schema. */
function messagesOf(types: readonly EventType[], headers: JsonSchema | null): Record<string, unknown> {
  return Object.fromEntries(
    types.map(({ type, description }) => {
      const name = eventSchemaName(type);
      const message = {
        name: type,
        title: type,
        summary: description,
        contentType: 'application/json',
        ...(headers === null ? {} : { headers }),
        payload: reference(name),
      };
      return [name, message];
    }),
  );
}

/** The parts of the channels that refer to schemas. The channels also refer to servers. */
function channelReferences(channels: Readonly<Record<string, { readonly messages: unknown }>>): unknown {
  return Object.values(channels).map(({ messages }) => messages);
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

function servers(origin: string): Record<string, unknown> {
  const { host, protocol } = new URL(origin);
  return {
    api: {
      host,
      protocol: protocol.slice(0, -1),
      description: 'The server that this document describes.',
      security: [{ $ref: '#/components/securitySchemes/bearer' }],
    },
    receiver: {
      host: '{receiver}',
      protocol: 'https',
      description: 'The receiver of a webhook endpoint.',
      variables: { receiver: { description: 'Host of the URL.', examples: ['hooks.example.com'] } },
    },
  };
}

function operation(channel: string, summary: string, method: 'GET' | 'POST'): Record<string, unknown> {
  return {
    action: 'send',
    channel: { $ref: `#/channels/${channel}` },
    summary,
    bindings: { http: { method, bindingVersion: '0.3.0' } },
  };
}

/**
 * Why: what the server sends by itself is described for the tools that know events, from the same types and schemas as the
 * OpenAPI document (AsyncAPI 3.0, https://www.asyncapi.com/docs/reference/specification/v3.0.0).
 */

import { type EventType, eventTypes } from '@trellis/schema/event-types.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import packageFile from '../../../../package.json' with { type: 'json' };
import { contentTag } from './documentation/content-tag.ts';
import { reference } from './openapi/record-schemas.ts';
import { responseSchemas } from './openapi/shared-schemas.ts';
import { keepUsed } from './openapi/used-components.ts';
import { eventSchemaName, sentTypes, webhookParameters } from './openapi/webhook-schemas.ts';
import type { RenderedOpenApi } from './openapi.ts';

/** The document. `origin`: scheme, host and port of the server, without a slash at the end. */
export function buildAsyncApi(origin: string): Record<string, unknown> {
  const channels = {
    webhookDeliveries: {
      address: null,
      title: 'Webhook deliveries',
      description: `Calls of the addresses that webhook endpoints name. At least once, after commit, never for a rolled-back write; unordered across records; per record use \`data.version\`; dedupe on \`webhook-id\`. See ${origin}/docs/webhooks.`,
      servers: [{ $ref: '#/servers/receiver' }],
      messages: messagesOf(sentTypes, reference('WebhookHeaders')),
    },
    eventStream: {
      address: '/v1/events/stream',
      title: 'The event log as a stream',
      description:
        'Server-sent events: each has the event as `data`, its type as `event`, and as `id` a cursor, which `Last-Event-ID` takes to go on. In the order of the log; who goes on from the last cursor gets each event once. Without `record`.',
      servers: [{ $ref: '#/servers/api' }],
      messages: messagesOf(eventTypes, null),
    },
  };
  const schemas = { ...responseSchemas(origin), WebhookHeaders: webhookHeaders() };
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Trellis events',
      version: packageFile.version,
      description:
        'What happens to the records of an organization, as CloudEvents 1.0 in JSON: pushed to webhook endpoints, and followed as a stream.',
      license: { name: 'Apache License 2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      externalDocs: { description: 'Documentation of this server', url: `${origin}/docs` },
    },
    defaultContentType: 'application/json',
    servers: servers(origin),
    channels,
    operations: {
      deliverWebhook: operation('webhookDeliveries', 'Call a webhook endpoint.', 'POST'),
      streamEvents: operation('eventStream', 'Send the events as they come.', 'GET'),
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

let rendered: (RenderedOpenApi & { readonly origin: string }) | null = null;

/** The document as text; made again only if the origin changes. */
export function renderAsyncApi(origin: string): RenderedOpenApi {
  if (rendered?.origin === origin) return rendered;
  const text = JSON.stringify(buildAsyncApi(origin));
  rendered = { text, etag: contentTag(text), origin };
  return rendered;
}

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

/** What of the channels refers to schemas; they refer to servers as well. */
function channelReferences(channels: Readonly<Record<string, { readonly messages: unknown }>>): unknown {
  return Object.values(channels).map(({ messages }) => messages);
}

/** The headers of a call, as the OpenAPI document has them. */
function webhookHeaders(): JsonSchema {
  const headers = Object.values(webhookParameters);
  return {
    type: 'object',
    description: 'How a call is told apart and verified (Standard Webhooks).',
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
      description: 'Where the URL of a webhook endpoint leads.',
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

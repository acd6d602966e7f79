/**
 * The AsyncAPI document, which describes the events that the server sends. It is made of the same types and schemas as the
 * OpenAPI document (AsyncAPI 3.0, https://www.asyncapi.com/docs/reference/specification/v3.0.0).
 */
import packageFile from '../../../../../package.json' with { type: 'json' };
import type { DescribedApi } from './described-api.ts';
import { type RenderedDocument, renderOnce } from './documentation/rendered-document.ts';
import { nameGroups } from './openapi/name-groups.ts';
import { responseSchemas } from './openapi/shared-schemas.ts';
import { keepUsed } from './openapi/used-components.ts';

/** The document. `origin`: scheme, host and port of the server, without a slash at the end. */
export function buildAsyncApi(
  { features }: Pick<DescribedApi, 'features'>,
  origin: string,
): Record<string, unknown> {
  const messages = features.map((feature) => feature.messages?.(origin) ?? { channels: {}, operations: {} });
  const all = <T>(parts: readonly (Readonly<Record<string, T>> | undefined)[]): Record<string, T> =>
    Object.assign({}, ...parts);
  const channels = all(messages.map((part) => part.channels));
  const schemas = {
    ...nameGroups(responseSchemas(features, origin)),
    ...all(messages.map((part) => part.schemas)),
  };
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
    servers: { api: apiServer(origin), ...all(messages.map((part) => part.servers)) },
    channels,
    operations: all(messages.map((part) => part.operations)),
    components: {
      // Channels also refer to servers; only their messages refer to schemas.
      ...keepUsed(
        { schemas },
        Object.values(channels).map((channel) => channel.messages),
      ),
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

const renderers = new WeakMap<DescribedApi, (origin: string) => RenderedDocument>();

/** The document as it is sent; made once for each API. */
export function renderAsyncApi(api: DescribedApi, origin: string): RenderedDocument {
  const render = renderers.get(api) ?? renderOnce((address) => buildAsyncApi(api, address));
  renderers.set(api, render);
  return render(origin);
}

function apiServer(origin: string): Record<string, unknown> {
  const { host, protocol } = new URL(origin);
  return {
    host,
    protocol: protocol.slice(0, -1),
    description: 'The server that this document describes.',
    security: [{ $ref: '#/components/securitySchemes/bearer' }],
  };
}

/** The OpenAPI 3.0.1 document of the plant store, version 1.0.0. */
import { limits } from '@trellis/schema/resources/limits.ts';
import { headerComponents } from '../../contract/openapi/responses.ts';
import { sandboxErrors } from '../errors.ts';

const catalogue = Object.values(sandboxErrors)
  .map(({ error, status, meaning }) => `| ${error} | ${status} | ${meaning} |`)
  .join('\n');

/** The headers are the tenant API's, but for the realm of challenges. */
function usedHeaders(): Record<string, unknown> {
  const names = [...commonHeaders, 'Retry-After'];
  const shared = Object.entries(headerComponents()).filter(([name]) => names.includes(name));
  return {
    ...Object.fromEntries(shared),
    'WWW-Authenticate': {
      description: 'The required credentials (RFC 6750).',
      schema: { type: 'string' },
      example: 'Bearer realm="trellis-sandbox", error="invalid_token"',
    },
  };
}

/** Headers of every answer. */
const commonHeaders = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit'];

/** The headers of an answer. */
function headersOf(...more: string[]): Record<string, unknown> {
  const names = [...commonHeaders, ...more];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Builds the document for a server address. */
export function buildSandboxDocument(serverUrl: string): Record<string, unknown> {
  const failure = (description: string, ...headers: string[]) => ({
    description,
    headers: headersOf(...headers),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  });
  const failures = {
    401: failure('The token is missing or not valid for this interface.', 'WWW-Authenticate'),
    403: failure('The token or the role does not permit this.', 'WWW-Authenticate'),
    408: failure('The request did not arrive in time.'),
    429: failure('Too many requests.', 'Retry-After'),
    431: failure('The headers are too large.'),
    501: failure('The transfer coding is not supported.'),
    503: failure('The server is overloaded or its database is unreachable.', 'Retry-After'),
  };
  const { origin, hostname, pathname } = new URL(serverUrl);
  return {
    openapi: '3.0.1',
    info: {
      title: 'Plant store',
      description: `A sandbox to try tokens and calls with.\n\nErrors are \`{error, message}\`:\n\n| error | status | meaning |\n| --- | --- | --- |\n${catalogue}\n\nAn unexpected error has the status 400 when a plant is created, and 500 otherwise. A request that cannot be read has the same number, with 400, 408, 431 or 501. Temporary failures have 503 and \`Retry-After\`.`,
      contact: { name: 'Documentation of this server', url: `${origin}/docs` },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      version: '1.0.0',
    },
    // The host name may mean nothing to the reader. A relative URL refers to the server that the document was read
    // from.
    servers: [{ url: hostname === 'localhost' ? pathname : serverUrl }],
    security: [{ bearerAuth: [] }],
    tags: [{ name: 'Plants', description: 'The plants of the organization.' }],
    paths: {
      '/plants': {
        get: {
          operationId: 'listPlants',
          tags: ['Plants'],
          summary: 'List plants',
          description:
            'Returns all plants that the user has access to, in the order in which they were created.',
          parameters: [
            {
              name: 'limit',
              in: 'query',
              description: `The maximum number of results to return. An organization has ${limits.plants} plants at most.`,
              required: false,
              schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 2_147_483_647 },
              example: 10,
            },
          ],
          responses: {
            200: {
              description: 'The plants.',
              headers: headersOf(),
              content: {
                'application/json': {
                  schema: { type: 'array', items: { $ref: '#/components/schemas/Plant' } },
                  example: [{ name: 'Monstera', tag: 'indoor' }],
                },
              },
            },
            400: failure('The query is not valid.'),
            ...failures,
            500: failure('An unexpected error.'),
          },
        },
        post: {
          operationId: 'createPlant',
          tags: ['Plants'],
          summary: 'Create a plant',
          description: 'Creates a plant in the store.',
          requestBody: {
            description: 'The plant to add to the store.',
            required: true,
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/NewPlant' },
                example: { id: 9_007_199_254_740, name: 'Monstera', tag: 'indoor' },
              },
            },
          },
          responses: {
            200: {
              description: 'The created plant, without its id.',
              headers: headersOf(),
              content: {
                'application/json': {
                  schema: { $ref: '#/components/schemas/Plant' },
                  example: { name: 'Monstera', tag: 'indoor' },
                },
              },
            },
            400: failure('Anything else that goes wrong once the caller is known.'),
            ...failures,
            413: failure('The body is too large.'),
            415: failure('The body is not application/json.'),
          },
        },
      },
      '/plants/{id}': {
        delete: {
          operationId: 'deletePlant',
          tags: ['Plants'],
          summary: 'Delete a plant',
          description: 'Deletes one plant by its id.',
          parameters: [
            {
              name: 'id',
              in: 'path',
              description: 'The id of the plant to delete.',
              required: true,
              schema: { type: 'integer', format: 'int64' },
              example: 42,
            },
          ],
          responses: {
            204: { description: 'The plant is deleted.', headers: headersOf() },
            400: failure('The id is not a 64-bit integer, or there is a body other than `{}`.'),
            ...failures,
            404: failure('There is no plant with this id.'),
            413: failure('There is a body, and it is too large.'),
            415: failure('There is a body, and it is not application/json.'),
            500: failure('An unexpected error.'),
          },
        },
      },
    },
    components: {
      securitySchemes: {
        bearerAuth: { type: 'http', scheme: 'bearer', description: 'A token made for the sandbox.' },
      },
      headers: usedHeaders(),
      schemas: {
        Plant: {
          type: 'object',
          required: ['name'],
          properties: {
            name: {
              type: 'string',
              minLength: 1,
              maxLength: limits.plantName,
              description: 'The name of the plant.',
            },
            tag: {
              type: 'string',
              maxLength: limits.plantTag,
              description: 'A tag that specifies the type. An empty one is the same as none.',
            },
          },
          example: { name: 'Monstera', tag: 'indoor' },
        },
        NewPlant: {
          allOf: [
            { $ref: '#/components/schemas/Plant' },
            {
              type: 'object',
              required: ['id'],
              properties: {
                id: {
                  type: 'integer',
                  format: 'int64',
                  description: 'The identification number of the plant, unique in the organization.',
                },
              },
            },
          ],
          example: { id: 42, name: 'Monstera', tag: 'indoor' },
        },
        Error: {
          type: 'object',
          required: ['error', 'message'],
          properties: {
            error: {
              type: 'integer',
              format: 'int32',
              description: 'Number of the error; see the table above.',
            },
            message: { type: 'string', description: 'What is wrong, for a person.' },
          },
          example: { error: sandboxErrors.plantNotFound.error, message: sandboxErrors.plantNotFound.meaning },
        },
      },
    },
  };
}

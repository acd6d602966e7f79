/** The OpenAPI 3.0.1 document of the plant store, version 1.0.0. */
import {
  describeOperation,
  describePaths,
  describeServer,
} from '../../../kernel/contract/openapi/describe-operation.ts';
import { headerComponents } from '../../../kernel/contract/openapi/responses.ts';
import { reference } from '../../../kernel/http/schemas.ts';
import { sandboxErrors } from '../errors.ts';
import { type PlantOperation, plantOperations, plantSchemas } from './operations.ts';

const catalogue = Object.values(sandboxErrors)
  .map(({ error, status, meaning }) => `| ${error} | ${status} | ${meaning} |`)
  .join('\n');

/** The headers are the tenant API's, but for the realm of challenges. */
function usedHeaders(): Record<string, unknown> {
  const names = [...commonHeaders, 'Retry-After', 'Accept-Encoding'];
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

/** Headers of every response. */
const commonHeaders = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit'];

/** The headers of a response. */
function headersOf(...more: string[]): Record<string, unknown> {
  const names = [...commonHeaders, ...more];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function failure(description: string, ...headers: string[]): object {
  return {
    description,
    headers: headersOf(...headers),
    content: { 'application/json': { schema: reference('Error') } },
  };
}

/** The failures of every operation. */
const failures = {
  401: failure('The token is missing or not valid for this interface.', 'WWW-Authenticate'),
  403: failure('The token or the role does not permit this.', 'WWW-Authenticate'),
  408: failure('The request did not arrive in time.'),
  429: failure('Too many requests.', 'Retry-After'),
  431: failure('The headers are too large.'),
  501: failure('The transfer coding is not supported.'),
  503: failure('The server is overloaded or its database is unreachable.', 'Retry-After'),
};

function describe(operation: PlantOperation): Record<string, unknown> {
  const { pathParameters, queryParameters, success } = operation;
  const parameters = [
    ...pathParameters.map((parameter) => ({ ...parameter, in: 'path', required: true })),
    ...queryParameters.map((parameter) => ({ ...parameter, in: 'query' })),
  ].map(({ name, in: place, description: meaning, required, schema, example }) => ({
    name,
    in: place,
    description: meaning,
    required,
    schema,
    example,
  }));
  const own = Object.entries(operation.failures).map(([status, meaning]) => [
    status,
    // A compressed body (RFC 9110, 15.5.16).
    failure(meaning, ...(status === '415' ? ['Accept-Encoding'] : [])),
  ]);
  return describeOperation(operation, {
    parameters,
    responses: {
      [success.status]: {
        description: success.description,
        headers: headersOf(),
        ...(success.content === null ? {} : { content: { 'application/json': success.content } }),
      },
      ...failures,
      ...Object.fromEntries(own),
    },
  });
}

/** The operation as the document has it, whose server is the sandbox. */
function belowSandbox(operation: PlantOperation): PlantOperation {
  return { ...operation, path: operation.path.replace(/^\/sandbox/, '') };
}

/** Builds the document for a server address. */
export function buildSandboxDocument(serverUrl: string): Record<string, unknown> {
  const { origin } = new URL(serverUrl);
  return {
    openapi: '3.0.1',
    info: {
      title: 'Plant store',
      description: `A sandbox to try tokens and calls with.\n\nErrors are \`{error, message}\`:\n\n| error | status | meaning |\n| --- | --- | --- |\n${catalogue}\n\nAn unexpected error has the status 400 when a plant is created, and 500 otherwise. A request that cannot be read has the same number, with 400, 408, 431 or 501. Temporary failures have 503 and \`Retry-After\`.`,
      contact: { name: 'Documentation of this server', url: `${origin}/docs` },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      version: '1.0.0',
    },
    servers: [describeServer(serverUrl)],
    security: [{ bearerAuth: [] }],
    tags: [{ name: 'Plants', description: 'The plants of the organization.' }],
    paths: describePaths(plantOperations.map(belowSandbox), describe),
    components: {
      securitySchemes: {
        bearerAuth: { type: 'http', scheme: 'bearer', description: 'A token made for the sandbox.' },
      },
      headers: usedHeaders(),
      schemas: {
        ...plantSchemas,
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

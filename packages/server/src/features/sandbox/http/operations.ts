/** The operations of the plant store (interface A). */
import { limits } from '@trellis/schema/resources/limits.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { readContentType } from '../../../kernel/http/content-type.ts';
import type {
  OperationDescription,
  OperationResponse,
  QueryParameter,
  ReceivedRequest,
} from '../../../kernel/http/operation.ts';
import { readParameters } from '../../../kernel/http/parameters.ts';
import { reference, type Schemas } from '../../../kernel/http/schemas.ts';
import type { Requirement } from '../../../kernel/identity/actor.ts';
import type { Credentials } from '../../../kernel/identity/authenticator.ts';
import { SandboxError } from '../errors.ts';
import {
  createPlant,
  deletePlant,
  listPlants,
  plantRequirement,
  readNewPlant,
  readNoBody,
  readPathId,
} from '../plants.ts';

/** A request after authentication. */
interface PlantCall extends ReceivedRequest {
  readonly credentials: Credentials;
}

export interface PlantOperation extends OperationDescription {
  readonly requirement: Requirement;
  readonly success: OperationDescription['success'] & {
    /** Schema and example of its body; null for none. */
    readonly content: { readonly schema: object; readonly example: unknown } | null;
  };
  /** What its failures mean, by status, besides those that every operation has. */
  readonly failures: Readonly<Record<number, string>>;
  readonly handle: (database: Database, call: PlantCall) => Promise<OperationResponse>;
}

const example = { name: 'Monstera', tag: 'indoor' };

/** The schemas of plants, by component. OpenAPI 3.0 has `example` in place of `examples`. */
export const plantSchemas: Schemas = {
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
    example,
  },
  NewPlant: {
    allOf: [
      reference('Plant'),
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
    example: { id: 42, ...example },
  },
};

const limitParameter: QueryParameter = {
  name: 'limit',
  description: `The maximum number of results to return. An organization has ${limits.plants} plants at most.`,
  required: false,
  // A cap, not a page size: any int32 is fine, and there are never more than `limits.plants`.
  schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 2_147_483_647 },
  example: 10,
};

const nothing = Buffer.alloc(0);
const common = { tag: 'Plants', pathParameters: [], queryParameters: [], body: null } as const;

/** All operations. */
export const plantOperations: readonly PlantOperation[] = [
  {
    ...common,
    operationId: 'listPlants',
    method: 'GET',
    path: '/sandbox/plants',
    summary: 'List plants',
    description: 'Returns all plants that the user has access to, in the order in which they were created.',
    requirement: plantRequirement('read'),
    queryParameters: [limitParameter],
    success: {
      status: 200,
      description: 'The plants.',
      content: { schema: { type: 'array', items: reference('Plant') }, example: [example] },
    },
    failures: { 400: 'The query is not valid.', 500: 'An unexpected error.' },
    handle: async (database, { query, credentials }) => {
      const { limit = limits.plants } = readParameters(query, [limitParameter]);
      return respondWithJson(await listPlants(database, credentials, Math.min(Number(limit), limits.plants)));
    },
  },
  {
    ...common,
    operationId: 'createPlant',
    method: 'POST',
    path: '/sandbox/plants',
    summary: 'Create a plant',
    description: 'Creates a plant in the store.',
    requirement: plantRequirement('create'),
    body: {
      description: 'The plant to add to the store.',
      schemaName: 'NewPlant',
      schema: plantSchemas.NewPlant ?? {},
      mediaTypes: ['application/json'],
      example: { id: 9_007_199_254_740, ...example },
    },
    success: {
      status: 200,
      description: 'The created plant, without its id.',
      content: { schema: reference('Plant'), example },
    },
    failures: {
      400: 'Anything else that goes wrong once the caller is known.',
      413: 'The body is too large.',
      415: 'The body is not application/json.',
    },
    handle: async (database, { query, credentials, headers, body = nothing }) => {
      readParameters(query, []);
      requireJson(headers['content-type']);
      return respondWithJson(await createPlant(database, credentials, readNewPlant(body)));
    },
  },
  {
    ...common,
    operationId: 'deletePlant',
    method: 'DELETE',
    path: '/sandbox/plants/{id}',
    summary: 'Delete a plant',
    description: 'Deletes one plant by its id.',
    requirement: plantRequirement('delete'),
    pathParameters: [
      {
        name: 'id',
        resource: null,
        description: 'The id of the plant to delete.',
        schema: { type: 'integer', format: 'int64' },
        example: 42,
      },
    ],
    success: { status: 204, description: 'The plant is deleted.', content: null },
    failures: {
      400: 'The id is not a 64-bit integer, or there is a body other than `{}`.',
      404: 'There is no plant with this id.',
      413: 'There is a body, and it is too large.',
      415: 'There is a body, and it is not application/json.',
      500: 'An unexpected error.',
    },
    handle: async (database, { query, params, credentials, headers, body = nothing }) => {
      readParameters(query, []);
      const id = readPathId(params.id ?? '');
      if (body.length > 0) {
        requireJson(headers['content-type']);
        readNoBody(body);
      }
      await deletePlant(database, credentials, id);
      return { status: 204, headers: {}, body: null };
    },
  },
];

/** @throws SandboxError unsupportedMediaType */
function requireJson(contentType: string | undefined): void {
  const { mediaType, isUtf8 } = readContentType(contentType);
  if (mediaType !== 'application/json' || !isUtf8) throw new SandboxError('unsupportedMediaType');
}

function respondWithJson(value: unknown): OperationResponse {
  return { status: 200, headers: {}, body: JSON.stringify(value) };
}

/** The schemas that belong to no single resource: pages, highlights, problems and the document itself. */
import { problemCatalogue } from '@trellis/schema/problem.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { type JsonSchema, orNull } from '@trellis/schema/validation/body-schemas.ts';
import { maxCursorLength } from '../../pipeline/cursor.ts';
import { visitorSchemas } from '../../visitors/http/schemas.ts';
import { articleVersionSchemas } from './article-version-schemas.ts';
import { eventSchemas } from './event-schemas.ts';
import { invitationSchemas } from './invitation-schemas.ts';
import { meSchemas } from './me-schema.ts';
import { problemExample } from './problem-examples.ts';
import { recordSchemas, reference, type Schemas } from './record-schemas.ts';
import { sessionSchemas } from './session-schemas.ts';
import { tokenSchemas } from './token-schemas.ts';
import { waitingSchemas } from './waiting-schemas.ts';
import { webhookSchemas } from './webhook-schemas.ts';

/** All component schemas, by name. */
export function responseSchemas(origin: string): Schemas {
  return Object.assign(
    {},
    ...resources.map(recordSchemas),
    articleVersionSchemas(),
    eventSchemas(origin),
    waitingSchemas(origin),
    webhookSchemas(),
    meSchemas(),
    tokenSchemas(),
    invitationSchemas(),
    sessionSchemas(),
    {
      PageInfo: pageInfo,
      Highlight: highlight,
      Problem: problemSchema(origin),
      Fault: fault,
      OpenApiDocument: openApiDocument,
      ...visitorSchemas,
    },
  ) as Schemas;
}

const pageInfo: JsonSchema = {
  type: 'object',
  description: 'Where the page ends. `nextCursor: null` is the only sign of the end.',
  properties: {
    nextCursor: orNull({
      type: 'string',
      minLength: 1,
      maxLength: maxCursorLength,
      description: 'Send it as `cursor`, unchanged, for the next page; null on the last one.',
      examples: ['AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA'],
    }),
    hasNextPage: {
      type: 'boolean',
      description:
        'Whether there are more items: the same as `nextCursor` not being null, or as `truncated` where no cursor is offered.',
      examples: [true],
    },
    truncated: {
      type: 'boolean',
      description: 'Only where no cursor is offered: whether there are more results than `limit`.',
      examples: [false],
    },
  },
  required: ['nextCursor', 'hasNextPage'],
  examples: [{ nextCursor: null, hasNextPage: false }],
};

const highlight: JsonSchema = {
  type: 'object',
  description: 'A part of a field around its first match.',
  properties: {
    field: {
      type: 'string',
      description: 'Dotted name of the field.',
      examples: ['versionData.title'],
    },
    snippet: {
      type: 'string',
      description: 'HTML: matches are in `<mark>`, everything else is escaped.',
      examples: ['Trellis 1.0 <mark>released</mark>'],
    },
    page: {
      type: 'integer',
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Page of the document with the snippet; only if the content has pages.',
      examples: [12],
    },
  },
  required: ['field', 'snippet'],
  examples: [{ field: 'versionData.title', snippet: 'Trellis 1.0 <mark>released</mark>' }],
};

const fault: JsonSchema = {
  type: 'object',
  description: 'One fault, located by exactly one of `pointer`, `parameter` and `header`.',
  properties: {
    pointer: {
      type: 'string',
      description: 'Location in the body: a JSON pointer (RFC 6901); empty for the whole body.',
      examples: ['/versionData/title'],
    },
    parameter: { type: 'string', description: 'Name of the query parameter.', examples: ['limit'] },
    header: { type: 'string', description: 'Name of the request header.', examples: ['If-Match'] },
    code: { type: 'string', description: 'Kind of the fault, for programs.', examples: ['required'] },
    detail: {
      type: 'string',
      description: 'What is wrong and what is expected, for people.',
      examples: ['This field is required.'],
    },
  },
  required: ['code', 'detail'],
  examples: [{ pointer: '/versionData/title', code: 'required', detail: 'This field is required.' }],
};

function problemSchema(origin: string): JsonSchema {
  return {
    type: 'object',
    description: 'Problem details (RFC 9457). `code` identifies the error; the page at `type` explains it.',
    properties: {
      type: {
        type: 'string',
        format: 'uri',
        description: 'URL of the page about this code.',
        examples: [`${origin}/docs/errors/validation_failed`],
      },
      title: {
        type: 'string',
        description: 'What happened, the same for every problem with this code.',
        examples: ['The body breaks a rule'],
      },
      status: {
        type: 'integer',
        minimum: 400,
        maximum: 599,
        description: 'The HTTP status.',
        examples: [422],
      },
      detail: {
        type: 'string',
        description: 'What happened this time and how to correct it.',
        examples: ['/versionData/title: This field is required.'],
      },
      instance: {
        type: 'string',
        format: 'uri-reference',
        description: 'Path of the request.',
        examples: ['/v1/sites'],
      },
      code: {
        type: 'string',
        enum: Object.keys(problemCatalogue),
        description: 'Stable name of the error.',
        examples: ['validation_failed'],
      },
      requestId: {
        type: 'string',
        minLength: 1,
        maxLength: limits.requestId,
        description: 'Id of the request, as in `X-Request-Id`.',
        examples: ['01977f2e-8b5a-7c3d-9e10-5d2f8a6b7c90'],
      },
      errors: {
        type: 'array',
        description: 'All faults of the request; may be empty.',
        items: reference('Fault'),
        examples: [[{ pointer: '/versionData/title', code: 'required', detail: 'This field is required.' }]],
      },
      ...additionalMembers,
    },
    required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId', 'errors'],
    examples: [problemExample('validation_failed', origin)],
  };
}

/** Members that only some codes have. */
const additionalMembers: Schemas = {
  position: {
    type: 'integer',
    minimum: 0,
    description: '`malformed_json`: number of characters before the fault.',
    examples: [16],
  },
  line: { type: 'integer', minimum: 1, description: '`malformed_json`: line of the fault.', examples: [1] },
  column: { type: 'integer', minimum: 1, description: '`malformed_json`: its column.', examples: [17] },
  requiredScopes: {
    type: 'array',
    items: { type: 'string' },
    description: '`insufficient_scope`: all scopes that are required.',
    examples: [['articles:write']],
  },
  field: {
    type: 'string',
    description: '`conflict`: dotted name of the field whose value is taken.',
    examples: ['articleData.slug'],
  },
  existingId: {
    type: 'string',
    description: '`conflict`: the record that has the value, if the caller may read it.',
    examples: ['art_01h455vb4pex5vsknk084sn02q'],
  },
  from: { type: 'string', description: '`invalid_transition`: the current status.', examples: ['DRAFT'] },
  to: { type: 'string', description: '`invalid_transition`: the requested status.', examples: ['APPROVED'] },
  allowed: {
    type: 'array',
    items: { type: 'string' },
    description: '`invalid_transition`: the statuses that are possible.',
    examples: [['IN_REVIEW', 'PUBLISHED']],
  },
  usedBy: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        resource: { type: 'string', description: 'The referring resource.', examples: ['articles'] },
        count: { type: 'integer', minimum: 1, description: 'Number of referring records.', examples: [3] },
      },
      required: ['resource', 'count'],
      examples: [{ resource: 'articles', count: 3 }],
    },
    description: '`in_use`: the records that still refer to this one.',
    examples: [[{ resource: 'articles', count: 3 }]],
  },
  recordId: {
    type: 'string',
    description:
      '`not_found`, in the response to a retry: the record that the request wrote, which was deleted since or is not visible to the caller.',
    examples: ['con_01h455vb4pex5vsknk084sn02q'],
  },
  currentVersion: {
    type: 'integer',
    minimum: 1,
    description: '`version_mismatch`: the current version of the record.',
    examples: [4],
  },
};

const openApiDocument: JsonSchema = {
  type: 'object',
  description: 'An OpenAPI 3.1 document.',
  properties: {
    openapi: {
      type: 'string',
      pattern: '^3\\.1\\.\\d+$',
      description: 'Version of OpenAPI.',
      examples: ['3.1.0'],
    },
    info: {
      type: 'object',
      description: 'Title, version, licence and introduction.',
      examples: [{ title: 'Trellis tenant API', version: '0.1.0' }],
    },
    servers: {
      type: 'array',
      items: { type: 'object' },
      description: 'Base URL of the API.',
      examples: [[{ url: '/' }]],
    },
    security: {
      type: 'array',
      items: { type: 'object' },
      description: 'How callers are authenticated.',
      examples: [[{ bearer: [] }]],
    },
    tags: {
      type: 'array',
      items: { type: 'object' },
      description: 'Groups of operations.',
      examples: [[{ name: 'Meta', description: 'About the API itself.' }]],
    },
    paths: {
      type: 'object',
      description: 'Every operation, by path and method.',
      examples: [{ '/v1/openapi': {} }],
    },
    webhooks: {
      type: 'object',
      description: 'Every event that a webhook endpoint can be sent, by type.',
      examples: [{ 'article.published': {} }],
    },
    components: {
      type: 'object',
      description: 'Shared components: schemas, responses, parameters, headers, security schemes.',
      examples: [{ schemas: {} }],
    },
  },
  required: ['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'webhooks', 'components'],
  examples: [
    {
      openapi: '3.1.0',
      info: { title: 'Trellis tenant API', version: '0.1.0' },
      servers: [{ url: '/' }],
      security: [{ bearer: [] }],
      tags: [],
      paths: {},
      webhooks: {},
      components: {},
    },
  ],
};

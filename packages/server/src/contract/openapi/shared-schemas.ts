/** Why: the schemas that belong to no single resource: pages, problems, article versions and the document itself. */
import { problemCatalogue } from '@trellis/schema/problem.ts';
import { articles } from '@trellis/schema/resources/articles.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { type JsonSchema, orNull } from '@trellis/schema/validation/body-schemas.ts';
import { maxCursorLength } from '../../pipeline/cursor.ts';
import { visitorSchemas } from '../../visitors/http/schemas.ts';
import { eventSchemas } from './event-schemas.ts';
import { problemExample } from './problem-examples.ts';
import {
  commonProperties,
  groupSchema,
  idSchema,
  pageSchema,
  recordSchemas,
  reference,
  type Schemas,
} from './record-schemas.ts';
import { webhookSchemas } from './webhook-schemas.ts';

/** Every component schema that an operation may name, and what those refer to. */
export function responseSchemas(origin: string): Schemas {
  return Object.assign(
    {},
    ...resources.map(recordSchemas),
    articleVersionSchemas(),
    eventSchemas(origin),
    webhookSchemas(),
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
        'Whether there is more: the same as `nextCursor` not being null, and `truncated` where no cursor is offered.',
      examples: [true],
    },
    truncated: {
      type: 'boolean',
      description: 'Only where no cursor is offered: whether more was found than `limit` lets through.',
      examples: [false],
    },
  },
  required: ['nextCursor', 'hasNextPage'],
  examples: [{ nextCursor: null, hasNextPage: false }],
};

const highlight: JsonSchema = {
  type: 'object',
  description: 'A piece of a field around its first match.',
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
      description: 'Page of the document that the snippet stands on; only where the content has pages.',
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
      description: 'Where in the body: a JSON pointer (RFC 6901); empty for the whole body.',
      examples: ['/versionData/title'],
    },
    parameter: { type: 'string', description: 'Which query parameter.', examples: ['limit'] },
    header: { type: 'string', description: 'Which request header.', examples: ['If-Match'] },
    code: { type: 'string', description: 'What kind of fault, for programs.', examples: ['required'] },
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
    description: 'Problem details (RFC 9457). `code` tells the error apart; the page at `type` explains it.',
    properties: {
      type: {
        type: 'string',
        format: 'uri',
        description: 'Address of the page about this code.',
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
        description: 'What happened this time and how to mend it.',
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
        description: 'Every single fault of the request; may be empty.',
        items: reference('Fault'),
        examples: [[{ pointer: '/versionData/title', code: 'required', detail: 'This field is required.' }]],
      },
      ...particularMembers,
    },
    required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId', 'errors'],
    examples: [problemExample('validation_failed', origin)],
  };
}

/** Members that only some codes have. */
const particularMembers: Schemas = {
  position: {
    type: 'integer',
    minimum: 0,
    description: '`malformed_json`: characters before the fault.',
    examples: [16],
  },
  line: { type: 'integer', minimum: 1, description: '`malformed_json`: line of the fault.', examples: [1] },
  column: { type: 'integer', minimum: 1, description: '`malformed_json`: its column.', examples: [17] },
  requiredScopes: {
    type: 'array',
    items: { type: 'string' },
    description: '`insufficient_scope`: all scopes that are needed.',
    examples: [['articles:write']],
  },
  field: {
    type: 'string',
    description: '`conflict`: dotted name of the field whose value is taken.',
    examples: ['articleData.slug'],
  },
  existingId: {
    type: 'string',
    description: '`conflict`: the record that has the value, when the caller may read it.',
    examples: ['art_01h455vb4pex5vsknk084sn02q'],
  },
  from: { type: 'string', description: '`invalid_transition`: the status now.', examples: ['DRAFT'] },
  to: { type: 'string', description: '`invalid_transition`: the status asked for.', examples: ['APPROVED'] },
  allowed: {
    type: 'array',
    items: { type: 'string' },
    description: '`invalid_transition`: the statuses that are possible now.',
    examples: [['IN_REVIEW', 'PUBLISHED']],
  },
  usedBy: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        resource: { type: 'string', description: 'What refers to the record.', examples: ['articles'] },
        count: { type: 'integer', minimum: 1, description: 'How many of them.', examples: [3] },
      },
      required: ['resource', 'count'],
      examples: [{ resource: 'articles', count: 3 }],
    },
    description: '`in_use`: what still refers to the record.',
    examples: [[{ resource: 'articles', count: 3 }]],
  },
  recordId: {
    type: 'string',
    description:
      '`not_found`, in the answer to a retry: the record that the request wrote, which was deleted since or is not visible to the caller.',
    examples: ['con_01h455vb4pex5vsknk084sn02q'],
  },
  currentVersion: {
    type: 'integer',
    minimum: 1,
    description: '`version_mismatch`: the version of the record now.',
    examples: [4],
  },
};

function articleVersionSchemas(): Schemas {
  const { createdAt, updatedAt, createdBy, updatedBy } = commonProperties as Record<string, JsonSchema>;
  const properties: Record<string, JsonSchema> = {
    articleId: idSchema(articles.idPrefix, 'The article.'),
    versionNumber: versionNumber('Number of the version, from 1.', 1),
    versionData: groupSchema(articles, 'versionData'),
    ...(createdAt && { createdAt }),
    ...(updatedAt && { updatedAt }),
    ...(createdBy && { createdBy }),
    ...(updatedBy && { updatedBy }),
  };
  const example = Object.fromEntries(
    Object.entries(properties).map(([name, { examples }]) => [name, examples?.[0]]),
  );
  return {
    ArticleVersion: {
      type: 'object',
      description: 'One version of an article.',
      properties,
      required: Object.keys(properties),
      examples: [example],
    },
    ArticleVersionList: pageSchema(
      'One page of versions, newest first.',
      reference('ArticleVersion'),
      [example],
      limits.listPageSize.max,
    ),
    ArticleVersionDifference: articleVersionDifference,
  };
}

const hunkExample = {
  beforeStart: 1,
  beforeLines: 1,
  afterStart: 1,
  afterLines: 1,
  lines: ['-# Hello', '+# Hello, world'],
};

const differenceExample = {
  from: 1,
  to: 2,
  fields: [{ field: 'versionData.title', before: 'Trellis', after: 'Trellis 1.0 released' }],
  body: [hunkExample],
};

const articleVersionDifference: JsonSchema = {
  type: 'object',
  description: 'What differs between two versions of an article.',
  properties: {
    from: versionNumber('Number of the version compared with.', 1),
    to: versionNumber('Number of the version in the path.', 2),
    fields: {
      type: 'array',
      description: 'Every field that differs, but the body.',
      items: {
        type: 'object',
        properties: {
          field: {
            type: 'string',
            description: 'Dotted name of the field.',
            examples: ['versionData.title'],
          },
          before: { description: 'Its value in `from`: any JSON value.', examples: ['Trellis'] },
          after: { description: 'Its value in `to`: any JSON value.', examples: ['Trellis 1.0 released'] },
        },
        required: ['field', 'before', 'after'],
        examples: differenceExample.fields,
      },
      examples: [differenceExample.fields],
    },
    body: {
      type: 'array',
      description: 'The changed places of the body with the lines around them; empty when it is the same.',
      items: {
        type: 'object',
        properties: {
          beforeStart: lineCount('First line in `from`, from 1; the line before when there is none.', 1),
          beforeLines: lineCount('How many lines of `from` it covers.', 1),
          afterStart: lineCount('First line in `to`, from 1; the line before when there is none.', 1),
          afterLines: lineCount('How many lines of `to` it covers.', 1),
          lines: {
            type: 'array',
            items: { type: 'string', minLength: 1 },
            description:
              'Each line with a space (in both), `-` (only in `from`) or `+` (only in `to`) in front.',
            examples: [hunkExample.lines],
          },
        },
        required: ['beforeStart', 'beforeLines', 'afterStart', 'afterLines', 'lines'],
        examples: [hunkExample],
      },
      examples: [differenceExample.body],
    },
  },
  required: ['from', 'to', 'fields', 'body'],
  examples: [differenceExample],
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
      description: 'Where the API is.',
      examples: [[{ url: '/' }]],
    },
    security: {
      type: 'array',
      items: { type: 'object' },
      description: 'How callers are told.',
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
      description: 'What operations refer to: schemas, responses, parameters, headers, security schemes.',
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

function versionNumber(description: string, example: number): JsonSchema {
  return { type: 'integer', minimum: 1, maximum: 2_147_483_647, description, examples: [example] };
}

function lineCount(description: string, example: number): JsonSchema {
  return { type: 'integer', minimum: 0, description, examples: [example] };
}

/** The schemas that belong to no single resource: pages, highlights, problems and the document itself. */
import { problemCatalogue } from '@trellis/schema/problem.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { type JsonSchema, orNull } from '@trellis/schema/validation/body-schemas.ts';
import {
  boundedText,
  exampleId,
  flag,
  foreign,
  int32Max,
  integer,
  list,
  object,
  oneOf,
  optional,
  reference,
  type Schemas,
  seenFlag,
  text,
} from '../../http/schemas.ts';
import { maxCursorLength } from '../../pipeline/cursor.ts';
import type { FeatureDocuments } from '../feature-documents.ts';
import { batchSchemas } from './batch-schemas.ts';
import { historySchemas } from './history-schemas.ts';
import { problemExample } from './problem-examples.ts';
import { recordSchemas } from './record-schemas.ts';

/** All component schemas, by name: those of resources, those that belong to none, and those of features. */
export function responseSchemas(features: readonly FeatureDocuments[], origin: string): Schemas {
  return Object.assign(
    {},
    ...resources.map(recordSchemas),
    historySchemas,
    batchSchemas(origin),
    ...features.map(({ schemas }) => schemas?.(origin)),
    {
      PageInfo: pageInfo,
      Counts: counts,
      Highlight: highlight,
      Problem: problemSchema(origin),
      Fault: fault,
      OpenApiDocument: openApiDocument,
    },
  ) as Schemas;
}

const pageInfo = object(
  'Where the page ends. `nextCursor: null` is the only sign of the end.',
  {
    nextCursor: orNull(
      boundedText(
        'Send it as `cursor`, unchanged, for the next page; null on the last one.',
        'AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA',
        maxCursorLength,
      ),
    ),
    hasNextPage: flag(
      'Whether there are more items: the same as `nextCursor` not being null, or as `truncated` where no cursor is offered.',
      true,
    ),
    truncated: optional(
      flag('Only where no cursor is offered: whether there are more results than `limit`.', false),
    ),
  },
  { nextCursor: null, hasNextPage: false },
);

const valueCount = object(
  'How many records have a value.',
  {
    value: orNull(text('The value; null for records without one.', 'DRAFT')),
    count: integer('How many records have it; at least so many, if the count is not exact.', 12, {
      minimum: 0,
      maximum: limits.countPerValue,
    }),
    isExact: flag('Whether there are exactly so many.', true),
  },
  { value: 'DRAFT', count: 12, isExact: true },
);

/** Values of a choice, and none. */
const mostValues = 100;

const counts = object('How many records have each value of a field.', {
  items: list(
    'Each value of the field in the order of its filter, and null last if the field may be empty.',
    valueCount,
    { maxItems: mostValues },
    [{ value: 'DRAFT', count: 12, isExact: true }],
  ),
});

const highlight = object('A part of a field around its first match.', {
  field: text('Dotted name of the field.', 'versionData.title'),
  snippet: text(
    'HTML: matches are in `<mark>`, everything else is escaped.',
    'Trellis 1.0 <mark>released</mark>',
  ),
  page: optional(
    integer('Page of the document with the snippet; only if the content has pages.', 12, {
      minimum: 1,
      maximum: int32Max,
    }),
  ),
});

const faultExample = {
  pointer: '/versionData/title',
  code: 'required',
  detail: 'This field is required.',
};

const fault = object(
  'One fault, located by exactly one of `pointer`, `parameter` and `header`.',
  {
    pointer: optional(
      text(
        'Location in the body: a JSON pointer (RFC 6901); empty for the whole body.',
        faultExample.pointer,
      ),
    ),
    parameter: optional(text('Name of the query parameter.', 'limit')),
    header: optional(text('Name of the request header.', 'If-Match')),
    code: text('Kind of the fault, for programs.', faultExample.code),
    detail: text('What is wrong and what is expected, as a sentence.', faultExample.detail),
  },
  faultExample,
);

function problemSchema(origin: string): JsonSchema {
  return object(
    'Problem details (RFC 9457). `code` identifies the error; the page at `type` explains it.',
    {
      type: text('URL of the page about this code.', `${origin}/docs/errors/validation_failed`, {
        format: 'uri',
      }),
      title: text('What happened, the same for every problem with this code.', 'The body breaks a rule'),
      status: integer('The HTTP status.', 422, { minimum: 400, maximum: 599 }),
      detail: text(
        'What happened this time and how to correct it.',
        '/versionData/title: This field is required.',
      ),
      instance: text('Path of the request.', '/v1/sites', { format: 'uri-reference' }),
      code: oneOf('Stable name of the error.', 'validation_failed', Object.keys(problemCatalogue)),
      requestId: boundedText(
        'Id of the request, as in `X-Request-Id`.',
        '01977f2e-8b5a-7c3d-9e10-5d2f8a6b7c90',
        limits.requestId,
      ),
      errors: list('All faults of the request; may be empty.', reference('Fault'), {}, [faultExample]),
      ...Object.fromEntries(
        Object.entries(additionalMembers).map(([name, schema]) => [name, optional(schema)]),
      ),
    },
    problemExample('validation_failed', origin),
  );
}

/** Members that only some codes have. */
const additionalMembers: Schemas = {
  position: integer('`malformed_json`: number of characters before the fault.', 16, { minimum: 0 }),
  line: integer('`malformed_json`: line of the fault.', 1, { minimum: 1 }),
  column: integer('`malformed_json`: its column.', 17, { minimum: 1 }),
  item: integer('Of an atomic batch: the index of the item that was refused.', 3, {
    minimum: 0,
    maximum: 99,
  }),
  requiredScopes: {
    type: 'array',
    items: { type: 'string' },
    description: '`insufficient_scope`: all scopes that are required.',
    examples: [['articles:write']],
  },
  field: text('`conflict`: dotted name of the field whose value is taken.', 'articleData.slug'),
  existingId: text('`conflict`: the record that has the value, if the caller may read it.', exampleId('art')),
  existingIds: {
    type: 'array',
    items: { type: 'string' },
    description: '`ambiguous_match`: the records that match, if the caller may read them.',
    examples: [[exampleId('con')]],
  },
  from: text('`invalid_transition`: the current status.', 'DRAFT'),
  to: text('`invalid_transition`: the requested status.', 'APPROVED'),
  allowed: {
    type: 'array',
    items: { type: 'string' },
    description: '`invalid_transition`: the statuses that are possible.',
    examples: [['IN_REVIEW', 'PUBLISHED']],
  },
  usedBy: {
    type: 'array',
    items: object(null, {
      resource: text('The referring resource.', 'articles'),
      count: integer('Number of referring records.', 3, { minimum: 1 }),
    }),
    description: '`in_use`: the records that still refer to this one.',
    examples: [[{ resource: 'articles', count: 3 }]],
  },
  uses: {
    type: 'array',
    items: object(null, {
      type: text('Kind of the record.', 'article'),
      id: text('Id of the record.', exampleId('art')),
      path: text('Its path below the address of the server.', '/v1/books/book_01h455vb4pex5vsknk084sn02q', {
        format: 'uri-reference',
      }),
      title: text('Its title; may be empty.', 'The orchard'),
      published: seenFlag,
    }),
    description:
      '`in_use`: the records that still refer to this one and that the caller may read, up to 10 of each kind, those changed last first.',
    examples: [
      [
        {
          type: 'article',
          id: exampleId('art'),
          path: `/v1/sites/${exampleId('site')}/articles/${exampleId('art')}`,
          title: 'The orchard',
          published: true,
        },
      ],
    ],
  },
  recordId: text(
    '`not_found`, in the response to a retry: the record that the request wrote, which was deleted since or is not visible to the caller.',
    exampleId('con'),
  ),
  currentVersion: integer('`version_mismatch`: the current version of the record.', 4, { minimum: 1 }),
};

/** A list of objects that are described elsewhere. */
function foreignList(description: string, example: object): JsonSchema {
  return { type: 'array', items: { type: 'object' }, description, examples: [[example]] };
}

const openApiDocument = object(
  'An OpenAPI 3.1 document.',
  {
    openapi: text('Version of OpenAPI.', '3.1.0', { pattern: '^3\\.1\\.\\d+$' }),
    info: foreign('Title, version, licence and introduction.', {
      title: 'Trellis tenant API',
      version: '0.1.0',
    }),
    servers: foreignList('Base URL of the API.', { url: '/' }),
    security: foreignList('How callers are authenticated.', { bearer: [] }),
    tags: foreignList('Groups of operations.', { name: 'Meta', description: 'About the API itself.' }),
    paths: foreign('Every operation, by path and method.', { '/v1/openapi': {} }),
    webhooks: foreign('Every event that a webhook endpoint can be sent, by type.', {
      'article.published': {},
    }),
    components: foreign('Shared components: schemas, responses, parameters, headers, security schemes.', {
      schemas: {},
    }),
  },
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
);

/** The responses of operations in the OpenAPI document: every status and every code that an operation can return. */
import { type ProblemCode, problemCatalogue } from '@trellis/schema/problem.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { isWrite, type Operation } from '../../http/operation.ts';
import { reference } from '../../http/schemas.ts';
import { problemExample } from './problem-examples.ts';

/** Component names of the responses with a problem, by status. */
const responseNames: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  408: 'RequestTimeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'PreconditionFailed',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  416: 'RangeNotSatisfiable',
  417: 'ExpectationFailed',
  422: 'UnprocessableContent',
  429: 'TooManyRequests',
  431: 'RequestHeaderFieldsTooLarge',
  500: 'InternalServerError',
  501: 'NotImplemented',
  503: 'ServiceUnavailable',
};

const codes = Object.keys(problemCatalogue) as ProblemCode[];

/** Headers of responses with the content of a file. */
const contentHeaders = [
  'Accept-Ranges',
  'Content-Disposition',
  'X-Content-Type-Options',
  'Content-Security-Policy',
];
/** The content of a file in examples. */
export const textFile = '# Travel policy\n\nTrains before planes.\n';

/** Bytes: `format` is what code generators know, although OpenAPI 3.1 would do without. */
export function bytes(description: string): JsonSchema {
  return { type: 'string', format: 'binary', description, examples: [textFile] };
}

/** Bytes of any type. */
const anyContent = { '*/*': { schema: bytes('The content.'), example: textFile } };

const eventStream = {
  'text/event-stream': {
    schema: {
      type: 'string',
      description: 'Events as server-sent events; `data` is an Event in JSON.',
      examples: [': connected\n\n'],
    },
  },
};

/** Every code that the operation can return, in the order of the catalogue. */
function problemsOf(operation: Operation): ProblemCode[] {
  const { scopes, module, permission } = operation.requirement;
  const possible = new Set<ProblemCode>([
    'malformed_request',
    'request_timeout',
    'headers_too_large',
    'unsupported_transfer_coding',
    'expectation_failed',
    'unknown_parameter',
    'invalid_header',
    'token_missing',
    'token_invalid',
    'insufficient_user_authentication',
    'cross_site_request',
    'wrong_user',
    'organization_suspended',
    'rate_limited',
    'internal_error',
    'overloaded',
    'database_unavailable',
    ...operation.problems,
  ]);
  if (operation.queryParameters.length > 0) possible.add('invalid_parameter');
  if (scopes.length > 0) possible.add('insufficient_scope');
  if (module !== null) possible.add('module_disabled');
  if (permission !== null) possible.add('permission_denied');
  if (operation.pathParameters.length > 0) possible.add('not_found');
  // Everything checks `If-Match` (RFC 9110, 13.1.1), also where nothing has a tag, except a stream, which has no beginning.
  if (operation.success.isEventStream !== true) possible.add('version_mismatch');
  if (isWrite(operation)) {
    // A body is also read if the operation takes none.
    if (operation.acceptsContent !== true) possible.add('malformed_json');
    if (operation.acceptsContent !== true && operation.body === null) possible.add('unknown_field');
    possible.add('idempotency_key_required').add('idempotency_key_invalid');
    possible.add('idempotency_in_progress').add('idempotency_key_reused');
    // The size and type of a body are checked for every method that can have one.
    possible.add('body_too_large').add('unsupported_media_type');
  }
  return codes.filter((code) => possible.has(code));
}

/** All responses of an operation by status. */
export function responsesOf(operation: Operation, operations: readonly Operation[]): Record<string, unknown> {
  const responses: Record<string, unknown> = { [operation.success.status]: success(operation, operations) };
  const { changed } = operation.success;
  if (changed !== undefined) {
    const headers = operation.success.headers.filter((name) => name !== 'Location');
    const of = {
      ...operation,
      success: { ...operation.success, status: 200, description: changed, headers },
    } as const;
    responses['200'] = success(of, operations);
  }
  if (operation.success.isContent) {
    responses['206'] = {
      description: 'The part of the content that `Range` requested.',
      headers: headersOf([...operation.success.headers, ...contentHeaders, 'Content-Range']),
      content: anyContent,
    };
  }
  if (operation.conditional) {
    responses['304'] = { description: 'Your copy is current.', headers: headersOf(['ETag']) };
  }
  return { ...responses, ...problemResponses(problemsOf(operation)) };
}

/** The responses with these codes by status, as references to the components. */
export function problemResponses(possible: readonly ProblemCode[]): Record<string, unknown> {
  const statuses = new Set(possible.map((code) => problemCatalogue[code].status));
  return Object.fromEntries(
    [...statuses].map((status) => {
      const here = possible.filter((code) => problemCatalogue[code].status === status);
      const $ref = `#/components/responses/${responseName(status)}`;
      return [status, { $ref, description: describeCodes(here) }];
    }),
  );
}

/** The responses with a problem, one for each status, with an example of every code. */
export function responseComponents(origin: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(responseNames).map(([key, name]) => {
      const status = Number(key);
      const here = codes.filter((code) => problemCatalogue[code].status === status);
      const examples = here.map((code) => [
        code,
        { summary: problemCatalogue[code].title, value: problemExample(code, origin) },
      ]);
      return [
        name,
        {
          description: describeCodes(here),
          headers: {
            ...headersOf(problemHeaders(status)),
            ...(status === 412 ? { ETag: { $ref: '#/components/headers/PresentETag' } } : {}),
          },
          content: {
            'application/problem+json': {
              schema: reference('Problem'),
              examples: Object.fromEntries(examples),
            },
          },
        },
      ];
    }),
  );
}

/** Response headers as components. */
export function headerComponents(): Record<string, unknown> {
  const text = (description: string, example: string, always: boolean) => ({
    description,
    ...(always ? { required: true } : {}),
    schema: { type: 'string' },
    example,
  });
  return {
    'X-Request-Id': text(
      'Id of the request: the one you sent, or a new one.',
      '01977f2e-8b5a-7c3d-9e10-5d2f8a6b7c90',
      true,
    ),
    ETag: text('Entity tag of the response, for `If-Match` and `If-None-Match`.', '"1"', true),
    PresentETag: text('The present entity tag, where there is one.', '"4"', false),
    Location: text(
      'Path of the record.',
      '/v1/sites/site_01h455vb4pex5vsknk084sn02q/tags/tag_01h455vb4pex5vsknk084sn02q',
      true,
    ),
    'Idempotent-Replayed': text(
      '`true` if the request was carried out earlier with the same key, and not again.',
      'true',
      false,
    ),
    'Preference-Applied': text('The preference that was applied.', 'return=minimal', false),
    'Trellis-Read-After': text(
      'Where the installation has replicas: the value of `Trellis-Read-After` with which reads see this write, for the next three seconds.',
      'now',
      false,
    ),
    'RateLimit-Policy': text(
      'The limits: `q` requests in `w` seconds. Absent if there is no limit.',
      '"token";q=30000;w=60, "organization";q=120000;w=60',
      false,
    ),
    RateLimit: text(
      'The remaining quota: `r` requests; the full quota is available again in `t` seconds.',
      '"token";r=29999;t=1, "organization";r=119999;t=1',
      false,
    ),
    'Accept-Patch': text(
      'After a PATCH: the media types that it takes.',
      'application/merge-patch+json, application/json',
      false,
    ),
    'Accept-Post': text('After a POST: the media types that it takes.', 'application/json', false),
    Accept: text(
      'After another method: the media types that it takes.',
      'multipart/form-data, application/octet-stream',
      false,
    ),
    'Accept-Encoding': text('The content codings of a body: none but `identity`.', 'identity', false),
    'X-Accel-Buffering': text('Tells proxies not to buffer events.', 'no', true),
    'Accept-Ranges': text('Parts of the content can be requested.', 'bytes', true),
    'Content-Disposition': text(
      'Tells browsers to save the content, with its file name (RFC 6266).',
      'attachment; filename="policy.pdf"; filename*=UTF-8\'\'policy.pdf',
      true,
    ),
    'X-Content-Type-Options': text('Tells browsers not to guess the type.', 'nosniff', true),
    'Content-Security-Policy': text(
      'Tells browsers to run nothing in the content.',
      "sandbox; default-src 'none'; frame-ancestors 'none'",
      true,
    ),
    'Content-Range': text(
      'The range of the bytes and the length of the content (RFC 9110, 14.4).',
      'bytes 0-1023/48213',
      true,
    ),
    'Retry-After': {
      description: 'Seconds to wait before retrying.',
      schema: { type: 'integer', minimum: 1 },
      example: 1,
    },
    'WWW-Authenticate': text(
      'The required scopes (RFC 6750), and the URL of the metadata (RFC 9728).',
      'Bearer realm="trellis", resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/v1"',
      false,
    ),
  };
}

function success(operation: Operation, operations: readonly Operation[]): Record<string, unknown> {
  const { status, description, schemaName, headers } = operation.success;
  const read = status === 201 ? readOperation(operation, operations) : undefined;
  return {
    description: `${description}${headers.includes('Preference-Applied') ? minimalNote(status) : ''}`,
    headers: headersOf([
      ...headers,
      ...(operation.success.isContent ? contentHeaders : []),
      ...(operation.success.isEventStream ? ['X-Accel-Buffering'] : []),
      ...(isWrite(operation) ? ['Preference-Applied', 'Trellis-Read-After'] : []),
    ]),
    ...(operation.success.isContent ? { content: anyContent } : {}),
    ...(operation.success.isEventStream ? { content: eventStream } : {}),
    ...(schemaName === null ? {} : { content: { 'application/json': { schema: reference(schemaName) } } }),
    ...(read === undefined ? {} : { links: linkTo(read) }),
  };
}

/** A second success would make the type of the response a choice in every generated client, so it is described only. */
function minimalNote(status: number): string {
  return status === 201
    ? ' With `Prefer: return=minimal` the body is empty.'
    : ' With `Prefer: return=minimal` the response is 204 instead, without a body and with the same headers and `Location`.';
}

function readOperation(create: Operation, operations: readonly Operation[]): Operation | undefined {
  return operations.find(({ method, path }) => method === 'GET' && path === `${create.path}/{id}`);
}

function linkTo(read: Operation): Record<string, unknown> {
  const parameters = read.pathParameters.map(({ name }) => [
    name,
    name === 'id' ? '$response.body#/id' : `$request.path.${name}`,
  ]);
  return {
    [read.operationId]: {
      operationId: read.operationId,
      description: 'Reads the record; `Location` is the same address.',
      parameters: Object.fromEntries(parameters),
    },
  };
}

/** Headers of a response, with those that every response has. */
export function headersOf(names: readonly string[]): Record<string, unknown> {
  const all = [...new Set(['X-Request-Id', ...names, 'RateLimit-Policy', 'RateLimit'])];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function problemHeaders(status: number): string[] {
  switch (status) {
    case 401:
    case 403:
      return ['WWW-Authenticate'];
    case 404:
      return ['Idempotent-Replayed'];
    case 409:
    case 429:
    case 503:
      return ['Retry-After'];
    case 415:
      return ['Accept-Patch', 'Accept-Post', 'Accept', 'Accept-Encoding'];
    case 416:
      return ['Content-Range'];
    default:
      return [];
  }
}

function responseName(status: number): string {
  const name = responseNames[status];
  if (name === undefined) throw new Error(`no response is named for the status ${status}`);
  return name;
}

function describeCodes(here: readonly ProblemCode[]): string {
  return here.map((code) => `\`${code}\`: ${problemCatalogue[code].title}.`).join('\n\n');
}

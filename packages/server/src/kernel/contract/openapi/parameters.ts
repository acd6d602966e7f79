/** The parameters of operations in the OpenAPI document. Header parameters are shared, and therefore components. */

import { limits } from '@trellis/schema/resources/limits.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { isWrite, type Operation } from '../../http/operation.ts';
import { maxCursorLength } from '../../pipeline/cursor.ts';
import { pathParametersOf } from './describe-operation.ts';
import { requestSchema } from './field-schemas.ts';

interface HeaderParameter {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example: string;
}

const entityTags = '^(\\*|[\\s,]*(W/)?"[^"]*"(\\s*,\\s*((W/)?"[^"]*")?)*)$';

const headerParameters: Readonly<Record<string, HeaderParameter>> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    required: true,
    description:
      'A new random value for each intended write, and the same value for its retries: the write is carried out once, and a retry returns the same response. The quoted form of a structured field string is the same key. A retry of a write whose record was deleted since returns 404 with `recordId`, without carrying it out again. A record is rendered again as it was then, byte for byte; only where more than 10,000 changes were made since, or very large ones, it is returned as it is, with its current ETag.',
    schema: {
      type: 'string',
      minLength: limits.idempotencyKey.min,
      maxLength: limits.idempotencyKey.max,
      pattern: '^[!#-~]+$',
    },
    example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
  },
  IfMatch: {
    name: 'If-Match',
    required: false,
    description:
      'The ETag of the version that the request is about, such as the one that a change is based on. If there is another version now, nothing changes and the response is 412.',
    schema: { type: 'string', pattern: entityTags },
    example: '"3"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    required: false,
    description: 'The ETag of your copy. If it is current, the response is 304 without a body.',
    schema: { type: 'string', pattern: entityTags },
    example: '"3"',
  },
  LastEventId: {
    name: 'Last-Event-ID',
    required: false,
    description:
      'The last `id` received: the stream continues after it. Browsers send it automatically when they reconnect. It takes precedence over `cursor`.',
    schema: { type: 'string', minLength: 1, maxLength: maxCursorLength },
    example: 'AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA',
  },
  ContentDigest: {
    name: 'Content-Digest',
    required: false,
    description:
      'Digests of the body (RFC 9530), of which `sha-256` and `sha-512` are checked. If the received bytes have another digest, nothing changes and the response is 400 `digest_mismatch`. `Repr-Digest` is checked as well.',
    schema: { type: 'string', minLength: 1 },
    example: 'sha-256=:RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=:',
  },
  Prefer: {
    name: 'Prefer',
    required: false,
    description:
      '`return=minimal`: the response has no body, only headers such as `Location` and `ETag` (RFC 7240). Its status is 201 where a record was created, and otherwise 204, which the responses below do not list.',
    schema: { type: 'string', enum: ['return=minimal', 'return=representation'] },
    example: 'return=minimal',
  },
  Range: {
    name: 'Range',
    required: false,
    description:
      'The requested part of the content, in bytes. A request for several parts returns the whole content.',
    schema: { type: 'string', pattern: '^bytes=[0-9, -]+$' },
    example: 'bytes=0-1023',
  },
  IfRange: {
    name: 'If-Range',
    required: false,
    description:
      'The ETag of the content that the requested part belongs to. If the content has changed, the whole content is returned.',
    schema: { type: 'string' },
    example: '"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"',
  },
  ReadAfter: {
    name: 'Trellis-Read-After',
    required: false,
    description:
      'What the read must see where the installation has replicas: values of this header in responses of writes, separated by commas, of the last three seconds; `none` if there are none; `now` for everything that was committed before. Rows may otherwise be two seconds old. Without the header, a token with a scope to change something reads everything that was committed before. A value that the server does not know means `now`.',
    schema: { type: 'string', maxLength: 8_192 },
    example: 'none',
  },
  RequestId: {
    name: 'X-Request-Id',
    required: false,
    description: 'Your id of the request, which is repeated in the response and in the log.',
    schema: { type: 'string', minLength: 1, maxLength: limits.requestId, pattern: '^[!-~]+$' },
    example: '01977f2e-8b5a-7c3d-9e10-5d2f8a6b7c90',
  },
};

/** The header parameters as components. */
export function parameterComponents(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headerParameters).map(([component, parameter]) => [
      component,
      { ...parameter, in: 'header' },
    ]),
  );
}

/** All parameters of an operation: path, query, headers. */
export function parametersOf(operation: Operation): Record<string, unknown>[] {
  const query = operation.queryParameters.map(({ name, description, required, schema, example }) => ({
    name,
    in: 'query',
    // Several values are separated by commas, unless they may have some.
    ...(schema.type === 'array' ? { style: 'form', explode: schema['x-repeated'] === true } : {}),
    required,
    description,
    schema: {
      ...requestSchema(schema),
      ...(schema.default === undefined ? {} : { default: schema.default }),
    },
    example,
  }));
  const headers = [
    ...(isWrite(operation) ? ['IdempotencyKey'] : []),
    ...(operation.problems.includes('version_mismatch') || operation.conditional ? ['IfMatch'] : []),
    ...(operation.conditional ? ['IfNoneMatch'] : []),
    ...(operation.acceptsContent ? ['ContentDigest'] : []),
    ...(operation.success.isEventStream ? ['LastEventId'] : []),
    ...(operation.success.isContent ? ['Range', 'IfRange'] : []),
    ...(isWrite(operation) ? ['Prefer'] : ['ReadAfter']),
    'RequestId',
  ].map((component) => ({ $ref: `#/components/parameters/${component}` }));
  return [...pathParametersOf(operation), ...query, ...headers];
}

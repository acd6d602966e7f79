/**
 * The identify call as an operation, and in the tenant API's document. It differs from other operations: browsers call it with a
 * publishable key, without a token and Idempotency-Key.
 */
import type { ProblemCode } from '@trellis/schema/problem.ts';
import { describeOperation } from '../../../kernel/contract/openapi/describe-operation.ts';
import { headersOf, problemResponses } from '../../../kernel/contract/openapi/responses.ts';
import type { OperationDescription } from '../../../kernel/http/operation.ts';
import { reference } from '../../../kernel/http/schemas.ts';
import { identificationName, identifyBody } from './schemas.ts';

/** Every code that the call can return. */
const problems: readonly ProblemCode[] = [
  'malformed_json',
  'unknown_parameter',
  'token_missing',
  'token_invalid',
  'module_disabled',
  'organization_suspended',
  'origin_not_allowed',
  'body_too_large',
  'unsupported_media_type',
  'validation_failed',
  'unknown_field',
  'rate_limited',
  'internal_error',
  'overloaded',
  'database_unavailable',
];

const example = {
  agentVersion: '1.0.0',
  signals: {
    screenWidth: 1920,
    screenHeight: 1080,
    timezone: 'Europe/Berlin',
    languages: ['de-DE', 'de', 'en'],
  },
  consent: 'GRANTED',
  page: { origin: 'https://www.example.com', path: '/pricing' },
};

/** The operation. */
export const identifyOperation = {
  operationId: 'identifyVisitor',
  method: 'POST',
  path: '/v1/visitors/identify',
  tag: 'Visitors',
  summary: 'Identify a visitor',
  description:
    'Recognizes the visitor that uses a browser. The script `/agent.js` makes this call from a page; browsers allow it on the origins of the key only. With `Sec-GPC: 1` or the consent `DENIED` the visitor is a new one, which is deleted after 24 hours, and `storedToken` is null. Calls are limited by key and by network. The call can be repeated without an Idempotency-Key.',
  pathParameters: [],
  queryParameters: [],
  body: {
    schemaName: 'VisitorIdentificationCreate',
    schema: identifyBody,
    mediaTypes: ['application/json'],
    example,
  },
  success: { status: 200, description: 'The recognized visitor.' },
} as const satisfies OperationDescription;

/** The security scheme of the identify call: the publishable key of the site. */
export const publishableKeyScheme = {
  type: 'apiKey',
  in: 'header',
  name: 'X-Client-Key',
  description:
    'A publishable key, `trl_pk_…`: public, bound to one organization, one site and a list of origins, and accepted by this operation only. `trellis client create … --kind BROWSER` creates one.',
};

const headers = [
  {
    name: 'Origin',
    in: 'header',
    required: true,
    description: 'Origin of the page; browsers send it automatically.',
    schema: { type: 'string', maxLength: 267 },
    example: 'https://www.example.com',
  },
  {
    name: 'Sec-GPC',
    in: 'header',
    required: false,
    description:
      'Global Privacy Control: with `1` the visitor is not recognized. Browsers send it automatically.',
    schema: { type: 'string', maxLength: 8 },
    example: '1',
  },
];

/** The operation in the document. */
export function describeIdentify(operation: typeof identifyOperation): Record<string, unknown> {
  const { success } = operation;
  return describeOperation(operation, {
    needs: 'Requires the publishable key of an active client, and the module `visitors`.',
    members: { security: [{ publishableKey: [] }] },
    parameters: [...headers, { $ref: '#/components/parameters/RequestId' }],
    responses: {
      [success.status]: {
        description: success.description,
        headers: headersOf([]),
        content: { 'application/json': { schema: reference(identificationName) } },
      },
      ...problemResponses(problems),
    },
  });
}

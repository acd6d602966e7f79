/** The OpenAPI 3.1 document of the operations below `/auth`, made from the list that is registered. */
import type { ProblemCode } from '@trellis/schema/problem.ts';
import { draftScopes } from '@trellis/schema/rights/scopes.ts';
import packageFile from '../../../../../../package.json' with { type: 'json' };
import {
  describeBodies,
  describeOperation,
  describePaths,
  describeServer,
  pathParametersOf,
} from '../../../kernel/contract/openapi/describe-operation.ts';
import {
  headerComponents,
  headersOf,
  problemResponses,
  responseComponents,
} from '../../../kernel/contract/openapi/responses.ts';
import { responseSchemas } from '../../../kernel/contract/openapi/shared-schemas.ts';
import { keepUsed } from '../../../kernel/contract/openapi/used-components.ts';
import { exampleId, reference } from '../../../kernel/http/schemas.ts';
import { userHeader } from '../../../kernel/identity/browser-requests.ts';
import type { SessionCookie } from '../../../kernel/identity/session-cookie.ts';
import type { AuthOperation } from './operation.ts';
import { responses } from './schemas.ts';

/** Codes that every operation can return. */
const commonProblems: readonly ProblemCode[] = [
  'malformed_request',
  'unknown_parameter',
  'invalid_header',
  'cross_site_request',
  'request_timeout',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unsupported_transfer_coding',
  'expectation_failed',
  'overloaded',
  'database_unavailable',
];

const tags = [
  { name: 'Sign-in', description: 'Proving an identity and opening a session.' },
  { name: 'Invitations', description: 'Accepting invitations.' },
  { name: 'Session', description: 'The current session and its organizations.' },
  { name: 'Factors', description: 'The means that people sign in with.' },
];

/** Builds the document. */
export function buildSignInDocument(
  operations: readonly AuthOperation[],
  cookie: SessionCookie,
): Record<string, unknown> {
  const origin = cookie.origin();
  const paths = describePaths(operations, describe);
  const components = {
    schemas: { ...responseSchemas([], origin), ...describeBodies(operations), ...responses },
    responses: responseComponents(origin),
    headers: { ...headerComponents(), 'Set-Cookie': setCookie(cookie) },
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trellis sign-in',
      version: packageFile.version,
      summary: 'How pages of this server sign people in.',
      description: `For pages of the same origin: requests from elsewhere are refused, and programs use bearer tokens. A session is the cookie; after \`POST /auth/organizations/{organizationId}/enter\` the cookie opens the tenant API for requests with the headers \`Trellis-Organization\` and \`Trellis-User\`. With \`Trellis-Session-Scopes: drafts\` a request has only the scopes ${draftScopes.map((scope) => `\`${scope}\``).join(' and ')}, so it cannot publish.`,
      contact: { name: 'Documentation of this server', url: `${origin}/docs` },
      license: { name: 'Apache License 2.0', identifier: packageFile.license },
    },
    servers: [describeServer(origin)],
    tags,
    paths,
    components: {
      ...keepUsed(components, { paths, webhooks: {} }),
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: cookie.name(),
          description: 'The cookie of a session.',
        },
      },
    },
  };
}

function setCookie(cookie: SessionCookie): Record<string, unknown> {
  return {
    description: 'The session, or its end.',
    schema: { type: 'string' },
    example: `${cookie.name()}=…; Path=/; HttpOnly; Secure; SameSite=Strict`,
  };
}

function describe(operation: AuthOperation): Record<string, unknown> {
  const { access, success } = operation;
  const inPath = pathParametersOf(operation);
  return describeOperation(operation, {
    needs: needs[access],
    members: { security: access === 'anyone' ? [] : [{ session: [] }] },
    parameters: namesUser(operation) ? [...inPath, expectedUser] : inPath,
    responses: {
      [success.status]: {
        description: success.description,
        headers: headersOf(['Set-Cookie']),
        ...(success.schemaName === null
          ? {}
          : { content: { 'application/json': { schema: reference(success.schemaName) } } }),
      },
      ...problemResponses(problemsOf(operation)),
    },
  });
}

const expectedUser = {
  name: userHeader,
  in: 'header',
  required: true,
  description:
    'Id of the user that the request is for. It is refused if the session belongs to another user.',
  schema: { type: 'string', maxLength: 64 },
  example: exampleId('user'),
};

/** Whether a request must name its user, who must be the user of the session. */
function namesUser({ access, tellsUser }: AuthOperation): boolean {
  return access !== 'anyone' && tellsUser !== true;
}

const needs = {
  anyone: 'Requires no session.',
  session: 'Requires a session.',
  recent: 'Requires a session with a sign-in within the last 15 minutes.',
  newFactor:
    'Requires a session with a sign-in within the last 2 minutes if there is a factor, otherwise within the last 15 minutes.',
} as const;

/** Every code that the operation can return. */
function problemsOf(operation: AuthOperation): ProblemCode[] {
  const { method, access, body, problems } = operation;
  const possible = new Set<ProblemCode>([...commonProblems, ...problems]);
  if (access !== 'anyone') possible.add('session_invalid');
  if (namesUser(operation)) possible.add('wrong_user');
  if (access !== 'anyone' && access !== 'session') possible.add('insufficient_user_authentication');
  if (method !== 'GET') {
    for (const code of [
      'malformed_json',
      'body_too_large',
      'unsupported_media_type',
      'unknown_field',
    ] as const) {
      possible.add(code);
    }
  }
  if (body !== null) possible.add('validation_failed');
  return [...possible];
}

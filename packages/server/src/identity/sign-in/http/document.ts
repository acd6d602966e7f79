/** The OpenAPI 3.1 document of the routes below `/auth`, made from the list of routes that are registered. */
import type { ProblemCode } from '@trellis/schema/problem.ts';
import { draftScopes } from '@trellis/schema/rights/scopes.ts';
import packageFile from '../../../../../../package.json' with { type: 'json' };
import { requestSchema } from '../../../contract/openapi/field-schemas.ts';
import {
  headerComponents,
  headersOf,
  problemResponses,
  responseComponents,
} from '../../../contract/openapi/responses.ts';
import { responseSchemas } from '../../../contract/openapi/shared-schemas.ts';
import { keepUsed } from '../../../contract/openapi/used-components.ts';
import { exampleId, reference } from '../../../http/schemas.ts';
import { userHeader } from '../browser-requests.ts';
import type { SessionCookie } from '../session-cookie.ts';
import type { AuthRoute } from './route.ts';
import { answers, bodies } from './schemas.ts';

/** Codes that every route can answer with. */
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
  { name: 'Sign-in', description: 'From a proof of who somebody is to a session.' },
  { name: 'Invitations', description: 'From the link of an invitation to a member.' },
  { name: 'Session', description: 'Who is signed in, and in which organizations.' },
  { name: 'Factors', description: 'What people sign in with.' },
];

/** Builds the document. */
export function buildSignInDocument(
  routes: readonly AuthRoute[],
  cookie: SessionCookie,
): Record<string, unknown> {
  const origin = cookie.origin();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describe(route) };
  }
  const requests = Object.entries(bodies).map(([name, schema]) => [name, requestSchema(schema)]);
  const components = {
    schemas: { ...responseSchemas(origin), ...Object.fromEntries(requests), ...answers },
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
    servers: [
      {
        url: new URL(origin).hostname === 'localhost' ? '/' : origin,
        description: 'The server that this document describes.',
      },
    ],
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

function describe(route: AuthRoute): Record<string, unknown> {
  const { body, success, access } = route;
  const headers = headersOf(['Set-Cookie']);
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: 'Id, as lists show it.',
    schema: { type: 'string', maxLength: 64 },
    example: exampleId(prefixes[name] ?? ''),
  }));
  const parameters = namesUser(route) ? [...inPath, meantUser] : inPath;
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: `${route.description}\n\n${needs[access]}`,
    security: access === 'anyone' ? [] : [{ session: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: reference(body), example: bodies[body].examples?.[0] },
            },
          },
        }),
    responses: {
      [success.status]: {
        description: success.description,
        headers,
        ...(success.body === null
          ? {}
          : { content: { 'application/json': { schema: reference(success.body) } } }),
      },
      ...problemResponses(problemsOf(route)),
    },
  };
}

const meantUser = {
  name: userHeader,
  in: 'header',
  required: true,
  description:
    'Id of the user that the request is meant for. With the session of another user it is refused.',
  schema: { type: 'string', maxLength: 64 },
  example: exampleId('user'),
};

/** Whether the route takes requests only of the user that they name. */
function namesUser({ access, tellsUser }: AuthRoute): boolean {
  return access !== 'anyone' && tellsUser !== true;
}

const prefixes: Readonly<Record<string, string>> = {
  organizationId: 'org',
  passkeyId: 'pk',
  sessionId: 'ses',
  externalId: 'ext',
};

const needs = {
  anyone: 'Needs no session.',
  session: 'Needs a session.',
  recent: 'Needs a session with a sign-in of the last 15 minutes.',
  firstFactor:
    'Needs a session with a sign-in of the last 15 minutes; whom a link has signed in sets up the first factor at any time.',
  newFactor:
    'Needs a session with a sign-in of the last 2 minutes where there is a factor, and otherwise of the last 15 minutes; whom a link has signed in sets up the first factor at any time.',
} as const;

/** Every code that the route can answer with. */
function problemsOf(route: AuthRoute): ProblemCode[] {
  const { method, access, body, problems } = route;
  const possible = new Set<ProblemCode>([...commonProblems, ...problems]);
  if (access !== 'anyone') possible.add('session_invalid');
  if (namesUser(route)) possible.add('wrong_user');
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

/**
 * Why: interface A, exactly as given: three operations, its own error body everywhere, its own OpenAPI 3.0.1 document,
 * tokens made for it alone.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { permit } from '../../identity/actor.ts';
import type { Credentials } from '../../identity/authenticator.ts';
import { Problem } from '../../lib/problem.ts';
import { limits } from '../../resources/limits.ts';
import { SandboxError, type SandboxErrorName } from '../../sandbox/errors.ts';
import {
  createPlant,
  deletePlant,
  listPlants,
  plantRequirement,
  readNewPlant,
  readPathId,
} from '../../sandbox/plants.ts';
import { readContentType } from '../content-type.ts';
import type { HttpContext } from '../context.ts';
import type { QueryParameter } from '../operation.ts';
import { readParameters } from '../parameters.ts';
import { toProblem } from '../problems.ts';
import type { RateLimiter } from '../rate-limit.ts';
import { buildSandboxDocument } from './document.ts';

/** How the tenant API's problems are told here. */
const translations: Readonly<Partial<Record<Problem['code'], SandboxErrorName>>> = {
  token_missing: 'tokenMissing',
  token_invalid: 'tokenInvalid',
  insufficient_scope: 'scopeMissing',
  module_disabled: 'scopeMissing',
  permission_denied: 'scopeMissing',
  organization_suspended: 'scopeMissing',
  invalid_parameter: 'invalidParameter',
  unknown_parameter: 'invalidParameter',
  body_too_large: 'bodyTooLarge',
  unsupported_media_type: 'unsupportedMediaType',
  rate_limited: 'rateLimited',
  not_found: 'plantNotFound',
};

const limitParameter: QueryParameter = {
  name: 'limit',
  description: 'Maximum number of results to return.',
  required: false,
  schema: { type: 'integer', minimum: 1, maximum: limits.plants },
  example: 10,
};

/** Registers `/sandbox/plants` and `/sandbox/openapi.json`. */
export async function registerSandbox(
  app: FastifyInstance,
  context: HttpContext,
  limiter: RateLimiter,
  url: () => string,
  log: Logger,
): Promise<void> {
  await app.register(
    async (sandbox) => {
      sandbox.setErrorHandler((error, request, reply) => {
        const told = translate(error);
        if (told.error === 1099) log.error({ requestId: request.id, err: error }, 'sandbox error');
        // The interface knows one status for what unexpectedly fails in a create; elsewhere the server's failure is a 500.
        const status = told.error === 1099 && request.method !== 'POST' ? 500 : told.status;
        sendError(reply, status, told);
      });
      sandbox.setNotFoundHandler((_request, reply) => refuseSandboxPath(reply));
      sandbox.get('/openapi.json', async () => buildSandboxDocument(url()));
      await sandbox.register(async (plants) => registerPlants(plants, context, limiter));
    },
    { prefix: '/sandbox' },
  );
}

function registerPlants(app: FastifyInstance, context: HttpContext, limiter: RateLimiter): void {
  const { database, authenticator } = context;
  app.addHook('onRequest', async (request, reply) => {
    const credentials = await authenticator.present(request.headers.authorization);
    request.credentials = credentials;
    reply.header('cache-control', 'private, no-cache').header('vary', 'Authorization');
    reply.headers(limiter.take(credentials.tokenHash, credentials.organizationId, Date.now()));
    // What can be refused by the token alone is refused before a body is read; writes check again, on current state.
    const action = request.method === 'POST' ? 'create' : request.method === 'DELETE' ? 'delete' : 'read';
    const check = action === 'read' ? authenticator.actorForRead : authenticator.currentActor;
    permit(await check.call(authenticator, credentials, 'sandbox'), plantRequirement(action));
  });

  app.post('/plants', async (request, reply) => {
    const { mediaType, isUtf8 } = readContentType(request.headers['content-type']);
    if (mediaType !== 'application/json' || !isUtf8) throw new SandboxError('unsupportedMediaType');
    const plant = readNewPlant(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
    return sendJson(reply, await createPlant(database, credentialsOf(request.credentials), plant));
  });

  app.get('/plants', async (request, reply) => {
    const mark = request.url.indexOf('?');
    const { limit } = readParameters(mark === -1 ? '' : request.url.slice(mark + 1), [limitParameter]);
    const scope = credentialsOf(request.credentials);
    return sendJson(reply, await listPlants(database, scope, Number(limit ?? limits.plants)));
  });

  app.delete<{ Params: { id: string } }>('/plants/:id', async (request, reply) => {
    await deletePlant(database, credentialsOf(request.credentials), readPathId(request.params.id));
    return reply.status(204).send();
  });
}

function credentialsOf(credentials: Credentials | undefined): Credentials {
  if (credentials === undefined) throw new Error('a plant was reached without authentication');
  return credentials;
}

function translate(error: unknown): SandboxError {
  if (error instanceof SandboxError) return error;
  const problem = toProblem(error);
  // Whatever passes by itself is one thing here; its headers say when to come again.
  const name = problem.status === 503 ? 'unavailable' : translations[problem.code];
  if (name === undefined) return new SandboxError('unexpected');
  const { 'www-authenticate': challenge, ...headers } = problem.headers;
  const realm =
    challenge === undefined
      ? {}
      : {
          'www-authenticate': challenge
            .replace(/^Bearer ?/, 'Bearer realm="trellis-sandbox", ')
            .replace(/, $/, ''),
        };
  const hasDetail = problem instanceof Problem && problem.code.endsWith('_parameter');
  return new SandboxError(name, hasDetail ? problem.message : undefined, { ...headers, ...realm });
}

/** Answers a path that names nothing here, also one that is not percent-encoded UTF-8. */
export function refuseSandboxPath(reply: FastifyReply): void {
  const absent = new SandboxError('plantNotFound', 'There is no such route.');
  sendError(reply, absent.status, absent);
}

function sendError(reply: FastifyReply, status: number, { error, message, headers }: SandboxError): void {
  reply.status(status).headers(headers).header('content-type', 'application/json; charset=utf-8');
  reply.send(JSON.stringify({ error, message }));
}

function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(value));
}

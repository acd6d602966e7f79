/**
 * Routes of the plant store (interface A): three operations, its own error body everywhere, its own OpenAPI 3.0.1 document,
 * tokens made for it alone.
 */

import { Problem } from '@trellis/schema/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { noteRefusal } from '../../http/app.ts';
import { readContentType } from '../../http/content-type.ts';
import type { HttpContext } from '../../http/context.ts';
import type { QueryParameter } from '../../http/operation.ts';
import { readParameters } from '../../http/parameters.ts';
import { toProblem } from '../../http/problems.ts';
import type { RateLimiter } from '../../http/rate-limit.ts';
import { renderSandboxError, toSandboxError } from '../../http/sandbox-refusals.ts';
import type { Credentials } from '../../identity/authenticator.ts';
import { SandboxError } from '../errors.ts';
import {
  createPlant,
  deletePlant,
  listPlants,
  plantRequirement,
  readNewPlant,
  readPathId,
} from '../plants.ts';
import { buildSandboxDocument } from './document.ts';

const limitParameter: QueryParameter = {
  name: 'limit',
  description: 'Maximum number of results to return.',
  required: false,
  // A cap, not a page size: any int32 is fine, and there are never more than `limits.plants`.
  schema: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
  example: 10,
};

/** Registers `/sandbox/plants` and `/sandbox/openapi.json`. */
export async function registerSandbox(
  app: FastifyInstance,
  context: HttpContext,
  limiter: RateLimiter,
  url: () => string,
): Promise<void> {
  await app.register(
    async (sandbox) => {
      sandbox.setErrorHandler((error, request, reply) => {
        const problem = error instanceof SandboxError ? error : toProblem(error);
        if (problem instanceof Problem) noteRefusal(request, problem);
        const { status } = problem;
        const told = toSandboxError(error);
        // The interface knows one status for what unexpectedly fails in a create; elsewhere the server's failure is a 500.
        sendError(reply, status === 500 && request.method === 'POST' ? told.status : status, told);
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
    const action = request.method === 'POST' ? 'create' : request.method === 'DELETE' ? 'delete' : 'read';
    await authenticator.authorizeEarly(credentials, 'sandbox', plantRequirement(action));
  });

  app.post('/plants', async (request, reply) => {
    readParameters(queryOf(request), []);
    const { mediaType, isUtf8 } = readContentType(request.headers['content-type']);
    if (mediaType !== 'application/json' || !isUtf8) throw new SandboxError('unsupportedMediaType');
    const plant = readNewPlant(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
    return sendJson(reply, await createPlant(database, credentialsOf(request.credentials), plant));
  });

  app.get('/plants', async (request, reply) => {
    const { limit = limits.plants } = readParameters(queryOf(request), [limitParameter]);
    const scope = credentialsOf(request.credentials);
    return sendJson(reply, await listPlants(database, scope, Math.min(Number(limit), limits.plants)));
  });

  app.delete<{ Params: { id: string } }>('/plants/:id', async (request, reply) => {
    readParameters(queryOf(request), []);
    await deletePlant(database, credentialsOf(request.credentials), readPathId(request.params.id));
    return reply.status(204).send();
  });
}

/** The query as sent, without the question mark. */
function queryOf({ url }: FastifyRequest): string {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}

function credentialsOf(credentials: Credentials | undefined): Credentials {
  if (credentials === undefined) throw new Error('a plant was reached without authentication');
  return credentials;
}

/** Answers a path that names nothing here. */
function refuseSandboxPath(reply: FastifyReply): void {
  const absent = new SandboxError('plantNotFound', 'There is no such route.');
  sendError(reply, absent.status, absent);
}

function sendError(reply: FastifyReply, status: number, error: SandboxError): void {
  const { headers, body } = renderSandboxError(error);
  reply.status(status).headers(headers).send(body);
}

function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(value));
}

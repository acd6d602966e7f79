/**
 * The interface of the plant store (interface A): three operations, its own error body everywhere (`http/refusals.ts`), its own
 * OpenAPI 3.0.1 document, tokens made for it alone.
 */
import type { FastifyInstance } from 'fastify';
import { renderOnce, sendDocument } from '../../../kernel/contract/documentation/rendered-document.ts';
import type { HttpContext } from '../../../kernel/http/context.ts';
import { type Interface, registerOperations } from '../../../kernel/http/interface.ts';
import { credentialsOf } from '../../../kernel/http/tenant-interface.ts';
import type { TakeTenant } from '../../../kernel/rate-limits/rate-limiter.ts';
import { buildSandboxDocument } from './document.ts';
import { type PlantOperation, plantOperations } from './operations.ts';

/** Registers the operations and `/sandbox/openapi.json`. @param url public address of the sandbox */
export function registerSandbox(
  app: FastifyInstance,
  { database, authenticator }: HttpContext,
  takeTenant: TakeTenant,
  url: () => string,
): void {
  const plants: Interface<PlantOperation> = {
    admit: async ({ requirement }, request, reply) => {
      const credentials = await authenticator.present(request.headers.authorization);
      request.credentials = credentials;
      reply.header('cache-control', 'private, no-cache').header('vary', 'Authorization');
      reply.headers(await takeTenant(credentials));
      await authenticator.authorizeEarly(credentials, 'sandbox', requirement);
    },
    respond: ({ handle }, received, request) =>
      handle(database, { ...received, credentials: credentialsOf(request) }),
  };
  registerOperations(app, plantOperations, plants);
  const render = renderOnce(buildSandboxDocument);
  app.get('/sandbox/openapi.json', async (request, reply) => sendDocument(request, reply, render(url())));
}

/** The interface below `/v1`: tokens and sessions, on behalf of an organization. */
import type { FastifyRequest } from 'fastify';
import type { Credentials } from '../identity/authenticator.ts';
import type { TakeTenant } from '../rate-limits/rate-limiter.ts';
import type { Admission } from './admission.ts';
import type { HttpContext } from './context.ts';
import type { Interface } from './interface.ts';
import type { Metrics } from './metrics.ts';
import { isWrite, type Operation } from './operation.ts';
import { readAfterHeader } from './read-after.ts';

/** The limits that calls are checked against, and the metrics that count them. */
interface Watch {
  readonly takeTenant: TakeTenant;
  readonly admission: Admission;
  readonly metrics: Metrics;
}

/** How operations of the tenant API are admitted and handled. */
export function tenantInterface(
  { authenticator, readAfter }: HttpContext,
  { takeTenant, admission, metrics }: Watch,
): Interface<Operation> {
  return {
    knowsCallers: true,
    admit: async (operation, request, reply) => {
      const { headers } = request;
      const credentials = await authenticator.presentRequest(headers, () => admission.admit(null, request));
      request.credentials = credentials;
      await admission.admit(credentials.organizationId, request);
      // Responses to sessions keep `no-store`, because other people may use the browser.
      if (headers.authorization !== undefined) reply.header('cache-control', 'private, no-cache');
      reply.header(
        'vary',
        'Authorization, Cookie, Trellis-Organization, Trellis-Session-Scopes, Trellis-User',
      );
      reply.headers(await takeTenant(credentials));
      const actor = await authenticator.authorizeEarly(credentials, 'api', operation.requirement);
      if (readAfter !== null && !isWrite(operation))
        request.readAfter = readAfter.read(headers[readAfterHeader], actor);
    },
    respond: async (operation, received, request, reply) => {
      const credentials = credentialsOf(request);
      // Parsing and processing a body blocks the requests of others, so it waits for a turn of its own.
      const turn =
        request.body === undefined ? undefined : admission.continue(credentials.organizationId, request);
      if (turn !== undefined) await turn;
      const content = operation.acceptsContent === true ? request.raw : null;
      const response = await operation.handle({
        ...received,
        operation,
        credentials,
        readAfter: request.readAfter,
        countFurther: async (requests) => {
          if (requests > 0) reply.headers(await takeTenant(credentials, requests));
        },
        content,
      });
      if (!isWrite(operation)) return response;
      if (response.headers['idempotent-replayed'] !== undefined) metrics.countReplay();
      if (readAfter !== null) {
        const position = readAfter.write(credentials.organizationId, response.position ?? null);
        reply.header(readAfterHeader, position);
      }
      return response;
    },
  };
}

/** The credentials that `admit` has found. */
export function credentialsOf({ credentials }: Pick<FastifyRequest, 'credentials'>): Credentials {
  if (credentials === undefined) throw new Error('an operation was reached without authentication');
  return credentials;
}

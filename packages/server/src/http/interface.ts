/**
 * An HTTP interface: a list of operations whose requests are admitted and answered in the same way. Its operations become routes
 * here, and in no other way.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Answer, OperationDescription, ReceivedRequest } from './operation.ts';

export interface Interface<O extends OperationDescription> {
  /** Maximum bytes of a body; if absent, that of the server. */
  readonly bodyBytes?: number;
  /** Whether requests are admitted to the event loop on behalf of their caller, by `admit`, instead of as those of strangers. */
  readonly knowsCallers?: boolean;
  /** Before the body is received: counts the request, and finds out who calls and whether they may. */
  readonly admit: (operation: O, request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** Reads the request, and does the work. */
  readonly answer: (
    operation: O,
    received: ReceivedRequest,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<Answer>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether requests are admitted to the event loop on behalf of their caller. */
    knowsCallers?: boolean;
  }
}

/** Registers the routes of operations. */
export function registerOperations<O extends OperationDescription>(
  app: FastifyInstance,
  operations: readonly O[],
  { bodyBytes, knowsCallers = false, admit, answer }: Interface<O>,
): void {
  for (const operation of operations) {
    const { method, path, takesContent = false } = operation;
    app.route({
      method,
      url: routePath(path),
      config: { takesContent, knowsCallers },
      ...(bodyBytes === undefined ? {} : { bodyLimit: bodyBytes }),
      onRequest: (request, reply) => admit(operation, request, reply),
      handler: async (request, reply) =>
        sendAnswer(reply, await answer(operation, receive(request), request, reply)),
    });
  }
}

/** Converts a path to the syntax of the router: `/v1/sites/{siteId}` to `/v1/sites/:siteId`. */
function routePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function receive({ id, method, url, params, headers, body }: FastifyRequest): ReceivedRequest {
  const mark = url.indexOf('?');
  return {
    requestId: id,
    method,
    path: mark === -1 ? url : url.slice(0, mark),
    query: mark === -1 ? '' : url.slice(mark + 1),
    params: params as Record<string, string>,
    headers,
    body: Buffer.isBuffer(body) ? body : undefined,
  };
}

/** Number of characters above which an answer is converted to a buffer. */
const largeAnswer = 65_536;

function sendAnswer(reply: FastifyReply, answer: Answer): FastifyReply {
  reply.status(answer.status).headers(answer.headers);
  if (reply.raw.closed) answer.onClose?.();
  else if (answer.onClose !== undefined) reply.raw.once('close', answer.onClose);
  if (answer.body === null) return reply.send();
  if (typeof answer.body !== 'string' && !Buffer.isBuffer(answer.body)) return reply.send(answer.body);
  // Converted once: on its way a text would be converted at each of three places.
  const isLargeText = typeof answer.body === 'string' && answer.body.length > largeAnswer;
  const body = isLargeText ? Buffer.from(answer.body) : answer.body;
  return reply.header('content-type', 'application/json; charset=utf-8').send(body);
}

/**
 * An HTTP interface: a list of operations whose requests are admitted and handled in the same way. Its operations become routes
 * here, and in no other way.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { within } from '../lib/tracing.ts';
import {
  contentTypes,
  type OperationDescription,
  type OperationResponse,
  type ReceivedRequest,
} from './operation.ts';

/** Permissions of pages of other origins (https://fetch.spec.whatwg.org/#http-cors-protocol); credentials are never allowed. */
interface CrossOrigin {
  /** The request headers that they may send. */
  readonly allowedHeaders: string;
  /** How long a browser may remember that it may ask, in seconds. */
  readonly preflightSeconds: number;
  /** Admits a preflight, and calls `allowOrigin` if its origin may ask. */
  readonly admit: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
}

export interface Interface<O extends OperationDescription> {
  /** Absent: cross-origin requests are not allowed. */
  readonly crossOrigin?: CrossOrigin;
  /** Maximum bytes of a body; if absent, that of the server. */
  readonly bodyBytes?: number;
  /** Whether requests are admitted to the event loop on behalf of their caller, by `admit`, instead of as unauthenticated ones. */
  readonly knowsCallers?: boolean;
  /** Before the body is received: counts the request, and finds out who calls and whether they may. */
  readonly admit: (operation: O, request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** Reads the request, and does the work. */
  readonly respond: (
    operation: O,
    received: ReceivedRequest,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<OperationResponse>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether requests are admitted to the event loop on behalf of their caller. */
    knowsCallers?: boolean;
    /** The media types of the bodies that the route takes; JSON when absent. */
    mediaTypes?: readonly string[];
  }
}

/** Registers the routes of operations. */
export function registerOperations<O extends OperationDescription>(
  app: FastifyInstance,
  operations: readonly O[],
  { bodyBytes, crossOrigin, knowsCallers = false, admit, respond }: Interface<O>,
): void {
  for (const operation of operations) {
    const { method, path, acceptsContent = false } = operation;
    app.route({
      method,
      url: routePath(path),
      config: { acceptsContent, knowsCallers, mediaTypes: mediaTypesOf(operation) },
      ...(bodyBytes === undefined ? {} : { bodyLimit: bodyBytes }),
      onRequest: (request, reply) => within(request.span, () => admit(operation, request, reply)),
      handler: async (request, reply) =>
        sendResponse(
          reply,
          await within(request.span, () => respond(operation, receive(request), request, reply)),
        ),
    });
    if (crossOrigin !== undefined) registerPreflight(app, operation, crossOrigin);
  }
}

/** Registers the response to preflights of the only method of a path. */
function registerPreflight(
  app: FastifyInstance,
  { method, path }: OperationDescription,
  { admit, allowedHeaders, preflightSeconds }: CrossOrigin,
): void {
  app.options(routePath(path), { onRequest: admit }, async (_request, reply) => {
    if (reply.hasHeader('access-control-allow-origin')) {
      reply.headers({
        'access-control-allow-methods': method,
        'access-control-allow-headers': allowedHeaders,
        'access-control-max-age': String(preflightSeconds),
      });
    }
    reply.header('vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers');
    return reply.status(204).send();
  });
}

/** Lets pages of an origin read the response. Origins are compared exactly. */
export function allowOrigin(reply: FastifyReply, origin: string, exposedHeaders: string): void {
  reply.header('access-control-allow-origin', origin);
  reply.header('access-control-expose-headers', exposedHeaders);
}

/** Lets no page of another origin read the response. */
export function forbidOrigin(reply: FastifyReply): void {
  reply.removeHeader('access-control-allow-origin').removeHeader('access-control-expose-headers');
}

function mediaTypesOf({ acceptsContent, body }: OperationDescription): readonly string[] {
  return acceptsContent === true ? contentTypes : (body?.mediaTypes ?? ['application/json']);
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

/** Number of characters above which a response is converted to a buffer. */
const largeResponse = 65_536;

function sendResponse(reply: FastifyReply, response: OperationResponse): FastifyReply {
  reply.status(response.status).headers(response.headers);
  if (reply.raw.closed) response.onClose?.();
  else if (response.onClose !== undefined) reply.raw.once('close', response.onClose);
  if (response.body === null) return reply.send();
  if (typeof response.body !== 'string' && !Buffer.isBuffer(response.body)) return reply.send(response.body);
  // Converted once: on its way a text would be converted at each of three places.
  const isLargeText = typeof response.body === 'string' && response.body.length > largeResponse;
  const body = isLargeText ? Buffer.from(response.body) : response.body;
  if (!reply.hasHeader('content-type')) reply.type('application/json; charset=utf-8');
  return reply.send(body);
}

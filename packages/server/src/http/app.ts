/**
 * The HTTP application that every node has: limits of time and size, the form of failures, and an orderly end. Routes are
 * registered by others.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@trellis/schema/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Credentials } from '../identity/authenticator.ts';
import { type ConnectionLimits, defaultConnectionLimits } from './connection-limits.ts';
import type { Metrics } from './metrics.ts';
import { answerClientError, noteAnswer, noteExchange, refuseUnfinished } from './parser-refusals.ts';
import { isProbe } from './probes.ts';
import { type ProblemAddresses, toProblem } from './problems.ts';
import { renderRefusal } from './refusals.ts';
import { endAfterAnswer, isBodyIncomplete, isEnding } from './refused-bodies.ts';
import { checkRequestHead } from './request-head.ts';
import { nobody, UnreadAnswers } from './unread-answers.ts';

/** The methods that each path answers; parameters as `:name`. */
export type Routes = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * How long a stopping server still accepts, so that balancers and keep-alive clients notice: at least, and at most while
 * calls keep coming. A connection that is closed just as its client sends would fail that call.
 */
const farewellMs = { least: 500, most: 3_000, quiet: 250 };
/** How long requests in flight may take to finish after that: the work in the background has to end within 25 s as well. */
const drainMs = 15_000;

/** What is counted of a path or a method that there is not: callers may make up any number of them. */
const unknownRoute = { route: 'unknown', method: 'unknown' } as const;

/** What changes while a server lives. */
export interface ServerState extends ProblemAddresses {
  origin: string;
  draining: boolean;
  /** When the last call came, by the monotonic clock. */
  lastCallMs: number;
}

/** State of a server that is not listening yet. `origin`: public scheme, host and port, if they are configured. */
export function createState(origin: string | null): ServerState {
  return { origin: origin ?? 'http://localhost:3000', draining: false, lastCallMs: 0 };
}

/** An application without routes. */
export function createApp(
  state: ServerState,
  trustedProxies: string | null,
  metrics: Metrics,
  log: Logger,
  connections: ConnectionLimits = defaultConnectionLimits,
): FastifyInstance {
  const unread = new UnreadAnswers(connections);
  const app = Fastify({
    logger: false,
    trustProxy: trustedProxies ?? false,
    bodyLimit: limits.bodyBytes,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    http: {
      connectionsCheckingInterval: connections.checkIntervalMs,
      headersTimeout: connections.headersTimeoutMs,
      // A missing Host is refused in `checkRequestHead`, in the product's own form.
      requireHostHeader: false,
    },
    connectionTimeout: 0,
    keepAliveTimeout: connections.keepAliveTimeoutMs,
    // Of uploads, the slowest requests; other bodies have a shorter limit of their own.
    requestTimeout: connections.uploadTimeoutMs,
    clientErrorHandler: (error, socket) => answerClientError(error, socket, state, connections),
    // A stopping server still answers what reaches it; it only says so.
    return503OnClosing: false,
    forceCloseConnections: false,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
    // A path that is not percent-encoded UTF-8 names nothing.
    frameworkErrors: (_error, request, reply) => {
      // No hook runs for it.
      endWithBody(request, reply, connections, () =>
        sendProblem(request, reply, new Problem('not_found'), state),
      );
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['application/json', 'application/merge-patch+json'],
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      refuseContentCoding(request.headers['content-encoding']);
      return body;
    },
  );
  // Node calls this instead of inviting the body at once: who is refused is never invited (RFC 9110, 10.1.1).
  app.server.on('checkContinue', (request, response) => app.routing(request, response));
  // By default node:http would drop headers silently; `checkRequestHead` refuses too many.
  app.server.maxHeadersCount = 0;
  app.addHook('onClose', async () => unread.close());
  app.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw;
    if (isEnding(socket)) {
      socket.destroy();
      return reply.hijack();
    }
    noteExchange(request, reply);
    reply.header('x-request-id', request.id);
    state.lastCallMs = performance.now();
    if (state.draining) reply.header('connection', 'close');
    checkRequestHead(request.raw);
    // Before the body is read: its type and size do not matter here.
    if (request.is404) throw new Problem('not_found');
  });
  // After the authorization of the routes, before the body is received.
  app.addHook('preParsing', async (request, reply, payload) => {
    if (!isProbe(request.routeOptions.url)) unread.check(ownerOf(request));
    if (request.headers.expect !== undefined) reply.raw.writeContinue();
    if (request.routeOptions.config.takesContent !== true) limitBodyTime(request, reply, state, connections);
    return payload;
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    noteAnswer(request);
    endWithBody(request, reply, connections, () => done(null, payload));
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
      const bytes = Buffer.byteLength(payload);
      // What was read can be read again; the answer to a write that is done must be sent.
      if (request.method === 'GET' && reply.statusCode === 200) unread.check(ownerOf(request), bytes);
      unread.add(ownerOf(request), bytes, reply.raw);
    } else if (payload !== null && payload !== undefined) {
      // Node starts this anew whenever bytes were taken; without a listener it ends the connection.
      reply.raw.setTimeout(connections.streamStallMs);
    }
    done(null, payload);
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const isKnown = !request.is404 && request.routeOptions.config.isOtherMethod !== true;
    const counted = isKnown ? { route, method: request.method } : unknownRoute;
    metrics.countRequest(counted.route, counted.method, reply.statusCode, reply.elapsedTime / 1_000);
    log.debug(
      {
        requestId: request.id,
        organizationId: request.credentials?.organizationId,
        userId: request.credentials?.userId,
        method: request.method,
        route,
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    );
  });
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error);
    if (problem.status >= 500 && !isAbandoned(request)) {
      log[problem.status === 500 ? 'error' : 'warn'](
        { requestId: request.id, route: request.routeOptions.url, err: problem.cause ?? problem },
        problem.code,
      );
    }
    sendProblem(request, reply, problem, state);
  });
  return app;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the handler reads the body itself, as it comes. */
    takesContent?: boolean;
    /** Whether it only says that the path has other methods. */
    isOtherMethod?: boolean;
  }
  interface FastifyRequest {
    /** Set by the authentication of an operation's route. */
    credentials?: Credentials;
  }
}

/** Notes every route that is registered from now on. */
export function collectRoutes(app: FastifyInstance): Routes {
  const routes = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = routes.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    routes.set(url, known);
  });
  return routes;
}

/** Every path answers the methods it lacks with 405 and the ones it has (RFC 9110, 15.5.6). */
export function registerOtherMethods(app: FastifyInstance, routes: Routes): void {
  for (const [url, methods] of routes) {
    const allow = [...methods].sort().join(', ');
    app.route({
      method: app.supportedMethods.filter((method) => !methods.has(method)),
      url,
      config: { isOtherMethod: true },
      // Before the body is read: its type and size do not matter here.
      onRequest: async () => {
        throw new Problem('method_not_allowed', `Allowed: ${allow}.`, { headers: { allow } });
      },
      handler: async () => undefined,
    });
  }
}

function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  addresses: ProblemAddresses,
): void {
  const { status, headers, body } = renderRefusal(problem, request.id, request.url, addresses);
  reply.removeHeader('etag').status(status).headers(headers).header('x-request-id', request.id).send(body);
}

/** A caller's own id is kept when it is harmless in logs and headers. */
function requestIdOf(header: string | string[] | undefined): string {
  const valid =
    typeof header === 'string' && header.length <= limits.requestId && /^[\x21-\x7e]+$/.test(header);
  return valid ? header : newUuid();
}

/** A compressed body would be read as what it is not (RFC 9110, 15.5.16). @throws Problem unsupported_media_type */
export function refuseContentCoding(coding: string | undefined): void {
  if (coding === undefined || coding.trim().toLowerCase() === 'identity') return;
  throw new Problem('unsupported_media_type', 'Send the body uncompressed, without Content-Encoding.');
}

/** Sends an answer; one that comes before the request's body has arrived is the connection's last. */
function endWithBody(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  connections: ConnectionLimits,
  send: () => void,
): void {
  if (!isBodyIncomplete(raw)) {
    send();
    return;
  }
  // A body that came in one packet with the headers is read after them.
  setImmediate(() => {
    if (isBodyIncomplete(raw)) {
      reply.header('connection', 'close');
      endAfterAnswer(raw, connections);
    }
    send();
  });
}

/** Whose unread answers a request adds to. */
function ownerOf({ credentials, publishableKey }: FastifyRequest): string {
  return (credentials ?? publishableKey)?.organizationId ?? nobody;
}

/** Refuses a request whose body does not arrive in time. */
function limitBodyTime(
  request: FastifyRequest,
  reply: FastifyReply,
  addresses: ProblemAddresses,
  connections: ConnectionLimits,
): void {
  const { raw } = request;
  if (raw.complete) return;
  const timer = setTimeout(() => {
    refuseUnfinished(request, reply, new Problem('request_timeout'), addresses, connections);
  }, connections.bodyTimeoutMs);
  raw.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
}

/** Whether the client went away before it had sent its request. */
function isAbandoned({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}

/**
 * Starts to listen; port 0 picks a free one.
 * @returns the port, which is part of the origin from then on unless one is configured
 */
export async function listen(
  app: FastifyInstance,
  state: ServerState,
  { host, port, origin }: { host: string; port: number; origin: string | null },
): Promise<{ port: number }> {
  await app.listen({ host, port });
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no TCP address');
  if (origin === null) state.origin = `http://localhost:${address.port}`;
  return { port: address.port };
}

/** Stops being ready, lets keep-alive clients go, stops accepting, waits for what is in flight, and ends what does not end. */
export async function drain(app: FastifyInstance, state: ServerState): Promise<void> {
  state.draining = true;
  const began = performance.now();
  await sleep(farewellMs.least);
  const isBusy = () => performance.now() - state.lastCallMs < farewellMs.quiet;
  while (isBusy() && performance.now() - began < farewellMs.most) await sleep(50);
  const deadline = setTimeout(() => app.server.closeAllConnections(), drainMs);
  const idle = setInterval(() => app.server.closeIdleConnections(), 100);
  try {
    await app.close();
  } finally {
    clearTimeout(deadline);
    clearInterval(idle);
  }
}

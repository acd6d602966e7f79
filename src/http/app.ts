/**
 * Why: whatever a node answers over HTTP, it bears the same limits of time and size, tells failures in the same form and
 * ends in the same orderly way. What there is to ask is registered by others.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Credentials } from '../identity/authenticator.ts';
import { newUuid } from '../lib/ids.ts';
import { Problem } from '../lib/problem.ts';
import { limits } from '../resources/limits.ts';
import type { Metrics } from './metrics.ts';
import { type ProblemAddresses, problemHeaders, renderProblem, toProblem } from './problems.ts';
import { refuseSandboxPath } from './sandbox/routes.ts';

/** The methods that each path answers; parameters as `:name`. */
export type Routes = ReadonlyMap<string, ReadonlySet<string>>;

/** How long clients may take, in ms, and how often Node looks for those that take longer. */
const headerTimeoutMs = 10_000;
const bodyTimeoutMs = 30_000;
/** An upload may take longer, as long as bytes keep coming. */
const uploadTimeoutMs = 3_600_000;
const timeoutCheckMs = 1_000;
const keepAliveTimeoutMs = 65_000;
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
): FastifyInstance {
  const app = Fastify({
    logger: false,
    trustProxy: trustedProxies ?? false,
    bodyLimit: limits.bodyBytes,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    http: { connectionsCheckingInterval: timeoutCheckMs, headersTimeout: headerTimeoutMs },
    connectionTimeout: 0,
    keepAliveTimeout: keepAliveTimeoutMs,
    requestTimeout: uploadTimeoutMs,
    // A stopping server still answers what reaches it; it only says so.
    return503OnClosing: false,
    forceCloseConnections: false,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
    // A path that is not percent-encoded UTF-8 names nothing.
    frameworkErrors: (_error, request, reply) =>
      request.url.startsWith('/sandbox/')
        ? refuseSandboxPath(reply.header('x-request-id', request.id))
        : sendProblem(request, reply, new Problem('not_found'), state),
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
  app.addHook('preParsing', async (request, _reply, payload) => {
    if (request.routeOptions.config.takesContent !== true) limitBodyTime(request);
    return payload;
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    state.lastCallMs = performance.now();
    if (state.draining) reply.header('connection', 'close');
    // Before the body is read: its type and size do not matter here.
    if (request.is404) throw new Problem('not_found');
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
    if (problem.status >= 500) {
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
    // The sandbox has its own errors, and none for a method.
    if (url.startsWith('/sandbox/')) continue;
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
  const mark = request.url.indexOf('?');
  const path = mark === -1 ? request.url : request.url.slice(0, mark);
  reply
    .status(problem.status)
    .headers(problemHeaders(problem, addresses))
    .header('x-request-id', request.id)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .send(renderProblem(problem, request.id, path, addresses));
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

/** Ends a connection whose body does not arrive, as node:http does with a request that takes too long. */
function limitBodyTime({ raw }: FastifyRequest): void {
  if (raw.complete) return;
  const timer = setTimeout(() => {
    raw.socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  }, bodyTimeoutMs);
  raw.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
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

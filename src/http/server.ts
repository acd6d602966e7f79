/**
 * Why: the HTTP server: it turns requests into calls and answers into responses, and keeps itself alive under load and
 * through shutdown. What an operation does stands elsewhere.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { createModels } from '../content/models.ts';
import type { Database } from '../database/database.ts';
import { Arrivals } from '../events/arrivals.ts';
import { Authenticator, type Credentials } from '../identity/authenticator.ts';
import { newUuid } from '../lib/ids.ts';
import { Problem } from '../lib/problem.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { CursorSealer } from '../pipeline/cursor.ts';
import { limits } from '../resources/limits.ts';
import { createWebhookSettings, type WebhookSettings } from '../webhooks/settings.ts';
import type { HttpContext } from './context.ts';
import { registerDocumentation } from './documentation.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { type Answer, isWrite, type Operation } from './operation.ts';
import { buildOperations } from './operations.ts';
import { OverloadGuard } from './overload.ts';
import { isProbe, registerProbes } from './probes.ts';
import { type ProblemAddresses, problemHeaders, renderProblem, toProblem } from './problems.ts';
import { RateLimiter, type RateLimits } from './rate-limit.ts';
import { registerSandbox } from './sandbox/routes.ts';
import { registerVisitors, type VisitorOptions } from './visitors/routes.ts';

export interface ServerOptions {
  readonly database: Database;
  /** 32 bytes. */
  readonly cursorKey: Buffer;
  readonly rateLimits: RateLimits;
  readonly idempotencyRetentionSeconds: number;
  /** Where contents of files are kept, and bytes of the largest that is accepted. */
  readonly objects: ObjectStore;
  readonly maxContentBytes: number;
  readonly visitors: VisitorOptions;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed, separated by commas; none when absent. */
  readonly trustedProxies?: string | null;
  /** Public scheme, host and port; null: the address that is listened on. */
  readonly origin: string | null;
  /** Public address of the sandbox; absent or null: `/sandbox` of the origin. */
  readonly sandboxUrl?: string | null;
  /** Lag of the event loop above which new calls are answered 503, in ms; 250 when absent. */
  readonly maxLagMs?: number;
  /** Where webhooks may lead and how their secrets are kept; absent: to public addresses, under the key of cursors. */
  readonly webhooks?: WebhookSettings;
  /** Called after a commit that appended events. */
  readonly nudge: () => void;
  /** Tells when events were logged in this process; streams look again by themselves now and then. */
  readonly arrivals?: Arrivals;
  /** How long a stream of events lasts, in ms; 15 minutes when absent. */
  readonly streamLifetimeMs?: number;
  readonly log: Logger;
}

export interface Server {
  /** Starts to listen; port 0 picks a free one. */
  listen(options: { host: string; port: number }): Promise<{ port: number }>;
  /** Stops being ready, finishes what is in flight, and ends within 25 s. */
  close(): Promise<void>;
  /** For tests and the document: every operation the server has. */
  readonly operations: readonly Operation[];
  /** For tests: the methods that each path answers, operations or not; parameters as `:name`. */
  readonly routes: Routes;
}

type Routes = ReadonlyMap<string, ReadonlySet<string>>;

/** How long clients may take, in ms, and how often Node looks for those that take longer. */
const headerTimeoutMs = 10_000;
const bodyTimeoutMs = 30_000;
/** An upload may take longer, as long as bytes keep coming. */
const uploadTimeoutMs = 3_600_000;
const timeoutCheckMs = 1_000;
const keepAliveTimeoutMs = 65_000;
const defaultStreamLifetimeMs = 15 * 60_000;
/**
 * How long a stopping server still accepts, so that balancers and keep-alive clients notice: at least, and at most while
 * calls keep coming. A connection that is closed just as its client sends would fail that call.
 */
const farewellMs = { least: 500, most: 3_000, quiet: 250 };
/** How long requests in flight may take to finish after that. */
const drainMs = 20_000;

/** Builds the server; nothing listens yet. */
export async function buildServer(options: ServerOptions): Promise<Server> {
  const { database, log } = options;
  const authenticator = new Authenticator(database);
  const arrivals = options.arrivals ?? new Arrivals();
  const stopping = new AbortController();
  const context: HttpContext = {
    database,
    authenticator,
    models: createModels(),
    cursors: new CursorSealer(options.cursorKey),
    objects: options.objects,
    maxContentBytes: options.maxContentBytes,
    events: {
      streamLifetimeMs: options.streamLifetimeMs ?? defaultStreamLifetimeMs,
      stopping: stopping.signal,
      wait: (milliseconds) => arrivals.wait(milliseconds),
    },
    webhooks: options.webhooks ?? createWebhookSettings(options.cursorKey, []),
    writes: {
      database,
      idempotencyRetentionSeconds: options.idempotencyRetentionSeconds,
      nudge: options.nudge,
      noteUse: (actor, row) => authenticator.noteUse(actor, row),
    },
  };
  const state = { origin: options.origin ?? 'http://localhost:3000', draining: false, lastCallMs: 0 };
  const guard = new OverloadGuard(options.maxLagMs);
  const metrics = createMetrics({
    pool: () => database.poolState(),
    eventLoopLagSeconds: () => guard.lag() / 1_000,
  });
  const limiter = new RateLimiter(options.rateLimits);
  const operations = buildOperations(context, () => state.origin);
  const app = createApp(state, options.trustedProxies ?? null, metrics, log);

  app.addHook('onRequest', async ({ routeOptions }) => {
    // A supervisor must not take an overloaded process for a dead one.
    if (!isProbe(routeOptions.url)) guard.check();
  });
  const collected = collectRoutes(app);
  const register = (scope: FastifyInstance, takesContent: boolean) => {
    for (const operation of operations) {
      if ((operation.takesContent ?? false) === takesContent)
        registerOperation(scope, operation, context, limiter, metrics);
    }
  };
  register(app, false);
  await app.register(async (scope) => {
    // Bytes of any type are left to the handler, which reads them as they come.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', async (request: FastifyRequest) => {
      refuseContentCoding(request.headers['content-encoding']);
    });
    register(scope, true);
  });
  await registerSandbox(app, context, limiter, () => options.sandboxUrl ?? `${state.origin}/sandbox`, log);
  await registerVisitors(app, { database, metrics, ...options.visitors });
  registerProbes(app, { database, metrics, isDraining: () => state.draining });
  await registerDocumentation(app, operations, () => state.origin);
  const routes = structuredClone(collected);
  registerOtherMethods(app, routes);
  await app.ready();

  return {
    operations,
    routes,
    async listen({ host, port }) {
      await app.listen({ host, port });
      const address = app.server.address();
      if (address === null || typeof address === 'string') throw new Error('the server has no TCP address');
      if (options.origin === null) state.origin = `http://localhost:${address.port}`;
      return { port: address.port };
    },
    async close() {
      state.draining = true;
      stopping.abort();
      arrivals.tell();
      await drain(app, state);
      guard.close();
      await authenticator.close();
    },
  };
}

function createApp(
  state: ProblemAddresses & { draining: boolean; lastCallMs: number },
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
    frameworkErrors: (_error, request, reply) => sendProblem(request, reply, new Problem('not_found'), state),
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
    metrics.countRequest(route, request.method, reply.statusCode, reply.elapsedTime / 1_000);
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
  }
  interface FastifyRequest {
    /** Set by the authentication of an operation's route. */
    credentials?: Credentials;
  }
}

function registerOperation(
  app: FastifyInstance,
  operation: Operation,
  context: HttpContext,
  limiter: RateLimiter,
  metrics: Metrics,
): void {
  app.route({
    method: operation.method,
    url: routePath(operation.path),
    config: { takesContent: operation.takesContent ?? false },
    onRequest: async (request, reply) => {
      const credentials = await context.authenticator.present(request.headers.authorization);
      request.credentials = credentials;
      reply.header('cache-control', 'private, no-cache');
      reply.header('vary', 'Authorization');
      reply.headers(limiter.take(credentials.tokenHash, credentials.organizationId, Date.now()));
    },
    handler: async (request, reply) => {
      const { credentials } = request;
      if (credentials === undefined) throw new Error('an operation was reached without authentication');
      const mark = request.url.indexOf('?');
      const answer = await operation.handle({
        operation,
        credentials,
        requestId: request.id,
        method: request.method,
        path: mark === -1 ? request.url : request.url.slice(0, mark),
        query: mark === -1 ? '' : request.url.slice(mark + 1),
        params: request.params as Record<string, string>,
        headers: request.headers,
        body: Buffer.isBuffer(request.body) ? request.body : undefined,
        content: operation.takesContent === true ? request.raw : null,
      });
      if (isWrite(operation) && answer.headers['idempotent-replayed'] !== undefined) metrics.countReplay();
      return sendAnswer(reply, answer);
    },
  });
}

/** Notes every route that is registered from now on. */
function collectRoutes(app: FastifyInstance): Routes {
  const routes = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = routes.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    routes.set(url, known);
  });
  return routes;
}

/** Every path answers the methods it lacks with 405 and the ones it has (RFC 9110, 15.5.6). */
function registerOtherMethods(app: FastifyInstance, routes: Routes): void {
  for (const [url, methods] of routes) {
    // The sandbox has its own errors, and none for a method.
    if (url.startsWith('/sandbox/')) continue;
    const allow = [...methods].sort().join(', ');
    app.route({
      method: app.supportedMethods.filter((method) => !methods.has(method)),
      url,
      // Before the body is read: its type and size do not matter here.
      onRequest: async () => {
        throw new Problem('method_not_allowed', `Allowed: ${allow}.`, { headers: { allow } });
      },
      handler: async () => undefined,
    });
  }
}

function sendAnswer(reply: FastifyReply, answer: Answer): FastifyReply {
  reply.status(answer.status).headers(answer.headers);
  if (answer.body === null) return reply.send();
  if (typeof answer.body !== 'string') return reply.send(answer.body);
  return reply.header('content-type', 'application/json; charset=utf-8').send(answer.body);
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
function refuseContentCoding(coding: string | undefined): void {
  if (coding === undefined || coding.trim().toLowerCase() === 'identity') return;
  throw new Problem('unsupported_media_type', 'Send the body uncompressed, without Content-Encoding.');
}

/** `/v1/sites/{siteId}` to the router's `/v1/sites/:siteId`. */
function routePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** Ends a connection whose body does not arrive, as node:http does with a request that takes too long. */
function limitBodyTime({ raw }: FastifyRequest): void {
  if (raw.complete) return;
  const timer = setTimeout(() => {
    raw.socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  }, bodyTimeoutMs);
  raw.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
}

/** Lets keep-alive clients go, stops accepting, waits for what is in flight, and ends what does not end. */
async function drain(app: FastifyInstance, state: { readonly lastCallMs: number }): Promise<void> {
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

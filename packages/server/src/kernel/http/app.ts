/**
 * The HTTP application of every node: limits of time and size, the form of error responses, and shutdown. Routes are
 * registered by other modules.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@trellis/schema/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { nearestName } from '@trellis/schema/values/text.ts';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onSendHookHandler,
} from 'fastify';
import type { Logger } from 'pino';
import type { WalPosition } from '../database/wal-position.ts';
import type { Credentials } from '../identity/authenticator.ts';
import { hostPrefix } from '../lib/network-address.ts';
import { compressPages } from './compression.ts';
import { type ConnectionLimits, defaultConnectionLimits } from './connection-limits.ts';
import type { Metrics } from './metrics.ts';
import { noteExchange, noteResponse, refuseUnfinished, respondToClientError } from './parser-refusals.ts';
import { awaitTurn, limitConnections } from './pipelining.ts';
import { isProbe } from './probes.ts';
import { protectiveHeaders } from './protective-headers.ts';
import { RefusalLog } from './refusal-log.ts';
import { type ErrorFormat, type RefusalFormats, renderRefusal, toRefusal } from './refusals.ts';
import { endAfterResponse, isBodyIncomplete, isEnding } from './refused-bodies.ts';
import { checkRequestHead } from './request-head.ts';
import { endSpan, startSpan } from './request-span.ts';
import { isShared } from './shared-content.ts';
import { type Reader, UnreadResponses } from './unread-responses.ts';

/**
 * How long a stopping server still accepts requests, so that load balancers and keep-alive clients notice: at least
 * `least`, then until no call has come for `quiet`, but not longer than `most`. Closing a connection just as its client
 * sends would fail that call.
 */
const farewellMs = { least: 500, most: 3_000, quiet: 250 };
/** How long running requests may take to finish after that. The background roles must also end within 25 s. */
const drainMs = 15_000;

/** The labels in metrics for unknown paths and methods, because callers may send any number of them. */
const unknownRoute = { route: 'unknown', method: 'unknown' } as const;

/** The state of a server while it runs. */
export interface ServerState extends RefusalFormats {
  origin: string;
  draining: boolean;
  /** When the last call was received, by the monotonic clock in ms. */
  lastCallMs: number;
  /** Paths of lists and the like, with parameters in braces, shorter ones first; the response to a misspelt path names the nearest. */
  paths: readonly string[];
}

/** The state of a server that is not listening yet. `origin`: public scheme, host and port, if configured. */
export function createState(origin: string | null, errorFormats: readonly ErrorFormat[]): ServerState {
  return {
    origin: origin ?? 'http://localhost:3000',
    draining: false,
    lastCallMs: 0,
    paths: [],
    errorFormats,
  };
}

/** Creates an application without routes. */
export function createApp(
  state: ServerState,
  trustedProxies: string | null,
  metrics: Metrics,
  log: Logger,
  connections: ConnectionLimits = defaultConnectionLimits,
): FastifyInstance {
  const unread = new UnreadResponses(connections);
  const refusals = new RefusalLog(log, metrics);
  const app = Fastify({
    logger: false,
    trustProxy: trustedProxies ?? false,
    bodyLimit: limits.bodyBytes,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    http: {
      ...limitConnections((abuse) => refusals.noteEndedConnection(abuse)),
      connectionsCheckingInterval: connections.checkIntervalMs,
      headersTimeout: connections.headersTimeoutMs,
      // `checkRequestHead` refuses a missing Host, with problem details.
      requireHostHeader: false,
    },
    connectionTimeout: 0,
    keepAliveTimeout: connections.keepAliveTimeoutMs,
    // The limit of uploads, which are the slowest requests; other bodies have a shorter limit.
    requestTimeout: connections.uploadTimeoutMs,
    clientErrorHandler: (error, socket) => respondToClientError(error, socket, state, connections),
    // A stopping server still serves requests; `/readyz` says that it is stopping.
    return503OnClosing: false,
    forceCloseConnections: false,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
    // The path is not percent-encoded UTF-8, so there is no such route.
    frameworkErrors: (_error, request, reply) => {
      // Fastify runs no hooks for these requests.
      reply.header('cache-control', 'no-store');
      endWithBody(request, reply, connections, () =>
        sendRefusal(request, reply, new Problem('not_found'), state),
      );
    },
  });
  app.decorate('refusals', refusals);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['application/json', 'application/merge-patch+json'],
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      refuseContentCoding(request.headers['content-encoding']);
      return body;
    },
  );
  // Without this, node:http would send 100 Continue at once, also to callers that are refused (RFC 9110, 10.1.1).
  app.server.on('checkContinue', (request, response) => app.routing(request, response));
  // Without this, node:http would send a response without a body.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response));
  // By default node:http would drop excess headers silently; `checkRequestHead` refuses the request instead.
  app.server.maxHeadersCount = 0;
  app.addHook('onClose', async () => {
    unread.close();
    refusals.close();
  });
  app.addHook('onRequest', async (request, reply) => {
    if (!isProbe(request.routeOptions.url)) startSpan(request);
    const { socket } = request.raw;
    if (isEnding(socket)) {
      socket.destroy();
      return reply.hijack();
    }
    noteExchange(request, reply);
    const turn = awaitTurn(reply.raw);
    if (turn !== undefined) {
      await turn;
      // The response before this one has ended the connection, or its client has left.
      if (!socket.writable) return reply.hijack();
    }
    // Routes whose responses may be stored say so.
    reply.headers(protectiveHeaders(state)).header('cache-control', 'no-store');
    reply.header('x-request-id', request.id);
    state.lastCallMs = performance.now();
    // After a request to change the protocol, which is handled like any other (RFC 9110, 7.8), `node:http` reads no further one.
    if (state.draining || request.raw.headers.upgrade !== undefined) reply.header('connection', 'close');
    checkRequestHead(request.raw);
    // Before the body is read: its type and size do not matter here.
    if (request.is404) throw unknownPath(request.url, state.paths);
  });
  // After the authorization of the routes, before the body is received.
  app.addHook('preParsing', async (request, reply, payload) => {
    const { url, config } = request.routeOptions;
    if (!isProbe(url) && config.isInMemory !== true) unread.check(readerOf(request));
    // Clients of HTTP/1.0 do not know the status (RFC 9110, 10.1.1).
    if (request.headers.expect !== undefined && request.raw.httpVersion === '1.1') reply.raw.writeContinue();
    if (request.routeOptions.config.acceptsContent !== true)
      limitBodyTime(request, reply, state, connections);
    return payload;
  });
  // After the hook with which Fastify counts the bytes of a response to HEAD: a 304 has none to count (RFC 9110, 8.6).
  app.addHook('onRoute', (route) => {
    if (route.method === 'HEAD') route.onSend = [...[route.onSend ?? []].flat(), omitLengthOfNothing];
  });
  compressPages(app);
  app.addHook('onSend', (request, reply, payload, done) => {
    noteResponse(request);
    endWithBody(request, reply, connections, () => done(null, payload));
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
      const bytes = isShared(payload) ? 0 : Buffer.byteLength(payload);
      // A read can be repeated, but the response of a committed write must be sent.
      const { isInMemory = false } = request.routeOptions.config;
      if (bytes > 0 && !isInMemory && request.method === 'GET' && reply.statusCode === 200)
        unread.check(readerOf(request), bytes);
      unread.add(readerOf(request), bytes, reply.raw);
    } else if (payload !== null && payload !== undefined) {
      // Node restarts this timeout whenever bytes were sent. It ends the connection, because there is no listener.
      reply.raw.setTimeout(connections.streamStallMs);
    }
    done(null, payload);
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const isKnown = !request.is404 && request.routeOptions.config.isOtherMethod !== true;
    const counted = isKnown ? { route, method: request.method } : unknownRoute;
    metrics.countRequest(counted.route, counted.method, reply.statusCode, reply.elapsedTime / 1_000);
    endSpan(request, reply, counted);
    log.debug(
      {
        requestId: request.id,
        traceId: request.span?.traceId,
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
    if (hasLeft(reply, error)) return reply.hijack();
    const refusal = toRefusal(error, state);
    if (refusal instanceof Problem) noteRefusal(request, refusal);
    sendRefusal(request, reply, refusal, state);
  });
  return app;
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly refusals: RefusalLog;
  }
  interface FastifyContextConfig {
    /** Whether the handler reads the body itself, as a stream. */
    acceptsContent?: boolean;
    /** Whether the route responds from memory, or will as soon as it can. */
    isInMemory?: boolean;
    /** Whether the route only responds with 405. */
    isOtherMethod?: boolean;
  }
  interface FastifyRequest {
    /** Set by the authentication of an operation's route. */
    credentials?: Credentials;
    /** As in `Call`. */
    readAfter?: WalPosition | undefined;
  }
}

function unknownPath(url: string, paths: readonly string[]): Problem {
  const [path = ''] = url.split('?', 1);
  // By the last part: the common beginning would make any two short paths alike. It only chooses among those with that last part.
  const name = nearestName(lastPart(path), paths.map(lastPart));
  const candidates = paths.filter((known) => lastPart(known) === name);
  const shared = candidates.map((known) => sharedParts(path, known));
  const nearest = candidates[shared.indexOf(Math.max(...shared))] ?? null;
  return new Problem('not_found', nearest === null ? undefined : `Not found. Did you mean "${nearest}"?`);
}

/** How many parts at the beginning of a path are those of a known one, in which a parameter is any part. */
function sharedParts(path: string, known: string): number {
  const parts = path.split('/');
  const differing = known
    .split('/')
    .findIndex((part, place) => part !== parts[place] && !part.startsWith('{'));
  return differing === -1 ? parts.length : differing;
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const omitLengthOfNothing: onSendHookHandler = (_request, reply, payload, done) => {
  if (reply.statusCode === 304) reply.removeHeader('content-length');
  done(null, payload);
};

function sendRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Error,
  formats: RefusalFormats,
): void {
  const { status, headers, body } = renderRefusal(refusal, request, formats);
  reply.removeHeader('etag').status(status).headers(headers).header('x-request-id', request.id).send(body);
}

/** Whether the client has left while it was sent a stream: nothing has failed, and nobody gets another response. */
function hasLeft({ raw }: FastifyReply, error: unknown): boolean {
  const { code = '' } = error as Partial<NodeJS.ErrnoException>;
  return raw.destroyed && code.startsWith('ERR_STREAM_');
}

/** The caller's request id, if it is safe in logs and headers; otherwise a new one. */
function requestIdOf(header: string | string[] | undefined): string {
  const valid =
    typeof header === 'string' && header.length <= limits.requestId && /^[\x21-\x7e]+$/.test(header);
  return valid ? header : newUuid();
}

/** Refuses compressed bodies (RFC 9110, 15.5.16). @throws Problem unsupported_media_type */
export function refuseContentCoding(coding: string | undefined): void {
  if (coding === undefined || coding.trim().toLowerCase() === 'identity') return;
  throw new Problem('unsupported_media_type', 'Send the body uncompressed, without Content-Encoding.', {
    headers: { 'accept-encoding': 'identity' },
  });
}

/** Sends a response. If the body of the request has not arrived completely, the connection ends after it. */
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
  // A body that arrived in one packet with the headers is parsed only after them.
  setImmediate(() => {
    if (isBodyIncomplete(raw)) {
      reply.header('connection', 'close');
      endAfterResponse(raw, connections);
    }
    send();
  });
}

/** The organization of a request by its token or key; null while it has not been authenticated, and for requests without one. */
export function organizationOf({ credentials, publishableKey }: FastifyRequest): string | null {
  return (credentials ?? publishableKey)?.organizationId ?? null;
}

/** Whom the unread response of a request is counted for. */
function readerOf(request: FastifyRequest): Reader {
  const organizationId = organizationOf(request);
  if (organizationId === null) return { network: hostPrefix(request.ip) ?? 'unknown' };
  return { organizationId, tokenHash: request.credentials?.tokenHash ?? null };
}

/** Refuses a request whose body does not arrive in time. */
function limitBodyTime(
  request: FastifyRequest,
  reply: FastifyReply,
  formats: RefusalFormats,
  connections: ConnectionLimits,
): void {
  const { raw } = request;
  if (raw.complete) return;
  const timer = setTimeout(() => {
    refuseUnfinished(request, reply, new Problem('request_timeout'), formats, connections);
  }, connections.bodyTimeoutMs);
  raw.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
}

/** Records a problem that is sent in response to a request, unless the client left before it had sent the whole request. */
function noteRefusal({ id, raw, server, routeOptions, span }: FastifyRequest, problem: Problem): void {
  if (raw.destroyed && !raw.complete) return;
  server.refusals.note(problem, { requestId: id, traceId: span?.traceId, route: routeOptions.url });
}

/**
 * Starts listening; port 0 picks a free one.
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

/**
 * Shuts down: reports not ready, lets keep-alive clients leave, stops accepting connections, waits for running requests, and
 * ends the remaining connections.
 */
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

/**
 * The server of `/metrics`, on a separate address, because metrics are for the operator and not for users of the API.
 */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { defaultConnectionLimits } from '../../kernel/http/connection-limits.ts';
import { metricsContentType } from '../../kernel/http/metrics.ts';
import { limitConnections } from '../../kernel/http/pipelining.ts';
import { everywhere } from '../../kernel/http/protective-headers.ts';
import { endAfterResponse, isBodyIncomplete } from '../../kernel/http/refused-bodies.ts';

/** The address that metrics are served on. */
export interface MetricsPlace {
  readonly host: string;
  /** 0 for a free port. */
  readonly port: number;
}

export interface MetricsServer {
  /** Full address of `/metrics`. */
  readonly url: string;
  /** Sets the source of the metrics; until then the response is 503. */
  serve(render: () => Promise<string>): void;
  close(): Promise<void>;
}

/** Minimum time between two renderings, in ms. */
const freshMs = 1_000;
const maxConnections = 32;
const requestTimeoutMs = 10_000;
/** How long a client may read nothing of a response, in ms. */
const responseTimeoutMs = 30_000;

/**
 * Starts to listen.
 * @throws the error of the system if it cannot listen on the address
 */
export async function startMetricsServer({ host, port }: MetricsPlace, log: Logger): Promise<MetricsServer> {
  let render: (() => Promise<string>) | null = null;
  const server = createServer(
    {
      ...limitConnections(() => undefined),
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      response.setHeaders(new Map(Object.entries({ ...everywhere, 'cache-control': 'no-store' })));
      // As on the other port, `node:http` reads no further request from the connection.
      if (request.headers.upgrade !== undefined) response.setHeader('connection', 'close');
      // Nobody reads a body here: it must not be parsed either.
      if (isBodyIncomplete(request)) {
        response.setHeader('connection', 'close');
        endAfterResponse(request, defaultConnectionLimits);
      }
      const path = request.url?.split('?', 1)[0];
      if (path !== '/metrics') return respond(response, 404, 'Only /metrics is served here.\n');
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.setHeader('allow', 'GET, HEAD');
        return respond(response, 405, 'Only GET and HEAD are served here.\n');
      }
      if (render === null) return respond(response, 503, 'The node is starting.\n');
      render().then(
        (text) => {
          response.setHeader('content-type', metricsContentType);
          respond(response, 200, text);
        },
        (error: unknown) => {
          log.warn({ err: error }, 'metrics could not be rendered');
          respond(response, 503, 'Metrics cannot be rendered at the moment.\n');
        },
      );
    },
  );
  limitOpen(server);
  server.setTimeout(responseTimeoutMs);
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a listener without a TCP address');
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}/metrics`,
    serve(source) {
      render = shareText(source);
    },
    async close() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

/** Ends the oldest connections when there are too many: they are idle or slow, while a scrape takes milliseconds. */
function limitOpen(server: Server): void {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    const [oldest] = open;
    if (open.size > maxConnections) oldest?.destroy();
  });
}

function respond(response: ServerResponse, status: number, text: string): void {
  if (!response.hasHeader('content-type')) response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.writeHead(status).end(text);
}

/** Returns the same text to all requests within a second. */
export function shareText(
  render: () => Promise<string>,
  now: () => number = () => performance.now(),
): () => Promise<string> {
  let text: Promise<string> | null = null;
  let madeAt = 0;
  return () => {
    if (text !== null && now() - madeAt < freshMs) return text;
    madeAt = now();
    text = render();
    return text;
  };
}

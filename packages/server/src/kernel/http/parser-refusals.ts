/**
 * Error responses for input that `node:http` cannot parse as a request, in the format of the interface that was called. Such
 * a request has no route and no handler, so the response is written directly to the socket.
 */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '@trellis/schema/problem.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ConnectionLimits } from './connection-limits.ts';
import { type RefusalFormats, renderRefusal } from './refusals.ts';
import { endAfterResponse, isEnding, linger } from './refused-bodies.ts';

/** The error of a `clientError` event: of the parser, of a time limit, or of the socket. */
type ClientError = Error & { readonly code?: string; readonly reason?: string; readonly rawPacket?: unknown };

/** The newest request of a connection. */
interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

const exchanges = new WeakMap<Socket, Exchange>();
/** Requests whose response is being sent. */
const responded = new WeakSet<FastifyRequest>();

/** Records the newest request of a connection. */
export function noteExchange(request: FastifyRequest, reply: FastifyReply): void {
  exchanges.set(request.raw.socket, { request, reply });
}

/** Records that the response to a request is being sent, so that it gets no second response. */
export function noteResponse(request: FastifyRequest): void {
  responded.add(request);
}

/** Refuses a request whose body has not arrived completely, whatever its handler is doing, and ends the connection. */
export function refuseUnfinished(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  formats: RefusalFormats,
  limits: ConnectionLimits,
): void {
  if (reply.sent || responded.has(request)) return;
  // From here on, the response of the route is ignored.
  reply.hijack();
  endAfterResponse(request.raw, limits);
  const { status, headers, body } = renderRefusal(problem, request, formats);
  const all = {
    ...reply.getHeaders(),
    ...headers,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  for (const [name, value] of Object.entries(all)) if (value !== undefined) reply.raw.setHeader(name, value);
  reply.raw.statusCode = status;
  reply.raw.end(body);
}

/** Responds to an error of a connection and ends it. */
export function respondToClientError(
  error: ClientError,
  socket: Socket,
  formats: RefusalFormats,
  limits: ConnectionLimits,
): void {
  // A parser that has failed fails again with each further piece.
  if (isEnding(socket)) return;
  const problem = problemOf(error);
  // The client left in the middle of a body: the reader of the body must be told.
  const hasLeft = error.code === 'HPE_INVALID_EOF_STATE';
  if (problem === null || hasLeft || !socket.writable) {
    socket.destroy();
    return;
  }
  const exchange = exchanges.get(socket);
  if (exchange !== undefined && !exchange.reply.raw.writableFinished) {
    endExchange(exchange, problem, formats, limits);
    return;
  }
  sendRefusal(problem, socket, targetOf(error.rawPacket), formats);
  linger(socket, limits);
}

/** Writes a refusal directly to the socket, and ends its writing side. */
function sendRefusal(problem: Problem, socket: Socket, target: string, formats: RefusalFormats): void {
  const requestId = newUuid();
  const { status, headers, body } = renderRefusal(
    problem,
    { id: requestId, method: '', url: target },
    formats,
  );
  const all = {
    ...headers,
    'x-request-id': requestId,
    'content-length': String(Buffer.byteLength(body)),
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
}

/** Ends the request that is still open on the connection; the input belongs to it or follows it. */
function endExchange(
  { request, reply }: Exchange,
  problem: Problem,
  formats: RefusalFormats,
  limits: ConnectionLimits,
): void {
  if (reply.raw.headersSent) {
    request.raw.socket.destroy();
  } else if (request.raw.complete) {
    // The previous request was valid: it gets its response, and the connection ends after it.
    reply.header('connection', 'close');
  } else {
    refuseUnfinished(request, reply, problem, formats, limits);
  }
}

/** The problem for an error; null for an error of the socket, which nothing can be sent to. */
function problemOf({ code = '', reason = '' }: ClientError): Problem | null {
  if (code === 'HPE_HEADER_OVERFLOW') return new Problem('headers_too_large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('request_timeout');
  // The parser uses the same code for a body with two lengths; only the message differs.
  if (code === 'HPE_INVALID_TRANSFER_ENCODING' && reason.startsWith('Request has invalid')) {
    return new Problem('unsupported_transfer_coding');
  }
  return code.startsWith('HPE_') ? new Problem('malformed_request') : null;
}

/** Path and query of the request line, if the packet begins with a request line. */
function targetOf(packet: unknown): string {
  const start = Buffer.isBuffer(packet) ? packet.subarray(0, 4_096).toString('latin1') : '';
  return /^[A-Za-z]+ +(\/[^\s?]*)/.exec(start)?.[1] ?? '/';
}

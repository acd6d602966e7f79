/**
 * Answers to what `node:http` cannot read as a request, in the form of the interface that was called. Such a request has
 * no route and no handler: its answer is written to the socket as it is.
 */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '@trellis/schema/problem.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ConnectionLimits } from './connection-limits.ts';
import type { ProblemAddresses } from './problems.ts';
import { renderRefusal } from './refusals.ts';
import { endAfterAnswer, isEnding, linger } from './refused-bodies.ts';

/** Error of `clientError`: of the parser, of a limit of time, or of the socket itself. */
type ClientError = Error & { readonly code?: string; readonly reason?: string; readonly rawPacket?: unknown };

/** The newest request of a connection. */
interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

const exchanges = new WeakMap<Socket, Exchange>();
/** Requests whose answer is on its way. */
const answered = new WeakSet<FastifyRequest>();

/** Remembers the newest request of a connection. */
export function noteExchange(request: FastifyRequest, reply: FastifyReply): void {
  exchanges.set(request.raw.socket, { request, reply });
}

/** Remembers that a request is being answered, so that it gets no second answer. */
export function noteAnswer(request: FastifyRequest): void {
  answered.add(request);
}

/** Answers a request whose body is still to come, whatever its route is doing, and ends the connection. */
export function refuseUnfinished(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  addresses: ProblemAddresses,
  limits: ConnectionLimits,
): void {
  if (reply.sent || answered.has(request)) return;
  // From here on the route's own answer is ignored.
  reply.hijack();
  endAfterAnswer(request.raw, limits);
  const { status, headers, body } = renderRefusal(problem, request.id, request.url, addresses);
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

/** Answers an error of a connection and ends it. */
export function answerClientError(
  error: ClientError,
  socket: Socket,
  addresses: ProblemAddresses,
  limits: ConnectionLimits,
): void {
  // A parser that has failed fails again with each piece that comes.
  if (isEnding(socket)) return;
  const problem = problemOf(error);
  // A client that has left in the middle of a body: whoever reads the body must learn that there is no more.
  const hasLeft = error.code === 'HPE_INVALID_EOF_STATE';
  if (problem === null || hasLeft || !socket.writable) {
    socket.destroy();
    return;
  }
  const exchange = exchanges.get(socket);
  if (exchange !== undefined && !exchange.reply.raw.writableFinished) {
    endExchange(exchange, problem, addresses, limits);
    return;
  }
  const requestId = newUuid();
  const { status, headers, body } = renderRefusal(problem, requestId, targetOf(error.rawPacket), addresses);
  const all = {
    ...headers,
    'x-request-id': requestId,
    'content-length': String(Buffer.byteLength(body)),
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
  linger(socket, limits);
}

/** What came is the rest of a request that is still open, or follows it. */
function endExchange(
  { request, reply }: Exchange,
  problem: Problem,
  addresses: ProblemAddresses,
  limits: ConnectionLimits,
): void {
  if (reply.raw.headersSent) {
    request.raw.socket.destroy();
  } else if (request.raw.complete) {
    // The request before was fine: it gets its answer, and the connection ends with it.
    reply.header('connection', 'close');
  } else {
    refuseUnfinished(request, reply, problem, addresses, limits);
  }
}

/** Null for an error of the socket: nobody is there to be answered. */
function problemOf({ code = '', reason = '' }: ClientError): Problem | null {
  if (code === 'HPE_HEADER_OVERFLOW') return new Problem('headers_too_large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('request_timeout');
  // The parser has the same code for a body with two lengths; only its words tell them apart.
  if (code === 'HPE_INVALID_TRANSFER_ENCODING' && reason.startsWith('Request has invalid')) {
    return new Problem('unsupported_transfer_coding');
  }
  return code.startsWith('HPE_') ? new Problem('malformed_request') : null;
}

/** Path and query of the request line, if the packet begins with one. */
function targetOf(packet: unknown): string {
  const start = Buffer.isBuffer(packet) ? packet.subarray(0, 4_096).toString('latin1') : '';
  return /^[A-Za-z]+ +(\/[^\s?]*)/.exec(start)?.[1] ?? '/';
}

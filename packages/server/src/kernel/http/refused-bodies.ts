/**
 * Lingering close of connections whose request got its response before its body had arrived. Reading the whole body would let a
 * client occupy the connection; closing at once would reset it, and the client could lose the response. So the response has
 * `Connection: close`, and what still arrives is read and dropped for a short time (RFC 9112, 9.6).
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionLimits } from './connection-limits.ts';

type LingerLimits = Pick<ConnectionLimits, 'lingerMs' | 'lingerBytes'>;

const ending = new WeakSet<Socket>();
/** How often the bytes that were read are counted, in ms. */
const countIntervalMs = 50;

/** Whether the request has a body that has not arrived completely. */
export function isBodyIncomplete({ headers, complete }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether the connection ends after a response that was already sent; further requests on it must be ignored. */
export function isEnding(socket: Socket): boolean {
  return ending.has(socket);
}

/** Closes the connection after the response to this request, which must have `Connection: close`. */
export function endAfterResponse(request: IncomingMessage, limits: LingerLimits): void {
  const { socket } = request;
  if (ending.has(socket)) return;
  ending.add(socket);
  // node:http calls this when the response has been written, and would destroy the socket with bytes unread.
  socket.destroySoon = () => {
    socket.end();
    if (request.headers['transfer-encoding'] === undefined) {
      request.resume();
      // Once the body has arrived, closing does not reset the connection.
      request.once('end', () => socket.destroy());
    } else {
      dropInput(socket);
    }
    linger(socket, limits);
  };
}

/**
 * Drops all further input of a connection before it is parsed: chunks of one byte would take the parser seconds. Where the body ends is not
 * seen then; the client closes the connection when it has the response.
 */
function dropInput(socket: Socket): void {
  const drop = () => undefined;
  // With a listener of our own, `node:http` gets the input by its listener, and no longer below the socket.
  socket.on('data', drop);
  for (const listener of socket.rawListeners('data')) {
    if (listener !== drop) socket.removeListener('data', listener as () => void);
  }
  socket.once('end', () => socket.destroy());
  socket.resume();
}

/**
 * Reads and drops input within the limits, then destroys the socket, whose writing side has been ended. A client that sends more than the
 * limit within the time is held up instead of cut off: most programs find an error in sending before a response that has arrived, and drop it.
 */
export function linger(socket: Socket, { lingerMs, lingerBytes }: LingerLimits): void {
  ending.add(socket);
  const allowed = socket.bytesRead + lingerBytes;
  const count = setInterval(() => {
    if (socket.bytesRead <= allowed) return;
    clearInterval(count);
    stopReading(socket);
  }, countIntervalMs);
  const end = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => {
    clearInterval(count);
    clearTimeout(end);
  });
}

/** Leaves further input to the network, which lets the sender wait. */
function stopReading(socket: Socket): void {
  // With a listener of our own, `node:http` no longer reads below the socket.
  socket.on('data', () => undefined);
  socket.pause();
}

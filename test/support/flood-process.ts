/**
 * Clients in a process of their own, so that they do not slow down what the test measures beside them. They send requests over
 * and over until a time, and never more than so many bytes.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/**
 * What clients do with responses. `read`: they read one and send the next request. `steady`: they send ten times a second and read all. `unread`: they read nothing and go on sending. `slow`: they
 * read a little ten times a second. `aborted`: they leave with the first bytes of a response.
 */
export type Manner = 'read' | 'steady' | 'unread' | 'slow' | 'aborted';

/** What they send, as a message to the process. */
export interface Flood {
  readonly url: string;
  /** Requests, each of which a connection sends; the next one is that of the next connection, or of the next turn. */
  readonly heads: readonly string[];
  readonly manner: Manner;
  /** How often a connection sends its request without waiting for a response. */
  readonly pipelined: number;
  readonly connections: number;
  /** Addresses of the machine from which they come, in turn; absent: any. */
  readonly addresses?: readonly string[];
  readonly milliseconds: number;
  readonly mostBytes: number;
}

const [message] = await once(process, 'message');
const flood = message as Flood;
const { hostname, port } = new URL(flood.url);
const { manner, addresses = [] } = flood;
const end = performance.now() + flood.milliseconds;
const turnMs = 100;
const slowBytes = 4_096;
/** The number of requests so far, without those that are repeated. */
let next = 0;
let sentBytes = 0;

function open(index: number): void {
  if (performance.now() > end || sentBytes > flood.mostBytes) return;
  const localAddress = addresses[index % addresses.length];
  const socket = connect({
    port: Number(port),
    host: hostname,
    ...(localAddress === undefined ? {} : { localAddress }),
  });
  socket.on('connect', () => send(socket));
  const turns = behave(socket);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    clearInterval(turns);
    setTimeout(open, 20, index);
  });
  setTimeout(() => socket.destroy(), end - performance.now());
}

function send(socket: Socket): void {
  const text = (flood.heads[next % flood.heads.length] ?? '').repeat(flood.pipelined);
  next += 1;
  sentBytes += text.length;
  if (performance.now() < end && sentBytes < flood.mostBytes) socket.write(text, 'latin1');
  else socket.destroy();
}

/** @returns the turns of clients that do not wait for responses */
function behave(socket: Socket): NodeJS.Timeout | undefined {
  switch (manner) {
    case 'read':
      socket.on('data', () => send(socket));
      return undefined;
    case 'aborted':
      socket.once('data', () => socket.destroy());
      return undefined;
    case 'slow':
      // A listener of this kind reads ahead only what is asked for.
      socket.on('readable', () => undefined);
      return setInterval(() => {
        socket.read(Math.min(slowBytes, socket.readableLength));
        send(socket);
      }, turnMs);
    case 'steady':
    case 'unread':
      if (manner === 'steady') socket.resume();
      else socket.pause();
      return setInterval(() => {
        if (socket.writableLength === 0) send(socket);
      }, turnMs);
  }
}

for (let index = 0; index < flood.connections; index += 1) open(index);
setTimeout(() => process.send?.(next, () => process.disconnect()), end - performance.now());

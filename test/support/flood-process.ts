/**
 * Clients in a process of their own, so that they do not slow down what the test measures beside them. They send requests over
 * and over until a time, and never more than so many bytes.
 */
import { once } from 'node:events';
import { connect } from 'node:net';

/** What they send, as a message to the process. */
export interface Flood {
  readonly url: string;
  /** Requests, each of which a connection sends; the next connection sends the next one. */
  readonly heads: readonly string[];
  /** How often a connection sends its request without waiting for a response; 1: it reads the response and sends the next one. */
  readonly pipelined: number;
  readonly connections: number;
  readonly milliseconds: number;
  readonly mostBytes: number;
}

const [message] = await once(process, 'message');
process.disconnect();
const flood = message as Flood;
const { hostname, port } = new URL(flood.url);
const end = performance.now() + flood.milliseconds;
let next = 0;
let sentBytes = 0;

function open(): void {
  if (performance.now() > end || sentBytes > flood.mostBytes) return;
  const socket = connect(Number(port), hostname);
  const send = () => {
    const text = (flood.heads[next % flood.heads.length] ?? '').repeat(flood.pipelined);
    next += 1;
    sentBytes += text.length;
    if (performance.now() < end && sentBytes < flood.mostBytes) socket.write(text, 'latin1');
    else socket.destroy();
  };
  socket.on('connect', send);
  if (flood.pipelined === 1) socket.on('data', send);
  else socket.pause();
  socket.on('error', () => socket.destroy());
  socket.on('close', () => setTimeout(open, 20));
  setTimeout(() => socket.destroy(), end - performance.now());
}
for (let index = 0; index < flood.connections; index += 1) open();

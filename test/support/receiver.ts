/** A real HTTP server for webhook deliveries. It responds as a test requests and keeps what it received. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from './until.ts';

/** A call as it arrived. */
export interface ReceivedCall {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Time of arrival, in ms. */
  readonly at: number;
}

type Respond = (response: ServerResponse, call: ReceivedCall, request: IncomingMessage) => void;

export interface Receiver {
  readonly url: string;
  readonly calls: readonly ReceivedCall[];
  /** The number of connections so far, including those without a request. */
  connections(): number;
  /** The maximum number of concurrent calls. */
  mostAtOnce(): number;
  /** Changes its responses. */
  respond(how: Respond): void;
  /** Waits for a number of calls, and returns them. */
  received(count: number): Promise<readonly ReceivedCall[]>;
  close(): Promise<void>;
}

export const respondWith =
  (status: number, body = '', headers: Readonly<Record<string, string>> = {}): Respond =>
  (response) => {
    response.writeHead(status, headers);
    response.end(body);
  };

/** Starts a receiver on 127.0.0.1 that responds with 204 unless told otherwise. */
export async function startReceiver(respond: Respond = respondWith(204)): Promise<Receiver> {
  const calls: ReceivedCall[] = [];
  let how = respond;
  let connections = 0;
  let atOnce = 0;
  let mostAtOnce = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const call = {
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        at: Date.now(),
      };
      calls.push(call);
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      response.on('close', () => {
        atOnce -= 1;
      });
      how(response, call, request);
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/hook`,
    calls,
    connections: () => connections,
    mostAtOnce: () => mostAtOnce,
    respond: (next) => {
      how = next;
    },
    received: (count) => until(`${count} calls have arrived`, () => calls.length >= count && calls),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

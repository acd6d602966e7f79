/** Why: a listener takes calls from whoever reaches its port, so their size, number and time have bounds. */
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call that has arrived whole. */
export interface ReceivedCall {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  /** Where calls are taken. */
  readonly url: string;
  /** Takes no more, and ends what is open. */
  close(): Promise<void>;
}

const loopback = '127.0.0.1';
const maxBodyBytes = 262_144;
const maxConnections = 64;
const requestTimeoutMs = 15_000;

/**
 * Listens on this machine only.
 * @param port 0 picks a free one
 * @param take is given each call, and says what status it is answered with
 * @throws Error when the port is taken
 */
export async function startReceiver(
  port: number,
  take: (call: ReceivedCall) => Promise<number>,
): Promise<Receiver> {
  const server = createServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      answer(request, response, take).catch(() => response.destroy());
    },
  );
  server.maxConnections = maxConnections;
  server.listen(port, loopback);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE') throw error;
    throw new Error(`Something listens on ${loopback}:${port} already. Give another --port, or none.`);
  }
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://${loopback}:${actual}/`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  take: (call: ReceivedCall) => Promise<number>,
): Promise<void> {
  // What is left of a refused call is not read, so the connection cannot be kept.
  const refuse = (status: number) => response.writeHead(status, { connection: 'close' }).end();
  if (request.method !== 'POST') return void refuse(405);
  const body = await readBody(request);
  if (body === null) return void refuse(413);
  const status = await take({ headers: request.headers, body });
  response.writeHead(status).end();
}

/** The body as text; null when it is too long. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).length;
    if (size > maxBodyBytes) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

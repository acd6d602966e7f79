/** A local HTTP server for webhook calls, with limits on their size, number and duration. */
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A completely received call. */
export interface ReceivedCall {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  /** The address to call. */
  readonly url: string;
  /** Stops listening and ends open connections. */
  close(): Promise<void>;
}

const loopback = '127.0.0.1';
const maxBodyBytes = 262_144;
const maxConnections = 64;
const requestTimeoutMs = 15_000;

/**
 * Listens on this machine only.
 * @param port 0 picks a free one
 * @param take receives each call and returns the status to respond with
 * @throws Error when the port is in use
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
      respond(request, response, take).catch(() => response.destroy());
    },
  );
  server.maxConnections = maxConnections;
  server.listen(port, loopback);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE') throw error;
    throw new Error(
      `${loopback}:${port} is already in use. Choose another --port, or omit it for a free one.`,
    );
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

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  take: (call: ReceivedCall) => Promise<number>,
): Promise<void> {
  // The rest of a refused call is not read, so the connection cannot be kept open.
  const refuse = (status: number) => response.writeHead(status, { connection: 'close' }).end();
  if (request.method !== 'POST') return void refuse(405);
  const body = await readBody(request);
  if (body === null) return void refuse(413);
  const status = await take({ headers: request.headers, body });
  response.writeHead(status).end();
}

/** The body as text; null when it is too large. */
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

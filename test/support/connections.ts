/** Raw connections on which a test sends and reads bytes itself, for requests that no HTTP client would send. */
import { connect, type Socket } from 'node:net';
import type { Json } from './server.ts';

/** A response parsed from the bytes of a connection. */
export interface RawResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  /** The parsed body; undefined for one that is not JSON. */
  readonly json: Json;
}

/** A connection to a test server. */
export interface RawConnection {
  readonly socket: Socket;
  write(data: string | Buffer): void;
  /** Everything received so far. */
  received(): string;
  /** Everything received until the connection was closed, and whether it was reset. */
  readonly closed: Promise<{ readonly text: string; readonly wasReset: boolean }>;
}

/**
 * Opens a connection.
 * @param options `reads: false`: never reads; `ends: false`: stays open when the server closes its side
 */
export function openRawConnection(
  url: string,
  { reads = true, ends = true }: { readonly reads?: boolean; readonly ends?: boolean } = {},
): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    let text = '';
    let wasReset = false;
    const closed = new Promise<{ text: string; wasReset: boolean }>((done) =>
      socket.on('close', () => done({ text, wasReset })),
    );
    if (reads) socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    else socket.pause();
    socket.on('error', (error: NodeJS.ErrnoException) => {
      wasReset = error.code === 'ECONNRESET' || error.code === 'EPIPE';
      reject(error);
    });
    if (ends) socket.on('end', () => socket.end());
    socket.on('connect', () =>
      resolve({ socket, closed, received: () => text, write: (data) => void socket.write(data) }),
    );
  });
}

/** Sends bytes and waits until the server closes the connection. */
export async function sendAndWait(url: string, ...pieces: (string | Buffer)[]): Promise<RawResponse> {
  const connection = await openRawConnection(url);
  for (const piece of pieces) connection.write(piece);
  return firstResponse((await connection.closed).text);
}

/** Parses the first response in the bytes of a connection; further responses may follow. */
export function firstResponse(text: string): RawResponse {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, Math.max(0, end)).split('\r\n');
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = text.slice(end + 4, end + 4 + Number(headers.get('content-length') ?? 0));
  const isJson = /json/.test(headers.get('content-type') ?? '') && body !== '';
  return {
    status: Number(statusLine.split(' ')[1] ?? 0),
    headers,
    text: body,
    json: isJson ? JSON.parse(body) : undefined,
  };
}

/** The head of a request, including the empty line. */
export function requestHead(method: string, target: string, headers: readonly string[] = []): string {
  return [`${method} ${target} HTTP/1.1`, 'Host: test', ...headers, '', ''].join('\r\n');
}

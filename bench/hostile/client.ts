/** HTTP client of the load generators: one request at a time on a keep-alive connection, with everything in one place. */
import { randomUUID } from 'node:crypto';
import { type Agent, request as httpRequest } from 'node:http';

/** Where requests go, and on whose behalf. */
export interface Target {
  readonly url: string;
  readonly token: string;
  /** Site of the organization, as the API writes its id. */
  readonly site: string;
}

export interface Sent {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** JSON text, or raw bytes with their own content type. */
  readonly body?: string | Buffer;
  readonly contentType?: string;
  /** The network of a page of this server that sends it, without a token; absent: a program sends it with the token. */
  readonly pageIn?: string;
}

export interface Received {
  /** 0 when the connection failed before a response came. */
  readonly status: number;
  readonly text: string;
}

/** Sends a request and reads the whole response. Writes carry a fresh Idempotency-Key. */
export function send(
  target: Target,
  agent: Agent,
  { method, path, body, contentType, pageIn }: Sent,
): Promise<Received> {
  const headers: Record<string, string> =
    pageIn === undefined
      ? { authorization: `Bearer ${target.token}` }
      : { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': pageIn };
  if (method !== 'GET' && pageIn === undefined) headers['idempotency-key'] = randomUUID();
  if (body !== undefined) {
    headers['content-type'] = contentType ?? 'application/json';
    headers['content-length'] = String(Buffer.byteLength(body));
  }
  return new Promise((resolve) => {
    const fail = () => resolve({ status: 0, text: '' });
    const request = httpRequest(`${target.url}${path}`, { method, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
      response.on('error', fail);
    });
    request.on('error', fail);
    request.end(body);
  });
}

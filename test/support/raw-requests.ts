/**
 * Sends requests byte for byte. `fetch` would change them: it resolves dots in paths, refuses methods and adds
 * headers.
 */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { wasTurnedAway } from './refusals.ts';
import type { TestResponse } from './server.ts';

/** A request that is sent unchanged. */
export interface RawRequest {
  readonly method: string;
  /** Path and query, sent without any encoding or resolving. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
}

/** Free connections end long before the server ends them (see `send.ts`). */
const agent = new Agent({ keepAlive: true, maxSockets: 8, timeout: 30_000 });

/**
 * Sends the request to the server at the URL; only Host, Connection and the length of the body are added. Sends it again
 * when the server was too busy to look at it.
 */
export async function sendRaw(url: string, raw: RawRequest): Promise<TestResponse> {
  for (let tries = 1; ; tries += 1) {
    const response = await sendOnce(url, raw);
    if (!wasTurnedAway(response) || tries === 50) return response;
    await sleep(100);
  }
}

function sendOnce(url: string, { method, path, headers = {}, body }: RawRequest): Promise<TestResponse> {
  const { hostname, port } = new URL(url);
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const sent = Object.entries({ ...length, ...headers }).map(([name, value]): [string, string | string[]] => [
    name,
    typeof value === 'string' ? value : [...value],
  ]);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { agent, hostname, port, method, path, headers: Object.fromEntries(sent) },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const isCompressed = response.headers['content-encoding'] === 'gzip' && bytes.length > 0;
          const text = (isCompressed ? gunzipSync(bytes) : bytes).toString();
          const isJson = /json/.test(response.headers['content-type'] ?? '') && text !== '';
          resolve({
            status: response.statusCode ?? 0,
            headers: new Headers(
              Object.entries(response.headersDistinct).map(([name, values]): [string, string] => [
                name,
                (values ?? []).join(', '),
              ]),
            ),
            text,
            json: isJson ? JSON.parse(text) : undefined,
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Closes the kept connections, for which a stopping server would wait. */
export function closeRawConnections(): void {
  agent.destroy();
}

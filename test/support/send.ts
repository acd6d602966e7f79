/**
 * Sends requests by `node:http`. `fetch` costs several times as much processor time for each request: in the whole run of tests,
 * a tenth of all.
 */
import { Agent, request } from 'node:http';

/**
 * Free connections keep no process alive. They end long before the server ends them, which is after 65 s: an agent without a
 * timeout does not heed `Keep-Alive: timeout=`, and a request would sometimes be sent just when its connection ends.
 */
const agent = new Agent({ keepAlive: true, timeout: 30_000 });

export interface SentRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends a request and reads the whole response. Redirects are not followed. @throws Error when the connection ends before */
export function send(url: string, { method, headers, body }: SentRequest): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    // Without a length, node:http sends the body of a DELETE as if it were another request.
    const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method, headers: { ...length, ...headers }, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const received = new Headers();
        const { rawHeaders } = response;
        for (let index = 0; index < rawHeaders.length; index += 2)
          received.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: received, text });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

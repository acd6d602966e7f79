/** A server with prepared responses, for tests of how a client handles them. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { ApiClient } from '@trellis/client/api-client.ts';
import type { ClientOptions, TokenOptions } from '@trellis/client/transport.ts';

export interface FakeResponse {
  readonly status: number;
  /** Sent as JSON, unless it is text. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Breaks the connection instead of responding. */
export const breakOff = 'break off';
/** Never responds. */
export const staySilent = 'stay silent';

interface FakeRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface FakeApi {
  readonly url: string;
  readonly client: ApiClient;
  readonly requests: readonly FakeRequest[];
  /** Milliseconds that the client wanted to wait. */
  readonly waits: readonly number[];
}

/** A problem with this code. */
export const problem = (status: number, code: string, headers = {}): FakeResponse => ({
  status,
  body: { code, detail: `It is ${code}.` },
  headers,
});

/** Starts a server that gives these responses one after the other, the last one for ever. */
export async function startFakeApi(
  context: TestContext,
  responses: readonly (FakeResponse | typeof breakOff | typeof staySilent)[],
  options: Partial<ClientOptions> = {},
): Promise<FakeApi> {
  const requests: FakeRequest[] = [];
  const waits: number[] = [];
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    requests.push({ method: request.method, url: request.url, headers: request.headers, body });
    const planned = responses[Math.min(requests.length, responses.length) - 1];
    if (planned === staySilent) return;
    if (planned === undefined || planned === breakOff) {
      request.socket.destroy();
      return;
    }
    response.writeHead(planned.status, { 'content-type': 'application/json', ...planned.headers });
    response.end(typeof planned.body === 'string' ? planned.body : JSON.stringify(planned.body ?? {}));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const url = `http://127.0.0.1:${address.port}`;
  let now = 0;
  const common: TokenOptions = {
    baseUrl: url,
    token: 'secret',
    attempts: 4,
    clock: () => now,
    wait: async (milliseconds) => {
      waits.push(milliseconds);
      now += milliseconds;
    },
  };
  return { url, client: new ApiClient({ ...common, ...options }), requests, waits };
}

/** A server that gives prepared answers, for tests of how a client meets them. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { ApiClient } from '@trellis/client/api-client.ts';
import type { ClientOptions, TokenOptions } from '@trellis/client/transport.ts';

export interface FakeAnswer {
  readonly status: number;
  /** Sent as JSON, unless it is text. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Breaks the connection instead of answering. */
export const breakOff = 'break off';
/** Never answers. */
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
export const problem = (status: number, code: string, headers = {}): FakeAnswer => ({
  status,
  body: { code, detail: `It is ${code}.` },
  headers,
});

/** Starts a server that gives these answers one after the other, the last one for ever. */
export async function startFakeApi(
  context: TestContext,
  answers: readonly (FakeAnswer | typeof breakOff | typeof staySilent)[],
  options: Partial<ClientOptions> = {},
): Promise<FakeApi> {
  const requests: FakeRequest[] = [];
  const waits: number[] = [];
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    requests.push({ method: request.method, url: request.url, headers: request.headers, body });
    const answer = answers[Math.min(requests.length, answers.length) - 1];
    if (answer === staySilent) return;
    if (answer === undefined || answer === breakOff) {
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {}));
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

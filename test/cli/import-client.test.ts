/** How the importer meets a server that is busy, limited, slow, gone, or no Trellis server at all. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { ApiClient, ImportStopped, RefusedError } from '@trellis/client/api-client.ts';

interface FakeAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Breaks the connection instead of answering. */
const breakOff = 'break off';

interface Fake {
  readonly client: ApiClient;
  /** Headers of each request. */
  readonly requests: IncomingMessage['headers'][];
  /** Milliseconds that the client wanted to wait. */
  readonly waits: number[];
}

/** A server that gives these answers one after the other, the last one for ever. */
async function startFake(
  context: TestContext,
  answers: readonly (FakeAnswer | typeof breakOff)[],
): Promise<Fake> {
  const requests: IncomingMessage['headers'][] = [];
  const waits: number[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    requests.push(request.headers);
    const answer = answers[Math.min(requests.length, answers.length) - 1];
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
  let now = 0;
  const client = new ApiClient({
    baseUrl: `http://127.0.0.1:${address.port}`,
    token: 'secret',
    attempts: 4,
    clock: () => now,
    wait: async (milliseconds) => {
      waits.push(milliseconds);
      now += milliseconds;
    },
  });
  return { client, requests, waits };
}

const created: FakeAnswer = { status: 201, body: { id: 'art_1', version: 1 } };
const problem = (status: number, code: string, headers = {}): FakeAnswer => ({
  status,
  body: { code, detail: `It is ${code}.` },
  headers,
});
const create = (client: ApiClient) =>
  client.write({ method: 'POST', path: '/x', body: { a: 1 }, idempotencyKey: 'key' });

test('temporary failures are retried with the same key after the requested delay', async (context) => {
  const passing: [FakeAnswer | typeof breakOff, number][] = [
    [problem(409, 'idempotency_in_progress', { 'retry-after': '1' }), 1_000],
    [problem(429, 'rate_limited', { 'retry-after': '7' }), 7_000],
    [problem(503, 'overloaded', { 'retry-after': '2' }), 2_000],
    [problem(503, 'database_unavailable'), 100],
    [problem(500, 'internal_error'), 100],
    [{ status: 502, body: '<html>Bad gateway</html>' }, 100],
    [breakOff, 100],
  ];
  for (const [answer, leastWait] of passing) {
    const { client, requests, waits } = await startFake(context, [answer, answer, created]);
    const result = await create(client);
    assert.deepEqual(result, { body: created.body, replayed: false, retried: true });
    assert.deepEqual(
      requests.map((headers) => headers['idempotency-key']),
      ['key', 'key', 'key'],
    );
    assert.equal(waits.length, 2);
    for (const wait of waits) assert.ok(wait >= leastWait && wait < leastWait + 1_000, `${wait} ms`);
  }
});

test('permanent failures end after a limited number of attempts', async (context) => {
  const cases: [FakeAnswer | typeof breakOff, typeof ImportStopped | typeof RefusedError, RegExp][] = [
    [problem(503, 'overloaded'), ImportStopped, /remained unavailable \(503\): It is overloaded/],
    [problem(429, 'rate_limited', { 'retry-after': '1' }), ImportStopped, /\(429\)/],
    [breakOff, ImportStopped, /cannot be reached .*Check that the server is running/],
    [problem(409, 'idempotency_in_progress'), RefusedError, /idempotency_in_progress/],
    [problem(500, 'internal_error'), RefusedError, /internal_error/],
  ];
  for (const [answer, kind, message] of cases) {
    const { client, requests } = await startFake(context, [answer]);
    await assert.rejects(create(client), (error: Error) => {
      assert.ok(error instanceof kind, String(error));
      assert.match(error.message, message);
      return true;
    });
    assert.equal(requests.length, 4);
  }
});

test('a refusal is final, of the row or of the caller', async (context) => {
  const cases: [FakeAnswer, typeof ImportStopped | typeof RefusedError][] = [
    [problem(400, 'malformed_json'), RefusedError],
    [problem(409, 'conflict'), RefusedError],
    [problem(412, 'version_mismatch'), RefusedError],
    [problem(422, 'validation_failed'), RefusedError],
    [problem(401, 'token_invalid'), ImportStopped],
    [problem(403, 'insufficient_scope'), ImportStopped],
    [{ status: 404, body: 'Not here' }, ImportStopped],
    [{ status: 301, headers: { location: 'http://127.0.0.1:1/' } }, ImportStopped],
    [{ status: 200, body: '<html>' }, ImportStopped],
  ];
  for (const [answer, kind] of cases) {
    const { client, requests } = await startFake(context, [answer]);
    await assert.rejects(create(client), kind);
    assert.equal(requests.length, 1, 'it is not sent again');
  }
});

test('a delay that the server requests of one call applies to all', async (context) => {
  const { client, waits } = await startFake(context, [
    problem(429, 'rate_limited', { 'retry-after': '30' }),
    created,
  ]);
  await create(client);
  assert.deepEqual(waits, [30_000]);
});

test('a stored response is distinguished from a new one', async (context) => {
  const { client } = await startFake(context, [{ ...created, headers: { 'idempotent-replayed': 'true' } }]);
  assert.deepEqual(await create(client), { body: created.body, replayed: true, retried: false });
});

/** Tests of how the client meets a server that is busy, limited, slow, gone, or no Trellis server at all. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiClient } from '@trellis/client/api-client.ts';
import { type ErrorCode, ProblemError } from '@trellis/client/problem.ts';
import { delayAfter, readRetryAfter } from '@trellis/client/retry.ts';
import { breakOff, type FakeResponse, problem, startFakeApi, staySilent } from '../support/fake-api.ts';

const created: FakeResponse = { status: 201, body: { id: 'book_1', version: 1 }, headers: { etag: '"1"' } };
const book = { body: { title: 'Emma' } } as const;

test('temporary failures are retried with the same key and bytes after the requested delay', async (context) => {
  const passing: [FakeResponse | typeof breakOff, number][] = [
    [problem(409, 'idempotency_in_progress', { 'retry-after': '1' }), 1_000],
    [problem(408, 'request_timeout'), 100],
    [problem(429, 'rate_limited', { 'retry-after': '7' }), 7_000],
    [problem(503, 'overloaded', { 'retry-after': '2' }), 2_000],
    [problem(503, 'database_unavailable'), 100],
    [problem(500, 'internal_error'), 100],
    [{ status: 502, body: '<html>Bad gateway</html>' }, 100],
    [breakOff, 100],
  ];
  for (const [response, leastWait] of passing) {
    const { client, requests, waits } = await startFakeApi(context, [response, response, created]);
    const { body, attempts, replayed, etag } = await client.call('createBook', book);
    assert.deepEqual(
      { body, attempts, replayed, etag },
      { body: created.body, attempts: 3, replayed: false, etag: '"1"' },
    );
    const [first] = requests;
    assert.match(String(first?.headers['idempotency-key']), /^[0-9a-f]{32}$/);
    assert.equal(first?.body, '{"title":"Emma"}');
    for (const { headers, body: sent } of requests) {
      assert.equal(headers['idempotency-key'], first?.headers['idempotency-key']);
      assert.equal(sent, first?.body);
    }
    assert.equal(waits.length, 2);
    for (const wait of waits) assert.ok(wait >= leastWait && wait < leastWait + 1_000, `${wait} ms`);
  }
});

test('two calls have different keys, a given key is sent as it is, and reads have none', async (context) => {
  const { client, requests } = await startFakeApi(context, [created]);
  await client.call('createBook', book);
  await client.call('createBook', book);
  await client.call('createBook', { ...book, idempotencyKey: 'mine' });
  await client.call('getBook', { path: { id: 'book_1' } });
  const keys = requests.map(({ headers }) => headers['idempotency-key']);
  assert.notEqual(keys[0], keys[1]);
  assert.deepEqual(keys.slice(2), ['mine', undefined]);
});

test('a call with fewer scopes says so with a session, and not with a token, which has its own', async () => {
  const sent: (string | null)[] = [];
  const options = {
    baseUrl: 'http://localhost',
    fetch: async (_url: string, { headers }: RequestInit) => {
      sent.push(new Headers(headers).get('trellis-session-scopes'));
      return Response.json({}, { status: 200 });
    },
  };
  for (const client of [
    new ApiClient({ ...options, organization: 'org_1', user: 'user_1' }),
    new ApiClient({ ...options, token: 'x' }),
  ]) {
    await client.request({ method: 'PATCH', path: '/v1/books/book_1', body: {}, sessionScopes: 'drafts' });
    await client.request({ method: 'PATCH', path: '/v1/books/book_1', body: {} });
  }
  assert.deepEqual(sent, ['drafts', null, null, null]);
});

test('attempts are bounded, and the error is that of the last one', async (context) => {
  const cases: [FakeResponse | typeof breakOff, ErrorCode, number | null][] = [
    [problem(503, 'overloaded'), 'overloaded', 503],
    [problem(429, 'rate_limited'), 'rate_limited', 429],
    [problem(409, 'idempotency_in_progress'), 'idempotency_in_progress', 409],
    [breakOff, 'unreachable', null],
    [{ status: 504, body: 'Gateway time-out' }, 'unexpected_response', 504],
  ];
  for (const [response, code, status] of cases) {
    const { client, requests } = await startFakeApi(context, [response]);
    await assert.rejects(client.call('createBook', book), (error) => {
      assert.ok(error instanceof ProblemError);
      assert.deepEqual([error.code, error.status, error.isTemporary], [code, status, true]);
      return true;
    });
    assert.equal(requests.length, 4);
    await assert.rejects(client.call('createBook', { ...book, attempts: 2 }));
    assert.equal(requests.length, 6);
  }
});

test('a refusal is final and has its code, faults and members', async (context) => {
  const members = {
    code: 'conflict',
    detail: 'Taken.',
    field: 'isbn13',
    existingId: 'book_2',
    requestId: 'r1',
  };
  const refusals: [FakeResponse, ErrorCode][] = [
    [problem(400, 'malformed_json'), 'malformed_json'],
    [problem(401, 'token_invalid'), 'token_invalid'],
    [problem(403, 'insufficient_scope'), 'insufficient_scope'],
    [problem(412, 'version_mismatch'), 'version_mismatch'],
    [problem(422, 'validation_failed'), 'validation_failed'],
    [problem(422, 'a_code_of_the_future'), 'unknown_problem'],
    [{ status: 404, body: 'Not here' }, 'unexpected_response'],
    [{ status: 301, headers: { location: 'http://127.0.0.1:1/' } }, 'unexpected_response'],
    [{ status: 200, body: '<html>' }, 'unexpected_response'],
    [{ status: 200, body: '[]' }, 'unexpected_response'],
    [{ status: 409, body: members }, 'conflict'],
  ];
  for (const [response, code] of refusals) {
    const { client, requests } = await startFakeApi(context, [response]);
    await assert.rejects(client.call('createBook', book), (error) => {
      assert.ok(error instanceof ProblemError, String(error));
      assert.deepEqual([error.code, error.isTemporary], [code, false]);
      if (code === 'conflict') {
        assert.deepEqual(error.members, members);
        assert.equal(error.requestId, 'r1');
        assert.equal(error.message, 'Taken.');
      }
      return true;
    });
    assert.equal(requests.length, 1, 'it is not sent again');
  }
  const errors = [
    { pointer: '/versionData/title', code: 'required', detail: 'This field is required.' },
    { parameter: 'sort', code: 'value', detail: 'Must be one of: title.' },
  ];
  const body = { code: 'validation_failed', detail: 'Faults.', errors: [...errors, 'nonsense'] };
  const { client } = await startFakeApi(context, [{ status: 422, body }]);
  await assert.rejects(client.call('createBook', book), (error) => {
    assert.ok(error instanceof ProblemError);
    assert.deepEqual(error.faults, errors);
    assert.deepEqual(error.reasons, [
      'versionData.title: This field is required.',
      'sort: Must be one of: title.',
    ]);
    return true;
  });
});

test('an operation without an idempotency key is repeated only when the server says that nothing was done', async (context) => {
  const identify = {
    body: {
      agentVersion: '1',
      signals: {},
      consent: 'GRANTED',
      page: { origin: 'https://example.com', path: '/' },
    },
  } as const;
  const lost = await startFakeApi(context, [breakOff]);
  await assert.rejects(lost.client.call('identifyVisitor', identify), { code: 'unreachable' });
  assert.equal(lost.requests.length, 1);
  assert.equal(lost.requests[0]?.headers['idempotency-key'], undefined);
  const busy = await startFakeApi(context, [problem(503, 'overloaded'), created]);
  await busy.client.call('identifyVisitor', identify);
  assert.equal(busy.requests.length, 2);
});

test('a delay that the server requests of one call applies to all', async (context) => {
  const { client, waits, requests } = await startFakeApi(context, [
    problem(429, 'rate_limited', { 'retry-after': '30' }),
    created,
  ]);
  await assert.rejects(client.call('createBook', { ...book, attempts: 1 }), { code: 'rate_limited' });
  assert.deepEqual([waits.length, requests.length], [0, 1]);
  await client.call('getBook', { path: { id: 'book_1' } });
  assert.equal(waits.length, 1);
  assert.ok((waits[0] ?? 0) >= 30_000);
});

test('Retry-After is read in seconds and as a date, and bounded; delays grow and vary', () => {
  assert.equal(readRetryAfter(null), 0);
  assert.equal(readRetryAfter('7'), 7_000);
  assert.equal(readRetryAfter('86400'), 120_000);
  assert.equal(readRetryAfter('nonsense'), 0);
  assert.equal(readRetryAfter('Wed, 21 Oct 2015 07:28:00 GMT'), 0);
  const soon = readRetryAfter(new Date(Date.now() + 60_000).toUTCString());
  assert.ok(soon > 50_000 && soon <= 60_000, String(soon));
  for (let attempt = 1; attempt <= 40; attempt += 1) {
    const delays = Array.from({ length: 20 }, () => delayAfter(attempt, 0));
    const whole = Math.min(200 * 2 ** (attempt - 1), 10_000);
    for (const delay of delays) assert.ok(delay >= whole / 2 && delay <= whole, `${delay}`);
    assert.ok(new Set(delays).size > 1, 'delays vary');
  }
});

test('aborting ends a call that is waiting for a response, and one that is waiting to be repeated', async (context) => {
  const silent = await startFakeApi(context, [staySilent]);
  const first = new AbortController();
  const call = silent.client.call('createBook', { ...book, signal: first.signal });
  setTimeout(() => first.abort(new Error('enough')), 20);
  await assert.rejects(call, { message: 'enough' });
  const second = new AbortController();
  const busy = await startFakeApi(context, [problem(503, 'overloaded', { 'retry-after': '60' })], {
    wait: (await import('@trellis/client/retry.ts')).wait,
  });
  const waiting = busy.client.call('createBook', { ...book, signal: second.signal });
  while (busy.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  setTimeout(() => second.abort(new Error('enough')), 20);
  await assert.rejects(waiting, { message: 'enough' });
  assert.equal(busy.requests.length, 1);
  const over = AbortSignal.abort(new Error('already'));
  await assert.rejects(busy.client.call('createBook', { ...book, signal: over }), { message: 'already' });
});

test('an attempt that gets no response in time is repeated', async (context) => {
  const keys: (string | null)[] = [];
  // Without a network, whose second response may be late as well on a busy machine.
  const response = (_url: string, { headers, signal }: RequestInit) => {
    keys.push(new Headers(headers).get('idempotency-key'));
    if (keys.length > 1) return Promise.resolve(Response.json(created.body, { status: created.status }));
    return new Promise<Response>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  };
  const { client } = await startFakeApi(context, [created], { timeoutMs: 50, fetch: response });
  const { attempts } = await client.call('createBook', book);
  assert.equal(attempts, 2);
  assert.equal(keys.length, 2);
  assert.equal(keys[0], keys[1]);
});

test('a token may be a function, which is asked for each attempt', async (context) => {
  let calls = 0;
  const { client, requests } = await startFakeApi(context, [problem(503, 'overloaded'), created], {
    token: async () => {
      calls += 1;
      return `token-${calls}`;
    },
  });
  await client.call('createBook', book);
  assert.deepEqual(
    requests.map(({ headers }) => headers.authorization),
    ['Bearer token-1', 'Bearer token-2'],
  );
});

test('what is no page is no empty list, and a header that cannot be sent is an error of the caller', async (context) => {
  const { client, requests } = await startFakeApi(context, [created]);
  await assert.rejects(Array.fromAsync(client.itemsOf({ path: '/v1/books/book_1' })), {
    code: 'unexpected_response',
  });
  assert.equal(requests.length, 1);
  await assert.rejects(client.call('createBook', { ...book, idempotencyKey: 'a\nb' }), TypeError);
  assert.equal(requests.length, 1);
});

test('a parameter that would lead to another path is refused before anything is sent', async (context) => {
  const { client, requests } = await startFakeApi(context, [created]);
  for (const id of ['', '.', '..']) {
    await assert.rejects(client.call('deleteBook', { path: { id } }), TypeError);
  }
  assert.equal(requests.length, 0);
  await client.call('getBook', { path: { id: 'a/b?c#d' }, query: { fields: 'title,isbn13' } });
  assert.equal(requests[0]?.url, '/v1/books/a%2Fb%3Fc%23d?fields=title%2Cisbn13');
});

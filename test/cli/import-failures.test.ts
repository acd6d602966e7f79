/** Tests of which failures reject a row, and which stop an import. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProblemError } from '@trellis/client/problem.ts';
import { Api } from '@trellis/importer/api.ts';
import { ImportStopped } from '@trellis/importer/errors.ts';
import { breakOff, type FakeResponse, problem, startFakeApi } from '../support/fake-api.ts';

const created: FakeResponse = { status: 201, body: { id: 'art_1', version: 1 } };
const write = { method: 'POST', path: '/x', body: { a: 1 }, idempotencyKey: 'key' } as const;

test('what would fail for every row stops the import, anything else concerns the row', async (context) => {
  const cases: [FakeResponse | typeof breakOff, typeof ImportStopped | typeof ProblemError, RegExp][] = [
    [problem(503, 'overloaded'), ImportStopped, /remained unavailable \(503\): It is overloaded/],
    [problem(429, 'rate_limited', { 'retry-after': '1' }), ImportStopped, /\(429\)/],
    [breakOff, ImportStopped, /cannot be reached .*Check that the server is running/],
    [problem(409, 'idempotency_in_progress'), ProblemError, /idempotency_in_progress/],
    [problem(500, 'internal_error'), ProblemError, /internal_error/],
    [problem(400, 'malformed_json'), ProblemError, /malformed_json/],
    [problem(409, 'conflict'), ProblemError, /conflict/],
    [problem(412, 'version_mismatch'), ProblemError, /version_mismatch/],
    [problem(422, 'validation_failed'), ProblemError, /validation_failed/],
    [problem(401, 'token_invalid'), ImportStopped, /token_invalid/],
    [problem(403, 'insufficient_scope'), ImportStopped, /insufficient_scope/],
    [{ status: 404, body: 'Not here' }, ImportStopped, /unexpected form/],
    [{ status: 301, headers: { location: 'http://127.0.0.1:1/' } }, ImportStopped, /unexpected form/],
    [{ status: 200, body: '<html>' }, ImportStopped, /unexpected form/],
    [{ status: 200, body: { items: [] } }, ImportStopped, /contains no record/],
  ];
  for (const [response, kind, message] of cases) {
    const { client } = await startFakeApi(context, [response]);
    await assert.rejects(new Api(client).write(write), (error: Error) => {
      assert.ok(error instanceof kind, String(error));
      assert.match(error.message, message);
      return true;
    });
  }
});

test('a stored response is distinguished from a new one, and a repeated request from a first one', async (context) => {
  const { client } = await startFakeApi(context, [
    breakOff,
    { ...created, headers: { 'idempotent-replayed': 'true' } },
    created,
  ]);
  const api = new Api(client);
  assert.deepEqual(await api.write(write), { record: created.body, replayed: true, retried: true });
  assert.deepEqual(await api.write(write), { record: created.body, replayed: false, retried: false });
});

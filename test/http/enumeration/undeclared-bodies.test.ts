/** Tests of operations without a body: they refuse a body instead of ignoring it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { isWrite } from '@trellis/server/http/operation.ts';
import { attempt, createOwnWorld, freshIds } from '../../support/fixtures.ts';
import { createToken } from '../../support/identities.ts';
import { changesNothing, expectProblem, isSuccess } from '../../support/refusals.ts';
import { startTestServer } from '../../support/server.ts';
import { TenantTables } from '../../support/tenant-tables.ts';

const server = await startTestServer();
const tables = await TenantTables.open(server.database);
const world = await createOwnWorld(server);
const { token: scopeless } = await createToken(server.database.worker, server.organization, server.ownerId, {
  scopes: [],
});
after(async () => {
  await tables.close();
  await server.close();
});

const operations = server.server.operations.filter(
  (operation) => isWrite(operation) && operation.body === null && operation.acceptsContent !== true,
);
const json = { 'content-type': 'application/json' };

test('the operations without a declared body include deletions and actions', () => {
  assert.ok(operations.some(({ method }) => method === 'DELETE'));
  assert.ok(operations.some(({ method }) => method === 'POST'));
});

for (const operation of operations) {
  test(`${operation.operationId}: a body is refused, and nothing happens`, () =>
    changesNothing(tables, async () => {
      const send = (rawBody: string, headers: Record<string, string> = json) =>
        attempt(world, operation, { rawBody, headers });
      for (const malformed of ['{{{', '{"a":1,"a":2}', ' ', '{}{}']) {
        expectProblem(await send(malformed), 400, 'malformed_json', malformed);
      }
      const unknown = await send('{"zz":1,"a/b":{}}');
      expectProblem(unknown, 422, 'unknown_field');
      assert.deepEqual(
        unknown.json.errors.map(({ pointer }: { pointer: string }) => pointer),
        ['/zz', '/a~1b'],
      );
      for (const other of ['[]', 'null', '1', '"x"', 'false']) {
        const refused = await send(other);
        expectProblem(refused, 422, 'unknown_field', other);
        assert.deepEqual(
          refused.json.errors.map(({ pointer }: { pointer: string }) => pointer),
          [''],
        );
      }
      for (const type of [
        'text/plain',
        'application/merge-patch+json',
        'application/x-www-form-urlencoded',
      ]) {
        expectProblem(await send('{}', { 'content-type': type }), 415, 'unsupported_media_type', type);
      }
      const many = JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, index) => [index, 1])));
      assert.equal((await send(many)).json.errors.length, 100);
      const refused = await attempt(world, operation, { rawBody: '{{{', headers: json, token: scopeless });
      expectProblem(refused, 403, 'insufficient_scope');
    }));

  test(`${operation.operationId}: an empty object counts as no body, and is part of the fingerprint`, async () => {
    const request = {
      ids: await freshIds(world, operation),
      key: randomUUID(),
      rawBody: '{}',
      headers: json,
    };
    const first = await attempt(world, operation, request);
    assert.ok(isSuccess(first), first.text);
    const again = await attempt(world, operation, { ...request, rawBody: ' { } ' });
    assert.equal(again.headers.get('idempotent-replayed'), 'true', again.text);
    expectProblem(
      await attempt(world, operation, { ids: request.ids, key: request.key }),
      422,
      'idempotency_key_reused',
    );
  });
}

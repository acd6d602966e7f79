/** Tests of operations without a body: they refuse a body instead of ignoring it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { isWrite } from '@trellis/server/kernel/http/operation.ts';
import { attempt, createOwnWorld, freshIds } from '../../support/fixtures.ts';
import { createToken } from '../../support/identities.ts';
import { testUndeclaredBody } from '../../support/inputs.ts';
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

for (const [index, operation] of operations.entries()) {
  testUndeclaredBody({
    operation,
    index,
    validBody: () => ({}),
    send: (variation) => attempt(world, operation, variation),
    changesNothing: (attempts) => changesNothing(tables, attempts),
  });

  test(`${operation.operationId}: without the scope a body is not looked at`, () =>
    changesNothing(tables, async () => {
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

/** Tests of every operation of the sandbox: who is refused, which requests are refused, and what suffices. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { grantOf, roles } from '@trellis/schema/rights/permissions.ts';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { buildSandboxDocument } from '@trellis/server/features/sandbox/http/document.ts';
import { type PlantOperation, plantOperations } from '@trellis/server/features/sandbox/http/operations.ts';
import type { Audience } from '@trellis/server/kernel/identity/actor.ts';
import { makeToken } from '@trellis/server/kernel/identity/tokens.ts';
import { createMember, createToken } from '../../support/identities.ts';
import { changesNothing, isSuccess } from '../../support/refusals.ts';
import { type Json, startTestServer, type TestResponse } from '../../support/server.ts';
import { TenantTables } from '../../support/tenant-tables.ts';

const server = await startTestServer();
const { organization, ownerId } = server;
const { worker } = server.database;
const tables = await TenantTables.open(server.database);
after(async () => {
  await tables.close();
  await server.close();
});

async function tokenOf(userId: string, scopes = allScopes, audiences: readonly Audience[] = ['sandbox']) {
  return (await createToken(worker, organization, userId, { scopes, audiences })).token;
}

const token = await tokenOf(ownerId);
const members = await Promise.all(
  roles.map(async (role) => ({ role, token: await tokenOf(await createMember(worker, organization, role)) })),
);

/** The differences of an attempt from the valid request. */
interface Variation {
  readonly token?: string | null;
  readonly rawBody?: string;
  readonly query?: string;
  readonly type?: string;
}

/** Calls an operation with the valid request, except for the variation. */
function attempt(operation: PlantOperation, id: number, variation: Variation = {}): Promise<TestResponse> {
  const path = operation.path.replace('{id}', String(id)) + (variation.query ?? '');
  const body = operation.body === null ? undefined : JSON.stringify({ id, name: 'Fern' });
  const rawBody = variation.rawBody ?? body;
  return server.call(operation.method, path, {
    key: null,
    token: variation.token === undefined ? token : variation.token,
    ...(rawBody === undefined ? {} : { rawBody }),
    headers: rawBody === undefined ? {} : { 'content-type': variation.type ?? 'application/json' },
  });
}

let lastId = 0;

/** The id of a new plant where the operation needs one, and otherwise of none yet. */
async function freshId(operation: PlantOperation): Promise<number> {
  lastId += 1;
  const create = plantOperations.find(({ operationId }) => operationId === 'createPlant');
  assert.ok(create);
  if (operation.pathParameters.length > 0) assert.equal((await attempt(create, lastId)).status, 200);
  return lastId;
}

function expectError(response: TestResponse, status: number, error: number, label = ''): void {
  const shown = `${label} responded with ${response.status}: ${response.text}`;
  assert.equal(response.status, status, shown);
  assert.deepEqual(Object.keys(response.json), ['error', 'message'], shown);
  assert.equal(response.json.error, error, shown);
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8', shown);
}

const document: Json = JSON.parse(JSON.stringify(buildSandboxDocument('https://trellis.test/sandbox')));

/** The tries whose refusals the document must have. */
const refusedStatuses = new Map<PlantOperation, Set<number>>();

for (const operation of plantOperations) {
  const { operationId, requirement, queryParameters, body, success } = operation;
  const refuse = (response: TestResponse, status: number, error: number, label?: string) => {
    refusedStatuses.set(operation, (refusedStatuses.get(operation) ?? new Set()).add(status));
    expectError(response, status, error, label);
  };

  test(`${operationId}: the right request gets a documented response`, async () => {
    const response = await attempt(operation, await freshId(operation));
    assert.equal(response.status, success.status, response.text);
    assert.equal(response.text === '', success.content === null);
    assert.equal(response.headers.get('cache-control'), 'private, no-cache');
    assert.match(response.headers.get('vary') ?? '', /\bAuthorization\b/);
  });

  test(`${operationId}: tokens, scopes and modules that do not suffice are refused, and nothing happens`, async () => {
    const id = await freshId(operation);
    const without = await tokenOf(
      ownerId,
      allScopes.filter((scope) => !requirement.scopes.includes(scope)),
    );
    const elsewhere = await tokenOf(ownerId, allScopes, ['api']);
    const set = 'UPDATE trellis.organizations SET modules = $2 WHERE id = $1';
    const [row] = await tables.run('SELECT modules FROM trellis.organizations WHERE id = $1', [
      organization.id,
    ]);
    const modules = row?.modules as string[];
    const unseen = await tokenOf(ownerId);
    await changesNothing(tables, async () => {
      refuse(await attempt(operation, id, { token: null }), 401, 2001);
      for (const invalid of ['x', makeToken(organization.id), elsewhere])
        refuse(await attempt(operation, id, { token: invalid }), 401, 2002, invalid);
      refuse(await attempt(operation, id, { token: without }), 403, 2003);
      // Before the request is looked at.
      refuse(await attempt(operation, id, { token: without, query: '?nonsense=1' }), 403, 2003);
    });
    await tables.run(set, [organization.id, modules.filter((module) => module !== requirement.module)]);
    try {
      await changesNothing(tables, async () =>
        refuse(await attempt(operation, id, { token: unseen }), 403, 2003),
      );
    } finally {
      await tables.run(set, [organization.id, modules]);
    }
    const enough = await attempt(operation, id, { token: await tokenOf(ownerId, [...requirement.scopes]) });
    assert.ok(isSuccess(enough), enough.text);
  });

  test(`${operationId}: each role may do exactly what the matrix says`, async () => {
    const { permission } = requirement;
    assert.ok(permission !== null);
    for (const { role, token: own } of members) {
      const id = await freshId(operation);
      const response = await attempt(operation, id, { token: own });
      if (grantOf(role, permission.resource, permission.action) === 'all')
        assert.ok(isSuccess(response), `${role}: ${response.text}`);
      else refuse(response, 403, 2003, role);
    }
  });

  test(`${operationId}: unknown and repeated parameters are refused, and nothing happens`, async () => {
    const id = await freshId(operation);
    await changesNothing(tables, async () => {
      refuse(await attempt(operation, id, { query: '?nonsense=1' }), 400, 1006);
      for (const { name, example } of queryParameters) {
        for (const query of [`${name}=`, `${name}=x`, `${name}=${example}&${name}=${example}`, `${name}x=1`])
          refuse(await attempt(operation, id, { query: `?${query}` }), 400, 1006, query);
      }
    });
  });

  if (operation.method !== 'GET') {
    test(`${operationId}: malformed, unknown and mistyped bodies are refused, and nothing happens`, async () => {
      const id = await freshId(operation);
      await changesNothing(tables, async () => {
        for (const rawBody of ['{', ' ', '{"a":1,"a":2}'])
          refuse(await attempt(operation, id, { rawBody }), 400, 1001, rawBody);
        for (const rawBody of ['[]', 'null', '1', '"x"'])
          refuse(await attempt(operation, id, { rawBody }), 400, 1002, rawBody);
        const known = body === null ? {} : { id, name: 'Fern' };
        const unknown = JSON.stringify({ ...known, nonsense: 1 });
        refuse(await attempt(operation, id, { rawBody: unknown }), 400, 1003);
        for (const type of ['text/plain', 'application/merge-patch+json', 'application/json; charset=latin1'])
          refuse(await attempt(operation, id, { rawBody: '{}', type }), 415, 4002, type);
        const large = `{"name": "${'x'.repeat(1_100_000)}"}`;
        refuse(await attempt(operation, id, { rawBody: large }), 413, 4001);
      });
    });
  }

  test(`${operationId}: every refusal that was tried is documented`, () => {
    const described = document.paths[operation.path.replace('/sandbox', '')][operation.method.toLowerCase()];
    assert.equal(described.operationId, operationId);
    assert.ok((refusedStatuses.get(operation)?.size ?? 0) >= 3);
    for (const status of refusedStatuses.get(operation) ?? [])
      assert.ok(String(status) in described.responses, `${operationId} does not document ${status}`);
  });
}

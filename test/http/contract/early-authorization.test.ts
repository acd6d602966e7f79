/**
 * Tests of authorization before the body: writes are refused by current state, permitted by state at most two seconds
 * old, and need no query for each write.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import type { Step } from '@trellis/server/kernel/database/batch.ts';
import type { Database } from '@trellis/server/kernel/database/database.ts';
import { isWrite, type Operation } from '@trellis/server/kernel/http/operation.ts';
import { firstResponse, openRawConnection, requestHead } from '../../support/connections.ts';
import { createOwnWorld, pathOf } from '../../support/fixtures.ts';
import { createToken } from '../../support/identities.ts';
import { startTestServer } from '../../support/server.ts';
import { createPublishableKey, identify, pageOrigin } from '../../support/visitors.ts';

const server = await startTestServer({ connections: { lingerMs: 200, bodyTimeoutMs: 1_000 } });
const world = await createOwnWorld(server);
const { worker } = server.database;
after(() => server.close());

const writes = server.server.operations.filter(isWrite);

/** Statements of the requests to the database since the last call of this function, one list for each round trip. */
const roundTrips: string[][] = [];
countRoundTrips(server.database.api);

function countRoundTrips(database: Database): void {
  const read = database.query.bind(database);
  const transaction = database.transaction.bind(database);
  const names = (steps: readonly Step[]) => steps.map(({ statement }) => statement.name);
  database.query = (scope, steps) => {
    roundTrips.push(names(steps));
    return read(scope, steps);
  };
  database.transaction = (scope, first, work) => {
    roundTrips.push(names(first));
    return transaction(scope, first, work);
  };
}

/** Sends the head of a write that announces a large body, and none of it. */
async function announce(operation: Operation, token: string): Promise<{ status: number; code: string }> {
  const connection = await openRawConnection(server.url);
  const type = operation.body?.mediaTypes[0] ?? 'application/octet-stream';
  connection.write(
    requestHead(operation.method, pathOf(operation, world.ids), [
      `Authorization: Bearer ${token}`,
      `Content-Type: ${type}`,
      `Idempotency-Key: ${randomUUID()}`,
      'Content-Length: 500000',
    ]),
  );
  const { status, json } = firstResponse((await connection.closed).text);
  return { status, code: json?.code };
}

for (const operation of writes) {
  test(`${operation.operationId}: unauthorized callers are refused before they send a body`, async () => {
    const without = await createToken(worker, server.organization, server.ownerId, { scopes: [] });
    if (operation.requirement.scopes.length > 0) {
      assert.deepEqual(await announce(operation, without.token), { status: 403, code: 'insufficient_scope' });
    }
    await worker.run('UPDATE trellis.tokens SET revoked_at = now() WHERE id = $1', [without.id]);
    assert.deepEqual(await announce(operation, without.token), { status: 401, code: 'token_invalid' });
  });
}

test('a new right applies immediately, despite cached state', async () => {
  const { token, id } = await createToken(worker, server.organization, server.ownerId, {
    scopes: ['sites:read'],
  });
  const write = () =>
    server.call('POST', '/v1/sites', {
      token,
      body: { name: 'New', key: `new-${randomUUID().slice(0, 8)}` },
    });
  assert.equal((await write()).status, 403);
  await worker.run("UPDATE trellis.tokens SET scopes = '{sites:read,sites:write}' WHERE id = $1", [id]);
  assert.equal((await write()).status, 201);
});

test('a right that was revoked after the early check is refused by the write', async () => {
  const { token, id } = await createToken(worker, server.organization, server.ownerId);
  const write = () =>
    server.call('POST', '/v1/sites', {
      token,
      body: { name: 'New', key: `new-${randomUUID().slice(0, 8)}` },
    });
  assert.equal((await write()).status, 201);
  await worker.run('UPDATE trellis.tokens SET revoked_at = now() WHERE id = $1', [id]);
  assert.equal((await write()).status, 401);
});

test('repeated writes need no query besides the write', async () => {
  const { token } = await createToken(worker, server.organization, server.ownerId);
  const write = () =>
    server.call('POST', '/v1/sites', {
      token,
      body: { name: 'Busy', key: `busy-${randomUUID().slice(0, 8)}` },
    });
  assert.equal((await write()).status, 201);
  roundTrips.length = 0;
  for (let count = 0; count < 10; count += 1) assert.equal((await write()).status, 201);
  const reads = roundTrips.filter((names) => names.length === 1 && names[0] === 'identity');
  // Each write is one transaction; state older than two seconds is read again.
  assert.ok(reads.length <= 2, `${reads.length} reads beside ${roundTrips.length - reads.length} writes`);
  assert.equal(roundTrips.length - reads.length, 10);
});

test('the token state read by a write is used for the next one', async (t) => {
  const { token } = await createToken(worker, server.organization, server.ownerId);
  const write = async () => {
    const site = { name: 'Next', key: `next-${randomUUID().slice(0, 8)}` };
    assert.equal((await server.call('POST', '/v1/sites', { token, body: site })).status, 201);
  };
  let later = 0;
  const now = performance.now.bind(performance);
  t.mock.method(performance, 'now', () => now() + later);
  await write();
  later += 1_900;
  await write();
  later += 1_000;
  roundTrips.length = 0;
  // The state that was read before the first write is older than two seconds, that of the second write is not.
  await write();
  assert.deepEqual(
    roundTrips.map(([first]) => first),
    ['idempotency_lock_shared'],
  );
  assert.ok((roundTrips[0]?.length ?? 0) > 1, 'the transaction of the write');
});

test('repeated sandbox and identify calls need no further query either', async () => {
  const plants = await createToken(worker, server.organization, server.ownerId, { audiences: ['sandbox'] });
  const site = world.ids.get('sites') ?? '';
  const { key } = await createPublishableKey(server, server.organization, site, [pageOrigin]);
  const plant = (id: number) =>
    server.call('POST', '/sandbox/plants', {
      token: plants.token,
      key: null,
      rawBody: `{"id": ${id}, "name": "p"}`,
    });
  assert.equal((await plant(0)).status, 200);
  assert.equal((await identify(server, key)).status, 200);
  roundTrips.length = 0;
  for (let count = 1; count <= 5; count += 1) {
    assert.equal((await plant(count)).status, 200);
    assert.equal((await identify(server, key)).status, 200);
  }
  const alone = roundTrips.filter(
    (names) => names.length === 1 && ['identity', 'publishable_key_state'].includes(names[0] ?? ''),
  );
  assert.ok(alone.length <= 4, `${alone.length} reads of identity alone`);
});

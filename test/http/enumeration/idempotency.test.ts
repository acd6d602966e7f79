/**
 * Tests of the idempotency of every write: without a key, repeated with its key, with the key of another request, and
 * many times at once.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { resources } from '@trellis/schema/resources/index.ts';
import { hasHistory } from '@trellis/schema/resources/resource.ts';
import { grantOf } from '@trellis/schema/rights/permissions.ts';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { isWrite, type Operation } from '@trellis/server/kernel/http/operation.ts';
import {
  type Attempted,
  attempt,
  bodyOf,
  createOwnWorld,
  freshIds,
  type Ids,
  operationsFor,
  ownParameter,
  type Variation,
} from '../../support/fixtures.ts';
import { createMember, createToken } from '../../support/identities.ts';
import { changesNothing, expectProblem, isSuccess } from '../../support/refusals.ts';
import { startTestServer } from '../../support/server.ts';
import { amount, casesFor } from '../../support/soak.ts';
import { TenantTables, type TestEvent } from '../../support/tenant-tables.ts';

const concurrentCount = amount(10, 50);

const server = await startTestServer();
const { organization, ownerId } = server;
const { worker } = server.database;
const tables = await TenantTables.open(server.database);
const world = await createOwnWorld(server);
after(async () => {
  await tables.close();
  await server.close();
});

async function tokenOf(userId: string, scopes: readonly string[] = allScopes) {
  return (await createToken(worker, organization, userId, { scopes })).token;
}

const noScopes = await tokenOf(ownerId, []);
const secondToken = await tokenOf(ownerId);
const otherUser = await tokenOf(await createMember(worker, organization, 'OWNER'));

const invalidKeys = ['x'.repeat(256), 'a b', 'clé', '""', '"x', 'x"', 'a"b', '"a b"', '"a\\x"', 'a, b'];

let bodies = 0;

/** A valid body. Those of an operation differ, also where the example has no text that must be unique. */
function makeBody(operation: Operation, ids: Ids): unknown {
  const body = bodyOf(operation, ids);
  bodies += 1;
  if (operation.operationId === 'updateOrganization') return { ...body, name: `Acme ${bodies}` };
  if (operation.operationId === 'updateMember')
    return { ...body, status: bodies % 2 === 0 ? 'ACTIVE' : 'DISABLED' };
  return body;
}

/** A request that can be sent several times in the same words. */
async function prepare(operation: Operation): Promise<Variation & { ids: Ids; key: string }> {
  const ids = await freshIds(world, operation);
  const body = operation.body === null ? {} : { body: makeBody(operation, ids) };
  return { ids, key: randomUUID(), ...body };
}

function expectReplay(replay: Attempted, first: Attempted): void {
  assert.equal(replay.headers.get('idempotent-replayed'), 'true', replay.text);
  assert.equal(replay.status, first.status);
  assert.equal(replay.text, first.text);
  for (const header of ['location', 'etag', 'content-type', 'cache-control', 'vary']) {
    assert.equal(replay.headers.get(header), first.headers.get(header), header);
  }
}

/** Writes that change no record: sending to an endpoint does not change the endpoint. */
const untold = ['testWebhookEndpoint', 'retryWebhookDelivery', 'replayWebhookEvents'];

/** Expects that the old token is told to end sooner, and the new one to be created. */
function expectRotation(events: readonly TestEvent[]): void {
  assert.deepEqual(
    events.map(({ type }) => type),
    ['token.updated', 'token.created'],
  );
}

/** The last part of an event's type, for operations that are not a creation, change or deletion by their name. */
const words: Readonly<Record<string, string>> = {
  deleteVisitor: 'erased',
  deleteInvitation: 'revoked',
  resendInvitation: 'resent',
  restoreFromTrash: 'restored',
  purgeFromTrash: 'purged',
  publishKnowledgeFilePicture: 'published',
};

/** Expects the events that the response implies: one per new version, none where nothing changed. */
function expectEvents(operation: Operation, response: Attempted, events: readonly TestEvent[]): void {
  if (operation.operationId === 'rotateToken') {
    expectRotation(events);
    return;
  }
  const isCreation = operation.requirement.permission?.action === 'create';
  const kind = operation.method === 'DELETE' ? 'deleted' : isCreation ? 'created' : 'updated';
  // A batch of the example has one item.
  const shown = JSON.stringify(events);
  const outcome = response.text === '' ? null : (response.json.items?.[0] ?? response.json);
  const version = outcome === null ? null : outcome.version;
  // A record that the request found at version 1 and left there was not changed.
  const isUnchanged = (kind === 'updated' && version === 1) || untold.includes(operation.operationId);
  assert.equal(events.length, isUnchanged ? 0 : 1, `${operation.operationId}: ${shown}`);
  for (const event of events) {
    const word = words[operation.operationId] ?? kind;
    assert.ok(event.type.endsWith(`.${word}`), shown);
    if (version !== null) assert.equal(event.subjectVersion, version, shown);
    assert.equal(event.changedFields.length > 0, word === 'revoked' || kind !== 'deleted', shown);
  }
}

for (const [index, operation] of operationsFor(world).filter(isWrite).entries()) {
  const { operationId } = operation;
  const action = operation.requirement.permission?.action;

  test(`${operationId}: a valid key is required`, () =>
    changesNothing(tables, async () => {
      expectProblem(await attempt(world, operation, { key: null }), 400, 'idempotency_key_required');
      for (const key of ['', ' ']) {
        expectProblem(await attempt(world, operation, { key }), 400, 'idempotency_key_required', key);
      }
      for (const key of casesFor(index, invalidKeys)) {
        const refused = await attempt(world, operation, { key });
        expectProblem(refused, 400, 'idempotency_key_invalid', key);
        assert.equal(refused.json.errors[0].header, 'Idempotency-Key');
      }
    }));

  test(`${operationId}: a repeated request returns the same response and is not carried out again`, async () => {
    const request = await prepare(operation);
    const first = await attempt(world, operation, request);
    assert.ok(isSuccess(first), first.text);
    assert.equal(first.headers.get('idempotent-replayed'), null);
    expectEvents(operation, first, await tables.eventsOf(first.requestId));
    await changesNothing(tables, async () => {
      for (const same of [{}, { key: `"${request.key}"` }, { token: secondToken }]) {
        expectReplay(await attempt(world, operation, { ...request, ...same }), first);
      }
      if (request.body === undefined) return;
      const reordered = Object.fromEntries(Object.entries(request.body as object).reverse());
      const rawBody = JSON.stringify(reordered, null, 2);
      const { body: _body, ...rest } = request;
      expectReplay(await attempt(world, operation, { ...rest, rawBody }), first);
    });
  });

  test(`${operationId}: a response that is a record with a history is stored without its body, others with it`, async () => {
    const request = await prepare(operation);
    const first = await attempt(world, operation, request);
    assert.ok(isSuccess(first), first.text);
    const { schemaName } = operation.success;
    const isRecord =
      schemaName === 'RestoredRecord' ||
      resources.some((resource) => resource.title.singular === schemaName && hasHistory(resource));
    const [stored] = await tables.run('SELECT shows, body FROM trellis.idempotency_keys WHERE key = $1', [
      request.key,
    ]);
    const shows = first.text === '' ? 'NOTHING' : isRecord ? 'RECORD' : 'OTHER';
    assert.equal(stored?.shows, shows);
    assert.equal(stored?.body === null, shows !== 'OTHER');
  });

  test(`${operationId}: a key is valid for one request only`, async () => {
    const request = await prepare(operation);
    const others: Variation[] = [{ headers: { 'if-match': '*' } }];
    if (operation.body !== null) others.push({ body: makeBody(operation, request.ids) });
    if (ownParameter(operation) !== null) others.push({ ids: await freshIds(world, operation) });
    const first = await attempt(world, operation, request);
    assert.ok(isSuccess(first), first.text);
    await changesNothing(tables, async () => {
      for (const other of others) {
        const refused = await attempt(world, operation, { ...request, ...other });
        expectProblem(refused, 422, 'idempotency_key_reused', JSON.stringify(other));
      }
    });
  });

  test(`${operationId}: the key of another user is another key`, async () => {
    const request = await prepare(operation);
    const first = await attempt(world, operation, request);
    assert.ok(isSuccess(first), first.text);
    const other = { ...request, ids: await freshIds(world, operation), token: otherUser };
    const second = await attempt(world, operation, {
      ...other,
      ...(operation.body === null ? {} : { body: bodyOf(operation, other.ids) }),
    });
    assert.ok(isSuccess(second), second.text);
    assert.equal(second.headers.get('idempotent-replayed'), null);
  });

  test(`${operationId}: a replay is authorized again`, async () => {
    const request = await prepare(operation);
    assert.ok(isSuccess(await attempt(world, operation, request)));
    await changesNothing(tables, async () => {
      const refused = await attempt(world, operation, { ...request, token: noScopes });
      expectProblem(refused, 403, 'insufficient_scope');
    });
    const userId = await createMember(worker, organization, 'OWNER');
    const token = await tokenOf(userId);
    const demote = (role: string) =>
      tables.run('UPDATE trellis.memberships SET role = $1 WHERE user_id = $2', [role, userId]);
    const again = { ...(await prepare(operation)), token };
    assert.ok(isSuccess(await attempt(world, operation, again)));
    const { permission } = operation.requirement;
    // Every role may end sessions of its own.
    if (permission === null) return;
    await demote('VIEWER');
    if (grantOf('VIEWER', permission.resource, permission.action) === 'all') {
      assert.ok(isSuccess(await attempt(world, operation, again)));
      return;
    }
    await changesNothing(tables, async () => {
      expectProblem(await attempt(world, operation, again), 403, 'permission_denied');
    });
    if (grantOf('AUTHOR', permission.resource, permission.action) !== 'own') return;
    // An author may change only own records; a deleted record's owner is no longer known.
    if (action === 'delete') return;
    await demote('AUTHOR');
    await changesNothing(tables, async () => {
      expectProblem(await attempt(world, operation, again), 403, 'permission_denied', 'demoted to AUTHOR');
    });
  });

  test(`${operationId}: If-Match is not checked again in a replay`, async () => {
    if (ownParameter(operation) === null) return;
    const request = { ...(await prepare(operation)), headers: { 'if-match': '"1"' } };
    const first = await attempt(world, operation, request);
    assert.ok(isSuccess(first), first.text);
    expectReplay(await attempt(world, operation, request), first);
  });

  test(`${operationId}: a refused request leaves its key free`, async () => {
    const request = await prepare(operation);
    await changesNothing(tables, async () => {
      const wrong = { ...request, headers: { 'if-match': '"99"' } };
      const refusals = [
        { ...request, token: noScopes },
        ...(ownParameter(operation) === null ? [] : [wrong]),
      ];
      for (const refusal of refusals) {
        const refused = await attempt(world, operation, refusal);
        assert.equal(isSuccess(refused), false, refused.text);
        assert.deepEqual(await tables.eventsOf(refused.requestId), []);
      }
    });
    const corrected = await attempt(world, operation, request);
    assert.ok(isSuccess(corrected), corrected.text);
    assert.equal(corrected.headers.get('idempotent-replayed'), null);
  });

  test(`${operationId}: ${concurrentCount} concurrent requests under one key are one write`, async () => {
    const request = await prepare(operation);
    const responses = await Promise.all(
      Array.from({ length: concurrentCount }, () => attempt(world, operation, request)),
    );
    const done = responses.filter(
      (response) => isSuccess(response) && response.headers.get('idempotent-replayed') === null,
    );
    const [first] = done;
    assert.ok(first !== undefined && done.length === 1, `${done.length} carried it out`);
    for (const response of responses) {
      if (response === first) continue;
      if (isSuccess(response)) {
        expectReplay(response, first);
      } else {
        expectProblem(response, 409, 'idempotency_in_progress');
        assert.equal(response.headers.get('retry-after'), '1');
      }
    }
    const events = await Promise.all(responses.map(({ requestId }) => tables.eventsOf(requestId)));
    expectEvents(operation, first, events.flat());
    const [count] = await tables.run('SELECT count(*)::int FROM trellis.idempotency_keys WHERE key = $1', [
      request.key,
    ]);
    assert.deepEqual(count, { count: 1 });
    expectReplay(await attempt(world, operation, request), first);
  });
}

test('a replay of a publication checks the right to publish again', async () => {
  const update = server.server.operations.find(({ operationId }) => operationId === 'updateArticle');
  assert.ok(update);
  const body = { versionData: { status: 'PUBLISHED' } };
  const request = { ids: await freshIds(world, update), key: randomUUID(), body };
  assert.ok(isSuccess(await attempt(world, update, request)));
  const token = await tokenOf(ownerId, ['articles:write']);
  expectProblem(await attempt(world, update, { ...request, token }), 403, 'insufficient_scope');
});

test('a key that has expired is free again', async () => {
  const [operation] = server.server.operations.filter(({ method }) => method === 'POST');
  assert.ok(operation);
  const request = await prepare(operation);
  const first = await attempt(world, operation, request);
  await tables.run(
    `UPDATE trellis.idempotency_keys SET created_at = now() - interval '8 days' WHERE key = $1`,
    [request.key],
  );
  const { ids, key } = request;
  const second = await attempt(world, operation, { ids, key });
  assert.ok(isSuccess(second), second.text);
  assert.notEqual(second.json.id, first.json.id);
  assert.equal(second.headers.get('idempotent-replayed'), null);
});

test('a replay of a complete response has no Preference-Applied header', async () => {
  const [operation] = server.server.operations.filter(({ method }) => method === 'POST');
  assert.ok(operation);
  const request = await prepare(operation);
  const first = await attempt(world, operation, request);
  const replay = await attempt(world, operation, { ...request, headers: { prefer: 'return=minimal' } });
  expectReplay(replay, first);
  assert.equal(replay.headers.get('preference-applied'), null);
});

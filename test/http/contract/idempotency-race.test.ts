/**
 * Tests of concurrent requests with one idempotency key, also on two nodes: fifty attempts are one write with one
 * event; the others get the stored response, or 409.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { AdminClient } from '../../support/admin-client.ts';
import { createMember, createToken } from '../../support/identities.ts';
import { startNode } from '../../support/nodes.ts';
import { expectProblem, isSuccess, wasTurnedAway } from '../../support/refusals.ts';
import { startTestServer, type TestResponse } from '../../support/server.ts';
import { TenantTables } from '../../support/tenant-tables.ts';

const callers = 50;

const server = await startTestServer();
const { organization, ownerId } = server;
const { worker } = server.database;
const tables = await TenantTables.open(server.database);
/** A second node, which shares no memory with the first one. */
const node = await startNode(server.database, { acquireTimeoutMs: 30_000 });
/** A second token of the same user and client: keys are theirs, not the token's. */
const second = await createToken(worker, organization, ownerId);
after(async () => {
  await node.close();
  await tables.close();
  await server.close();
});

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
}

/** Sends a request to one of the nodes; again, as a client would, when that node is too busy with this very test. */
async function send(index: number, { method, path, key, body, headers, token }: Sent): Promise<TestResponse> {
  const bearer = token ?? (index % 3 === 0 ? second.token : server.token);
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(`${index % 2 === 0 ? server.url : node.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        'idempotency-key': key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    const { status, headers: received } = response;
    const json = text === '' ? undefined : JSON.parse(text);
    if (!wasTurnedAway({ status, json }) || tries === 50) return { status, headers: received, text, json };
    await sleep(50);
  }
}

/** Sends as many at once as there are callers. */
function race(request: (index: number) => Sent): Promise<TestResponse[]> {
  return Promise.all(Array.from({ length: callers }, (_, index) => send(index, request(index))));
}

function isReplay({ headers }: TestResponse): boolean {
  return headers.get('idempotent-replayed') === 'true';
}

/** The only response that is not a replay of another and no refusal. */
function theOneDone(responses: readonly TestResponse[]): TestResponse {
  const done = responses.filter((response) => isSuccess(response) && !isReplay(response));
  assert.equal(done.length, 1, `${done.length} of ${responses.length} were carried out`);
  const [first] = done;
  assert.ok(first);
  return first;
}

/** Expects one write; all other requests get its stored response or are told to wait. */
function expectOneWrite(responses: readonly TestResponse[]): TestResponse {
  const first = theOneDone(responses);
  for (const response of responses) {
    if (response === first) continue;
    if (isSuccess(response)) {
      assert.equal(response.status, first.status);
      assert.equal(response.text, first.text);
      assert.equal(response.headers.get('etag'), first.headers.get('etag'));
    } else {
      expectProblem(response, 409, 'idempotency_in_progress');
      assert.equal(response.headers.get('retry-after'), '1');
    }
  }
  return first;
}

/** Types and versions of a record's events, in order. */
async function eventsOf(id: string): Promise<string[]> {
  const rows = await tables.run(
    `SELECT type || ' ' || subject_version AS event FROM trellis.outbox WHERE subject_id = $1 ORDER BY subject_version, type`,
    [decodeId('site', id)],
  );
  return rows.map(({ event }) => String(event));
}

async function count(table: 'sites' | 'idempotency_keys', column: 'key', value: string): Promise<number> {
  const [row] = await tables.run(`SELECT count(*)::integer AS n FROM trellis.${table} WHERE ${column} = $1`, [
    value,
  ]);
  return Number(row?.n);
}

function newKey(): string {
  return `site-${randomUUID().slice(0, 8)}`;
}

async function createSite(): Promise<string> {
  const body = { name: 'Site', key: newKey() };
  const { status, json, text } = await send(0, {
    method: 'POST',
    path: '/v1/sites',
    key: randomUUID(),
    body,
  });
  assert.equal(status, 201, text);
  return json.id;
}

test('fifty creates under one key are one record with one event', async () => {
  const key = randomUUID();
  const body = { name: 'Race', key: newKey() };
  const responses = await race(() => ({ method: 'POST', path: '/v1/sites', key, body }));
  const { json } = expectOneWrite(responses);
  assert.equal(await count('sites', 'key', body.key), 1);
  assert.equal(await count('idempotency_keys', 'key', key), 1);
  assert.deepEqual(await eventsOf(json.id), ['site.created 1']);
  const later = await race(() => ({ method: 'POST', path: '/v1/sites', key, body }));
  assert.ok(later.some(isReplay));
  assert.equal(
    later.some((response) => isSuccess(response) && !isReplay(response)),
    false,
  );
});

test('fifty changes under one key increase the version once', async () => {
  const id = await createSite();
  const key = randomUUID();
  const responses = await race(() => ({
    method: 'PATCH',
    path: `/v1/sites/${id}`,
    key,
    body: { name: 'Changed' },
  }));
  assert.equal(expectOneWrite(responses).json.version, 2);
  assert.deepEqual(await eventsOf(id), ['site.created 1', 'site.updated 2']);
});

test('fifty deletions under one key are one', async () => {
  const id = await createSite();
  const key = randomUUID();
  const responses = await race(() => ({ method: 'DELETE', path: `/v1/sites/${id}`, key }));
  assert.equal(expectOneWrite(responses).status, 204);
  assert.equal((await eventsOf(id)).filter((event) => event.startsWith('site.deleted')).length, 1);
  const { status } = await send(0, { method: 'DELETE', path: `/v1/sites/${id}`, key: randomUUID() });
  assert.equal(status, 404);
});

test('fifty different requests under one key create one record; the others get 422 or 409', async () => {
  const key = randomUUID();
  const name = newKey();
  const responses = await race((index) => ({
    method: 'POST',
    path: '/v1/sites',
    key,
    body: { name, key: `${name}-${index}` },
  }));
  const first = theOneDone(responses);
  for (const response of responses) {
    if (response === first) continue;
    assert.ok(
      ['idempotency_in_progress', 'idempotency_key_reused'].includes(response.json.code),
      response.text,
    );
  }
  const [sites] = await tables.run('SELECT count(*)::integer AS n FROM trellis.sites WHERE name = $1', [
    name,
  ]);
  assert.equal(sites?.n, 1);
  assert.deepEqual(await eventsOf(first.json.id), ['site.created 1']);
});

test('the same key of two users is two keys', async () => {
  const other = await createToken(worker, organization, await createMember(worker, organization, 'OWNER'));
  const key = randomUUID();
  const name = newKey();
  const responses = await race((index) => ({
    method: 'POST',
    path: '/v1/sites',
    key,
    body: { name, key: `${name}-${index % 2}` },
    token: index % 2 === 0 ? server.token : other.token,
  }));
  for (const user of [0, 1]) expectOneWrite(responses.filter((_, index) => index % 2 === user));
  assert.equal(await count('idempotency_keys', 'key', key), 2);
});

test('of fifty creates of one unique value under different keys one succeeds, and the others store nothing', async () => {
  const body = { name: 'Unique', key: newKey() };
  const keys = Array.from({ length: callers }, () => randomUUID());
  const responses = await race((index) => ({
    method: 'POST',
    path: '/v1/sites',
    key: keys[index] ?? '',
    body,
  }));
  const first = theOneDone(responses);
  for (const response of responses) {
    if (response === first) continue;
    expectProblem(response, 409, 'conflict');
    assert.equal(response.json.existingId, first.json.id);
  }
  assert.deepEqual(await eventsOf(first.json.id), ['site.created 1']);
  const [stored] = await tables.run(
    'SELECT count(*)::integer AS n FROM trellis.idempotency_keys WHERE key = ANY ($1)',
    [keys],
  );
  assert.equal(stored?.n, 1);
});

test('of fifty changes with the same If-Match, one is made', async () => {
  const id = await createSite();
  const responses = await race((index) => ({
    method: 'PATCH',
    path: `/v1/sites/${id}`,
    key: randomUUID(),
    body: { name: `Seen by ${index}` },
    headers: { 'if-match': '"1"' },
  }));
  const first = theOneDone(responses);
  for (const response of responses) if (response !== first) expectProblem(response, 412, 'version_mismatch');
  assert.deepEqual(await eventsOf(id), ['site.created 1', 'site.updated 2']);
});

test('fifty changes under fifty keys are all made, one after the other', async () => {
  const id = await createSite();
  const responses = await race((index) => ({
    method: 'PATCH',
    path: `/v1/sites/${id}`,
    key: randomUUID(),
    body: { name: `Name ${index}` },
  }));
  for (const response of responses) assert.equal(response.status, 200, response.text);
  const versions = responses.map(({ json }) => json.version).sort((left, right) => left - right);
  const expected = Array.from({ length: callers }, (_, index) => index + 2);
  assert.deepEqual(versions, expected);
  assert.deepEqual(await eventsOf(id), [
    'site.created 1',
    ...expected.map((version) => `site.updated ${version}`),
  ]);
});

test('a concurrent request gets a response while the first one still runs, without waiting for it', async () => {
  const id = await createSite();
  const blocker = await AdminClient.open(server.database);
  try {
    await blocker.query('BEGIN');
    await blocker.query('SELECT FROM trellis.sites WHERE id = $1 FOR UPDATE', [decodeId('site', id)]);
    const request = { method: 'PATCH', path: `/v1/sites/${id}`, key: randomUUID(), body: { name: 'Slow' } };
    let hasResponse = false;
    const first = send(0, request).finally(() => {
      hasResponse = true;
    });
    while ((await blocker.countWaiting()) === 0) await sleep(5);
    for (const index of [1, 2, 3]) expectProblem(await send(index, request), 409, 'idempotency_in_progress');
    assert.equal(hasResponse, false);
    await blocker.query('ROLLBACK');
    assert.equal((await first).status, 200);
    assert.ok(isReplay(await send(1, request)));
    assert.deepEqual(await eventsOf(id), ['site.created 1', 'site.updated 2']);
  } finally {
    await blocker.end();
  }
});

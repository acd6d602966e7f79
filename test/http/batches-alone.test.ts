/** Tests that each item of a batch has the outcome that its request alone would have had, for every resource with batches. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { matchingOf, type Resource } from '@trellis/schema/resources/resource.ts';
import type { Operation } from '@trellis/server/kernel/http/operation.ts';
import {
  absentId,
  bodyOf,
  createOtherWorld,
  createRecord,
  type Ids,
  isBatch,
  pathOf,
  resourceOf,
  type World,
} from '../support/fixtures.ts';
import { createMember, createToken } from '../support/identities.ts';
import { type Json, startTestServer } from '../support/server.ts';
import { TenantTables } from '../support/tenant-tables.ts';

const server = await startTestServer();
const tables = await TenantTables.open(server.database);
after(async () => {
  await tables.close();
  await server.close();
});
/** The same in two organizations: in one of them the items are sent as a batch, in the other one each alone. */
const together = await createOtherWorld(server);
const alone = await createOtherWorld(server);
const batches = server.server.operations.filter(isBatch);

interface Item {
  readonly op: 'create' | 'update' | 'upsert' | 'delete';
  readonly id?: string;
  readonly matching?: string;
  readonly ifMatch?: number;
  readonly data?: unknown;
}

function operationNamed(operationId: string): Operation | undefined {
  return server.server.operations.find((operation) => operation.operationId === operationId);
}

/** Items of every kind, right and wrong, whose bodies have the ids of the first world. */
function itemsOf(resource: Resource, ids: Ids, records: readonly string[]): Item[] {
  const { singular } = resource.title;
  const [changed = '', deleted = '', kept = ''] = records;
  const absent = absentId(changed);
  const body = (name: string) => {
    const operation = operationNamed(`${name}${singular}`);
    assert.ok(operation, name);
    return bodyOf(operation, ids);
  };
  const own = resource.ownOperations ?? [];
  const create = (): Item[] => {
    const data = body('create');
    return [
      { op: 'create', data },
      { op: 'create', data },
      { op: 'create', data: { ...body('create'), nonsense: 1 } },
      { op: 'create', data: {} },
      { op: 'create', data: 'nonsense' },
    ];
  };
  const patch = body('update');
  const updates: Item[] = [
    { op: 'update', id: changed, data: patch },
    { op: 'update', id: changed, data: patch },
    { op: 'update', id: changed, ifMatch: 99, data: body('update') },
    { op: 'update', id: changed, data: {} },
    { op: 'update', id: changed, data: null },
    { op: 'update', id: absent, data: patch },
    { op: 'update', id: 'nonsense', data: patch },
  ];
  const upsert = (): Item[] => {
    const data = { ...body('upsert'), externalId: 'batch-1' };
    return [
      { op: 'upsert', matching: 'externalId', data },
      { op: 'upsert', matching: 'externalId', data },
      {
        op: 'upsert',
        matching: 'externalId',
        ifMatch: 1,
        data: { ...body('upsert'), externalId: 'batch-1' },
      },
      { op: 'upsert', matching: 'externalId', ifMatch: 1, data: body('upsert') },
      { op: 'upsert', matching: 'externalId', data: body('update') },
    ];
  };
  return [
    ...(own.includes('create') ? [] : create()),
    ...updates,
    ...(matchingOf(resource).length > 0 ? upsert() : []),
    { op: 'delete', id: kept, ifMatch: 9 },
    { op: 'delete', id: deleted },
    { op: 'delete', id: deleted },
    { op: 'update', id: deleted, data: patch },
    { op: 'delete', id: absent },
  ];
}

/** An outcome without what differs between two organizations. */
function essenceOf(outcome: Json): unknown {
  const { problem, ...rest } = outcome;
  const { requestId: _id, ...said } = problem ?? {};
  return JSON.parse(
    JSON.stringify({ ...rest, ...(problem === undefined ? {} : { problem: said }) }).replaceAll(
      /\b([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g,
      '$1',
    ),
  );
}

/** Sends an item as the request that it stands for. */
async function sendAlone(
  path: string,
  { op, id, matching, ifMatch, data }: Item,
  token: string,
  requestId: string,
): Promise<Json> {
  const [method, target] = {
    create: ['POST', path],
    update: ['PATCH', `${path}/${id}`],
    upsert: ['PUT', `${path}?matching=${matching}`],
    delete: ['DELETE', `${path}/${id}`],
  }[op] as [string, string];
  const response = await server.call(method, target, {
    token,
    key: randomUUID(),
    ...(data === undefined ? {} : { rawBody: JSON.stringify(data) }),
    headers: {
      'content-type': 'application/json',
      'x-request-id': requestId,
      ...(ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }),
    },
  });
  const { status, json } = response;
  if (status >= 400) return { status, problem: json };
  return status === 204 ? { status, id } : { status, id: json.id, version: json.version };
}

/** The events of a request in the order in which they were appended, without ids. */
function eventsOf(requestId: string): Promise<unknown[]> {
  return tables.run(
    `SELECT type, subject_version, changed_fields, readers IS NULL AS for_all
     FROM trellis.outbox WHERE request_id = $1 ORDER BY id`,
    [requestId],
  );
}

/** The rows that the last requests have changed, without those of their keys. */
async function changesOf(): Promise<unknown> {
  const { idempotency_keys: _keys, tokens: _tokens, ...changes } = await tables.takeChanges();
  return changes;
}

/** The items of one world in the words of another. */
function translate<T>(items: T, from: Ids, to: Ids): T {
  const texts = [...from].reduce(
    (text, [name, id]) => text.replaceAll(id, to.get(name) ?? id),
    JSON.stringify(items),
  );
  return JSON.parse(texts) as T;
}

async function recordsOf(world: World, resource: Resource): Promise<string[]> {
  const records: string[] = [];
  for (let count = 0; count < 3; count += 1) records.push(await createRecord(world, resource.name));
  return records;
}

/** Compares the items of a batch with the requests. @param tokens of both worlds */
async function compare(operation: Operation, tokens: readonly [string, string]): Promise<void> {
  const resource = resourceOf(operation);
  assert.ok(resource);
  const mine = await recordsOf(together, resource);
  const theirs = await recordsOf(alone, resource);
  const items = itemsOf(resource, together.ids, mine);
  const named = (records: readonly string[], ids: Ids) =>
    new Map([...ids, ...records.map((id, index): [string, string] => [`record ${index}`, id])]);
  const translated = translate(items, named(mine, together.ids), named(theirs, alone.ids));
  const path = (world: World) => pathOf(operation, world.ids).slice(0, -'/batch'.length);
  const requestIds = [randomUUID(), randomUUID()] as const;
  await tables.takeChanges();
  const expected: unknown[] = [];
  for (const item of translated)
    expected.push(essenceOf(await sendAlone(path(alone), item, tokens[1], requestIds[1])));
  const expectedChanges = await changesOf();
  const response = await server.call('POST', `${path(together)}/batch`, {
    token: tokens[0],
    body: { items },
    headers: { 'x-request-id': requestIds[0] },
  });
  assert.equal(response.status, 200, response.text);
  const outcomes: Json[] = response.json.items;
  assert.deepEqual(outcomes.map(essenceOf), expected);
  assert.deepEqual(await eventsOf(requestIds[0]), await eventsOf(requestIds[1]));
  assert.deepEqual(await changesOf(), expectedChanges);
}

test('every resource whose records are changed by bodies has batches', () => {
  assert.deepEqual(
    batches.map((operation) => resourceOf(operation)?.name),
    [
      'sites',
      'categories',
      'tags',
      'knowledge-files',
      'articles',
      'books',
      'magazines',
      'issues',
      'contacts',
      'companies',
      'views',
    ],
  );
});

for (const operation of batches) {
  test(`${operation.operationId}: each outcome is that of the request alone`, () =>
    compare(operation, [together.token, alone.token]));
}

test('an author changes own articles only, alone and in a batch', async () => {
  const operation = batches.find(({ operationId }) => operationId === 'batchArticles');
  assert.ok(operation);
  const tokens: string[] = [];
  for (const { organization } of [together, alone]) {
    const userId = await createMember(server.database.worker, organization, 'AUTHOR');
    tokens.push((await createToken(server.database.worker, organization, userId)).token);
  }
  const [first = '', second = ''] = tokens;
  await compare(operation, [first, second]);
});

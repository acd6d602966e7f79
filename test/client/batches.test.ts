/** Tests of `writeInBatches`: any number of items, in batches with keys of their own. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { ApiClient } from '@trellis/client/api-client.ts';
import { type ItemOutcome, writeInBatches } from '@trellis/client/batches.ts';
import type { BatchItemsInput } from '@trellis/client/generated/types.ts';
import { ProblemError } from '@trellis/client/problem.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

function itemsOf(count: number, more: object = {}): BatchItemsInput[] {
  return Array.from({ length: count }, (_, index) => ({
    op: 'upsert',
    matching: 'externalId',
    data: { lastName: `Contact ${index}`, externalId: `batch-${index}`, ...more },
  }));
}

/** A client whose requests are counted, and of which some are lost after they were carried out. */
function clientOf(lost: readonly number[] = []): { client: ApiClient; sent: number[] } {
  const sent: number[] = [];
  const client = new ApiClient({
    baseUrl: server.url,
    token: server.token,
    wait: async () => undefined,
    fetch: async (url, init) => {
      sent.push((JSON.parse(String(init?.body)) as { items: unknown[] }).items.length);
      const response = await fetch(url, init);
      if (lost.includes(sent.length)) throw new TypeError('the connection broke');
      return response;
    },
  });
  return { client, sent };
}

async function collect<T>(outcomes: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of outcomes) all.push(one);
  return all;
}

const statusesOf = (outcomes: readonly ItemOutcome<BatchItemsInput>[]) =>
  outcomes.map(({ outcome: { status } }) => status);

test('items are sent in batches of 100, and their outcomes come in order, refusals as errors', async () => {
  const { client, sent } = clientOf();
  const items = itemsOf(203);
  items[150] = { op: 'create', data: { lastName: 'Taken', externalId: 'batch-0' } };
  const outcomes = await collect(writeInBatches(client, 'batchContacts', items));
  assert.deepEqual(sent, [100, 100, 3]);
  assert.deepEqual(
    outcomes.map(({ item }) => item),
    items,
  );
  const { error } = outcomes[150] ?? {};
  assert.ok(error instanceof ProblemError);
  assert.equal(error.code, 'conflict');
  assert.equal(error.members.existingId, outcomes[0]?.outcome.id);
  assert.equal(outcomes.filter((one) => one.error === null).length, 202);
});

test('a lost response is asked for again, and the items are carried out once', async () => {
  const { client, sent } = clientOf([1]);
  const outcomes = await collect(
    writeInBatches(client, 'batchContacts', [
      { op: 'create', data: { lastName: 'Once', externalId: randomUUID() } },
    ]),
  );
  assert.deepEqual(sent, [1, 1]);
  assert.deepEqual(statusesOf(outcomes), [201]);
});

test('a later run under the same key gets the same outcomes', async () => {
  const options = { idempotencyKey: randomUUID() };
  const items = itemsOf(101, { firstName: 'Again' });
  const first = await collect(writeInBatches(clientOf().client, 'batchContacts', items, options));
  const again = await collect(writeInBatches(clientOf().client, 'batchContacts', items, options));
  assert.deepEqual(again, first);
});

test('large items are divided by their bytes', async () => {
  const { client, sent } = clientOf();
  const data = { notes: 'ü'.repeat(9_000) };
  const outcomes = await collect(writeInBatches(client, 'batchContacts', itemsOf(80, data)));
  assert.ok(sent.length > 1, `${sent}`);
  assert.ok(statusesOf(outcomes).every((status) => status === 200 || status === 201));
});

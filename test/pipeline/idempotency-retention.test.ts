/** Deletion of idempotency keys: late enough for retries, and early enough not to fill the disk. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { batchRows } from '@trellis/server/kernel/database/delete-in-batches.ts';
import { sweepIdempotencyKeys } from '@trellis/server/kernel/pipeline/write/idempotency/retention.ts';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const daySeconds = 86_400;

let database: TestDatabase;
let admin: pg.Client;
before(async () => {
  database = await createTestDatabase({ poolSize: 2 });
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
});
after(async () => {
  await admin.end();
  await database.drop();
});

/** Stores keys with responses of an age. */
async function storeKeys(name: string, count: number, age: string): Promise<void> {
  await admin.query(
    `INSERT INTO trellis.idempotency_keys
       (organization_id, client_id, user_id, key, fingerprint, status, shows, published, created_at)
     SELECT $1, $2, $3, $4 || n, sha256('request'), 201, 'RECORD', '{}', clock_timestamp() - $6::interval
     FROM generate_series(1, $5::integer) n`,
    [newUuid(), newUuid(), newUuid(), `${name} `, count, age],
  );
}

async function keptKeys(): Promise<string[]> {
  const { rows } = await admin.query<{ key: string }>(
    'SELECT key FROM trellis.idempotency_keys ORDER BY key',
  );
  return rows.map(({ key }) => key);
}

test('keys beyond their retention are deleted for all organizations; younger ones stay', async () => {
  await storeKeys('old', batchRows + 1, '1 day 1 minute');
  await storeKeys('ancient', 1, '400 days');
  await storeKeys('young', 2, '23 hours 59 minutes');
  await storeKeys('new', 1, '0 seconds');
  assert.equal(await sweepIdempotencyKeys(database.worker, daySeconds), batchRows + 2);
  assert.deepEqual(await keptKeys(), ['new 1', 'young 1', 'young 2']);
  assert.equal(await sweepIdempotencyKeys(database.worker, daySeconds), 0);
});

test('a sweep that is stopped ends after its current batch', async () => {
  await storeKeys('old', 2 * batchRows, '8 days');
  const stopping = new AbortController();
  const sweeping = sweepIdempotencyKeys(database.worker, 7 * daySeconds, stopping.signal);
  stopping.abort();
  assert.equal(await sweeping, batchRows);
  assert.equal(await sweepIdempotencyKeys(database.worker, 7 * daySeconds), batchRows);
});

test('concurrent sweeps delete each key once', async () => {
  await storeKeys('old', 2 * batchRows, '8 days');
  const before = (await keptKeys()).filter((key) => key.startsWith('old'));
  const deleted = await Promise.all([1, 2].map(() => sweepIdempotencyKeys(database.worker, 7 * daySeconds)));
  // A sweep that cannot get the lock leaves the rest to the other one, or to the next run.
  const rest = await sweepIdempotencyKeys(database.worker, 7 * daySeconds);
  assert.equal(
    deleted.reduce((sum, count) => sum + count, rest),
    before.length,
  );
  assert.deepEqual(await keptKeys(), ['new 1', 'young 1', 'young 2']);
});

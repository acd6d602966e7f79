/** The budget of stored responses: how fast large ones are stored, and which are dropped when there are too many. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid } from '@trellis/schema/values/ids.ts';
import {
  AnswerAllowances,
  smallBodyBytes,
  trimStoredAnswers,
} from '@trellis/server/pipeline/write/idempotency/response-budget.ts';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

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

test('large bodies are stored up to the burst at once and then at the rate; small ones always', () => {
  const allowances = new AnswerAllowances({ burstBytes: 100_000, bytesPerSecond: 10_000 });
  const [mine, other] = [newUuid(), newUuid()];
  const stored = Array.from({ length: 10 }, () => allowances.take(mine, 30_000, 0));
  assert.deepEqual(stored.filter(Boolean).length, 3);
  assert.equal(allowances.take(other, 30_000, 0), true, 'organizations share one allowance');
  assert.equal(allowances.take(mine, smallBodyBytes, 0), true);
  assert.equal(allowances.take(mine, 30_000, 1_900), false);
  assert.equal(allowances.take(mine, 30_000, 2_000), true);
  assert.equal(allowances.take(mine, 30_000, 2_000), false);
  assert.equal(allowances.take(mine, 100_000, 1_000_000), true);
  assert.equal(allowances.take(mine, 100_001, 9_000_000), false, 'more than the burst is never stored');
});

interface Stored {
  readonly key: string;
  readonly bytes: number;
  readonly ageSeconds: number;
  readonly showsRecord?: boolean;
}

async function store(organizationId: string, answers: readonly Stored[]): Promise<void> {
  for (const { key, bytes, ageSeconds, showsRecord = true } of answers) {
    await admin.query(
      `INSERT INTO trellis.idempotency_keys (organization_id, client_id, user_id, key, fingerprint, status, etag, body,
         published, created_at, subject_id, shows_record, body_bytes)
       VALUES ($1, $1, $1, $2, sha256('request'), 200, '"2"', repeat('x', $3), '{}',
         clock_timestamp() - make_interval(secs => $4), $1, $5, $3)`,
      [organizationId, key, bytes, ageSeconds, showsRecord],
    );
  }
}

async function keptBodies(organizationId: string): Promise<string[]> {
  const { rows } = await admin.query<{ key: string }>(
    'SELECT key FROM trellis.idempotency_keys WHERE organization_id = $1 AND body IS NOT NULL ORDER BY key',
    [organizationId],
  );
  return rows.map(({ key }) => key);
}

test('beyond the budget the oldest large bodies of an organization are dropped; keys and other bodies stay', async () => {
  const [large, modest] = [newUuid(), newUuid()];
  await store(large, [
    { key: 'a newest', bytes: 40_000, ageSeconds: 1 },
    { key: 'b newer', bytes: 40_000, ageSeconds: 2 },
    { key: 'c older', bytes: 40_000, ageSeconds: 3 },
    { key: 'd oldest', bytes: 10_000, ageSeconds: 4 },
    { key: 'e small', bytes: smallBodyBytes, ageSeconds: 5 },
    { key: 'f secret', bytes: 40_000, ageSeconds: 6, showsRecord: false },
  ]);
  await store(modest, [{ key: 'a', bytes: 99_999, ageSeconds: 9 }]);
  const trimmed = await trimStoredAnswers(database.worker, 100_000);
  assert.deepEqual(trimmed, [{ organizationId: large, bytes: 130_000, dropped: 2 }]);
  assert.deepEqual(await keptBodies(large), ['a newest', 'b newer', 'e small', 'f secret']);
  assert.deepEqual(await keptBodies(modest), ['a']);
  const { rows } = await admin.query(
    `SELECT key, status, etag FROM trellis.idempotency_keys WHERE organization_id = $1 AND body_dropped ORDER BY key`,
    [large],
  );
  assert.deepEqual(rows, [
    { key: 'c older', status: 200, etag: '"2"' },
    { key: 'd oldest', status: 200, etag: '"2"' },
  ]);
  assert.deepEqual(await trimStoredAnswers(database.worker, 100_000), []);
});

test('large bodies and the responses of a record are found by indexes', async () => {
  await admin.query('SET enable_seqscan = off');
  const planOf = async (text: string) =>
    (await admin.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`)).rows
      .map((row) => row['QUERY PLAN'])
      .join('\n');
  const measured = await planOf(
    `SELECT organization_id, sum(body_bytes) FROM trellis.idempotency_keys
     WHERE shows_record AND body_bytes > ${smallBodyBytes} GROUP BY organization_id`,
  );
  assert.match(measured, /idempotency_keys_large/);
  const erased = await planOf(
    `SELECT FROM trellis.idempotency_keys WHERE organization_id = '${newUuid()}'
     AND subject_id = '${newUuid()}' AND body IS NOT NULL LIMIT 1`,
  );
  assert.match(erased, /idempotency_keys_subject/);
});

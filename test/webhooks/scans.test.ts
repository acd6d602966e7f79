/** Rows read by queries about deliveries: few for few deliveries, whatever the size of the table. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Database } from '@trellis/server/database/database.ts';
import { stepsOf } from '@trellis/server/database/reads.ts';
import { modelOf } from '@trellis/server/pipeline/model.ts';
import { listDeliveries } from '@trellis/server/webhooks/deliveries.ts';
import { planReplay } from '@trellis/server/webhooks/plans.ts';
import { claimDueDeliveries } from '@trellis/server/webhooks/queue.ts';
import { sweepDeliveries } from '@trellis/server/webhooks/retention.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createMember, createOrganization, type TestOrganization } from '../support/identities.ts';
import { until } from '../support/until.ts';
import { createEndpoint, type TestEndpoint, testModels } from '../support/webhooks.ts';

/** Number of other rows in the table. */
const many = 20_000;

let database: TestDatabase;
let admin: Database;
let organization: TestOrganization;
let owner = '';
let endpoint: TestEndpoint;

before(async () => {
  database = await createTestDatabase();
  admin = openPool(database.adminUrl, 'trellis test');
  organization = await createOrganization(database.worker, 'scans');
  owner = await createMember(database.worker, organization, 'OWNER');
  endpoint = await createEndpoint(database.api, organization.id, {
    url: 'https://hooks.example.com/',
    createdBy: owner,
  });
  await admin.run(
    `INSERT INTO trellis.webhook_deliveries
       (organization_id, endpoint_id, event_id, type, event, status, created_at, next_attempt_at)
     SELECT $1, $2, gen_random_uuid(), 'site.created', '{}', 'SUCCEEDED', t, t
     FROM (SELECT clock_timestamp() - n * interval '1 minute' AS t FROM generate_series(1, $3::integer) n) d`,
    [organization.id, endpoint.id, String(many)],
  );
  await admin.run('ANALYZE trellis.webhook_deliveries', []);
});
after(async () => {
  await admin.close();
  await database.drop();
});

function openPool(url: string, applicationName: string): Database {
  return new Database({
    url,
    poolSize: 1,
    prepare: true,
    acquireTimeoutMs: 5_000,
    applicationName,
    log: () => undefined,
  });
}

/** The number of table rows and index entries read so far. */
async function rowsRead(tables: string): Promise<number> {
  // What this connection has read itself is otherwise reported up to a second later, and would count as the work's.
  await admin.run('SELECT pg_stat_force_next_flush()', []);
  const rows = await admin.run(
    `SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname LIKE $1)
       + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname LIKE $1)`,
    [tables],
  );
  return Number(rows[0]?.[0]);
}

/** Counts the rows that some work reads. It gets its own connection, whose statistics are reported at its end. */
async function countReads(
  tables: string,
  url: string,
  work: (database: Database) => Promise<unknown>,
): Promise<number> {
  const earlier = await rowsRead(tables);
  const own = openPool(url, 'counted');
  await work(own);
  await own.close();
  await until('the connection has ended', async () => {
    const rows = await admin.run(`SELECT FROM pg_stat_activity WHERE application_name = 'counted'`, []);
    return rows.length === 0;
  });
  return (await rowsRead(tables)) - earlier;
}

test('a sweep without expired deliveries reads one row per endpoint, not all deliveries', async () => {
  const read = await countReads('webhook_deliveries', database.urls.worker, sweepDeliveries);
  assert.ok(read > 0 && read < 100, `${read} rows were read`);
});

test('a list of unsuccessful deliveries, and a claim, do not read successful or later ones', async () => {
  const scope = { organizationId: organization.id, userId: owner };
  for (const status of ['FAILED', 'PENDING']) {
    const query = { endpointId: endpoint.id, status, after: null, limit: 25 };
    const read = await countReads('webhook_deliveries', database.urls.api, async (api) => {
      // From the sixth execution on, PostgreSQL may use a generic plan.
      for (let time = 0; time < 8; time += 1) await listDeliveries(api, scope, query);
    });
    assert.ok(read < 100, `${read} rows were read`);
  }
  await admin.run(
    `UPDATE trellis.webhook_deliveries SET status = 'PENDING', next_attempt_at = clock_timestamp() + interval '1 day'`,
    [],
  );
  await admin.run('VACUUM ANALYZE trellis.webhook_deliveries', []);
  const read = await countReads('webhook_deliveries', database.urls.worker, async (worker) =>
    assert.deepEqual(await claimDueDeliveries(worker, 64, 1_000), []),
  );
  assert.ok(read < 100, `${read} rows were read`);
  const [due] = await admin.run(
    `UPDATE trellis.webhook_deliveries SET next_attempt_at = clock_timestamp()
     WHERE event_id = (SELECT event_id FROM trellis.webhook_deliveries LIMIT 1) RETURNING event_id`,
    [],
  );
  const claim = await countReads('webhook_deliveries', database.urls.worker, async (worker) => {
    const claimed = await claimDueDeliveries(worker, 64, 1_000);
    assert.deepEqual([claimed.map(({ eventId }) => eventId)], [due]);
  });
  assert.ok(claim < 100, `${claim} rows were read`);
});

test('a replay of a short span long ago does not read the later events', async () => {
  const instant = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString();
  await admin.run(
    `INSERT INTO trellis.events (organization_id, position, logged_at, id, type, subject_type, subject_id,
       subject_version, request_id, changed_fields, occurred_at)
     SELECT $1, n, clock_timestamp(), gen_random_uuid(), 'site.created', 'site', gen_random_uuid(), 1, 'r', '{}',
       clock_timestamp() - ($2 - n) * interval '1 minute' FROM generate_series(1, $2::integer) n`,
    [organization.id, String(many)],
  );
  await admin.run('ANALYZE trellis.events', []);
  const target = { organizationId: organization.id, userId: owner, parentId: null, id: endpoint.id };
  const span = { from: instant(many - 100), to: instant(many - 110) };
  const plan = planReplay(modelOf(testModels, 'webhook-endpoints'), target, span, { minimal: false });
  const read = await countReads('events%', database.urls.api, async (api) => {
    const [counted] = await api.query(
      { organizationId: organization.id, userId: owner },
      stepsOf(plan.reads),
    );
    assert.equal(counted?.rows[0]?.[0], '10');
  });
  assert.ok(read < 200, `${read} rows were read`);
});

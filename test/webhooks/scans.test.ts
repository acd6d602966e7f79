/** Rows read by queries about deliveries: few for few deliveries, whatever the size of the table. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listDeliveries } from '@trellis/server/features/webhooks/deliveries.ts';
import { planReplay } from '@trellis/server/features/webhooks/plans.ts';
import { EndpointTurn } from '@trellis/server/features/webhooks/queue.ts';
import { sweepDeliveries } from '@trellis/server/features/webhooks/retention.ts';
import type { Database } from '@trellis/server/kernel/database/database.ts';
import { stepsOf } from '@trellis/server/kernel/database/reads.ts';
import { modelOf } from '@trellis/server/kernel/pipeline/model.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createMember, createOrganization, type TestOrganization } from '../support/identities.ts';
import { countReads, openPool } from '../support/rows-read.ts';
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

test('a sweep without expired deliveries reads one row per endpoint, not all deliveries', async () => {
  const read = await countReads(admin, 'webhook_deliveries', database.urls.worker, sweepDeliveries);
  assert.ok(read > 0 && read < 100, `${read} rows were read`);
});

test('a list of unsuccessful deliveries, and a claim, do not read successful or later ones', async () => {
  const scope = { organizationId: organization.id, userId: owner };
  for (const status of ['FAILED', 'PENDING']) {
    const query = { endpointId: endpoint.id, status, after: null, limit: 25 };
    const read = await countReads(admin, 'webhook_deliveries', database.urls.api, async (api) => {
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
  const read = await countReads(admin, 'webhook_deliveries', database.urls.worker, async (worker) =>
    assert.deepEqual(await new EndpointTurn().claim(worker, 64, 1_000), []),
  );
  assert.ok(read < 100, `${read} rows were read`);
  const [due] = await admin.run(
    `UPDATE trellis.webhook_deliveries SET next_attempt_at = clock_timestamp()
     WHERE event_id = (SELECT event_id FROM trellis.webhook_deliveries LIMIT 1) RETURNING event_id`,
    [],
  );
  const claim = await countReads(admin, 'webhook_deliveries', database.urls.worker, async (worker) => {
    const claimed = await new EndpointTurn().claim(worker, 64, 1_000);
    assert.deepEqual([claimed.map(({ eventId }) => eventId)], [due]);
  });
  assert.ok(claim < 100, `${claim} rows were read`);
});

test('claims visit endpoints in turn: each costs the same, and all endpoints are served, those of a large number too', async () => {
  const count = 2_500;
  const waiting = await createOrganization(database.worker, 'turns');
  const manager = await createMember(database.worker, waiting, 'OWNER');
  await admin.run(
    `INSERT INTO trellis.webhook_subscriptions
       (organization_id, endpoint_id, url, event_types, payload, enabled, acts_for, secret)
     SELECT $1, gen_random_uuid(), 'https://hooks.example.com/', '{*}', 'THIN', true, $2, 'sealed'
     FROM generate_series(1, $3::integer)`,
    [waiting.id, manager, String(count)],
  );
  // The plans that the pool keeps are made while the table is nearly empty, as after a quiet time.
  const pool = openPool(database.urls.worker, 'trellis test');
  try {
    const turn = new EndpointTurn();
    for (let time = 0; time < 8; time += 1) await turn.claim(pool, 64, 60_000);
    await admin.run(
      `INSERT INTO trellis.webhook_deliveries
         (organization_id, endpoint_id, event_id, type, event, status, created_at, next_attempt_at)
       SELECT s.organization_id, s.endpoint_id, gen_random_uuid(), 'site.created', '{}', 'PENDING', now(), now()
       FROM trellis.webhook_subscriptions s, generate_series(1, 4) WHERE s.organization_id = $1`,
      [waiting.id],
    );
    const first = await countReads(admin, 'webhook_deliveries', database.urls.worker, async (worker) =>
      assert.ok((await new EndpointTurn().claim(worker, 64, 1)).length > 120),
    );
    assert.ok(first < 3_000, `${first} rows were read`);
    const served = new Map<string, number>();
    do {
      for (const { organizationId, endpointId } of await turn.claim(pool, 64, 60_000))
        if (organizationId === waiting.id) served.set(endpointId, (served.get(endpointId) ?? 0) + 1);
    } while (!turn.wasIdle);
    assert.equal(served.size, count);
    // Two calls of an endpoint at most are in progress.
    assert.deepEqual(new Set(served.values()), new Set([2]));

    await admin.run(
      `UPDATE trellis.webhook_subscriptions SET blocked_until = 'infinity' WHERE organization_id = $1`,
      [waiting.id],
    );
    // All are visited, in three parts, before the loop rests.
    const rests: boolean[] = [];
    for (let part = 0; part < 3; part += 1) {
      assert.deepEqual(await turn.claim(pool, 64, 60_000), []);
      rests.push(turn.wasIdle);
    }
    assert.deepEqual(rests, [false, false, true]);
  } finally {
    await pool.close();
    await admin.run(`DELETE FROM trellis.webhook_deliveries WHERE organization_id = $1`, [waiting.id]);
    await admin.run(`DELETE FROM trellis.webhook_subscriptions WHERE organization_id = $1`, [waiting.id]);
  }
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
  const read = await countReads(admin, 'events%', database.urls.api, async (api) => {
    const [counted] = await api.query(
      { organizationId: organization.id, userId: owner },
      stepsOf(plan.reads),
    );
    assert.equal(counted?.rows[0]?.[0], '10');
  });
  assert.ok(read < 200, `${read} rows were read`);
});

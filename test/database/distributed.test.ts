/** The statements of the background roles, on a plain database and on a distributed one (Citus) alike; and that each change is about one organization. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { acquireLease, type Lease } from '@trellis/server/events/lease.ts';
import { measureOutbox, moveToEventLog, readOutbox } from '@trellis/server/events/outbox.ts';
import { createEventPartitions } from '@trellis/server/events/retention.ts';
import { moveSinkCursors, readBacklogs } from '@trellis/server/events/sink-cursors.ts';
import {
  claimIndexJobs,
  findDueOrganizations,
  postponeIndexJob,
  removeIndexJobStep,
} from '@trellis/server/pipeline/search/index-jobs.ts';
import { finishErasures } from '@trellis/server/pipeline/write/idempotency/response-erasure.ts';
import { sweepIdempotencyKeys } from '@trellis/server/pipeline/write/idempotency/retention.ts';
import {
  claimJob,
  removeJobStep,
  setJobDue,
} from '@trellis/server/resources/knowledge-files/extraction-queue.ts';
import { startScheduler } from '@trellis/server/scheduler/scheduler.ts';
import { sweepVisitors } from '@trellis/server/visitors/sweep.ts';
import { fanOutToWebhooks } from '@trellis/server/webhooks/fan-out.ts';
import { type ClaimedDelivery, EndpointTurn } from '@trellis/server/webhooks/queue.ts';
import { recordFailure, recordSuccess, releaseDelivery } from '@trellis/server/webhooks/results.ts';
import { sweepDeliveries } from '@trellis/server/webhooks/retention.ts';
import { pino } from 'pino';
import {
  createDistributedDatabase,
  createPlainDatabase,
  type WorkDatabase,
  withoutCluster,
} from '../support/distributed.ts';
import { until } from '../support/until.ts';

const count = 24;
const eventsOfEach = 3;

describe('on plain PostgreSQL', () => testRoles(createPlainDatabase));
describe('on Citus', { skip: withoutCluster }, () => {
  testRoles(createDistributedDatabase);
});

function testRoles(create: () => Promise<WorkDatabase>): void {
  let database: WorkDatabase;
  let organizations: readonly string[];
  let lease: Lease;

  before(async () => {
    database = await create();
    organizations = Array.from({ length: count }, newUuid);
    const { admin } = database;
    await admin.query(
      `INSERT INTO trellis.organizations (id, key, name, modules) SELECT id, id, id, '{publishing}' FROM unnest($1::uuid[]) id`,
      [organizations],
    );
    await admin.query(
      `INSERT INTO trellis.users (id, email, email_normalized, name)
       SELECT id, id || '@example.com', id || '@example.com', 'Owner' FROM trellis.organizations`,
    );
    await admin.query(
      `INSERT INTO trellis.memberships (organization_id, user_id, role) SELECT id, id, 'OWNER' FROM trellis.organizations`,
    );
    await admin.query(
      `INSERT INTO trellis.webhook_subscriptions
         (organization_id, endpoint_id, url, event_types, payload, enabled, acts_for, secret)
       SELECT id, gen_random_uuid(), 'https://example.com/hook', '{site.*}', 'THIN', true, id, 'sealed'
       FROM trellis.organizations`,
    );
    const acquired = await acquireLease(database.worker, 'relay', 'test', 600_000);
    assert.ok(acquired);
    lease = acquired;
  });
  after(() => database.drop());

  async function writeEvents(type = 'site.updated'): Promise<void> {
    await database.admin.query(
      `INSERT INTO trellis.outbox (organization_id, id, type, subject_type, subject_id, subject_version, request_id,
         changed_fields, occurred_at, readers)
       SELECT id, gen_random_uuid(), $2, split_part($2, '.', 1), id, n, 'test', '{}', now(), NULL
       FROM trellis.organizations, generate_series(1, $1::integer) n`,
      [eventsOfEach, type],
    );
  }

  async function rows(text: string): Promise<Record<string, unknown>[]> {
    return (await database.admin.query(text)).rows;
  }

  test('events are numbered by organization, and deliveries created with them', async () => {
    await writeEvents();
    assert.equal((await measureOutbox(database.worker)).events, count * eventsOfEach);
    const waiting = await readOutbox(database.worker, 5_000);
    assert.equal(waiting.length, Math.max(1, database.nodes));
    for (const events of waiting) await moveToEventLog(database.worker, lease, events, fanOutToWebhooks);
    const logs = await rows(
      `SELECT array_agg(position ORDER BY subject_version)::text AS log FROM trellis.events GROUP BY organization_id`,
    );
    assert.deepEqual(logs, Array<unknown>(count).fill({ log: '{1,2,3}' }));
    assert.deepEqual(await rows('SELECT count(*)::integer AS n FROM trellis.webhook_deliveries'), [
      { n: count * eventsOfEach },
    ]);
    assert.deepEqual(await readOutbox(database.worker, 10), []);
  });

  test('an event whose records the user of an endpoint may not read is not delivered', async () => {
    await database.admin.query(`UPDATE trellis.webhook_subscriptions SET event_types = '{*}'`);
    const known = await rows('SELECT count(*)::integer AS n FROM trellis.webhook_deliveries');
    await database.admin.query(
      `INSERT INTO trellis.outbox (organization_id, id, type, subject_type, subject_id, subject_version, request_id,
         changed_fields, occurred_at, readers)
       SELECT id, gen_random_uuid(), 'site.updated', 'site', id, 9, 'test', '{}', now(), '{nobody}' FROM trellis.organizations`,
    );
    for (const events of await readOutbox(database.worker, 5_000))
      await moveToEventLog(database.worker, lease, events, fanOutToWebhooks);
    assert.deepEqual(await rows('SELECT count(*)::integer AS n FROM trellis.webhook_deliveries'), known);
  });

  test('each delivery is claimed once by two nodes, at most two of an endpoint, and its result is recorded', async () => {
    const turns = [new EndpointTurn(), new EndpointTurn()];
    const claimed: ClaimedDelivery[] = [];
    await until('all endpoints are served', async () => {
      const some = await Promise.all(turns.map((turn) => turn.claim(database.worker, 8, 600_000)));
      claimed.push(...some.flat());
      return claimed.length >= 2 * count;
    });
    assert.equal(claimed.length, 2 * count);
    assert.equal(new Set(claimed.map(({ endpointId, eventId }) => endpointId + eventId)).size, 2 * count);
    const outcome = (status: number) => ({
      outcome: { status, latencyMs: 1, excerpt: '', error: null, retryAfterMs: null },
      attemptedAt: new Date().toISOString(),
    });
    const [first, second, third] = claimed;
    assert.ok(first && second && third);
    await recordSuccess(database.worker, first, outcome(200));
    assert.equal(await recordFailure(database.worker, second, outcome(500), 60_000), false);
    await releaseDelivery(database.worker, third, 60_000);
    assert.deepEqual(
      await rows(
        `SELECT status, count(*)::integer AS n FROM trellis.webhook_deliveries GROUP BY status ORDER BY 1`,
      ),
      [
        { status: 'PENDING', n: count * eventsOfEach - 1 },
        { status: 'SUCCEEDED', n: 1 },
      ],
    );
    await database.admin.query(
      `UPDATE trellis.webhook_subscriptions SET failing_since = now() - interval '6 days'`,
    );
    const [fourth] = claimed.slice(3);
    assert.ok(fourth);
    assert.equal(await recordFailure(database.worker, fourth, outcome(500), null), true);
  });

  test('each due timer is leased once by two schedulers', async () => {
    await database.admin.query(
      `INSERT INTO trellis.timers (organization_id, kind, record_id, due_at, available_at)
       SELECT id, kind, id, now(), now() FROM trellis.organizations, unnest('{ARTICLE_PUBLISH,FILE_EXPIRE}'::text[]) kind`,
    );
    const options = {
      worker: database.worker,
      api: database.worker,
      models: new Map(),
      nudge: () => undefined,
    };
    // Without models every change fails, so that the number of attempts is that of leases.
    const timing = { pollMs: 10, firstBackoffMs: 600_000, lastBackoffMs: 600_000 };
    const schedulers = [1, 2].map(() =>
      startScheduler({ ...options, log: pino({ level: 'silent' }), timing }),
    );
    await until('all are leased', async () => {
      const [left] = await rows('SELECT count(*)::integer AS n FROM trellis.timers WHERE attempts = 0');
      return left?.n === 0;
    });
    await Promise.all(schedulers.map((scheduler) => scheduler.stop()));
    assert.deepEqual(await rows('SELECT DISTINCT attempts FROM trellis.timers'), [{ attempts: 1 }]);
  });

  test('files to be read are taken from the organizations in turn', async () => {
    await database.admin.query(
      `INSERT INTO trellis.extraction_jobs (organization_id, file_id, content_version, media_type, sha256, available_at, attempts)
       SELECT id, gen_random_uuid(), 1, 'text/plain', repeat('0', 64), now(), 0 FROM trellis.organizations, generate_series(1, 2)`,
    );
    const served: string[] = [];
    for (let taken = 0; taken < count; taken += 1) {
      const job = await claimJob(database.worker, 600, []);
      assert.ok(job);
      served.push(job.organizationId);
      assert.equal(await setJobDue(database.worker, job, 600), true);
      if (taken === 0) await database.worker.executeInBackground([removeJobStep(job)]);
    }
    assert.deepEqual(served.toSorted(), organizations.toSorted());
    const [first] = served;
    assert.equal((await claimJob(database.worker, 600, served.slice(1)))?.organizationId, first);
  });

  test('index jobs are found, claimed and removed', async () => {
    await database.admin.query(
      `INSERT INTO trellis.search_marks
         (organization_id, type, record_id, parent_id, number, editions, whole, available_at, attempts)
       SELECT id, 'role', id, id, 1, '{}', true, now(), 0 FROM trellis.organizations`,
    );
    const due = await findDueOrganizations(database.worker, false);
    assert.deepEqual(due.toSorted(), organizations.toSorted());
    for (const organizationId of due) {
      const claim = { organizationId, leaseMs: 60_000, most: 10, all: false };
      const [job] = await claimIndexJobs(database.worker, claim);
      assert.ok(job);
      assert.deepEqual(await claimIndexJobs(database.worker, claim), []);
      await postponeIndexJob(database.worker, job, 60_000);
      await database.worker.executeInBackground([removeIndexJobStep(job)]);
    }
    assert.deepEqual(await findDueOrganizations(database.worker, true), []);
  });

  test('the sweeps delete what has expired', async () => {
    await database.admin.query(`UPDATE trellis.webhook_deliveries
      SET created_at = now() - interval '40 days', next_attempt_at = now() - interval '40 days', leased_until = NULL
      WHERE event_id IN (SELECT id FROM trellis.events WHERE position = 1)`);
    assert.equal(await sweepDeliveries(database.worker), count);
    await database.admin.query(
      `INSERT INTO trellis.idempotency_keys
         (organization_id, client_id, user_id, key, fingerprint, status, published, created_at)
       SELECT id, id, id, 'key', decode(repeat('00', 32), 'hex'), 200, '{}', now() - interval '8 days'
       FROM trellis.organizations`,
    );
    assert.equal(await sweepIdempotencyKeys(database.worker, 7 * 86_400), count);
    assert.equal(await finishErasures(database.worker), 0);
    assert.deepEqual(await sweepVisitors(database.worker, new Date()), { identifications: 0, visitors: 0 });
    assert.deepEqual(await createEventPartitions(database.worker), []);
  });

  test('what a sink does not have is read, and its cursors moved', async () => {
    await database.admin.query(`INSERT INTO trellis.leases (name) VALUES ('nats test')`);
    const sink = await acquireLease(database.worker, 'nats test', 'test', 60_000);
    assert.ok(sink);
    const all = { organizations: 1_000, eventsOfEach: 100, withinMs: null };
    const backlogs = await readBacklogs(database.worker, 'test', all);
    assert.equal(backlogs.length, count);
    const reached = backlogs.map(({ organizationId, latest }) => ({ organizationId, position: latest }));
    await moveSinkCursors(database.worker, sink, 'test', reached);
    assert.deepEqual(await readBacklogs(database.worker, 'test', all), []);
  });

  test('each change is about one organization, and has nothing that Citus refuses or does otherwise', () => {
    const { changes } = database.worker;
    assert.ok(changes.size > 25, `${changes.size} statements were recorded`);
    const faults = [...changes].flatMap(([name, text]) =>
      findFaults(text).map((fault) => `${name}: ${fault}`),
    );
    assert.deepEqual(faults, []);
  });
}

/** What a changing statement has that Citus refuses or does otherwise than PostgreSQL. */
function findFaults(text: string): string[] {
  const tables = [...text.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE|USING) trellis\.(\w+)/g)].map(
    ([, table]) => table,
  );
  if (!tables.some((table) => table !== 'leases')) return [];
  const rules: readonly [string, boolean][] = [
    ['is not about one organization', !/organization_id = \$1\b|VALUES \(\$1,/.test(text)],
    ['clock_timestamp() in a change', text.includes('clock_timestamp()')],
    [
      'unnest() in a select list',
      /SELECT (?:(?!FROM)[^;])*unnest\((?=[^;]*\bFROM\b)/.test(text.replace(/\(SELECT \* FROM unnest/g, '')),
    ],
    ['CASE that compares one expression with several values', /\bCASE (?!WHEN\b)/.test(text)],
    ['a function of time within CASE or coalesce', /coalesce\([^()]*(?:_timestamp|now)\(/.test(text)],
    ['a function of time in RETURNING', /RETURNING [^)]*(?:_timestamp|now)\(/.test(text)],
    ['an advisory lock or a notification', /pg_(?:try_)?advisory|pg_notify/.test(text)],
  ];
  return rules.filter(([, isBroken]) => isBroken).map(([fault]) => fault);
}

test('the rules find what they are for', () => {
  const broken = [
    `UPDATE trellis.timers SET attempts = 1 WHERE record_id IN (SELECT record_id FROM trellis.timers FOR UPDATE SKIP LOCKED)`,
    `UPDATE trellis.timers SET available_at = clock_timestamp() WHERE organization_id = $1`,
    `INSERT INTO trellis.timers SELECT $1, unnest($2::text[]) FROM trellis.timers WHERE organization_id = $1`,
    `DELETE FROM trellis.timers WHERE organization_id = $1 AND CASE kind WHEN 'a' THEN true END`,
    `UPDATE trellis.timers SET due_at = coalesce(due_at, now()) WHERE organization_id = $1`,
    `DELETE FROM trellis.timers WHERE organization_id = $1 RETURNING due_at < now()`,
    `DELETE FROM trellis.timers WHERE organization_id = $1 AND pg_try_advisory_xact_lock(1)`,
  ];
  for (const text of broken) assert.equal(findFaults(text).length, 1, text);
});

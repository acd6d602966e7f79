/** The statements of the background roles do the same on a plain database and on the shards of a distributed one (Citus). */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { acquireLease, type Lease } from '@trellis/server/events/lease.ts';
import { addUp, measureOutbox, moveToEventLog, readOutbox } from '@trellis/server/events/outbox.ts';
import { createEventPartitions } from '@trellis/server/events/retention.ts';
import { moveSinkCursors, readBacklogs } from '@trellis/server/events/sink-cursors.ts';
import { sweepHistory } from '@trellis/server/pipeline/history-retention.ts';
import {
  claimIndexJobs,
  findDueOrganizations,
  postponeIndexJob,
  removeIndexJobStep,
} from '@trellis/server/pipeline/search/index-jobs.ts';
import { finishErasures } from '@trellis/server/pipeline/write/erasure.ts';
import { sweepIdempotencyKeys } from '@trellis/server/pipeline/write/idempotency/retention.ts';
import {
  claimJob,
  type ExtractionJob,
  removeJobStep,
  setJobDue,
} from '@trellis/server/resources/knowledge-files/extraction-queue.ts';
import { startScheduler } from '@trellis/server/scheduler/scheduler.ts';
import { sweepVisitors } from '@trellis/server/visitors/sweep.ts';
import { fanOutToWebhooks } from '@trellis/server/webhooks/fan-out.ts';
import {
  type ClaimedDelivery,
  EndpointTurn,
  recordFailure,
  recordSuccess,
  releaseDelivery,
} from '@trellis/server/webhooks/queue.ts';
import { sweepDeliveries } from '@trellis/server/webhooks/retention.ts';
import { pino } from 'pino';
import { withoutCitus } from '../support/citus.ts';
import { until } from '../support/until.ts';
import { createDistributedDatabase, createPlainDatabase, type WorkDatabase } from '../support/workplaces.ts';

const count = 24;
const eventsOfEach = 3;

describe('on plain PostgreSQL', () => testRoles(createPlainDatabase));
describe('on Citus', { skip: withoutCitus }, () => {
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

  async function writeEvents(readers: string | null = null): Promise<void> {
    await database.admin.query(
      `INSERT INTO trellis.outbox (organization_id, id, type, subject_type, subject_id, subject_version, request_id,
         changed_fields, occurred_at, readers)
       SELECT id, gen_random_uuid(), 'site.updated', 'site', id, n, 'test', '{}', now(), $2::text[]
       FROM trellis.organizations, generate_series(1, $1::integer) n`,
      [eventsOfEach, readers],
    );
  }

  async function moveAll(): Promise<number> {
    let moved = 0;
    for (const part of database.parts()) {
      const events = await readOutbox(part, 5_000);
      if (events.length > 0) moved += (await moveToEventLog(part, lease, events, fanOutToWebhooks)).length;
    }
    return moved;
  }

  async function rows(text: string): Promise<Record<string, unknown>[]> {
    return (await database.admin.query(text)).rows;
  }

  test('events are numbered by organization, and deliveries created with them', async () => {
    await writeEvents();
    const measured = addUp(await database.workplaces.everywhere(measureOutbox));
    assert.equal(measured.events, count * eventsOfEach);
    assert.equal(await moveAll(), count * eventsOfEach);
    const logs = await rows(
      `SELECT array_agg(position ORDER BY subject_version)::text AS log FROM trellis.events GROUP BY organization_id`,
    );
    assert.deepEqual(logs, Array<unknown>(count).fill({ log: '{1,2,3}' }));
    assert.deepEqual(await rows('SELECT count(*)::integer AS n FROM trellis.webhook_deliveries'), [
      { n: count * eventsOfEach },
    ]);
    assert.equal(await moveAll(), 0);
  });

  test('an event whose records the user of an endpoint may not read is not delivered', async () => {
    const known = await rows('SELECT count(*)::integer AS n FROM trellis.webhook_deliveries');
    await writeEvents('{nobody}');
    assert.equal(await moveAll(), count * eventsOfEach);
    assert.deepEqual(await rows('SELECT count(*)::integer AS n FROM trellis.webhook_deliveries'), known);
  });

  test('each delivery is claimed once by two nodes, at most two of an endpoint, and its result is recorded', async () => {
    const claimed: ClaimedDelivery[] = [];
    for (const part of database.parts()) {
      const turns = [new EndpointTurn(), new EndpointTurn()];
      do {
        const some = await Promise.all(turns.map((turn) => turn.claim(part, 8, 600_000)));
        claimed.push(...some.flat());
      } while (!turns.every((turn) => turn.wasIdle));
    }
    assert.equal(claimed.length, 2 * count);
    assert.equal(new Set(claimed.map(({ endpointId, eventId }) => endpointId + eventId)).size, 2 * count);
    const outcome = (status: number) => ({
      outcome: { status, latencyMs: 1, excerpt: '', error: null, retryAfterMs: null },
      attemptedAt: new Date().toISOString(),
    });
    const [first, second, third, fourth] = claimed;
    assert.ok(first && second && third && fourth);
    await recordSuccess(first, outcome(200));
    assert.equal(await recordFailure(second, outcome(500), 60_000), false);
    await releaseDelivery(third, 60_000);
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
    assert.equal(await recordFailure(fourth, outcome(500), null), true);
  });

  test('each due timer is leased once by two schedulers', async () => {
    await database.admin.query(
      `INSERT INTO trellis.timers (organization_id, kind, record_id, due_at, available_at)
       SELECT id, kind, id, now(), now() FROM trellis.organizations, unnest('{ARTICLE_PUBLISH,FILE_EXPIRE}'::text[]) kind`,
    );
    // Without models every change fails, so that the number of attempts is that of leases.
    const common = { models: new Map(), nudge: () => undefined, log: pino({ level: 'silent' }) };
    const timing = { pollMs: 10, firstBackoffMs: 600_000, lastBackoffMs: 600_000 };
    const schedulers = [1, 2].map(() =>
      database.workplaces.run((place) =>
        startScheduler({ ...common, worker: place, api: place.api, timing }),
      ),
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
    for (const part of database.parts()) {
      const jobs: ExtractionJob[] = [];
      for (let job = await claimJob(part, 600, []); job !== null; job = await claimJob(part, 600, []))
        jobs.push(job);
      const firsts = jobs.slice(0, jobs.length / 2).map(({ organizationId }) => organizationId);
      assert.equal(new Set(firsts).size, firsts.length, 'nobody is served twice before all are served');
      served.push(...firsts);
      const [first, second] = jobs;
      if (first === undefined || second === undefined) continue;
      assert.equal(await setJobDue(first, 0), true);
      await part.executeInBackground([removeJobStep(second)]);
      assert.equal(await setJobDue(second, 0), false);
      assert.equal((await claimJob(part, 600, []))?.fileId, first.fileId);
    }
    assert.deepEqual(served.toSorted(), organizations.toSorted());
  });

  test('index jobs are found, claimed and removed', async () => {
    await database.admin.query(
      `INSERT INTO trellis.search_marks
         (organization_id, type, record_id, parent_id, number, available_at, attempts)
       SELECT id, 'role', id, id, 1, now(), 0 FROM trellis.organizations`,
    );
    const found: string[] = [];
    for (const part of database.parts()) {
      const due = await findDueOrganizations(part, false);
      found.push(...due);
      for (const organizationId of due) {
        const claim = { organizationId, leaseMs: 60_000, most: 10, all: false };
        const [job] = await claimIndexJobs(part, claim);
        assert.ok(job);
        assert.deepEqual(await claimIndexJobs(part, claim), []);
        await postponeIndexJob(part, job, 60_000);
        await part.executeInBackground([removeIndexJobStep(job)]);
      }
      assert.deepEqual(await findDueOrganizations(part, true), []);
    }
    assert.deepEqual(found.toSorted(), organizations.toSorted());
  });

  test('the sweeps delete what has expired', async () => {
    await database.admin.query(`UPDATE trellis.webhook_deliveries
      SET created_at = now() - interval '40 days', next_attempt_at = now() - interval '40 days', leased_until = NULL
      WHERE event_id IN (SELECT id FROM trellis.events WHERE position = 1)`);
    await database.admin.query(
      `INSERT INTO trellis.idempotency_keys
         (organization_id, client_id, user_id, key, fingerprint, status, published, created_at, subject_id, shows, body)
       SELECT id, id, id, which, decode(repeat('00', 32), 'hex'), 200, '{}',
         CASE which WHEN 'old' THEN now() - interval '8 days' ELSE now() END, id, 'OTHER', '{}'
       FROM trellis.organizations, unnest('{old,new}'::text[]) which`,
    );
    // One of each organization is older than the year that it keeps, one is of a record that was erased.
    await database.admin.query(
      `INSERT INTO trellis.changes (organization_id, record_id, version, changed_at, action, fields)
       SELECT id, CASE days WHEN 1 THEN id ELSE uuidv7() END, 2, now() - make_interval(days => days), 'updated', '{}'
       FROM trellis.organizations, unnest('{1,364,366}'::integer[]) days`,
    );
    await database.admin.query(
      `INSERT INTO trellis.erasures (organization_id, record_id) SELECT id, id FROM trellis.organizations`,
    );
    const total = async (sweep: Parameters<typeof database.workplaces.everywhere<number>>[0]) =>
      (await database.workplaces.everywhere(sweep)).reduce((sum, one) => sum + one, 0);
    assert.equal(await total((part) => sweepDeliveries(part)), count);
    assert.equal(await total((part) => sweepIdempotencyKeys(part, 7 * 86_400)), count);
    assert.equal(await total((part) => sweepHistory(part, 7 * 86_400)), count);
    assert.equal(
      await total((part) => finishErasures(part)),
      2 * count,
      'a change and a stored body of each',
    );
    assert.deepEqual(await rows('SELECT count(*)::integer AS n FROM trellis.erasures'), [{ n: 0 }]);
    assert.deepEqual(await rows('SELECT count(*)::integer AS n FROM trellis.changes'), [{ n: count }]);
    await total(async (part) => (await sweepVisitors(part, new Date())).visitors);
    assert.deepEqual(await createEventPartitions(database.worker), []);
  });

  test('what a sink does not have is read, and its cursors moved', async () => {
    await database.admin.query(`INSERT INTO trellis.leases (name) VALUES ('nats test')`);
    const sink = await acquireLease(database.worker, 'nats test', 'test', 60_000);
    assert.ok(sink);
    const all = { organizations: 1_000, eventsOfEach: 100, withinMs: null };
    let behind = 0;
    for (const part of database.parts()) {
      const backlogs = await readBacklogs(part, 'test', all);
      behind += backlogs.length;
      const reached = backlogs.map(({ organizationId, latest }) => ({ organizationId, position: latest }));
      await moveSinkCursors(part, sink, 'test', reached);
      assert.deepEqual(await readBacklogs(part, 'test', all), []);
    }
    assert.equal(behind, count);
  });
}

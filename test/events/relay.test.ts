/** The relay: no event is lost, repeated, out of order or early, whatever else the database does. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { step } from '@trellis/server/kernel/database/batch.ts';
import { acquireLease } from '@trellis/server/kernel/events/lease.ts';
import { readLog } from '@trellis/server/kernel/events/log.ts';
import type { LoggedEvent } from '@trellis/server/kernel/events/logged-event.ts';
import { moveToEventLog, OutboxChangedError, readOutbox } from '@trellis/server/kernel/events/outbox.ts';
import type { Relay } from '@trellis/server/kernel/events/relay.ts';
import pg from 'pg';
import { AdminClient } from '../support/admin-client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { countWaiting, createSite, everybodyIn, readWholeLog, writeSite } from '../support/events.ts';
import { createOrganization } from '../support/identities.ts';
import { startTestRelay } from '../support/relay.ts';
import { until } from '../support/until.ts';
import { uuidAt } from '../support/uuids.ts';

let database: TestDatabase;
let admin: pg.Client;
let organization = '';
const relays: Relay[] = [];

before(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
});
after(async () => {
  await admin.end();
  await database.drop();
});
beforeEach(async () => {
  organization = (await createOrganization(database.worker, randomUUID())).id;
});
afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.stop()));
  await admin.query('TRUNCATE trellis.outbox');
});

function start(options: Parameters<typeof startTestRelay>[1] = {}): Relay {
  const relay = startTestRelay(database, options);
  relays.push(relay);
  return relay;
}

/** Waits until the organization's log has a number of events. */
async function logged(count: number, of = organization): Promise<LoggedEvent[]> {
  return until(`${count} events are logged`, async () => {
    const events = await readWholeLog(database.api, of);
    assert.ok(events.length <= count, `${events.length} events, not ${count}`);
    return events.length === count && events;
  });
}

function positionsOf(events: readonly LoggedEvent[]): number[] {
  return events.map(({ position }) => position);
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

async function take(durationMs = 60_000) {
  const lease = await acquireLease(database.worker, 'relay', 'test', durationMs);
  assert.ok(lease !== null, 'the lease is taken');
  return lease;
}

/** Makes the lease expire without waiting. */
async function expireLease(): Promise<void> {
  await admin.query(`UPDATE trellis.leases SET expires_at = '-infinity'`);
}

test('versions of a record keep their order across batches, whatever the clocks of their ids', async () => {
  const subject = newUuid();
  // Later versions have smaller ids, as from a node whose clock is behind; all are of one millisecond.
  for (const version of upTo(5)) {
    await admin.query(
      `INSERT INTO trellis.outbox (organization_id, id, type, subject_type, subject_id, subject_version, request_id,
        changed_fields, occurred_at) VALUES ($1, $2, 'site.updated', 'site', $3, $4, 'test', '{}', '2026-03-01T12:00:00.007Z')`,
      [organization, uuidAt(1_800_000_000_000 - version), subject, version],
    );
  }
  start({ sizes: { batch: 2, readAhead: 3 } });
  const events = await logged(5);
  assert.deepEqual(
    events.map(({ subjectVersion, position }) => [subjectVersion, position]),
    upTo(5).map((number) => [number, number]),
  );
});

test('the lease is renewed while the outbox is read, however long that takes', async () => {
  const timing = { leaseMs: 1_000, standbyMs: 50 };
  const holder = start({ timing });
  const term = await until('the relay runs', () => holder.term());
  const standby = start({ timing });
  const client = await AdminClient.open(database);
  await client.query('BEGIN');
  try {
    await client.query('LOCK TABLE trellis.outbox IN ACCESS EXCLUSIVE MODE');
    const { rows } = await admin.query('SELECT clock_timestamp() AS now');
    await until('several leases would have run out', async () => {
      const { rows: later } = await admin.query(
        `SELECT clock_timestamp() > $1::timestamptz + interval '3 s' AS over`,
        [rows[0].now],
      );
      return later[0].over;
    });
    const { rows: leases } = await admin.query(`SELECT term FROM trellis.leases WHERE name = 'relay'`);
    assert.deepEqual([Number(leases[0].term), holder.term(), standby.term()], [term, term, null]);
  } finally {
    await client.end();
  }
});

test('an event is logged as it was appended', async () => {
  const values = {
    id: newUuid(),
    type: 'article.published',
    subject: newUuid(),
    parent: newUuid(),
    user: newUuid(),
    client: newUuid(),
    token: newUuid(),
  };
  await admin.query(
    `INSERT INTO trellis.outbox (organization_id, id, type, subject_type, subject_id, parent_id, subject_version, actor_user_id,
       actor_client_id, request_id, changed_fields, occurred_at, actor_token_id, actor_methods)
     VALUES ($1, $2, $3, 'article', $4, $5, 3, $6, $7, 'request "1"', $8, '2026-03-01T12:00:00.5+02', $9, $10)`,
    [
      organization,
      values.id,
      values.type,
      values.subject,
      values.parent,
      values.user,
      values.client,
      ['versionData.title', 'state'],
      values.token,
      ['PASSWORD', 'TOTP'],
    ],
  );
  start();
  assert.deepEqual(await logged(1), [
    {
      organizationId: organization,
      position: 1,
      id: values.id,
      type: 'article.published',
      subjectType: 'article',
      subjectId: values.subject,
      parentId: values.parent,
      subjectVersion: 3,
      userId: values.user,
      clientId: values.client,
      tokenId: values.token,
      methods: ['PASSWORD', 'TOTP'],
      requestId: 'request "1"',
      changedFields: ['versionData.title', 'state'],
      readers: null,
      occurredAt: '2026-03-01T10:00:00.500Z',
    },
  ]);
  assert.equal(await countWaiting(database.worker), 0);
});

test('an open transaction delays no other event, and its own event is logged when it commits', async () => {
  const [slow, quick] = [
    await createSite(database.api, organization),
    await createSite(database.api, organization),
  ];
  const other = new pg.Client({ connectionString: database.adminUrl });
  await other.connect();
  try {
    await other.query('BEGIN');
    await other.query(
      `INSERT INTO trellis.outbox (organization_id, id, type, subject_type, subject_id, subject_version, request_id,
        changed_fields, occurred_at) VALUES ($1, $2, 'site.created', 'site', $3, 1, 'slow', '{}', clock_timestamp())`,
      [organization, newUuid(), slow],
    );
    start();
    await writeSite(database.api, organization, quick, { requestId: 'quick' });
    assert.deepEqual(
      (await logged(1)).map(({ requestId }) => requestId),
      ['quick'],
    );
    await other.query('COMMIT');
    assert.deepEqual(
      (await logged(2)).map(({ requestId }) => requestId),
      ['quick', 'slow'],
    );
  } finally {
    await other.end();
  }
});

test('a transaction that stays open in another database of the cluster delays nothing', async () => {
  const site = await createSite(database.api, organization);
  const elsewhere = await createTestDatabase();
  const other = new pg.Client({ connectionString: elsewhere.adminUrl });
  await other.connect();
  try {
    await other.query('BEGIN');
    // Has a transaction id that is older than those of the writes that follow.
    await other.query('SELECT pg_current_xact_id()');
    start();
    for (const version of upTo(3)) {
      await writeSite(database.api, organization, site);
      await logged(version);
    }
    await other.query('COMMIT');
  } finally {
    await other.end();
    await elsewhere.drop();
  }
});

test('a reader with an old snapshot delays nothing, and keeps seeing its snapshot', async () => {
  const site = await createSite(database.api, organization);
  await writeSite(database.api, organization, site);
  const reader = await AdminClient.open(database);
  const ofLeases = new pg.Client({ connectionString: database.adminUrl });
  await ofLeases.connect();
  try {
    const readState = async () => {
      const { rows: leases } = await ofLeases.query(`SELECT FROM trellis.leases WHERE name = 'relay'`);
      assert.equal(leases.length, 1);
      const { rows } = await reader.query(
        `SELECT (SELECT count(*) FROM trellis.outbox WHERE organization_id = $1) AS waiting,
           (SELECT count(*) FROM trellis.events WHERE organization_id = $1) AS logged,
           (SELECT count(*) FROM trellis.event_positions WHERE organization_id = $1) AS positions,
           (SELECT count(*) FROM trellis.sites WHERE organization_id = $1) AS sites`,
        [organization],
      );
      return rows[0];
    };
    const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ';
    await reader.query(begin);
    await ofLeases.query(begin);
    const seen = await readState();
    assert.deepEqual(seen, { waiting: '1', logged: '0', positions: '0', sites: '1' });
    start();
    await logged(1);
    for (const version of [2, 3]) {
      await writeSite(database.api, organization, site);
      await logged(version);
    }
    assert.deepEqual(await readState(), seen);
    await reader.query('COMMIT');
    assert.equal((await readState())?.logged, '3');
  } finally {
    await reader.end();
    await ofLeases.end();
  }
});

test('the fan-out is done in the transaction that logs the events, or both fail', async () => {
  const site = await createSite(database.api, organization);
  await writeSite(database.api, organization, site);
  const rename = {
    name: 'test_rename',
    text: `UPDATE trellis.clients SET name = $2 WHERE organization_id = $1 AND kind = 'SERVER'`,
  };
  const fail = { name: 'test_fail', text: 'SELECT 1 / $1::integer' };
  const handed: LoggedEvent[][] = [];
  let failures = 2;
  start({
    timing: { firstBackoffMs: 10 },
    fanOut: (events) => {
      handed.push([...events]);
      failures -= 1;
      return [
        step(rename, [organization, `after ${failures}`]),
        ...(failures >= 0 ? [step(fail, ['0'])] : []),
      ];
    },
  });
  const events = await logged(1);
  const { rows } = await admin.query(
    `SELECT name FROM trellis.clients WHERE organization_id = $1 AND kind = 'SERVER'`,
    [organization],
  );
  assert.equal(rows[0]?.name, 'after -1');
  assert.deepEqual(handed, [events, events, events]);
});

test('a batch that fails leaves the outbox, the log and the positions as they were', async () => {
  const site = await createSite(database.api, organization);
  await writeSite(database.api, organization, site);
  const lease = await take();
  const waiting = await readOutbox(database.worker, 10);
  assert.equal(waiting.length, 1);
  await assert.rejects(
    moveToEventLog(database.worker, lease, waiting, () => {
      throw new Error('fan-out failed');
    }),
    /fan-out failed/,
  );
  assert.deepEqual(await readOutbox(database.worker, 10), waiting);
  assert.equal(
    (await readLog(database.api, everybodyIn(organization), { from: 'earliest', limit: 1 })).latest,
    0,
  );
  await expireLease();
});

test('events that have been moved already are not moved again', async () => {
  const site = await createSite(database.api, organization);
  await writeSite(database.api, organization, site);
  const lease = await take();
  const waiting = await readOutbox(database.worker, 10);
  await moveToEventLog(database.worker, lease, waiting, () => []);
  await writeSite(database.api, organization, site);
  const both = [...waiting, ...(await readOutbox(database.worker, 10))];
  assert.equal(both.length, 2);
  await assert.rejects(
    moveToEventLog(database.worker, lease, both, () => []),
    OutboxChangedError,
  );
  assert.equal(await countWaiting(database.worker), 1);
  assert.deepEqual(positionsOf(await readWholeLog(database.api, organization)), [1]);
  await expireLease();
});

test('a nudge starts the relay at once, without waiting for the next poll', async () => {
  const site = await createSite(database.api, organization);
  const relay = start({ timing: { pollMs: 3_600_000, leaseMs: 36_000_000 } });
  await until('it is the relay', () => relay.term());
  for (const version of upTo(3)) {
    await writeSite(database.api, organization, site);
    relay.nudge();
    await logged(version);
  }
});

test('after a relay stops, the next one starts at once', async () => {
  const site = await createSite(database.api, organization);
  const first = start({ timing: { leaseMs: 36_000_000 } });
  const term = await until('it is the relay', () => first.term());
  await first.stop();
  assert.equal(first.term(), null);
  await writeSite(database.api, organization, site);
  const second = start();
  await logged(1);
  assert.equal(second.term(), term + 1);
});

test('a relay whose connections are cut continues', async () => {
  const site = await createSite(database.api, organization);
  start({ timing: { firstBackoffMs: 10, lastBackoffMs: 50 } });
  for (const version of upTo(5)) {
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename = 'trellis_worker'`,
      [database.name],
    );
    await writeSite(database.api, organization, site);
    await logged(version);
  }
});

/** Retention of the event log: only whole old weeks are dropped, without blocking anyone. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { readLog } from '@trellis/server/kernel/events/log.ts';
import {
  createEventPartitions,
  dropOldEventPartitions,
  startRetention,
} from '@trellis/server/kernel/events/retention.ts';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createSite, everybodyIn, readWholeLog, writeSite } from '../support/events.ts';
import { createOrganization } from '../support/identities.ts';
import { startTestRelay } from '../support/relay.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let admin: pg.Client;
let organization = '';

before(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  await admin.query(`SET timezone = 'UTC'`);
  organization = (await createOrganization(database.worker, randomUUID())).id;
});
after(async () => {
  await admin.end();
  await database.drop();
});

/** Names of the log's partitions, oldest first. */
async function partitions(): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'trellis.events'::regclass ORDER BY 1`,
  );
  return rows.map(({ name }) => name.replace('trellis.', ''));
}

/** The Monday a number of weeks from now, by the clock of the database. */
async function monday(weeks: number): Promise<Date> {
  const { rows } = await admin.query<{ day: Date }>(
    `SELECT date_trunc('week', clock_timestamp()) + $1 * interval '1 week' AS day`,
    [weeks],
  );
  const [row] = rows;
  assert.ok(row);
  return row.day;
}

const nameOf = (day: Date) => `events_${day.toISOString().slice(0, 10).replaceAll('-', '_')}`;

/** Creates the partition of a past week with one event in its last millisecond. */
async function makePastWeek(weeksAgo: number, position: number): Promise<string> {
  const begins = await monday(-weeksAgo);
  const ends = await monday(1 - weeksAgo);
  const name = nameOf(begins);
  await admin.query(`CREATE TABLE trellis.${name} PARTITION OF trellis.events
    FOR VALUES FROM ('${begins.toISOString()}') TO ('${ends.toISOString()}')`);
  await admin.query(`ALTER TABLE trellis.${name} OWNER TO trellis_owner`);
  await admin.query(
    `INSERT INTO trellis.events (organization_id, position, logged_at, id, type, subject_type, subject_id,
      subject_version, request_id, changed_fields, occurred_at)
     VALUES ($1, $2, $3, $4, 'site.updated', 'site', $4, 1, 'test', '{}', $3)`,
    [organization, position, new Date(ends.getTime() - 1), newUuid()],
  );
  await admin.query(
    `INSERT INTO trellis.event_positions VALUES ($1, $2, now())
     ON CONFLICT (organization_id) DO UPDATE SET position = excluded.position`,
    [organization, position],
  );
  return name;
}

test('there are partitions for this week and the next four, and creating them again has no effect', async () => {
  const expected: string[] = [];
  for (const weeks of [0, 1, 2, 3, 4]) expected.push(nameOf(await monday(weeks)));
  assert.deepEqual(await partitions(), expected);
  assert.deepEqual(await createEventPartitions(database.worker), []);
});

test('the relay creates missing partitions itself', async () => {
  const all = await partitions();
  await admin.query(`DROP TABLE ${all.map((name) => `trellis.${name}`).join(', ')}`);
  const site = await createSite(database.api, organization);
  await writeSite(database.api, organization, site);
  const relay = startTestRelay(database, { timing: { firstBackoffMs: 10 } });
  try {
    await until('the event is logged', async () => {
      const events = await readWholeLog(database.api, organization);
      return events.length === 1;
    });
  } finally {
    await relay.stop();
  }
  assert.deepEqual(await partitions(), all);
  const { rows } = await admin.query(
    `SELECT pg_get_userbyid(relowner) AS owner, relrowsecurity AND relforcerowsecurity AS forced, relacl
     FROM pg_class WHERE relname = ANY ($1)`,
    [all],
  );
  assert.deepEqual(
    rows,
    all.map(() => ({ owner: 'trellis_owner', forced: true, relacl: null })),
  );
  await admin.query('TRUNCATE trellis.events, trellis.event_positions');
});

test('partitions whose last day is too old are dropped, and no others', async () => {
  const current = await partitions();
  const [oldest, old, kept] = [
    await makePastWeek(20, 1),
    await makePastWeek(14, 2),
    await makePastWeek(12, 3),
  ];
  assert.deepEqual(await partitions(), [oldest, old, kept, ...current]);

  assert.deepEqual(await dropOldEventPartitions(database.worker, 3_650), []);
  assert.deepEqual(await dropOldEventPartitions(database.worker, 90), [oldest, old]);
  assert.deepEqual(await partitions(), [kept, ...current]);
  assert.deepEqual(await dropOldEventPartitions(database.worker, 90), []);

  const page = await readLog(database.api, everybodyIn(organization), { from: 1, limit: 10 });
  assert.deepEqual(
    page.events.map(({ position }) => position),
    [3],
  );
  assert.deepEqual([page.missed, page.earliest, page.latest, page.next], [true, 3, 3, 3]);
  // A reader that had read up to the dropped events has missed nothing.
  assert.equal(
    (await readLog(database.api, everybodyIn(organization), { from: 2, limit: 10 })).missed,
    false,
  );

  // The week of the boundary stays until its last day is beyond it.
  const daysSinceEnd = Math.floor((Date.now() - (await monday(-11)).getTime()) / 86_400_000);
  assert.deepEqual(await dropOldEventPartitions(database.worker, daysSinceEnd + 1), []);
  assert.deepEqual(await dropOldEventPartitions(database.worker, daysSinceEnd), [kept]);

  const empty = await readLog(database.api, everybodyIn(organization), { from: 'earliest', limit: 10 });
  assert.deepEqual(
    [empty.events, empty.earliest, empty.latest, empty.next, empty.more],
    [[], 4, 3, 3, false],
  );
});

test('nobody can drop the last week, and only the worker role can drop or create partitions', async () => {
  const before = await partitions();
  for (const days of [6, 0, -1]) {
    await assert.rejects(dropOldEventPartitions(database.worker, days), { code: '22023' });
  }
  await assert.rejects(database.worker.run('SELECT trellis.drop_event_partition(NULL)'), { code: '22023' });
  for (const call of ['drop_event_partition(90)', 'create_event_partitions()']) {
    await assert.rejects(database.api.run(`SELECT trellis.${call}`), { code: '42501' }, call);
  }
  const [partition] = before;
  for (const pool of [database.api, database.worker]) {
    for (const statement of ['SELECT FROM', 'DELETE FROM', 'TRUNCATE', 'DROP TABLE', 'ALTER TABLE']) {
      const rest = statement === 'ALTER TABLE' ? ' ADD COLUMN more text' : '';
      for (const table of statement === 'SELECT FROM' ? [partition] : [partition, 'events']) {
        await assert.rejects(
          pool.run(`${statement} trellis.${table}${rest}`),
          { code: '42501' },
          `${statement} ${table}`,
        );
      }
    }
  }
  assert.deepEqual(await partitions(), before);
});

test('dropping a partition gives way to a long reader, and succeeds later', async () => {
  const old = await makePastWeek(30, 4);
  const reader = new pg.Client({ connectionString: database.adminUrl });
  await reader.connect();
  try {
    await reader.query('BEGIN');
    await reader.query('SELECT count(*) FROM trellis.events');
    // As a superuser, whose sessions have no lock timeout: the function itself has one.
    await admin.query(`SET statement_timeout = '20s'`);
    await assert.rejects(admin.query('SELECT trellis.drop_event_partition(90)'), { code: '55P03' });
    const messages: string[] = [];
    const retention = startRetention({
      database: database.worker,
      retentionDays: 90,
      intervalMs: 50,
      log: (message) => messages.push(message),
    });
    try {
      await until('it has given up once', () =>
        messages.includes('Partitions of the event log could not be maintained'),
      );
      assert.ok((await partitions()).includes(old));
      await reader.query('COMMIT');
      await until('it is dropped', async () => !(await partitions()).includes(old));
    } finally {
      await retention.stop();
    }
  } finally {
    await reader.end();
  }
});

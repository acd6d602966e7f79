/** What it costs to say what changed lately: little in a long log, and next to nothing while the log is as before. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  type ActivityQuery,
  examinedPositions,
  firstPositions,
  type KnownActivity,
  knownActivity,
  readWorks,
} from '@trellis/server/features/log/activity.ts';
import type { Database } from '@trellis/server/kernel/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createMember, createOrganization, type TestOrganization } from '../support/identities.ts';
import { countReads, openPool } from '../support/rows-read.ts';

/** Pieces of work that are chosen for. */
const limit = 30;
/** Changes by two people in turn, with a pause after each ten. */
const changes = 800;
const query: ActivityQuery = { subjectTypes: ['article', 'book', 'contact'], type: null, limit };
const partitions = 'events\\_20%';

/** Makes a partition of the weeks before the oldest that there is. */
const partitionOfBefore = `DO $do$ DECLARE monday text; BEGIN
  SELECT substring(min(relname) FROM 8) INTO monday FROM pg_class WHERE relname LIKE '${partitions}' AND relkind = 'r';
  EXECUTE format('CREATE TABLE trellis.events_2000 PARTITION OF trellis.events FOR VALUES FROM (%L) TO (%L)',
    '2000-01-03 00:00Z', replace(monday, '_', '-') || ' 00:00Z');
END $do$`;

let database: TestDatabase;
let admin: Database;
let organization: TestOrganization;
let owner = '';

before(async () => {
  database = await createTestDatabase();
  admin = openPool(database.adminUrl, 'trellis test');
  organization = await createOrganization(database.worker, 'lately');
  owner = await createMember(database.worker, organization, 'OWNER');
  const editor = await createMember(database.worker, organization, 'EDITOR');
  await admin.run(`INSERT INTO trellis.event_positions VALUES ($1, 1, now() - interval '1 minute')`, [
    organization.id,
  ]);
  await admin.run(partitionOfBefore, []);
  const importOf = `SELECT 'contact.created', 'contact', $3, now() - interval '40 days' + n * interval '1 second'
    FROM generate_series(1, $2::integer) n`;
  await log(importOf, [String(examinedPositions), owner]);
  const edits = `SELECT t || '.updated', t, p, now() - ($2::integer - n) * interval '2 minutes' - ((($2::integer - n) / 10) * interval '1 hour')
    FROM (SELECT n, CASE WHEN n / 10 % 2 = 0 THEN 'article' ELSE 'book' END AS t, CASE WHEN n / 10 % 3 = 0 THEN $3 ELSE $4 END AS p
      FROM generate_series(1, $2::integer) n) e`;
  await log(edits, [String(changes), owner, editor]);
  await admin.run('ANALYZE trellis.events', []);
});
after(async () => {
  await admin.close();
  await database.drop();
});

/** Continues the log. @param rows SQL: type, kind, person and instant of each event, the oldest first */
async function log(rows: string, values: readonly string[], readers: string | null = null): Promise<void> {
  await admin.run(
    `WITH rows (type, kind, person, occurred_at) AS (${rows}), numbered AS (
      SELECT rows.*, p.position + row_number() OVER (ORDER BY occurred_at) AS position
      FROM rows, trellis.event_positions p WHERE p.organization_id = $1
    ), inserted AS (
      INSERT INTO trellis.events (organization_id, position, logged_at, id, type, subject_type, subject_id, subject_version, actor_user_id,
        request_id, changed_fields, occurred_at, readers)
      SELECT $1::uuid, position, occurred_at, gen_random_uuid(), type, kind, gen_random_uuid(), 1,
        person::uuid, 'test', '{}', occurred_at, ${readers === null ? 'NULL' : `ARRAY['${readers}']`}
      FROM numbered ORDER BY position RETURNING position
    )
    UPDATE trellis.event_positions SET position = (SELECT max(position) FROM inserted) WHERE organization_id = $1`,
    [organization.id, ...values],
  );
}

const works = (userId: string, known: KnownActivity, chosen = query, api = database.api) =>
  readWorks(api, { organizationId: organization.id, userId }, chosen, known);

test('the whole log is not examined for work that ended before the examined events, and the result is the same', async () => {
  const all = await works(owner, knownActivity(), { ...query, limit: 200 });
  const { length } = all;
  assert.ok(
    length > limit && length < 200,
    `${length} pieces of work in all, so that everything was examined`,
  );
  assert.equal(all.at(-1)?.records, examinedPositions - changes, 'the import');
  for (const chosen of [1, limit, length]) {
    const isEnough = chosen < length;
    const read = await countReads(admin, partitions, database.urls.api, async (api) => {
      const found = await works(owner, knownActivity(), { ...query, limit: chosen }, api);
      assert.deepEqual(found, all.slice(0, chosen));
    });
    const most = isEnough ? firstPositions : firstPositions + examinedPositions;
    assert.ok(read > most * 0.9 && read < most * 1.1, `${read} rows were read for ${chosen}`);
  }
});

test('an unchanged log is not examined again, and a change is seen at once', async () => {
  const known = knownActivity();
  const first = await works(owner, known);
  const read = await countReads(admin, partitions, database.urls.api, async (api) => {
    for (let time = 0; time < 10; time += 1) assert.deepEqual(await works(owner, known, query, api), first);
  });
  assert.equal(read, 0);
  await log(`SELECT 'contact.updated', 'contact', $2, now()`, [owner]);
  const [newest] = await works(owner, known);
  assert.deepEqual([newest?.subjectType, newest?.events], ['contact', 1]);
});

test('what was found for somebody is not told to others, nor to the same person with another role or other rights', async () => {
  const known = knownActivity();
  const member = await createMember(database.worker, organization, 'ADMIN');
  await log(`SELECT 'book.updated', 'book', $2, now()`, [owner], 'ADMIN');
  const newest = async (userId: string, chosen = query) =>
    (await works(userId, known, chosen))[0]?.subjectType;
  assert.equal(await newest(member), 'book');
  assert.equal(await newest(owner), 'contact');
  assert.equal(await newest(member, { ...query, subjectTypes: ['article'] }), 'article');
  await admin.run(`UPDATE trellis.memberships SET role = 'EDITOR' WHERE user_id = $1`, [member]);
  assert.equal(await newest(member), 'contact');
});

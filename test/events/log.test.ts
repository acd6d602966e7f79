/** Reading the event log: pages, filters, positions, and visibility by organization. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { isTypePattern } from '@trellis/schema/values/event-type.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { acquireLease, releaseLease } from '@trellis/server/kernel/events/lease.ts';
import {
  decodeLogPage,
  type LogPage,
  type LogQuery,
  logStep,
  readLog,
} from '@trellis/server/kernel/events/log.ts';
import { moveToEventLog, readOutbox } from '@trellis/server/kernel/events/outbox.ts';
import { AdminClient } from '../support/admin-client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { everybodyIn } from '../support/events.ts';
import { createOrganization } from '../support/identities.ts';

let database: TestDatabase;
let organization = '';
let other = '';
const [first, second] = [newUuid(), newUuid()];

before(async () => {
  database = await createTestDatabase();
  organization = (await createOrganization(database.worker, randomUUID())).id;
  other = (await createOrganization(database.worker, randomUUID())).id;
  await append(organization, 'article.created', first, 1);
  await append(other, 'article.created', newUuid(), 1);
  await append(organization, 'article.published', first, 2);
  await append(organization, 'article-note.created', second, 1);
  await append(organization, 'site.updated', second, 2);
  await append(organization, 'article.deleted', first, 3);
});
after(() => database.drop());

/** Appends an event and waits until it is logged. */
async function append(owner: string, type: string, subject: string, version: number): Promise<void> {
  await database.api.transaction({ organizationId: owner, userId: null }, [], async (_, transaction) => {
    const insert = {
      name: 'test_append',
      text: `INSERT INTO trellis.outbox (organization_id, id, type, subject_type, subject_id, subject_version, request_id,
        changed_fields, occurred_at) VALUES ($1, $2, $3, $4, $5, $6, 'test', '{}', now())`,
    };
    const values = [owner, newUuid(), type, type.split('.')[0] ?? '', subject, String(version)];
    await transaction.commit([{ statement: insert, values }]);
  });
  const lease = await acquireLease(database.worker, 'relay', 'test', 60_000);
  assert.ok(lease);
  await moveToEventLog(database.worker, lease, await readOutbox(database.worker, 10), () => []);
  await releaseLease(database.worker, lease);
}

function read(query: Partial<LogQuery> = {}, owner = organization): Promise<LogPage> {
  return readLog(database.api, everybodyIn(owner), { from: 'earliest', limit: 100, ...query });
}

async function positions(query: Partial<LogQuery>): Promise<number[]> {
  return (await read(query)).events.map(({ position }) => position);
}

test('pages follow one another without a gap or repetition, and report their end', async () => {
  const seen: number[] = [];
  let page = await read({ limit: 2 });
  assert.deepEqual([page.earliest, page.latest, page.more], [1, 5, true]);
  for (;;) {
    seen.push(...page.events.map(({ position }) => position));
    if (!page.more) break;
    page = await read({ from: page.next, limit: 2 });
  }
  assert.deepEqual(seen, [1, 2, 3, 4, 5]);
  assert.equal(page.next, 5);
  assert.equal(page.missed, false);
  const full = await read({ limit: 5 });
  assert.deepEqual([full.next, full.more], [5, false]);
});

test('"latest" starts after the newest event, "earliest" at the oldest, a position after itself', async () => {
  const latest = await read({ from: 'latest' });
  assert.deepEqual([latest.events, latest.next, latest.more], [[], 5, false]);
  assert.deepEqual(await positions({ from: 0 }), [1, 2, 3, 4, 5]);
  assert.deepEqual(await positions({ from: 3 }), [4, 5]);
  const beyond = await read({ from: 9 });
  assert.deepEqual([beyond.events, beyond.next, beyond.more, beyond.missed], [[], 9, false, false]);
});

test('types are filtered by name and by pattern', async () => {
  assert.deepEqual(await positions({ types: ['article.*'] }), [1, 2, 5]);
  assert.deepEqual(await positions({ types: ['article.published'] }), [2]);
  assert.deepEqual(await positions({ types: ['site.*', 'article.deleted'] }), [4, 5]);
  assert.deepEqual(await positions({ types: ['article-note.*'] }), [3]);
  assert.deepEqual(await positions({ types: ['article.pub%', 'art_cle.*', '%'] }), []);
  assert.deepEqual(await positions({ types: [] }), []);
  // A page that is empty because of a filter still advances its reader.
  const none = await read({ types: ['book.*'] });
  assert.deepEqual([none.events, none.next, none.more], [[], 5, false]);
});

test('subjects are filtered by record, and by the kinds that the reader may see', async () => {
  assert.deepEqual(await positions({ subjectId: first }), [1, 2, 5]);
  assert.deepEqual(await positions({ subjectId: first, from: 1, limit: 1 }), [2]);
  assert.deepEqual(await positions({ subjectId: second, types: ['site.*'] }), [4]);
  assert.deepEqual(await positions({ subjectId: newUuid() }), []);
  assert.deepEqual(await positions({ subjectTypes: ['site', 'article-note'] }), [3, 4]);
  assert.deepEqual(await positions({ subjectTypes: [] }), []);
  assert.deepEqual(await positions({ subjectId: first, subjectTypes: ['site'] }), []);
});

test('an organization sees only its own events, numbered from 1', async () => {
  const theirs = await read({}, other);
  assert.deepEqual(
    theirs.events.map(({ position, organizationId }) => [position, organizationId]),
    [[1, other]],
  );
  assert.deepEqual(await read({ subjectId: first }, other).then(({ events }) => events), []);
  const none = await read({}, newUuid());
  assert.deepEqual(none, { events: [], next: 0, more: false, missed: false, earliest: 1, latest: 0 });
  // A query for another organization than the one that is set finds nothing.
  const query: LogQuery = { from: 'earliest', limit: 10 };
  const [result] = await database.api.query({ organizationId: organization, userId: null }, [
    logStep(other, query),
  ]);
  assert.deepEqual(decodeLogPage(query, result).events, []);
});

test('a page examines a bounded range, and the next one continues after it', async () => {
  const owner = (await createOrganization(database.worker, randomUUID())).id;
  const client = await AdminClient.open(database);
  await client.query(
    `INSERT INTO trellis.events (organization_id, position, logged_at, id, type, subject_type, subject_id, subject_version,
       request_id, changed_fields, occurred_at)
     SELECT $1, n, now(), gen_random_uuid(), CASE n WHEN 10007 THEN 'site.deleted' ELSE 'site.updated' END, 'site', $2, n,
       'test', '{}', now() FROM generate_series(6, 10010) n`,
    [owner, newUuid()],
  );
  await client.query('INSERT INTO trellis.event_positions VALUES ($1, 10010, now())', [owner]);
  await client.end();
  const types = ['site.deleted'];
  const page = await read({ types }, owner);
  assert.deepEqual([page.events, page.next, page.more], [[], 10_005, true]);
  const next = await read({ types, from: page.next }, owner);
  assert.deepEqual(
    next.events.map(({ position }) => position),
    [10_007],
  );
  assert.deepEqual([next.next, next.more], [10_010, false]);
});

test('patterns are whole names, or a resource with an asterisk', () => {
  for (const good of ['article.*', 'article.published', 'knowledge-file.failed', 'article.schedule_failed']) {
    assert.ok(isTypePattern(good), good);
  }
  for (const bad of [
    '*',
    'article',
    '*.published',
    'article.',
    'article.*.*',
    'article.pub*',
    'Article.*',
    '',
  ]) {
    assert.ok(!isTypePattern(bad), bad);
  }
});

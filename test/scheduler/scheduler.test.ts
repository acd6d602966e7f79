/** Timed changes: each is made once, when it is due, by the rules at that time; otherwise the record says why not. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { type SchedulerTiming, startScheduler } from '@trellis/server/features/publishing/scheduler.ts';
import { createModels } from '@trellis/server/features.ts';
import type { Loop } from '@trellis/server/kernel/background/roles.ts';
import pg from 'pg';
import { pino } from 'pino';
import { AdminClient } from '../support/admin-client.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { create, expectRefusal, succeed, typesOf, write } from '../support/writes.ts';

let server: TestServer;
let admin: pg.Client;
let articles: string;
let rowsOfOrganization: AdminClient;
let running: Loop | null = null;

before(async () => {
  server = await startTestServer();
  admin = new pg.Client({ connectionString: server.database.adminUrl });
  await admin.connect();
  rowsOfOrganization = await AdminClient.open(server.database);
  const site = await create(server, '/v1/sites', { name: 'Site', key: 'site' });
  articles = `/v1/sites/${site.id}/articles`;
});
after(async () => {
  await running?.stop();
  await admin.end();
  await rowsOfOrganization.end();
  await server.close();
});

/** Runs a scheduler during some work. */
async function whileRunning<T>(work: () => Promise<T>, timing: Partial<SchedulerTiming> = {}): Promise<T> {
  const { worker, api } = server.database;
  running = startScheduler({
    worker,
    api,
    models: createModels(),
    nudge: () => undefined,
    log: pino({ level: 'silent' }),
    timing: { pollMs: 10, firstBackoffMs: 50, inUseMs: 50, ...timing },
  });
  try {
    return await work();
  } finally {
    await running.stop();
  }
}

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const inOneHour = () => inHours(1);

async function createArticle(versionData: object = {}): Promise<string> {
  const { id } = await create(server, articles, { versionData: { title: 'An article', ...versionData } });
  return `${articles}/${id}`;
}

async function schedule(versionData: object = {}): Promise<string> {
  const path = await createArticle();
  const given = { status: 'SCHEDULED', scheduledFor: inOneHour(), ...versionData };
  const scheduled = await succeed(server, 'PATCH', path, { versionData: given });
  assert.deepEqual(typesOf(scheduled), ['article.scheduled']);
  return path;
}

/** An article whose times have come that are less than some hours away; the scheduler does not run yet. */
async function scheduleDue(versionData: object = {}, passedHours = 1): Promise<string> {
  const path = await schedule(versionData);
  const id = path.split('/').at(-1) ?? '';
  for (const column of ['scheduled_for', 'unpublish_at'])
    await rowsOfOrganization.query(
      `UPDATE trellis.article_versions SET ${column} = clock_timestamp()
       WHERE article_id = $1 AND ${column} < clock_timestamp() + $2 * interval '1 hour'`,
      [decodeId('art', id), passedHours],
    );
  await makeDue(path, 'ARTICLE_PUBLISH');
  return path;
}

async function read(path: string): Promise<Json> {
  const { status, json, text } = await server.call('GET', path);
  assert.equal(status, 200, text);
  return json;
}

interface Told {
  readonly type: string;
  readonly user: string | null;
  readonly version: number;
  readonly fields: readonly string[];
}

/** Events of a record, in the order of its versions. */
async function eventsOf(path: string): Promise<Told[]> {
  const id = path.split('/').at(-1) ?? '';
  const rows = await server.database.worker.run(
    `SELECT type, actor_user_id, subject_version, array_to_json(changed_fields) FROM trellis.outbox
     WHERE subject_id = $1 ORDER BY subject_version`,
    [decodeId(id.split('_')[0] ?? '', id) ?? ''],
  );
  return rows.map(([type, user, version, fields]) => ({
    type: type ?? '',
    user: user ?? null,
    version: Number(version),
    fields: JSON.parse(fields ?? '[]'),
  }));
}

const lastTypes = async (path: string, count: number) =>
  (await eventsOf(path)).slice(-count).map(({ type }) => type);

async function timersOf(path: string): Promise<string[]> {
  const id = path.split('/').at(-1) ?? '';
  const { rows } = await admin.query('SELECT kind FROM trellis.timers WHERE record_id = $1 ORDER BY kind', [
    decodeId(id.split('_')[0] ?? '', id),
  ]);
  return rows.map(({ kind }) => kind);
}

/** Makes a timer due in some ms, without the hour of waiting. @returns when it is due */
async function makeDue(path: string, kind: string, inMs = 0): Promise<string> {
  const id = path.split('/').at(-1) ?? '';
  const { rows } = await rowsOfOrganization.query<{ due: Date }>(
    `WITH due AS MATERIALIZED (SELECT date_trunc('milliseconds', clock_timestamp() + $3 * interval '1 ms') AS at)
     UPDATE trellis.timers SET due_at = due.at, available_at = due.at FROM due
     WHERE record_id = $1 AND kind = $2 RETURNING due.at AS due`,
    [decodeId(id.split('_')[0] ?? '', id), kind, inMs],
  );
  assert.equal(rows.length, 1, `${path} has a timer ${kind}`);
  return rows[0]?.due.toISOString() ?? '';
}

test('an article is published and unpublished once each, when due, without a user', async () => {
  const path = await schedule({ unpublishAt: inHours(2) });
  assert.deepEqual(await timersOf(path), ['ARTICLE_PUBLISH']);
  await whileRunning(async () => {
    const from = await makeDue(path, 'ARTICLE_PUBLISH', 500);
    const published = await until('it is published', async () => {
      const record = await read(path);
      return record.state === 'PUBLISHED' ? record : undefined;
    });
    assert.equal(published.versionData.status, 'PUBLISHED');
    assert.ok(published.versionData.publishedAt >= from);
    assert.equal(published.updatedBy, null);
    await makeDue(path, 'ARTICLE_UNPUBLISH');
    const unpublished = await until('it is unpublished', async () => {
      const record = await read(path);
      return record.state === 'UNPUBLISHED' ? record : undefined;
    });
    assert.equal(unpublished.versionData.status, 'UNPUBLISHED');
    await sleep(100);
  });
  const logged = await eventsOf(path);
  assert.deepEqual(
    logged.map(({ type, version }) => `${type} ${version}`),
    ['article.created 1', 'article.scheduled 2', 'article.published 3', 'article.unpublished 4'],
  );
  assert.deepEqual([logged[2]?.user, logged[3]?.user], [null, null]);
  assert.deepEqual(await timersOf(path), []);
});

test('a timed change that was cancelled, postponed or deleted is not made', async () => {
  const edited = await scheduleDue();
  await succeed(server, 'PATCH', edited, { versionData: { title: 'Not ready after all' } });
  const returned = await scheduleDue();
  await succeed(server, 'PATCH', returned, { versionData: { status: 'DRAFT' } });
  const later = await scheduleDue();
  const moved = { scheduledFor: inHours(2), status: 'SCHEDULED' };
  await succeed(server, 'PATCH', later, { versionData: moved });
  const deleted = await scheduleDue();
  await succeed(server, 'DELETE', deleted);
  const control = await scheduleDue();
  await whileRunning(() =>
    until('another one is published', async () => (await read(control)).state === 'PUBLISHED'),
  );
  assert.equal((await read(edited)).versionData.status, 'DRAFT');
  assert.equal((await read(returned)).versionData.status, 'DRAFT');
  assert.equal((await read(later)).versionData.status, 'SCHEDULED');
  assert.deepEqual(await lastTypes(deleted, 1), ['article.deleted']);
  for (const path of [edited, returned, deleted]) assert.deepEqual(await timersOf(path), []);
  assert.deepEqual(await timersOf(later), ['ARTICLE_PUBLISH']);
});

test('unpublishing on time leaves a newer draft unchanged', async () => {
  const path = await createArticle({ unpublishAt: inOneHour() });
  await succeed(server, 'PATCH', path, { versionData: { status: 'PUBLISHED' } });
  const draft = (await succeed(server, 'PATCH', path, { versionData: { title: 'Newer', unpublishAt: null } }))
    .json;
  assert.equal(draft.state, 'CHANGED');
  await makeDue(path, 'ARTICLE_UNPUBLISH');
  const after = await whileRunning(() =>
    until('it is taken down', async () => {
      const record = await read(path);
      return record.state === 'UNPUBLISHED' ? record : undefined;
    }),
  );
  assert.deepEqual(after.versionData, draft.versionData);
  assert.equal((await read(`${path}/versions/1`)).versionData.status, 'UNPUBLISHED');
  assert.deepEqual(await lastTypes(path, 1), ['article.unpublished']);
});

test('a version that failed to be published is not published when the one before it is unpublished', async () => {
  const path = await createArticle({ unpublishAt: inOneHour() });
  await succeed(server, 'PATCH', path, { versionData: { status: 'PUBLISHED' } });
  const next = { title: 'Next', unpublishAt: null, scheduledFor: inOneHour(), status: 'SCHEDULED' };
  await succeed(server, 'PATCH', path, { versionData: next });
  assert.deepEqual(await timersOf(path), ['ARTICLE_PUBLISH', 'ARTICLE_UNPUBLISH']);
  await admin.query("UPDATE trellis.organizations SET modules = array_remove(modules, 'cms')");
  await makeDue(path, 'ARTICLE_PUBLISH');
  await whileRunning(() =>
    until('it has failed', async () => (await lastTypes(path, 1))[0] === 'article.schedule_failed'),
  );
  await admin.query("UPDATE trellis.organizations SET modules = modules || '{cms}'");
  await makeDue(path, 'ARTICLE_UNPUBLISH');
  const control = await scheduleDue();
  await whileRunning(() =>
    until('a later one is published', async () => {
      const response = await server.call('GET', control);
      return response.json.state === 'PUBLISHED';
    }),
  );
  const { state, versionData } = await read(path);
  assert.deepEqual([state, versionData.title, versionData.status], ['UNPUBLISHED', 'Next', 'DRAFT']);
  assert.deepEqual(await lastTypes(path, 2), ['article.schedule_failed', 'article.unpublished']);
});

test('a failure to unpublish does not prevent the publication of the next version', async () => {
  const path = await createArticle({ unpublishAt: inOneHour() });
  await succeed(server, 'PATCH', path, { versionData: { status: 'PUBLISHED' } });
  const next = { title: 'Next', unpublishAt: null, scheduledFor: inOneHour(), status: 'SCHEDULED' };
  await succeed(server, 'PATCH', path, { versionData: next });
  await makeDue(path, 'ARTICLE_UNPUBLISH');
  await admin.query("UPDATE trellis.timers SET attempts = 10 WHERE kind = 'ARTICLE_UNPUBLISH'");
  await whileRunning(() =>
    until('it has failed', async () => (await lastTypes(path, 1))[0] === 'article.schedule_failed'),
  );
  assert.deepEqual(await timersOf(path), ['ARTICLE_PUBLISH', 'ARTICLE_UNPUBLISH']);
  await makeDue(path, 'ARTICLE_PUBLISH');
  await whileRunning(() => until('it is published', async () => (await read(path)).state === 'PUBLISHED'));
});

test('changes that came due while no scheduler ran are made at the next start', async () => {
  const paths = await Promise.all(Array.from({ length: 20 }, () => schedule()));
  for (const path of paths) await makeDue(path, 'ARTICLE_PUBLISH');
  await sleep(50);
  for (const path of paths) assert.equal((await read(path)).state, 'UNPUBLISHED');
  await whileRunning(async () => {
    for (const path of paths)
      await until('it is published', async () => (await read(path)).state === 'PUBLISHED');
  });
  for (const path of paths) {
    assert.deepEqual(await lastTypes(path, 2), ['article.scheduled', 'article.published']);
    const { articleData, versionData } = await read(path);
    assert.equal(articleData.firstPublishedAt, versionData.publishedAt);
  }
});

test('a version whose unpublishAt has passed is not published', async () => {
  const path = await scheduleDue({ unpublishAt: inHours(2) }, 2);
  const record = await whileRunning(() => failed(path));
  assert.match(record.scheduleError, /unpublishAt has passed/);
  assert.equal(record.versionData.status, 'DRAFT');
  const refused = await write(server, 'PATCH', path, { body: { versionData: { status: 'PUBLISHED' } } });
  expectRefusal(refused, 422, 'validation_failed', ['/versionData/unpublishAt']);
  const early = { unpublishAt: inHours(1), scheduledFor: inHours(2), status: 'SCHEDULED' };
  const reversed = await write(server, 'PATCH', path, { body: { versionData: early } });
  expectRefusal(reversed, 422, 'validation_failed', ['/versionData/unpublishAt']);
});

/** Waits until the record has a scheduleError. */
const failed = (path: string) =>
  until('it has failed', async () => {
    const record = await read(path);
    return record.scheduleError === null ? undefined : record;
  });

const obstacles = [
  {
    name: 'a module that is off',
    begin: "UPDATE trellis.organizations SET modules = array_remove(modules, 'cms') WHERE id = $1",
    end: "UPDATE trellis.organizations SET modules = modules || '{cms}' WHERE id = $1",
    reason: /module "cms" was switched off/,
  },
  {
    name: 'an organization that is suspended',
    begin: "UPDATE trellis.organizations SET status = 'SUSPENDED' WHERE id = $1",
    end: "UPDATE trellis.organizations SET status = 'ACTIVE' WHERE id = $1",
    reason: /organization was suspended/,
  },
];

for (const { name, begin, end, reason } of obstacles) {
  test(`${name} prevents publication, which is reported, but not unpublishing`, async () => {
    const path = await schedule();
    const leaving = await createArticle({ unpublishAt: inOneHour() });
    await succeed(server, 'PATCH', leaving, { versionData: { status: 'PUBLISHED' } });
    await makeDue(path, 'ARTICLE_PUBLISH');
    await makeDue(leaving, 'ARTICLE_UNPUBLISH');
    const { id } = server.organization;
    await admin.query(begin, [id]);
    try {
      await whileRunning(async () => {
        await until('both are told of', async () => {
          const last = [...(await lastTypes(path, 1)), ...(await lastTypes(leaving, 1))];
          return last.join() === 'article.schedule_failed,article.unpublished';
        });
      });
    } finally {
      await admin.query(end, [id]);
    }
    // The server's copy of the organization may be two seconds old.
    const record = await until('the organization is there again', async () => {
      const response = await server.call('GET', path);
      return response.status === 200 ? response.json : undefined;
    });
    assert.match(record.scheduleError, reason);
    assert.equal(record.versionData.status, 'DRAFT');
    assert.deepEqual((await eventsOf(path)).at(-1)?.fields, ['versionData.status', 'scheduleError']);
    // The failed publication is not repeated; a new schedule is carried out and clears the error.
    const again = await scheduleDue();
    await whileRunning(() =>
      until('a later one is published', async () => (await read(again)).state === 'PUBLISHED'),
    );
    assert.equal((await read(path)).versionData.status, 'DRAFT');
    const renewed = { scheduledFor: inOneHour(), status: 'SCHEDULED' };
    const { json } = await succeed(server, 'PATCH', path, { versionData: renewed });
    assert.equal(json.scheduleError, null);
    await makeDue(path, 'ARTICLE_PUBLISH');
    await whileRunning(() => until('it is published', async () => (await read(path)).state === 'PUBLISHED'));
  });
}

test('failures of the server are tried again, and reported after ten', async () => {
  const path = await scheduleDue();
  const leaving = await createArticle({ unpublishAt: inOneHour() });
  await succeed(server, 'PATCH', leaving, { versionData: { status: 'PUBLISHED' } });
  await makeDue(leaving, 'ARTICLE_UNPUBLISH');
  // Records cannot be written, but timers can be read.
  await admin.query('REVOKE UPDATE ON trellis.articles FROM trellis_api');
  try {
    await whileRunning(
      () =>
        until('it was tried eleven times', async () => {
          const { rows } = await admin.query(
            'SELECT min(attempts) AS least FROM trellis.timers WHERE due_at < now()',
          );
          return rows[0].least > 10;
        }),
      { firstBackoffMs: 5, lastBackoffMs: 5 },
    );
  } finally {
    await admin.query('GRANT UPDATE ON trellis.articles TO trellis_api');
  }
  assert.deepEqual(await lastTypes(path, 1), ['article.scheduled']);
  await admin.query('UPDATE trellis.timers SET attempts = 10, available_at = now() WHERE due_at < now()');
  await whileRunning(
    async () => {
      assert.match((await failed(path)).scheduleError, /failed to make the change 10 times/);
      await until('it is taken down after all', async () => (await read(leaving)).state === 'UNPUBLISHED');
    },
    { leaseMs: 200 },
  );
  assert.deepEqual(await lastTypes(leaving, 2), ['article.schedule_failed', 'article.unpublished']);
  assert.equal((await read(leaving)).scheduleError, null);
  assert.deepEqual(await timersOf(path), []);
});

test('an expired file is deleted, but not while a record refers to it', async () => {
  const files = '/v1/knowledge-files';
  const free = `${files}/${(await create(server, files, { name: 'free', expiresAt: inOneHour() })).id}`;
  const cover = await create(server, files, { name: 'cover', expiresAt: inOneHour() });
  const kept = `${files}/${(await create(server, files, { name: 'kept', expiresAt: inOneHour() })).id}`;
  await succeed(server, 'PATCH', kept, { expiresAt: null });
  assert.deepEqual(await timersOf(kept), []);
  const book = await create(server, '/v1/books', { title: 'A book', coverFileId: cover.id });
  await makeDue(free, 'FILE_EXPIRE');
  await makeDue(`${files}/${cover.id}`, 'FILE_EXPIRE');
  await whileRunning(async () => {
    await until('it is gone', async () => (await server.call('GET', free)).status === 404);
    assert.equal((await read(`${files}/${cover.id}`)).name, 'cover');
    await succeed(server, 'PATCH', `/v1/books/${book.id}`, { coverFileId: null });
    await until(
      'the other is gone too',
      async () => (await server.call('GET', `${files}/${cover.id}`)).status === 404,
    );
  });
  assert.equal((await read(kept)).name, 'kept');
  assert.deepEqual(await lastTypes(free, 2), ['knowledge-file.created', 'knowledge-file.deleted']);
  assert.deepEqual(await timersOf(free), []);
});

test('the next version does not copy past times of the previous one', async () => {
  const path = await scheduleDue({ unpublishAt: inHours(2) });
  await whileRunning(() => until('it is published', async () => (await read(path)).state === 'PUBLISHED'));
  const { json } = await succeed(server, 'PATCH', path, { versionData: { title: 'Next' } });
  assert.equal(json.versionData.scheduledFor, null);
  assert.ok(json.versionData.unpublishAt > new Date().toISOString());
  assert.deepEqual(await timersOf(path), ['ARTICLE_UNPUBLISH']);
  await succeed(server, 'PATCH', path, { versionData: { unpublishAt: null, status: 'PUBLISHED' } });
  assert.deepEqual(await timersOf(path), []);
});

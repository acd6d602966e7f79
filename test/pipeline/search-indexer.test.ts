/** The indexer of long texts: merged jobs, completeness after kills, fairness between organizations, no stale texts. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { Problem } from '@trellis/schema/problem.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { startIndexer } from '@trellis/server/pipeline/search/indexer.ts';
import { createModels } from '@trellis/server/resources/models.ts';
import pg from 'pg';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { runIndexJobs } from '../support/indexing.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { isSoak } from '../support/soak.ts';
import { until } from '../support/until.ts';
import { create, idsOf, succeed } from '../support/writes.ts';

/** The soak takes some minutes. */
const kills = isSoak ? 100 : 10;

let server: TestServer;
let admin: pg.Client;
let articles: string;

before(async () => {
  server = await startTestServer();
  admin = new pg.Client({ connectionString: server.database.adminUrl });
  await admin.connect();
  const site = await create(server, '/v1/sites', { name: 'Indexed', key: 'indexed' });
  articles = `/v1/sites/${site.id}/articles`;
  // The organization's members and roles are searchable too.
  await runIndexJobs(server.database);
});
after(async () => {
  await admin?.end();
  await server?.close();
});

async function count(table: string): Promise<number> {
  const { rows } = await admin.query(`SELECT count(*)::integer AS count FROM trellis.${table}`);
  return rows[0].count;
}

function article(title: string, body: string) {
  return create(server, articles, { versionData: { title, body } });
}

test('many changes of a record leave one index job, and only the last text is found', async () => {
  const { id } = await article('Coalesced', 'firstbody');
  for (let number = 0; number < 5; number += 1)
    await succeed(server, 'PATCH', `${articles}/${id}`, { versionData: { body: `laterbody${number}` } });
  assert.equal(await count('search_marks'), 1);
  await runIndexJobs(server.database);
  assert.equal(await count('search_marks'), 0);
  assert.deepEqual(await idsOf(server, `${articles}?search=laterbody4`), [id]);
  assert.deepEqual(await idsOf(server, `${articles}/search?query=laterbody4`), [id]);
  for (const gone of ['firstbody', 'laterbody3']) {
    assert.deepEqual(await idsOf(server, `${articles}?search=${gone}`), []);
    assert.deepEqual(await idsOf(server, `${articles}/search?query=${gone}`), []);
  }
});

test('changes without a long text leave no index job: a title without a body, and a status', async () => {
  const { id } = await create(server, articles, { versionData: { title: 'Titled' } });
  await succeed(server, 'PATCH', `${articles}/${id}`, { versionData: { title: 'Retitled' } });
  await succeed(server, 'PATCH', `${articles}/${id}`, { articleData: { featured: true } });
  assert.equal(await count('search_marks'), 0);
  assert.deepEqual(await idsOf(server, `${articles}/search?query=retitled`), [id]);
});

test('a query matches with one word in the title and another in the body, also after the title has changed', async () => {
  const { id } = await article('Harbour', 'lanterns');
  await runIndexJobs(server.database);
  assert.deepEqual(await idsOf(server, `${articles}/search?query=harbour lantern`), [id]);
  await succeed(server, 'PATCH', `${articles}/${id}`, { versionData: { title: 'Seaport' } });
  for (const isIndexed of [false, true]) {
    if (isIndexed) await runIndexJobs(server.database);
    assert.equal(await count('search_marks'), isIndexed ? 0 : 1);
    assert.deepEqual(await idsOf(server, `${articles}/search?query=seaport lantern`), [id]);
    assert.deepEqual(await idsOf(server, `${articles}/search?query=seaport`), [id]);
    assert.deepEqual(await idsOf(server, `${articles}/search?query=harbour lantern`), []);
    assert.deepEqual(await idsOf(server, `${articles}/search?query=harbour`), []);
    assert.deepEqual(await idsOf(server, `${articles}/search?query=seaport -lanterns`), []);
  }
});

test('a changed title is not found by its old words, however many records have changed or are indexed anew', async (t) => {
  const { id } = await article('Quayside', 'beacons');
  await runIndexJobs(server.database);
  const search = (query: string) => idsOf(server, `${articles}/search?query=${encodeURIComponent(query)}`);
  /** Index jobs of others in the same site, that stand before the one of the article. */
  const addJobs = (isWhole: boolean) =>
    admin.query(
      `INSERT INTO trellis.search_marks
         (organization_id, type, record_id, parent_id, number, editions, whole, available_at, attempts)
       SELECT organization_id, type, gen_random_uuid(), parent_id, 1, '{}', $1, now() + interval '1 hour', 0
       FROM trellis.search_records, generate_series(1, 400) WHERE type = 'article' AND record_id = $2`,
      [isWhole, decodeId('art', id)],
    );
  t.after(() => admin.query('DELETE FROM trellis.search_marks'));
  await addJobs(true);
  await succeed(server, 'PATCH', `${articles}/${id}`, { versionData: { title: 'Waterfront' } });
  // Of quoted words the index has no stems, for which the words of each match are compared anyway.
  for (const gone of ['quayside', '"quayside"', '"quayside" beacon'])
    assert.deepEqual(await search(gone), [], `${gone}, beside many that are indexed anew`);
  for (const found of ['waterfront beacon', '"waterfront" "beacons"'])
    assert.deepEqual(await search(found), [id], `${found}, beside many that are indexed anew`);

  await admin.query('DELETE FROM trellis.search_marks');
  await addJobs(false);
  await succeed(server, 'PATCH', `${articles}/${id}`, { versionData: { title: 'Esplanade' } });
  for (const gone of ['waterfront', '"waterfront"', '"waterfront" beacon', '"quayside"'])
    assert.deepEqual(await search(gone), [], `${gone}, beside many that have changed`);
  for (const found of ['esplanade', 'beacon']) assert.deepEqual(await search(found), [id]);

  await admin.query('DELETE FROM trellis.search_marks');
  await addJobs(false);
  await admin.query('UPDATE trellis.search_marks SET whole = true');
  await succeed(server, 'PATCH', `${articles}/${id}`, { versionData: { title: 'Embankment' } });
  await admin.query('UPDATE trellis.search_marks SET whole = true WHERE record_id = $1', [
    decodeId('art', id),
  ]);
  for (const gone of ['esplanade', '"esplanade"', '"esplanade" "beacons"'])
    assert.deepEqual(await search(gone), [], `${gone}, where it is indexed anew itself`);
});

test('a deleted record leaves nothing in the index, also when it was deleted before it was indexed', async () => {
  const { id } = await article('Doomed', 'ephemeral');
  await succeed(server, 'DELETE', `${articles}/${id}`);
  await runIndexJobs(server.database);
  for (const table of ['search_records', 'search_texts', 'search_bodies', 'search_marks']) {
    const { rows } = await admin.query(
      `SELECT FROM trellis.${table} t WHERE t::text LIKE '%doomed%' OR t::text LIKE '%ephemeral%'`,
    );
    assert.equal(rows.length, 0, table);
  }
});

test('an indexer that read a text before a change neither removes the new index job nor overwrites the new text', async () => {
  const { worker, api } = server.database;
  for (const isOvertaken of [false, true]) {
    const word = `overtaken${isOvertaken}`;
    const { id } = await article('Overtaken', `old${word}`);
    let changed = false;
    const slow = Object.assign(Object.create(api), {
      query: async (...args: Parameters<typeof api.query>) => {
        const result = await api.query(...args);
        if (!changed) {
          changed = true;
          await succeed(server, 'PATCH', `${articles}/${id}`, { versionData: { body: `new${word}` } });
          if (isOvertaken) await runIndexJobs(server.database);
        }
        return result;
      },
    });
    const options = { worker, api: slow, models: createModels(), log: () => undefined };
    const indexer = startIndexer(options);
    try {
      await until('the text is changed in the meantime', () => changed);
    } finally {
      await indexer.stop();
    }
    await runIndexJobs(server.database);
    assert.deepEqual(await idsOf(server, `${articles}?search=new${word}`), [id]);
    assert.deepEqual(await idsOf(server, `${articles}?search=old${word}`), []);
  }
});

test('a record that is restored after the indexer has not found it stays in the search', async () => {
  const { worker, api } = server.database;
  const { id } = await create(server, '/v1/books', { title: 'Returning', description: 'returningbody' });
  const uuid = decodeId('book', id);
  await succeed(server, 'DELETE', `/v1/books/${id}`);
  let restored: number | null = null;
  const failures: string[] = [];
  const slow = Object.assign(Object.create(api), {
    query: async (...args: Parameters<typeof api.query>) => {
      const result = await api.query(...args);
      if (restored === null && args[1].some(({ values }) => values.includes(uuid))) {
        restored = (await server.call('POST', `/v1/trash/${id}/restore`)).status;
      }
      return result;
    },
  });
  const indexer = startIndexer({
    worker,
    api: slow,
    models: createModels(),
    log: (message) => void failures.push(message),
  });
  try {
    await until(
      'the index jobs are done',
      async () => restored !== null && (await count('search_marks')) === 0,
    );
  } finally {
    await indexer.stop();
  }
  assert.deepEqual([restored, failures], [200, []]);
  for (const word of ['returning', 'returningbody'])
    assert.deepEqual(await idsOf(server, `/v1/books/search?query=${word}`), [id], word);
});

test('keys that wait in the lists of the indexes are inserted once nothing is written any more', async () => {
  const { worker, api } = server.database;
  const waitingPages = async () => {
    const { rows } = await admin.query(
      `SELECT sum(gin_clean_pending_list(i))::integer AS pages FROM unnest(ARRAY['trellis.search_records_words',
         'trellis.search_texts_grams', 'trellis.search_bodies_words']::regclass[]) AS i`,
    );
    return rows[0].pages;
  };
  await article('Waiting', 'waitingbody');
  assert.notEqual(await waitingPages(), 0, 'a write leaves its keys in the lists');
  await article('Waiting again', 'waitingagain');
  let inserted = 0;
  const counting = Object.assign(Object.create(worker), {
    executeInBackground: async (...args: Parameters<typeof worker.executeInBackground>) => {
      const result = await worker.executeInBackground(...args);
      if (args[0].some(({ statement }) => statement.name === 'insert_pending_keys')) inserted += 1;
      return result;
    },
  });
  const timing = { pollMs: 20, quietMs: 100 };
  const options = { worker: counting, api, models: createModels(), log: () => undefined, timing };
  const indexer = startIndexer(options);
  try {
    await until('the texts are indexed', async () => (await count('search_marks')) === 0);
    const before = inserted;
    indexer.nudge();
    await until('the lists are emptied', () => inserted > before);
  } finally {
    await indexer.stop();
  }
  assert.equal(await waitingPages(), 0);
  assert.equal((await idsOf(server, `${articles}/search?query=waitingagain`)).length, 1);
});

test('when no connection is free, all claimed texts of the organization are postponed', async () => {
  const { worker, api } = server.database;
  for (let number = 0; number < 3; number += 1) await article(`Busy ${number}`, `busyword${number}`);
  const refusedFor: string[] = [];
  const refusing = Object.assign(Object.create(api), {
    query: async (...args: Parameters<typeof api.query>) => {
      refusedFor.push(args[0].organizationId);
      throw new Problem('overloaded');
    },
  });
  const options = { worker, api: refusing, models: createModels(), log: () => undefined };
  const indexer = startIndexer(options);
  await until('the indexer has tried', () => refusedFor.length > 0);
  await indexer.stop();
  assert.equal(refusedFor.length, 1, 'one refusal puts off all that was claimed');
  assert.equal(await count('search_marks'), 3);
  await runIndexJobs(server.database);
  assert.equal(await count('search_marks'), 0);
});

test('a record that is deleted while it is indexed leaves nothing, and no attempt fails', async () => {
  const { worker, api } = server.database;
  const { id } = await article('Vanishing', 'vanishingbody');
  const failures: string[] = [];
  const deleting = new pg.Client({ connectionString: server.database.adminUrl });
  await deleting.connect();
  try {
    await deleting.query('BEGIN');
    await deleting.query(`DELETE FROM trellis.search_records s USING trellis.search_texts x
      WHERE x.record_id = s.record_id AND x.folded LIKE '%vanishing%'`);
    const log = (message: string) => void failures.push(message);
    const indexer = startIndexer({ worker, api, models: createModels(), log });
    const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%search_bodies%'`;
    await until('the indexer waits', async () => (await admin.query(waiting)).rowCount === 1);
    await deleting.query('COMMIT');
    await until('the index job is done', async () => (await count('search_marks')) === 0);
    await indexer.stop();
  } finally {
    await deleting.end();
  }
  assert.deepEqual(failures, []);
  const { rowCount } = await admin.query(
    `SELECT FROM trellis.search_bodies b WHERE b::text LIKE '%vanishingbody%'`,
  );
  assert.equal(rowCount, 0);
  await succeed(server, 'DELETE', `${articles}/${id}`);
});

interface Killable {
  kill(): Promise<void>;
}

/** Starts an indexer in a separate process. */
async function startIndexerProcess(): Promise<Killable> {
  const child = spawn(
    process.execPath,
    ['test/support/indexer-process.ts', server.database.urls.worker, server.database.urls.api],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  return {
    async kill() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

test(`${kills} kills of the indexer: every body is found, none twice, none stale`, async () => {
  const written: { id: string; word: string }[] = [];
  for (let round = 0; round < kills; round += 1) {
    const indexer = await startIndexerProcess();
    const bodies = Array.from({ length: 4 }, (_, index) => `killed${round}x${index}`);
    const made = await Promise.all(bodies.map((word) => article(`Round ${round}`, `stale ${word}`)));
    await Promise.all(
      made.map(({ id }, index) =>
        succeed(server, 'PATCH', `${articles}/${id}`, { versionData: { body: `fresh ${bodies[index]}` } }),
      ),
    );
    made.forEach(({ id }, index) => void written.push({ id, word: bodies[index] ?? '' }));
    // At some moment between the first index job and the last one.
    await new Promise((resolve) => setTimeout(resolve, (round * 37) % 200));
    await indexer.kill();
  }
  const last = await startIndexerProcess();
  try {
    await until('no index job is left', async () => (await count('search_marks')) === 0);
  } finally {
    await last.kill();
  }
  for (const { id, word } of written)
    assert.deepEqual(await idsOf(server, `${articles}?search=${word}`), [id]);
  assert.deepEqual(await idsOf(server, `${articles}?search=stale`), []);
  const { rows } = await admin.query(
    `SELECT record_id FROM trellis.search_bodies GROUP BY record_id HAVING count(*) > 1`,
  );
  assert.deepEqual(rows, []);
});

test('an organization with many index jobs does not delay another one with few', async () => {
  const { worker, api } = server.database;
  const other = await createOrganization(worker, 'few-marks');
  const { token } = await createToken(worker, other, await createMember(worker, other, 'OWNER'));
  for (let number = 0; number < 40; number += 1) await article(`Many ${number}`, 'many');
  const site = await server.call('POST', '/v1/sites', { token, body: { name: 'Few', key: 'few' } });
  const few = await server.call('POST', `/v1/sites/${site.json.id}/articles`, {
    token,
    body: { versionData: { title: 'Few', body: 'few' } },
  });
  assert.equal(few.status, 201, few.text);
  const finished: string[] = [];
  // The order in which the index jobs disappear shows which organization was served when.
  const indexer = startIndexer({
    worker,
    api: Object.assign(Object.create(api), {
      transaction: async (...args: Parameters<typeof api.transaction>) => {
        const result = await api.transaction(...args);
        finished.push(args[0].organizationId);
        return result;
      },
    }),
    models: createModels(),
    log: () => undefined,
  });
  try {
    await until('all is indexed', async () => (await count('search_marks')) === 0);
  } finally {
    await indexer.stop();
  }
  const place = finished.indexOf(other.id);
  assert.ok(place >= 0 && place <= 32, `served after ${place} records of another organization`);
});

/** Search entries: written with the record, or by the indexer: completeness after kills, fairness between organizations, no stale texts. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@trellis/schema/problem.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { createModels } from '@trellis/server/features.ts';
import type { Database } from '@trellis/server/kernel/database/database.ts';
import { type Indexer, startIndexer } from '@trellis/server/kernel/pipeline/search/indexer.ts';
import pg from 'pg';
import { AdminClient } from '../support/admin-client.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { runIndexJobs } from '../support/indexing.ts';
import { environmentFor } from '../support/process-database.ts';
import { startTestServer, type TestResponse, type TestServer } from '../support/server.ts';
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

/** Starts an indexer. @param api what its writes go to instead of the pool of the test */
function startTestIndexer(api: Database, log: (message: string) => void = () => undefined): Indexer {
  return startIndexer({ worker: server.database.worker, api, models: createModels(), log });
}

async function count(table: string): Promise<number> {
  const { rows } = await admin.query(`SELECT count(*)::integer AS count FROM trellis.${table}`);
  return rows[0].count;
}

function article(title: string, body: string) {
  return create(server, articles, { versionData: { title, body } });
}

/** Has the indexer write entries again, as upgrades do; all of them or those of one record. Returns how many. */
async function mark(id?: string): Promise<number> {
  const { rowCount } = await admin.query(
    `INSERT INTO trellis.search_marks
       (organization_id, type, record_id, parent_id, number, available_at, attempts)
     SELECT DISTINCT organization_id, type, record_id, parent_id, 1, now(), 0 FROM trellis.search_records
     WHERE type IN ('article', 'book') AND ($1::uuid IS NULL OR record_id = $1)
     ON CONFLICT (organization_id, type, record_id) DO UPDATE SET number = search_marks.number + 1`,
    [id ?? null],
  );
  return rowCount ?? 0;
}

test('what was written is found by the next request, and what was replaced is not, without the indexer', async () => {
  const { id } = await article('Coalesced', 'firstbody');
  assert.deepEqual(await idsOf(server, `${articles}/search?query=firstbody`), [id]);
  for (let number = 0; number < 3; number += 1) {
    await succeed(server, 'PATCH', `${articles}/${id}`, { versionData: { body: `laterbody${number}` } });
    assert.deepEqual(await idsOf(server, `${articles}?search=laterbody${number}`), [id]);
    assert.deepEqual(await idsOf(server, `${articles}/search?query=laterbody${number}`), [id]);
  }
  for (const gone of ['firstbody', 'laterbody1']) {
    assert.deepEqual(await idsOf(server, `${articles}?search=${gone}`), []);
    assert.deepEqual(await idsOf(server, `${articles}/search?query=${gone}`), []);
  }
  await succeed(server, 'PATCH', `${articles}/${id}`, { versionData: { body: null } });
  assert.deepEqual(await idsOf(server, `${articles}/search?query=laterbody2`), []);
  assert.equal(await count('search_marks'), 0);
});

test('a change of a title does not write the words of the body again', async () => {
  const { id } = await article('Unchanged', 'steadfast');
  const rowOfBody = async () => {
    const { rows } = await admin.query('SELECT xmin::text FROM trellis.search_bodies WHERE record_id = $1', [
      decodeId('art', id),
    ]);
    return rows[0].xmin;
  };
  const before = await rowOfBody();
  await succeed(server, 'PATCH', `${articles}/${id}`, { versionData: { title: 'Changed' } });
  assert.equal(await rowOfBody(), before);
  await succeed(server, 'PATCH', `${articles}/${id}`, { versionData: { locale: 'de' } });
  assert.notEqual(await rowOfBody(), before, 'stems depend on the language');
});

test('a query matches with one word in the title and another in the body, also after the title has changed', async () => {
  const { id } = await create(server, articles, {
    // Not made of the title, of which it would keep the word.
    articleData: { slug: 'of-its-own' },
    versionData: { title: 'Harbour', body: 'lanterns and buoys' },
  });
  const search = (query: string) => idsOf(server, `${articles}/search?query=${encodeURIComponent(query)}`);
  assert.deepEqual(await search('harbour lantern'), [id]);
  assert.deepEqual(await search('lanterns harb'), [id]);
  await succeed(server, 'PATCH', `${articles}/${id}`, { versionData: { title: 'Seaport' } });
  assert.deepEqual(await search('seaport lantern'), [id]);
  assert.deepEqual(await search('buoys seaport lantern'), [id]);
  assert.deepEqual(await search('"and buoys" seaport'), [id]);
  assert.deepEqual(await search('seaport "buoys and"'), []);
  assert.deepEqual(await search('seaport'), [id]);
  for (const none of ['harbour lantern', 'harbour', 'seaport -lanterns', 'lanterns -seaport'])
    assert.deepEqual(await search(none), [], none);
  // The last word of a query may be unfinished; here it is not.
  assert.deepEqual(await search('seaport lanterns or nothing '), [id], 'AND binds more tightly than OR');
});

test('divided words are found however many records have one of them', async () => {
  const search = (query: string) => idsOf(server, `${articles}/search?query=${encodeURIComponent(query)}`);
  const { id } = await article('Ubiquitous and pervasive', 'uncommonword commonplace');
  const rows = `FROM trellis.search_records r, generate_series(1, 1100)
    WHERE r.type = 'article' AND r.record_id = $1`;
  const uuid = decodeId('art', id);
  // Others of the same site with the words of the title in theirs, or with those of the body in theirs: newer, and older.
  await admin.query(
    `WITH others AS (SELECT gen_random_uuid() AS id, left((tsvector_to_array(r.terms))[1], 6) AS scope, r.* ${rows}), records AS (
       INSERT INTO trellis.search_records
         (organization_id, type, record_id, edition, parent_id, created_at, working, published, names, others, terms)
       SELECT organization_id, type, id, edition, parent_id, created_at + interval '1 day', true, false, 'ubiquitous', '',
         format('%L:1A', scope || 'ubiquitous')::tsvector FROM others
     )
     INSERT INTO trellis.search_bodies (organization_id, type, record_id, edition, created_at, terms)
     SELECT organization_id, type, id, edition, created_at, format('%L:1', scope || 'commonplace')::tsvector FROM others`,
    [uuid],
  );
  try {
    assert.deepEqual(await search('"ubiquitous" "uncommonword"'), [id], 'by the rare word in the body');
    assert.deepEqual(await search('"pervasive" "commonplace"'), [id], 'by the rare word in the title');
    assert.deepEqual(await search('"ubiquitous" "pervasive"'), [id]);
  } finally {
    await admin.query(`WITH others AS (DELETE FROM trellis.search_records WHERE names = 'ubiquitous' RETURNING record_id)
      DELETE FROM trellis.search_bodies b USING others WHERE b.record_id = others.record_id`);
  }
});

test('a deleted record leaves nothing in the index, also when it was deleted before it was indexed', async () => {
  const { id } = await article('Doomed', 'ephemeral');
  await succeed(server, 'DELETE', `${articles}/${id}`);
  await runIndexJobs(server.database);
  for (const table of ['search_records', 'search_bodies', 'search_marks']) {
    const { rows } = await admin.query(
      `SELECT FROM trellis.${table} t WHERE t::text LIKE '%doomed%' OR t::text LIKE '%ephemeral%'`,
    );
    assert.equal(rows.length, 0, table);
  }
});

test('a record that is changed while the indexer writes its entries is found by its last text', async () => {
  const words = ['apricot', 'blackberry', 'cranberry', 'damson', 'elderberry', 'fig', 'gooseberry'];
  const { id } = await article('Overtaken', 'apricot');
  for (const [index, body] of words.slice(1).entries()) {
    await mark(decodeId('art', id) ?? '');
    await Promise.all([
      runIndexJobs(server.database),
      succeed(server, 'PATCH', `${articles}/${id}`, { versionData: { body } }),
    ]);
    assert.deepEqual(await idsOf(server, `${articles}?search=${body}`), [id]);
    assert.deepEqual(await idsOf(server, `${articles}/search?query=${words[index]}`), []);
  }
});

test('a record that is restored after the indexer has not found it stays in the search', async () => {
  const { id } = await create(server, '/v1/books', { title: 'Returning', description: 'returningbody' });
  const uuid = decodeId('book', id) ?? '';
  await mark(uuid);
  await succeed(server, 'DELETE', `/v1/books/${id}`);
  let restored: Promise<TestResponse> | undefined;
  const failures: string[] = [];
  const { api } = server.database;
  const slow: Database = Object.assign(Object.create(api), {
    transaction: async (...[scope, first, work]: Parameters<typeof api.transaction>) =>
      api.transaction(scope, first, async (rows, transaction) => {
        if (first.some(({ values }) => values.includes(uuid)))
          restored ??= server.call('POST', `/v1/trash/${id}/restore`);
        return work(rows, transaction);
      }),
  });
  const indexer = startTestIndexer(slow, (message) => void failures.push(message));
  try {
    await until(
      'the index jobs are done',
      async () => restored !== undefined && (await count('search_marks')) === 0,
    );
  } finally {
    await indexer.stop();
  }
  assert.deepEqual([(await restored)?.status, failures], [200, []]);
  for (const word of ['returning', 'returningbody'])
    assert.deepEqual(await idsOf(server, `/v1/books/search?query=${word}`), [id], word);
});

test('keys that wait in the lists of the indexes are inserted a moment after the write, also while others are written', async () => {
  const client = await AdminClient.open(server.database);
  const waitingPages = async () => {
    const { rows } = await client.query<{ pages: number }>(
      `SELECT sum(gin_clean_pending_list(indexrelid))::integer AS pages FROM pg_index
       WHERE indrelid IN ('trellis.search_records'::regclass, 'trellis.search_bodies'::regclass)
         AND pg_get_indexdef(indexrelid) LIKE '% USING gin %'`,
    );
    return rows[0]?.pages;
  };
  await article('Waiting', 'waitingbody');
  assert.notEqual(await waitingPages(), 0, 'a write leaves its keys in the lists');
  await article('Waiting again', 'waitingagain');
  const { worker, api } = server.database;
  let inserted = 0;
  const counting: Database = Object.assign(Object.create(worker), {
    executeInBackground: async (...args: Parameters<typeof worker.executeInBackground>) => {
      const result = await worker.executeInBackground(...args);
      if (args[0].some(({ statement }) => statement.name === 'insert_pending_keys')) inserted += 1;
      return result;
    },
  });
  const timing = { pollMs: 20, insertMs: 100 };
  const indexer = startIndexer({
    worker: counting,
    api,
    models: createModels(),
    log: () => undefined,
    timing,
  });
  try {
    await until('the lists are emptied', () => {
      indexer.nudge();
      return inserted > 0;
    });
    // Nothing is emptied where nothing was written.
    const before = inserted;
    await until('they are emptied for the last time', async () => {
      const soFar = inserted;
      await sleep(10 * timing.insertMs);
      return inserted === soFar;
    });
    assert.ok(inserted <= before + 1);
  } finally {
    await indexer.stop();
  }
  assert.equal(await waitingPages(), 0);
  await client.end();
  assert.equal((await idsOf(server, `${articles}/search?query=waitingagain`)).length, 1);
});

test('when no connection is free, all claimed jobs of the organization are postponed', async () => {
  for (let number = 0; number < 3; number += 1) await article(`Busy ${number}`, `busyword${number}`);
  const marked = await mark();
  const refusedFor: string[] = [];
  const { api } = server.database;
  const refusing: Database = Object.assign(Object.create(api), {
    transaction: async (...args: Parameters<typeof api.transaction>) => {
      refusedFor.push(args[0].organizationId);
      throw new Problem('overloaded');
    },
  });
  const indexer = startTestIndexer(refusing);
  await until('the indexer has tried', () => refusedFor.length > 0);
  await indexer.stop();
  assert.equal(refusedFor.length, 1, 'one refusal puts off all that was claimed');
  assert.equal(await count('search_marks'), marked);
  await runIndexJobs(server.database);
  assert.equal(await count('search_marks'), 0);
});

interface Killable {
  kill(): Promise<void>;
}

/** Starts an indexer in a separate process. */
async function startIndexerProcess(): Promise<Killable> {
  const child = spawn(process.execPath, ['test/support/indexer-process.ts'], {
    env: { ...process.env, ...environmentFor(server.database) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return {
    async kill() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

test(`${kills} kills of the indexer while it writes all entries again: every body is found, none twice, none stale`, async () => {
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
    await admin.query(`DELETE FROM trellis.search_bodies WHERE type = 'article'`);
    await mark();
    // At some moment between the first job and the last one.
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
  await mark();
  const finished: string[] = [];
  // The order in which the index jobs disappear shows which organization was served when.
  const telling: Database = Object.assign(Object.create(api), {
    transaction: async (...args: Parameters<typeof api.transaction>) => {
      const result = await api.transaction(...args);
      finished.push(args[0].organizationId);
      return result;
    },
  });
  const indexer = startTestIndexer(telling);
  try {
    await until('all is indexed', async () => (await count('search_marks')) === 0);
  } finally {
    await indexer.stop();
  }
  const place = finished.indexOf(other.id);
  assert.ok(place >= 0 && place <= 32, `served after ${place} records of another organization`);
});

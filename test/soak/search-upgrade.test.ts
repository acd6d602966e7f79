/** The upgrade of search in an installation with many articles, while it serves: nothing is refused, and everything is found all the time. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { migrate } from '@trellis/server/database/migrate.ts';
import { startIndexer } from '@trellis/server/pipeline/search/indexer.ts';
import { createModels } from '@trellis/server/resources/models.ts';
import pg from 'pg';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { create, idsOf } from '../support/writes.ts';

const count = 100_000;
/** One article in so many has a subtitle, and is indexed anew. */
const subtitled = 100;

let server: TestServer;
let admin: pg.Client;
let articles: string;
let isStopped = false;

before(async () => {
  server = await startTestServer({ durable: true, rateLimit: 0 });
  admin = new pg.Client({ connectionString: server.database.adminUrl });
  await admin.connect();
  const site = await create(server, '/v1/sites', { name: 'Many', key: 'many' });
  articles = `/v1/sites/${site.id}/articles`;
});
after(async () => {
  isStopped = true;
  await admin?.end();
  await server?.close();
});

/** Articles as the previous release stored them: any part of the summary is found, and the words of the title are beside those of the body. */
async function addArticles(): Promise<void> {
  const versionData = { title: 'Template', summary: 'Template', body: 'Template', locale: 'en' };
  const template = decodeId('art', (await create(server, articles, { versionData })).id);
  await admin.query(
    `CREATE TEMPORARY TABLE added AS SELECT n, gen_random_uuid() AS id, now() - n * interval '1 second' AS at,
       'Article ' || n || 'x on lanterns' AS title, 'Summarizing harbour' || n || 'x' AS summary,
       CASE WHEN n % $2 = 0 THEN 'Subtitled' || n END AS subtitle,
       'The body of number' || n || 'x is about walking through gardens in the evening' AS body
     FROM generate_series(1, $1::integer) AS n`,
    [count, subtitled],
  );
  // Without checking references, and building the indexes of words at the end, it takes a fifth of the time.
  const indexes = await admin.query(
    `SELECT indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     JOIN pg_class c ON c.oid = indexrelid JOIN pg_am m ON m.oid = c.relam AND m.amname = 'gin'
     WHERE indrelid::regclass::text LIKE 'trellis.search\\_%'`,
  );
  await admin.query('SET session_replication_role = replica');
  for (const { name } of indexes.rows) await admin.query(`DROP INDEX ${name}`);
  await admin.query(`
    INSERT INTO trellis.articles SELECT (jsonb_populate_record(a, jsonb_build_object('id', d.id, 'slug', 'article-' || n, 'title', d.title,
        'created_at', at, 'updated_at', at))).* FROM trellis.articles a, added d WHERE a.id = '${template}';
    INSERT INTO trellis.article_versions SELECT (jsonb_populate_record(v, jsonb_build_object('article_id', d.id, 'title', d.title,
        'summary', d.summary, 'subtitle', d.subtitle, 'body', d.body))).* FROM trellis.article_versions v, added d WHERE v.article_id = '${template}';
    INSERT INTO trellis.search_records SELECT (jsonb_populate_record(s, jsonb_build_object('record_id', d.id, 'created_at', at,
        'terms', trellis.search_terms('english', lower(d.title), lower(concat_ws(' ', d.subtitle, d.summary)), '')))).*
      FROM trellis.search_records s, added d WHERE s.record_id = '${template}';
    INSERT INTO trellis.search_texts SELECT (jsonb_populate_record(t, jsonb_build_object('record_id', d.id, 'created_at', at,
        'part', p.number, 'folded', CASE p.number WHEN 1 THEN lower(d.title) ELSE lower(concat_ws(E'\\n', d.subtitle, d.summary)) END))).*
      FROM trellis.search_texts t, added d, generate_series(1, 2) AS p (number) WHERE t.record_id = '${template}';
    INSERT INTO trellis.search_bodies SELECT (jsonb_populate_record(b, jsonb_build_object('record_id', d.id, 'created_at', at,
        'short_terms', s.terms, 'terms', trellis.search_terms('english', '', '', lower(d.body))))).*
      FROM trellis.search_bodies b, added d JOIN trellis.search_records s ON s.record_id = d.id WHERE b.record_id = '${template}';
    DELETE FROM trellis.migrations WHERE name ~ '^006[234]'`);
  for (const { definition } of indexes.rows) await admin.query(definition);
  await admin.query('ANALYZE trellis.articles, trellis.article_versions');
}

/** Reads, searches and writes until it is stopped. @returns the longest time of a request in ms, after `stop` */
function serve(): { stop(): Promise<{ longestMs: number; requests: number }> } {
  let longestMs = 0;
  let requests = 0;
  const call = async (method: string, path: string, body?: object): Promise<Json> => {
    const began = performance.now();
    const response = await server.call(method, path, body === undefined ? {} : { body });
    longestMs = Math.max(longestMs, performance.now() - began);
    requests += 1;
    assert.ok(response.status < 300, `${method} ${path}: ${response.text}`);
    return response.json;
  };
  const found = async (query: string) =>
    (await call('GET', `${articles}?search=${query}`)).items.map(({ id }: { id: string }) => id);
  const work = async (worker: number): Promise<void> => {
    for (let number = 1; !isStopped; number += 1) {
      const name = `${'abcd'[worker]}${number}`;
      const versionData = { title: `Fresh${name}`, summary: `Brief${name}`, body: `Novel${name}` };
      const { id } = await call('POST', articles, { versionData });
      for (const text of [`resh${name}`, `brief${name}`, `novel${name}`])
        assert.deepEqual(await found(text), [id], text);
      await call('PATCH', `${articles}/${id}`, { versionData: { title: `Stale${name}` } });
      assert.deepEqual(await found(`fresh${name}`), []);
      // One that is upgraded meanwhile: its whole words are found before, during and after.
      const old = 1 + ((number * 7_919 + worker * 104_729) % count);
      for (const text of [`harbour${old}x`, `number${old}x`, `article%20${old}x%20on`])
        assert.equal((await found(`${text}%20`)).length, 1, text);
      await call('GET', `${articles}?limit=25`);
    }
  };
  const workers = Promise.all([0, 1, 2, 3].map(work));
  return {
    async stop() {
      isStopped = true;
      await workers;
      return { longestMs, requests };
    },
  };
}

test(`an upgrade with ${count} articles, while they are read, searched and written`, async (context) => {
  await addArticles();
  const part = (number: number) => idsOf(server, `${articles}?search=arbour${number}x`);
  assert.equal((await part(count - 1)).length, 1, 'as by the previous release');
  const serving = serve();
  const began = performance.now();
  await migrate(server.database.urls.owner, () => undefined);
  const migratedMs = performance.now() - began;
  assert.equal((await part(count - 1)).length, 0, 'without a subtitle, any part is found no more');
  const { api, worker } = server.database;
  const failures: string[] = [];
  const indexer = startIndexer({
    api,
    worker,
    models: createModels(),
    log: (message) => failures.push(message),
  });
  const waiting = async () => {
    const { rows } = await admin.query(`SELECT FROM trellis.search_marks WHERE type = 'article' LIMIT 1`);
    return rows.length > 0;
  };
  await until('all articles are indexed', async () => !(await waiting()) || undefined);
  const indexedMs = performance.now() - began;
  await indexer.stop();
  const { longestMs, requests } = await serving.stop();
  assert.deepEqual(failures, []);
  assert.equal((await part(count)).length, 0);
  assert.equal((await idsOf(server, `${articles}?search=ubtitled${count}`)).length, 1);
  assert.equal((await idsOf(server, `${articles}?search=summarizing%20harbour${count}x%20`)).length, 1);
  context.diagnostic(
    `migrated in ${Math.round(migratedMs)} ms, indexed after ${Math.round(indexedMs)} ms; ${requests} requests meanwhile, the longest took ${Math.round(longestMs)} ms`,
  );
});

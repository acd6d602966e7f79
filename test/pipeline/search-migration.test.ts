/** The migration of search: records of the previous release are found after it, and their long texts after the indexer. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { migrate } from '@trellis/server/database/migrate.ts';
import pg from 'pg';
import { runIndexJobs } from '../support/indexing.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';
import { create, idsOf, succeed } from '../support/writes.ts';

let server: TestServer;
let admin: pg.Client;

before(async () => {
  server = await startTestServer();
  admin = new pg.Client({ connectionString: server.database.adminUrl });
  await admin.connect();
});
after(async () => {
  await admin?.end();
  await server?.close();
});

/** All rows of search, except which version of a record a text was read from. */
async function known(): Promise<Json> {
  const rows = async (table: string) =>
    (await admin.query(`SELECT to_jsonb(t) - 'source' AS row FROM trellis.${table} t ORDER BY t::text`)).rows;
  return {
    records: await rows('search_records'),
    texts: await rows('search_texts'),
    bodies: await rows('search_bodies'),
  };
}

/** Restores the state of the previous release: its own rows, without those of this release. */
const goBack = `
  SET search_path = trellis, public;
  INSERT INTO trellis.search_entries (organization_id, type, parent_id, record_id, created_at, title, folded_title, folded_text,
      title_terms, terms, readers, content_terms)
    SELECT r.organization_id, r.type, r.parent_id, r.record_id, r.created_at, x.folded, x.folded, x.folded,
      to_tsvector('simple', x.folded), setweight(to_tsvector('simple', x.folded), 'A') || coalesce(b.terms, ''), r.readers,
      CASE r.type WHEN 'knowledge-file' THEN b.terms END
    FROM trellis.search_records r
    JOIN trellis.search_texts x USING (organization_id, type, record_id, edition)
    LEFT JOIN trellis.search_bodies b USING (organization_id, type, record_id, edition)
    WHERE r.working AND x.part = 1;
  DROP TABLE trellis.search_readers, trellis.search_texts, trellis.search_bodies, trellis.search_records, trellis.search_marks;
  DROP INDEX trellis.knowledge_pages_words, trellis.knowledge_pages_words_beyond;
  DROP INDEX trellis.article_versions_published_title, trellis.article_versions_published_seen;
  CREATE INDEX knowledge_pages_terms ON trellis.knowledge_pages USING gin (organization_id uuid_ops, terms);
  CREATE INDEX knowledge_pages_beyond_entry ON trellis.knowledge_pages USING gin (organization_id uuid_ops, terms);
  ALTER TABLE trellis.article_versions DROP COLUMN seen_at;
  DO $$
  DECLARE
    one regprocedure;
  BEGIN
    FOR one IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = 'trellis'::regnamespace
      AND p.proname IN ('search_scope', 'search_terms', 'search_keys', 'search_grams', 'search_key_query', 'search_gram_query',
        'search_query', 'search_stems', 'filter_query', 'rank_records', 'find_records', 'find_similar', 'match_records', 'filter_candidates',
        'filter_page', 'find_files', 'newest_records', 'oldest_records')
    LOOP
      EXECUTE 'DROP FUNCTION ' || one;
    END LOOP;
  END $$;
  DELETE FROM trellis.migrations WHERE name ~ '^00(1[789]|36|42)'`;

test('names are found at once, everything else after the indexer, with the same rows as without the migration', async () => {
  const site = await create(server, '/v1/sites', { name: 'Olden', key: 'olden' });
  const articles = `/v1/sites/${site.id}/articles`;
  const versionData = {
    title: 'Zebra crossing',
    summary: 'Stripes',
    body: 'Walking the walkers',
    locale: 'en',
  };
  const { id } = await create(server, articles, { versionData });
  await succeed(server, 'PATCH', `${articles}/${id}`, { versionData: { status: 'PUBLISHED' } });
  await succeed(server, 'PATCH', `${articles}/${id}`, { versionData: { title: 'Okapi', body: 'Embargo' } });
  const book = await create(server, '/v1/books', { title: 'Quagga', description: 'An extinct animal' });
  await create(server, '/v1/crm/contacts', { firstName: 'Ada', phones: [{ number: '+44 20 7946 0018' }] });
  const file = await create(server, '/v1/knowledge-files', { name: 'Manual', visibility: 'ORGANIZATION' });
  await runIndexJobs(server.database);
  const beforehand = await known();
  await admin.query(goBack);
  const applied = await migrate(server.database.urls.owner, () => undefined);
  assert.deepEqual(applied.slice(0, -1), [
    '0017_search_layers.sql',
    '0018_search_functions.sql',
    '0019_search_indexes.sql',
    '0036_changed_short_texts.sql',
    '0042_search_readers.sql',
  ]);
  assert.match(applied.at(-1) ?? '', /^functions\//);
  assert.deepEqual(await idsOf(server, '/v1/books?search=uagg'), [book.id]);
  assert.deepEqual(await idsOf(server, '/v1/books/search?query=quagga'), [book.id]);
  assert.deepEqual(await idsOf(server, '/v1/knowledge-files/search?query=manual'), [file.id]);
  assert.deepEqual(await idsOf(server, `${articles}/search?query=okapi`), [id]);
  assert.deepEqual(await idsOf(server, `${articles}/search?query=okapi&perspective=published`), []);
  await runIndexJobs(server.database);
  assert.deepEqual(await known(), beforehand);
  assert.deepEqual(await idsOf(server, `${articles}/search?query=walk zebra&perspective=published`), [id]);
  const { rows } = await admin.query("SELECT FROM pg_policies WHERE policyname = 'filling'");
  assert.equal(rows.length, 0);
});

/** Upgrades of search: what the previous release has written is found by the rules of this one, at the latest after the indexer. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { migrate } from '@trellis/server/database/migrate.ts';
import pg from 'pg';
import { runIndexJobs } from '../support/indexing.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
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

/** All rows of search, except what only the previous release reads. */
async function known(): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const table of ['search_records', 'search_texts', 'search_bodies', 'search_readers']) {
    const text = `SELECT to_jsonb(t) - 'source' - 'short_terms' AS row FROM trellis.${table} t ORDER BY 1`;
    found.push((await admin.query(text)).rows);
  }
  return found;
}

test('texts that waited for the indexer of the previous release are found, and summaries by words only', async () => {
  const site = await create(server, '/v1/sites', { name: 'Olden', key: 'olden' });
  const articles = `/v1/sites/${site.id}/articles`;
  const versionData = {
    title: 'Zebra crossing',
    subtitle: 'Roads',
    summary: 'Stripes',
    body: 'Walking',
    locale: 'en',
  };
  const { id } = await create(server, articles, { versionData });
  await succeed(server, 'PATCH', `${articles}/${id}`, { versionData: { status: 'PUBLISHED' } });
  await succeed(server, 'PATCH', `${articles}/${id}`, { versionData: { title: 'Okapi', body: 'Embargo' } });
  const plain = await create(server, articles, { versionData: { title: 'Horse', summary: 'Hooves' } });
  await create(server, '/v1/books', { title: 'Quagga', description: 'An extinct animal' });
  await runIndexJobs(server.database);
  const wanted = await known();
  // The working text of the article is not indexed yet, and words of its title are beside the published one.
  await admin.query(`
    UPDATE trellis.search_texts SET folded = folded || E'\nstripes' WHERE type = 'article' AND part = 2;
    INSERT INTO trellis.search_texts (organization_id, type, record_id, edition, part, parent_id, created_at, folded)
      SELECT organization_id, type, record_id, edition, 2, parent_id, created_at, 'hooves'
      FROM trellis.search_records WHERE record_id = '${decodeId('art', plain.id)}';
    INSERT INTO trellis.search_marks
        (organization_id, type, record_id, parent_id, number, editions, whole, available_at, attempts)
      SELECT organization_id, type, record_id, parent_id, 1, ARRAY[edition], false, now(), 0
      FROM trellis.search_records WHERE type = 'article' AND working;
    DELETE FROM trellis.search_bodies WHERE type = 'article' AND edition = 2;
    UPDATE trellis.search_bodies b SET short_terms = s.terms FROM trellis.search_records s
      WHERE (s.type, s.record_id, s.edition) = (b.type, b.record_id, b.edition);
    DELETE FROM trellis.migrations WHERE name ~ '^006[234]'`);
  const filter = (text: string) => idsOf(server, `${articles}?search=${text}`);
  assert.deepEqual(await filter('tripe'), [id]);
  assert.deepEqual(await filter('oove'), [plain.id]);
  await migrate(server.database.urls.owner, () => undefined);
  assert.deepEqual(await filter('oove'), [], 'without a subtitle nothing has to be indexed');
  assert.deepEqual(await idsOf(server, `${articles}/search?query=okapi`), [id]);
  await runIndexJobs(server.database);
  assert.deepEqual(await known(), wanted);
  assert.deepEqual(await filter('tripe'), []);
  assert.deepEqual(await filter('hoov'), [plain.id]);
  for (const text of ['stripes', 'oad', 'kap', 'embarg']) assert.deepEqual(await filter(text), [id], text);
  assert.deepEqual(await idsOf(server, `${articles}/search?query=crossing%20walked&perspective=published`), [
    id,
  ]);
  const { rows } = await admin.query('SELECT FROM trellis.search_marks WHERE record_id = $1', [
    decodeId('art', id),
  ]);
  assert.equal(rows.length, 0);
});

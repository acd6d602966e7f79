/**
 * Isolation in the indexes of search: a search never reads another organization's index entries, so its cost does not
 * depend on them.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { createOrganization } from '../support/identities.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { amount } from '../support/soak.ts';

let server: TestServer;
let admin: pg.Client;
let small: string;
let large: string;

const word = 'needleword';
/** Records of the large organization: its entries fill several blocks of each index. */
const records = amount(5_000, 20_000);
const insert = `
  WITH made AS (
    SELECT gen_random_uuid() AS id, CASE WHEN $3 THEN '${word} ' ELSE '' END || 'filler' || n % 50 AS text
    FROM generate_series(1, $2::integer) n
  ), records AS (
    INSERT INTO trellis.search_records
      (organization_id, type, record_id, edition, parent_id, created_at, working, published, terms)
    SELECT $1, 'contact', id, 0, md5('contact')::uuid, now(), true, true, trellis.search_terms(NULL, text, '', '')
    FROM made
  ), texts AS (
    INSERT INTO trellis.search_texts (organization_id, type, record_id, edition, part, parent_id, created_at, folded)
    SELECT $1, 'contact', id, 0, 1, md5('contact')::uuid, now(), text FROM made
  )
  INSERT INTO trellis.search_bodies (organization_id, type, record_id, edition, parent_id, created_at, source, short_terms, terms)
  SELECT $1, 'contact', id, 0, md5('contact')::uuid, now(), 1, '', trellis.search_terms(NULL, '', '', text) FROM made`;

before(async () => {
  server = await startTestServer();
  small = server.organization.id;
  large = (await createOrganization(server.database.worker, 'large')).id;
  admin = new pg.Client({ connectionString: server.database.adminUrl });
  await admin.connect();
  await admin.query(`SET session_replication_role = replica`);
  await admin.query(insert, [small, 30, false]);
});
after(async () => {
  await admin?.end();
  await server?.close();
});

const scope = `trellis.search_scope($1, md5('contact')::uuid, 'contact')`;
const query = `to_tsquery('simple', '${word}')`;
const queries = [
  `SELECT FROM trellis.search_records WHERE
     trellis.search_keys(organization_id, parent_id, type, terms, NULL) @@ trellis.search_key_query(${scope}, ${query}, 's')`,
  `SELECT FROM trellis.search_bodies WHERE trellis.search_keys(organization_id, parent_id, type, short_terms, terms)
     @@ trellis.search_key_query(${scope}, ${query}, 'w')`,
  `SELECT FROM trellis.search_texts WHERE trellis.search_grams(organization_id, parent_id, type, folded)
     @@ trellis.search_gram_query(${scope}, '${word}')`,
];

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly Plans?: readonly PlanNode[];
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

/** Blocks read and rows found by the index in each query. */
async function measureReads(organizationId: string): Promise<{ blocks: number; rows: number }[]> {
  await admin.query(
    'SET enable_seqscan = off; SET enable_indexscan = off; SET plan_cache_mode = force_custom_plan',
  );
  const results = [];
  for (const query of queries) {
    const text = query.replaceAll('$1', `'${organizationId}'::uuid`);
    const { rows } = await admin.query(`EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`);
    const index = findIndexScan(rows[0]['QUERY PLAN'][0].Plan);
    results.push({
      blocks: index['Shared Hit Blocks'] + index['Shared Read Blocks'],
      rows: index['Actual Rows'],
    });
  }
  return results;
}

function findIndexScan(node: PlanNode): PlanNode {
  if (node['Node Type'] === 'Bitmap Index Scan') return node;
  const [first] = node.Plans ?? [];
  if (first === undefined) throw new Error('the index was not used');
  return findIndexScan(first);
}

test('a search reads the same blocks whether or not the word occurs in another organization', async () => {
  await admin.query(insert, [large, records, false]);
  await admin.query('VACUUM ANALYZE trellis.search_records, trellis.search_texts, trellis.search_bodies');
  const without = await measureReads(small);
  assert.deepEqual(
    without.map(({ rows }) => rows),
    [0, 0, 0],
  );
  const { rows: entries } = await admin.query(
    'SELECT record_id FROM trellis.search_records WHERE organization_id = $1',
    [large],
  );
  for (const table of ['search_bodies', 'search_texts', 'search_records'])
    await admin.query(`DELETE FROM trellis.${table} WHERE organization_id = $1`, [large]);
  await admin.query('VACUUM trellis.search_records, trellis.search_texts, trellis.search_bodies');
  await admin.query(insert, [large, records, true]);
  await admin.query('VACUUM ANALYZE trellis.search_records, trellis.search_texts, trellis.search_bodies');
  const beside = await measureReads(small);
  assert.deepEqual(
    beside.map(({ rows }) => rows),
    [0, 0, 0],
  );
  beside.forEach(({ blocks }, index) => {
    // A missing entry is looked up as well. The tree of entries may have grown by a level or a neighbouring page.
    const difference = Math.abs(blocks - (without[index]?.blocks ?? 0));
    assert.ok(
      difference <= 1 + (without[index]?.blocks ?? 0) / 3,
      `${queries[index]}: ${without[index]?.blocks} and ${blocks} blocks`,
    );
  });
  const own = await measureReads(large);
  assert.ok(
    own.every(({ rows }) => rows === records),
    'the other organization itself finds all',
  );
  assert.equal(entries.length, records);
});

test('no key of an index belongs to two organizations', async () => {
  const { rows } = await admin.query(
    `SELECT count(*)::integer AS shared FROM (
       SELECT key FROM (
         SELECT DISTINCT organization_id, unnest(tsvector_to_array(
           trellis.search_keys(organization_id, parent_id, type, terms, NULL))) AS key FROM trellis.search_records
         UNION SELECT DISTINCT organization_id, unnest(tsvector_to_array(
           trellis.search_grams(organization_id, parent_id, type, folded))) FROM trellis.search_texts
       ) k GROUP BY key HAVING count(DISTINCT organization_id) > 1
     ) s`,
  );
  assert.equal(rows[0].shared, 0);
});

test('keys are made of every word, short and long, of stems that are no words, and of the first 200 characters of longer ones', async () => {
  const vectors = [
    `'a' 'b'`,
    `'~a' 'a':1A`,
    `'~a' '~b' '~~a' 'a':1A 'ab':2`,
    `'${'x'.repeat(200)}' 'y'`,
    `'${'\u00fc'.repeat(201)}z' 'c'`,
    `'it''s'`,
    '',
    null,
  ];
  for (const short of vectors) {
    for (const long of vectors) {
      const { rows } = await admin.query(
        `SELECT tsvector_to_array(trellis.search_keys($1, $1, 'contact', $2, $3)) AS made,
           ARRAY(SELECT DISTINCT trellis.search_scope($1, $1, 'contact') || kind || left(word, 200) COLLATE "C" FROM (
             SELECT 's', unnest(tsvector_to_array($2)) UNION ALL SELECT 'w', unnest(tsvector_to_array($3))
           ) k (kind, word)
           -- Without stems that are words.
           WHERE NOT (word LIKE '~%' AND substr(word, 2) = ANY (tsvector_to_array(CASE kind WHEN 's' THEN $2 ELSE $3 END::tsvector)))
           ORDER BY 1) AS expected`,
        [small, short, long],
      );
      assert.deepEqual(rows[0].made, rows[0].expected);
    }
  }
});

/**
 * Isolation in the indexes of search: a search never reads another organization's index entries, so its cost does not
 * depend on them.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { contacts } from '@trellis/schema/resources/contacts.ts';
import { encodeVectors, Lexemes, scopeOf } from '@trellis/server/kernel/pipeline/search/analyzer/lexemes.ts';
import { askCharacters, askWords } from '@trellis/server/kernel/pipeline/search/analyzer/question.ts';
import { searchParent } from '@trellis/server/kernel/pipeline/search/texts.ts';
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
const parent = searchParent(contacts, null);

/** Writes as many records, whose names and long texts have the word or not. */
async function insert(organizationId: string, count: number, hasWord: boolean): Promise<void> {
  const scope = scopeOf(organizationId, parent, contacts.singular);
  const texts = Array.from(
    { length: count },
    (_, index) => `${hasWord ? `${word} ` : ''}filler${index % 50}`,
  );
  const vector = (text: string, isName: boolean) => {
    const lexemes = new Lexemes(scope);
    lexemes.addWords(text, 'A');
    if (isName) lexemes.addGrams(text);
    return lexemes.encode();
  };
  await admin.query(
    `WITH made AS MATERIALIZED (
       SELECT gen_random_uuid() AS id, * FROM unnest($3::text[], $4::tsvector[], $5::tsvector[]) AS g (text, short, long)
     ), records AS (
       INSERT INTO trellis.search_records
         (organization_id, type, record_id, edition, parent_id, created_at, working, published, names, others, terms)
       SELECT $1, 'contact', id, 0, $2, now(), true, true, text, '', short FROM made
     )
     INSERT INTO trellis.search_bodies (organization_id, type, record_id, edition, created_at, terms)
     SELECT $1, 'contact', id, 0, now(), long FROM made`,
    [
      organizationId,
      parent,
      texts,
      encodeVectors(texts.map((text) => vector(text, true))),
      encodeVectors(texts.map((text) => vector(text, false))),
    ],
  );
}

before(async () => {
  server = await startTestServer();
  small = server.organization.id;
  large = (await createOrganization(server.database.worker, 'large')).id;
  admin = new pg.Client({ connectionString: server.database.adminUrl });
  await admin.connect();
  await admin.query(`SET session_replication_role = replica`);
  await insert(small, 30, false);
});
after(async () => {
  await admin?.end();
  await server?.close();
});

const queries = [
  { table: 'search_records', wanted: askWords(`${word} `).wanted },
  { table: 'search_records', wanted: askCharacters(word) },
  { table: 'search_bodies', wanted: askWords(`${word} `).wanted },
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
  const scope = scopeOf(organizationId, parent, contacts.singular);
  for (const { table, wanted } of queries) {
    const { rows } = await admin.query(
      `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) SELECT FROM trellis.${table} WHERE terms @@ trellis.scoped($1, $2)`,
      [wanted, scope],
    );
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
  await insert(large, records, false);
  await admin.query('VACUUM ANALYZE trellis.search_records, trellis.search_bodies');
  const without = await measureReads(small);
  assert.deepEqual(
    without.map(({ rows }) => rows),
    [0, 0, 0],
  );
  const { rows: entries } = await admin.query(
    'SELECT record_id FROM trellis.search_records WHERE organization_id = $1',
    [large],
  );
  for (const table of ['search_bodies', 'search_records'])
    await admin.query(`DELETE FROM trellis.${table} WHERE organization_id = $1`, [large]);
  await admin.query('VACUUM trellis.search_records, trellis.search_bodies');
  await insert(large, records, true);
  await admin.query('VACUUM ANALYZE trellis.search_records, trellis.search_bodies');
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
      `${queries[index]?.table}: ${without[index]?.blocks} and ${blocks} blocks`,
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
         SELECT DISTINCT organization_id, unnest(tsvector_to_array(terms)) AS key FROM trellis.search_records
         UNION SELECT DISTINCT organization_id, unnest(tsvector_to_array(terms)) FROM trellis.search_bodies
       ) k GROUP BY key HAVING count(DISTINCT organization_id) > 1
     ) s`,
  );
  assert.equal(rows[0].shared, 0);
});

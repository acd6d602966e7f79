/**
 * Why: a list of ten records is always fast. This fills an organization with as many articles as a large customer has,
 * by SQL, with everything that the pipeline would have written beside them. Texts are drawn from a vocabulary of some
 * thousand words, the frequent ones as frequent as in real texts (Zipf's law), and are the same in every run.
 */
import type { Client } from 'pg';

/** What the cases need to know of the data. */
export interface BenchData {
  readonly organizationId: string;
  readonly siteId: string;
  readonly userId: string;
  /** Uuids of up to a thousand articles, spread evenly. */
  readonly articleIds: readonly string[];
  /** The same of drafts: changing a published article opens a new version first, which is another case. */
  readonly draftIds: readonly string[];
}

/** Words that stand in every thousandth and in every fiftieth text, for searches. */
export const rareWord = 'xylophone';
export const middleWord = 'marzipan';
/** Words that stand in nearly every text, and in many. */
export const commonWords = ['compiler', 'lantern'] as const;

/** The most frequent words, in this order; the others are made of syllables. */
const frequentWords = (
  'the of and to in is that for on with as this from by are release new compiler can version language trait ' +
  'error type update library team support feature test build memory safety crate stable macro thread pattern ' +
  'borrow lifetime module project survey roadmap edition platform security advisory performance garden hedge ' +
  'trellis lattice orchard pruning ledger harbour lantern meadow quarry saffron thicket umber violet willow zephyr'
).split(' ');
const vocabularySize = 6_000;
const sentenceCount = 20_000;
const wordsPerSentence = 15;
/** Title, three sentences of summary, twenty of body: some 2,400 characters. */
const sentencesPerArticle = 24;

/** Makes an organization with `count` articles and, so that it is not alone, another one with a few thousand. */
export async function fillDatabase(client: Client, count: number): Promise<BenchData> {
  await client.query(`SET maintenance_work_mem = '512MB'`);
  await client.query(
    `CREATE TEMPORARY TABLE sentences AS
     SELECT s, string_agg(words[floor(power(${vocabularySize}, ${random('s * 100 + w', 1)}))::int], ' ' ORDER BY w) AS sentence
     FROM generate_series(0, ${sentenceCount - 1}) AS s, generate_series(1, ${wordsPerSentence}) AS w,
       (SELECT $1::text[] AS words) AS vocabulary
     GROUP BY s`,
    [makeVocabulary()],
  );
  await client.query('CREATE UNIQUE INDEX ON sentences (s)');
  const rebuildIndexes = await dropSearchIndexes(client);
  const data = await fillOrganization(client, 'bench', count);
  await fillOrganization(client, 'neighbour', Math.min(5_000, count));
  await rebuildIndexes();
  await client.query('VACUUM ANALYZE');
  return data;
}

/** Building the text indexes afterwards takes a quarter of the time of filling them row by row. */
async function dropSearchIndexes(client: Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid IN ('trellis.search_entries'::regclass, 'trellis.search_records'::regclass,
       'trellis.search_texts'::regclass, 'trellis.search_bodies'::regclass) AND NOT indisprimary`,
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return async () => {
    for (const { definition } of rows) await client.query(definition);
  };
}

async function fillOrganization(client: Client, key: string, count: number): Promise<BenchData> {
  const ids = await client.query<{ organization: string; site: string; member: string; client: string }>(
    'SELECT uuidv7() AS organization, uuidv7() AS site, uuidv7() AS member, uuidv7() AS client',
  );
  const { organization = '', site = '', member = '', client: application = '' } = ids.rows[0] ?? {};
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO trellis.organizations (id, key, name, modules) VALUES ($1, $2, $2, '{cms}')`,
    [organization, key],
  );
  await client.query(
    `INSERT INTO trellis.users (id, email, email_normalized, name) VALUES ($1, $2, $2, 'Bench')`,
    [member, `${key}@example.com`],
  );
  await client.query(
    `INSERT INTO trellis.memberships (organization_id, user_id, role) VALUES ($1, $2, 'OWNER')`,
    [organization, member],
  );
  await client.query(
    `INSERT INTO trellis.clients (organization_id, id, name, kind) VALUES ($1, $2, 'Bench', 'SERVER')`,
    [organization, application],
  );
  await client.query(
    `INSERT INTO trellis.sites (organization_id, id, version, created_at, updated_at, name, key, default_locale,
       domains, timezone)
     VALUES ($1, $2, 1, now(), now(), 'Bench', 'bench', 'en', '[]', 'UTC')`,
    [organization, site],
  );
  await writeTexts(client, count);
  // Two of three are published, every twentieth is featured.
  await client.query(
    `INSERT INTO trellis.articles (organization_id, site_id, id, version, created_at, updated_at, created_by, updated_by,
       allow_comments, category_ids, tag_ids, authors, slug, featured, state, working_version, published_version, title,
       status, locale)
     SELECT $1, $2, id, 1, at, at, $3, $3, false, '{}', '{}', '[{"name": "Ada Lovelace", "userId": null}]', 'article-' || n,
       n % 20 = 0, CASE WHEN n % 3 = 0 THEN 'UNPUBLISHED' ELSE 'PUBLISHED' END, 1,
       CASE WHEN n % 3 = 0 THEN NULL ELSE 1 END, title, CASE WHEN n % 3 = 0 THEN 'DRAFT' ELSE 'PUBLISHED' END, 'en'
     FROM texts`,
    [organization, site, member],
  );
  await client.query(
    `INSERT INTO trellis.article_versions (organization_id, site_id, article_id, number, created_at, updated_at,
       created_by, updated_by, title, summary, body, body_format, locale, status, published_at, word_count)
     SELECT $1, $2, id, 1, at, at, $3, $3, title, summary, body, 'MARKDOWN', 'en',
       CASE WHEN n % 3 = 0 THEN 'DRAFT' ELSE 'PUBLISHED' END, CASE WHEN n % 3 = 0 THEN NULL ELSE at END, 300
     FROM texts`,
    [organization, site, member],
  );
  await client.query(
    `INSERT INTO trellis.search_records
       (organization_id, type, record_id, edition, parent_id, created_at, working, published, terms)
     SELECT $1, 'article', id, 1, $2, at, true, n % 3 <> 0,
       trellis.search_terms('english', lower(title), lower(summary), '')
     FROM texts`,
    [organization, site],
  );
  await client.query(
    `INSERT INTO trellis.search_texts (organization_id, type, record_id, edition, part, parent_id, created_at, folded)
     SELECT $1, 'article', id, 1, part, $2, at, folded
     FROM texts, unnest(ARRAY[1, 2], ARRAY[lower(title), lower(summary)]) AS t (part, folded)
     WHERE folded <> ''`,
    [organization, site],
  );
  await client.query(
    `INSERT INTO trellis.search_bodies
       (organization_id, type, record_id, edition, parent_id, created_at, source, short_terms, terms)
     SELECT $1, 'article', id, 1, $2, at, 1, trellis.search_terms('english', lower(title), lower(summary), ''),
       trellis.search_terms('english', '', '', lower(body))
     FROM texts`,
    [organization, site],
  );
  // Of the bare server.
  await client.query(
    `INSERT INTO trellis.search_entries (organization_id, type, parent_id, record_id, created_at, title, folded_title,
       folded_text, title_terms, terms)
     SELECT $1, 'article', $2, id, at, title, lower(title), lower(title || E'\\n' || summary || E'\\n' || body),
       to_tsvector('simple', lower(title)),
       setweight(to_tsvector('simple', lower(title)), 'A') || setweight(to_tsvector('simple', summary), 'B')
         || setweight(to_tsvector('simple', body), 'D')
     FROM texts`,
    [organization, site],
  );
  await client.query('DROP TABLE texts');
  await client.query('COMMIT');
  const spread = async (condition: string): Promise<string[]> => {
    const { rows } = await client.query<{ id: string }>(
      `SELECT id FROM trellis.articles WHERE organization_id = $1 AND ${condition} ORDER BY md5(id::text) LIMIT 1000`,
      [organization],
    );
    return rows.map(({ id }) => id);
  };
  return {
    organizationId: organization,
    siteId: site,
    userId: member,
    articleIds: await spread('true'),
    draftIds: await spread(`status = 'DRAFT'`),
  };
}

/** One text for each article, one a minute; ids in the order of creation, as UUIDv7 are. */
async function writeTexts(client: Client, count: number): Promise<void> {
  await client.query(
    `CREATE TEMPORARY TABLE texts AS
     SELECT n, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid AS id,
       timestamptz '2020-01-01' + n * interval '1 minute' AS at, initcap(left(t.parts[1], 50)) AS title,
       array_to_string(t.parts[2:4], '. ') AS summary,
       array_to_string(t.parts[5:${sentencesPerArticle}], '. ')
         || CASE WHEN n % 1000 = 7 THEN ' ${rareWord}' ELSE '' END
         || CASE WHEN n % 50 = 3 THEN ' ${middleWord}' ELSE '' END AS body
     FROM generate_series(1, $1) AS n, LATERAL (
       SELECT array_agg(sentence ORDER BY w) AS parts FROM generate_series(1, ${sentencesPerArticle}) AS w
       JOIN sentences ON s = floor(${sentenceCount} * ${random('n * 100 + w', 2)})::int) AS t`,
    [count],
  );
}

/** Words by frequency, the most frequent first. */
export function makeVocabulary(): string[] {
  const syllables = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ');
  const syllable = (number: number) => syllables[number % syllables.length] ?? '';
  const made = Array.from({ length: vocabularySize - frequentWords.length }, (_, index) => {
    const ending = index < 400 ? '' : syllable(Math.floor(index / 400));
    return `${syllable(index)}${syllable(Math.floor(index / 20))}${ending}n`;
  });
  return [...frequentWords, ...made];
}

/** SQL for a number from 0 (included) to 1 (excluded) that follows from a row's own. */
function random(number: string, seed: number): string {
  return `((hashint8extended((${number})::bigint, ${seed}) & 1048575)::float8 / 1048576)`;
}

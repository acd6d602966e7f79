/**
 * An organization with as many articles as a large customer has, filled by SQL with everything that the pipeline and the
 * indexer would have written. Texts are drawn from a vocabulary of some thousand words, the frequent ones as frequent as in
 * real texts (Zipf's law), and are the same in every run.
 */
import { builtInRoleSteps } from '@trellis/server/features/access/roles/storage.ts';
import {
  encodeVectors,
  foldReadable,
  Lexemes,
  scopeOf,
} from '@trellis/server/kernel/pipeline/search/analyzer/lexemes.ts';
import type { Client } from 'pg';

/** What the cases need to know of the data; all ids are uuids. */
export interface BenchData {
  readonly organizationId: string;
  readonly siteId: string;
  readonly userId: string;
  /** One of twenty categories of the site. */
  readonly categoryId: string;
  /** Up to a thousand articles, spread evenly. */
  readonly articleIds: readonly string[];
  /** The same of drafts: changing a published article opens a new version first, which is another case. */
  readonly draftIds: readonly string[];
  /** Texts for new articles. */
  readonly samples: readonly { readonly title: string; readonly summary: string; readonly body: string }[];
}

/** A word in every hundredth title, and in no other text. */
export const titleWord = 'marzipan';

/** The most frequent words, in this order; the others are made of syllables. */
const frequentWords = (
  'the of and to in is that for on with as this from by are release new compiler can version language trait ' +
  'error type update library team support feature test build memory safety crate stable macro thread pattern ' +
  'borrow lifetime module project survey roadmap edition platform security advisory performance garden hedge ' +
  'trellis lattice orchard pruning ledger harbour lantern meadow quarry saffron thicket umber violet willow zephyr'
).split(' ');
/** Key of the organization that is measured. */
export const measured = 'bench';
const vocabularySize = 6_000;
const sentenceCount = 20_000;
const wordsPerSentence = 15;
/** Title, two sentences of summary, and the body: some 4,000 characters together. */
const sentencesPerArticle = 40;

/** Makes an organization with `count` articles and, so that it is not alone, another one with a few thousand. */
export async function fillDatabase(client: Client, count: number): Promise<void> {
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
  await fillOrganization(client, measured, count);
  await fillOrganization(client, 'other', Math.min(5_000, count));
  await rebuildIndexes();
}

/** SQL for the definition of an index, with the setting that PostgreSQL leaves out of it: whether there are statistics. */
export function definitionSql(index: string): string {
  const without = `EXISTS (SELECT FROM pg_attribute WHERE attrelid = ${index} AND attnum = 1 AND attstattarget = 0)`;
  return `pg_get_indexdef(${index}) || CASE WHEN ${without}
    THEN format('; ALTER INDEX %s ALTER COLUMN 1 SET STATISTICS 0', ${index}::regclass) ELSE '' END`;
}

/** Building the text indexes afterwards takes a quarter of the time of filling them row by row. */
async function dropSearchIndexes(client: Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass AS name, ${definitionSql('indexrelid')} AS definition FROM pg_index
     WHERE indrelid IN ('trellis.search_records'::regclass, 'trellis.search_bodies'::regclass) AND NOT indisprimary`,
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return async () => {
    for (const { definition } of rows) await client.query(definition);
  };
}

async function fillOrganization(client: Client, key: string, count: number): Promise<void> {
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
  for (const { statement, values } of builtInRoleSteps(organization))
    await client.query(statement.text, [...values]);
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
  await client.query(
    `INSERT INTO trellis.categories (organization_id, site_id, id, version, created_at, updated_at, name, slug, position)
     SELECT $1, $2, uuidv7(), 1, now(), now(), 'Category ' || n, 'category-' || n, n FROM generate_series(1, 20) AS n`,
    [organization, site],
  );
  await writeTexts(client, site, count);
  // Two of three are published, every twentieth is featured.
  await client.query(
    `INSERT INTO trellis.articles (organization_id, site_id, id, version, created_at, updated_at, created_by, updated_by,
       allow_comments, category_ids, primary_category_id, tag_ids, authors, slug, featured, state, working_version,
       published_version, title, status, locale)
     SELECT $1, $2, id, 1, at, at, $3, $3, false, ARRAY[category], category, '{}', '[{"name": "Ada Lovelace", "userId": null}]', 'article-' || n,
       n % 20 = 0, CASE WHEN n % 3 = 0 THEN 'UNPUBLISHED' ELSE 'PUBLISHED' END, 1,
       CASE WHEN n % 3 = 0 THEN NULL ELSE 1 END, title, CASE WHEN n % 3 = 0 THEN 'DRAFT' ELSE 'PUBLISHED' END, 'en'
     FROM texts`,
    [organization, site, member],
  );
  await client.query(
    `INSERT INTO trellis.article_categories (organization_id, site_id, article_id, category_id)
     SELECT $1, $2, id, category FROM texts`,
    [organization, site],
  );
  await client.query(
    `INSERT INTO trellis.article_versions (organization_id, site_id, article_id, number, created_at, updated_at,
       created_by, updated_by, title, summary, body, body_format, locale, status, published_at, word_count)
     SELECT $1, $2, id, 1, at, at, $3, $3, title, summary, body, 'MARKDOWN', 'en',
       CASE WHEN n % 3 = 0 THEN 'DRAFT' ELSE 'PUBLISHED' END, CASE WHEN n % 3 = 0 THEN NULL ELSE at END, 300
     FROM texts`,
    [organization, site, member],
  );
  await writeEntries(client, organization, site);
  await client.query('DROP TABLE texts');
  await client.query('COMMIT');
}

/** Search entries written at once. */
const entriesPerStep = 2_000;

async function writeEntries(client: Client, organization: string, site: string): Promise<void> {
  const scope = scopeOf(organization, site, 'article');
  for (let start = 0; ; start += entriesPerStep) {
    const { rows } = await client.query<
      Readonly<Record<'id' | 'at' | 'title' | 'summary' | 'body', string>> & { n: number }
    >('SELECT id, at::text, n, title, summary, body FROM texts WHERE n > $1 AND n <= $2', [
      start,
      start + entriesPerStep,
    ]);
    if (rows.length === 0) return;
    const short = rows.map(({ title, summary }) => {
      const lexemes = new Lexemes(scope);
      lexemes.addWords(foldReadable(title), 'A');
      lexemes.addWords(foldReadable(summary), 'B');
      lexemes.addStems('en');
      lexemes.addGrams(foldReadable(title));
      return lexemes.encode();
    });
    const long = rows.map(({ body }) => {
      const lexemes = new Lexemes(scope);
      lexemes.addWords(foldReadable(body), 'D');
      lexemes.addStems('en');
      return lexemes.encode();
    });
    await client.query(
      `WITH given AS MATERIALIZED (
         SELECT * FROM unnest($3::uuid[], $4::timestamptz[], $5::boolean[], $6::text[], $7::tsvector[], $8::tsvector[])
           AS g (id, at, published, title, short, long)
       ), records AS (
         INSERT INTO trellis.search_records
           (organization_id, type, record_id, edition, parent_id, created_at, working, published, names, others, terms)
         SELECT $1, 'article', id, 1, $2, at, true, published, title, '', short FROM given
       )
       INSERT INTO trellis.search_bodies (organization_id, type, record_id, edition, created_at, terms)
       SELECT $1, 'article', id, 1, at, long FROM given`,
      [
        organization,
        site,
        rows.map(({ id }) => id),
        rows.map(({ at }) => at),
        rows.map(({ n }) => Number(n) % 3 !== 0),
        rows.map(({ title }) => foldReadable(title)),
        encodeVectors(short),
        encodeVectors(long),
      ],
    );
  }
}

/** What an earlier run, or this one, has filled; null: nothing. */
export async function readData(client: Client): Promise<BenchData | null> {
  const { rows } = await client.query<{
    organization: string;
    site: string;
    member: string;
    category: string;
  }>(
    `SELECT o.id AS organization, s.id AS site, m.user_id AS member,
       (SELECT c.id FROM trellis.categories c WHERE c.organization_id = o.id ORDER BY c.position LIMIT 1) AS category
     FROM trellis.organizations o JOIN trellis.sites s ON s.organization_id = o.id
     JOIN trellis.memberships m ON m.organization_id = o.id WHERE o.key = $1`,
    [measured],
  );
  const [found] = rows;
  if (found === undefined) return null;
  const { organization, site, member, category } = found;
  const spread = async (condition: string): Promise<string[]> => {
    const { rows: ids } = await client.query<{ id: string }>(
      `SELECT id FROM trellis.articles WHERE organization_id = $1 AND id < $2 AND ${condition}
       ORDER BY md5(id::text) LIMIT 1000`,
      [organization, '01900000-0000-7000-8000-ffffffffffff'],
    );
    return ids.map(({ id }) => id);
  };
  const samples = await client.query<BenchData['samples'][number]>(
    `SELECT title, summary, body FROM trellis.article_versions
     WHERE organization_id = $1 AND title NOT ILIKE $2 ORDER BY md5(article_id::text) LIMIT 200`,
    [organization, `${titleWord}%`],
  );
  return {
    organizationId: organization,
    siteId: site,
    userId: member,
    categoryId: category,
    articleIds: await spread('true'),
    draftIds: await spread(`status = 'DRAFT'`),
    samples: samples.rows,
  };
}

/** One text for each article, one a minute; ids in the order of creation, as UUIDv7 are. */
async function writeTexts(client: Client, site: string, count: number): Promise<void> {
  await client.query(
    `CREATE TEMPORARY TABLE texts AS
     SELECT n, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid AS id,
       timestamptz '2020-01-01' + n * interval '1 minute' AS at,
       CASE WHEN n % 100 = 7 THEN '${titleWord} ' ELSE '' END || initcap(left(t.parts[1], 50)) AS title,
       array_to_string(t.parts[2:3], '. ') AS summary, array_to_string(t.parts[4:${sentencesPerArticle}], '. ') AS body,
       categories.ids[1 + n % 20] AS category
     FROM generate_series(1, $1) AS n, LATERAL (
       SELECT array_agg(sentence ORDER BY w) AS parts FROM generate_series(1, ${sentencesPerArticle}) AS w
       JOIN sentences ON s = floor(${sentenceCount} * ${random('n * 100 + w', 2)})::int) AS t,
       (SELECT array_agg(id) AS ids FROM trellis.categories WHERE site_id = $2) AS categories`,
    [count, site],
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

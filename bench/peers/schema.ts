/** The tables of the bare server, with the same articles as ours. */
import type { Client } from 'pg';

/** Its articles: with an index of the titles only, and with one of all texts besides. */
export type BareTable = 'articles' | 'searched_articles';

/** Whether they are there already. */
export async function hasBareTables(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `SELECT to_regclass('bare.searched_articles_words_idx') IS NOT NULL AS found`,
  );
  return rows[0]?.found === true;
}

/**
 * Copies the articles of a site. The rows of both servers have the same ids, texts and instants.
 * @param site uuid
 */
export async function fillBareTables(client: Client, site: string): Promise<void> {
  await client.query('DROP SCHEMA IF EXISTS bare CASCADE');
  await client.query('CREATE SCHEMA bare');
  await client.query(
    'CREATE TABLE bare.categories (id uuid PRIMARY KEY, site_id uuid NOT NULL, name text NOT NULL)',
  );
  await client.query(`CREATE TABLE bare.articles (
    id uuid PRIMARY KEY,
    site_id uuid NOT NULL,
    category_id uuid REFERENCES bare.categories (id),
    title text NOT NULL,
    slug text NOT NULL,
    summary text,
    body text,
    canonical_url text,
    status text NOT NULL DEFAULT 'DRAFT',
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  )`);
  await client.query(
    'INSERT INTO bare.categories SELECT id, site_id, name FROM trellis.categories WHERE site_id = $1',
    [site],
  );
  await client.query(
    `INSERT INTO bare.articles
     SELECT a.id, a.site_id, a.primary_category_id, v.title, a.slug, v.summary, v.body, a.canonical_url, v.status, a.version, a.created_at,
       a.updated_at
     FROM trellis.articles a JOIN trellis.article_versions v ON v.organization_id = a.organization_id
       AND v.site_id = a.site_id AND v.article_id = a.id AND v.number = a.working_version
     WHERE a.site_id = $1 ORDER BY a.created_at`,
    [site],
  );
  await client.query('CREATE TABLE bare.searched_articles (LIKE bare.articles INCLUDING DEFAULTS)');
  await client.query(`ALTER TABLE bare.searched_articles ADD words tsvector GENERATED ALWAYS AS (
    setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', coalesce(summary, '')), 'B')
      || to_tsvector('english', coalesce(body, ''))) STORED, ADD PRIMARY KEY (id),
    ADD FOREIGN KEY (category_id) REFERENCES bare.categories (id)`);
  await client.query('INSERT INTO bare.searched_articles SELECT * FROM bare.articles');
  // The extension is there already, in whichever schema our migrations put it.
  const { rows } = await client.query<{ schema: string }>(
    `SELECT extnamespace::regnamespace AS schema FROM pg_extension WHERE extname = 'pg_trgm'`,
  );
  for (const table of ['articles', 'searched_articles'] satisfies BareTable[]) {
    await client.query(`CREATE UNIQUE INDEX ON bare.${table} (site_id, slug)`);
    await client.query(`CREATE INDEX ON bare.${table} (site_id, created_at DESC, id DESC)`);
    await client.query(`CREATE INDEX ON bare.${table} (category_id)`);
    await client.query(`CREATE INDEX ON bare.${table} USING gin (title ${rows[0]?.schema}.gin_trgm_ops)`);
  }
  await client.query('CREATE INDEX ON bare.searched_articles USING gin (words)');
}

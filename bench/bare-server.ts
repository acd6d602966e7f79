/**
 * Why: the measure of what PostgreSQL, node-postgres and Fastify can do at most: the same rows, read and written by the
 * same SQL, each request in one round trip, with nothing around it. No tokens, no row-level security, no validation, no
 * idempotency, no events. It is given the superuser's URL, whom row-level security does not bind: it is forced on the
 * tables' owner too.
 */

import { newUuid } from '@trellis/schema/values/ids.ts';
import Fastify from 'fastify';
import pg from 'pg';
import { reportUsage } from './usage.ts';

const pool = new pg.Pool({
  connectionString: process.env.BENCH_DATABASE_URL ?? '',
  max: Number(process.env.BENCH_CONNECTIONS),
});
const organizationId = process.env.BENCH_ORGANIZATION ?? '';
const userId = process.env.BENCH_USER ?? '';
const app = Fastify();

const columns = `r.id, r.version, r.created_at, r.updated_at, r.created_by, r.updated_by, r.site_id, r.allow_comments,
  r.category_ids, r.primary_category_id, r.tag_ids, r.authors, r.slug, r.featured, r.canonical_url, v.title, v.subtitle,
  v.summary, v.body, v.body_format, v.locale, v.cover_file_id, v.seo, v.change_note, v.scheduled_for, v.unpublish_at,
  v.status, v.number, v.published_at, v.word_count, r.state, r.published_version, r.schedule_error, r.external_id`;
const from = `trellis.articles r JOIN trellis.article_versions v ON v.organization_id = r.organization_id
  AND v.site_id = r.site_id AND v.article_id = r.id AND v.number = r.working_version`;

type Row = Readonly<Record<string, unknown>>;

/** The same JSON as the product's, with plain uuids. */
function render(row: Row): object {
  return {
    id: row.id,
    siteId: row.site_id,
    articleData: {
      allowComments: row.allow_comments,
      categoryIds: row.category_ids,
      primaryCategoryId: row.primary_category_id,
      tagIds: row.tag_ids,
      authors: row.authors,
      slug: row.slug,
      featured: row.featured,
      canonicalUrl: row.canonical_url,
    },
    versionData: {
      title: row.title,
      subtitle: row.subtitle,
      summary: row.summary,
      body: row.body,
      bodyFormat: row.body_format,
      locale: row.locale,
      coverFileId: row.cover_file_id,
      seo: row.seo,
      changeNote: row.change_note,
      scheduledFor: row.scheduled_for,
      unpublishAt: row.unpublish_at,
      status: row.status,
      versionNumber: row.number,
      publishedAt: row.published_at,
      wordCount: row.word_count,
    },
    state: row.state,
    publishedVersionNumber: row.published_version,
    scheduleError: row.schedule_error,
    externalId: row.external_id,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    createdBy: row.created_by,
    updatedBy: row.updated_by,
  };
}

interface Call {
  readonly Params: { readonly site: string; readonly id: string };
  readonly Querystring: Readonly<Record<string, string>>;
  readonly Body: { readonly versionData: { readonly title: string; readonly body: string } };
}

app.get<Call>('/v1/sites/:site/articles/:id', async ({ params }) => {
  const { rows } = await pool.query<Row>({
    name: 'get',
    text: `SELECT ${columns} FROM ${from} WHERE r.organization_id = $1 AND r.id = $2 AND r.site_id = $3`,
    values: [organizationId, params.id, params.site],
  });
  return rows[0] === undefined ? { error: 'not found' } : render(rows[0]);
});

app.get<Call>('/v1/sites/:site/articles', async ({ params, query }) => {
  const limit = Number(query.limit);
  if (query.search !== undefined)
    return renderPage(await searchList(params.site, query.search, limit), limit);
  const status = query.status === undefined ? '' : ' AND r.status = $4';
  const values = [
    organizationId,
    params.site,
    limit + 1,
    ...(query.status === undefined ? [] : [query.status]),
  ];
  return renderPage(
    await listWhere(`list${status}`, `r.organization_id = $1 AND r.site_id = $2${status}`, values),
    limit,
  );
});

/** A page of the list; `$3` is its size. */
async function listWhere(name: string, condition: string, values: readonly unknown[]): Promise<Row[]> {
  const text = `SELECT ${columns} FROM ${from} WHERE ${condition} ORDER BY r.created_at DESC, r.id DESC LIMIT $3`;
  const { rows } = await pool.query<Row>({ name, text, values: [...values] });
  return rows;
}

/**
 * What a programmer would write at first, in one statement. Or, for BENCH_SEARCH=ours, the three ways of
 * packages/server/src/pipeline/list.ts, to see what the checks cost where the SQL is the same.
 */
async function searchList(site: string, search: string, limit: number): Promise<Row[]> {
  const values = [organizationId, site, limit + 1, `%${search}%`];
  const scope = 'r.organization_id = $1 AND r.site_id = $2';
  if (process.env.BENCH_SEARCH !== 'ours') {
    const found = `SELECT e.record_id FROM trellis.search_entries e WHERE e.organization_id = $1 AND e.parent_id = $2
      AND e.type = 'article' AND e.folded_text LIKE $4`;
    return listWhere('search list', `${scope} AND r.id IN (${found})`, values);
  }
  const contains = `EXISTS (SELECT FROM trellis.search_entries e WHERE e.organization_id = r.organization_id
    AND e.type = 'article' AND e.record_id = r.id AND e.folded_text LIKE $4)`;
  const near = `(SELECT r.* FROM trellis.articles r WHERE ${scope} ORDER BY r.created_at DESC, r.id DESC LIMIT 64) r`;
  const { rows } = await pool.query<Row>({
    name: 'search list near',
    text: `SELECT ${columns} FROM ${from.replace('trellis.articles r', near)} WHERE ${contains}
      ORDER BY r.created_at DESC, r.id DESC LIMIT $3`,
    values,
  });
  if (rows.length > limit) return rows;
  const matches = await pool.query<{ ids: string[] | null }>({
    name: 'search list match',
    text: `SELECT array_agg(record_id) AS ids FROM (SELECT e.record_id FROM trellis.search_entries e
      WHERE e.organization_id = $1 AND e.parent_id = $2 AND e.type = 'article' AND e.folded_text LIKE $3 LIMIT 1000) m`,
    values: [organizationId, site, `%${search}%`],
  });
  const ids = matches.rows[0]?.ids ?? [];
  if (ids.length >= 1_000) return listWhere('search list walk', `${scope} AND ${contains}`, values);
  return listWhere('search list ids', `${scope} AND r.id = ANY ($4)`, [...values.slice(0, 3), ids]);
}

function renderPage(rows: readonly Row[], limit: number): object {
  const hasNextPage = rows.length > limit;
  return { items: rows.slice(0, limit).map(render), pageInfo: { nextCursor: null, hasNextPage } };
}

/** The ranking of trellis.search (migrations/0003_search.sql), joined with the records: one round trip. */
app.get<Call>('/v1/sites/:site/articles/search', async ({ params, query }) => {
  const candidates = (condition: string) => `SELECT e.type, e.record_id, e.created_at, e.terms
    FROM trellis.search_entries e, to_tsquery('simple', $3) AS q
    WHERE e.organization_id = $1 AND e.parent_id = $2 AND ${condition} AND e.terms @@ q AND e.type = ANY ('{article}')`;
  const { rows } = await pool.query<Row>({
    name: 'search',
    text: `WITH titles AS MATERIALIZED (${candidates('e.title_terms @@ q')} LIMIT 1000),
      texts AS MATERIALIZED (${candidates('true')} LIMIT 1000),
      newest AS MATERIALIZED (
        SELECT e.type, e.record_id, e.created_at, e.terms FROM (
          SELECT * FROM trellis.search_entries n WHERE n.organization_id = $1 AND n.parent_id = $2
          ORDER BY n.created_at DESC, n.record_id DESC LIMIT 1000) e
        WHERE (SELECT count(*) FROM texts) >= 1000 AND e.terms @@ to_tsquery('simple', $3)),
      ranked AS (
        SELECT DISTINCT ON (h.type, h.record_id) h.record_id, h.created_at,
          ts_rank(h.terms, to_tsquery('simple', $3)) AS score
        FROM (SELECT * FROM titles UNION ALL SELECT * FROM texts UNION ALL SELECT * FROM newest) h),
      hits AS (SELECT * FROM ranked ORDER BY score DESC, created_at DESC, record_id DESC LIMIT 21)
      SELECT h.score, ${columns} FROM hits h JOIN (${from}) ON r.organization_id = $1 AND r.site_id = $2 AND r.id = h.record_id
      ORDER BY h.score DESC, h.created_at DESC, h.record_id DESC`,
    values: [organizationId, params.site, `${(query.query ?? '').split(' ').join(' & ')}:*`],
  });
  const items = rows.slice(0, 20).map((row) => ({
    type: 'article',
    id: row.id,
    score: row.score,
    title: row.title,
    highlights: [],
    record: render(row),
  }));
  return { items, pageInfo: { nextCursor: null, hasNextPage: rows.length > 20 } };
});

/** One statement writes the article, its version and its search entry, and returns the record. */
app.post<Call>('/v1/sites/:site/articles', async ({ params, body }, reply) => {
  const { title, body: text } = body.versionData;
  const { rows } = await pool.query<Row>({
    name: 'create',
    text: `WITH r AS (
        INSERT INTO trellis.articles (organization_id, site_id, id, version, created_at, updated_at, created_by, updated_by,
          allow_comments, category_ids, tag_ids, authors, slug, featured, state, working_version, title, status, locale)
        VALUES ($1, $2, $3, 1, now(), now(), $4, $4, false, '{}', '{}', '[]', $5, false, 'UNPUBLISHED', 1, $6, 'DRAFT', 'en')
        RETURNING *
      ), v AS (
        INSERT INTO trellis.article_versions (organization_id, site_id, article_id, number, created_at, updated_at,
          created_by, updated_by, title, body, body_format, locale, status, word_count)
        VALUES ($1, $2, $3, 1, now(), now(), $4, $4, $6, $7, 'MARKDOWN', 'en', 'DRAFT', 5) RETURNING *
      ), e AS (
        INSERT INTO trellis.search_entries (organization_id, type, parent_id, record_id, created_at, title, folded_title,
          folded_text, title_terms, terms)
        VALUES ($1, 'article', $2, $3, now(), $6, lower($6), lower($6 || E'\\n' || $7), to_tsvector('simple', lower($6)),
          setweight(to_tsvector('simple', lower($6)), 'A') || setweight(to_tsvector('simple', lower($7)), 'D'))
      ) SELECT ${columns} FROM r CROSS JOIN v`,
    values: [organizationId, params.site, newUuid(), userId, `bare-${newUuid()}`, title, text],
  });
  reply.status(201);
  return render(rows[0] ?? {});
});

app.patch<Call>('/v1/sites/:site/articles/:id', async ({ params, body }) => {
  const { title } = body.versionData;
  const { rows } = await pool.query<Row>({
    name: 'patch',
    text: `WITH r AS (
        UPDATE trellis.articles SET version = version + 1, updated_at = now(), updated_by = $4, title = $5
        WHERE organization_id = $1 AND site_id = $2 AND id = $3 RETURNING *
      ), v AS (
        UPDATE trellis.article_versions SET title = $5, updated_at = now(), updated_by = $4
        WHERE organization_id = $1 AND site_id = $2 AND article_id = $3 AND number = (SELECT working_version FROM r)
        RETURNING *
      ), e AS (
        UPDATE trellis.search_entries SET title = $5, folded_title = lower($5),
          folded_text = lower($5 || E'\\n' || coalesce((SELECT summary || E'\\n' || body FROM v), '')),
          title_terms = to_tsvector('simple', lower($5)),
          terms = setweight(to_tsvector('simple', lower($5)), 'A')
            || setweight(to_tsvector('simple', coalesce((SELECT summary FROM v), '')), 'B')
            || setweight(to_tsvector('simple', coalesce((SELECT body FROM v), '')), 'D')
        WHERE organization_id = $1 AND type = 'article' AND record_id = $3
      ) SELECT ${columns} FROM r CROSS JOIN v`,
    values: [organizationId, params.site, params.id, userId, title],
  });
  return render(rows[0] ?? {});
});

await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
reportUsage(address !== null && typeof address === 'object' ? address.port : 0);

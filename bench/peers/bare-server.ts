/**
 * The bare server of the comparison: what a good engineer writes by hand for this one task, with Fastify, node-postgres and
 * a schema of its own (`schema.ts`). Every request is one prepared statement; responses are serialized by compiled code. It has
 * no tokens, no tenants, no rights, no validation, no idempotency, no versions, no events and no search in bodies, unless
 * `BENCH_TABLE` names the table with an index of all texts.
 */

import { newUuid } from '@trellis/schema/values/ids.ts';
import { makeSlug } from '@trellis/schema/values/slug.ts';
import { foldReadable, Lexemes, scopeOf } from '@trellis/server/kernel/pipeline/search/analyzer/lexemes.ts';
import Fastify from 'fastify';
import pg from 'pg';
import { createRows, readdressRows, renameRows } from './rows.ts';

const pool = new pg.Pool({
  connectionString: process.env.BENCH_DATABASE_URL ?? '',
  max: Number(process.env.BENCH_CONNECTIONS),
});
const table = `bare.${process.env.BENCH_TABLE}`;
const hasWords = process.env.BENCH_TABLE === 'searched_articles';
const app = Fastify();

const text = { type: 'string' } as const;
const nullableText = { type: ['string', 'null'] } as const;
const article = {
  type: 'object',
  properties: {
    id: text,
    siteId: text,
    categoryId: nullableText,
    title: text,
    slug: text,
    summary: nullableText,
    body: nullableText,
    status: text,
    version: { type: 'integer' },
    createdAt: text,
    updatedAt: text,
  },
} as const;
const pageInfo = {
  type: 'object',
  properties: { nextCursor: nullableText, hasNextPage: { type: 'boolean' } },
} as const;
const page = {
  type: 'object',
  properties: { items: { type: 'array', items: article }, pageInfo },
} as const;
const one = { schema: { response: { '2xx': article } } };
const many = { schema: { response: { 200: page } } };

/** Instants come as they are printed: making a Date of each only to print it again would be wasted. */
const instant = (column: string) =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "${column.replace('_at', 'At')}"`;
const narrow = `id, site_id AS "siteId", category_id AS "categoryId", title, slug, summary, status, version,
  ${instant('created_at')}, ${instant('updated_at')}`;
const full = `${narrow}, body`;

interface ArticleRow {
  readonly id: string;
  readonly createdAt: string;
}

interface Call {
  readonly Params: { readonly site: string; readonly id: string };
  readonly Querystring: Readonly<{ limit?: string; after?: string; search?: string }>;
  readonly Body: {
    readonly title: string;
    readonly summary?: string;
    readonly body?: string;
    readonly categoryId?: string;
    readonly canonicalUrl?: string;
  };
}

async function run(name: string, sql: string, values: readonly unknown[]): Promise<ArticleRow[]> {
  const { rows } = await pool.query<ArticleRow>({ name, text: sql, values: [...values] });
  return rows;
}

app.get<Call>('/sites/:site/articles/:id', one, async ({ params }, reply) => {
  const sql = `SELECT ${full} FROM ${table} WHERE id = $1 AND site_id = $2`;
  const [row] = await run('get', sql, [params.id, params.site]);
  return row ?? reply.status(404).send();
});

app.get<Call>('/sites/:site/articles', many, async ({ params, query }) => {
  const limit = Number(query.limit ?? 25);
  const values: unknown[] = [params.site];
  const conditions = ['site_id = $1'];
  if (query.search !== undefined) {
    const isPart = `title ILIKE $${values.push(`%${query.search}%`)}`;
    // With OR, PostgreSQL would walk through the list and check each article.
    const isFound = hasWords
      ? `id IN (SELECT id FROM ${table} WHERE site_id = $1 AND ${isPart} UNION
          SELECT id FROM ${table} WHERE site_id = $1 AND words @@ to_tsquery('english', $${values.push(`${query.search}:*`)}))`
      : isPart;
    conditions.push(isFound);
  }
  if (query.after !== undefined) {
    const [createdAt, id] = Buffer.from(query.after, 'base64url').toString().split(' ');
    conditions.push(`(created_at, id) < ($${values.push(createdAt)}, $${values.push(id)})`);
  }
  const where = conditions.join(' AND ');
  // The limit stands in the text: as a parameter it would be planned anew at each call.
  const order = `ORDER BY created_at DESC, id DESC LIMIT ${limit + 1}`;
  const name = `list ${limit} ${conditions.length} ${query.search === undefined}`;
  const rows = await run(name, `SELECT ${narrow} FROM ${table} WHERE ${where} ${order}`, values);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const hasNextPage = rows.length > limit;
  const nextCursor =
    hasNextPage && last !== undefined
      ? Buffer.from(`${last.createdAt} ${last.id}`).toString('base64url')
      : null;
  return { items, pageInfo: { nextCursor, hasNextPage } };
});

app.post<Call>('/sites/:site/articles', one, async ({ params, body, headers }, reply) => {
  const minimal = headers.prefer === 'return=minimal';
  const id = newUuid();
  const [row] = await run(
    `create ${minimal}`,
    `INSERT INTO ${table} (id, site_id, category_id, title, slug, summary, body) VALUES ($1, $2, $3, $4, $5, $6, $7)
     RETURNING ${minimal ? 'id' : full}`,
    [
      id,
      params.site,
      body.categoryId ?? null,
      body.title,
      `${makeSlug(body.title, 100)}-${id.slice(-8)}`,
      body.summary ?? null,
      body.body ?? null,
    ],
  );
  reply.status(201).header('location', `/sites/${params.site}/articles/${id}`);
  return minimal ? reply.send() : row;
});

app.patch<Call>('/sites/:site/articles/:id', one, async ({ params, body, headers }, reply) => {
  const minimal = headers.prefer === 'return=minimal';
  const column = body.canonicalUrl === undefined ? 'title' : 'canonical_url';
  const [row] = await run(
    `patch ${column} ${minimal}`,
    `UPDATE ${table} SET ${column} = $3, version = version + 1, updated_at = now() WHERE id = $1 AND site_id = $2
     RETURNING ${minimal ? 'id' : full}`,
    [params.id, params.site, body.canonicalUrl ?? body.title],
  );
  if (row === undefined) return reply.status(404).send();
  return minimal ? reply.status(204).send() : row;
});

/** The same with the rows of ours, by one statement. */
app.post<Call>('/sites/:site/rows/articles', one, async ({ params, body }, reply) => {
  const { title, summary = '', body: long = '', categoryId } = body;
  const id = newUuid();
  const slug = `${makeSlug(title, 100)}-${id.slice(-8)}`;
  const now = new Date().toISOString();
  const row = {
    id,
    siteId: params.site,
    categoryId,
    title,
    slug,
    summary,
    body: long,
    status: 'DRAFT',
    version: 1,
  };
  const article = { ...row, createdAt: now, updatedAt: now };
  const values = [id, JSON.stringify(article), params.site, categoryId, title, slug, summary, long];
  const found = [shortTerms(params.site, title, summary), longTerms(params.site, long)];
  await run('create rows', createRows, [...values, ...found]);
  return reply.status(201).send(article);
});

app.patch<Call>('/sites/:site/rows/articles/:id', async ({ params, body }) => {
  const article = { id: params.id, siteId: params.site, title: body.title };
  const values = [params.id, JSON.stringify(article), params.site, body.canonicalUrl ?? body.title];
  if (body.title === undefined) await run('readdress rows', readdressRows, values);
  else {
    const summary = await run(
      'read summary',
      `SELECT summary AS id FROM trellis.article_versions WHERE article_id = $1`,
      [params.id],
    );
    await run('rename rows', renameRows, [
      ...values,
      shortTerms(params.site, body.title, summary[0]?.id ?? ''),
    ]);
  }
  return article;
});

function shortTerms(site: string, title: string, summary: string): Buffer {
  const lexemes = new Lexemes(scopeOf(site, site, 'article'));
  lexemes.addWords(foldReadable(title), 'A');
  lexemes.addWords(foldReadable(summary), 'B');
  lexemes.addStems('en');
  lexemes.addGrams(foldReadable(title));
  return lexemes.encode();
}

function longTerms(site: string, body: string): Buffer {
  const lexemes = new Lexemes(scopeOf(site, site, 'article'));
  lexemes.addWords(foldReadable(body), 'D');
  lexemes.addStems('en');
  return lexemes.encode();
}

await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
process.send?.({ port: address !== null && typeof address === 'object' ? address.port : 0 });
process.on('disconnect', () => process.exit());

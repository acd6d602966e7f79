/**
 * A program as a customer would write it against the generated types. It is compiled unchanged, so that a breaking
 * change of the document fails a test, and run, so that the types are checked against the server.
 * `generated` exists in the copy that generate-clients.ts makes of this folder, so the folder is a project of its own.
 *
 *   node openapi-fetch-articles.ts URL TOKEN SITE_ID
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import createClient from 'openapi-fetch';
import type { components, paths } from './generated/openapi-typescript.d.ts';

const [baseUrl = '', token = '', siteId = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
const articles = '/v1/sites/{siteId}/articles';
const article = '/v1/sites/{siteId}/articles/{id}';

// Only required fields are sent: everything else has a default.
const created = await client.POST(articles, {
  params: { path: { siteId }, header: { 'Idempotency-Key': randomUUID() } },
  body: { versionData: { title: 'Written by a generated client' } },
});
assert.ok(created.data, JSON.stringify(created.error));
const { id, version, versionData } = created.data;
// @ts-expect-error a misspelt field does not compile
({ versionData: { title: 'A title', sumary: '' } }) satisfies components['schemas']['ArticleCreate'];
assert.equal(versionData.title, 'Written by a generated client');
assert.equal(versionData.status satisfies components['schemas']['Article']['versionData']['status'], 'DRAFT');
assert.equal(created.response.headers.get('location'), `/v1/sites/${siteId}/articles/${id}`);

const read = await client.GET(article, { params: { path: { siteId, id } } });
assert.equal(read.data?.id, id);
assert.equal(read.data?.versionData?.title, versionData.title);

const patched = await client.PATCH(article, {
  params: {
    path: { siteId, id },
    header: { 'Idempotency-Key': randomUUID(), 'If-Match': `"${version}"` },
  },
  body: { articleData: { allowComments: true }, versionData: { summary: null } },
});
assert.equal(patched.data?.version, version + 1);
assert.equal(patched.data?.articleData.allowComments, true);

const refused = await client.PATCH(article, {
  params: {
    path: { siteId, id },
    header: { 'Idempotency-Key': randomUUID(), 'If-Match': `"${version}"` },
  },
  body: { versionData: { title: 'Too late' } },
});
assert.equal(refused.error?.code, 'version_mismatch');
assert.equal(refused.error?.currentVersion, version + 1);

const ids: string[] = [];
let cursor: string | null | undefined;
do {
  const query = { limit: 1, status: ['DRAFT' as const, 'IN_REVIEW' as const], ...(cursor ? { cursor } : {}) };
  const page = await client.GET(articles, { params: { path: { siteId }, query } });
  assert.ok(page.data, JSON.stringify(page.error));
  ids.push(...page.data.items.map((item) => item.id));
  cursor = page.data.pageInfo.nextCursor;
} while (cursor);
assert.deepEqual(
  ids.filter((found) => found === id),
  [id],
);

const found = await client.GET('/v1/sites/{siteId}/articles/search', {
  params: { path: { siteId }, query: { query: 'generated client' } },
});
const [hit] = found.data?.items ?? [];
assert.ok(hit?.type === 'article');
assert.equal(hit.record?.versionData.title, versionData.title);

const deleted = await client.DELETE(article, {
  params: {
    path: { siteId, id },
    header: { 'Idempotency-Key': randomUUID(), Prefer: 'return=minimal' },
  },
});
assert.equal(deleted.response.status, 204);
assert.equal(deleted.response.headers.get('preference-applied'), 'return=minimal');
const gone = await client.GET(article, { params: { path: { siteId, id } } });
assert.equal(gone.error?.code, 'not_found');

/** Tests of articles: versions, transitions, perspectives, restore, difference, filters. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  type VersionStatus,
  versionStatuses,
  versionTransitions,
} from '@trellis/schema/resources/article-transitions.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import pg from 'pg';
import { createMember, createToken } from '../support/identities.ts';
import { runIndexJobs } from '../support/indexing.ts';
import { type Json, startTestServer, type TestResponse, type TestServer } from '../support/server.ts';

let server: TestServer;
let base: string;
let authorToken: string;
let writeOnlyToken: string;

before(async () => {
  server = await startTestServer();
  const site = await server.call('POST', '/v1/sites', {
    body: { name: 'Blog', key: 'blog', defaultLocale: 'de' },
  });
  base = `/v1/sites/${site.json.id}`;
  const { worker } = server.database;
  const author = await createMember(worker, server.organization, 'AUTHOR');
  authorToken = (await createToken(worker, server.organization, author)).token;
  const scopes = ['articles:read', 'articles:write'];
  writeOnlyToken = (await createToken(worker, server.organization, server.ownerId, { scopes })).token;
});
after(() => server.close());

async function createArticle(body: object = {}): Promise<{ path: string; article: Json }> {
  const given = body as { articleData?: object; versionData?: object };
  const response = await server.call('POST', `${base}/articles`, {
    body: { ...given, versionData: { title: 'A title', body: 'one two three', ...given.versionData } },
  });
  assert.equal(response.status, 201, response.text);
  return { path: `${base}/articles/${response.json.id}`, article: response.json };
}

async function patch(path: string, body: object, token?: string): Promise<TestResponse> {
  return server.call('PATCH', path, { body, ...(token === undefined ? {} : { token }) });
}

async function patched(path: string, versionData: object): Promise<Json> {
  const response = await patch(path, { versionData });
  assert.equal(response.status, 200, response.text);
  return response.json;
}

/** Types of the events of one article, in order of its versions. */
async function eventsOf(path: string): Promise<string[]> {
  const id = decodeId('art', path.split('/').at(-1) ?? '');
  const rows = await server.database.worker.run(
    'SELECT type, subject_id, subject_version FROM trellis.outbox ORDER BY subject_version',
  );
  return rows.filter(([, subject]) => subject === id).map(([type]) => type ?? '');
}

const inOneHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** Brings a fresh article's working version to a status by allowed moves. */
async function articleAt(status: VersionStatus): Promise<string> {
  const { path } = await createArticle();
  const ways: Partial<Record<VersionStatus, object[]>> = {
    IN_REVIEW: [{ status: 'IN_REVIEW' }],
    APPROVED: [{ status: 'IN_REVIEW' }, { status: 'APPROVED' }],
    SCHEDULED: [{ status: 'SCHEDULED', scheduledFor: inOneHour() }],
    PUBLISHED: [{ status: 'PUBLISHED' }],
    UNPUBLISHED: [{ status: 'PUBLISHED' }, { status: 'UNPUBLISHED' }],
    ARCHIVED: [{ status: 'ARCHIVED' }],
  };
  for (const step of ways[status] ?? []) await patched(path, step);
  return path;
}

test('a created article is a draft with the site’s language and a word count, and keeps its body byte for byte', async () => {
  const body = '  leading\r\n\ttabs\u0007 and trailing \n\n';
  const { article, path } = await createArticle({ versionData: { title: '  Ünïcode   title ', body } });
  assert.equal(article.versionData.status, 'DRAFT');
  assert.equal(article.versionData.locale, 'de');
  assert.equal(article.versionData.title, 'Ünïcode   title');
  assert.equal(article.versionData.body, body);
  assert.equal(article.versionData.wordCount, 4);
  assert.equal(article.versionData.versionNumber, 1);
  assert.equal(article.state, 'UNPUBLISHED');
  assert.equal(article.publishedVersionNumber, null);
  assert.equal(article.articleData.slug, 'unicode-title');
  assert.deepEqual(await eventsOf(path), ['article.created']);
  for (const status of versionStatuses.filter((candidate) => candidate !== 'DRAFT')) {
    const refused = await server.call('POST', `${base}/articles`, {
      body: { versionData: { title: 'x', status } },
    });
    assert.equal(refused.status, 422, `${status}: ${refused.text}`);
  }
});

test('every transition of the table is allowed, and any other is refused with the allowed ones', async () => {
  for (const from of versionStatuses) {
    if (from === 'SUPERSEDED') continue; // never the working version, so a PATCH cannot meet it
    for (const to of versionStatuses) {
      const path = await articleAt(from);
      const before = await server.call('GET', path);
      const move =
        to === 'SCHEDULED'
          ? { status: to, scheduledFor: before.json.versionData.scheduledFor ?? inOneHour() }
          : { status: to };
      const response = await patch(path, { versionData: move });
      const label: string = `${from} to ${to}: ${response.text}`;
      if (from === to) {
        assert.equal(response.status, 200, label);
        assert.equal(response.json.version, before.json.version, label);
      } else if (to in versionTransitions[from]) {
        assert.equal(response.status, 200, label);
        assert.equal(response.json.versionData.status, to, label);
      } else if (to === 'SCHEDULED' && from !== 'IN_REVIEW') {
        // The date is an edit: a frozen version opens the next draft, which may be scheduled.
        assert.equal(response.status, 200, label);
      } else {
        assert.equal(response.status, 409, label);
        assert.equal(response.json.code, 'invalid_transition', label);
        assert.deepEqual(response.json.allowed, Object.keys(versionTransitions[from]), label);
        assert.deepEqual((await server.call('GET', path)).json, before.json, label);
      }
    }
  }
});

test('transitions that require articles:publish are refused without the scope and without the role', async () => {
  for (const from of versionStatuses) {
    if (from === 'SUPERSEDED') continue;
    for (const [to, need] of Object.entries(versionTransitions[from])) {
      const path = await articleAt(from);
      const response = await patch(
        path,
        { versionData: { status: to, ...(to === 'SCHEDULED' ? { scheduledFor: inOneHour() } : {}) } },
        writeOnlyToken,
      );
      assert.equal(response.status, need === 'publish' ? 403 : 200, `${from} to ${to}: ${response.text}`);
      if (need === 'publish') assert.equal(response.json.code, 'insufficient_scope');
    }
  }
  const own = await server.call('POST', `${base}/articles`, {
    token: authorToken,
    body: { versionData: { title: 'Mine' } },
  });
  const denied = await patch(
    `${base}/articles/${own.json.id}`,
    { versionData: { status: 'PUBLISHED' } },
    authorToken,
  );
  assert.equal(denied.json.code, 'permission_denied');
  const { path } = await createArticle();
  assert.equal(
    (await patch(path, { versionData: { title: 'Theirs' } }, authorToken)).json.code,
    'permission_denied',
  );
  assert.equal((await server.call('DELETE', path, { token: authorToken })).json.code, 'permission_denied');
});

test('publishing appends article.published but not article.updated, and a published version never changes', async () => {
  const { path } = await createArticle();
  const published = await patched(path, { status: 'PUBLISHED' });
  assert.equal(published.state, 'PUBLISHED');
  assert.equal(published.publishedVersionNumber, 1);
  assert.notEqual(published.versionData.publishedAt, null);
  const edited = await patched(path, { title: 'A better title' });
  assert.equal(edited.state, 'CHANGED');
  assert.equal(edited.versionData.versionNumber, 2);
  assert.equal(edited.versionData.status, 'DRAFT');
  assert.equal(edited.versionData.body, 'one two three');
  assert.equal(edited.versionData.publishedAt, null);
  const seen = await server.call('GET', `${path}?perspective=published`);
  assert.equal(seen.json.versionData.title, 'A title');
  assert.deepEqual(seen.json.versionData, published.versionData);
  const again = await patched(path, { status: 'PUBLISHED' });
  assert.equal(again.publishedVersionNumber, 2);
  const versions = await server.call('GET', `${path}/versions`);
  assert.deepEqual(
    versions.json.items.map((item: Json) => item.versionData.status),
    ['PUBLISHED', 'SUPERSEDED'],
  );
  assert.deepEqual(await eventsOf(path), [
    'article.created',
    'article.published',
    'article.updated',
    'article.published',
  ]);
});

test('a patch of articleData alone opens no version', async () => {
  const path = await articleAt('PUBLISHED');
  const response = await patch(path, { articleData: { featured: true } });
  assert.equal(response.json.versionData.versionNumber, 1);
  assert.equal(response.json.state, 'PUBLISHED');
  assert.equal(response.json.articleData.featured, true);
});

test('a published article can be taken down while a newer draft exists', async () => {
  const path = await articleAt('PUBLISHED');
  await patched(path, { title: 'Next' });
  const down = await patched(path, { status: 'UNPUBLISHED' });
  assert.equal(down.publishedVersionNumber, null);
  assert.equal(down.state, 'UNPUBLISHED');
  assert.equal(down.versionData.status, 'DRAFT');
  assert.equal(down.versionData.title, 'Next');
  const first = await server.call('GET', `${path}/versions/1`);
  assert.equal(first.json.versionData.status, 'UNPUBLISHED');
  assert.equal((await server.call('GET', `${path}?perspective=published`)).status, 404);
  assert.equal((await eventsOf(path)).at(-1), 'article.unpublished');
});

test('scheduling needs a date ahead, and any other edit takes the version back to DRAFT', async () => {
  const { path } = await createArticle();
  const refused = await patch(path, { versionData: { status: 'SCHEDULED' } });
  assert.equal(refused.status, 422, refused.text);
  assert.equal(refused.json.errors[0].pointer, '/versionData/scheduledFor');
  for (const scheduledFor of [
    '2020-01-01T00:00:00Z',
    new Date(Date.now() + 6 * 366 * 86_400_000).toISOString(),
    'tomorrow',
  ]) {
    assert.equal(
      (await patch(path, { versionData: { status: 'SCHEDULED', scheduledFor } })).status,
      422,
      scheduledFor,
    );
  }
  const scheduled = await patched(path, { status: 'SCHEDULED', scheduledFor: inOneHour() });
  assert.equal(scheduled.versionData.status, 'SCHEDULED');
  const edited = await patched(path, { summary: 'Changed' });
  assert.equal(edited.versionData.status, 'DRAFT');
  assert.deepEqual(await eventsOf(path), ['article.created', 'article.scheduled', 'article.updated']);
});

test('editing an approved version requires the right to approve', async () => {
  const path = await articleAt('APPROVED');
  assert.equal((await patch(path, { versionData: { title: 'Sneaked in' } }, writeOnlyToken)).status, 403);
  assert.equal((await patched(path, { title: 'By an editor' })).versionData.status, 'APPROVED');
});

test('restore copies an old version into a new draft and never publishes', async () => {
  const path = await articleAt('PUBLISHED');
  await patched(path, { title: 'Second', body: 'changed body' });
  await patched(path, { status: 'PUBLISHED' });
  const restored = await server.call('POST', `${path}/versions/1/restore`, {});
  assert.equal(restored.status, 200, restored.text);
  assert.equal(restored.json.versionData.versionNumber, 3);
  assert.equal(restored.json.versionData.status, 'DRAFT');
  assert.equal(restored.json.versionData.title, 'A title');
  assert.equal(restored.json.publishedVersionNumber, 2);
  assert.equal(restored.json.state, 'CHANGED');
  assert.equal((await server.call('POST', `${path}/versions/99/restore`, {})).status, 404);
  assert.equal((await server.call('POST', `${path}/versions/0/restore`, {})).status, 404);
  assert.equal((await eventsOf(path)).at(-1), 'article.updated');
});

test('the difference lists fields, and the body by line hunks', async () => {
  const { path } = await createArticle({ versionData: { body: 'a\nb\nc\n' } });
  await patched(path, { status: 'PUBLISHED' });
  await patched(path, { title: 'Other', body: 'a\nB\nc\n' });
  const diff = await server.call('GET', `${path}/versions/2/diff?against=1`);
  assert.equal(diff.status, 200, diff.text);
  const title = diff.json.fields.find((item: Json) => item.field === 'versionData.title');
  assert.deepEqual(title, { field: 'versionData.title', before: 'A title', after: 'Other' });
  assert.deepEqual(diff.json.body[0].lines, [' a', '-b', '+B', ' c', ' ']);
  assert.equal((await server.call('GET', `${path}/versions/2/diff`)).status, 400);
  assert.equal((await server.call('GET', `${path}/versions/2/diff?against=7`)).status, 404);
});

test('versions are listed newest first, by cursor', async () => {
  const { path } = await createArticle();
  for (let count = 0; count < 4; count += 1) {
    await patched(path, { status: 'PUBLISHED' });
    await patched(path, { title: `Round ${count}` });
  }
  const numbers: number[] = [];
  let cursor: string | null = null;
  do {
    const page: TestResponse = await server.call(
      'GET',
      `${path}/versions?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`,
    );
    assert.equal(page.status, 200, page.text);
    numbers.push(...page.json.items.map((item: Json) => item.versionNumber));
    cursor = page.json.pageInfo.nextCursor;
  } while (cursor !== null);
  assert.deepEqual(numbers, [5, 4, 3, 2, 1]);
});

test('rules across fields are checked on the resulting record', async () => {
  const category = await server.call('POST', `${base}/categories`, { body: { name: 'News' } });
  const other = await server.call('POST', `${base}/categories`, { body: { name: 'Other' } });
  const { path } = await createArticle({
    articleData: { categoryIds: [category.json.id, other.json.id], primaryCategoryId: category.json.id },
  });
  const refused = await patch(path, { articleData: { categoryIds: [other.json.id] } });
  assert.equal(refused.status, 422, refused.text);
  assert.equal(refused.json.errors[0].pointer, '/articleData/primaryCategoryId');
  const both = await patch(path, {
    articleData: { categoryIds: [other.json.id], primaryCategoryId: other.json.id },
  });
  assert.deepEqual(both.json.articleData.categoryIds, [other.json.id]);
  assert.equal((await server.call('DELETE', `${base}/categories/${category.json.id}`)).status, 204);
  const used = await server.call('DELETE', `${base}/categories/${other.json.id}`);
  assert.equal(used.json.code, 'in_use');
  assert.deepEqual(used.json.usedBy, [{ resource: 'articles', count: 1 }]);
  const cover = await patch(path, { versionData: { coverFileId: 'kf_01h455vb4pex5vsknk084sn02q' } });
  assert.equal(cover.json.code, 'reference_not_found');
});

test('seo merges member by member, null clears it', async () => {
  const { path, article } = await createArticle({ versionData: { seo: { title: 'T' } } });
  assert.deepEqual(article.versionData.seo, { title: 'T', description: null, noIndex: false });
  const merged = await patched(path, { seo: { description: 'D' } });
  assert.deepEqual(merged.versionData.seo, { title: 'T', description: 'D', noIndex: false });
  assert.deepEqual((await patched(path, { seo: { title: null } })).versionData.seo, {
    title: null,
    description: 'D',
    noIndex: false,
  });
  assert.equal((await patched(path, { seo: null })).versionData.seo, null);
});

test('filters and perspectives of the list', async () => {
  const site = await server.call('POST', '/v1/sites', { body: { name: 'Filters', key: 'filters' } });
  const articles = `/v1/sites/${site.json.id}/articles`;
  const tag = await server.call('POST', `/v1/sites/${site.json.id}/tags`, { body: { name: 'Rust' } });
  const make = async (body: object) => (await server.call('POST', articles, { body })).json.id as string;
  const first = await make({
    versionData: { title: 'First', locale: 'fr' },
    articleData: { tagIds: [tag.json.id] },
  });
  const second = await make({
    versionData: { title: 'Second', body: 'Straße' },
    articleData: { featured: true },
  });
  await patched(`${articles}/${second}`, { status: 'PUBLISHED' });
  await patched(`${articles}/${second}`, { title: 'Zweite' });
  await runIndexJobs(server.database);
  const ids = async (query: string) => {
    const response = await server.call('GET', `${articles}?${query}`);
    assert.equal(response.status, 200, `${query}: ${response.text}`);
    return response.json.items.map((item: Json) => item.id);
  };
  assert.deepEqual(await ids('locale=fr'), [first]);
  assert.deepEqual(await ids(`tagId=${tag.json.id}`), [first]);
  assert.deepEqual(await ids('featured=true'), [second]);
  assert.deepEqual(await ids('state=CHANGED'), [second]);
  assert.deepEqual(await ids('status=DRAFT&sort=title'), [first, second]);
  assert.deepEqual(await ids('search=STRASSE'), [second]);
  assert.deepEqual(await ids('search=zweit&state=UNPUBLISHED'), []);
  assert.deepEqual(await ids('updatedSince=2999-01-01T00:00:00Z'), []);
  assert.deepEqual(await ids('tagId=tag_01h455vb4pex5vsknk084sn02q'), []);
  const published = await server.call('GET', `${articles}?perspective=published`);
  assert.deepEqual(
    published.json.items.map((item: Json) => item.versionData.title),
    ['Second'],
  );
});

test('the database itself refuses a second published and a second working version', async () => {
  const path = await articleAt('PUBLISHED');
  await patched(path, { title: 'Draft beside it' });
  const articleId = decodeId('art', path.split('/').at(-1) ?? '');
  const client = new pg.Client({ connectionString: server.database.adminUrl });
  await client.connect();
  try {
    for (const status of ['PUBLISHED', 'DRAFT', 'IN_REVIEW', 'APPROVED']) {
      await assert.rejects(
        client.query(
          `INSERT INTO trellis.article_versions (organization_id, site_id, article_id, number, created_at, updated_at, title,
             body_format, locale, status, word_count)
           SELECT organization_id, site_id, article_id, 99, now(), now(), 'x', 'HTML', 'en', $1, 0
           FROM trellis.article_versions WHERE article_id = $2 AND number = 2`,
          [status, articleId],
        ),
        { code: '23505' },
      );
    }
  } finally {
    await client.end();
  }
});

test('concurrent patches of one article are all applied, one after the other', async () => {
  const path = await articleAt('PUBLISHED');
  const patches = Array.from({ length: 30 }, (_, index) =>
    index % 3 === 0
      ? { articleData: { authors: [{ name: `Author ${index}` }] } }
      : { versionData: index % 3 === 1 ? { title: `Title ${index}` } : { summary: `Summary ${index}` } },
  );
  const answers = await Promise.all(patches.map((body) => patch(path, body)));
  const records = answers.map(({ status, json, text }) => {
    assert.equal(status, 200, text);
    return json;
  });
  records.sort((left: Json, right: Json) => left.version - right.version);
  assert.deepEqual(
    records.map(({ version }: Json) => version),
    Array.from({ length: 30 }, (_, index) => index + 3),
  );
  for (let index = 1; index < records.length; index += 1) {
    const changed = ['articleData', 'versionData'].flatMap((group) =>
      Object.keys(records[index][group])
        .filter((name) => name !== 'versionNumber' && name !== 'status' && name !== 'publishedAt')
        .filter(
          (name) =>
            JSON.stringify(records[index][group][name]) !== JSON.stringify(records[index - 1][group][name]),
        ),
    );
    assert.equal(changed.length, 1, `version ${records[index].version} changed ${changed.join(', ')}`);
  }
  assert.deepEqual((await server.call('GET', path)).json, records.at(-1));
});

test('restore refuses a version whose cover the caller may not refer to, as a PATCH does', async () => {
  const { worker } = server.database;
  const editorId = await createMember(worker, server.organization, 'EDITOR');
  const { token: editor } = await createToken(worker, server.organization, editorId);
  const file = await server.call('POST', '/v1/knowledge-files', {
    body: { name: 'Private', visibility: 'PRIVATE' },
  });
  const coverFileId = file.json.id;
  const { path } = await createArticle({ versionData: { coverFileId } });
  await patched(path, { status: 'PUBLISHED' });
  const restore = (number: number, token = server.token) =>
    server.call('POST', `${path}/versions/${number}/restore`, { token });
  // The working version has this cover already: nothing new is referred to.
  assert.equal((await restore(1, editor)).json.versionData.coverFileId, coverFileId);
  await patched(path, { coverFileId: null });
  const refusals = [await patch(path, { versionData: { coverFileId } }, editor), await restore(1, editor)];
  for (const refused of refusals) {
    assert.equal(refused.status, 422, refused.text);
    assert.equal(refused.json.code, 'reference_not_found');
    assert.deepEqual(
      refused.json.errors.map(({ pointer }: Json) => pointer),
      ['/versionData/coverFileId'],
    );
  }
  assert.equal((await server.call('GET', path)).json.versionData.coverFileId, null);
  assert.equal((await restore(1)).json.versionData.coverFileId, coverFileId);
});

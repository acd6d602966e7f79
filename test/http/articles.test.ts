/** Tests of articles: creation, transitions, publication, rules across fields, and lists. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { versionStatuses, versionTransitions } from '@trellis/schema/resources/article-transitions.ts';
import { inOneHour, TestArticles } from '../support/articles.ts';
import { createMember, createToken } from '../support/identities.ts';
import { runIndexJobs } from '../support/indexing.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let articles: TestArticles;
let authorToken: string;
let writeOnlyToken: string;

before(async () => {
  server = await startTestServer();
  articles = await TestArticles.inNewSite(server, 'blog');
  const { worker } = server.database;
  const author = await createMember(worker, server.organization, 'AUTHOR');
  authorToken = (await createToken(worker, server.organization, author)).token;
  const scopes = ['articles:read', 'articles:write'];
  writeOnlyToken = (await createToken(worker, server.organization, server.ownerId, { scopes })).token;
});
after(() => server.close());

test('a created article is a draft with the site’s language and a word count, and keeps its body byte for byte', async () => {
  const body = '  leading\r\n\ttabs\u0007 and trailing \n\n';
  const { article, path } = await articles.create({ versionData: { title: '  Ünïcode   title ', body } });
  assert.equal(article.versionData.status, 'DRAFT');
  assert.equal(article.versionData.locale, 'de');
  assert.equal(article.versionData.title, 'Ünïcode   title');
  assert.equal(article.versionData.body, body);
  assert.equal(article.versionData.wordCount, 4);
  assert.equal(article.versionData.versionNumber, 1);
  assert.equal(article.state, 'UNPUBLISHED');
  assert.equal(article.publishedVersionNumber, null);
  assert.equal(article.articleData.slug, 'uenicode-title');
  assert.deepEqual(await articles.eventsOf(path), ['article.created']);
  for (const status of versionStatuses.filter((candidate) => candidate !== 'DRAFT')) {
    const refused = await server.call('POST', articles.path, {
      body: { versionData: { title: 'x', status } },
    });
    assert.equal(refused.status, 422, `${status}: ${refused.text}`);
  }
});

test('every transition of the table is allowed, and any other is refused with the allowed ones', async () => {
  for (const from of versionStatuses) {
    if (from === 'SUPERSEDED') continue; // never the working version, so a PATCH cannot meet it
    for (const to of versionStatuses) {
      const path = await articles.createWithStatus(from);
      const before = await server.call('GET', path);
      const move =
        to === 'SCHEDULED'
          ? { status: to, scheduledFor: before.json.versionData.scheduledFor ?? inOneHour() }
          : { status: to };
      const response = await articles.patch(path, { versionData: move });
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
      const path = await articles.createWithStatus(from);
      const response = await articles.patch(
        path,
        { versionData: { status: to, ...(to === 'SCHEDULED' ? { scheduledFor: inOneHour() } : {}) } },
        writeOnlyToken,
      );
      assert.equal(response.status, need === 'publish' ? 403 : 200, `${from} to ${to}: ${response.text}`);
      if (need === 'publish') assert.equal(response.json.code, 'insufficient_scope');
    }
  }
  const own = await server.call('POST', articles.path, {
    token: authorToken,
    body: { versionData: { title: 'Mine' } },
  });
  const denied = await articles.patch(
    `${articles.path}/${own.json.id}`,
    { versionData: { status: 'PUBLISHED' } },
    authorToken,
  );
  assert.equal(denied.json.code, 'permission_denied');
  const { path } = await articles.create();
  assert.equal(
    (await articles.patch(path, { versionData: { title: 'Theirs' } }, authorToken)).json.code,
    'permission_denied',
  );
  assert.equal((await server.call('DELETE', path, { token: authorToken })).json.code, 'permission_denied');
});

test('publishing appends article.published but not article.updated, and a published version never changes', async () => {
  const { path } = await articles.create();
  const published = await articles.change(path, { status: 'PUBLISHED' });
  assert.equal(published.state, 'PUBLISHED');
  assert.equal(published.publishedVersionNumber, 1);
  assert.notEqual(published.versionData.publishedAt, null);
  const edited = await articles.change(path, { title: 'A better title' });
  assert.equal(edited.state, 'CHANGED');
  assert.equal(edited.versionData.versionNumber, 2);
  assert.equal(edited.versionData.status, 'DRAFT');
  assert.equal(edited.versionData.body, 'one two three');
  assert.equal(edited.versionData.publishedAt, null);
  const seen = await server.call('GET', `${path}?perspective=published`);
  assert.equal(seen.json.versionData.title, 'A title');
  assert.deepEqual(seen.json.versionData, published.versionData);
  const again = await articles.change(path, { status: 'PUBLISHED' });
  assert.equal(again.publishedVersionNumber, 2);
  const versions = await server.call('GET', `${path}/versions`);
  assert.deepEqual(
    versions.json.items.map((item: Json) => item.versionData.status),
    ['PUBLISHED', 'SUPERSEDED'],
  );
  assert.deepEqual(await articles.eventsOf(path), [
    'article.created',
    'article.published',
    'article.updated',
    'article.published',
  ]);
});

test('a patch of articleData alone opens no version', async () => {
  const path = await articles.createWithStatus('PUBLISHED');
  const response = await articles.patch(path, { articleData: { featured: true } });
  assert.equal(response.json.versionData.versionNumber, 1);
  assert.equal(response.json.state, 'PUBLISHED');
  assert.equal(response.json.articleData.featured, true);
});

test('a published article can be taken down while a newer draft exists', async () => {
  const path = await articles.createWithStatus('PUBLISHED');
  await articles.change(path, { title: 'Next' });
  const down = await articles.change(path, { status: 'UNPUBLISHED' });
  assert.equal(down.publishedVersionNumber, null);
  assert.equal(down.state, 'UNPUBLISHED');
  assert.equal(down.versionData.status, 'DRAFT');
  assert.equal(down.versionData.title, 'Next');
  const first = await server.call('GET', `${path}/versions/1`);
  assert.equal(first.json.versionData.status, 'UNPUBLISHED');
  assert.equal((await server.call('GET', `${path}?perspective=published`)).status, 404);
  assert.equal((await articles.eventsOf(path)).at(-1), 'article.unpublished');
});

test('scheduling needs a date ahead, and any other edit takes the version back to DRAFT', async () => {
  const { path } = await articles.create();
  const refused = await articles.patch(path, { versionData: { status: 'SCHEDULED' } });
  assert.equal(refused.status, 422, refused.text);
  assert.equal(refused.json.errors[0].pointer, '/versionData/scheduledFor');
  for (const scheduledFor of [
    '2020-01-01T00:00:00Z',
    new Date(Date.now() + 6 * 366 * 86_400_000).toISOString(),
    'tomorrow',
  ]) {
    assert.equal(
      (await articles.patch(path, { versionData: { status: 'SCHEDULED', scheduledFor } })).status,
      422,
      scheduledFor,
    );
  }
  const scheduled = await articles.change(path, { status: 'SCHEDULED', scheduledFor: inOneHour() });
  assert.equal(scheduled.versionData.status, 'SCHEDULED');
  const edited = await articles.change(path, { summary: 'Changed' });
  assert.equal(edited.versionData.status, 'DRAFT');
  assert.deepEqual(await articles.eventsOf(path), [
    'article.created',
    'article.scheduled',
    'article.updated',
  ]);
});

test('editing an approved version requires the right to approve', async () => {
  const path = await articles.createWithStatus('APPROVED');
  assert.equal(
    (await articles.patch(path, { versionData: { title: 'Sneaked in' } }, writeOnlyToken)).status,
    403,
  );
  assert.equal((await articles.change(path, { title: 'By an editor' })).versionData.status, 'APPROVED');
});

test('rules across fields are checked on the resulting record', async () => {
  const category = await server.call('POST', `${articles.sitePath}/categories`, { body: { name: 'News' } });
  const other = await server.call('POST', `${articles.sitePath}/categories`, { body: { name: 'Other' } });
  const { path } = await articles.create({
    articleData: { categoryIds: [category.json.id, other.json.id], primaryCategoryId: category.json.id },
  });
  const refused = await articles.patch(path, { articleData: { categoryIds: [other.json.id] } });
  assert.equal(refused.status, 422, refused.text);
  assert.equal(refused.json.errors[0].pointer, '/articleData/primaryCategoryId');
  const both = await articles.patch(path, {
    articleData: { categoryIds: [other.json.id], primaryCategoryId: other.json.id },
  });
  assert.deepEqual(both.json.articleData.categoryIds, [other.json.id]);
  assert.equal(
    (await server.call('DELETE', `${articles.sitePath}/categories/${category.json.id}`)).status,
    204,
  );
  const used = await server.call('DELETE', `${articles.sitePath}/categories/${other.json.id}`);
  assert.equal(used.json.code, 'in_use');
  assert.deepEqual(used.json.usedBy, [{ resource: 'articles', count: 1 }]);
  const { title } = both.json.versionData;
  const uses = [{ type: 'article', id: both.json.id, path, title, published: false }];
  assert.deepEqual(used.json.uses, uses);
  // Who may not read the articles learns how many there are, and not which.
  const scopes = ['sites:read', 'sites:write'];
  const blind = await createToken(server.database.worker, server.organization, server.ownerId, { scopes });
  const counted = await server.call('DELETE', `${articles.sitePath}/categories/${other.json.id}`, {
    token: blind.token,
  });
  assert.deepEqual([counted.json.usedBy, counted.json.uses], [used.json.usedBy, undefined]);
  const cover = await articles.patch(path, { versionData: { coverFileId: 'kf_01h455vb4pex5vsknk084sn02q' } });
  assert.equal(cover.json.code, 'reference_not_found');
});

test('seo merges member by member, null clears it', async () => {
  const { path, article } = await articles.create({ versionData: { seo: { title: 'T' } } });
  assert.deepEqual(article.versionData.seo, { title: 'T', description: null, noIndex: false });
  const merged = await articles.change(path, { seo: { description: 'D' } });
  assert.deepEqual(merged.versionData.seo, { title: 'T', description: 'D', noIndex: false });
  assert.deepEqual((await articles.change(path, { seo: { title: null } })).versionData.seo, {
    title: null,
    description: 'D',
    noIndex: false,
  });
  assert.equal((await articles.change(path, { seo: null })).versionData.seo, null);
});

test('filters and perspectives of the list', async () => {
  const site = await server.call('POST', '/v1/sites', { body: { name: 'Filters', key: 'filters' } });
  const path = `/v1/sites/${site.json.id}/articles`;
  const tag = await server.call('POST', `/v1/sites/${site.json.id}/tags`, { body: { name: 'Rust' } });
  const make = async (body: object) => (await server.call('POST', path, { body })).json.id as string;
  const first = await make({
    versionData: { title: 'First', locale: 'fr' },
    articleData: { tagIds: [tag.json.id] },
  });
  const second = await make({
    versionData: { title: 'Second', body: 'Straße' },
    articleData: { featured: true },
  });
  await articles.change(`${path}/${second}`, { status: 'PUBLISHED' });
  await articles.change(`${path}/${second}`, { title: 'Zweite' });
  await runIndexJobs(server.database);
  const ids = async (query: string) => {
    const response = await server.call('GET', `${path}?${query}`);
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
  const published = await server.call('GET', `${path}?perspective=published`);
  assert.deepEqual(
    published.json.items.map((item: Json) => item.versionData.title),
    ['Second'],
  );
});

test('concurrent patches of one article are all applied, one after the other', async () => {
  const path = await articles.createWithStatus('PUBLISHED');
  const patches = Array.from({ length: 30 }, (_, index) =>
    index % 3 === 0
      ? { articleData: { authors: [{ name: `Author ${index}` }] } }
      : { versionData: index % 3 === 1 ? { title: `Title ${index}` } : { summary: `Summary ${index}` } },
  );
  const responses = await Promise.all(patches.map((body) => articles.patch(path, body)));
  const records = responses.map(({ status, json, text }) => {
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

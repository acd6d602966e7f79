/** Tests of the trash: what is deleted can be restored for a while, by whoever could delete it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { sweepObjects } from '@trellis/server/features/knowledge/object-sweep.ts';
import { pino } from 'pino';
import { inOneHour, TestArticles } from '../support/articles.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { assertNoOrphans } from '../support/orphans.ts';
import { type Json, startTestServer } from '../support/server.ts';
import { TenantTables } from '../support/tenant-tables.ts';
import { idsOf, TestTrash, trash } from '../support/trash.ts';
import { create, expectRefusal, succeed, typesOf, write } from '../support/writes.ts';

const day = 86_400_000;
const server = await startTestServer();
const tables = await TenantTables.open(server.database);
after(async () => {
  await assertNoOrphans(server.database.adminUrl);
  await tables.close();
  await server.close();
});
const { list: listTrash, read, restore, restored, tokenOf } = new TestTrash(server);

/** Members of a record that a restoration changes. */
function content({ version: _version, updatedAt: _at, updatedBy: _by, ...rest }: Json): Json {
  return rest;
}

test('a deleted record is gone everywhere, stands in the trash, and is restored with its id', async () => {
  const book = await create(server, '/v1/books', {
    title: 'Walden',
    isbn13: '9780691096124',
    externalId: 'w-1',
  });
  const path = `/v1/books/${book.id}`;
  const deleted = await succeed(server, 'DELETE', path);
  assert.deepEqual(typesOf(deleted), ['book.deleted']);
  for (const attempt of [
    read(path),
    write(server, 'PATCH', path, { body: { title: 'x' } }),
    write(server, 'DELETE', path),
  ])
    assert.equal((await attempt).status, 404);
  assert.deepEqual((await read('/v1/books?search=Walden')).json.items, []);
  assert.deepEqual((await read('/v1/books/search?query=Walden')).json.items, []);
  const [entry] = await listTrash('&resource=books');
  const { deletedAt, purgeAt, url, ...rest } = entry;
  assert.deepEqual(rest, {
    id: book.id,
    resource: 'books',
    title: 'Walden',
    parentId: null,
    deletedBy: book.createdBy,
  });
  assert.equal(new URL(url).pathname, path);
  assert.equal(Date.parse(purgeAt) - Date.parse(deletedAt), 30 * day);

  const response = await restore(book.id);
  assert.equal(response.status, 200, response.text);
  assert.equal(response.headers.get('location'), path);
  assert.deepEqual(typesOf(response), ['book.restored']);
  assert.equal(response.events[0]?.version, 3);
  assert.ok(
    response.events[0]?.changedFields.includes('isbn13'),
    'every field is new again, as of a creation',
  );
  assert.deepEqual(content(response.json), content(book));
  assert.equal(response.json.version, 3);
  assert.ok(response.json.updatedAt > book.updatedAt);
  assert.deepEqual((await read(path)).json, response.json);
  assert.deepEqual(idsOf((await read('/v1/books/search?query=Walden')).json.items), [book.id]);
  assert.deepEqual(idsOf((await read('/v1/books?isbn13=9780691096124')).json.items), [book.id]);
  assert.deepEqual(await listTrash('&resource=books'), []);
  assert.equal((await restore(book.id)).status, 404);
});

test('a restoration is carried out once, and its response is replayed', async () => {
  const { id } = await create(server, '/v1/books', { title: 'Once' });
  await succeed(server, 'DELETE', `/v1/books/${id}`);
  const key = randomUUID();
  const first = await restore(id, { key });
  const again = await restore(id, { key });
  assert.equal(again.status, 200, again.text);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(again.json, first.json);
  assert.deepEqual(again.events, []);
  await succeed(server, 'DELETE', `/v1/books/${id}`);
  assert.equal(
    (await restore(id, { key })).status,
    404,
    'a replay does not show a record that is deleted again',
  );
  const fresh = await restore(id);
  assert.equal(fresh.json.version, 5);
  const updated = await succeed(server, 'PATCH', `/v1/books/${id}`, { title: 'Twice' });
  assert.equal((await restore(id, { key })).text, first.text, 'the record as it was');
  assert.equal(updated.json.version, 6);
});

test('a value that another record has by now is in the way of a restoration', async () => {
  const first = await create(server, '/v1/books', { title: 'First', isbn13: '9780140449136' });
  await succeed(server, 'DELETE', `/v1/books/${first.id}`);
  const second = await create(server, '/v1/books', { title: 'Second', isbn13: '9780140449136' });
  const refused = await restore(first.id);
  expectRefusal(refused, 409, 'conflict', ['/isbn13']);
  assert.equal(refused.json.existingId, second.id);
  assert.deepEqual(idsOf(await listTrash('&resource=books')), [first.id]);
  await succeed(server, 'PATCH', `/v1/books/${second.id}`, { isbn13: null });
  assert.equal((await restored(first.id)).isbn13, '9780140449136');

  const contact = await create(server, '/v1/crm/contacts', {
    lastName: 'Ada',
    emails: [{ address: 'ada@example.com' }],
  });
  await succeed(server, 'DELETE', `/v1/crm/contacts/${contact.id}`);
  await create(server, '/v1/crm/contacts', { lastName: 'Other', emails: [{ address: 'ADA@example.com' }] });
  expectRefusal(await restore(contact.id), 409, 'conflict', ['/emails/0/address']);
});

test('what a record refers to is restored before it', async () => {
  const articles = await TestArticles.inNewSite(server, 'gone');
  const siteId = articles.sitePath.split('/').at(-1) ?? '';
  const category = await create(server, `${articles.sitePath}/categories`, { name: 'News' });
  const { article, path } = await articles.create({ articleData: { categoryIds: [category.id] } });
  await succeed(server, 'DELETE', path);
  await succeed(server, 'DELETE', `${articles.sitePath}/categories/${category.id}`);
  await succeed(server, 'DELETE', articles.sitePath);
  const refused = await restore(article.id);
  expectRefusal(refused, 409, 'reference_gone', ['/siteId', '/articleData/categoryIds/0']);
  assert.match(refused.json.detail, new RegExp(`${siteId} is in the trash. Restore it first`));
  expectRefusal(await restore(category.id), 409, 'reference_gone', ['/siteId']);
  await restored(siteId);
  const blocked = await restore(article.id);
  expectRefusal(blocked, 409, 'reference_gone', ['/articleData/categoryIds/0']);
  assert.match(blocked.json.detail, /is in the trash. Restore it first/);
  // What cannot be restored any more is in nobody's way.
  await succeed(server, 'DELETE', `${trash}/${category.id}`);
  assert.deepEqual((await restored(article.id)).articleData.categoryIds, []);

  await succeed(server, 'DELETE', path);
  await succeed(server, 'DELETE', articles.sitePath);
  await succeed(server, 'DELETE', `${trash}/${siteId}`);
  const orphan = await restore(article.id);
  expectRefusal(orphan, 409, 'reference_gone', ['/siteId']);
  assert.match(orphan.json.detail, /no longer exists/);
});

test('a cover in the trash is in the way of an article, and one that is purged is cleared in all versions', async () => {
  const articles = await TestArticles.inNewSite(server, 'covers');
  const cover = await create(server, '/v1/knowledge-files', { name: 'Cover' });
  const { path, article } = await articles.create({ versionData: { coverFileId: cover.id } });
  await articles.change(path, { status: 'PUBLISHED' });
  await articles.change(path, { title: 'A draft without it', coverFileId: null });
  await succeed(server, 'DELETE', path);
  await succeed(server, 'DELETE', `/v1/knowledge-files/${cover.id}`);
  expectRefusal(await restore(article.id), 409, 'reference_gone', ['/versionData/coverFileId']);
  await succeed(server, 'DELETE', `${trash}/${cover.id}`);
  assert.equal((await restored(article.id)).state, 'CHANGED');
  const published = await read(`${path}?perspective=published`);
  assert.equal(published.json.versionData.coverFileId, null);
});

test('an article comes back with all its versions, published only for whoever may publish', async () => {
  const articles = await TestArticles.inNewSite(server, 'versions');
  const editor = await tokenOf('EDITOR');
  const author = await tokenOf('AUTHOR');
  const { path, article } = await articles.create({ versionData: { body: 'the first marmot' } });
  await articles.change(path, { status: 'PUBLISHED' });
  await articles.change(path, { title: 'Second', body: 'the second marmot' });
  const before = (await read(path)).json;
  const versions = (await read(`${path}/versions`)).json;
  const removed = await succeed(server, 'DELETE', path);
  assert.deepEqual(
    typesOf(removed),
    ['article.unpublished', 'article.deleted'],
    'readers saw it beside the draft',
  );
  assert.deepEqual(
    removed.events.map(({ subject, version }) => [subject, version]),
    Array.from({ length: 2 }, () => [article.id, before.version + 1]),
  );

  const again = await restore(article.id, { token: editor.token });
  assert.deepEqual(typesOf(again), ['article.restored', 'article.published']);
  const back = again.json;
  assert.deepEqual(content(back), content(before));
  assert.deepEqual((await read(`${path}/versions`)).json, versions);
  const published = await read(`${path}?perspective=published`);
  assert.equal(published.json.versionData.body, 'the first marmot');
  assert.equal(published.json.updatedAt, back.updatedAt, 'for readers it is new again');
  const found = await read(`${articles.path}/search?query=title&perspective=published`);
  assert.deepEqual(idsOf(found.json.items), [article.id]);

  // Without the right to publish, the same text is there and readers see nothing.
  const own = await server.call('POST', articles.path, {
    body: { versionData: { title: 'Mine', body: 'mine' } },
    token: author.token,
  });
  const ownPath = `${articles.path}/${own.json.id}`;
  await articles.change(ownPath, { status: 'PUBLISHED' });
  await succeed(server, 'DELETE', ownPath);
  // Nor may somebody destroy for good what they could not have deleted.
  const destroyed = await write(server, 'DELETE', `${trash}/${own.json.id}`, { token: author.token });
  expectRefusal(destroyed, 403, 'permission_denied');
  const hidden = await restore(own.json.id, { token: author.token });
  assert.equal(hidden.status, 200, hidden.text);
  assert.deepEqual(typesOf(hidden), ['article.restored']);
  assert.equal(hidden.json.versionData.status, 'UNPUBLISHED');
  assert.equal(hidden.json.state, 'UNPUBLISHED');
  assert.equal(hidden.json.publishedVersionNumber, null);
  assert.equal(hidden.json.versionData.body, 'mine');
  assert.equal((await read(`${ownPath}?perspective=published`)).status, 404);
  const [version] = (await read(`${ownPath}/versions`)).json.items;
  assert.equal(version.versionData.status, 'UNPUBLISHED');

  const book = await create(server, '/v1/books', { title: 'Published' });
  await succeed(server, 'PATCH', `/v1/books/${book.id}`, { status: 'PUBLISHED' });
  await succeed(server, 'DELETE', `/v1/books/${book.id}`);
  assert.equal((await restored(book.id)).status, 'PUBLISHED');
  const gone = await succeed(server, 'DELETE', `/v1/books/${book.id}?erase=true`);
  assert.deepEqual(typesOf(gone), ['book.unpublished', 'book.deleted']);
  const draft = await create(server, '/v1/books', { title: 'A draft' });
  assert.deepEqual(typesOf(await succeed(server, 'DELETE', `/v1/books/${draft.id}`)), ['book.deleted']);
  assert.deepEqual(typesOf(await restore(draft.id)), ['book.restored']);

  // Not ARCHIVED, which nothing leads out of.
  const magazine = await create(server, '/v1/magazines', { title: 'Waters' });
  const issues = `/v1/magazines/${magazine.id}/issues`;
  const issue = await create(server, issues, { title: 'Tides', status: 'IN_PRODUCTION' });
  await succeed(server, 'PATCH', `${issues}/${issue.id}`, { status: 'PUBLISHED' });
  await succeed(server, 'DELETE', `${issues}/${issue.id}`);
  const grants = ['read', 'update', 'delete'].map((action) => ({ resource: 'issues', action }));
  const role = await create(server, '/v1/roles', { key: 'printers', name: 'Printers', grants });
  const printer = await tokenOf('VIEWER');
  await succeed(server, 'PATCH', `/v1/members/${encodeId('user', printer.userId)}`, { roleId: role.id });
  assert.equal((await restored(issue.id, printer.token)).status, 'IN_PRODUCTION');
});

test('a scheduled article is scheduled again, and never for an instant that has passed', async () => {
  const articles = await TestArticles.inNewSite(server, 'scheduled');
  const path = await articles.createWithStatus('SCHEDULED');
  const id = path.split('/').at(-1) ?? '';
  await succeed(server, 'DELETE', path);
  assert.equal((await restored(id)).versionData.status, 'SCHEDULED');
  assert.equal(await timersOf(id), 1);
  await succeed(server, 'DELETE', path);
  assert.equal(await timersOf(id), 0);
  await tables.run(
    `UPDATE trellis.trash_versions SET payload = regexp_replace(payload, '"scheduled_for":"[^"]+"', '"scheduled_for":"2020-01-01T00:00:00Z"')`,
  );
  const late = await restored(id);
  assert.equal(late.versionData.status, 'DRAFT');
  assert.equal(await timersOf(id), 0);

  const ending = await articles.createWithStatus('DRAFT');
  const endingId = ending.split('/').at(-1) ?? '';
  await articles.change(ending, { status: 'PUBLISHED', unpublishAt: inOneHour() });
  await articles.change(ending, { title: 'A draft beside it', unpublishAt: null });
  await succeed(server, 'DELETE', ending);
  assert.equal((await restored(endingId)).publishedVersionNumber, 1);
  assert.equal(await timersOf(endingId), 1, 'the published version beside the draft still ends');
  await succeed(server, 'DELETE', ending);
  await tables.run(
    `UPDATE trellis.trash_versions SET payload = regexp_replace(payload, '"unpublish_at":"[^"]+"', '"unpublish_at":"2020-01-01T00:00:00Z"')`,
  );
  assert.equal((await restored(endingId)).publishedVersionNumber, null);
  assert.equal((await read(`${ending}?perspective=published`)).status, 404);
});

async function timersOf(id: string): Promise<number> {
  const rows = await tables.run(
    `SELECT record_id FROM trellis.timers WHERE translate(record_id::text, '-', '') = $1`,
    [uuidOf(id)],
  );
  return rows.length;
}

/** The uuid of an id, without hyphens. */
function uuidOf(id: string): string {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
  const number = [...(id.split('_')[1] ?? '')].reduce(
    (sum, digit) => sum * 32n + BigInt(alphabet.indexOf(digit)),
    0n,
  );
  return number.toString(16).padStart(32, '0');
}

test('a file comes back with its content, which the sweep leaves alone, and its text is extracted again', async () => {
  const file = await create(server, '/v1/knowledge-files', {
    name: 'Policy',
    content: 'A policy of otters.',
  });
  const path = `/v1/knowledge-files/${file.id}`;
  await succeed(server, 'DELETE', path);
  const sweep = () =>
    sweepObjects({
      api: server.database.api,
      objects: server.objects,
      graceMs: 0,
      now: Date.now() + day,
      signal: new AbortController().signal,
      log: pino({ level: 'silent' }),
    });
  assert.equal(await sweep(), 0);
  const back = await restored(file.id);
  assert.equal(back.status, 'PROCESSING');
  assert.equal((await read(`${path}/content`)).text, 'A policy of otters.');
  const jobs = await tables.run('SELECT FROM trellis.extraction_jobs');
  assert.equal(jobs.length, 1);
  await succeed(server, 'DELETE', path);
  await succeed(server, 'DELETE', `${trash}/${file.id}`);
  assert.equal(await sweep(), 1);
});

test('the trash of a private file is its reader’s, whatever the role', async () => {
  const editor = await tokenOf('EDITOR');
  const made = await server.call('POST', '/v1/knowledge-files', {
    body: { name: 'Diary', visibility: 'PRIVATE', content: 'Dear diary' },
    token: editor.token,
  });
  const { id } = made.json;
  assert.equal(
    (await server.call('DELETE', `/v1/knowledge-files/${id}`, { token: editor.token })).status,
    204,
  );
  assert.ok(idsOf(await listTrash('', editor.token)).includes(id));
  assert.ok(!idsOf(await listTrash()).includes(id), 'not even the owner of the organization sees it');
  for (const attempt of [restore(id), write(server, 'DELETE', `${trash}/${id}`)])
    expectRefusal(await attempt, 404, 'not_found');
  await restored(id, editor.token);
});

test('only who could delete a record now sees, restores or purges it', async () => {
  const author = await tokenOf('AUTHOR');
  const otherAuthor = await tokenOf('AUTHOR');
  const viewer = await tokenOf('VIEWER');
  const narrow = await tokenOf('OWNER', ['books:read', 'articles:write']);
  const articles = await TestArticles.inNewSite(server, 'rights');
  const made = await server.call('POST', articles.path, {
    body: { versionData: { title: 'Of an author' } },
    token: author.token,
  });
  const { id } = made.json;
  await succeed(server, 'DELETE', `${articles.path}/${id}`);
  const book = await create(server, '/v1/books', { title: 'Of the owner' });
  await succeed(server, 'DELETE', `/v1/books/${book.id}`);
  assert.ok(idsOf(await listTrash('', author.token)).includes(id), 'also where somebody else has deleted it');
  assert.deepEqual(await listTrash('&resource=articles', otherAuthor.token), []);
  assert.deepEqual(await listTrash('', viewer.token), []);
  const seen = await listTrash('', narrow.token);
  assert.ok(seen.every(({ resource }) => resource === 'articles') && idsOf(seen).includes(id));
  for (const { token } of [otherAuthor, viewer]) {
    expectRefusal(await restore(id, { token }), 403, 'permission_denied');
    expectRefusal(await write(server, 'DELETE', `${trash}/${id}`, { token }), 403, 'permission_denied');
  }
  expectRefusal(await restore(book.id, { token: narrow.token }), 403, 'insufficient_scope');
  const { worker } = server.database;
  const other = await createOrganization(worker, 'other-trash');
  const outsider = await createToken(worker, other, await createMember(worker, other, 'OWNER'));
  assert.deepEqual(await listTrash('', outsider.token), []);
  expectRefusal(await restore(id, { token: outsider.token }), 404, 'not_found');
  expectRefusal(await write(server, 'DELETE', `${trash}/${id}`, { token: outsider.token }), 404, 'not_found');
  await restored(id, author.token);
});

test('the trash is searched by title, and filtered by who deleted', async () => {
  const editor = await tokenOf('EDITOR');
  const titles = ['Überfahrt nach Çeşme', 'Nach der Überfahrt', 'Überfahren'];
  const ids: string[] = [];
  for (const title of titles) ids.push((await create(server, '/v1/books', { title })).id);
  const [first, second, third] = ids;
  await succeed(server, 'DELETE', `/v1/books/${first}`);
  for (const id of [second, third])
    assert.equal((await server.call('DELETE', `/v1/books/${id}`, { token: editor.token })).status, 204);
  const by = `&deletedBy=${encodeId('user', editor.userId)}`;
  // Case, accents and the order of words do not matter; all words count.
  assert.deepEqual(idsOf(await listTrash(`&search=${encodeURIComponent('ÜBERFAHR')}`)), [
    third,
    second,
    first,
  ]);
  assert.deepEqual(idsOf(await listTrash('&search=uberfahrt%20nach')), [second, first]);
  assert.deepEqual(idsOf(await listTrash('&search=cesme')), [first]);
  assert.deepEqual(idsOf(await listTrash('&search=uberfahr%25')), []);
  assert.deepEqual(idsOf(await listTrash('&search=%CC%81%CC%81')), [], 'marks alone are no words');
  assert.deepEqual(idsOf(await listTrash(by)), [third, second]);
  assert.deepEqual(idsOf(await listTrash(`${by}&search=nach&resource=books`)), [second]);
  assert.deepEqual(idsOf(await listTrash(`${by}&search=nach&resource=contacts`)), []);
  assert.deepEqual(idsOf(await listTrash('&deletedBy=user_nobody')), []);
  assert.deepEqual(idsOf(await listTrash('&search=uberfahrt', (await tokenOf('VIEWER')).token)), []);
  const refused = async (query: string) => {
    const { status, json } = await read(`${trash}?${query}`);
    return [status, json.code];
  };
  assert.deepEqual(await refused('search='), [400, 'invalid_parameter']);
  const { pageInfo } = (await read(`${trash}?limit=1&search=uberfahr`)).json;
  const other = `limit=1&search=nach&cursor=${pageInfo.nextCursor}`;
  assert.deepEqual(await refused(other), [400, 'cursor_mismatch']);
});

test('a search of a long trash examines 10,000 records for each page', async () => {
  const { id } = await create(server, '/v1/books', { title: 'The needle' });
  await succeed(server, 'DELETE', `/v1/books/${id}`);
  // Copies that were deleted a little later, one by one.
  const bury = (from: number, to: number) =>
    tables.run(
      `INSERT INTO trellis.trash (organization_id, resource, id, title, deleted_at, purge_at, payload)
      SELECT organization_id, resource, gen_random_uuid(), 'Hay', deleted_at + n * interval '1 second', purge_at, payload
      FROM trellis.trash, generate_series(${from}::integer, ${to}::integer) n WHERE title = 'The needle'`,
    );
  await bury(1, 9_999);
  assert.deepEqual(idsOf((await read(`${trash}?search=needle`)).json.items), [id], 'the 10,000th');
  await bury(10_000, 10_000);
  const first = await read(`${trash}?search=needle`);
  assert.deepEqual(first.json.items, []);
  assert.equal(first.json.pageInfo.hasNextPage, true);
  assert.deepEqual(idsOf(await listTrash('&search=needle')), [id]);
  await tables.run("DELETE FROM trellis.trash WHERE title = 'Hay'");
});

/** Imports of files of other systems into a real server: what becomes of them, and that a second import changes nothing. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { noChoices } from '@trellis/importer/columns.ts';
import { UsageError } from '@trellis/importer/errors.ts';
import { describeReport, type ImportReport } from '@trellis/importer/report.ts';
import { importPath, type PathImportOptions } from '@trellis/server/commands/import/import-path.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';
import { createRow, createWorkbook } from '../support/workbook.ts';

const sample = (name: string) => fileURLToPath(new URL(`../samples/systems/${name}`, import.meta.url));

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

async function importSample(name: string, more: Partial<PathImportOptions> = {}): Promise<ImportReport> {
  const options: PathImportOptions = {
    path: sample(name),
    resource: null,
    parents: {},
    ...noChoices,
    columns: null,
    delimiter: null,
    dryRun: false,
    existing: 'merge',
    duplicates: 'reject',
    statuses: false,
    concurrency: 4,
    rejectedFile: null,
    alwaysWriteRejected: false,
    ...more,
  };
  const report = await importPath(options, {
    connection: { baseUrl: server.url, token: server.token },
    stderr: () => assert.fail('nothing is shown where there is no terminal'),
    isTerminal: false,
    wait: async () => undefined,
  });
  assert.ok(report !== null);
  return report;
}

const counts = ({ created, updated, unchanged, rejected }: ImportReport) => ({
  created,
  updated,
  unchanged,
  rejected,
});
const list = async (path: string): Promise<Json[]> =>
  (await server.call('GET', `/v1${path}?limit=100`)).json.items;

async function createSite(key: string): Promise<string> {
  return (await server.call('POST', '/v1/sites', { body: { name: key, key } })).json.id;
}

/** Imports a sample without a rejected row, in a dry run, then twice. @returns the report of the first run */
async function importTwice(name: string, more: Partial<PathImportOptions> = {}): Promise<ImportReport> {
  const dry = await importSample(name, { ...more, dryRun: true });
  const report = await importSample(name, more);
  assert.deepEqual([dry.rejections, report.rejections], [[], []]);
  assert.deepEqual(counts(dry), counts(report), 'the dry run says what the run does');
  assert.deepEqual(dry.redirects, report.redirects);
  const again = await importSample(name, more);
  const { rows } = report;
  assert.deepEqual(counts(again), { created: 0, updated: 0, unchanged: rows, rejected: 0 });
  return report;
}

test('WordPress: categories with their tree, tags, posts and pages with what they refer to', async () => {
  const siteId = await createSite('garden');
  const report = await importTwice('wordpress.xml', { parents: { site: 'garden' } });
  assert.deepEqual(counts(report), { created: 9, updated: 0, unchanged: 0, rejected: 0 });
  assert.deepEqual(report.linked, {}, 'nothing is made by its name alone');
  const categories = await list(`/sites/${siteId}/categories`);
  const bySlug = new Map(categories.map((category) => [category.slug, category]));
  assert.equal(bySlug.get('ferns').parentId, bySlug.get('plants').id);
  assert.equal(bySlug.get('plants').name, 'Plants & trees');
  const articles = await list(`/sites/${siteId}/articles`);
  const posts = Object.fromEntries(
    articles.map(({ articleData, versionData }) => [
      articleData.slug,
      [versionData.status, versionData.bodyFormat, articleData.categoryIds.length, articleData.tagIds.length],
    ]),
  );
  assert.deepEqual(posts, {
    ferns: ['PUBLISHED', 'HTML', 2, 1],
    classic: ['PUBLISHED', 'HTML', 0, 0],
    secret: ['DRAFT', 'HTML', 0, 0],
    unfinished: ['DRAFT', 'HTML', 0, 0],
    mine: ['DRAFT', 'HTML', 0, 0],
  });
  const ferns = articles.find(({ articleData }) => articleData.slug === 'ferns');
  assert.deepEqual(ferns.articleData.categoryIds[0], bySlug.get('ferns').id);
  assert.equal(ferns.articleData.firstPublishedAt, '2015-03-04T09:00:00.000Z');
  assert.deepEqual(ferns.articleData.authors, [{ name: 'Rosa Gardener', userId: null }]);
  assert.ok(report.notImported.some(({ field }) => field === 'cover picture'));
  assert.ok(report.skipped.some(({ what }) => what === 'comments'));
  // The address of the post, and the one that it had before its slug was changed.
  assert.deepEqual(
    report.redirects.filter(({ to }) => to === 'ferns'),
    [
      { from: '/2015/03/fern-care/', to: 'ferns' },
      { from: '/2015/03/ferns/', to: 'ferns' },
    ],
  );
  assert.ok(!report.notImported.some(({ field }) => field === 'aliases'));
});

test('WordPress: a category and a tag that exist with the slug are used, whatever their names and keys', async () => {
  const siteId = await createSite('reuse');
  const made = { categories: 'plants', tags: 'shade' } as const;
  const ids = new Map<string, string>();
  for (const [name, slug] of Object.entries(made)) {
    const { status, json } = await server.call('POST', `/v1/sites/${siteId}/${name}`, {
      body: { name: `Own ${slug}`, slug, externalId: `own-${slug}` },
    });
    assert.equal(status, 201);
    ids.set(slug, json.id);
  }
  for (const dryRun of [true, false]) {
    const report = await importSample('wordpress.xml', { parents: { site: 'reuse' }, dryRun });
    assert.deepEqual([report.rejections, report.created, report.found.length > 0], [[], 7, true]);
  }
  const categories = await list(`/sites/${siteId}/categories`);
  const ferns = categories.find(({ slug }) => slug === 'ferns');
  assert.equal(ferns.parentId, ids.get('plants'));
  const plants = categories.find(({ slug }) => slug === 'plants');
  assert.equal(plants.externalId, 'own-plants');
});

test('WordPress: the categories of posts are found by their slug, also without their rows', async () => {
  const siteId = await createSite('shed');
  const report = await importSample('wordpress.xml', { parents: { site: 'shed' }, resource: 'articles' });
  const described = describeReport(report);
  assert.match(described, /besides created: (2 categories, 1 tag|1 tag, 2 categories)\n/);
  assert.match(described, /\n {2}comments: 1\n/);
  const slugs = (await list(`/sites/${siteId}/categories`)).map(({ slug }) => slug);
  assert.deepEqual(slugs.toSorted(), ['ferns', 'сад']);
});

test('posts and pages with one slug get numbers, and the old addresses of all are kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-slugs-'));
  const item = (id: number, type: string, link: string) =>
    `<item><title>About ${id}</title><link>https://blog.example${link}</link><wp:post_id>${id}</wp:post_id><wp:post_name>about</wp:post_name><wp:post_type>${type}</wp:post_type><wp:status>publish</wp:status></item>`;
  const files = {
    'export.xml': `<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"><channel>${item(1, 'post', '/2015/about/')}${item(2, 'page', '/about/')}${item(3, 'page', '/team/about/')}</channel></rss>`,
    'ghost.json': JSON.stringify({
      db: [
        { data: { posts: [{ id: '1', uuid: 'a', title: 'New', slug: 'new_post', status: 'published' }] } },
      ],
    }),
  };
  const siteId = await createSite('numbers');
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, name), content);
    const redirectsFile = join(folder, `${name}.csv`);
    const more = { path: join(folder, name), parents: { site: 'numbers' }, concurrency: 1, redirectsFile };
    assert.deepEqual((await importSample('', { ...more, dryRun: true })).rejections, []);
    const report = await importSample('', more);
    assert.deepEqual(report.rejections, []);
    assert.deepEqual(counts(await importSample('', more)), {
      created: 0,
      updated: 0,
      unchanged: report.rows,
      rejected: 0,
    });
  }
  const articles = await list(`/sites/${siteId}/articles`);
  assert.deepEqual(
    articles.map(({ articleData, versionData }) => [versionData.title, articleData.slug]).toSorted(),
    [
      ['About 1', 'about'],
      ['About 2', 'about-2'],
      ['About 3', 'about-3'],
      ['New', 'new-post'],
    ],
  );
  const redirects = await Promise.all(
    Object.keys(files).map((name) => readFile(join(folder, `${name}.csv`), 'utf8')),
  );
  assert.deepEqual(redirects, [
    'from,to\n/2015/about/,about\n/about/,about-2\n/team/about/,about-3\n',
    'from,to\n/new_post,new-post\n',
  ]);
  await rm(folder, { recursive: true });
});

test('Ghost', async () => {
  const siteId = await createSite('ghost');
  await importTwice('ghost.json', { parents: { site: 'ghost' } });
  const articles = await list(`/sites/${siteId}/articles`);
  const posts = articles.map(({ articleData, versionData }) => [
    articleData.slug,
    versionData.status,
    versionData.body,
    articleData.authors.map(({ name }: Json) => name),
    articleData.tagIds.length,
  ]);
  assert.deepEqual(posts.toSorted(), [
    ['hello', 'PUBLISHED', '<p>Hello <img src="/content/images/a.jpg"></p>', ['Rosa Gardener'], 1],
    ['members', 'DRAFT', '<p>Paid</p>', [], 0],
  ]);
});

test('vCard', async () => {
  const report = await importTwice('contacts.vcf');
  assert.deepEqual(
    report.notImported.map(({ field }) => field),
    ['name prefix', 'department', 'BDAY'],
  );
  const contacts = await list('/crm/contacts');
  const ada = contacts.find(({ lastName }) => lastName === 'Example');
  assert.deepEqual(
    [
      ada.firstName,
      ada.jobTitle,
      ada.emails.map(({ address }: Json) => address),
      ada.addresses[0].country,
      ada.tags,
    ],
    ['Ada Marie', 'Engineer', ['ada@vcf.example', 'ada@home.example'], 'DE', ['friends', 'customers']],
  );
  assert.equal(ada.externalId, '11111111-2222-4333-8444-555555555555');
  assert.deepEqual(contacts.map(({ displayName }) => displayName).toSorted(), [
    'Ada Marie Example',
    'Bo Carlsen',
    'Jürgen Müller',
  ]);
});

test('ONIX', async () => {
  await importTwice('onix.xml');
  const [book] = await list('/books');
  assert.deepEqual(
    [
      book.title,
      book.isbn13,
      book.language,
      book.publicationDate,
      book.pageCount,
      book.tradeStatus,
      book.prices.length,
    ],
    ['The Invented Title', '9780306406157', 'de', '2025-01-31', 352, 'ACTIVE', 3],
  );
  assert.deepEqual(
    [book.contributors.length, book.subjects[0].code, book.externalId],
    [3, 'FBC', 'press.example.one'],
  );
});

test('a workbook and a JSON array, whose rejected rows can be corrected and imported', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-systems-'));
  try {
    const rows = [
      ['Title', 'Print ISSN', 'Start year'],
      ['Invented Letters', '2049-3630', 1999],
      ['Broken', '1234-0000', 2000],
    ].map((cells, index) => createRow(index + 1, cells));
    const path = join(folder, 'journals.xlsx');
    const rejectedFile = join(folder, 'rejected.ndjson');
    await writeFile(path, createWorkbook({ sheets: [{ name: 'S', rows: rows.join('') }] }));
    const report = await importSample('', { path, resource: 'magazines', rejectedFile });
    assert.deepEqual(counts(report), { created: 1, updated: 0, unchanged: 0, rejected: 1 });
    const rejected = await readFile(rejectedFile, 'utf8');
    await writeFile(rejectedFile, rejected.replace('1234-0000', '1234-5679'));
    const corrected = await importSample('', { path: rejectedFile, resource: 'magazines' });
    assert.deepEqual(counts(corrected), { created: 1, updated: 0, unchanged: 0, rejected: 0 });
    const json = join(folder, 'journals.json');
    await writeFile(json, JSON.stringify([{ title: 'Third', 'start year': 2001 }]));
    const third = await importSample('', { path: json, resource: 'magazines' });
    assert.deepEqual(counts(third), { created: 1, updated: 0, unchanged: 0, rejected: 0 });
    const magazines = (await list('/magazines')).map(({ title, startDate }) => [title, startDate]);
    assert.deepEqual(magazines.toSorted(), [
      ['Broken', '2000'],
      ['Invented Letters', '1999'],
      ['Third', '2001'],
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('files that say what they are take no other resource', async () => {
  await assert.rejects(
    importSample('contacts.vcf', { resource: 'books' }),
    new UsageError('--resource: "books" cannot be imported. The resources are: contacts.'),
  );
  await assert.rejects(importSample('wordpress.xml'), /--site is required/);
});

/** Folders of posts as site generators have them: the dates, addresses and languages that their articles have for readers of the site. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { noChoices } from '@trellis/importer/columns.ts';
import { readMdx } from '@trellis/importer/readers/mdx.ts';
import { lastPartOf, readAddresses, readPath, stemOf } from '@trellis/importer/readers/post-address.ts';
import { describeReport, type ImportReport } from '@trellis/importer/report.ts';
import { importPath } from '@trellis/server/commands/import/import-path.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let folder: string;
let site: string;
let sites = 0;

before(async () => {
  server = await startTestServer();
});
after(() => server.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-posts-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Writes the files, and imports their folder into a new site. */
async function importInto(
  body: object,
  files: Readonly<Record<string, string>>,
  more: { readonly dryRun?: boolean; readonly concurrency?: number } = {},
): Promise<ImportReport> {
  sites += 1;
  const created = await server.call('POST', '/v1/sites', {
    body: { name: `Posts ${sites}`, key: `posts-${sites}`, ...body },
  });
  assert.equal(created.status, 201, created.text);
  site = created.json.id;
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, 'site', name)), { recursive: true });
    await writeFile(join(folder, 'site', name), content);
  }
  return importAgain(more);
}

async function importAgain(
  more: { readonly dryRun?: boolean; readonly concurrency?: number } = {},
): Promise<ImportReport> {
  const options = {
    path: join(folder, 'site'),
    resource: null,
    parents: { site },
    ...noChoices,
    columns: null,
    delimiter: null,
    dryRun: false,
    existing: 'merge' as const,
    duplicates: 'reject' as const,
    statuses: false,
    concurrency: 1,
    redirectsFile: join(folder, 'site.redirects.csv'),
    rejectedFile: null,
    alwaysWriteRejected: false,
    ...more,
  };
  const report = await importPath(options, {
    connection: { baseUrl: server.url, token: server.token },
    stderr: () => assert.fail('nothing is shown where there is no terminal'),
    isTerminal: false,
  });
  assert.ok(report !== null);
  return report;
}

/** The published articles by slug, as a reader of the site sees them, newest first. */
async function readSite(): Promise<Map<string, Json>> {
  const query = 'perspective=published&sort=-firstPublishedAt&limit=100';
  const { json, text, status } = await server.call('GET', `/v1/sites/${site}/articles?${query}`);
  assert.equal(status, 200, text);
  return new Map(json.items.map((item: Json) => [item.articleData.slug, item]));
}

const outcomes = ({ created, updated, unchanged, rejected }: ImportReport) => [
  created,
  updated,
  unchanged,
  rejected,
];

test('a report does not say that posts get a status or a format, which they decide themselves', async () => {
  const report = await importInto({}, { 'first.md': '---\ntitle: First\n---\nText' });
  assert.deepEqual(report.defaults, []);
  assert.deepEqual([...(await readSite()).keys()], ['first']);
});

test('posts of Jekyll keep their dates, by the clock of the site, and their addresses', async () => {
  const files = {
    '_posts/2015-03-04-hello-world.md': '---\ntitle: "A completely different title"\n---\nText',
    '_posts/2016-05-06-Second_Post.markdown':
      '---\ntitle: Second\ndate: 2016-05-06 23:30:00\nredirect_from:\n  - /old/second.html\n  - /2016/2nd\n---\nText',
    '_posts/2017-01-01-third.md':
      '---\ntitle: Third\ndate: 2017-01-01 10:00:00 +0900\npermalink: /:year/:title/\n---\nText',
    '_posts/2018-01-01-fourth.md': '---\ntitle: Fourth\npermalink: /blog/the-4th-one.html\n---\nText',
    '_posts/2019-02-02-page.html': '---\ntitle: A page\n---\n<p>Hello <b>you</b></p>',
    '_drafts/someday.md': '---\ntitle: Someday\n---\nText',
    '_layouts/default.html': '---\nlayout: none\n---\n<html>{{ content }}</html>',
    'index.html': '<html></html>',
    '_config.yml': 'title: x',
  };
  const report = await importInto({ timezone: 'America/New_York' }, files);
  assert.deepEqual(outcomes(report), [6, 0, 0, 0], describeReport(report));
  // A template is not an address.
  assert.deepEqual(report.notImported, [{ field: 'permalink', rows: 1, example: '/:year/:title/' }]);
  const articles = await readSite();
  assert.deepEqual(
    [...articles].map(([slug, { articleData }]) => [slug, articleData.firstPublishedAt]),
    [
      ['page', '2019-02-02T05:00:00.000Z'],
      ['the-4th-one', '2018-01-01T05:00:00.000Z'],
      ['third', '2017-01-01T01:00:00.000Z'],
      ['second-post', '2016-05-07T03:30:00.000Z'],
      ['hello-world', '2015-03-04T05:00:00.000Z'],
    ],
  );
  assert.equal(articles.get('page').versionData.bodyFormat, 'HTML');
  assert.equal(articles.get('page').versionData.body, '<p>Hello <b>you</b></p>');
  const drafts = await server.call('GET', `/v1/sites/${site}/articles?status=DRAFT`);
  assert.deepEqual(
    drafts.json.items.map(({ articleData }: Json) => [articleData.slug, articleData.firstPublishedAt]),
    [['someday', null]],
  );
  const said = report.repairs.map(({ how }) => how);
  assert.ok(
    said.includes('dates without an offset are read in America/New_York, the time zone of the site'),
    said.join(),
  );
  assert.deepEqual(report.redirects, [
    { from: '/2016/2nd', to: 'second-post' },
    { from: '/blog/the-4th-one.html', to: 'the-4th-one' },
    { from: '/old/second.html', to: 'second-post' },
  ]);
  assert.equal(
    await readFile(report.redirectsFile ?? '', 'utf8'),
    'from,to\n/2016/2nd,second-post\n/blog/the-4th-one.html,the-4th-one\n/old/second.html,second-post\n',
  );
  assert.match(
    describeReport(report),
    /Former addresses \(3\).*site\.redirects\.csv:\n.*\/2016\/2nd is now second-post/,
  );
  const skipped = new Map(report.skipped.map(({ what, count }) => [what, count]));
  assert.equal(skipped.get('HTML files without front matter'), 1);
  assert.equal(skipped.get('files of templates, generated sites and packages'), 1);
  assert.deepEqual(outcomes(await importAgain()), [0, 0, 6, 0]);
});

test('posts of Hugo in all three kinds of front matter, bundles and languages', async () => {
  const files = {
    'content/posts/first/index.md':
      '+++\ntitle = "First"\ndate = 2014-09-28T10:00:00\naliases = ["/p/1", "/p/one/"]\n+++\nText',
    'content/posts/first/index.de.md': '+++\ntitle = "Erster"\ndate = 2014-09-28T11:00:00\n+++\nText',
    'content/posts/json.md':
      '{\n  "title": "Über JSON",\n  "date": "2014-09-29",\n  "slug": "About JSON",\n  "lang": "de"\n}\n\nText',
    'content/posts/yaml.md': '---\ntitle: Yaml\npublishDate: 2014-09-30\nurl: /custom/Straße/\n---\nText',
    'content/posts/_index.md': '---\ntitle: Posts\n---\n',
    'content/posts/node.js.md': '---\ntitle: Node\ndate: 2014-10-01\n---\nText',
    'content/posts/later.md': '+++\ntitle = "Later"\ndate = 2099-07-01\n+++\nText',
  };
  const report = await importInto({ timezone: 'Europe/Berlin', defaultLocale: 'de' }, files);
  // More than five years ahead.
  assert.deepEqual(outcomes(report), [5, 0, 0, 1], describeReport(report));
  const articles = await readSite();
  assert.deepEqual(
    [...articles].map(([slug, { articleData, versionData }]) => [
      slug,
      articleData.firstPublishedAt,
      versionData.locale,
    ]),
    [
      ['node-js', '2014-09-30T22:00:00.000Z', 'de'],
      ['strasse', '2014-09-29T22:00:00.000Z', 'de'],
      ['about-json', '2014-09-28T22:00:00.000Z', 'de'],
      ['first-de', '2014-09-28T09:00:00.000Z', 'de'],
      ['first', '2014-09-28T08:00:00.000Z', 'de'],
    ],
  );
  assert.deepEqual(
    report.redirects.map(({ from }) => from),
    ['/custom/Straße/', '/p/1', '/p/one/'],
  );
});

test('posts with the same name in different folders get numbers, and none is rejected or moved by the next run', async () => {
  const post = (title: string) => `---\ntitle: ${title}\ndate: 2020-01-01\nurl: /${title}/update/\n---\nText`;
  const files = { '2015/update.md': post('a'), '2016/update.md': post('b'), '2017/update.md': post('c') };
  const report = await importInto({}, files);
  assert.deepEqual(outcomes(report), [3, 0, 0, 0], describeReport(report));
  assert.deepEqual(report.redirects, [
    { from: '/a/update/', to: 'update' },
    { from: '/b/update/', to: 'update-2' },
    { from: '/c/update/', to: 'update-3' },
  ]);
  const again = await importAgain({ concurrency: 3 });
  assert.deepEqual(outcomes(again), [0, 0, 3, 0]);
  assert.deepEqual(again.redirects, report.redirects);
  const moved = (await readSite()).get('update-2');
  const body = { articleData: { slug: 'my-own' } };
  await server.call('PATCH', `/v1/sites/${site}/articles/${moved.id}`, { body });
  assert.deepEqual(outcomes(await importAgain()), [0, 0, 3, 0]);
  assert.ok((await readSite()).has('my-own'));
});

test('a post is not overwritten by one in another language whose folder has a file of the same name', async () => {
  const post = (title: string, language: string) => `---\ntitle: ${title}\nlang: ${language}\n---\n${title}`;
  await importInto({}, { '2020-01-01-release.md': post('Veröffentlicht', 'de') });
  await writeFile(join(folder, 'site', '2020-01-01-release.md'), post('公開', 'ja'));
  for (const dryRun of [true, false]) {
    const report = await importAgain({ dryRun });
    assert.deepEqual(outcomes(report), [0, 0, 0, 1]);
    assert.match(
      describeReport(report),
      /"Veröffentlicht" has this path, but it is in the language "de", and the file has another title in "ja"\. If/,
    );
  }
  assert.equal((await readSite()).get('release').versionData.body, 'Veröffentlicht');
  // A corrected language, or a corrected title.
  await writeFile(join(folder, 'site', '2020-01-01-release.md'), post('Veröffentlicht', 'de-AT'));
  assert.deepEqual(outcomes(await importAgain()), [0, 1, 0, 0]);
  await writeFile(join(folder, 'site', '2020-01-01-release.md'), post('Erschienen', 'de-AT'));
  assert.deepEqual(outcomes(await importAgain()), [0, 1, 0, 0]);
});

test('a dry run says the same and writes nothing', async () => {
  const report = await importInto(
    {},
    { 'a.md': '---\ntitle: A\npermalink: /x/a-post\n---\n' },
    { dryRun: true },
  );
  assert.deepEqual(outcomes(report), [1, 0, 0, 0]);
  assert.deepEqual([report.redirects, report.redirectsFile], [[{ from: '/x/a-post', to: 'a-post' }], null]);
  assert.equal((await readSite()).size, 0);
});

test('expires is read by the clock of the site, and MDX keeps what readers can use', async () => {
  const mdx = `---\ntitle: MDX\ndate: 2020-01-01\n---\nimport Chart from './chart'\nimport { a } from "b";\n\nHello <Chart />\n\n\`\`\`js\nimport x from 'y'\n\`\`\`\n`;
  const year = new Date().getUTCFullYear() + 1;
  const files = {
    'post.mdx': mdx,
    'until.md': `---\ntitle: Until\nexpires: ${year}-07-01 09:00\n---\n`,
    'soon.md': `---\ntitle: Soon\ndate: ${year}-07-01\n---\n`,
  };
  const report = await importInto({ timezone: 'Europe/Berlin' }, files);
  assert.deepEqual(outcomes(report), [3, 0, 0, 0], describeReport(report));
  const said = report.repairs.map(({ how }) => how);
  assert.ok(said.includes('imports of MDX left out'), said.join());
  assert.ok(
    said.some((how) => how.startsWith('components and exports of MDX stay')),
    said.join(),
  );
  const articles = await readSite();
  assert.equal(articles.get('post').versionData.body, "\nHello <Chart />\n\n```js\nimport x from 'y'\n```\n");
  assert.equal(articles.get('until').versionData.unpublishAt, `${year}-07-01T07:00:00.000Z`);
  const { json } = await server.call('GET', `/v1/sites/${site}/articles?status=SCHEDULED`);
  const [soon] = json.items;
  assert.equal(soon.versionData.scheduledFor, `${year}-06-30T22:00:00.000Z`);
  assert.equal(soon.articleData.firstPublishedAt, null);
});

test('what the path and the front matter say of an address', () => {
  const stems = new Map([
    ['a/hello', 2],
    ['a/index', 1],
  ]);
  for (const [path, name, language] of [
    ['_posts/2018-01-04-hello.md', 'hello', null],
    ['2018-1-4_hello.md', 'hello', null],
    ['2018-10-10T12:00:00Z-hello.md', 'hello', null],
    ['2018-01-04-.md', '2018-01-04-', null],
    ['posts/hello/index.md', 'hello', null],
    ['posts/2018-01-04-hello/index.md', 'hello', null],
    ['posts/hello/_index.md', 'hello', null],
    ['index.md', 'index', null],
    ['a/hello.md', 'hello', null],
    ['a/hello.de.md', 'hello-de', 'de'],
    ['b/hello.de.md', 'hello.de', null],
    ['a/index.pt-br.md', 'a', 'pt-br'],
    ['v1.2.md', 'v1.2', null],
  ] as const) {
    const { name: found, language: spoken } = readPath(path, stems);
    assert.deepEqual([found, spoken], [name, language], path);
  }
  assert.equal(stemOf('a/hello.de.md'), 'a/hello');
  for (const [address, last] of [
    ['/2015/03/04/hello/', 'hello'],
    ['/2015/hello.html', 'hello'],
    ['/2015/hello/index.html', 'hello'],
    ['https://example.com/blog/hello?x=1#y', 'hello'],
    ['https://example.com/', null],
    ['/%D0%B4%D0%BE%D0%BC/', 'дом'],
    ['/100%/', '100%'],
    ['2026/03/26/1.94.1-release', '1.94.1-release'],
    ['/', null],
    ['hello', 'hello'],
  ] as const) {
    assert.equal(lastPartOf(address), last, address);
  }
  for (const permalink of [
    '/:year/:title/',
    '/blog/{{ page.fileSlug }}/',
    'false',
    '',
    '{% raw %}',
    null,
    [null],
  ]) {
    assert.deepEqual(readAddresses({ permalink }), { address: null, former: [], names: new Set() });
  }
  assert.deepEqual(
    readAddresses({ permalink: '/:title', url: '/a', aliases: ['/b', '/b', null], redirect_from: '/c' }),
    {
      address: '/a',
      former: ['/b', '/c'],
      names: new Set(['url', 'aliases', 'redirect_from']),
    },
  );
});

test('only statements that import are left out of MDX', () => {
  for (const line of ['import the data', 'important', 'import x from y', 'Text import a from "b"']) {
    assert.deepEqual(readMdx(`${line}\n`), { body: `${line}\n`, notes: [] });
  }
  assert.deepEqual(
    readMdx("import 'a.css'\r\nimport {\n  a,\n} from 'b'\n").body,
    "import {\n  a,\n} from 'b'\n",
  );
});

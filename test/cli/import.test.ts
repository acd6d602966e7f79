/** Imports of posts into a real server: what they write, and what they leave unchanged. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { noChoices, readMapRule } from '@trellis/importer/columns.ts';
import { ImportStopped } from '@trellis/importer/errors.ts';
import { exitCodeOf, type ImportReport } from '@trellis/importer/report.ts';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { SilentFailure, UsageError } from '@trellis/server/commands/command-line.ts';
import { importCommand } from '@trellis/server/commands/import/command.ts';
import { importPath, type PathImportOptions } from '@trellis/server/commands/import/import-path.ts';
import { createToken } from '../support/identities.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';

const samples = fileURLToPath(new URL('../samples/blog/', import.meta.url));

let server: TestServer;
let folder: string;
let siteKey: string;
let siteId: string;
let sites = 0;

before(async () => {
  server = await startTestServer();
});
after(() => server.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-import-'));
  sites += 1;
  siteKey = `blog-${sites}`;
  siteId = (await server.call('POST', '/v1/sites', { body: { name: siteKey, key: siteKey } })).json.id;
  await newEvents();
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const writePost = (name: string, content: string | Buffer) => writeFile(join(folder, name), content);

async function importFolder(
  more: Partial<PathImportOptions> = {},
  token = server.token,
): Promise<ImportReport> {
  const options: PathImportOptions = {
    path: folder,
    resource: 'articles',
    parents: { site: siteKey },
    ...noChoices,
    columns: null,
    delimiter: null,
    dryRun: false,
    existing: 'merge',
    duplicates: 'reject',
    statuses: false,
    concurrency: 4,
    rejectedFile: null,
    alwaysWriteRejected: true,
    ...more,
  };
  const report = await importPath(options, {
    connection: { baseUrl: server.url, token },
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
const reasonsOf = (report: ImportReport) =>
  Object.fromEntries(report.rejections.map(({ place, reasons }) => [place, reasons.join(' ')]));

let knownEvents = new Set<string>();

/** Types of the events since the last call, sorted. */
async function newEvents(): Promise<string[]> {
  const rows = await server.database.worker.run('SELECT id, type FROM trellis.outbox');
  const fresh = rows.filter(([id]) => !knownEvents.has(id ?? ''));
  knownEvents = new Set(rows.map(([id]) => id ?? ''));
  return fresh.map(([, type]) => type ?? '').sort();
}

async function readArticle(key: string): Promise<Json> {
  const page = await server.call('GET', `/v1/sites/${siteId}/articles?limit=100`);
  const article = page.json.items.find(({ externalId }: Json) => externalId === `${siteKey}/${key}`);
  assert.ok(article, `there is no article ${siteKey}/${key}`);
  return article;
}

async function patchArticle(id: string, body: object): Promise<Json> {
  const response = await server.call('PATCH', `/v1/sites/${siteId}/articles/${id}`, { body });
  assert.equal(response.status, 200, response.text);
  return response.json;
}

async function namesOf(collection: 'tags' | 'categories', ids: readonly string[]): Promise<string[]> {
  const { items } = (await server.call('GET', `/v1/sites/${siteId}/${collection}?limit=100`)).json;
  return ids.map((id) => items.find((item: Json) => item.id === id).name);
}

test('a tag that a post no longer has is removed from its article, and listed', async () => {
  await writePost('a.md', '+++\ntitle = "A"\ntags = ["Old one", "Kept"]\nauthors = ["Ada", "Bo"]\n+++\ntext');
  await importFolder();
  await writePost('a.md', '+++\ntitle = "A"\ntags = ["Kept"]\nauthors = ["Bo"]\n+++\ntext');
  const { updated, removed } = await importFolder();
  assert.deepEqual(
    [
      updated,
      ...removed.map(({ field, values }) => [field, values.map(({ record, value }) => [record, value])]),
    ],
    [1, ['articleData.tagIds', [['A', 'old-one']]], ['articleData.authors', [['A', 'Ada']]]],
  );
});

test('posts of several generators become articles with all fields of the API', async () => {
  await cp(samples, folder, { recursive: true });
  // One at a time: the first post with a tag determines its letter case.
  const report = await importFolder({ concurrency: 1 });
  assert.deepEqual(counts(report), { created: 5, updated: 0, unchanged: 0, rejected: 0 });
  assert.deepEqual(report.linked, { tags: 3, categories: 2 });
  assert.deepEqual(report.notImported, [{ field: 'extra.mood', rows: 1, example: 'cold' }]);
  assert.deepEqual(report.repairs.map(({ how, example }) => [how, example]).sort(), [
    ['dates without an offset are read in UTC, the time zone of the site', '2021-03-09-first-frost.md'],
    ['language written as a BCP 47 tag', 'guides/watering/index.md'],
    ['slug written in lower case, with hyphens', '2021-03-09-first-frost.md'],
    ['title taken from the first heading', 'notes.markdown'],
  ]);
  assert.equal(exitCodeOf(report), 0);

  const frost = await readArticle('2021-03-09-first-frost.md');
  assert.equal(frost.state, 'PUBLISHED');
  assert.equal(frost.articleData.slug, 'first-frost');
  assert.deepEqual(
    frost.articleData.authors.map(({ name }: Json) => name),
    ['Ada Grün', 'Bo Li'],
  );
  assert.deepEqual(await namesOf('tags', frost.articleData.tagIds), ['Winter', 'Care']);
  assert.deepEqual(await namesOf('categories', frost.articleData.categoryIds), ['Garden diary']);
  assert.equal(frost.versionData.summary, 'What to carry inside.');
  assert.equal(frost.articleData.firstPublishedAt, '2021-03-09T00:00:00.000Z');
  assert.equal(frost.versionData.changeNote, null);
  assert.equal(
    frost.versionData.body,
    '\nThe lemon goes in first.\n\n+++ this line is text, not a fence\n\nThen the *olive*.  \n',
  );

  const watering = await readArticle('guides/watering/index.md');
  assert.equal(watering.versionData.locale, 'en-GB');
  assert.equal(watering.articleData.allowComments, true);
  assert.equal(watering.articleData.canonicalUrl, 'https://example.com/watering');
  assert.equal(watering.articleData.firstPublishedAt, '2020-06-01T07:30:00.000Z');
  assert.equal((await namesOf('tags', watering.articleData.tagIds)).length, 2);

  const repotting = await readArticle('guides/repotting.md');
  assert.equal(
    repotting.versionData.body,
    'First line.\r\nSecond line, two spaces  \r\n\r\nLast line without an end',
  );
  assert.equal(repotting.articleData.authors[0].name, 'Bo Li');
  const notes = await readArticle('notes.markdown');
  assert.equal(notes.versionData.title, 'Notes from the shed');
  assert.equal(notes.versionData.body, await readFile(join(samples, 'notes.markdown'), 'utf8'));
  assert.equal((await readArticle('draft.md')).versionData.status, 'DRAFT');

  const expected = [
    ...Array(5).fill('article.created'),
    ...Array(4).fill('article.published'),
    ...Array(2).fill('category.created'),
    ...Array(3).fill('tag.created'),
  ];
  assert.deepEqual(await newEvents(), expected);

  const again = await importFolder();
  assert.deepEqual(counts(again), { created: 0, updated: 0, unchanged: 5, rejected: 0 });
  assert.deepEqual(await newEvents(), []);
});

test('an article follows its file through changes and back', async () => {
  for (const [index, body] of ['one', 'two', 'one', 'two'].entries()) {
    await writePost('a.md', `+++\ntitle = "A"\n+++\n${body}`);
    const report = await importFolder();
    assert.equal(report.created + report.updated, 1);
    const article = await readArticle('a.md');
    assert.equal(article.versionData.body, body);
    assert.equal(article.state, 'PUBLISHED');
    assert.equal(article.publishedVersionNumber, index + 1);
    const expected = index === 0 ? ['article.created', 'article.published'] : ['article.published'];
    assert.deepEqual(await newEvents(), expected);
  }
});

test('a deleted article is created again, although the server has the first create stored', async () => {
  await writePost('a.md', '+++\ntitle = "A"\ntags = ["T"]\n+++\ntext');
  for (let round = 0; round < 3; round += 1) {
    const report = await importFolder();
    assert.deepEqual(counts(report), { created: 1, updated: 0, unchanged: 0, rejected: 0 });
    assert.deepEqual(report.linked, { tags: 1 });
    const article = await readArticle('a.md');
    await server.call('DELETE', `/v1/sites/${siteId}/articles/${article.id}`);
    await server.call('DELETE', `/v1/sites/${siteId}/tags/${article.articleData.tagIds[0]}`);
  }
});

test('an import that stopped between creating and publishing is completed', async () => {
  await writePost('a.md', '+++\ntitle = "A"\n+++\ntext');
  const body = { externalId: `${siteKey}/a.md`, versionData: { title: 'A', body: 'text' } };
  await server.call('POST', `/v1/sites/${siteId}/articles`, { body });
  await newEvents();
  assert.deepEqual(counts(await importFolder()), { created: 0, updated: 1, unchanged: 0, rejected: 0 });
  assert.deepEqual(await newEvents(), ['article.published']);
});

test('files that cannot be imported are rejected with the reason, and the others are imported', async () => {
  const long = 'x'.repeat(256);
  await writePost('bytes.md', Buffer.from('+++\ntitle = "A"\n+++\nok\ncaf\xe9\n', 'latin1'));
  await writePost('date.md', '---\ndate: soon\n---\n');
  await writePost('draft.md', '+++\ndraft = "perhaps"\n+++\n');
  await writePost('good.md', '+++\ntitle = "Good"\n+++\n');
  await writePost('long.md', `+++\ntitle = "${long}"\ncanonical = "http://example.com"\n+++\n`);
  await writePost('nul.md', '+++\ntitle = "A"\n+++\n\0');
  await writePost('open.md', '+++\ntitle = "A"\n');
  await writePost('slug.md', '+++\ntitle = "Taken"\nslug = "good"\n+++\n');
  await writePost('toml.md', '+++\ntitle = "A"\ndate = \n+++\n');
  await writePost('yaml.md', '---\ntitle: A\ntitle: B\n---\n');
  const rejectedFile = join(folder, 'rejected.ndjson');
  const report = await importFolder({ rejectedFile, concurrency: 1 });
  assert.deepEqual(counts(report), { created: 1, updated: 0, unchanged: 0, rejected: 9 });
  assert.equal(exitCodeOf(report), 1);
  assert.deepEqual(reasonsOf(report), {
    'bytes.md': 'The file is not valid UTF-8 in line 5. Save it as UTF-8.',
    'date.md': 'date: "soon" is not a date of the form 2018-01-31 or 2018-01-31T09:30:00Z.',
    'draft.md': 'draft: "perhaps" is neither true nor false.',
    'long.md':
      'articleData.canonicalUrl: Must be an absolute https address. versionData.title: Must have at most 255 characters.',
    'nul.md': 'The file has a NUL character in line 4. Remove it.',
    'open.md': 'The front matter is opened by +++ in line 1 and never closed by another +++.',
    'slug.md': 'articleData.slug: This value is already taken.',
    'toml.md': reasonsOf(report)['toml.md'],
    'yaml.md': reasonsOf(report)['yaml.md'],
  });
  assert.match(reasonsOf(report)['toml.md'] ?? '', /^The TOML front matter is not valid in line 3: /);
  assert.match(reasonsOf(report)['yaml.md'] ?? '', /^The YAML front matter is not valid in line 3: /);
  const lines = (await readFile(rejectedFile, 'utf8')).trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    report.rejections,
  );
});

test('an import does not publish articles that people are editing or have unpublished', async () => {
  const names = ['begun', 'review', 'taken-back', 'untouched'];
  const write = (body: string) =>
    Promise.all(names.map((name) => writePost(`${name}.md`, `+++\ntitle = "${name}"\n+++\n${body}`)));
  await write('one');
  await importFolder();
  const [begun, review, takenBack] = await Promise.all(names.map((name) => readArticle(`${name}.md`)));
  await patchArticle(begun.id, { versionData: { subtitle: 'a draft' } });
  await patchArticle(review.id, { versionData: { subtitle: 'a draft' } });
  await patchArticle(review.id, { versionData: { status: 'IN_REVIEW' } });
  await patchArticle(takenBack.id, { versionData: { status: 'UNPUBLISHED' } });
  await newEvents();
  assert.deepEqual(counts(await importFolder()), { created: 0, updated: 0, unchanged: 4, rejected: 0 });
  assert.deepEqual(await newEvents(), []);

  await write('two');
  const report = await importFolder();
  assert.deepEqual(counts(report), { created: 0, updated: 2, unchanged: 0, rejected: 2 });
  assert.deepEqual(await newEvents(), ['article.published', 'article.updated']);
  assert.match(reasonsOf(report)['begun.md'] ?? '', /draft in Trellis in addition to its published version/);
  assert.match(reasonsOf(report)['review.md'] ?? '', /IN_REVIEW/);
  const left = await readArticle('taken-back.md');
  assert.deepEqual([left.state, left.versionData.body], ['UNPUBLISHED', 'two']);
  assert.deepEqual(
    report.repairs.map(({ how }) => how),
    ['unpublished in Trellis since: not published again'],
  );
  assert.equal((await importFolder()).updated, 0);
});

test('a future date schedules, a draft stays a draft, an expired post is not published', async () => {
  const nextYear = new Date(Date.now() + 365 * 86_400_000).toISOString();
  await writePost('later.md', `---\ntitle: Later\ndate: ${nextYear}\n---\n`);
  await writePost('expired.md', '---\ntitle: Over\nexpiryDate: 2020-01-01\n---\n');
  await writePost('until.md', `---\ntitle: Until\nexpiryDate: ${nextYear}\n---\n`);
  await writePost('draft.md', '---\ntitle: Draft\npublished: false\n---\n');
  await writePost('pending.md', '---\ntitle: Pending\nstatus: pending\n---\n');
  const report = await importFolder();
  assert.deepEqual(counts(report), { created: 5, updated: 0, unchanged: 0, rejected: 0 });
  const versions = new Map<string, Json>();
  for (const name of ['later', 'expired', 'until', 'draft', 'pending']) {
    versions.set(name, (await readArticle(`${name}.md`)).versionData);
  }
  assert.deepEqual(
    [...versions].map(([name, { status }]) => `${name} ${status}`),
    ['later SCHEDULED', 'expired DRAFT', 'until PUBLISHED', 'draft DRAFT', 'pending DRAFT'],
  );
  assert.equal(versions.get('later').scheduledFor, nextYear);
  assert.equal(versions.get('until').unpublishAt, nextYear);
  await newEvents();
  assert.equal((await importFolder()).unchanged, 5);
  assert.deepEqual(await newEvents(), []);
});

test('a dry run checks everything, shows the result, and writes nothing', async () => {
  await cp(samples, folder, { recursive: true });
  await writePost('bad.md', '+++\n');
  const report = await importFolder({ dryRun: true });
  assert.deepEqual(counts(report), { created: 5, updated: 0, unchanged: 0, rejected: 1 });
  assert.deepEqual(report.linked, { tags: 3, categories: 2 });
  assert.deepEqual(
    report.mapping.find(({ from }) => from === 'description'),
    {
      from: 'description',
      to: 'versionData.summary',
      meaning: 'A few sentences for lists.',
      rows: 1,
      example: 'What to carry inside.',
    },
  );
  assert.deepEqual(await newEvents(), []);
  await importFolder();
  await writePost('notes.markdown', 'changed');
  const later = await importFolder({ dryRun: true });
  assert.deepEqual(counts(later), { created: 0, updated: 1, unchanged: 4, rejected: 1 });
});

test('--map overrides the mapping of names', async () => {
  await writePost('a.md', '+++\ntitle = "A"\nkicker = "K"\nid = "post-1"\ntags = ["X"]\n+++\n');
  await writePost('b.md', '+++\ntitle = "B"\nid = "post-1"\n+++\n');
  const map = ['kicker=subtitle', 'id=externalId', 'tags=', 'kiker=summary'].map(readMapRule);
  const report = await importFolder({ map, concurrency: 1 });
  assert.deepEqual(counts(report), { created: 1, updated: 0, unchanged: 0, rejected: 1 });
  assert.deepEqual(reasonsOf(report), { 'b.md': 'externalId: "post-1" is also in an earlier row.' });
  assert.deepEqual(report.absentNames, ['kiker']);
  const { items } = (await server.call('GET', `/v1/sites/${siteId}/articles`)).json;
  assert.deepEqual([items[0].externalId, items[0].versionData.subtitle], ['post-1', 'K']);
  assert.deepEqual(items[0].articleData.tagIds, []);
});

test('the same folder can be imported into two sites', async () => {
  await writePost('a.md', '+++\ntitle = "A"\n+++\n');
  await importFolder();
  const other = (await server.call('POST', '/v1/sites', { body: { name: 'Two', key: `${siteKey}-two` } }))
    .json;
  assert.equal((await importFolder({ parents: { site: other.key } })).created, 1);
  assert.equal((await importFolder({ parents: { site: other.id } })).unchanged, 1);
  assert.equal((await importFolder({ parents: { site: 'two' } })).unchanged, 1, 'by its name');
});

test('wrong options are reported before anything is written', async () => {
  await writePost('a.md', '+++\ntitle = "A"\n+++\n');
  const cases: [Partial<PathImportOptions>, RegExp][] = [
    [{ resource: 'plants' }, /"plants" cannot be imported. The resources are: articles/],
    [{ parents: { site: `${siteKey.slice(0, -1)}_` } }, /there is no site/],
    [{ map: [readMapRule('a=titel')] }, /no field "titel". Did you mean "title"\?/],
    [{ path: join(folder, 'absent') }, /There is no file or folder/],
    [{ path: fileURLToPath(import.meta.url) }, /is not a table/],
    [{ rejectedFile: join(folder, 'absent', 'file') }, /--rejected: .* cannot be written/],
  ];
  for (const [options, message] of cases) {
    await assert.rejects(importFolder(options), (error: Error) => {
      assert.ok(error instanceof UsageError, error.message);
      assert.match(error.message, message);
      return true;
    });
  }
  assert.throws(() => readMapRule('title'), UsageError);
  assert.deepEqual(await newEvents(), []);
});

test('a missing permission is reported once, not for each row', async () => {
  await writePost('a.md', '+++\ntitle = "A"\n+++\n');
  await writePost('b.md', '+++\ntitle = "B"\n+++\n');
  await assert.rejects(importFolder({}, 'trl_pat_wrong'), ImportStopped);
  const scopes = allScopes.filter((scope) => scope !== 'articles:publish');
  const { token } = await createToken(server.database.worker, server.organization, server.ownerId, {
    scopes,
  });
  const report = await importFolder({ concurrency: 1 }, token);
  assert.match(report.stopped ?? '', /articles:publish/);
  assert.deepEqual([report.rows, report.rejected, exitCodeOf(report)], [0, 0, 1]);
});

test('the command prints a report, or JSON, and sets its exit code', async () => {
  await writePost('good.md', '+++\ntitle = "Good"\nmood = "fine"\n+++\n');
  const run = async (...words: string[]) => {
    const output: string[] = [];
    const command = importCommand({
      environment: { TRELLIS_URL: server.url, TRELLIS_TOKEN: server.token, TRELLIS_DATA_DIR: folder },
      stdout: (text) => output.push(text),
      stderr: () => assert.fail('nothing is shown where there is no terminal'),
      isTerminal: false,
    });
    // The program adds this option to all commands.
    command.option('--json').exitOverride();
    const rejected = join(folder, 'rejected.ndjson');
    const all = [folder, '--resource', 'articles', '--site', siteKey, '--rejected', rejected, ...words];
    const failure = await command.parseAsync(all, { from: 'user' }).then(
      () => null,
      (error: unknown) => error,
    );
    return { output: output.join(''), failure };
  };
  const preview = await run('--dry-run', '--map', 'mood=subtitle', '--map', 'x=summary');
  assert.equal(preview.failure, null);
  assert.match(preview.output, /^Dry run: nothing was written\. 1 row of /);
  assert.match(preview.output, /^ {2}mood +-> versionData\.subtitle +1 row, such as fine$/m);
  assert.match(preview.output, /Named in the options, but missing in all rows:\n {2}x\n/);
  assert.deepEqual(await newEvents(), []);
  const done = await run('--json');
  assert.equal(done.failure, null);
  assert.equal(JSON.parse(done.output).created, 1);
  await writePost('bad.md', '+++\n');
  const partly = await run();
  assert.ok(partly.failure instanceof SilentFailure, 'exit code 1');
  assert.match(partly.output, /Rejected:\n {2}bad\.md: The front matter is opened by /);
  for (const words of [
    ['--concurrency', '0'],
    ['--concurrency', 'many'],
    ['--map', 'title'],
    ['--url', 'here'],
  ]) {
    assert.ok((await run(...words)).failure instanceof UsageError, words.join(' '));
  }
});

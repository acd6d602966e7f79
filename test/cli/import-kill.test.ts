/**
 * Kills of an import of posts at random requests, each followed by another run: every article exists once, was created and
 * published once, and has its text byte for byte.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fastCheck from 'fast-check';
import { createImportRunner, type ImportRunner } from '../support/killed-import.ts';
import { chooseSeed } from '../support/seed.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';
import { amount } from '../support/soak.ts';

const posts = amount(30, 150);
const kills = amount(2, 3);
/** Minimum number of requests in each run, so that every kill happens during the run. */
const mostRequestsBeforeKill = amount(20, 90);

let server: TestServer;
let folder: string;
let runner: ImportRunner;
let siteId: string;

before(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'trellis-import-'));
  const site = await server.call('POST', '/v1/sites', { body: { name: 'Blog', key: 'blog' } });
  siteId = site.json.id;
  runner = await createImportRunner(server, folder, [
    'import',
    folder,
    '--resource',
    'articles',
    '--site',
    'blog',
  ]);
});
after(async () => {
  runner.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function readEvents(): Promise<string[]> {
  const rows = await server.database.worker.run(
    `SELECT type, subject_id, subject_version FROM trellis.outbox
     UNION ALL SELECT type, subject_id, subject_version FROM trellis.events
     ORDER BY type, subject_id, subject_version`,
  );
  return rows.map((row) => row.join(' '));
}

/** The subjects of the events of a type, one for each event, so that duplicates are detected. */
function subjectsOf(events: readonly string[], type: string): string[] {
  return events.filter((event) => event.startsWith(`${type} `)).map((event) => event.split(' ')[1] ?? '');
}

async function readArticles(): Promise<Map<string, Json>> {
  const articles = new Map<string, Json>();
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Json = (await server.call('GET', `/v1/sites/${siteId}/articles?limit=100${query}`)).json;
    for (const article of page.items) articles.set(article.externalId, article);
    cursor = page.pageInfo.nextCursor;
  } while (cursor !== null);
  return articles;
}

test(`an import that is killed ${kills} times ends with exactly the right records`, async (context) => {
  const seed = chooseSeed(context);
  const body = fastCheck.array(
    fastCheck.oneof(
      fastCheck.string({ unit: 'binary', maxLength: 40 }).map((part) => part.replaceAll('\0', '')),
      fastCheck.constantFrom('\r\n', '\n', '  \n', '\t', '+++\n', '---\n', '\u{1FAB4}', 'a\u0308'),
    ),
    { maxLength: 30 },
  );
  const bodies = fastCheck.sample(body, { seed, numRuns: posts }).map((parts) => parts.join(''));
  for (const [index, content] of bodies.entries()) {
    const head = `title = "Post ${index}"\ntags = ["Tag ${index % 7}", "All"]\ndate = 2021-01-01\n`;
    await writeFile(join(folder, `post-${index}.md`), `+++\n${head}+++\n${content}`);
  }
  const requests = fastCheck.sample(fastCheck.integer({ min: 1, max: mostRequestsBeforeKill }), {
    seed,
    numRuns: kills,
  });
  context.diagnostic(`killed at the requests ${requests.join(', ')}`);
  for (const number of requests) assert.equal(await runner.killed(number), 'SIGKILL');

  const report = await runner.whole();
  assert.deepEqual([report.rows, report.rejected, report.stopped], [posts, 0, null]);

  const articles = await readArticles();
  assert.equal(articles.size, posts);
  for (const [index, content] of bodies.entries()) {
    const article = articles.get(`blog/post-${index}.md`);
    assert.equal(article.versionData.body, content, `post ${index}`);
    assert.equal(article.state, 'PUBLISHED');
    assert.equal(article.versionData.versionNumber, 1);
    assert.equal(article.articleData.tagIds.length, 2);
  }
  const events = await readEvents();
  for (const type of ['article.created', 'article.published']) {
    const subjects = subjectsOf(events, type);
    assert.equal(subjects.length, posts, type);
    assert.equal(new Set(subjects).size, posts, type);
  }
  assert.equal(subjectsOf(events, 'article.updated').length, 0);
  assert.equal(subjectsOf(events, 'tag.created').length, 8);

  const again = await runner.whole();
  assert.deepEqual([again.unchanged, again.created, again.updated, again.rejected], [posts, 0, 0, 0]);
  assert.deepEqual(await readEvents(), events);
});

/**
 * An import is killed three times, at requests drawn at random, and run again: every article is there once, made and
 * published once, with its text byte for byte.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import fastCheck from 'fast-check';
import { startProgram } from '../support/program.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';

const posts = 150;
const kills = 3;
/** Each run has at least so many requests before it, so that every kill hits one that is under way. */
const mostRequestsBeforeKill = 90;

let server: TestServer;
let folder: string;
let proxy: Server;
let siteId: string;
/** Called with every request when the server has it and the importer has no answer yet. */
let onRequest: () => void = () => undefined;

before(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'trellis-import-'));
  const site = await server.call('POST', '/v1/sites', { body: { name: 'Blog', key: 'blog' } });
  siteId = site.json.id;
  proxy = createServer((incoming, outgoing) => {
    const { method, headers } = incoming;
    const forwarded = request(`${server.url}${incoming.url}`, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    // A killed importer closes its side; a whole request is still carried out, half of one is not sent on.
    incoming.on('close', () => {
      if (!incoming.complete) forwarded.destroy();
    });
    outgoing.on('error', () => undefined);
    forwarded.on('error', () => outgoing.destroy());
    forwarded.on('finish', () => onRequest());
    incoming.pipe(forwarded);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
});
after(async () => {
  proxy.close();
  proxy.closeAllConnections();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

function startImport() {
  const address = proxy.address();
  assert.ok(address !== null && typeof address === 'object');
  const words = [
    '--data-dir',
    folder,
    '--json',
    'import',
    folder,
    '--resource',
    'articles',
    '--site',
    'blog',
  ];
  const child = startProgram([
    ...words,
    '--url',
    `http://127.0.0.1:${address.port}`,
    '--token',
    server.token,
  ]);
  child.stderr.pipe(process.stderr);
  return child;
}

/** Runs an import and kills it once the server has got that many requests. */
async function killedImport(requests: number): Promise<NodeJS.Signals | null> {
  const child = startImport();
  let seen = 0;
  onRequest = () => {
    seen += 1;
    if (seen === requests) child.kill('SIGKILL');
  };
  await once(child, 'exit');
  onRequest = () => undefined;
  return child.signalCode;
}

async function wholeImport(): Promise<Json> {
  const child = startImport();
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  assert.equal(child.exitCode, 0, output);
  return JSON.parse(output);
}

async function readEvents(): Promise<string[]> {
  const rows = await server.database.worker.run(
    `SELECT type, subject_id, subject_version FROM trellis.outbox
     UNION ALL SELECT type, subject_id, subject_version FROM trellis.events
     ORDER BY type, subject_id, subject_version`,
  );
  return rows.map((row) => row.join(' '));
}

/** Subjects of the events of a type; as many as events, so that an event told twice shows. */
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

test(`an import that is killed ${kills} times ends exactly right`, async (context) => {
  const seed = Number(process.env.TRELLIS_TEST_SEED ?? Math.trunc(Math.random() * 2 ** 31));
  context.diagnostic(`seed ${seed} (repeat with TRELLIS_TEST_SEED=${seed})`);
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
  for (const number of requests) assert.equal(await killedImport(number), 'SIGKILL');

  const report = await wholeImport();
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

  const again = await wholeImport();
  assert.deepEqual([again.unchanged, again.created, again.updated, again.rejected], [posts, 0, 0, 0]);
  assert.deepEqual(await readEvents(), events);
});

/**
 * The demo content: every collection has some, and an interrupted first start leaves nothing incomplete or duplicated.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { access, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { makeDataDirectory } from '../support/folders.ts';
import {
  type ServingProgram,
  settingsOf,
  startProgram,
  startRunning,
  startServing,
} from '../support/program.ts';
import type { Json } from '../support/server.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let dataDir: string;
let server: ServingProgram;
let demo: Json;
before(async () => {
  database = await createTestDatabase({ poolSize: 2 });
  dataDir = await makeDataDirectory('demo');
  server = await startServing(wordsFor(dataDir), environmentFor(database));
  demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'));
});
after(async () => {
  await server.end('SIGTERM');
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

function wordsFor(folder: string): string[] {
  return ['--demo', '--port', '0', '--data-dir', folder];
}

function environmentFor(own: TestDatabase): Record<string, string> {
  return { ...settingsOf(own), TRELLIS_LOG_LEVEL: 'silent' };
}

/** A GET of the demo's API; retries when the server is busy. */
async function get(path: string): Promise<Json> {
  const headers = { authorization: `Bearer ${demo.token}` };
  return until(`a response to ${path}`, async () => {
    const response = await fetch(`${demo.baseUrl}/v1${path}`, { headers });
    const json = (await response.json()) as Json;
    if (response.status === 503) return null;
    assert.equal(response.status, 200, JSON.stringify(json));
    return json;
  });
}

async function list(path: string): Promise<Json[]> {
  const { items } = await get(`${path}?limit=100`);
  assert.ok(items.length > 0, `${path} shows nothing`);
  return items;
}

/** The record with an externalId in a list. */
async function one(path: string, externalId: string): Promise<Json> {
  const { items } = await get(`${path}?externalId=${externalId}`);
  assert.equal(items.length, 1, externalId);
  return items[0];
}

async function readyFiles(): Promise<Json[]> {
  return until('the extraction of all texts', async () => {
    const files = await list('/knowledge-files');
    return files.every(({ status }) => status === 'READY') ? files : null;
  });
}

test('every collection of the demo has records, and search finds them', async () => {
  await readyFiles();
  const digest = await one('/magazines', 'demo-magazine-digest');
  const site = `/sites/${demo.siteId}`;
  for (const [collection, query, title] of [
    ['/sites', 'rust', 'Rust Blog (sample)'],
    [`${site}/categories`, 'security', 'Security'],
    [`${site}/tags`, 'advisory', 'advisory'],
    [`${site}/articles`, 'announcing regex', 'Announcing regex 1.9'],
    ['/books', 'asimov empire', 'Foundation and Empire'],
    ['/magazines', 'proc acm program', 'Proceedings of the ACM on Programming Languages'],
    [`/magazines/${digest.id}/issues`, 'goodbye', 'Saying goodbye'],
    ['/knowledge-files', 'half page landscape', 'Advertising rates'],
    ['/crm/companies', 'lantern', 'Example Lantern Books'],
    ['/crm/contacts', 'elizabeth bennet', 'Elizabeth Bennet'],
  ] as const) {
    await list(collection);
    const found = await get(`${collection}/search?query=${encodeURIComponent(query)}`);
    const titles = found.items.map((hit: Json) => hit.title);
    assert.ok(titles.includes(title), `${query} in ${collection} found ${JSON.stringify(titles)}`);
  }
});

test('the books have several statuses and distinct valid ISBNs', async () => {
  const books = await list('/books');
  assert.deepEqual([...new Set(books.map(({ status }) => status))].sort(), [
    'DRAFT',
    'PUBLISHED',
    'UNPUBLISHED',
  ]);
  const forthcoming = books.filter(({ tradeStatus }) => tradeStatus === 'FORTHCOMING');
  assert.deepEqual(
    forthcoming.map(({ title, publicationDate }) => [title, publicationDate]),
    [['Scribbler Moon', '2114']],
  );
  for (const { title, isbn13, contributors } of books) {
    assert.ok(contributors.length > 0, title);
    assert.ok(isbn13 !== null || title === 'Scribbler Moon', title);
  }
  // As printed in the books.
  const { items } = await get('/books?isbn13=978-0-14-143947-1');
  assert.deepEqual([items[0]?.title, items[0]?.isbn10], ['Frankenstein', '0141439475']);
});

test('one issue was published with its articles, and the next one can be', async () => {
  const digest = await one('/magazines', 'demo-magazine-digest');
  const collection = `/magazines/${digest.id}/issues`;
  const out = await one(collection, 'demo-issue-digest-1');
  assert.equal(out.status, 'PUBLISHED');
  const articles: Json[] = await Promise.all(
    out.contents.map(({ articleId }: Json) => get(`/sites/${demo.siteId}/articles/${articleId}`)),
  );
  assert.deepEqual(
    articles.map(({ state }) => state),
    ['PUBLISHED', 'PUBLISHED', 'PUBLISHED'],
  );
  // One had been published before; the others were published at the same time as the issue.
  const together = articles.filter(({ versionData }) => versionData.publishedAt === out.updatedAt);
  assert.deepEqual(together.map(({ externalId }) => externalId).sort(), [
    'Rustup-1.27.1',
    'mdbook-security-advisory',
  ]);
  const next = await one(collection, 'demo-issue-digest-2');
  assert.equal(next.status, 'IN_PRODUCTION');
  const waiting = await get(`/sites/${demo.siteId}/articles/${next.contents[0].articleId}`);
  assert.equal(waiting.versionData.status, 'APPROVED');
});

test('files of three types and visibilities are extracted soon after the start', async () => {
  const files = await readyFiles();
  assert.deepEqual(files.map(({ mediaType, visibility }) => `${mediaType} ${visibility}`).sort(), [
    'application/pdf PRIVATE',
    'text/csv RESTRICTED',
    'text/markdown ORGANIZATION',
  ]);
  const { items } = await get('/knowledge-files/search?query=cancellation');
  assert.deepEqual(
    items.map((hit: Json) => [hit.title, hit.highlights[0]?.page]),
    [['Printing agreement', 2]],
  );
});

test('contacts belong to companies and are found by a phone number in any notation', async () => {
  for (const notation of ['+442079460123', '0044 (0)20 7946-0123', '+44 20 79 46 01 23']) {
    const { items } = await get(`/crm/contacts?phone=${encodeURIComponent(notation)}`);
    assert.deepEqual(
      items.map(({ displayName }: Json) => displayName),
      ['Elizabeth Bennet'],
    );
  }
  const group = await one('/crm/companies', 'demo-company-group');
  const below = await get(`/crm/companies?parentCompanyId=${group.id}`);
  assert.deepEqual(
    below.items.map(({ name }: Json) => name),
    ['Example Lantern Books'],
  );
  const people = await get(`/crm/contacts?companyId=${below.items[0].id}`);
  assert.equal(people.items.length, 2);
});

test('all addresses and phone numbers are reserved for examples', async () => {
  const parties = [...(await list('/crm/contacts')), ...(await list('/crm/companies'))];
  const domains = parties.flatMap(({ emails = [], domains = [] }) => [
    ...emails.map(({ address }: Json) => address.split('@')[1]),
    ...domains,
  ]);
  // RFC 2606; Ofcom, the Bundesnetzagentur and the North American plan keep these numbers free for drama.
  for (const domain of domains) assert.match(domain, /^(?:[a-z]+\.)*example\.(?:com|net|org)$/);
  const numbers = parties.flatMap(({ phones }) => phones.map(({ e164 }: Json) => e164));
  for (const number of numbers)
    assert.match(number, /^(?:\+4420794600?\d+|\+493023125\d{3}|\+1\d{3}55501\d\d)$/);
});

/**
 * Rows of every table. Each start that makes the demo makes tokens of its own, which nobody gets to see but the last one's:
 * they, their events and what finds them are left out.
 */
async function countRows(admin: pg.Client): Promise<Record<string, number>> {
  const { rows } = await admin.query(
    // Events move from the outbox to the log, so both are counted together.
    `SELECT tablename AS name FROM pg_tables
     WHERE schemaname = 'trellis' AND tablename !~ '^(tokens|outbox|event)' ORDER BY 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of rows) {
    const condition = name === 'search_records' ? `WHERE type <> 'token'` : '';
    const { rows: counted } = await admin.query(
      `SELECT count(*)::integer AS rows FROM trellis.${name} ${condition}`,
    );
    counts[name] = counted[0].rows;
  }
  const { rows: logged } = await admin.query(
    `SELECT (SELECT count(*) FROM trellis.outbox WHERE subject_type <> 'token')
      + (SELECT count(*) FROM trellis.events WHERE subject_type <> 'token') AS rows`,
  );
  counts.events = Number(logged[0].rows);
  return counts;
}

/** Makes every write after the first `demo_gate.writes` wait for the lock that the test holds. */
const gate = `
  CREATE TABLE public.demo_gate (writes integer);
  INSERT INTO public.demo_gate VALUES (0);
  CREATE FUNCTION public.wait_at_gate() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      IF (SELECT count(*) FROM trellis.idempotency_keys) >= (SELECT writes FROM public.demo_gate) THEN
        PERFORM pg_advisory_xact_lock_shared(4711);
      END IF;
      RETURN NEW;
    END $$;
  CREATE TRIGGER demo_gate BEFORE INSERT ON trellis.idempotency_keys
    FOR EACH ROW EXECUTE FUNCTION public.wait_at_gate()`;

test('a demo that was killed at any point is completed by the next start, with the same result', async () => {
  await readyFiles();
  const undisturbed = new pg.Client({ connectionString: database.adminUrl });
  const own = await createTestDatabase({ poolSize: 2 });
  const folder = await makeDataDirectory('demo');
  const admin = new pg.Client({ connectionString: own.adminUrl });
  try {
    await Promise.all([undisturbed.connect(), admin.connect()]);
    const expected = await countRows(undisturbed);
    const writes = expected.idempotency_keys ?? 0;
    assert.ok(writes > 60, String(writes));
    await admin.query(gate);
    for (const [index, stop] of [1, 0.4, 0.7, 0.95].entries()) {
      const reached = stop === 1 ? 1 : Math.floor(writes * stop);
      await admin.query('UPDATE public.demo_gate SET writes = $1', [reached]);
      await killWhileWaiting(own, admin, folder, index % 2 === 0);
      const { rows } = await admin.query('SELECT count(*)::integer AS made FROM trellis.idempotency_keys');
      assert.equal(rows[0].made, reached + (index % 2));
    }
    // A killed process keeps the leases of its jobs, for minutes; the test does not wait for them.
    for (const jobs of ['extraction_jobs', 'search_marks'])
      await admin.query(`UPDATE trellis.${jobs} SET available_at = now()`);
    const last = await startServing(wordsFor(folder), environmentFor(own));
    try {
      const counts = await until('the same counts', async () => {
        const current = await countRows(admin);
        return current.extraction_jobs === 0 && current.search_marks === 0 ? current : null;
      });
      assert.deepEqual(counts, expected);
    } finally {
      assert.equal(await last.end('SIGTERM'), 0);
    }
  } finally {
    await Promise.all([undisturbed.end(), admin.end()]);
    await own.drop();
    await rm(folder, { recursive: true, force: true });
  }
});

test('whoever starts the demo reads a few words until it is ready, and no log; a chosen level logs as usual', async () => {
  // Its own, so that the only node of it logs that it becomes the relay.
  const own = await createTestDatabase({ poolSize: 2 });
  const folder = await makeDataDirectory('demo');
  try {
    for (const [level, creating, log] of [
      [{}, ['Creating the content of the demo …'], /^$/],
      [{ TRELLIS_LOG_LEVEL: 'info' }, [], /^\{"level":30,/],
    ] as const) {
      const running = startRunning(['serve', ...wordsFor(folder)], { ...settingsOf(own), ...level });
      try {
        await until('it is ready', () => running.lines.includes('Press Ctrl-C to stop.'));
        const shown = running.lines.slice(0, running.lines.indexOf(''));
        assert.deepEqual(shown, ['Starting the database …', 'Starting the server …', ...creating]);
      } finally {
        assert.equal(await running.end('SIGTERM'), 0);
      }
      assert.match(running.said(), log);
    }
  } finally {
    await own.drop();
    await rm(folder, { recursive: true, force: true });
  }
});

/** Starts, waits until a write waits at the gate, and kills. That write is lost, or committed without a response. */
async function killWhileWaiting(
  own: TestDatabase,
  admin: pg.Client,
  folder: string,
  isLost: boolean,
): Promise<void> {
  await admin.query('SELECT pg_advisory_lock(4711)');
  const child = startProgram(['serve', ...wordsFor(folder)], environmentFor(own));
  child.stdout.resume();
  child.stderr.resume();
  const exited = once(child, 'exit');
  const others = `FROM pg_stat_activity WHERE datname = '${own.name}' AND application_name LIKE 'trellis%'
    AND application_name <> 'trellis test'`;
  try {
    await until('a write at the gate', async () => {
      assert.equal(child.exitCode, null, 'it ended by itself');
      const { rows } = await admin.query(`SELECT pid ${others} AND wait_event = 'advisory'`);
      return rows.length > 0 ? rows : null;
    });
  } finally {
    child.kill('SIGKILL');
    await exited;
    if (isLost) await admin.query(`SELECT pg_terminate_backend(pid) ${others}`);
    await admin.query('SELECT pg_advisory_unlock(4711)');
  }
  await assert.rejects(access(join(folder, 'demo.json')), { code: 'ENOENT' });
  await until('the end of what the killed process had sent', async () => {
    const { rows } = await admin.query(`SELECT pid ${others}`);
    return rows.length === 0 ? rows : null;
  });
}

/**
 * Backups and restores that are killed while the installation is written to: nothing incomplete is taken for a backup or for
 * an installation, and what is restored is one moment of the original.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { passphrase, readRows } from '../support/backups.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { makeDataDirectory } from '../support/folders.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { type ServingProgram, settingsOf, startProgram, startServing } from '../support/program.ts';
import { chooseSeed, seededNumbers } from '../support/seed.ts';
import { amount } from '../support/soak.ts';
import { until } from '../support/until.ts';

const kills = amount(3, 20);
const workers = 12;
const common = { TRELLIS_CONSOLE: 'off', TRELLIS_BACKUP_PASSPHRASE: passphrase, TRELLIS_LOG_LEVEL: 'silent' };

let database: TestDatabase;
let folder: string;
let server: ServingProgram;
let token: string;
let settings: Record<string, string>;
before(async () => {
  database = await createTestDatabase({ poolSize: 2 });
  folder = await makeDataDirectory('backups');
  settings = {
    ...settingsOf(database),
    ...common,
    TRELLIS_FILES_DIR: join(folder, 'files'),
    TRELLIS_RATE_LIMIT_TOKEN: '0',
    TRELLIS_RATE_LIMIT_ORGANIZATION: '0',
  };
  const organization = await createOrganization(database.worker, 'backups');
  const owner = await createMember(database.worker, organization, 'OWNER');
  token = (await createToken(database.worker, organization, owner)).token;
  server = await startServing(['--port', '0', '--data-dir', folder], settings);
});
after(async () => {
  await server?.end('SIGTERM');
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

/** A write: when it was sent, and when its response arrived (never: infinity). */
interface Write {
  readonly title: string;
  readonly sentAt: number;
  doneAt: number;
}

/** Creates books and contents one after the other, in several workers, until `stop`. */
function startWrites(context: TestContext): { readonly writes: readonly Write[]; stop(): Promise<void> } {
  const writes: Write[] = [];
  let stopping = false;
  context.after(() => {
    stopping = true;
  });
  async function work(worker: number): Promise<void> {
    for (let number = 0; !stopping; number += 1) {
      const write: Write = {
        title: `${worker} ${number}`,
        sentAt: performance.now(),
        doneAt: Number.POSITIVE_INFINITY,
      };
      writes.push(write);
      const isFile = number % 20 === 19;
      const body = isFile ? { name: write.title, content: `content ${write.title}` } : { title: write.title };
      const key = write.title.replace(' ', '-');
      for (;;) {
        const response = await fetch(`${server.url}/v1/${isFile ? 'knowledge-files' : 'books'}`, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'idempotency-key': key,
          },
        });
        const received = await response.text();
        if (response.status === 201) break;
        assert.ok(response.status === 503 || response.status === 409, received);
        await sleep(20);
      }
      write.doneAt = performance.now();
    }
  }
  const running = Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  return {
    writes,
    async stop() {
      stopping = true;
      await running;
    },
  };
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line as a process. @param killAfterMs when it is killed; absent: never */
async function run(
  words: readonly string[],
  environment: Record<string, string>,
  killAfterMs?: number,
): Promise<Ended> {
  const child = startProgram(words, environment);
  const exited = once(child, 'exit');
  const outputs = Promise.all([text(child.stdout), text(child.stderr)]);
  if (killAfterMs !== undefined) {
    await Promise.race([sleep(killAfterMs), exited]);
    child.kill('SIGKILL');
  }
  await exited;
  const [stdout, stderr] = await outputs;
  return { code: child.exitCode, stdout, stderr };
}

async function valuesOf(url: string, query: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<string[]>({ text: query, rowMode: 'array' })).rows.map(
      ([value]) => value ?? '',
    );
  } finally {
    await client.end();
  }
}

/** The rows are those of one moment: no write is there that was sent after one was acknowledged that is not. */
async function checkMoment(
  adminUrl: string,
  writes: readonly Write[],
  startedAt: number,
  endedAt: number,
): Promise<void> {
  const titles = new Set(
    await valuesOf(
      adminUrl,
      'SELECT title FROM trellis.books UNION ALL SELECT name FROM trellis.knowledge_files',
    ),
  );
  const included = writes.filter(({ title }) => titles.has(title));
  const others = writes.filter(({ title }) => !titles.has(title));
  assert.equal(included.length, titles.size, 'something else was restored');
  const lastSent = Math.max(...included.map(({ sentAt }) => sentAt));
  const firstDone = Math.min(...others.map(({ doneAt }) => doneAt));
  assert.ok(lastSent <= firstDone, `${lastSent - firstDone} ms between writes of two moments`);
  assert.ok(firstDone >= startedAt, 'a write from before the backup is missing');
  assert.ok(lastSent <= endedAt, 'a write from after the backup is there');
  // Each write is one record, one event (in the outbox or in the log) and one stored response.
  const [events = ''] = await valuesOf(
    adminUrl,
    `SELECT (SELECT count(*) FROM trellis.outbox WHERE type IN ('book.created', 'knowledge-file.created'))
       + (SELECT count(*) FROM trellis.events WHERE type IN ('book.created', 'knowledge-file.created'))`,
  );
  const [responses = ''] = await valuesOf(adminUrl, 'SELECT count(*) FROM trellis.idempotency_keys');
  assert.deepEqual([Number(events), Number(responses)], [titles.size, titles.size]);
  const [gaps = ''] = await valuesOf(
    adminUrl,
    `SELECT count(*) FROM trellis.event_positions p WHERE position <>
       (SELECT count(*) FROM trellis.events e WHERE e.organization_id = p.organization_id)`,
  );
  assert.equal(Number(gaps), 0, 'the positions of the log are those of another moment');
}

test(`a backup under writes is killed ${kills} times, then made; a restore is killed ${kills} times, then completed`, async (context) => {
  const random = seededNumbers(chooseSeed(context));
  const { writes, stop } = startWrites(context);
  await until('writes', () => writes.length > 300);
  const measuredAt = performance.now();
  const probe = join(folder, 'probe');
  const first = await run(['backup', probe], settings);
  assert.equal(first.code, 0, first.stderr);
  const durationMs = performance.now() - measuredAt;
  let killed = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const place = join(folder, `killed-${kill}`);
    const { code } = await run(['backup', place], settings, random() * durationMs);
    const verified = await run(['restore', place, '--verify'], settings);
    if (code === 0) {
      assert.equal(verified.code, 0, verified.stderr);
      continue;
    }
    killed += 1;
    // The manifest may have been stored just before the kill.
    if (verified.code === 0) continue;
    assert.match(verified.stderr, /no complete backup|holds no backup/);
  }
  assert.ok(killed > 0, 'no backup was killed');

  const place = join(folder, 'whole');
  const startedAt = performance.now();
  const already = writes.length;
  const made = await run(['backup', place, '--json'], settings);
  const endedAt = performance.now();
  assert.equal(made.code, 0, made.stderr);
  const perSecond = Math.round(((writes.length - already) * 1_000) / (endedAt - startedAt));
  context.diagnostic(
    `${killed} backups killed; ${perSecond} writes a second during the backup of ${made.stdout.trim()}`,
  );
  await until('writes after the backup', () => writes.some(({ sentAt }) => sentAt > endedAt));
  await stop();

  const target = await createTestDatabase({ poolSize: 1 });
  context.after(() => target.drop());
  const restored = {
    ...common,
    TRELLIS_DATABASE_OWNER_URL: target.urls.owner,
    TRELLIS_FILES_DIR: join(folder, 'restored'),
  };
  const empty = await readRows(target.adminUrl);
  let interrupted = 0;
  let isComplete = false;
  for (let kill = 0; kill < kills && !isComplete; kill += 1) {
    const { code } = await run(['restore', place], restored, random() * durationMs);
    await until('the connection of the killed process to end', async () => {
      const [open] = await valuesOf(
        target.adminUrl,
        `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'trellis_owner'`,
      );
      return Number(open) === 0;
    });
    const rows = await readRows(target.adminUrl);
    const marks = await valuesOf(
      target.adminUrl,
      `SELECT name FROM trellis.migrations WHERE name = 'restore'`,
    );
    isComplete = rows.organizations !== empty.organizations;
    assert.ok(isComplete || code !== 0);
    assert.equal(isComplete && marks.length > 0, false, 'a complete installation is marked as incomplete');
    if (isComplete) break;
    assert.deepEqual(rows, empty, 'a part was restored');
    if (marks.length === 0) continue;
    interrupted += 1;
    // On a busy machine, connecting may take longer than the five seconds that a server waits for it.
    const served = await until('a server that has reached the database', async () => {
      const ended = await run(['serve', '--port', '0', '--data-dir', join(folder, 'other')], {
        ...settings,
        ...settingsOf(target),
      });
      return /cannot be reached/.test(ended.stderr) ? null : ended;
    });
    assert.equal(served.code, 1);
    assert.match(served.stderr, /database is incomplete/);
  }
  context.diagnostic(`${interrupted} restores interrupted`);
  if (!isComplete) {
    const completed = await run(['restore', place], restored);
    assert.equal(completed.code, 0, completed.stderr);
    assert.match(completed.stdout, /^TRELLIS_CURSOR_KEY=(07){32}$/m);
  }
  await checkMoment(target.adminUrl, writes, startedAt, endedAt);
  await checkContents(target, join(folder, 'restored'));
});

/** A server on the restored database and its files sends each content. */
async function checkContents(target: TestDatabase, files: string): Promise<void> {
  const restored = await startServing(['--port', '0', '--data-dir', join(folder, 'other')], {
    ...settings,
    ...settingsOf(target),
    TRELLIS_FILES_DIR: files,
  });
  try {
    const headers = { authorization: `Bearer ${token}` };
    const list = await fetch(`${restored.url}/v1/knowledge-files?limit=100`, { headers });
    const { items } = (await list.json()) as { items: { id: string; name: string }[] };
    assert.ok(items.length > 0);
    for (const { id, name } of items) {
      const content = await fetch(`${restored.url}/v1/knowledge-files/${id}/content`, { headers });
      assert.equal(await content.text(), `content ${name}`);
    }
  } finally {
    await restored.end('SIGTERM');
  }
}

/** `trellis upgrade --check`: migrations of a later release, which is a copy of the product, rehearsed on backups of this one. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, test } from 'node:test';
import { manifestPlace } from '@trellis/server/features/backup/archive.ts';
import { requireSpace } from '@trellis/server/features/backup/rehearsal.ts';
import { createLocalStore } from '@trellis/server/kernel/objects/local-store.ts';
import { openArchive, passphrase, readRows } from '../support/backups.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createMember, createOrganization } from '../support/identities.ts';
import { copyProduct } from '../support/product-copy.ts';
import { cleanEnvironment, type ProgramResult, runCommand, settingsOf } from '../support/program.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let folder: string;
/** The later release. */
let copy: string;
let environment: Record<string, string>;
/** Where copies are made; nothing else is there. */
let work: string;
let place: string;

before(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'trellis-upgrade-'));
  copy = await copyProduct(['package.json']);
  work = join(folder, 'work');
  place = join(folder, 'backups', 'first');
  await mkdir(work);
  environment = {
    ...settingsOf(database),
    TRELLIS_BACKUP_PASSPHRASE: passphrase,
    TRELLIS_DATA_DIR: join(folder, 'data'),
  };
  await createMember(database.worker, await createOrganization(database.worker, 'acme'), 'OWNER');
  const made = await runCommand(['backup', place], environment);
  assert.equal(made.code, 0, made.stderr);
});
after(async () => {
  await database?.drop();
  for (const path of [folder, copy]) await rm(path, { recursive: true, force: true });
});
beforeEach(async () => {
  await rm(join(copy, 'sql'), { recursive: true });
  await cp(join(import.meta.dirname, '../../sql'), join(copy, 'sql'), { recursive: true });
});

/** Makes the copy a release with these migrations. @param column what its schema has of the column that they add */
async function release(
  migrations: Readonly<Record<string, string>>,
  column = '  floor text,\n',
): Promise<void> {
  await mkdir(join(copy, 'sql/migrations'));
  for (const [name, sql] of Object.entries(migrations))
    await writeFile(join(copy, 'sql/migrations', name), sql);
  const schema = join(copy, 'sql/schema/01_organizations.sql');
  const begin = 'CREATE TABLE trellis.organizations (\n';
  const sql = await readFile(schema, 'utf8');
  assert.ok(sql.includes(begin));
  await writeFile(schema, sql.replace(begin, `${begin}${column}`));
}

function start(...words: readonly string[]) {
  return spawn(
    process.execPath,
    [join(copy, 'packages/server/src/main.ts'), 'upgrade', '--check', place, '--work-dir', work, ...words],
    // The later release has neither the settings nor the address of the database.
    {
      env: cleanEnvironment({ TRELLIS_BACKUP_PASSPHRASE: passphrase }),
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: folder,
    },
  );
}

async function check(...words: readonly string[]): Promise<ProgramResult> {
  const child = start(...words);
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ]);
  assert.deepEqual(await readdir(work), [], 'the copy is removed');
  return { code, stdout, stderr, json: () => JSON.parse(stdout) };
}

const addFloor = 'ALTER TABLE trellis.organizations ADD COLUMN floor text;';

test('migrations that can be applied are told with their time, locks, rewrites and space', async () => {
  const before = await readRows(database.adminUrl);
  await release({
    '0001_floor.sql': addFloor,
    '0002_wide.sql': `ALTER TABLE trellis.organizations ALTER COLUMN floor TYPE varchar(10);
      ALTER TABLE trellis.organizations ALTER COLUMN floor TYPE text;
      ALTER TABLE trellis.users ALTER COLUMN name TYPE text USING name || '';`,
    '0003_index.sql': 'CREATE INDEX tags_test ON trellis.tags (organization_id, name) WHERE false;',
  });
  await writeFile(
    join(copy, 'sql/schema/19_test.sql'),
    'CREATE INDEX tags_test ON trellis.tags (organization_id, name) WHERE false;',
  );
  const found = await check('--json');
  assert.equal(found.code, 0, found.stderr);
  const { backup, pending, migrations, failed, differences, databaseBytes, additionalBytes } = found.json();
  assert.equal(backup.place, place);
  assert.deepEqual(pending, ['0001_floor.sql', '0002_wide.sql', '0003_index.sql']);
  assert.deepEqual([failed, differences], [null, []]);
  assert.ok(migrations.every(({ ms }: { ms: number }) => Number.isInteger(ms) && ms >= 0));
  assert.ok(databaseBytes > 1_000_000 && additionalBytes >= 0);
  assert.deepEqual(
    migrations.map(({ ms, ...others }: { ms: number }) => others),
    [
      { name: '0001_floor.sql', blocksReads: ['organizations'], blocksWrites: [], rewrites: [] },
      {
        name: '0002_wide.sql',
        blocksReads: ['organizations', 'users'],
        blocksWrites: [],
        rewrites: ['organizations', 'users'],
      },
      { name: '0003_index.sql', blocksReads: [], blocksWrites: ['tags'], rewrites: [] },
    ],
  );
  assert.deepEqual(await readRows(database.adminUrl), before);

  const printed = await check();
  assert.equal(printed.code, 0, printed.stderr);
  assert.match(
    printed.stdout,
    /^Backup .*first, made at \S+ by release 0\.1\.0\.\nMissing migrations: 0001_floor/,
  );
  assert.match(printed.stdout, /\n0001_floor\.sql +\d+ +organizations\n/);
  assert.match(
    printed.stdout,
    /in addition\.\nThe migrated copy is like a new database of this release\.\n$/,
  );
});

test('a migration that fails is named with the reason, and so is what differs from a new database', async () => {
  await release({ '0001_floor.sql': addFloor, '0002_twice.sql': addFloor });
  const failing = await check('--json');
  assert.equal(failing.code, 1);
  assert.deepEqual(
    [failing.json().failed, failing.json().migrations.length],
    [{ name: '0002_twice.sql', reason: 'column "floor" of relation "organizations" already exists' }, 1],
  );
  const printed = await check();
  assert.deepEqual([printed.code, printed.stderr], [1, '']);
  assert.match(
    printed.stdout,
    /\n0002_twice\.sql failed: column "floor" of relation "organizations" already exists\n$/,
  );
  await rm(join(copy, 'sql/migrations/0002_twice.sql'));
  await rm(join(copy, 'sql/schema'), { recursive: true });
  await cp(join(import.meta.dirname, '../../sql/schema'), join(copy, 'sql/schema'), { recursive: true });
  const differing = await check();
  assert.equal(differing.code, 1);
  assert.match(
    differing.stdout,
    /differs from a new database of this release:\n\+ trellis\.organizations: floor text\n$/,
  );
});

/** Begins a rehearsal that does not end, and waits until a migration runs in it. */
async function startEndless(): Promise<ChildProcess> {
  await release({ '0001_floor.sql': `${addFloor} SELECT pg_sleep(600);` });
  const child = start('--verbose');
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdout.resume();
  await until('a migration runs', async () => stderr.includes('applying 0001_floor.sql'));
  return child;
}

test('a rehearsal that is stopped or killed leaves nothing', async () => {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const child = await startEndless();
    const [made] = await readdir(work);
    assert.ok(made);
    const pid = Number((await readFile(await findPostmaster(join(work, made)), 'utf8')).split('\n')[0]);
    child.kill(signal);
    const [code] = await once(child, 'exit');
    assert.equal(code, signal === 'SIGTERM' ? 1 : null);
    await until('the copy is removed', async () => (await readdir(work)).length === 0);
    await until('its server has ended', async () => !isAlive(pid));
    await rm(join(copy, 'sql/migrations'), { recursive: true });
    await rm(join(copy, 'sql/schema'), { recursive: true });
    await cp(join(import.meta.dirname, '../../sql/schema'), join(copy, 'sql/schema'), { recursive: true });
  }
});

/** The file with the id of the server's process, wherever its cluster is. */
async function findPostmaster(at: string): Promise<string> {
  const state = JSON.parse(await readFile(join(at, 'data', 'postgres.json'), 'utf8'));
  return join(state.cluster ?? join(at, 'data', 'postgres'), 'postmaster.pid');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('the latest backup of a folder is taken, and one with all migrations needs no copy', async () => {
  const second = join(folder, 'backups', 'second');
  await cp(place, second, { recursive: true });
  await mkdir(join(folder, 'backups', 'interrupted', 'objects'), { recursive: true });
  const of = (name: string) => join(folder, 'backups', name, 'objects', manifestPlace);
  await utimes(of('first'), new Date(), new Date(Date.now() - 60_000));
  const run = () =>
    runCommand(['upgrade', '--check', join(folder, 'backups'), '--work-dir', work], environment);
  const found = await run();
  assert.equal(found.code, 0, found.stderr);
  assert.match(found.stdout, /^Backup .*second, made at .*\nIt has all migrations of this release/);
  await utimes(of('second'), new Date(), new Date(Date.now() - 120_000));
  assert.match((await run()).stdout, /^Backup .*first, /);
  assert.deepEqual(await readdir(work), []);
  await rm(second, { recursive: true });
});

test('what cannot be rehearsed says why, before anything is copied', async () => {
  const none = join(folder, 'none');
  await mkdir(none);
  for (const [words, code, message] of [
    [[], 2, /missing required argument 'place'/],
    [[place], 2, /Use --check/],
    [['--check', none], 1, /none holds no backup/],
    [['--check', join(folder, 'absent')], 1, /absent holds no backup/],
  ] as const) {
    const refused = await runCommand(['upgrade', ...words], environment);
    assert.equal(refused.code, code, refused.stderr);
    assert.match(refused.stderr, message);
  }
  // The place first: a passphrase is of no use without a backup.
  const { TRELLIS_BACKUP_PASSPHRASE: _, ...without } = environment;
  assert.match((await runCommand(['upgrade', '--check', none], without)).stderr, /none holds no backup/);
  assert.match((await runCommand(['upgrade', '--check', place], without)).stderr, /passphrase/);
  await release({ '0001_floor.sql': addFloor });
  const absent = join(folder, 'no-disk');
  const refused = await check('--work-dir', absent);
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(refused.stderr, /ENOENT.*no-disk/);
});

test('without the space for a copy, nothing is copied', async () => {
  const store = await createLocalStore({ directory: place });
  try {
    const { manifest } = await openArchive(store);
    await requireSpace(manifest, work);
    const [table] = manifest.tables;
    assert.ok(table);
    const large = { ...manifest, tables: [{ ...table, bytes: 1e18 }] };
    await assert.rejects(
      requireSpace(large, work),
      /may need 4000000001\.1 GB, and .*work has .* --work-dir/,
    );
  } finally {
    await store.close();
  }
});

test('a backup of a later release is refused', async () => {
  await release({ '0001_floor.sql': addFloor });
  const store = await createLocalStore({ directory: place });
  try {
    const { manifest } = await openArchive(store);
    const { findPendingOf } = await import('@trellis/server/features/backup/rehearsal.ts');
    const later = {
      ...manifest,
      migrations: [...manifest.migrations, { name: '9999_later.sql', checksum: '' }],
    };
    await assert.rejects(findPendingOf(later), /9999_later\.sql, which this release does not know/);
    assert.deepEqual(await findPendingOf(manifest, `${copy}/`), ['0001_floor.sql']);
  } finally {
    await store.close();
  }
});

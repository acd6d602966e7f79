/** `trellis backup` and `trellis restore`: to a folder and to S3, what they print, and what they refuse. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { loadConfig } from '@trellis/server/kernel/config/config.ts';
import { makeRolePasswords, setUpDatabase } from '@trellis/server/kernel/database/setup.ts';
import { openForRestore } from '@trellis/server/node/installation.ts';
import pg from 'pg';
import { passphrase, readRows } from '../support/backups.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { makeDataDirectory } from '../support/folders.ts';
import { createMember, createOrganization } from '../support/identities.ts';
import { runCommand, runProgram, settingsOf } from '../support/program.ts';
import { type S3TestServer, startS3Server } from '../support/s3-server.ts';

let database: TestDatabase;
let folder: string;
let s3: S3TestServer;
let settings: Record<string, string>;
before(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'trellis-cli-backup-'));
  s3 = await startS3Server();
  settings = {
    ...settingsOf(database),
    TRELLIS_BACKUP_PASSPHRASE: passphrase,
    TRELLIS_DATA_DIR: join(folder, 'data'),
    TRELLIS_S3_ENDPOINT: s3.location.endpoint,
    TRELLIS_S3_REGION: s3.location.region,
    TRELLIS_S3_ACCESS_KEY_ID: s3.location.accessKey.id,
    TRELLIS_S3_SECRET_ACCESS_KEY: s3.location.accessKey.secret,
  };
  const organization = await createOrganization(database.worker, 'backed-up');
  await createMember(database.worker, organization, 'OWNER');
});
after(async () => {
  await s3?.close();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

/** The settings without some. */
function without(...names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !names.includes(name)));
}

/** A database as "trellis database setup" leaves it: with roles, and without a table. */
async function setUpEmpty(): Promise<{ ownerUrl: string; adminUrl: string; drop(): Promise<void> }> {
  const name = `trellis_test_${randomBytes(6).toString('hex')}`;
  await setUpDatabase(database.adminUrl, name, makeRolePasswords(), 'of new roles');
  const replace = (url: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  return {
    ownerUrl: replace(database.urls.owner),
    adminUrl: replace(database.adminUrl),
    async drop() {
      const client = new pg.Client({ connectionString: database.adminUrl });
      await client.connect();
      await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await client.end();
    },
  };
}

test('a backup in S3 is verified and restored into a database without tables, and its keys are printed', async (context) => {
  const place = `s3://${s3.location.bucket}/backups/first`;
  const made = await runCommand(['backup', place, '--json'], settings);
  assert.equal(made.code, 0, made.stderr);
  assert.equal(made.json().organizations, 1);
  assert.ok([...s3.objects.keys()].every((key) => key.startsWith('backups/first/')));
  const verified = await runCommand(['restore', place, '--verify', '--json'], settings);
  assert.equal(verified.code, 0, verified.stderr);
  const { sizeBytes, ...summary } = made.json();
  assert.ok(sizeBytes > 0);
  assert.deepEqual(verified.json(), summary);
  const again = await runCommand(['backup', place], settings);
  assert.deepEqual(
    [again.code, again.stderr],
    [1, 'There is a backup or an export already. Choose another place for this one.\n'],
  );

  const target = await setUpEmpty();
  context.after(() => target.drop());
  const keys = ['TRELLIS_CURSOR_KEY', 'TRELLIS_VISITOR_KEY', 'TRELLIS_DATABASE_URL'];
  const environment = {
    ...without(...keys, 'TRELLIS_DATABASE_WORKER_URL', 'TRELLIS_DATABASE_AUTH_URL'),
    TRELLIS_DATABASE_OWNER_URL: target.ownerUrl,
  };
  const other = await runCommand(['restore', place], { ...environment, TRELLIS_CURSOR_KEY: '09'.repeat(32) });
  assert.equal(other.code, 1);
  assert.match(other.stderr, /is not the one of the backup/);
  const restored = await runCommand(['restore', place], environment);
  assert.equal(restored.code, 0, restored.stderr);
  assert.match(restored.stdout, new RegExp(`^TRELLIS_CURSOR_KEY=${'07'.repeat(32)}$`, 'm'));
  assert.match(restored.stdout, new RegExp(`^TRELLIS_VISITOR_KEY=${'08'.repeat(32)}$`, 'm'));
  assert.deepEqual(await readRows(target.adminUrl), await readRows(database.adminUrl));
  const twice = await runCommand(['restore', place], environment);
  assert.equal(twice.code, 1);
  assert.match(twice.stderr, /The database is not empty/);
});

test('the passphrase may be in a file; without one, or with a wrong one, nothing is done', async () => {
  const place = join(folder, 'by-file');
  const file = join(folder, 'passphrase');
  await writeFile(file, `${passphrase}\n`);
  const environment = without('TRELLIS_BACKUP_PASSPHRASE');
  for (const [words, message] of [
    [['backup', place], /The backup is encrypted: .* --passphrase-file/],
    [['restore', place], /The backup is encrypted: .* --passphrase-file/],
    [['organization', 'export', 'backed-up', place], /The export is encrypted: .* --passphrase-file/],
    [['organization', 'import', place], /The export is encrypted: .* --passphrase-file/],
    [['backup', place, '--passphrase-file', join(folder, 'none')], /--passphrase-file cannot be read/],
  ] as const) {
    const refused = await runCommand(words, environment);
    assert.equal(refused.code, 2, words.join(' '));
    assert.match(refused.stderr, message);
  }
  assert.equal(existsSync(place), false);
  const made = await runCommand(['backup', place, '--passphrase-file', file], environment);
  assert.equal(made.code, 0, made.stderr);
  const verified = await runCommand(['restore', place, '--verify'], settings);
  assert.equal(verified.code, 0, verified.stderr);
  await writeFile(file, 'another passphrase');
  const wrong = await runCommand(['restore', place, '--verify', '--passphrase-file', file], environment);
  assert.deepEqual(
    [wrong.code, wrong.stderr],
    [1, 'The passphrase is not the one that the backup was made with.\n'],
  );
});

test('a place that cannot be used is refused and left as it is', async () => {
  const used = join(folder, 'used');
  await writeFile(used, 'a file');
  for (const [words, message] of [
    [['backup', folder], /is not empty/],
    [['backup', used], /cannot be read/],
    [['restore', join(folder, 'absent')], /holds no backup/],
    [['restore', folder], /holds no backup/],
  ] as const) {
    const refused = await runCommand(words, settings);
    assert.equal(refused.code, 1, words.join(' '));
    assert.match(refused.stderr, message);
  }
  assert.equal(existsSync(join(folder, 'absent')), false);
  assert.equal((await runCommand(['backup'], settings)).code, 2);
});

test('a backup needs the owner of the schema and the keys of the installation', async () => {
  const place = join(folder, 'refused');
  const noOwner = await runCommand(['backup', place], without('TRELLIS_DATABASE_OWNER_URL'));
  assert.equal(noOwner.code, 1);
  assert.match(noOwner.stderr, /TRELLIS_DATABASE_OWNER_URL/);
  const short = await runCommand(['backup', place], { ...settings, TRELLIS_BACKUP_PASSPHRASE: 'short' });
  assert.equal(short.code, 1);
  assert.match(short.stderr, /at least 12 characters/);
  const noKeys = await runCommand(
    ['backup', place],
    without('TRELLIS_DATABASE_URL', 'TRELLIS_CURSOR_KEY', 'TRELLIS_VISITOR_KEY'),
  );
  assert.equal(noKeys.code, 1);
  assert.match(noKeys.stderr, /TRELLIS_CURSOR_KEY and TRELLIS_VISITOR_KEY/);
  // None of these attempts is in the way.
  const made = await runCommand(['backup', place], settings);
  assert.equal(made.code, 0, made.stderr);
});

test('a restore that ends before it has marked the database leaves nothing that is taken for an installation', async (context) => {
  const place = join(folder, 'for-embedded');
  const made = await runCommand(['backup', place], settings);
  assert.equal(made.code, 0, made.stderr);
  const dataDir = await makeDataDirectory('restored');
  context.after(() => rm(dataDir, { recursive: true, force: true }));
  const environment = { TRELLIS_DATA_DIR: dataDir, TRELLIS_BACKUP_PASSPHRASE: passphrase };
  // As a kill just before the migrations: the database has been created, and nothing is in it.
  const target = await openForRestore(loadConfig({}, environment), () => undefined);
  await target.close();
  const incomplete = /This database is incomplete: .* Run "trellis restore" again/;
  for (const refused of [
    await runCommand(['organization', 'list'], environment),
    await runProgram(['serve', '--port', '0'], environment),
  ]) {
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, incomplete);
  }
  const restored = await runCommand(['restore', place], environment);
  assert.equal(restored.code, 0, restored.stderr);
  const listed = await runCommand(['organization', 'list', '--json'], environment);
  assert.deepEqual(
    listed.json().map(({ key }: { key: string }) => key),
    ['backed-up'],
  );
});

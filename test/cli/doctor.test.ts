/** `trellis doctor` finds problems, suggests remedies, and does not fail itself. */
import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { migrate, pendingMigrations } from '@trellis/server/kernel/database/migrate.ts';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { runCommand, settingsOf } from '../support/program.ts';
import { startS3Server } from '../support/s3-server.ts';
import type { Json } from '../support/server.ts';

let database: TestDatabase;
let dataDir: string;
before(async () => {
  database = await createTestDatabase({ poolSize: 2, durable: true });
  dataDir = await mkdtemp(join(tmpdir(), 'trellis-doctor-'));
});
after(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function examine(
  more: Record<string, string> = {},
): Promise<{ code: number | null; findings: Json[] }> {
  const environment = { ...settingsOf(database), TRELLIS_DATA_DIR: dataDir, ...more };
  const result = await runCommand(['doctor', '--json'], environment);
  return { code: result.code, findings: result.json() };
}

const ailing = ({ findings }: { findings: Json[] }) =>
  findings.filter(({ status }) => status !== 'ok').map(({ check, status }) => `${check}: ${status}`);

test('a healthy installation', async () => {
  const result = await examine();
  assert.deepEqual(ailing(result), []);
  assert.equal(result.code, 0);
  assert.ok(result.findings.length >= 8);
});

test('each problem is reported with a remedy', async () => {
  const cases: [Record<string, string>, string][] = [
    [{ TRELLIS_DATABASE_URL: database.adminUrl }, 'serving role: failed'],
    [{ TRELLIS_DATABASE_URL: database.urls.owner }, 'serving role: failed'],
    [{ TRELLIS_DATABASE_URL: 'postgres://trellis_api:x@127.0.0.1:1/trellis' }, 'database: failed'],
    [{ TRELLIS_DATABASE_URL: database.urls.api.replace('test-api', 'wrong') }, 'database: failed'],
    [{ TRELLIS_DATABASE_POOL_SIZE: '1000' }, 'connections: failed'],
    [{ TRELLIS_DATABASE_WORKER_URL: '' }, 'background role: warning'],
    [
      { TRELLIS_DATABASE_REPLICA_URL: 'postgres://trellis_api:test-api@127.0.0.1:1/trellis' },
      'replica: warning',
    ],
    [{ TRELLIS_DATABASE_REPLICA_URL: database.urls.api }, 'replica: warning'],
    [{ PORT: 'x' }, 'configuration: failed'],
  ];
  for (const [environment, expected] of cases) {
    const result = await examine(environment);
    assert.ok(ailing(result).includes(expected), `${expected} is not in ${JSON.stringify(result.findings)}`);
    assert.equal(result.code, expected.endsWith('failed') ? 1 : 0);
    for (const { status, remedy } of result.findings) assert.equal(remedy === null, status === 'ok');
    assert.doesNotMatch(JSON.stringify(result.findings), /test-api|test-worker|test-owner/);
  }
});

test('a secret that others can read', async () => {
  const file = join(dataDir, 'secrets.json');
  await writeFile(file, '{}');
  await chmod(file, 0o644);
  assert.deepEqual(ailing(await examine()), ['secrets: failed']);
  await chmod(file, 0o600);
  assert.deepEqual(ailing(await examine()), []);
});

test('a file store that does not work, and one that does', async () => {
  const folder = join(dataDir, 'contents');
  assert.deepEqual(ailing(await examine({ TRELLIS_FILES_DIR: folder })), []);
  await mkdir(folder);
  assert.deepEqual(ailing(await examine({ TRELLIS_FILES_DIR: folder })), []);
  // A file where the folder should be: not even root can write there.
  const file = join(dataDir, 'no-folder');
  await writeFile(file, '');
  const wrong = await examine({ TRELLIS_FILES_DIR: file });
  assert.deepEqual(ailing(wrong), ['file store: failed']);
  const { remedy } = wrong.findings.find(({ check }) => check === 'file store');
  assert.match(remedy, /TRELLIS_FILES_DIR/);
  await rm(file);

  const s3 = await startS3Server();
  const { endpoint, region, bucket, accessKey } = s3.location;
  const settings = {
    TRELLIS_S3_ENDPOINT: endpoint,
    TRELLIS_S3_REGION: region,
    TRELLIS_S3_BUCKET: bucket,
    TRELLIS_S3_ACCESS_KEY_ID: accessKey.id,
    TRELLIS_S3_SECRET_ACCESS_KEY: accessKey.secret,
  };
  try {
    assert.deepEqual(ailing(await examine(settings)), []);
    assert.ok(s3.seen.some(({ method }) => method === 'PUT'));
    assert.equal(s3.objects.size, 0, 'what was tried is removed');
    for (const more of [{ TRELLIS_S3_BUCKET: 'other' }, { TRELLIS_S3_SECRET_ACCESS_KEY: 'wrong-secret' }]) {
      const result = await examine({ ...settings, ...more });
      assert.deepEqual(ailing(result), ['file store: failed']);
      assert.equal(result.code, 1);
      const text = JSON.stringify(result.findings);
      assert.match(text, /TRELLIS_S3_BUCKET/);
      assert.ok(!text.includes(accessKey.secret) && !text.includes('wrong-secret'));
    }
  } finally {
    await s3.close();
  }
  assert.deepEqual(ailing(await examine(settings)), ['file store: failed'], 'nobody listens there');
});

test('indexes of another version of ICU are named, and rebuilt by a migration', async () => {
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  try {
    await admin.query(`UPDATE pg_collation SET collversion = '1' WHERE collname = 'alphabetical'`);
    assert.deepEqual(ailing(await examine()), ['alphabetical order: warning']);
    const lines: string[] = [];
    await migrate(database.urls.owner, (line) => lines.push(line));
    assert.ok(lines.includes('rebuilding articles_title for another version of ICU'), lines.join());
    assert.deepEqual(ailing(await examine()), []);
    await migrate(database.urls.owner, (line) => assert.fail(line));
    const { rows } = await admin.query('SELECT indexrelid::regclass FROM pg_index WHERE NOT indisvalid');
    assert.deepEqual(rows, []);
  } finally {
    await admin.end();
  }
});

test('a migration that is missing', async () => {
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  try {
    await admin.query("INSERT INTO trellis.migrations (name, checksum) VALUES ('9999_next.sql', '')");
    assert.deepEqual(ailing(await examine()), ['migrations: failed']);
    // Nodes of this release keep serving until they are replaced.
    assert.deepEqual(await pendingMigrations(database.worker), []);
    await admin.query("DELETE FROM trellis.migrations WHERE name = '9999_next.sql'");
    await admin.query(`DELETE FROM trellis.migrations WHERE name LIKE 'functions/%'`);
    assert.deepEqual(ailing(await examine()), ['migrations: failed']);
    await admin.query(`UPDATE trellis.migrations SET name = '0001_tenancy.sql' WHERE name = 'schema'`);
    const outdated = await examine();
    assert.deepEqual(ailing(outdated), ['migrations: failed']);
    assert.match(JSON.stringify(outdated.findings), /organization export/);
  } finally {
    await admin.end();
  }
});

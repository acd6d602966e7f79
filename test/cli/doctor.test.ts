/** Why: the doctor is asked when something is wrong, so it must see that, say how to mend it, and not fall over itself. */
import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { runProgram, settingsOf } from '../support/program.ts';
import type { Json } from '../support/server.ts';

let database: TestDatabase;
let dataDir: string;
before(async () => {
  database = await createTestDatabase({ poolSize: 2 });
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
  const result = await runProgram(['doctor', '--json'], environment);
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

test('each ailment is seen, with its remedy', async () => {
  const cases: [Record<string, string>, string][] = [
    [{ TRELLIS_DATABASE_URL: database.adminUrl }, 'serving role: failed'],
    [{ TRELLIS_DATABASE_URL: database.urls.owner }, 'serving role: failed'],
    [{ TRELLIS_DATABASE_URL: 'postgres://trellis_api:x@127.0.0.1:1/trellis' }, 'database: failed'],
    [{ TRELLIS_DATABASE_URL: database.urls.api.replace('test-api', 'wrong') }, 'database: failed'],
    [{ TRELLIS_DATABASE_POOL_SIZE: '1000' }, 'connections: failed'],
    [{ TRELLIS_DATABASE_WORKER_URL: '' }, 'background role: warning'],
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

test('a migration that is missing', async () => {
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  try {
    await admin.query(
      `UPDATE trellis.migrations SET name = replace(name, '0001_', '0000_') WHERE name LIKE '0001%'`,
    );
    const newer = await examine();
    assert.deepEqual(ailing(newer), ['migrations: failed']);
    await admin.query(`DELETE FROM trellis.migrations WHERE name LIKE '0000%'`);
    assert.deepEqual(ailing(await examine()), ['migrations: failed']);
  } finally {
    await admin.end();
  }
});

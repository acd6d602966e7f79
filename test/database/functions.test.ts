/** The SQL functions: they are defined as in the schema, and one of them decides who may read a row. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { migrate, pendingMigrations } from '@trellis/server/kernel/database/migrate.ts';
import { readSchema } from '@trellis/server/kernel/database/schema.ts';
import pg from 'pg';
import { startTestServer } from '../support/server.ts';
import { create } from '../support/writes.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { functions } = await readSchema();
const server = await startTestServer();
const admin = new pg.Client({ connectionString: server.database.adminUrl });
await admin.connect();
after(async () => {
  await admin.end();
  await server.close();
});

async function functionsOfSchema(): Promise<string[]> {
  const { rows } = await admin.query<{ proname: string }>(`
    SELECT DISTINCT p.proname::text FROM pg_proc p WHERE p.pronamespace = 'trellis'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e') ORDER BY 1`);
  return rows.map(({ proname }) => proname);
}

/** The definition of every function, with owner and grants. */
async function definitions(): Promise<unknown[]> {
  const { rows } = await admin.query(`
    SELECT p.oid::regprocedure::text, pg_get_functiondef(p.oid), p.proowner::regrole::text, p.proacl::text
    FROM pg_proc p WHERE p.pronamespace = 'trellis'::regnamespace AND p.prokind = 'f' ORDER BY 1`);
  return rows;
}

test('each function of the database is defined once in the schema', async () => {
  assert.deepEqual(functions.map(({ name }) => name).sort(), await functionsOfSchema());
  for (const { name, sql } of functions) assert.equal([...sql.matchAll(/^CREATE /gm)].length, 1, name);
});

test('an outdated definition is replaced once, with the same owner and grants', async () => {
  const before = await definitions();
  const { rows } = await admin.query<{ name: string }>(
    "SELECT name FROM trellis.migrations WHERE name LIKE 'functions/%'",
  );
  assert.equal(rows.length, 1);
  await admin.query(`
    CREATE OR REPLACE FUNCTION trellis.may_read(p_readers text[], p_reader text[]) RETURNS boolean
      LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN true;
    UPDATE trellis.migrations SET name = 'functions/of another release' WHERE name LIKE 'functions/%'`);
  assert.deepEqual(
    await pendingMigrations(server.database.worker),
    rows.map(({ name }) => name),
  );
  assert.deepEqual(
    await migrate(server.database.urls.owner, () => undefined),
    rows.map(({ name }) => name),
  );
  assert.deepEqual(await definitions(), before);
  assert.deepEqual(await pendingMigrations(server.database.worker), []);
  assert.deepEqual(await migrate(server.database.urls.owner, () => undefined), []);
});

test('nodes of a release keep serving when a later release replaces the functions', async () => {
  await admin.query(`DELETE FROM trellis.migrations WHERE name LIKE 'functions/%';
    INSERT INTO trellis.migrations (name, checksum) VALUES ('9999_later.sql', '')`);
  assert.deepEqual(await pendingMigrations(server.database.worker), []);
  await admin.query(`DELETE FROM trellis.migrations WHERE name = '9999_later.sql'`);
  assert.equal((await pendingMigrations(server.database.worker)).length, 1);
  await migrate(server.database.urls.owner, () => undefined);
});

test('no search function has a parallel plan, of which starting the processes takes longer than the search', async () => {
  const searching: string[] = [];
  for (const { name, sql } of functions) {
    if (!sql.includes('SET plan_cache_mode = force_generic_plan')) continue;
    searching.push(name);
    assert.ok(sql.includes('SET max_parallel_workers_per_gather = 0'), name);
  }
  assert.ok(searching.length >= 6, searching.join());
});

test('the functions of the newest and of the oldest records differ in the direction only', async () => {
  const [newest, oldest] = ['newest_records', 'oldest_records'].map(
    (wanted) => functions.find(({ name }) => name === wanted)?.sql,
  );
  const turned = newest
    ?.replaceAll('newest', 'oldest')
    .replaceAll(' DESC', '')
    .replaceAll(') < (p_after', ') > (p_after');
  assert.equal(oldest, turned);
});

test('one function decides who may read a row', async () => {
  const asks = /readers\s*(&&|@>|IS NULL OR)|= ANY \(\s*\w*\.?readers/;
  const sources = [...(await listFiles('packages/server/src', '.ts')), ...(await listFiles('sql', '.sql'))];
  const asking: string[] = [];
  for (const path of sources) if (asks.test(await readFile(`${root}${path}`, 'utf8'))) asking.push(path);
  assert.deepEqual(asking, ['sql/schema/05_writes.sql']);
  const { rows } = await admin.query<{ tablename: string; qual: string }>(
    `SELECT tablename::text, qual FROM pg_policies WHERE schemaname = 'trellis' AND qual LIKE '%readers%' ORDER BY 1`,
  );
  assert.deepEqual(
    rows.map(({ tablename }) => tablename),
    ['changes', 'events', 'knowledge_files', 'search_records', 'trash', 'views', 'webhook_deliveries'],
  );
  for (const { tablename, qual } of rows) assert.match(qual, /trellis\.may_read\(readers, /, tablename);
});

test('the planner inlines the function: a list of files checks readers on rows found by an index', async () => {
  const api = new pg.Client({ connectionString: server.database.urls.api });
  await api.connect();
  try {
    await api.query('BEGIN');
    await api.query(
      `SELECT set_config('trellis.organization', $1, true), set_config('trellis.user', $2, true)`,
      [server.organization.id, server.ownerId],
    );
    await api.query('SET LOCAL enable_seqscan = off');
    const { rows } = await api.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT id FROM trellis.knowledge_files WHERE organization_id = $1 ORDER BY created_at, id LIMIT 10`,
      [server.organization.id],
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    assert.match(plan, /Index (Only )?Scan using/);
    assert.match(plan, /readers IS NULL\) OR \(readers && /);
    assert.doesNotMatch(plan, /may_read/);
  } finally {
    await api.end();
  }
});

test('the readers of a file are the same in its row, in search and in its events', async () => {
  const member = server.ownerId;
  const visibilities = [
    { visibility: 'ORGANIZATION' },
    { visibility: 'PRIVATE' },
    { visibility: 'RESTRICTED', allowedRoles: ['EDITOR', 'VIEWER'] },
  ];
  for (const body of visibilities) {
    const { name } = await create(server, '/v1/knowledge-files', { name: JSON.stringify(body), ...body });
    const { rows } = await admin.query(
      `SELECT f.readers AS row, s.readers AS search, o.readers AS event FROM trellis.knowledge_files f
       JOIN trellis.search_records s ON s.record_id = f.id JOIN trellis.outbox o ON o.subject_id = f.id
       WHERE f.name = $1`,
      [name],
    );
    const expected = { ORGANIZATION: null, PRIVATE: [member], RESTRICTED: [member, 'EDITOR', 'VIEWER'] };
    const readers = expected[body.visibility as keyof typeof expected];
    assert.deepEqual(rows, [{ row: readers, search: readers, event: readers }], body.visibility);
  }
});

async function listFiles(under: string, ending: string): Promise<string[]> {
  const names = await readdir(`${root}${under}`, { recursive: true });
  return names.filter((name) => name.endsWith(ending)).map((name) => `${under}/${name}`);
}

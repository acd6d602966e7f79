/** Backups and restores: all rows, contents and keys are restored, and an interrupted restore is neither served nor in the way. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { after, before, type TestContext, test } from 'node:test';
import type { ArchiveReader } from '@trellis/server/features/backup/archive.ts';
import type { Manifest } from '@trellis/server/features/backup/manifest.ts';
import type { BackupSummary } from '@trellis/server/features/backup/summary.ts';
import { sweepObjects } from '@trellis/server/features/knowledge/object-sweep.ts';
import { backupLock, restoreLock } from '@trellis/server/kernel/database/backup-lock.ts';
import { Database } from '@trellis/server/kernel/database/database.ts';
import {
  InterruptedRestoreError,
  migrate,
  pendingMigrations,
  readReleaseMigrations,
} from '@trellis/server/kernel/database/migrate.ts';
import type { ObjectStore } from '@trellis/server/kernel/objects/object-store.ts';
import pg from 'pg';
import { pino } from 'pino';
import {
  backUp,
  type FolderStore,
  makeStore,
  objectFiles,
  openArchive,
  openFolderStore,
  readRows,
  restore,
  verify,
} from '../support/backups.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createOtherWorld, createOwnWorld } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { succeed } from '../support/writes.ts';

let server: TestServer;
let admin: pg.Client;
/** A backup of all that `before` creates, the rows that it has to have, and what the backup said. */
let backup: FolderStore;
let archive: ArchiveReader<Manifest>;
let expected: Record<string, string>;
let made: BackupSummary;
const content = `to be restored ${randomBytes(8).toString('hex')}`;
before(async () => {
  server = await startTestServer();
  admin = new pg.Client({ connectionString: server.database.adminUrl });
  await admin.connect();
  await createOwnWorld(server);
  await createOtherWorld(server);
  // An event of an old week, whose partition a new database does not have, and values that COPY has to escape.
  await admin.query(
    `CREATE TABLE trellis.events_2024_01_01 PARTITION OF trellis.events
       FOR VALUES FROM ('2024-01-01 00:00:00+00') TO ('2024-01-08 00:00:00+00');
     ALTER TABLE trellis.events_2024_01_01 ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`,
  );
  await admin.query(
    `INSERT INTO trellis.events SELECT organization_id, 900000, '2024-01-03', gen_random_uuid(), type, subject_type, subject_id,
       parent_id, 1, NULL, NULL, E'tab\\t newline\\n backslash\\\\ \\\\N "ä"', ARRAY['a,"b"', E'\\\\N'], '2024-01-03', NULL FROM trellis.outbox LIMIT 1`,
  );
  await upload(content);
  backup = await openFolderStore();
  // The server notes in the background when tokens were last used, which must not happen between the two.
  const tables = Object.keys(await readRows(server.database.adminUrl)).map((name) => `trellis.${name}`);
  await admin.query('BEGIN');
  await admin.query(`LOCK TABLE ${tables.join(', ')} IN SHARE MODE`);
  expected = await readRows(server.database.adminUrl);
  made = await backUp(server.database.urls.owner, server.objects, backup.store);
  await admin.query('COMMIT');
  archive = await openArchive(backup.store);
});
after(async () => {
  await backup?.close();
  await admin?.end();
  await server?.close();
});

/** An empty database, with a connection of a superuser. */
async function makeTarget(context: TestContext): Promise<{ target: TestDatabase; superuser: pg.Client }> {
  const target = await createTestDatabase();
  const superuser = new pg.Client({ connectionString: target.adminUrl });
  context.after(async () => {
    await superuser.end();
    await target.drop();
  });
  await superuser.connect();
  return { target, superuser };
}

/** Runs work with a connection that ends with it: nobody may use a database that is restored. */
async function withWorker<T>({ urls }: TestDatabase, work: (worker: Database) => Promise<T>): Promise<T> {
  const worker = new Database({
    url: urls.worker,
    poolSize: 1,
    prepare: false,
    acquireTimeoutMs: 30_000,
    applicationName: 'trellis test',
    log: () => undefined,
  });
  try {
    return await work(worker);
  } finally {
    await worker.close();
  }
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function upload(content: string): Promise<{ id: string; sha256: string }> {
  const file = await server.call('POST', '/v1/knowledge-files', { body: { name: 'file', content } });
  assert.equal(file.status, 201, file.text);
  return { id: file.json.id, sha256: sha256Of(content) };
}

async function sweep(): Promise<void> {
  await sweepObjects({
    api: server.database.api,
    objects: server.objects,
    graceMs: 0,
    now: Date.now() + 1_000,
    signal: new AbortController().signal,
    log: pino({ level: 'silent' }),
  });
}

test('all rows of all tables, contents and keys are restored', async (context) => {
  const files = await makeStore(context);
  const { target, superuser } = await makeTarget(context);
  assert.deepEqual([made.organizations, made.missingFiles], [2, []]);
  assert.ok(made.files > 0 && made.rows > 100, JSON.stringify(made));
  let isStored = false;
  const restored = await restore(archive, target.urls.owner, files.store, () => {
    isStored = true;
  });
  const { sizeBytes: _, ...summary } = made;
  assert.deepEqual(restored, summary);
  assert.ok(isStored);
  assert.deepEqual(await readRows(target.adminUrl), expected);
  const filled = Object.values(expected).filter((text) => !text.startsWith('0 '));
  assert.ok(filled.length > 35, `only ${filled.length} tables have rows`);
  const restoredContent = await buffer(await files.store.open(server.organization.id, sha256Of(content)));
  assert.equal(restoredContent.toString(), content);
  assert.deepEqual(await withWorker(target, pendingMigrations), []);
  const isForced = `SELECT count(*)::integer AS n FROM pg_class WHERE relnamespace = 'trellis'::regnamespace AND relforcerowsecurity`;
  assert.deepEqual((await superuser.query(isForced)).rows, (await admin.query(isForced)).rows);
});

test('the objects of a backup show nothing of its content, and only their owner may read them', async () => {
  for (const file of await objectFiles(backup.folder)) {
    assert.equal((await stat(file)).mode & 0o777, 0o600, file);
    const bytes = await readFile(file);
    for (const text of [content, server.organization.id, 'organization_id', '07070707']) {
      assert.equal(bytes.includes(text), false, `${text} in ${file}`);
    }
  }
});

test('a database with content, or with a server, is not restored into; nothing in it changes', async (context) => {
  const files = await makeStore(context);
  const { target: other, superuser } = await makeTarget(context);
  await withWorker(other, async (worker) => {
    await worker.run('SELECT 1');
    await assert.rejects(restore(archive, other.urls.owner, files.store), /A server uses this database/);
  });
  await superuser.query(`SELECT pg_advisory_lock(${restoreLock})`);
  await assert.rejects(restore(archive, other.urls.owner, files.store), /Another restore/);
  await superuser.query(`SELECT pg_advisory_unlock(${restoreLock})`);
  await superuser.query(
    `INSERT INTO trellis.users (id, email, email_normalized, name) VALUES (gen_random_uuid(), 'a@example.com', 'a@example.com', 'A')`,
  );
  const before = await readRows(other.adminUrl);
  let isStored = false;
  const refused = restore(archive, other.urls.owner, files.store, () => {
    isStored = true;
  });
  await assert.rejects(refused, /not empty/);
  assert.equal(isStored, false);
  assert.deepEqual(await readRows(other.adminUrl), before);
  // Whether the owner sees the rows of another schema is not known.
  await superuser.query(`UPDATE trellis.migrations SET name = '0001_tenancy.sql' WHERE name = 'schema'`);
  await assert.rejects(restore(archive, other.urls.owner, files.store), /not empty/);
});

test('columns that stand in another order, as after a migration, are restored by their names', async (context) => {
  const files = await makeStore(context);
  const { target, superuser } = await makeTarget(context);
  await superuser.query(
    'ALTER TABLE trellis.webhook_subscriptions DROP COLUMN failing_since, ADD COLUMN failing_since timestamptz(3)',
  );
  await restore(archive, target.urls.owner, files.store);
  const rows = 'SELECT to_jsonb(w) FROM trellis.webhook_subscriptions w ORDER BY endpoint_id';
  const restored = (await superuser.query(rows)).rows;
  assert.ok(restored.length > 0);
  assert.deepEqual(restored, (await admin.query(rows)).rows);
});

test('after an interrupted restore nothing serves or migrates, and the next restore completes it', async (context) => {
  const files = await makeStore(context);
  const { target } = await makeTarget(context);
  const empty = await readRows(target.adminUrl);
  const last = archive.manifest.tables.findLast(({ rows }) => rows > 0)?.parts[0] ?? '';
  const broken: ObjectStore = {
    ...backup.store,
    open: async (id, sha256, range) => {
      if (sha256 === last) throw new Error('the disk is on fire');
      return backup.store.open(id, sha256, range);
    },
  };
  await assert.rejects(
    restore(await openArchive(broken), target.urls.owner, files.store),
    /the disk is on fire/,
  );
  assert.deepEqual(await readRows(target.adminUrl), empty);
  await assert.rejects(withWorker(target, pendingMigrations), InterruptedRestoreError);
  await assert.rejects(
    migrate(target.urls.owner, () => undefined),
    InterruptedRestoreError,
  );
  await restore(archive, target.urls.owner, files.store);
  assert.deepEqual(await readRows(target.adminUrl), expected);
  assert.deepEqual(await migrate(target.urls.owner, () => undefined), []);
  await assert.rejects(restore(archive, target.urls.owner, files.store), /not empty/);
});

test('a content that is purged while it waits to be copied is in the backup, and is removed afterwards', async (context) => {
  const { id, sha256 } = await upload(`to be purged ${randomBytes(8).toString('hex')}`);
  const place = await makeStore(context);
  let isPurged = false;
  const objects: ObjectStore = {
    ...server.objects,
    async open(organizationId, name, range) {
      if (!isPurged) {
        isPurged = true;
        await succeed(server, 'DELETE', `/v1/knowledge-files/${id}?erase=true`);
        await sweep();
      }
      return server.objects.open(organizationId, name, range);
    },
  };
  const { files } = await backUp(server.database.urls.owner, objects, place.store);
  assert.ok(isPurged && files > 0);
  const copied = await openArchive(place.store);
  assert.equal((await verify(copied)).files, files);
  const restored = await makeStore(context);
  await restore(copied, (await makeTarget(context)).target.urls.owner, restored.store);
  assert.equal(await restored.store.has(server.organization.id, sha256), true);
  assert.equal(await server.objects.has(server.organization.id, sha256), true);
  await sweep();
  assert.equal(await server.objects.has(server.organization.id, sha256), false);
});

test('a content that is missing or damaged in the installation is reported, and only left out on request', async (context) => {
  const { sha256 } = await upload(`to be lost ${randomBytes(8).toString('hex')}`);
  const damaged: ObjectStore = {
    ...server.objects,
    async open(organizationId, name, range) {
      const stream = await server.objects.open(organizationId, name, range);
      if (name !== sha256) return stream;
      stream.destroy();
      return server.objects.open(organizationId, other.sha256);
    },
  };
  const other = await upload('other bytes');
  const first = await makeStore(context);
  await assert.rejects(
    backUp(server.database.urls.owner, damaged, first.store),
    /is damaged in this installation/,
  );
  await assert.rejects(openArchive(first.store), /no complete backup/);
  await server.objects.remove(server.organization.id, sha256);
  const second = await makeStore(context);
  await assert.rejects(
    backUp(server.database.urls.owner, server.objects, second.store),
    /is missing in this/,
  );
  const third = await makeStore(context);
  const made = await backUp(server.database.urls.owner, server.objects, third.store, { missing: 'note' });
  assert.deepEqual(made.missingFiles, [`${server.organization.id} ${sha256}`]);
  const noted = await openArchive(third.store);
  const { sizeBytes: _, ...summary } = made;
  assert.deepEqual(await verify(noted), summary);
  // For the tests that follow.
  await admin.query(`UPDATE trellis.knowledge_files SET sha256 = $1 WHERE sha256 = $2`, [
    other.sha256,
    sha256,
  ]);
});

test('one backup is made at a time', async (context) => {
  await admin.query(`SELECT pg_advisory_lock(${backupLock})`);
  try {
    const place = await makeStore(context);
    const refused = backUp(server.database.urls.owner, server.objects, place.store, { lockTimeoutMs: 50 });
    await assert.rejects(refused, /Another backup/);
  } finally {
    await admin.query(`SELECT pg_advisory_unlock(${backupLock})`);
  }
});

test('a database with other migrations than the release is not backed up', async (context) => {
  const [{ name, checksum } = { name: '', checksum: '' }] = await readReleaseMigrations();
  for (const change of [
    `INSERT INTO trellis.migrations (name, checksum) VALUES ('9999_later.sql', '')`,
    `UPDATE trellis.migrations SET checksum = 'other' WHERE name = '${name}'`,
    `DELETE FROM trellis.migrations WHERE name = '${name}'`,
  ]) {
    await admin.query(change);
    const place = await makeStore(context);
    await assert.rejects(
      backUp(server.database.urls.owner, server.objects, place.store),
      /migrations/,
      change,
    );
    await admin.query(`DELETE FROM trellis.migrations WHERE name IN ('9999_later.sql', $1)`, [name]);
    await admin.query('INSERT INTO trellis.migrations (name, checksum) VALUES ($1, $2)', [name, checksum]);
  }
});

test('a table that the owner could not read is not taken for an empty one', async (context) => {
  await admin.query('DROP POLICY backup ON trellis.books');
  try {
    const place = await makeStore(context);
    await assert.rejects(
      backUp(server.database.urls.owner, server.objects, place.store),
      /table books has no policy/,
    );
  } finally {
    await admin.query(
      `CREATE POLICY backup ON trellis.books FOR SELECT TO trellis_owner USING (current_setting('trellis.backup', true) = 'on')`,
    );
  }
});

/** Backups that are damaged, incomplete, hostile or of another release are rejected, and nothing of them becomes visible. */
import assert from 'node:assert/strict';
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { ArchiveReader, ArchiveWriter } from '@trellis/server/features/backup/archive.ts';
import { BackupError } from '@trellis/server/features/backup/errors.ts';
import { backupKind, type Manifest, organizationKind } from '@trellis/server/features/backup/manifest.ts';
import { checkRelease } from '@trellis/server/features/backup/restore.ts';
import { InterruptedRestoreError, migrate } from '@trellis/server/kernel/database/migrate.ts';
import { ObjectStoreError } from '@trellis/server/kernel/objects/object-store.ts';
import {
  backUp,
  type FolderStore,
  makeStore,
  objectFiles,
  openArchive,
  openFolderStore,
  passphrase,
  readRows,
  restore,
  verify,
} from '../support/backups.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let target: TestDatabase;
let files: FolderStore;
let backup: FolderStore;
let archive: ArchiveReader<Manifest>;
let manifestFile = '';
before(async () => {
  server = await startTestServer();
  for (const content of ['first content', 'second content']) {
    const { status, text } = await server.call('POST', '/v1/knowledge-files', {
      body: { name: 'file', content },
    });
    assert.equal(status, 201, text);
  }
  target = await createTestDatabase();
  files = await openFolderStore();
  backup = await openFolderStore();
  await backUp(server.database.urls.owner, server.objects, backup.store);
  archive = await openArchive(backup.store);
  const paths = await objectFiles(backup.folder);
  manifestFile = paths.find((path) => path.includes('00000000-0000-0000-0000-000000000001')) ?? '';
});
after(async () => {
  await backup?.close();
  await files?.close();
  await target?.drop();
  await server?.close();
});

/** The file of an object. */
async function fileOf({ folder }: FolderStore, sha256: string): Promise<string> {
  const file = (await objectFiles(folder)).find((path) => basename(path) === sha256);
  assert.ok(file, sha256);
  return file;
}

async function flipByte(file: string, place: number): Promise<void> {
  const bytes = await readFile(file);
  const at = place < 0 ? bytes.length + place : place;
  bytes.writeUInt8((bytes[at] ?? 0) ^ 1, at);
  await writeFile(file, bytes);
}

/** A copy whose objects are read with the manifest of the original. */
async function copyOf(context: TestContext): Promise<{ copy: FolderStore; reader: ArchiveReader<Manifest> }> {
  const copy = await makeStore(context, backup);
  return { copy, reader: await openArchive(copy.store) };
}

test('every object that is changed, cut off or missing is found, by verifying and by restoring', async (context) => {
  const { copy, reader } = await copyOf(context);
  const { tables, contents } = reader.manifest;
  const filled = tables.filter(({ rows }) => rows > 0);
  const inManifest = new Set([...tables.flatMap(({ parts }) => parts), ...contents.parts]);
  const names = (await objectFiles(copy.folder)).map((path) => basename(path));
  // What the manifest does not name are the manifest and the contents of the files.
  const ofContents = names.filter((name) => !inManifest.has(name) && name !== basename(manifestFile));
  assert.ok(ofContents.length >= 2, names.join());
  const empty = await readRows(target.adminUrl);
  for (const name of [filled[0]?.parts[0], filled.at(-1)?.parts[0], contents.parts[0], ofContents[0]]) {
    const file = await fileOf(copy, name ?? '');
    const original = await readFile(file);
    for (const damage of [
      () => flipByte(file, 0),
      () => flipByte(file, -1),
      () => truncate(file, original.length - 1),
      () => truncate(file, 0),
      () => rm(file),
    ]) {
      await damage();
      await assert.rejects(verify(reader), /is damaged|is missing/);
      await writeFile(file, original);
    }
    await flipByte(file, 40);
    await assert.rejects(restore(reader, target.urls.owner, files.store), /is damaged/);
    await writeFile(file, original);
  }
  await verify(reader);
  assert.deepEqual(await readRows(target.adminUrl), empty);
  await assert.rejects(
    migrate(target.urls.owner, () => undefined),
    InterruptedRestoreError,
  );
});

test('a damaged manifest, a missing one, several ones and a wrong passphrase are told apart', async (context) => {
  const copy = await makeStore(context, backup);
  const file = await fileOf(copy, basename(manifestFile));
  const original = await readFile(file);
  for (const [place, message] of [
    [-1, /The manifest of the backup is damaged/],
    [3, /its format is not known/],
    [original.indexOf('"check":"') + 9, /format is not known|passphrase/],
  ] as const) {
    await flipByte(file, place);
    await assert.rejects(openArchive(copy.store), message);
    await writeFile(file, original);
  }
  await truncate(file, original.length - 20);
  await assert.rejects(openArchive(copy.store), /manifest of the backup is damaged/);
  await truncate(file, 0);
  await assert.rejects(openArchive(copy.store), /its format is not known/);
  await rm(file);
  await assert.rejects(openArchive(copy.store), /no complete backup/);
  await assert.rejects(
    ArchiveReader.open(backup.store, passphrase, organizationKind),
    /This is a backup of a whole installation: "trellis restore" reads it/,
  );
  await assert.rejects(
    ArchiveReader.open(backup.store, 'another passphrase', backupKind),
    /passphrase is not the one/,
  );
});

test('a place with objects is not written to, and a short passphrase is rejected', async (context) => {
  await assert.rejects(
    ArchiveWriter.create(backup.store, passphrase, backupKind),
    /There is a backup or an export already/,
  );
  const copy = await makeStore(context, backup);
  await copy.store.remove(basename(dirname(dirname(dirname(manifestFile)))), basename(manifestFile));
  await assert.rejects(
    ArchiveWriter.create(copy.store, passphrase, backupKind),
    /incomplete backup or export/,
  );
  const empty = await makeStore(context);
  await assert.rejects(ArchiveWriter.create(empty.store, 'short', backupKind), /at least 12 characters/);
});

test('a backup whose last object was not stored is none', async (context) => {
  const place = await makeStore(context);
  const failing = {
    ...place.store,
    put: async (...[id, source, options]: Parameters<typeof place.store.put>) => {
      if (id.endsWith('1') && id.startsWith('0000'))
        throw new ObjectStoreError('unavailable', 'the disk is full');
      return place.store.put(id, source, options);
    },
  };
  await assert.rejects(backUp(server.database.urls.owner, server.objects, failing), /the disk is full/);
  await assert.rejects(openArchive(place.store), /no complete backup/);
});

/** A backup with this manifest, made by somebody who knows the passphrase. */
async function forge(context: TestContext, change: (manifest: Manifest) => object): Promise<FolderStore> {
  const place = await makeStore(context);
  const writer = await ArchiveWriter.create(place.store, passphrase, backupKind);
  await writer.finish({ ...archive.manifest, ...change(archive.manifest) });
  return place;
}

test('a backup with other migrations than the release is refused before anything is touched', async (context) => {
  const [first] = archive.manifest.migrations;
  assert.ok(first);
  for (const migrations of [
    archive.manifest.migrations.slice(1),
    [...archive.manifest.migrations, { name: '9999_later.sql', checksum: '' }],
    [{ ...first, checksum: 'other' }, ...archive.manifest.migrations.slice(1)],
  ]) {
    await assert.rejects(
      checkRelease({ ...archive.manifest, migrations }),
      /Restore it with the release that made it/,
    );
  }
  const forged = await openArchive((await forge(context, () => ({ migrations: [] }))).store);
  await assert.rejects(restore(forged, target.urls.owner, files.store), /Restore it with the release/);
});

test('a manifest that does not have the form of one is rejected', () => {
  const { manifest } = archive;
  const [table, ...others] = manifest.tables;
  assert.ok(table);
  assert.deepEqual(backupKind.parse(JSON.stringify(manifest)), manifest);
  for (const change of [
    { tables: [{ ...table, parts: ['../../../../etc/passwd'] }, ...others] },
    { tables: [{ ...table, organizations: { '../x': { rows: 1, sum: '0'.repeat(64) } } }, ...others] },
    { tables: [{ ...table, rows: -1 }, ...others] },
    { objects: '../other' },
    { eventPartitions: ["2026-01-05'); DROP TABLE"] },
    { keys: { cursor: '', visitor: '' } },
    { more: true },
    { contents: undefined },
  ]) {
    const text = JSON.stringify({ ...manifest, ...change });
    assert.throws(
      () => backupKind.parse(text),
      /does not have the form/,
      JSON.stringify(change).slice(0, 200),
    );
  }
  for (const text of ['', 'null', '[]', '"x"']) assert.throws(() => backupKind.parse(text), BackupError);
});

test('names of tables and columns of a manifest are compared with those of the database, and never used', async (context) => {
  const [table, ...others] = archive.manifest.tables;
  assert.ok(table);
  for (const [tables, message] of [
    [[...archive.manifest.tables, { ...table, name: 'pg_authid' }], /tables that this release does not/],
    [[{ ...table, name: 'x"; DROP SCHEMA trellis' }, ...others], /has no table/],
    [[{ ...table, columns: [...table.columns, 'secret'] }, ...others], /has no table/],
  ] as const) {
    const place = await forge(context, () => ({ tables }));
    const reader = await openArchive(place.store);
    await assert.rejects(restore(reader, target.urls.owner, files.store), message);
  }
});

test('rows that expand beyond what the manifest says are not read on', async (context) => {
  const place = await makeStore(context);
  const writer = await ArchiveWriter.create(place.store, passphrase, backupKind);
  let pulled = 0;
  async function* zeros(): AsyncGenerator<Buffer> {
    for (; pulled < 200; pulled += 1) yield Buffer.alloc(1_048_576);
  }
  const parts = await writer.writeParts(zeros());
  const [table, ...others] = archive.manifest.tables;
  assert.ok(table);
  await writer.finish({
    ...archive.manifest,
    objects: writer.objects,
    tables: [{ ...table, parts, bytes: 10, rows: 1 }, ...others],
  });
  await assert.rejects(verify(await openArchive(place.store)), /longer than its manifest says/);
});

test('other rows than the manifest says are not restored', async (context) => {
  const place = await makeStore(context);
  const writer = await ArchiveWriter.create(place.store, passphrase, backupKind);
  const tables = [];
  for (const table of archive.manifest.tables) {
    const rows = table.name === 'leases' ? noRows() : archive.readParts(table.parts, table.bytes);
    tables.push({ ...table, parts: await writer.writeParts(rows) });
  }
  const contents = { count: 0, bytes: 0, parts: await writer.writeParts(noRows()), missing: [] };
  await writer.finish({ ...archive.manifest, objects: writer.objects, tables, contents });
  const before = await readRows(target.adminUrl);
  const reader = await openArchive(place.store);
  await assert.rejects(restore(reader, target.urls.owner, files.store), /table leases .* 0 rows instead of/);
  await assert.rejects(verify(reader), /table leases .* 0 rows instead of/);
  assert.deepEqual(await readRows(target.adminUrl), before);
});

async function* noRows(): AsyncGenerator<Buffer> {}

/** Backups in tests: all rows of a database as a superuser sees them, and backups and restores without the command line. */
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { ArchiveReader } from '@trellis/server/features/backup/archive.ts';
import { type BackupOptions, createBackup } from '@trellis/server/features/backup/create.ts';
import { backupKind, type Manifest } from '@trellis/server/features/backup/manifest.ts';
import { restoreBackup } from '@trellis/server/features/backup/restore.ts';
import { type BackupSummary, summarize } from '@trellis/server/features/backup/summary.ts';
import { verifyArchive } from '@trellis/server/features/backup/verify.ts';
import { createLocalStore } from '@trellis/server/kernel/objects/local-store.ts';
import type { ObjectStore } from '@trellis/server/kernel/objects/object-store.ts';
import pg from 'pg';

export const passphrase = 'correct horse battery staple';

/** A store in a folder of its own, which `close` removes. */
export interface FolderStore {
  readonly folder: string;
  readonly store: ObjectStore;
  close(): Promise<void>;
}

/** @param original a store to copy, to be damaged; empty when absent */
export async function openFolderStore(original?: FolderStore): Promise<FolderStore> {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-backup-'));
  if (original !== undefined) await cp(original.folder, folder, { recursive: true });
  const store = await createLocalStore({ directory: folder });
  return {
    folder,
    store,
    async close() {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The same for the time of a test. */
export async function makeStore(context: TestContext, original?: FolderStore): Promise<FolderStore> {
  const made = await openFolderStore(original);
  context.after(() => made.close());
  return made;
}

/** Paths of all objects of a store. */
export async function objectFiles(folder: string): Promise<string[]> {
  const entries = await readdir(join(folder, 'objects'), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

const testKeys = { cursorKey: Buffer.alloc(32, 7), visitorKey: Buffer.alloc(32, 8) };

/** Makes a backup. */
export function backUp(
  ownerUrl: string,
  objects: ObjectStore,
  target: ObjectStore,
  options: Partial<BackupOptions> = {},
): Promise<BackupSummary> {
  return createBackup({
    ownerUrl,
    objects,
    keys: testKeys,
    target,
    passphrase,
    missing: 'refuse',
    onProgress: () => undefined,
    ...options,
  });
}

/** Opens a backup, which takes half a second. */
export function openArchive(source: ObjectStore): Promise<ArchiveReader<Manifest>> {
  return ArchiveReader.open(source, passphrase, backupKind);
}

/** Verifies a backup and says what it contains. */
export async function verify(archive: ArchiveReader<Manifest>): Promise<BackupSummary> {
  await verifyArchive(archive, null, () => undefined);
  return summarize(archive.manifest);
}

/** Restores a backup into a database. */
export function restore(
  archive: ArchiveReader<Manifest>,
  ownerUrl: string,
  objects: ObjectStore,
  storeKeys: () => void = () => undefined,
): Promise<BackupSummary> {
  const common = { log: () => undefined, onProgress: () => undefined };
  return restoreBackup({ archive, ownerUrl, objects, storeKeys, ...common });
}

/** The number of rows of each table and a hash of all their columns, computed by PostgreSQL, without the table of migrations. */
export async function readRows(adminUrl: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'trellis'::regnamespace AND relkind IN ('r', 'p')
         AND NOT relispartition AND relname <> 'migrations' ORDER BY 1`,
    );
    const found: Record<string, string> = {};
    for (const { name } of rows) {
      const result = await client.query<{ text: string }>(
        `SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\\n' ORDER BY t::text COLLATE "C")), '') AS text
         FROM trellis.${name} t`,
      );
      found[name] = result.rows[0]?.text ?? '';
    }
    return found;
  } finally {
    await client.end();
  }
}

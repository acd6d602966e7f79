/**
 * Makes a backup, or an export of one organization, while the installation serves: one snapshot of the tables, then the contents of files that it refers to,
 * then the manifest. Nothing is complete before the manifest is stored.
 */
import packageFile from '../../../../../package.json' with { type: 'json' };
import { OwnerSession } from '../../kernel/database/owner-session.ts';
import { readReleaseTexts } from '../../kernel/database/sql-files.ts';
import {
  beginsWithOrganization,
  type CopiedTable,
  readEventPartitions,
  sqlOf,
} from '../../kernel/database/tables.ts';
import type { ObjectStore } from '../../kernel/objects/object-store.ts';
import { ArchiveWriter } from './archive.ts';
import { copyContents, openContentList } from './contents.ts';
import { TableDigester } from './digests.ts';
import { type ArchiveKind, type ArchiveManifest, backupKind, type StoredTable } from './manifest.ts';
import { keepContents, openSnapshot, type Snapshot } from './snapshot.ts';
import { type BackupSummary, summarize } from './summary.ts';

export interface ArchiveOptions {
  /** URL of the role that owns the schema. */
  readonly ownerUrl: string;
  /** The contents of files. */
  readonly objects: ObjectStore;
  /** An empty store. */
  readonly target: ObjectStore;
  readonly passphrase: string;
  /** What to do about file contents that are missing in the installation. */
  readonly missing: 'refuse' | 'note';
  /** How long another backup, and removals of contents, may delay this one, in ms; 10 s when absent. */
  readonly lockTimeoutMs?: number;
  /** Called with what is being copied. */
  readonly onProgress: (text: string) => void;
}

const defaultLockTimeoutMs = 10_000;

/** What is copied of a table. */
export interface TableCopy extends CopiedTable {
  /** Selects its columns, in their order. */
  readonly query: string;
  /** Whether its rows are counted for each organization. */
  readonly byOrganization: boolean;
  /** Changes the rows, in the text format of COPY. */
  readonly change?: (rows: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;
}

/** What an archive has. */
interface Choice<M extends ArchiveManifest> {
  readonly tables: readonly TableCopy[];
  /** Only the contents of this organization (uuid); null: all. */
  readonly organizationId: string | null;
  readonly manifest: (common: ArchiveManifest) => M;
}

/**
 * Writes an archive.
 * @param choose what it has; called in the transaction of the snapshot
 * @throws BackupError; errors of PostgreSQL and of the stores
 */
export async function writeArchive<M extends ArchiveManifest>(
  options: ArchiveOptions,
  kind: ArchiveKind<M>,
  choose: (session: OwnerSession, snapshot: Snapshot) => Promise<Choice<M>>,
): Promise<{ readonly manifest: M; readonly sizeBytes: number }> {
  const { objects, missing, onProgress } = options;
  const session = await OwnerSession.open(options.ownerUrl);
  try {
    const archive = await ArchiveWriter.create(options.target, options.passphrase, kind);
    await keepContents(session, options.lockTimeoutMs ?? defaultLockTimeoutMs);
    const snapshot = await openSnapshot(session);
    const chosen = await choose(session, snapshot);
    const tables: StoredTable[] = [];
    for (const table of chosen.tables) {
      onProgress(table.name);
      tables.push(await copyTable(session, archive, table));
    }
    await openContentList(session, chosen.organizationId);
    await session.run('COMMIT');
    const contents = await copyContents({
      session,
      objects,
      archive,
      missing,
      onProgress: ({ count, bytes }) => onProgress(`${count} files, ${bytes} bytes`),
    });
    const manifest = chosen.manifest({
      createdAt: snapshot.createdAt,
      version: packageFile.version,
      postgresql: snapshot.postgresql,
      migrations: snapshot.migrations,
      objects: archive.objects,
      tables,
      contents,
    });
    await archive.finish(manifest);
    return { manifest, sizeBytes: archive.sizeBytes };
  } finally {
    await session.close();
  }
}

async function copyTable(
  session: OwnerSession,
  archive: ArchiveWriter,
  { name, columns, query, byOrganization, change = (rows) => rows }: TableCopy,
): Promise<StoredTable> {
  const digester = new TableDigester(byOrganization);
  const parts = await archive.writeParts(digester.tap(change(session.copyOut(query))));
  return { name, columns, parts, ...digester.finish() };
}

export interface BackupOptions extends ArchiveOptions {
  /** The keys that the installation has outside the database. */
  readonly keys: { readonly cursorKey: Buffer; readonly visitorKey: Buffer };
}

/** Makes a backup of the whole installation. @throws BackupError; errors of PostgreSQL and of the stores */
export async function createBackup(options: BackupOptions): Promise<BackupSummary> {
  const keys = {
    cursor: options.keys.cursorKey.toString('hex'),
    visitor: options.keys.visitorKey.toString('hex'),
  };
  const { manifest, sizeBytes } = await writeArchive(options, backupKind, async (session, { tables }) => {
    const eventPartitions = await readEventPartitions(session);
    const sql = await readReleaseTexts();
    return {
      tables: tables.map(wholeTable),
      organizationId: null,
      manifest: (common) => ({ ...common, keys, eventPartitions, sql }),
    };
  });
  return summarize(manifest, sizeBytes);
}

function wholeTable(table: CopiedTable): TableCopy {
  const sql = sqlOf(table);
  const query = `SELECT ${sql.columns} FROM ${sql.table}`;
  return { ...table, query, byOrganization: beginsWithOrganization(table) };
}

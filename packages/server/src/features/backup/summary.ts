/** What an archive contains, for the operator. */
import type { ArchiveManifest } from './manifest.ts';

export interface ArchiveSummary {
  /** The moment that it shows. */
  readonly createdAt: string;
  /** The release that made it. */
  readonly version: string;
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
  readonly fileBytes: number;
  /** File contents that were missing in the installation, as `ORGANIZATION SHA256`. */
  readonly missingFiles: readonly string[];
  /** Its size; absent when it is not known. */
  readonly sizeBytes?: number;
}

/** What a backup of the whole installation contains. */
export interface BackupSummary extends ArchiveSummary {
  readonly organizations: number;
}

export function summarize(manifest: ArchiveManifest, sizeBytes?: number): BackupSummary {
  const organizations = manifest.tables.find(({ name }) => name === 'organizations')?.rows ?? 0;
  const { createdAt, version, ...others } = summarizeArchive(manifest, sizeBytes);
  return { createdAt, version, organizations, ...others };
}

export function summarizeArchive(manifest: ArchiveManifest, sizeBytes?: number): ArchiveSummary {
  const { tables, contents } = manifest;
  return {
    createdAt: manifest.createdAt,
    version: manifest.version,
    tables: tables.length,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    files: contents.count - contents.missing.length,
    fileBytes: contents.bytes,
    missingFiles: contents.missing,
    ...(sizeBytes === undefined ? {} : { sizeBytes }),
  };
}

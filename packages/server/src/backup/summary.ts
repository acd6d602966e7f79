/** What a backup contains, for the operator. */
import type { Manifest } from './manifest.ts';

export interface BackupSummary {
  /** The moment that the backup shows. */
  readonly createdAt: string;
  /** The release that made it. */
  readonly version: string;
  readonly organizations: number;
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
  readonly fileBytes: number;
  /** File contents that were missing in the installation, as `ORGANIZATION SHA256`. */
  readonly missingFiles: readonly string[];
  /** Size of the backup; absent when it is not known. */
  readonly sizeBytes?: number;
}

export function summarize(manifest: Manifest, sizeBytes?: number): BackupSummary {
  const { tables, contents } = manifest;
  const organizations = tables.find(({ name }) => name === 'organizations')?.rows ?? 0;
  return {
    createdAt: manifest.createdAt,
    version: manifest.version,
    organizations,
    tables: tables.length,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    files: contents.count - contents.missing.length,
    fileBytes: contents.bytes,
    missingFiles: contents.missing,
    ...(sizeBytes === undefined ? {} : { sizeBytes }),
  };
}

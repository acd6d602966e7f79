/** Imports a file or folder: opens it, and gives the engine, which is free of Node.js, files and a terminal. */
import { resolve } from 'node:path';
import { ApiClient } from '@trellis/client/api-client.ts';
import { UsageError } from '@trellis/importer/errors.ts';
import type { CsvOptions } from '@trellis/importer/readers/csv.ts';
import type { ImportReport } from '@trellis/importer/report.ts';
import { type ImportOptions, runImport } from '@trellis/importer/run.ts';
import type { Connection } from '../connection.ts';
import { openPath } from './open-path.ts';
import { showProgress } from './progress.ts';
import { RejectedFile } from './rejected-file.ts';

export interface PathImportOptions extends ImportOptions, CsvOptions {
  /** A file or folder. */
  readonly path: string;
  /** Where rejected rows are written; null for nowhere. */
  readonly rejectedFile: string | null;
  /** Whether that file is created even when no row is rejected. */
  readonly alwaysWriteRejected: boolean;
}

/** The command's terminal; replaced in tests. */
export interface Terminal {
  readonly connection: Connection;
  /** For the progress bar. */
  readonly stderr: (text: string) => void;
  readonly isTerminal: boolean;
  /** Shows the mapping and returns whether to continue. */
  readonly confirm?: (preview: string) => Promise<boolean>;
  /** Waits between attempts; tests pass a function that does not wait. */
  readonly wait?: (milliseconds: number) => Promise<void>;
}

/**
 * Imports a file or folder.
 * @returns null when the mapping was not confirmed
 * @throws UsageError when the options do not fit the source; ImportStopped when the import could not begin
 */
export async function importPath(
  options: PathImportOptions,
  terminal: Terminal,
): Promise<ImportReport | null> {
  const { path, rejectedFile, alwaysWriteRejected } = options;
  const { connection, isTerminal, stderr, confirm, wait } = terminal;
  if (rejectedFile !== null && resolve(rejectedFile) === resolve(path)) {
    throw new UsageError('--rejected: that is the file to import. Name another one.');
  }
  const source = await openPath(path, options);
  const rejected =
    rejectedFile === null
      ? null
      : new RejectedFile({ path: rejectedFile, header: source.rejectedHeader, always: alwaysWriteRejected });
  const progress = showProgress(source.total, isTerminal, stderr);
  try {
    const report = await runImport(source, options, {
      client: new ApiClient({ ...connection, ...(wait === undefined ? {} : { wait }) }),
      rejected,
      onProgress: ({ rows, rejected: refused }) => progress.advance(rows, refused),
      ...(confirm === undefined ? {} : { confirm }),
    });
    return report === null ? null : { ...report, rejectedFile: rejected?.path ?? null };
  } finally {
    progress.end();
    await rejected?.close();
  }
}

/** Imports a file or folder: opens it, and gives the engine what it may not have itself, files and a terminal. */
import { resolve } from 'node:path';
import { ApiClient } from '@trellis/client/api-client.ts';
import type { ImportReport } from '@trellis/importer/report.ts';
import { type ImportOptions, runImport } from '@trellis/importer/run.ts';
import { UsageError } from '@trellis/importer/usage-error.ts';
import type { Connection } from '../connection.ts';
import { showProgress } from './progress.ts';
import type { CsvOptions } from './readers/csv.ts';
import { openSource } from './readers/open.ts';
import { RejectedFile } from './rejected-file.ts';

export interface PathImportOptions extends ImportOptions, CsvOptions {
  /** A file or folder. */
  readonly path: string;
  /** Where rejected rows are written; null for nowhere. */
  readonly rejectedFile: string | null;
  /** Whether that file is there even when nothing was rejected. */
  readonly alwaysWriteRejected: boolean;
}

/** What the command has and tests replace. */
export interface Terminal {
  readonly connection: Connection;
  /** For the progress bar. */
  readonly stderr: (text: string) => void;
  readonly isTerminal: boolean;
  /** Shows which column goes where, and says whether to go on. */
  readonly confirm?: (preview: string) => Promise<boolean>;
  /** Waits between attempts; tests pass one that does not. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

/**
 * Imports what a path holds.
 * @returns null when the preview was not agreed to
 * @throws UsageError when the options do not fit; ImportStopped when the import could not begin
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
  const source = await openSource(path, options);
  const rejected =
    rejectedFile === null
      ? null
      : new RejectedFile({
          path: rejectedFile,
          header: source.rejectedHeader,
          always: alwaysWriteRejected,
        });
  const progress = showProgress(source.total, isTerminal, stderr);
  try {
    const report = await runImport(source, options, {
      client: new ApiClient({ ...connection, ...(wait === undefined ? {} : { wait }) }),
      rejected,
      onProgress: progress.advance,
      ...(confirm === undefined ? {} : { confirm }),
    });
    return report === null ? null : { ...report, rejectedFile: rejected?.path ?? null };
  } finally {
    progress.end();
    await rejected?.close();
  }
}

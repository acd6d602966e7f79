/** Imports a file or folder: opens it, and gives the engine, which is free of Node.js, files and a terminal. */
import { writeFile } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { ApiClient } from '@trellis/client/api-client.ts';
import { UsageError } from '@trellis/importer/errors.ts';
import { importIdOf, lineageOf } from '@trellis/importer/import-id.ts';
import { type Format, isTextTable, type TableOptions } from '@trellis/importer/readers/formats.ts';
import { formatRedirects } from '@trellis/importer/redirects.ts';
import type { EngineReport, ImportReport } from '@trellis/importer/report.ts';
import { type ImportOptions, runImport } from '@trellis/importer/run.ts';
import type { Connection } from '../connection.ts';
import { hashPath } from './hash-path.ts';
import { openPath } from './open-path.ts';
import { showProgress } from './progress.ts';
import { RejectedFile } from './rejected-file.ts';
import { UndoFile } from './undo-file.ts';

export interface PathImportOptions extends Omit<ImportOptions, 'run'>, TableOptions {
  /** A file or folder. */
  readonly path: string;
  /** Where the addresses that posts had are written if there are any; absent for nowhere. */
  readonly redirectsFile?: string;
  /** Where rejected rows are written; null for nowhere, undefined for a file in this folder that is named after the path. */
  readonly rejectedFile: string | null | undefined;
  /** Whether that file is created even when no row is rejected. */
  readonly alwaysWriteRejected: boolean;
  /** Where the file is written by which the import can be undone; absent for nowhere. */
  readonly undoFolder?: string;
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
  const { path, dryRun, rejectedFile: named, alwaysWriteRejected, undoFolder } = options;
  const { connection, isTerminal, stderr, confirm, wait } = terminal;
  if (typeof named === 'string' && resolve(named) === resolve(path)) {
    throw new UsageError('--rejected: that is the file to import. Name another one.');
  }
  const { source, format } = await openPath(path, options);
  const rejectedFile = named === undefined ? findRejectedFile(options, format) : named;
  const rejected =
    rejectedFile === null ? null : new RejectedFile({ path: rejectedFile, always: alwaysWriteRejected });
  const progress = showProgress(source.total, isTerminal, stderr);
  try {
    const run = await hashPath(path);
    const importId = importIdOf(lineageOf({ ...options, sourceName: source.name }), run);
    const undo = dryRun || undoFolder === undefined ? null : new UndoFile(undoFolder, importId);
    const report = await runImport(
      source,
      { ...options, run },
      {
        client: new ApiClient({ ...connection, ...(wait === undefined ? {} : { wait }) }),
        rejected,
        ...(undo === null ? {} : { journal: undo.note }),
        origin: connection.baseUrl,
        onProgress: ({ rows, rejected: refused }) => progress.advance(rows, refused),
        ...(confirm === undefined ? {} : { confirm }),
      },
    );
    if (report === null) return null;
    const redirectsFile = await writeRedirects(options, report);
    return {
      ...report,
      rejectedFile: rejected?.path ?? null,
      redirectsFile,
      undoFile: undo?.written ?? null,
    };
  } finally {
    progress.end();
    await rejected?.close();
  }
}

/** The file of rejected rows in the working directory: `books.rejected.csv` for `books.csv`; none for Markdown files and dry runs. */
function findRejectedFile({ path, dryRun }: PathImportOptions, format: Format): string | null {
  if (dryRun || format === 'markdown') return null;
  const extension = extname(path);
  return `${basename(path, extension)}.rejected${isTextTable(format) ? extension : '.ndjson'}`;
}

/** Writes the file of addresses that posts had. @returns its path; null if it is not written */
async function writeRedirects(
  { redirectsFile, dryRun }: PathImportOptions,
  { redirects }: EngineReport,
): Promise<string | null> {
  if (redirectsFile === undefined || dryRun || redirects.length === 0) return null;
  await writeFile(redirectsFile, formatRedirects(redirects)).catch((error: Error) => {
    throw new UsageError(
      `${redirectsFile} cannot be written: ${error.message}. Everything else was imported.`,
    );
  });
  return redirectsFile;
}

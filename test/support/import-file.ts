/** Imports a file as the command does, without a terminal and without waiting between attempts. */
import assert from 'node:assert/strict';
import { noChoices } from '@trellis/importer/columns.ts';
import type { ImportReport } from '@trellis/importer/report.ts';
import { importPath, type PathImportOptions } from '@trellis/server/commands/import/import-path.ts';

/** Where, and as whom, a file is imported. */
export interface ImportTarget {
  /** URL of the server. */
  readonly url: string;
  readonly token: string;
}

/** Imports the file or folder at `options.path`; what is not given is as the command has it without options. */
export async function importFile(
  { url, token }: ImportTarget,
  options: Partial<PathImportOptions> & Pick<PathImportOptions, 'path'>,
): Promise<ImportReport> {
  const report = await importPath(
    {
      resource: null,
      parents: {},
      columns: null,
      delimiter: null,
      dryRun: false,
      existing: 'merge',
      duplicates: 'reject',
      statuses: true,
      concurrency: 4,
      rejectedFile: null,
      alwaysWriteRejected: false,
      ...noChoices,
      ...options,
    },
    {
      connection: { baseUrl: url, token },
      stderr: () => undefined,
      isTerminal: false,
      wait: async () => undefined,
    },
  );
  assert.ok(report !== null);
  return report;
}

/** Why: what a file holds is seen from its name; whoever imports need not say it. */
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { UsageError } from '../../command-line.ts';
import type { TableSource } from './source.ts';
import { type CsvOptions, openCsv } from './source-csv.ts';
import { openNdjson } from './source-ndjson.ts';

/** Whether a path is one of a table, by its ending. */
export function isTable(path: string): boolean {
  return /\.(csv|tsv|tab|txt|ndjson|jsonl)$/i.test(path);
}

/** Opens a CSV or NDJSON file. @throws UsageError when it cannot be read */
export async function openTable(path: string, options: CsvOptions): Promise<TableSource> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      error.code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read: ${error.message}`,
    );
  });
  if (!found.isFile()) throw new UsageError(`${path} is not a file.`);
  return /^\.(ndjson|jsonl)$/i.test(extname(path)) ? openNdjson(path) : openCsv(path, options);
}

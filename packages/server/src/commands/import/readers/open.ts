/** Opens a file or folder with the reader of its format: CSV, NDJSON or Markdown. */
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Source } from '@trellis/importer/source.ts';
import { UsageError } from '@trellis/importer/usage-error.ts';
import { type CsvOptions, openCsv } from './csv.ts';
import { openMarkdown } from './markdown.ts';
import { openNdjson } from './ndjson.ts';

/** The format of a file, by its extension. */
export function formatOf(path: string): 'csv' | 'ndjson' | 'markdown' | null {
  const ending = extname(path).toLowerCase();
  if (['.csv', '.tsv', '.tab', '.txt'].includes(ending)) return 'csv';
  if (['.ndjson', '.jsonl'].includes(ending)) return 'ndjson';
  return ['.md', '.markdown'].includes(ending) ? 'markdown' : null;
}

/** Opens a folder or file. @throws UsageError when it is missing, has an unknown format, or has no usable header */
export async function openSource(path: string, options: CsvOptions): Promise<Source> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new UsageError(`There is no file or folder ${path}.`);
    throw new UsageError(`${path} cannot be read: ${error.message}`);
  });
  if (found.isDirectory()) return openMarkdown(path, true);
  switch (formatOf(path)) {
    case 'csv':
      return openCsv(path, options);
    case 'ndjson':
      return openNdjson(path);
    case 'markdown':
      return openMarkdown(path, false);
    default:
      throw new UsageError(
        `${path} is ${extname(path) === '' ? 'not a folder' : `a file of the type "${extname(path)}"`}. ` +
          'Supported are files of CSV (.csv, .tsv, .tab, .txt), NDJSON (.ndjson, .jsonl) and Markdown (.md, .markdown), and folders of Markdown files.',
      );
  }
}

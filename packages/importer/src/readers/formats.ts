/** The format of a file, and the reader for it. */
import type { Source } from '../source.ts';
import { type CsvOptions, openCsv } from './csv.ts';
import type { SourceFile } from './file.ts';
import { openNdjson } from './ndjson.ts';

export type Format = 'csv' | 'ndjson' | 'markdown';

/** The endings of the names of files, by format. */
export const endings: Readonly<Record<Format, readonly string[]>> = {
  csv: ['.csv', '.tsv', '.tab', '.txt'],
  ndjson: ['.ndjson', '.jsonl'],
  markdown: ['.md', '.markdown'],
};

/** The format of a file, by the ending of its name; null when it is none of the above. */
export function formatOf(name: string): Format | null {
  const lower = name.toLowerCase();
  const [found] = (['csv', 'ndjson', 'markdown'] as const).filter((format) =>
    endings[format].some((ending) => lower.endsWith(ending)),
  );
  return found ?? null;
}

/** Opens a file with one row per line. @throws UsageError when it has no usable header */
export async function openTable(
  file: SourceFile,
  format: 'csv' | 'ndjson',
  options: CsvOptions,
): Promise<Source> {
  return format === 'csv' ? openCsv(file, options) : openNdjson(file);
}

/** The format of a file, and the reader for it. */
import type { Source } from '../source.ts';
import { type CsvOptions, openCsv } from './csv.ts';
import type { SourceFile } from './file.ts';
import { openNdjson } from './ndjson.ts';

/** The endings of the names of files, by format. */
const endings = {
  csv: /\.(csv|tsv|tab|txt)$/i,
  ndjson: /\.(ndjson|jsonl)$/i,
  markdown: /\.(md|markdown)$/i,
};

export type Format = keyof typeof endings;

const formats = Object.keys(endings) as readonly Format[];

/** The format of a file, by the ending of its name; null when it is none of the above. */
export function formatOf(name: string): Format | null {
  return formats.find((format) => endings[format].test(name)) ?? null;
}

/** Opens a file with one row per line. @throws UsageError when it has no usable header */
export async function openTable(
  file: SourceFile,
  format: 'csv' | 'ndjson',
  options: CsvOptions,
): Promise<Source> {
  return format === 'csv' ? openCsv(file, options) : openNdjson(file);
}

/** The formats of files, and the reader of each. Readers are loaded when they are needed, since some bring libraries. */
import { resources } from '@trellis/schema/resources/index.ts';
import type { Source } from '../source.ts';
import { type CsvOptions, openCsv } from './csv.ts';
import type { SourceFile } from './file.ts';
import { openNdjson } from './ndjson.ts';

/** How a table is read, as chosen by a person. */
export interface TableOptions extends CsvOptions {
  /** Name of the sheet of a workbook, or of the list in a JSON document; null for the first or longest one. */
  readonly sheet?: string | null;
}

/** The readers of single files. */
const readers = {
  csv: (file: SourceFile, options: TableOptions) => openCsv(file, options),
  ndjson: (file: SourceFile) => openNdjson(file),
  json: async (file: SourceFile, { sheet }: TableOptions) =>
    (await import('./foreign.ts')).openJson(file, sheet ?? null),
  xlsx: async (file: SourceFile, options: TableOptions) =>
    (await import('./foreign.ts')).openXlsx(file, { ...options, sheet: options.sheet ?? null }),
  wordpress: async (file: SourceFile) => (await import('./foreign.ts')).openWordpress(file),
  ghost: async (file: SourceFile) => (await import('./foreign.ts')).openGhost(file),
  vcard: async (file: SourceFile) => (await import('./foreign.ts')).openVcard(file),
  onix: async (file: SourceFile) => (await import('./foreign.ts')).openOnix(file),
  kbart: async (file: SourceFile) => (await import('./foreign.ts')).openKbart(file),
};

export type TableFormat = keyof typeof readers;
export type Format = TableFormat | 'markdown';

/** Whether rejected rows of the format are written as they came; those of other formats are JSON lines. */
export function isTextTable(format: Format): boolean {
  return format === 'csv' || format === 'ndjson' || format === 'kbart';
}

/** Whether rows of the format can be posts, with their publication. */
export function hasPosts(format: Format): boolean {
  return format === 'markdown' || format === 'wordpress' || format === 'ghost';
}

/** The endings of names that decide between texts. */
const endings: Partial<Record<Format, RegExp>> = {
  csv: /\.(csv|tsv|tab|txt)$/i,
  ndjson: /\.(ndjson|jsonl)$/i,
  json: /\.json$/i,
  markdown: /\.(md|markdown|mdown|mkdn?|mdx|html?)$/i,
};

/** The format that the name of a file stands for; null when its content has to tell. */
export function formatOf(name: string): Format | null {
  const found = Object.entries(endings).find(([, ending]) => ending.test(name));
  return (found?.[0] as Format | undefined) ?? null;
}

/** The resources that rows of a format become; null when a person decides. */
export function resourcesOf(format: Format): readonly string[] | null {
  switch (format) {
    case 'markdown':
      return resources.filter((one) => one.import?.posts !== undefined).map(({ name }) => name);
    case 'wordpress':
      return ['categories', 'tags', 'articles'];
    case 'ghost':
      return ['tags', 'articles'];
    case 'vcard':
      return ['contacts'];
    case 'onix':
      return ['books'];
    case 'kbart':
      return ['magazines', 'books'];
    default:
      return null;
  }
}

/** Opens a file. @throws UsageError when it has no usable header or part; ImportStopped when it cannot be read */
export async function openTable(
  file: SourceFile,
  format: TableFormat,
  options: TableOptions,
): Promise<Source> {
  return readers[format](file, options);
}

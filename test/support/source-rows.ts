/** The rows that a reader makes of a file, for tests. */
import { detectFormat } from '@trellis/importer/readers/detect.ts';
import type { SourceFile } from '@trellis/importer/readers/file.ts';
import { openTable, type TableOptions } from '@trellis/importer/readers/formats.ts';
import type { Source } from '@trellis/importer/source.ts';

/** A row by its values, or the reason why it could not be read. */
export type ReadRow = Record<string, unknown> | string;

/** Opens a file with the reader of its format, which its content tells. */
export async function openFile(file: SourceFile, options: Partial<TableOptions> = {}): Promise<Source> {
  const format = await detectFormat(file);
  if (format === 'markdown') throw new Error('Markdown is read from folders');
  return openTable(file, format, { columns: null, delimiter: null, ...options });
}

/** All rows, with their places. */
export async function readPlaces(source: Source): Promise<[string, ReadRow][]> {
  const rows: [string, ReadRow][] = [];
  for await (const row of source.read()) {
    rows.push([row.place, 'unreadable' in row ? row.unreadable : Object.fromEntries(row.fields)]);
  }
  return rows;
}

/** All rows of a file. */
export async function readFile(file: SourceFile, options: Partial<TableOptions> = {}): Promise<ReadRow[]> {
  return (await readPlaces(await openFile(file, options))).map(([, row]) => row);
}

/** A table for people as a file: CSV as spreadsheets of the language read it, or a workbook. */
import type { CellContext } from '@trellis/importer/tables/cells.ts';
import type { TableLanguage } from '@trellis/importer/tables/columns.ts';
import { chooseColumns, listReferences, makeRow } from '@trellis/importer/tables/table.ts';
import { longestText, XlsxWriter } from '@trellis/importer/tables/xlsx.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { byteOrderMark, toCsv } from '../../ui/csv.ts';
import type { RecordNames } from './record-names.ts';

export { RecordNames } from './record-names.ts';

export type TableFormat = 'csv' | 'xlsx';

interface TableOptions {
  readonly resource: Resource;
  readonly language: TableLanguage;
  readonly names: RecordNames;
  /** Of the sheet. */
  readonly name: string;
}

interface TableFile {
  readonly content: Blob;
  /** Number of texts that are too long for the cells of a workbook, and were left out. */
  readonly tooLong: number;
}

/** Rows that are written before the page has its turn. */
const rowsAtOnce = 200;
const [narrowest, widest] = [8, 40];

/**
 * Makes the file of records.
 * @param fields dotted names of the fields that it has
 * @throws ProblemError when the names of other records cannot be read
 */
export async function makeTableFile(
  { resource, language, names, name }: TableOptions,
  fields: readonly string[],
  records: readonly Readonly<Record<string, unknown>>[],
  format: TableFormat,
): Promise<TableFile> {
  const context: CellContext = { resource, language, nameOf: names.nameOf };
  const columns = chooseColumns(context, fields, records);
  for (const [reference, ids] of listReferences(columns, records))
    if (ids.size > 0) await names.load(reference);
  const headings = columns.map(({ heading }) => heading);
  const rows = (from: number) =>
    records.slice(from, from + rowsAtOnce).map((record) => makeRow(context, columns, record));
  if (format === 'csv') {
    const delimiter = language === 'de' ? ';' : ',';
    const parts = [byteOrderMark, toCsv([headings], delimiter)];
    for (let at = 0; at < records.length; at += rowsAtOnce) {
      parts.push(
        toCsv(
          rows(at).map((row) => row.map(({ text }) => text)),
          delimiter,
        ),
      );
      await nextTask();
    }
    return { content: new Blob(parts, { type: 'text/csv;charset=utf-8' }), tooLong: 0 };
  }
  const first = rows(0);
  const widths = headings.map((heading, index) => {
    const longest = first.reduce(
      (width, row) => Math.max(width, row[index]?.text.length ?? 0),
      heading.length,
    );
    return Math.min(widest, Math.max(narrowest, longest)) + 2;
  });
  const writer = new XlsxWriter(name, headings, widths);
  let tooLong = 0;
  for (let at = 0; at < records.length; at += rowsAtOnce) {
    const written = rows(at);
    tooLong += written.flat().filter(({ text }) => text.length > longestText).length;
    writer.add(written);
    await nextTask();
  }
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  return { content: new Blob([...writer.end()], { type }), tooLong };
}

/** Lets the page react in between. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

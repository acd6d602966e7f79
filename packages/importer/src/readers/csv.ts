/**
 * Reads CSV files (RFC 4180) as spreadsheets export them: with comma, semicolon or tab, with or without a byte order mark,
 * with line breaks inside quotation marks. Broken rows are reported with their line and never guessed.
 */
import { decodeForPeople, decodeUtf8 } from '@trellis/schema/values/utf8.ts';
import { ImportStopped, UsageError } from '../errors.ts';
import { rejectionColumn, type Source, type SourceRow, type UnreadableRow } from '../source.ts';
import { CsvDefect, CsvParser, type ParsedRow } from './csv-parser.ts';
import {
  largestRowBytes,
  openTableFile,
  readBytes,
  readExportedResource,
  type SourceFile,
  type Table,
} from './file.ts';

export interface CsvOptions {
  /** Column names for a file without a header line; null when the first line has them. */
  readonly columns: readonly string[] | null;
  /** One character; null to detect it. */
  readonly delimiter: string | null;
}

const delimiters = [',', ';', '\t'] as const;
const sampleBytes = 65_536;
/** Maximum number of columns, and of the cells of a row. */
const mostColumns = 1_000;

/** Opens a CSV file. @throws UsageError when it has no usable header */
export async function openCsv(file: SourceFile, options: CsvOptions): Promise<Source> {
  const sample = await readSample(file);
  const delimiter = options.delimiter ?? sniffDelimiter(sample);
  const table = openTableFile(file);
  const columns = options.columns ?? (await readHeader(table, delimiter));
  checkColumns(columns);
  const isKept = (column: string) => column !== rejectionColumn;
  return {
    ...table.source,
    columns: columns.filter((column) => column !== '' && isKept(column)),
    rejectedHeader: formatRow([...columns.filter(isKept), rejectionColumn], delimiter),
    async *read() {
      let isHeader = options.columns === null;
      for await (const row of parseRows(table, delimiter)) {
        if (isEmpty(row)) table.skip('empty rows');
        else if (isHeader) isHeader = false;
        else yield readRow(row, columns);
      }
    },
    formatRejected({ reasons }, cells) {
      const kept = columns.flatMap((column, index) => (isKept(column) ? [cells[index] ?? ''] : []));
      return formatRow([...kept, reasons.join(' ')], delimiter);
    },
  };
}

/** The beginning of a file. @throws UsageError when it is written in UTF-16 */
async function readSample(file: SourceFile): Promise<string> {
  const sample = await readBytes(file, sampleBytes);
  const [first, second] = sample;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new UsageError(`${file.name} is written in UTF-16. Save it as "CSV UTF-8".`);
  }
  return decodeForPeople(sample);
}

/** Detects the delimiter: the one with which most of the first rows have the same number of cells, more than one. */
function sniffDelimiter(sample: string): string {
  const scores = delimiters.map((delimiter) => {
    const counts = countCells(sample, delimiter);
    const [first = 1] = counts;
    return first === 1
      ? 0
      : counts.filter((count) => count === first).length / counts.length + first / 10_000;
  });
  const best = Math.max(...scores);
  return best === 0 ? ',' : (delimiters[scores.indexOf(best)] ?? ',');
}

/** The number of cells in each row of the sample; delimiters and line breaks inside quotation marks do not count. */
function countCells(sample: string, delimiter: string): number[] {
  const counts: number[] = [];
  let cells = 1;
  let isQuoted = false;
  for (const character of sample) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === delimiter) cells += 1;
    else if (character === '\n') {
      counts.push(cells);
      cells = 1;
    }
  }
  return counts.length === 0 ? [cells] : counts.slice(0, 100);
}

async function readHeader(table: Table, delimiter: string): Promise<readonly string[]> {
  for await (const row of parseRows(table, delimiter)) {
    checkCount(row.count);
    if (!isEmpty(row)) return row.cells.map((cell) => decodeForPeople(cell).trim());
  }
  throw new UsageError(`${table.source.name} has no rows.`);
}

/** Whether all cells of a row are empty. A row with too many cells is not: the further ones were not kept. */
function isEmpty({ cells, count }: ParsedRow): boolean {
  return count <= mostColumns && cells.every((cell) => cell.length === 0);
}

function checkCount(count: number): void {
  if (count <= mostColumns) return;
  throw new UsageError(`The file has ${count} columns; at most ${mostColumns} are read.`);
}

function checkColumns(columns: readonly string[]): void {
  checkCount(columns.length);
  const named = columns.filter((column) => column !== '');
  const repeated = named.find((column, index) => named.indexOf(column) < index);
  if (repeated !== undefined)
    throw new UsageError(`Two columns have the name "${repeated}". Rename one of them.`);
}

/** Reads all rows of the file. @throws ImportStopped at a defect after which no row can be read */
async function* parseRows(table: Table, delimiter: string): AsyncGenerator<ParsedRow> {
  const parser = new CsvParser(delimiter, largestRowBytes, mostColumns);
  try {
    for await (const chunk of table.read()) yield* parser.parse(chunk);
    yield* parser.end();
  } catch (error) {
    if (!(error instanceof CsvDefect)) throw error;
    throw new ImportStopped(
      `No row after line ${error.line} can be read: the next one is longer than ${largestRowBytes} bytes, or a quotation mark is never closed. Correct the file there.`,
    );
  }
}

function readRow({ cells, count, line }: ParsedRow, columns: readonly string[]): SourceRow | UnreadableRow {
  const place = `line ${line}`;
  const decoded = cells.map(decodeUtf8);
  const original = cells.map((cell, index) => decoded[index] ?? decodeForPeople(cell));
  const unreadable = findDefect(original, count, decoded.indexOf(null), columns);
  if (unreadable !== null) return { place, unreadable, original };
  const fields = new Map<string, unknown>();
  for (const [index, column] of columns.entries()) {
    const text = original[index] ?? '';
    if (text.trim() !== '' && column !== '' && column !== rejectionColumn) fields.set(column, text);
  }
  return { place, fields, key: null, exportedAs: readExportedResource(fields), original };
}

/**
 * Why a row cannot be read; null when it can.
 * @param texts the cells that were kept
 * @param count number of all cells
 * @param foreign index of the first cell that is not valid UTF-8; -1 without one
 */
function findDefect(
  texts: readonly string[],
  count: number,
  foreign: number,
  columns: readonly string[],
): string | null {
  const column = (index: number) => columns[index] || `column ${index + 1}`;
  if (count < columns.length) {
    return `The row has ${count} cells instead of ${columns.length}. Is a cell missing or a quotation mark wrong?`;
  }
  const tooMany = texts.findIndex((text, index) => index >= columns.length && text !== '');
  if (tooMany >= 0) {
    return `The row has ${count} cells instead of ${columns.length}; the first extra one is "${texts[tooMany]?.slice(0, 60)}". Does a cell with a delimiter lack quotation marks?`;
  }
  if (count > mostColumns) return `The row has ${count} cells; at most ${mostColumns} are read.`;
  if (foreign >= 0) return `${column(foreign)}: Must be valid UTF-8. Save the file as "CSV UTF-8".`;
  const withNul = texts.findIndex((text) => text.includes('\0'));
  return withNul >= 0 ? `${column(withNul)}: Must not contain a NUL character.` : null;
}

function formatRow(cells: readonly string[], delimiter: string): string {
  const format = (cell: string) =>
    /["\r\n]/.test(cell) || cell.includes(delimiter) || cell.trim() !== cell
      ? `"${cell.replaceAll('"', '""')}"`
      : cell;
  return `${cells.map(format).join(delimiter)}\n`;
}

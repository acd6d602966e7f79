/**
 * Reads CSV files (RFC 4180) as spreadsheets export them: with comma, semicolon or tab, with or without a byte order mark,
 * with line breaks inside quotation marks. Broken rows are reported with their line and never guessed.
 */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { ImportStopped } from '@trellis/importer/errors.ts';
import {
  type OriginalRow,
  rejectionColumn,
  type Source,
  type SourceRow,
  type UnreadableRow,
} from '@trellis/importer/source.ts';
import { UsageError } from '@trellis/importer/usage-error.ts';
import { parse } from 'csv-parse';
import { byteOrderMark, largestRowBytes, lineFeed, readExportedResource } from './lines.ts';

export interface CsvOptions {
  /** Column names for a file without a header line; null when the first line has them. */
  readonly columns: readonly string[] | null;
  /** One character; null to detect it. */
  readonly delimiter: string | null;
}

/** A row as the parser returns it. */
interface RawRow {
  readonly cells: readonly Buffer[];
  /** Number of its first line, from 1. */
  readonly line: number;
}

const delimiters = [',', ';', '\t'] as const;
const sampleBytes = 65_536;
const mostColumns = 1_000;

/** Opens a CSV file. @throws UsageError when it has no usable header */
export async function openCsv(path: string, options: CsvOptions): Promise<Source> {
  const sample = await readSample(path);
  const delimiter = options.delimiter ?? sniffDelimiter(sample.toString('latin1'));
  const { size } = await stat(path);
  const columns = options.columns ?? (await readHeader(path, delimiter));
  checkColumns(columns);
  let bytesRead = 0;
  const skipped = new Map<string, number>();
  return {
    name: path,
    isPosts: false,
    wrappers: [],
    columns: columns.filter((column) => column !== '' && column !== rejectionColumn),
    skipped,
    total: () => (size === 0 ? 1 : bytesRead / size),
    rejectedHeader: formatRow(
      [...columns.filter((column) => column !== rejectionColumn), rejectionColumn],
      delimiter,
    ),
    async *read() {
      skipped.clear();
      let isHeader = options.columns === null;
      for await (const row of parseFile(path, delimiter, (bytes) => {
        bytesRead = bytes;
      })) {
        if (row.cells.every((cell) => cell.length === 0)) {
          skipped.set('empty rows', (skipped.get('empty rows') ?? 0) + 1);
        } else if (isHeader) {
          isHeader = false;
        } else {
          yield readRow(row, columns);
        }
      }
    },
    formatRejected({ reasons }, original) {
      const cells = typeof original === 'string' ? [original] : original;
      const kept = columns.flatMap((column, index) =>
        column === rejectionColumn ? [] : [cells[index] ?? ''],
      );
      return formatRow([...kept, reasons.join(' ')], delimiter);
    },
  };
}

async function readSample(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sampleBytes), 0, sampleBytes, 0);
    const sample = buffer.subarray(0, bytesRead);
    if (/^(\xff\xfe|\xfe\xff)/.test(sample.toString('latin1', 0, 2))) {
      throw new UsageError(`${path} is written in UTF-16. Save it as "CSV UTF-8".`);
    }
    return sample;
  } finally {
    await file.close();
  }
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

async function readHeader(path: string, delimiter: string): Promise<readonly string[]> {
  for await (const { cells } of parseFile(path, delimiter, () => undefined)) {
    if (cells.some((cell) => cell.length > 0)) return cells.map((cell) => cell.toString('utf8').trim());
  }
  throw new UsageError(`${path} has no rows.`);
}

function checkColumns(columns: readonly string[]): void {
  if (columns.length > mostColumns) {
    throw new UsageError(`The file has ${columns.length} columns; at most ${mostColumns} are read.`);
  }
  const named = columns.filter((column) => column !== '');
  const repeated = named.find((column, index) => named.indexOf(column) < index);
  if (repeated !== undefined)
    throw new UsageError(`Two columns have the name "${repeated}". Rename one of them.`);
}

/** Reads all rows of the file. @throws ImportStopped at a defect after which no row can be read */
async function* parseFile(
  path: string,
  delimiter: string,
  noteBytes: (bytes: number) => void,
): AsyncGenerator<RawRow> {
  let rows: RawRow[] = [];
  let failure: Error | null = null;
  let lastLine = 0;
  const parser = parse({
    // Cells stay bytes, so that invalid UTF-8 is detected.
    encoding: false,
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    // A quotation mark inside a cell that does not begin with one is an ordinary character.
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: largestRowBytes,
    on_record: (record: unknown[], { lines }) => {
      const cells = record.filter((cell) => Buffer.isBuffer(cell));
      const inner = cells.reduce((count, cell) => count + countLineFeeds(cell), 0);
      lastLine = lines;
      rows.push({ cells, line: Math.max(1, lines - inner) });
      return null;
    },
  });
  parser.on('error', (error) => {
    failure ??= error;
  });
  let bytes = 0;
  const stream = createReadStream(path);
  try {
    for await (const chunk of stream) {
      // The parser's option for the byte order mark would turn the cells into strings.
      const content = bytes === 0 && chunk.subarray(0, 3).equals(byteOrderMark) ? chunk.subarray(3) : chunk;
      await new Promise<void>((resolve) => parser.write(content, () => resolve()));
      bytes += chunk.length;
      noteBytes(bytes);
      yield* rows;
      rows = [];
      if (failure !== null) break;
    }
    if (failure === null) await new Promise<void>((resolve) => parser.end(() => resolve()));
  } finally {
    stream.destroy();
    parser.destroy();
  }
  yield* rows;
  if (failure !== null) {
    throw new ImportStopped(
      `No row after line ${lastLine} can be read: the next one is longer than ${largestRowBytes} bytes, or a quotation mark is never closed. Correct the file there.`,
    );
  }
}

function countLineFeeds(cell: Buffer): number {
  let count = 0;
  for (let at = cell.indexOf(lineFeed); at >= 0; at = cell.indexOf(lineFeed, at + 1)) count += 1;
  return count;
}

function readRow({ cells, line }: RawRow, columns: readonly string[]): SourceRow | UnreadableRow {
  const place = `line ${line}`;
  const original: OriginalRow = cells.map((cell) => cell.toString('utf8'));
  const unreadable = findDefect(cells, columns);
  if (unreadable !== null) return { place, unreadable, original };
  const fields = new Map<string, unknown>();
  for (const [index, column] of columns.entries()) {
    const text = original[index] ?? '';
    if (text.trim() !== '' && column !== '' && column !== rejectionColumn) fields.set(column, text);
  }
  return { place, fields, key: null, exportedAs: readExportedResource(fields), original };
}

function findDefect(cells: readonly Buffer[], columns: readonly string[]): string | null {
  const column = (index: number) => columns[index] || `column ${index + 1}`;
  if (cells.length < columns.length) {
    return `The row has ${cells.length} cells instead of ${columns.length}. Is a cell missing or a quotation mark wrong?`;
  }
  const tooMany = cells.findIndex((cell, index) => index >= columns.length && cell.length > 0);
  if (tooMany >= 0) {
    return `The row has ${cells.length} cells instead of ${columns.length}; the first extra one is "${cells[tooMany]?.toString('utf8').slice(0, 60)}". Does a cell with a delimiter lack quotation marks?`;
  }
  const foreign = cells.findIndex((cell) => !isUtf8(cell));
  if (foreign >= 0) return `${column(foreign)}: Must be valid UTF-8. Save the file as "CSV UTF-8".`;
  const withNul = cells.findIndex((cell) => cell.includes(0));
  return withNul >= 0 ? `${column(withNul)}: Must not contain a NUL character.` : null;
}

function formatRow(cells: readonly string[], delimiter: string): string {
  const format = (cell: string) =>
    /["\r\n]/.test(cell) || cell.includes(delimiter) || cell.trim() !== cell
      ? `"${cell.replaceAll('"', '""')}"`
      : cell;
  return `${cells.map(format).join(delimiter)}\n`;
}

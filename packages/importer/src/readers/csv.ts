/**
 * Reads CSV files (RFC 4180) as spreadsheets and other systems export them: with any delimiter and in any encoding, with a note before
 * the header, with line breaks inside quotation marks. Broken rows are reported with their line and never guessed.
 */
import { unguardFormula } from '@trellis/schema/values/spreadsheet.ts';
import { idInput } from '../destinations.ts';
import { ImportStopped, UsageError } from '../errors.ts';
import { nameOptOutFile, optOutColumn } from '../opt-outs.ts';
import { rejectionColumn, type Source, type SourceRow, type UnreadableRow } from '../source.ts';
import { idHeading } from '../tables/columns.ts';
import { CsvDefect, CsvParser, type ParsedRow } from './csv-parser.ts';
import {
  decodingOf,
  detectEncoding,
  type Encoding,
  findByteOrderMark,
  isDivisible,
  readEncoding,
  type TextDecoding,
} from './encoding.ts';
import {
  concatenate,
  largestRowBytes,
  openTableFile,
  readBytes,
  readExportedResource,
  type SourceFile,
  type Table,
  toBytes,
} from './file.ts';
import { recognizeShape, shapeBytes, type TableShape } from './table-shape.ts';

export interface CsvOptions {
  /** Column names for a file without a header line; null when the first line has them. */
  readonly columns: readonly string[] | null;
  /** One character; null to detect it. */
  readonly delimiter: string | null;
  /** Name of the encoding; null to detect it. A byte order mark decides first. */
  readonly encoding?: string | null;
  /** Number of the line with the names of the columns, from 1; null to detect it. */
  readonly headerLine?: number | null;
}

/** The encoding is recognized by so many bytes. */
const sampleBytes = 1_048_576;
/** The id of a record, in rows of an export of the console, which guards formulas. */
const recordId = /^[a-z]+_[0-9a-z]{26}$/;
/** Maximum number of columns, and of the cells of a row. */
export const mostColumns = 1_000;

/** Opens a CSV file. @throws UsageError when it has no usable header */
export async function openCsv(file: SourceFile, options: CsvOptions): Promise<Source> {
  const sample = await readBytes(file, sampleBytes);
  const encoding = chooseEncoding(sample, options);
  const shape = recognizeShape(await decodeStart(sample, encoding), options.delimiter);
  const { delimiter, firstLine } = shape;
  const isConverted = !isDivisible(encoding, delimiter);
  const table = openTableFile(file, isConverted ? encoding : 'utf-8');
  const decoding = decodingOf(isConverted ? 'utf-8' : encoding);
  // What was converted is written as UTF-8 that says so.
  const isMarked = isConverted || findByteOrderMark(sample) !== null;
  const header = await readHeader(table, shape, options, decoding);
  const { columns, line } = header;
  checkColumns(columns);
  const optOuts = nameOptOutFile(file.name);
  return {
    ...table.source,
    columns: [
      ...columns.filter((column) => column !== '' && isKept(column)),
      ...(optOuts === null ? [] : [optOutColumn]),
    ],
    table: { encoding, delimiter, headerLine: line, firstRows: shape.firstRows },
    rejectedHeader: toBytes(isMarked ? '\uFEFF' : '', rejectionColumn, delimiter, header.bytes, '\n'),
    async *read() {
      const start = line === null ? firstLine : line + 1;
      for await (const row of parseRows(table, delimiter)) {
        if (row.line < start) {
          const isNote = line !== null && row.line >= firstLine && row.line < line && !isEmpty(row);
          if (isNote) table.skip('lines before the header');
        } else if (isEmpty(row)) table.skip('empty rows');
        else yield readRow(row, columns, { encoding, optOuts, ...decoding });
      }
    },
    formatRejected: ({ reasons }, original) => {
      const text = reasons.join(' ');
      // In other encodings there are no bytes for every character, and the row is more important than the reason.
      const known = encoding === 'utf-8' || isConverted ? text : text.replace(/[^\0-\x7F]/gu, '?');
      return toBytes(quoted(known), delimiter, original, '\n');
    },
  };
}

/** The encoding of a file: that of its byte order mark, else the chosen one, else the recognized one. @throws UsageError */
function chooseEncoding(sample: Uint8Array, { encoding }: CsvOptions): Encoding {
  const chosen = encoding == null ? null : readEncoding(encoding);
  return findByteOrderMark(sample) ?? chosen ?? detectEncoding(sample);
}

/** The beginning of a sample, in UTF-8 and without a byte order mark. */
async function decodeStart(sample: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  const start = {
    name: '',
    size: 0,
    read: async function* () {
      yield sample.subarray(0, shapeBytes);
    },
  };
  const chunks: Uint8Array[] = [];
  for await (const chunk of openTableFile(start, encoding).read()) chunks.push(chunk);
  return concatenate(chunks);
}

/** The names of the columns, and where they come from. */
interface Header {
  readonly columns: readonly string[];
  /** The header line for the file of rejected rows, without a column of reasons at its beginning. */
  readonly bytes: Uint8Array;
  /** Its line in the file, from 1; null when it is none. */
  readonly line: number | null;
}

/** The header. A file of rejected rows begins with one, also if the file that they come from did not. */
async function readHeader(
  table: Table,
  { delimiter, firstLine, headerLine }: TableShape,
  { columns: given, headerLine: chosen }: CsvOptions,
  decoding: TextDecoding,
): Promise<Header> {
  for await (const row of parseRows(table, delimiter)) {
    if (isEmpty(row) || row.line < firstLine) continue;
    const columns = row.cells.map((cell) => decoding.decodeForPeople(cell).trim());
    const isOfRejected = columns[0] === rejectionColumn;
    if (given !== null && !isOfRejected) break;
    if (!isOfRejected && row.line < (chosen ?? headerLine)) continue;
    checkCount(row.count);
    return { columns, bytes: withoutReasons(row, columns), line: row.line };
  }
  if (given === null) throw new UsageError(`${table.source.name} has no rows.`);
  return { columns: given, bytes: toBytes(given.map(quoted).join(delimiter)), line: null };
}

/** The bytes of a row without the reasons of an earlier rejection. */
function withoutReasons({ bytes, secondCellAt }: ParsedRow, [first]: readonly string[]): Uint8Array {
  return first === rejectionColumn ? bytes.subarray(secondCellAt) : bytes;
}

/** Whether a column is one of the source, and not the one that a file of rejected rows has in addition. */
function isKept(column: string): boolean {
  return column !== rejectionColumn;
}

/** Whether all cells of a row are empty. A row with too many cells is not: the further ones were not kept. */
function isEmpty({ cells, count }: ParsedRow): boolean {
  return count <= mostColumns && cells.every((cell) => cell.length === 0);
}

function checkCount(count: number): void {
  if (count <= mostColumns) return;
  throw new UsageError(`The file has ${count} columns; at most ${mostColumns} are read.`);
}

export function checkColumns(columns: readonly string[]): void {
  checkCount(columns.length);
  const named = columns.filter((column) => column !== '' && isKept(column));
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

/** How the cells of a file are read. */
interface CellReading extends TextDecoding {
  /** Of the file. */
  readonly encoding: Encoding;
  /** The name of a file of people who have opted out; null for others. */
  readonly optOuts: string | null;
}

function readRow(
  row: ParsedRow,
  columns: readonly string[],
  { encoding, optOuts, decode, decodeForPeople }: CellReading,
): SourceRow | UnreadableRow {
  const { cells, count, line } = row;
  const place = `line ${line}`;
  const original = withoutReasons(row, columns);
  const decoded = cells.map(decode);
  const texts = cells.map((cell, index) => decoded[index] ?? decodeForPeople(cell));
  // A conversion leaves U+FFFD for bytes that the encoding does not have.
  const isForeign = (text: string | null) =>
    text === null || (encoding !== 'utf-8' && text.includes('\uFFFD'));
  const foreign = decoded.findIndex(isForeign);
  const unreadable = findDefect({ texts, count, foreign, encoding }, columns);
  if (unreadable !== null) return { place, unreadable, original };
  const fields = new Map<string, unknown>();
  const isOwn = [idInput, idHeading].some((name) => recordId.test(texts[columns.indexOf(name)] ?? ''));
  for (const [index, column] of columns.entries()) {
    const given = texts[index] ?? '';
    const text = isOwn ? unguardFormula(given) : unwrapFormula(given);
    if (text.trim() !== '' && column !== '' && isKept(column)) fields.set(column, text);
  }
  if (optOuts !== null) fields.set(optOutColumn, optOuts);
  return { place, fields, key: null, exportedAs: readExportedResource(fields), original };
}

/** The text of a formula such as `="0123"`, which keeps spreadsheets from reading a text as a number. */
function unwrapFormula(text: string): string {
  const [, inner] = /^="([^"]*)"$/.exec(text.trim()) ?? [];
  return inner ?? text;
}

/** The cells of a row. */
interface Cells {
  /** Those that were kept. */
  readonly texts: readonly string[];
  /** Number of all cells. */
  readonly count: number;
  /** Index of the first cell that is not valid in its encoding; -1 without one. */
  readonly foreign: number;
  readonly encoding: Encoding;
}

/** Why a row cannot be read; null when it can. */
function findDefect({ texts, count, foreign, encoding }: Cells, columns: readonly string[]): string | null {
  const column = (index: number) => columns[index] || `column ${index + 1}`;
  if (count < columns.length) {
    return `The row has ${count} cells instead of ${columns.length}. Is a cell missing or a quotation mark wrong?`;
  }
  const tooMany = texts.findIndex((text, index) => index >= columns.length && text !== '');
  if (tooMany >= 0) {
    return `The row has ${count} cells instead of ${columns.length}; the first extra one is "${texts[tooMany]?.slice(0, 60)}". Does a cell with a delimiter lack quotation marks?`;
  }
  if (count > mostColumns) return `The row has ${count} cells; at most ${mostColumns} are read.`;
  if (foreign >= 0) {
    return encoding === 'utf-8'
      ? `${column(foreign)}: Must be valid UTF-8. Choose the encoding of the file, or save it as "CSV UTF-8".`
      : `${column(foreign)}: Has bytes that ${encoding} does not have. Choose another encoding.`;
  }
  const withNul = texts.findIndex((text) => text.includes('\0'));
  return withNul >= 0 ? `${column(withNul)}: Must not contain a NUL character.` : null;
}

/** A cell between quotation marks. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

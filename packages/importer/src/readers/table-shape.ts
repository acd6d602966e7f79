/** The shape of a CSV table, told by its beginning: the delimiter, and the line of the header. */
import { decodeForPeople } from '@trellis/schema/values/utf8.ts';
import { shorten } from '../report.ts';
import type { FirstRow } from '../source.ts';
import { CsvDefect, CsvParser, type ParsedRow } from './csv-parser.ts';
import { largestRowBytes } from './file.ts';

/** The shape of a table. */
export interface TableShape {
  readonly delimiter: string;
  /** The first line of the table, from 1: the second one after a line such as `sep=;`. */
  readonly firstLine: number;
  /** Number of the line with the names of the columns, from 1. */
  readonly headerLine: number;
  /** The first rows with a value, for people who look for another header. */
  readonly firstRows: readonly FirstRow[];
}

/** Size of the beginning of a file by which its shape is recognized. */
export const shapeBytes = 65_536;

const delimiters = [',', ';', '\t', '|'] as const;
const rowsCompared = 100;
/** The header is looked for in so many rows. */
const rowsBeforeHeader = 20;
const rowsShown = 10;
const longestShown = 100;

/**
 * Recognizes the shape of a table.
 * @param sample the beginning of the file, in UTF-8
 * @param chosen the delimiter, when a person has chosen it
 */
export function recognizeShape(sample: Uint8Array, chosen: string | null): TableShape {
  const declared = findDeclaredDelimiter(sample);
  const delimiter = chosen ?? declared ?? sniffDelimiter(sample);
  const firstLine = declared === null ? 1 : 2;
  const rows = parseSample(sample, delimiter).filter(({ line }) => line >= firstLine);
  const firstRows = rows
    .filter((row) => countGiven(row) > 0)
    .slice(0, rowsShown)
    .map(({ line, cells }) => ({
      line,
      text: shorten(cells.map(decodeForPeople).join(' · '), longestShown),
    }));
  return { delimiter, firstLine, headerLine: findHeader(rows), firstRows };
}

/** The delimiter of a first line such as `sep=;`, which Excel reads and writes; null without one. */
function findDeclaredDelimiter(sample: Uint8Array): string | null {
  const [, delimiter = null] =
    /^"?sep=([^"\r\n])"?(?:[,;\t]*)(?:\r|\n|$)/i.exec(decodeForPeople(sample.subarray(0, 32))) ?? [];
  return delimiter;
}

/** The delimiter with which most of the first rows have the same number of cells, more than one. */
function sniffDelimiter(sample: Uint8Array): string {
  const scores = delimiters.map((delimiter) => {
    const counts = parseSample(sample, delimiter).map(({ count }) => count);
    // Lines before the header have one cell.
    const reference = counts.slice(0, rowsBeforeHeader).find((count) => count > 1);
    if (reference === undefined) return 0;
    return counts.filter((count) => count === reference).length / counts.length + reference / 10_000;
  });
  const best = Math.max(...scores);
  return best === 0 ? ',' : (delimiters[scores.indexOf(best)] ?? ',');
}

/** Part of the rows after a header that have as many cells. */
const fewestAlike = 0.8;

/** The first row, unless it has one cell, and a later one is as wide as the rows after it: then a title or a note stands before it. */
function findHeader(rows: readonly ParsedRow[]): number {
  const given = rows.filter((row) => countGiven(row) > 0);
  const [first] = given;
  if (first === undefined) return 1;
  if (countGiven(first) > 1) return first.line;
  const header = given.slice(0, rowsBeforeHeader).find((row, index) => {
    const after = given.slice(index + 1);
    const alike = after.filter(({ count }) => count === row.count);
    return countGiven(row) > 1 && alike.length > 0 && alike.length >= fewestAlike * after.length;
  });
  return (header ?? first).line;
}

/** Number of cells that are not empty, or were not kept. */
function countGiven({ cells, count }: ParsedRow): number {
  return cells.filter((cell) => cell.length > 0).length + count - cells.length;
}

/** The first rows of a sample, without one that its end cuts. */
function parseSample(sample: Uint8Array, delimiter: string): ParsedRow[] {
  const parser = new CsvParser(delimiter, largestRowBytes, 1_000);
  const rows: ParsedRow[] = [];
  try {
    for (const row of parser.parse(sample)) {
      rows.push(row);
      if (rows.length === rowsCompared) return rows;
    }
    if (sample.length < shapeBytes) rows.push(...parser.end());
  } catch (error) {
    if (!(error instanceof CsvDefect)) throw error;
  }
  return rows;
}

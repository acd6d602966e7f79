/**
 * Parses CSV (RFC 4180) from chunks of bytes. Cells stay bytes, so that invalid UTF-8 is found in its cell. What programs write
 * beyond the RFC is accepted: other delimiters, all line ends, and quotation marks inside a cell that does not begin with one.
 */
import { concatenate, lineFeed } from './file.ts';

/** A row with its cells. */
export interface ParsedRow {
  /** The first cells, as many as the parser keeps. */
  readonly cells: readonly Uint8Array[];
  /** Number of all cells, also of those that were not kept. */
  readonly count: number;
  /** Number of its first line, from 1. */
  readonly line: number;
  /** The row as it came, without its line end. */
  readonly bytes: Uint8Array;
  /** Where the second cell begins in `bytes`; their length when there is none. */
  readonly secondCellAt: number;
}

/** A defect after which no row can be read: a row is too large, or a quotation mark is never closed. */
export class CsvDefect extends Error {
  /** Number of the last line of the last row that could be read; 0 when there is none. */
  readonly line: number;

  constructor(line: number) {
    super(`no row after line ${line} can be read`);
    this.line = line;
  }
}

const quote = 0x22;
const carriageReturn = 0x0d;

/** The parser of one file. Lines without any character are skipped. */
export class CsvParser {
  private readonly delimiter: Uint8Array;
  private readonly largestRowBytes: number;
  private readonly mostCells: number;
  /** Bytes that were not parsed because the ones after them decide what they mean. */
  private rest: Uint8Array = new Uint8Array(0);
  private cells: Uint8Array[] = [];
  private cellCount = 0;
  /** Has room for a cell that is a whole row. */
  private readonly cell: Uint8Array;
  private cellLength = 0;
  /** Number of bytes of the row that were read, with delimiters and quotation marks. */
  private rowLength = 0;
  /** Those bytes of the row that are not in the chunk being parsed. */
  private rowBytes: Uint8Array = new Uint8Array(0);
  private secondCellAt = 0;
  private isQuoted = false;
  private wasQuoted = false;
  private line = 1;
  private rowLine = 1;

  /**
   * @param delimiter one character
   * @param largestRowBytes maximum size of a row, without its line end
   * @param mostCells the cells of a row that are kept; further ones are only counted, because an empty cell takes far more memory
   *   than its byte in the file
   */
  constructor(delimiter: string, largestRowBytes: number, mostCells: number) {
    this.delimiter = new TextEncoder().encode(delimiter);
    this.largestRowBytes = largestRowBytes;
    this.cell = new Uint8Array(largestRowBytes + 1);
    this.mostCells = mostCells;
  }

  /** The rows that a chunk completes. @throws CsvDefect at a row that is too large */
  *parse(chunk: Uint8Array): Generator<ParsedRow> {
    const bytes = concatenate([this.rest, chunk]);
    const end = bytes.length - Math.max(1, this.delimiter.length);
    const at = yield* this.advance(bytes, end);
    this.rest = bytes.slice(at);
  }

  /** The last rows, when the file has ended. @throws CsvDefect when the last one is not complete */
  *end(): Generator<ParsedRow> {
    yield* this.advance(this.rest, this.rest.length);
    if (this.isQuoted) throw new CsvDefect(this.rowLine - 1);
    if (!this.isRowEmpty()) yield this.endRow(new Uint8Array(0));
  }

  /** Parses up to a position. @returns where to continue: a token may reach beyond the end */
  private *advance(bytes: Uint8Array, end: number): Generator<ParsedRow, number> {
    let at = 0;
    let rowAt = 0;
    while (at < end) {
      const byte = bytes[at] ?? 0;
      if (!this.isQuoted && (byte === lineFeed || byte === carriageReturn)) {
        const isEmpty = this.isRowEmpty();
        const row = this.endRow(bytes.subarray(rowAt, at));
        at += byte === carriageReturn && bytes[at + 1] === lineFeed ? 2 : 1;
        rowAt = at;
        this.line += 1;
        this.rowLine = this.line;
        if (!isEmpty) yield row;
      } else {
        const length = this.readPart(bytes, at, byte);
        this.rowLength += length;
        if (this.rowLength > this.largestRowBytes) throw new CsvDefect(this.rowLine - 1);
        at += length;
      }
    }
    this.rowBytes = concatenate([this.rowBytes, bytes.subarray(rowAt, at)]);
    return at;
  }

  /** Reads a byte of a cell, a quotation mark or a delimiter. @returns its length in bytes */
  private readPart(bytes: Uint8Array, at: number, byte: number): number {
    if (this.isQuoted) return this.readQuoted(bytes, at, byte);
    if (byte === quote && this.cellLength === 0) {
      this.isQuoted = true;
      return 1;
    }
    if (this.isDelimiter(bytes, at)) {
      this.endCell();
      return this.delimiter.length;
    }
    this.append(byte);
    return 1;
  }

  /** Reads one or two bytes of a cell between quotation marks. @returns how many */
  private readQuoted(bytes: Uint8Array, at: number, byte: number): 1 | 2 {
    const next = bytes[at + 1];
    if (byte !== quote) {
      if (byte === lineFeed || (byte === carriageReturn && next !== lineFeed)) this.line += 1;
      this.append(byte);
      return 1;
    }
    if (next === quote) {
      this.append(quote);
      return 2;
    }
    this.isQuoted = false;
    this.wasQuoted = true;
    const isClosed = next === undefined || next === lineFeed || next === carriageReturn;
    if (isClosed || this.isDelimiter(bytes, at + 1)) return 1;
    // The quotation marks are part of a cell such as `"To be" or not`.
    this.cell.copyWithin(1, 0, this.cellLength);
    this.cell[0] = quote;
    this.cellLength += 1;
    this.append(quote);
    return 1;
  }

  private isDelimiter(bytes: Uint8Array, at: number): boolean {
    if (bytes[at] !== this.delimiter[0]) return false;
    return this.delimiter.length === 1 || this.delimiter.every((byte, index) => bytes[at + index] === byte);
  }

  private append(byte: number): void {
    this.cell[this.cellLength] = byte;
    this.cellLength += 1;
  }

  private isRowEmpty(): boolean {
    return this.cellCount === 0 && this.cellLength === 0 && !this.wasQuoted;
  }

  private endCell(): void {
    this.cellCount += 1;
    if (this.cellCount === 1) this.secondCellAt = this.rowLength + this.delimiter.length;
    if (this.cellCount <= this.mostCells) this.cells.push(this.cell.slice(0, this.cellLength));
    this.cellLength = 0;
    this.wasQuoted = false;
  }

  /** @param rest the bytes of the row in the chunk being parsed */
  private endRow(rest: Uint8Array): ParsedRow {
    this.endCell();
    const bytes = concatenate([this.rowBytes, rest]);
    const secondCellAt = Math.min(this.secondCellAt, bytes.length);
    const row = { cells: this.cells, count: this.cellCount, line: this.rowLine, bytes, secondCellAt };
    this.rowBytes = new Uint8Array(0);
    this.cells = [];
    this.cellCount = 0;
    this.rowLength = 0;
    return row;
  }
}

/**
 * Why: a table is a CSV or an NDJSON file of any length. It is read row by row, so that a million rows take no more
 * memory than ten; whatever cannot be read is told with its line, and can be written back as it stood.
 */

/** One row as its file has it. */
export interface TableRow {
  /** Where it stands, for people: `line 17`. */
  readonly place: string;
  /** Values by column; empty cells are absent. NDJSON values may be nested. */
  readonly fields: ReadonlyMap<string, unknown>;
  /** For the file of rejected rows. */
  readonly original: OriginalRow;
}

/** A row that could not be read. */
export interface UnreadableRow {
  readonly place: string;
  readonly unreadable: string;
  readonly original: OriginalRow;
}

/** The cells of a CSV row, or the line of an NDJSON file. */
export type OriginalRow = readonly string[] | string;

/** A table, ready to be read as often as wanted. */
export interface TableSource {
  /** Names of all columns; null where every row has its own. */
  readonly columns: readonly string[] | null;
  /** What is there but is no row, such as empty lines, and how many; as of the last reading. */
  readonly passedOver: ReadonlyMap<string, number>;
  /** Part of the file that was read, 0 to 1. */
  readonly fractionRead: () => number;
  /** How the file of rejected rows begins; '' when it needs no beginning. */
  readonly rejectedHeader: string;
  read(): AsyncIterable<TableRow | UnreadableRow>;
  /** A line of the file of rejected rows: the row as it stood, and why it was rejected. */
  writeRejected(original: OriginalRow, reasons: readonly string[]): string;
}

/** Column in the file of rejected rows; on reading it is left out, so that a corrected file can be fed again. */
export const rejectionColumn = 'rejected_because';

/** Bytes of one row: beyond it a quotation mark was most likely never closed. */
export const largestRowBytes = 1_048_576;

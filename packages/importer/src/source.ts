/** What a reader gives the engine: rows of named values, whatever the format. A further format is one more reader. */
import type { Rejection } from './report.ts';

/** One row as its source has it. */
export interface SourceRow {
  /** Where it stands, for people: `line 17`, or a path below the folder. */
  readonly place: string;
  /**
   * Values by column; absent where the source has none. Values may be nested. A column in parentheses, such as
   * `(file name)`, is derived by the reader.
   */
  readonly fields: ReadonlyMap<string, unknown>;
  /** What tells the row from all others, the same in every run: the path of a file. Null where the values must say it. */
  readonly key: string | null;
  /** Name of the resource that a row of an export gives; null for other rows. */
  readonly exportedAs: string | null;
  /** For the file of rejected rows. */
  readonly original: OriginalRow;
}

/** A row that could not be read. */
export interface UnreadableRow {
  readonly place: string;
  readonly unreadable: string;
  readonly original: OriginalRow;
}

/** The cells of a CSV row, or a line of an NDJSON file; empty for a file of its own. */
export type OriginalRow = readonly string[] | string;

/** Something to import, ready to be read as often as wanted. */
export interface Source {
  /** As the caller named it. */
  readonly name: string;
  /** Names of all columns; null where every row has its own. */
  readonly columns: readonly string[] | null;
  /**
   * Whether the rows are posts of a site generator: they are published unless they say otherwise, known by their path,
   * and write lists as lists.
   */
  readonly isPosts: boolean;
  /** Groups whose members count as columns of their own: `extra.mood` is also found as `mood`. */
  readonly wrappers: readonly string[];
  /** What is there but is no row, such as empty lines, and how many; as of the last reading. */
  readonly skipped: ReadonlyMap<string, number>;
  /** Number of rows, or a function that gives the part that was read, 0 to 1. */
  readonly total: number | (() => number);
  /** How the file of rejected rows begins; '' when it needs no beginning. */
  readonly rejectedHeader: string;
  read(): AsyncIterable<SourceRow | UnreadableRow>;
  /** A line of the file of rejected rows. */
  formatRejected(rejection: Rejection, original: OriginalRow): string;
}

/** Column in the file of rejected rows; on reading it is left out, so that a corrected file can be imported. */
export const rejectionColumn = 'rejected_because';

/** The interface between readers and the engine: rows of named values. Each format has a reader. */
import type { Rejection } from './report.ts';

/** A row of a source. */
export interface SourceRow {
  /** Its place, for people: `line 17`, or a path below the folder. */
  readonly place: string;
  /**
   * Values by column; absent where the row has none. Values can be nested. A column in parentheses, such as
   * `(file name)`, is derived by the reader.
   */
  readonly fields: ReadonlyMap<string, unknown>;
  /** A key that identifies the row in every run, such as the path of a file; null when its values have to. */
  readonly key: string | null;
  /** Name of the resource in a row of an export; null for other rows. */
  readonly exportedAs: string | null;
  /** For the file of rejected rows: the cells of a CSV row, or the one line of NDJSON; empty for a row that is a file. */
  readonly original: readonly string[];
}

/** A row that could not be read. */
export interface UnreadableRow {
  readonly place: string;
  readonly unreadable: string;
  readonly original: readonly string[];
}

/** An open source, which can be read several times. */
export interface Source {
  /** Its name as given by the caller. */
  readonly name: string;
  /** Names of all columns; null when each row has its own. */
  readonly columns: readonly string[] | null;
  /**
   * Whether the rows are posts of a site generator: they are published unless they say otherwise, identified by their
   * path, and have lists as lists.
   */
  readonly isPosts: boolean;
  /** Number of skipped parts by kind, such as empty lines; of the last reading. */
  readonly skipped: ReadonlyMap<string, number>;
  /** Number of rows, or a function that returns the part that was read, 0 to 1. */
  readonly total: number | (() => number);
  /** The header of the file of rejected rows; '' for none. */
  readonly rejectedHeader: string;
  read(): AsyncIterable<SourceRow | UnreadableRow>;
  /** Formats a line of the file of rejected rows. */
  formatRejected(rejection: Rejection, original: readonly string[]): string;
}

/** Column of the reasons in the file of rejected rows. Readers ignore it, so that a corrected file can be imported. */
export const rejectionColumn = 'rejected_because';

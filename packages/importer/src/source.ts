/** The interface between readers and the engine: rows of named values. Each format has a reader. */
import type { PictureFolder } from './readers/picture-files.ts';
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
  /** The addresses that the row gives of its post, the present one and former ones; absent without any. */
  readonly addresses?: readonly string[];
  /** The picture that a post names as its cover, if the folder may have it; absent without one. */
  readonly cover?: GivenCover;
  /** What the reader changed, for the report; absent if nothing. */
  readonly notes?: readonly string[];
  /** Name of the resource in a row of an export; null for other rows. */
  readonly exportedAs: string | null;
  /** Name of the resource that it becomes, in a source with several; absent elsewhere. */
  readonly becomes?: string;
  /** Its bytes as they came, for the file of rejected rows, without its line end; of a record without a line, its values as JSON. */
  readonly original: Uint8Array;
}

/** A cover in front matter. */
export interface GivenCover {
  /** Relative to the post, or from the root of the site. */
  readonly address: string;
  /** '' without any. */
  readonly alternativeText: string;
}

/** A row that could not be read. */
export interface UnreadableRow {
  readonly place: string;
  readonly unreadable: string;
  readonly original: Uint8Array;
}

/** How a table was read: as it was recognized, or chosen. */
export interface TableReading {
  /** Name in the Encoding Standard. */
  readonly encoding: string;
  readonly delimiter: string;
  /** Number of the line with the names of the columns, from 1; null when they were given. */
  readonly headerLine: number | null;
  /** The first rows with a value, one of which has the names of the columns. */
  readonly firstRows: readonly FirstRow[];
}

/** A row at the beginning of a table. */
export interface FirstRow {
  /** Number of its first line, from 1. */
  readonly line: number;
  /** Its cells, shortened. */
  readonly text: string;
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
  /** The pictures beside posts; absent where there can be none. */
  readonly pictures?: PictureFolder;
  /** Names of the resources that its rows can become; absent when a person decides. */
  readonly resources?: readonly string[];
  /** What the keys of rows are, for people, by the resource that the rows become; absent where no row has one that is shown. */
  readonly keys?: Readonly<Record<string, string>>;
  /** The sheets of a workbook or lists of a file, where there are several; only the chosen one is read. */
  readonly parts?: { readonly names: readonly string[]; readonly chosen: string } | null;
  /** What a person should know before the import, in sentences. */
  readonly notes?: readonly string[];
  /** Number of skipped parts by kind, such as empty lines; of the last reading. */
  readonly skipped: ReadonlyMap<string, number>;
  /** How a CSV table was read; absent for other formats. */
  readonly table?: TableReading;
  /** Number of rows, or a function that returns the part that was read, 0 to 1. */
  readonly total: number | (() => number);
  /** The bytes before the first row of the file of rejected rows; empty for none. */
  readonly rejectedHeader: Uint8Array;
  read(): AsyncIterable<SourceRow | UnreadableRow>;
  /** A row of the file of rejected rows, with its line end. */
  formatRejected(rejection: Rejection, original: Uint8Array): Uint8Array;
}

/** Column of the last part of the address that a post had, which a reader derives. */
export const addressColumn = '(address)';

/**
 * Column of the reasons in the file of rejected rows. Readers ignore it, so that a corrected file can be imported. It is the first one,
 * because a row may have fewer or more cells than the header.
 */
export const rejectionColumn = 'rejected_because';

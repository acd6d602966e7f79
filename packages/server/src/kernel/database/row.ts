/**
 * Rows by name. A shape names the expression and the decoder of each column, and the select list is made from it, so no reader
 * depends on the order of columns.
 */
import type { Row, StepResult } from './batch.ts';
import { parseTextArray, parseTimestamp } from './values.ts';

/** A column of a select list, or several that are one value. */
export interface Column<T> {
  /** The expression, as the statement has it. */
  readonly sql: string;
  /** How many columns of the list it is. */
  readonly width: number;
  /** Reads it from a row, in which it begins at a place. @throws TypeError for NULL where there is to be a value */
  read(row: Row, place: number): T;
}

/** The rows of a statement. */
export interface RowShape<T> {
  /** The select list, or that of RETURNING. */
  readonly list: string;
  readonly width: number;
  /** Reads a row, or the part of one that begins at a place. */
  read(row: Row, place?: number): T;
  /** The first row; undefined where there is none. */
  first(result: StepResult | undefined): T | undefined;
  all(result: StepResult | undefined): T[];
}

type Values<Columns> = {
  readonly [Name in keyof Columns]: Columns[Name] extends Column<infer T> ? T : never;
};

/** Defines the rows of a statement, which selects `list`. */
export function defineRow<const Columns extends Readonly<Record<string, Column<unknown>>>>(
  columns: Columns,
): RowShape<Values<Columns>> {
  let width = 0;
  const entries = Object.entries(columns).map(([name, column]) => {
    const entry = { name, column, place: width };
    width += column.width;
    return entry;
  });
  const read = (row: Row, start = 0) => {
    const values: Record<string, unknown> = {};
    for (const { name, column, place } of entries) values[name] = column.read(row, start + place);
    return values as Values<Columns>;
  };
  const all = (result: StepResult | undefined) => (result?.rows ?? []).map((row) => read(row));
  return {
    list: entries.map(({ column }) => column.sql).join(', '),
    width,
    read,
    first: (result) => result?.rows.slice(0, 1).map((row) => read(row))[0],
    all,
  };
}

/** A nested row of another shape, such as one from a LEFT JOIN: null if all of its columns are NULL. */
export function joined<T>({ list, width, read }: RowShape<T>): Column<T | null> {
  return {
    sql: list,
    width,
    read: (row, place) =>
      row.slice(place, place + width).every((found) => found === null) ? null : read(row, place),
  };
}

/** A text or uuid; never NULL. */
export function text(sql: string): Column<string> {
  return value(sql, (found) => found);
}

/** An integer, or a number without more digits than a double has; never NULL. */
export function number(sql: string): Column<number> {
  return value(sql, Number);
}

/** A condition. NULL counts as false, as in WHERE. */
export function flag(sql: string): Column<boolean> {
  return { sql, width: 1, read: (row, place) => row[place] === 't' };
}

/** A `timestamptz(3)`, as RFC 3339; never NULL. */
export function instant(sql: string): Column<string> {
  return value(sql, parseTimestamp);
}

/** A `text[]` or `uuid[]` without NULLs in it; never NULL itself. */
export function texts(sql: string): Column<string[]> {
  return value(sql, parseTextArray);
}

/** JSON that is known to be a `T`; never NULL. */
export function json<T>(sql: string): Column<T> {
  return value(sql, (found) => JSON.parse(found) as T);
}

/** The same column, where it may be NULL. */
export function nullable<T>(column: Column<T>): Column<T | null> {
  const read = (row: Row, place: number) => (row[place] === null ? null : column.read(row, place));
  return { ...column, read };
}

function value<T>(sql: string, parse: (found: string) => T): Column<T> {
  return {
    sql,
    width: 1,
    read(row, place) {
      const found = row[place] ?? null;
      if (found === null) throw new TypeError(`${sql} is NULL`);
      return parse(found);
    },
  };
}

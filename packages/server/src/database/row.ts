/**
 * Rows by name. A shape says of each column its expression and how its text is read; the select list of the statement is made of it,
 * so that no reader depends on the order of columns.
 */
import type { Row, StepResult } from './batch.ts';
import { parseTextArray, parseTimestamp } from './values.ts';

/** A column of a select list. */
export interface Column<T> {
  /** The expression, as the statement has it. */
  readonly sql: string;
  /** Reads PostgreSQL's text of it. @throws TypeError for NULL where there is to be a value */
  readonly decode: (text: string | null) => T;
}

/** The rows of a statement. */
export interface RowShape<T> {
  /** The select list, or that of RETURNING. */
  readonly list: string;
  /** Reads a row. */
  read(row: Row): T;
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
  const entries = Object.entries(columns);
  const read = (row: Row) => {
    const values: Record<string, unknown> = {};
    for (const [index, [name, { decode }]] of entries.entries()) values[name] = decode(row[index] ?? null);
    return values as Values<Columns>;
  };
  return {
    list: entries.map(([, { sql }]) => sql).join(', '),
    read,
    first: (result) => result?.rows.slice(0, 1).map(read).at(0),
    all: (result) => (result?.rows ?? []).map(read),
  };
}

/** A text, uuid, or JSON that is read later; never NULL. */
export function text(sql: string): Column<string> {
  return value(sql, (found) => found);
}

/** An integer, or a number without more digits than a double has; never NULL. */
export function number(sql: string): Column<number> {
  return value(sql, Number);
}

/** A condition. NULL counts as false, as in WHERE. */
export function flag(sql: string): Column<boolean> {
  return { sql, decode: (found) => found === 't' };
}

/** A `timestamptz(3)`, as RFC 3339; never NULL. */
export function instant(sql: string): Column<string> {
  return value(sql, parseTimestamp);
}

/** A `text[]` or `uuid[]` without NULLs in it; never NULL itself. */
export function texts(sql: string): Column<string[]> {
  return value(sql, parseTextArray);
}

/** The same column, where it may be NULL. */
export function nullable<T>({ sql, decode }: Column<T>): Column<T | null> {
  return { sql, decode: (found) => (found === null ? null : decode(found)) };
}

function value<T>(sql: string, parse: (found: string) => T): Column<T> {
  return {
    sql,
    decode(found) {
      if (found === null) throw new TypeError(`${sql} is NULL`);
      return parse(found);
    },
  };
}

/** Statements of which a distributed database (Citus) needs another form. See docs/decisions/0111-distribution-by-citus.md. */
import type { Statement } from './batch.ts';

/** A function and how its rows are read. */
export interface Call {
  /** Name of the statement. */
  readonly name: string;
  /** Its select list. */
  readonly columns: string;
  /** The function, without its schema. */
  readonly of: string;
  /** The types of its parameters. */
  readonly types: readonly string[];
}

/**
 * The statement, whose parameters are those of the function. In a distributed database the server of the organization has to execute the function, so
 * the statement reads a row there, which every organization has: its role of owners.
 */
export function callStatement({ name, columns, of, types }: Call): Statement {
  const call = (before: number) =>
    `trellis.${of}(${types.map((type, index) => `$${index + 1 + before}::${type}`).join(', ')})`;
  return {
    name,
    text: `SELECT ${columns} FROM ${call(0)}`,
    distributed: [
      {
        statement: {
          name: `${name}_there`,
          text: `SELECT ${columns}
            FROM (SELECT FROM trellis.roles WHERE organization_id = $1 AND key = 'OWNER') place, ${call(1)}`,
        },
        parameters: [0, ...types.map((_, index) => index + 1)],
      },
    ],
  };
}

/** The numbers of the parameters of a statement with this many. */
function firstParameters(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** A statement of which a distributed database has the second text. @param parameters how many parameters both have */
export function inTwoForms(name: string, parameters: number, text: string, there: string): Statement {
  return {
    name,
    text,
    distributed: [
      { statement: { name: `${name}_there`, text: there }, parameters: firstParameters(parameters) },
    ],
  };
}

/**
 * A statement that inserts rows which are selected from no table of the organization, or that a function makes from them. Citus inserts those by
 * COPY, which row-level security refuses, unless the statement returns something.
 * @param parameters how many parameters it has
 */
export function insertSelected(name: string, parameters: number, text: string): Statement {
  return inTwoForms(name, parameters, text, `${text} RETURNING NULL`);
}

/** SQL files as single statements: a distributed database (Citus) refuses changes of the schema that are sent as one text. */
import type pg from 'pg';

/**
 * What has no end of a statement in it (PostgreSQL, "Lexical Structure"): comments, strings, quoted names and dollar-quoted texts. The files
 * have no nested comments, and no bodies of functions between BEGIN ATOMIC and END.
 */
const token =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\b[Ee]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|;|[\s\S]/g;

/** The statements of a text, without their semicolons; comments before a statement belong to it, and those behind the last one to none. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let statement = '';
  let isEmpty = true;
  for (const [part] of sql.matchAll(token)) {
    if (part === ';') {
      if (!isEmpty) statements.push(statement.trim());
      statement = '';
      isEmpty = true;
    } else {
      statement += part;
      if (!/^(--|\/\*|\s)/.test(part)) isEmpty = false;
    }
  }
  if (!isEmpty) statements.push(statement.trim());
  return statements;
}

/** A line that only a distributed database has, and one that it does not have. */
const distributedLine = /^( *)-- distributed: /gm;
const singleServerLine = /^.* -- single server\n/gm;

/** A text as a distributed database has it: with the lines that a single server takes for comments, and without those of a single server. */
export function distributedText(sql: string): string {
  return sql.replace(singleServerLine, '').replace(distributedLine, '$1');
}

/** Runs the statements of a text one after the other, within the transaction of the connection. */
export async function runStatements(client: pg.Client, sql: string): Promise<void> {
  for (const statement of splitStatements(sql)) await client.query(statement);
}

/** Splits SQL files into statements. */

/**
 * Tokens in which a semicolon does not end a statement (PostgreSQL, "Lexical Structure"): comments, strings, quoted names and dollar-quoted
 * texts. The files contain neither nested comments nor function bodies between BEGIN ATOMIC and END.
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

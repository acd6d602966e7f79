/**
 * Steps as they are sent to a distributed database (Citus). They are the same statements, except where Citus refuses a form that costs a
 * single server less. See docs/decisions/0111-distributed-database.md.
 */
import { type Statement, type Step, type StepResult, step } from '../batch.ts';

/** One of the statements that carry out a statement, and its parameters by their numbers in the original. */
interface Piece {
  readonly statement: Statement;
  readonly parameters: readonly number[];
}

/** What is sent for steps. */
export interface ShardSteps {
  readonly steps: readonly Step[];
  /** For each original step, the place of its result. */
  readonly places: readonly number[];
}

/** The parameter that stands for the organization of the transaction, where a statement has none. */
const organizationParameter = 0;
const pieces = new WeakMap<Statement, readonly Piece[]>();

/**
 * The steps in the form for shards. Joined steps are sent one by one: Citus carries out parts in WITH as queries of their own, and moves
 * their results between the servers.
 * @param organization the organization of the transaction, if it has one
 */
export function shardSteps(steps: readonly Step[], organization: string | undefined): ShardSteps {
  const sent: Step[] = [];
  const places = steps.map((one) => {
    // A joined step has the result of its first part, and a part that of its last piece.
    const [place = 0] = (one.joined ?? [one]).map(({ statement, values }) => {
      for (const { statement: piece, parameters } of piecesOf(statement)) {
        sent.push(
          step(
            piece,
            parameters.map((number) =>
              number === organizationParameter ? (organization ?? null) : (values[number - 1] ?? null),
            ),
          ),
        );
      }
      return sent.length - 1;
    });
    return place;
  });
  return { steps: sent, places };
}

/** The results of the original steps. */
export function pickResults({ places }: ShardSteps, results: readonly StepResult[]): StepResult[] {
  return places.map((place) => results[place] ?? { rows: [], affected: 0 });
}

function piecesOf(statement: Statement): readonly Piece[] {
  const known = pieces.get(statement);
  if (known !== undefined) return known;
  const texts = splitChanges(statement.text).map((text) => returnRows(placeCall(fixTime(text))));
  const made = texts.map((text, index): Piece => {
    const parameters: number[] = [];
    const renumbered = text.replace(/\$(\d+)/g, (_, digits) => {
      const number = Number(digits);
      if (!parameters.includes(number)) parameters.push(number);
      return `$${parameters.indexOf(number) + 1}`;
    });
    const name =
      texts.length > 1 && statement.name !== '' ? `${statement.name}_${index + 1}` : statement.name;
    // Behind the first piece, the parameters of the original would be unknown to PostgreSQL.
    return { statement: { ...statement, name, text: renumbered }, parameters };
  });
  pieces.set(statement, made);
  return made;
}

/**
 * Changes in WITH that nothing else reads, as statements of their own, before the one that they belong to. Where a row is inserted unless it
 * was there to be updated, a row that is there is left alone instead.
 */
function splitChanges(text: string): string[] {
  if (!/^\s*WITH\b/.test(text)) return [text];
  const parts: { name: string; text: string }[] = [];
  let rest = text.replace(/^\s*WITH\b/, ',');
  for (;;) {
    const head = /^\s*,\s*(\w+) AS \(/.exec(rest);
    if (head === null) break;
    const end = closingPlace(rest, head[0].length - 1);
    parts.push({ name: head[1] ?? '', text: rest.slice(head[0].length, end) });
    rest = rest.slice(end + 1);
  }
  const unless = (name: string) => new RegExp(`\\s*WHERE NOT EXISTS \\(SELECT FROM ${name}\\)`);
  const areChanges = parts.every(({ text: part }) => /^\s*(INSERT INTO|UPDATE|DELETE FROM)\b/.test(part));
  const main = parts.reduce((sum, { name }) => sum.replace(unless(name), ' ON CONFLICT DO NOTHING'), rest);
  const texts = [...parts.map((part) => part.text), main];
  const areAlone = parts.every(({ name }) =>
    texts.every((one) => !new RegExp(`\\b(FROM|JOIN|USING) ${name}\\b`).test(one)),
  );
  return parts.length > 0 && areChanges && areAlone ? texts : [text];
}

/** The place of the bracket that closes the one at a place. Texts in quotes have none. */
function closingPlace(text: string, open: number): number {
  let depth = 0;
  for (let place = open; place < text.length; place += 1) {
    if (text[place] === '(') depth += 1;
    if (text[place] === ')') depth -= 1;
    if (depth === 0) return place;
  }
  return text.length;
}

/** Citus refuses functions in changes that may give another result for each row. */
function fixTime(text: string): string {
  return /\b(INSERT INTO|UPDATE|DELETE FROM)\b/.test(text)
    ? text.replaceAll('clock_timestamp()', 'statement_timestamp()')
    : text;
}

/** A function that reads tables is carried out by the server that has the organization if the statement reads a row of it: its role of owners. */
function placeCall(text: string): string {
  return text.replace(
    /\bFROM trellis\.(\w+)\(/g,
    (_, name) =>
      `FROM (SELECT key FROM trellis.roles WHERE organization_id = $${organizationParameter} AND key = 'OWNER') place, trellis.${name}(`,
  );
}

/**
 * Rows that are selected from something else than tables of the organization come to the coordinator first. From there they are inserted
 * with COPY, which row-level security refuses, or by a statement, if it returns something.
 */
function returnRows(text: string): string {
  return /^\s*(WITH\b[\s\S]*)?INSERT INTO\b[\s\S]*\bSELECT\b/.test(text) &&
    !/\b(RETURNING|ON CONFLICT)\b/.test(text.slice(text.lastIndexOf('INSERT INTO')))
    ? `${text} RETURNING NULL`
    : text;
}

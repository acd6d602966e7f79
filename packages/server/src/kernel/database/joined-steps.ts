/**
 * Steps as one statement. Each statement costs PostgreSQL and the server its messages, a snapshot and a portal, however little it
 * does, and a write consists of several that do little.
 */
import { createHash } from 'node:crypto';
import { BoundedMap } from '../lib/bounded-map.ts';
import { type Statement, type Step, step } from './batch.ts';

/** Maximum number of remembered statements: requests decide which combinations of steps there are. */
const remembered = 1_000;
const statements = new BoundedMap<string, Statement>(remembered);

/**
 * Joins successive steps whose statements are declared `isJoinable`; the others stay as they are, in their places. The parts
 * of a statement see the same snapshot and none of each other's changes, and PostgreSQL promises no order of them. So a statement
 * that occurs twice begins another one: its rows may depend on each other, such as a unique value that one gives to the other.
 * Constraints are checked and named in errors as if each step were sent alone; foreign keys at the end of the statement.
 */
export function joinSteps(steps: readonly Step[]): Step[] {
  const joined: Step[] = [];
  let run: Step[] = [];
  for (const next of steps) {
    const { name, isJoinable } = next.statement;
    const continues = isJoinable === true && run.every(({ statement }) => statement.name !== name);
    if (!continues) {
      joined.push(...joinRun(run));
      run = [];
    }
    if (isJoinable === true) run.push(next);
    else joined.push(next);
  }
  return [...joined, ...joinRun(run)];
}

/** Joins the steps of a run into a single step. */
function joinRun(run: readonly Step[]): readonly Step[] {
  if (run.length < 2) return run;
  const key = run.map(({ statement }) => statement.name).join();
  const known = statements.get(key);
  const statement = known ?? joinStatements(key, run);
  if (known === undefined) statements.set(key, statement);
  return [
    step(
      statement,
      run.flatMap(({ values }) => values),
    ),
  ];
}

function joinStatements(key: string, run: readonly Step[]): Statement {
  let given = 0;
  const texts = run.map(({ statement: { text }, values }) => {
    const before = given;
    given += values.length;
    return text.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + before}`);
  });
  // PostgreSQL carries out the main statement first, and then those in WITH from the last to the first. Nothing depends on it, but
  // of several violated constraints it reports the first, and locks are acquired in the order of the steps.
  const others = run
    .map(({ statement }, index) => `"${statement.name}" AS (${texts[index]})`)
    .slice(1)
    .reverse();
  return {
    name: `joined_${createHash('sha256').update(key).digest('hex').slice(0, 32)}`,
    text: `WITH ${others.join(',\n')}\n${texts[0]}`,
    isDynamic: true,
    parts: run.map(({ statement }) => statement.name),
  };
}

/**
 * Named reads: statements of one batch whose results are used by name instead of by position. Names may be grouped, so
 * that parts of a program can declare their reads independently.
 */
import type { Step, StepResult } from './batch.ts';

/**
 * Reads by name, sent in order. A list of steps has the result of its last one; the steps before it acquire locks.
 * Undefined entries are not sent.
 */
export type Reads = { readonly [name: string]: Step | readonly Step[] | Reads | undefined };

/** The result of each read under its name. */
export type ResultsOf<R> = { readonly [Name in keyof R]: ResultOf<R[Name]> };

type ResultOf<T> = T extends undefined
  ? undefined
  : T extends Step | readonly Step[]
    ? StepResult
    : T extends Reads
      ? ResultsOf<T>
      : never;

/** The statements of the reads, in order. */
export function stepsOf(reads: Reads): Step[] {
  return Object.values(reads).flatMap((read): readonly Step[] => {
    if (read === undefined) return [];
    if (isList(read)) return read;
    return isStep(read) ? [read] : stepsOf(read);
  });
}

/**
 * Gives each result the name of its read.
 * @param results of `stepsOf(reads)`
 */
export function nameResults<R extends Reads>(reads: R, results: readonly StepResult[]): ResultsOf<R> {
  return nameGroup(reads, results[Symbol.iterator]()) as ResultsOf<R>;
}

function nameGroup(reads: Reads, results: Iterator<StepResult>): Record<string, unknown> {
  const named: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(reads)) {
    if (read === undefined) continue;
    if (isList(read)) named[name] = read.map(() => results.next().value).at(-1);
    else named[name] = isStep(read) ? results.next().value : nameGroup(read, results);
  }
  return named;
}

function isList(read: Step | readonly Step[] | Reads): read is readonly Step[] {
  return Array.isArray(read);
}

function isStep(read: Step | Reads): read is Step {
  return 'statement' in read && 'values' in read && Array.isArray(read.values);
}

/** Sentences about what went wrong, in the language of the page where there is one. */
import { AccessEnded, type Fault, ProblemError } from '../api/problem.ts';
import { EarlierRefused, NotStored } from '../outbox/edit/use-changes.ts';
import type { Names } from '../text/names.ts';
import { isTextId, type TextOf } from '../text/text.ts';

/** What went wrong, and what to do about it. */
export function describeError(error: unknown, text: TextOf, names: Pick<Names, 'problem'>): string {
  if (error instanceof NotStored) return text('problem.not_stored');
  if (error instanceof EarlierRefused) return text('problem.earlier_refused');
  if (error instanceof AccessEnded) return text('problem.access_ended');
  if (!(error instanceof ProblemError)) return text('problem.unexpected');
  const id = `problem.${error.code}`;
  if (!isTextId(id)) return names.problem(error);
  return text(id, { seconds: Math.ceil(error.retryAfterMs / 1_000) });
}

/** The faults of a request that was refused, in the language of the page; none for another error. */
export function faultsOf(error: unknown, names: Pick<Names, 'sentence'>): readonly Fault[] {
  return error instanceof ProblemError ? translateFaults(error.faults, names) : [];
}

/** Faults with what they say in the language of the page. */
export function translateFaults(faults: readonly Fault[], names: Pick<Names, 'sentence'>): readonly Fault[] {
  return faults.map((fault) => ({ ...fault, detail: names.sentence(fault.detail) }));
}

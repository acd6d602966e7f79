/** Sentences about what went wrong, in the language of the page where there is one. */
import { ProblemError } from '../api/problem.ts';
import { EarlierRefused, NotStored } from '../outbox/edit/use-changes.ts';
import { isTextId, type TextOf } from '../text/text.ts';

/** What went wrong, and what to do about it. */
export function describeError(error: unknown, text: TextOf): string {
  if (error instanceof NotStored) return text('problem.not_stored');
  if (error instanceof EarlierRefused) return text('problem.earlier_refused');
  if (!(error instanceof ProblemError)) return text('problem.unexpected');
  const id = `problem.${error.code}`;
  if (!isTextId(id)) return error.message;
  return text(id, { seconds: Math.ceil(error.retryAfterMs / 1_000) });
}

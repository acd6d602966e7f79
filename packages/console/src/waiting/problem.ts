/** The problem for which a change was refused, as the error that the rest of the console describes. */
import { ProblemError } from '../api/problem.ts';
import { type Change, notAskedFor, type Refusal } from '../changes/change.ts';
import { outcomeUnknown } from '../changes/key-life.ts';

/** Null while the change waits. */
export function problemOf({ refusal }: Change): ProblemError | null {
  return refusal === null ? null : toProblem(refusal);
}

export function toProblem({ code, status, reasons, members }: Refusal): ProblemError {
  const detail = typeof members.detail === 'string' ? members.detail : reasons.join(' ');
  // The API has answered neither: the queue has given up, or refused it because others have changed the record.
  const known = code === outcomeUnknown ? 'unreachable' : code === notAskedFor ? 'version_mismatch' : code;
  return new ProblemError({ code: known, status, detail, members });
}

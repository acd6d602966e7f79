/** The problem for which a change was refused, as the error that the rest of the console describes. */
import type { ErrorCode } from '@trellis/client/problem.ts';
import { ProblemError } from '../api/problem.ts';
import type { Change } from '../outbox/store/change.ts';
import { autosaveRefused, notConfirmed, outcomeUnknown, type Refusal } from '../outbox/store/refusal.ts';

/** Null while the change waits. */
export function problemOf({ refusal }: Change): ProblemError | null {
  return refusal === null ? null : toProblem(refusal);
}

export function toProblem({ code, status, reasons, members }: Refusal): ProblemError {
  const detail = typeof members.detail === 'string' ? members.detail : reasons.join(' ');
  return new ProblemError({ code: toErrorCode(code), status, detail, members });
}

/** Those of the queue are not from the API: it has given up, others have changed the record, or the person is to be asked. */
function toErrorCode(code: Refusal['code']): ErrorCode {
  if (code === outcomeUnknown) return 'unreachable';
  if (code === autosaveRefused) return 'version_mismatch';
  return code === notConfirmed ? 'unknown_problem' : code;
}

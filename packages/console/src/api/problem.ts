/** The one error of the console's requests, which is that of the client. */
import { ProblemError, readProblem as readClientProblem } from '@trellis/client/problem.ts';
import { readRetryAfter } from '@trellis/client/retry.ts';

export { type Fault, ProblemError } from '@trellis/client/problem.ts';

/** The problem of an unsuccessful response. */
export async function readProblem(response: Response): Promise<ProblemError> {
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'));
  return readClientProblem(response.status, await response.text(), retryAfterMs);
}

/** The problem of a request that got no response. */
export function unreachable(): ProblemError {
  return new ProblemError({ code: 'unreachable', status: null, detail: 'The server cannot be reached.' });
}

/** The problem of a member whose access to the organization was suspended, or who was removed from it, while a page is open. */
export class AccessEnded extends ProblemError {
  constructor() {
    super({
      code: 'permission_denied',
      status: 403,
      detail: 'Your access to this organization was suspended or ended.',
    });
  }
}

/** Whether an error is the problem of one of these codes. */
export function isProblem(error: unknown, ...codes: readonly string[]): error is ProblemError {
  return error instanceof ProblemError && codes.includes(error.code);
}

/** Classifies problems: the request is refused, or suspended because the session belongs to another user or has ended. */
import type { ProblemError } from '@trellis/client/problem.ts';

/**
 * Whether the session is missing, too old, or of another user: pending changes are kept for their user. A 401 that does not come from the
 * API, such as a proxy's, counts as temporary.
 */
export function endsSession({ status, code }: ProblemError): boolean {
  return (status === 401 && code !== 'unexpected_response') || code === 'wrong_user';
}

/**
 * Whether the API refused the change permanently. Responses of other systems, such as a network's sign-in page, do not count; neither does
 * the end or change of the session.
 */
export function isRefusal(error: ProblemError): boolean {
  return !error.isTemporary && !endsSession(error) && error.code !== 'unexpected_response';
}

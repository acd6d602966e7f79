/** What a problem says about a request: it is refused, or held up because the session is not the one that it is meant for. */
import type { ProblemError } from '@trellis/client/problem.ts';

/**
 * Whether nobody is signed in, not recently enough, or somebody else: what waits stays for the person that it belongs to. A 401 of
 * something else than the API, such as a proxy, passes.
 */
export function endsSession({ status, code }: ProblemError): boolean {
  return (status === 401 && code !== 'unexpected_response') || code === 'wrong_user';
}

/**
 * Whether the API itself refused the change for good. Something else that responds, such as the sign-in page of a network,
 * decides nothing; nor does the end of the session, or that it is somebody else's.
 */
export function isRefusal(error: ProblemError): boolean {
  return !error.isTemporary && !endsSession(error) && error.code !== 'unexpected_response';
}

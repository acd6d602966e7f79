/** Problems that say nothing about a request, because the session is not the one that it is meant for. */
import type { ProblemError } from '@trellis/client/problem.ts';

/** Whether nobody is signed in, not recently enough, or somebody else: what waits stays for the person that it belongs to. */
export function endsSession({ status, code }: ProblemError): boolean {
  return status === 401 || code === 'wrong_user';
}

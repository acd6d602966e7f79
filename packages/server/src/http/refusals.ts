/** Error responses in the format of the interface that was called: the plant store has its own error body. */
import type { Problem } from '@trellis/schema/problem.ts';
import { type ProblemAddresses, problemHeaders, renderProblem } from './problems.ts';
import { protectiveHeaders } from './protective-headers.ts';
import { renderSandboxError, toSandboxError } from './sandbox-refusals.ts';

/** An error response, ready to be sent. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Renders a problem in the format of the interface.
 * @param target path and query as sent
 */
export function renderRefusal(
  problem: Problem,
  requestId: string,
  target: string,
  addresses: ProblemAddresses,
): Refusal {
  const [path = ''] = target.split('?', 1);
  const common = protectiveHeaders(addresses);
  if (isSandboxPath(path)) {
    const { headers, body } = renderSandboxError(toSandboxError(problem));
    return { status: problem.status, headers: { ...common, ...headers }, body };
  }
  return {
    status: problem.status,
    headers: {
      ...common,
      ...problemHeaders(problem, addresses),
      'content-type': 'application/problem+json; charset=utf-8',
    },
    body: renderProblem(problem, requestId, path, addresses),
  };
}

/** Whether the path belongs to the sandbox. */
function isSandboxPath(path: string): boolean {
  return path === '/sandbox' || path.startsWith('/sandbox/');
}

/** Error responses in the format of the interface that was called: the plant store has its own error body. */
import type { Problem } from '@trellis/schema/problem.ts';
import type { SandboxError } from '../sandbox/errors.ts';
import { type ProblemAddresses, problemHeaders, renderProblem, toProblem } from './problems.ts';
import { protectiveHeaders } from './protective-headers.ts';
import { renderSandboxError } from './sandbox-refusals.ts';

/** An error response, ready to be sent. */
interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The request that is refused, as far as it is known. */
export interface RefusedRequest {
  readonly id: string;
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
}

/** Renders an error as the interface does. */
type Render = (
  error: Problem | SandboxError,
  request: RefusedRequest,
  addresses: ProblemAddresses,
) => Refusal;

/** The interfaces whose errors are not problem details, by the first segment of their paths. */
const formats: ReadonlyMap<string, Render> = new Map([['sandbox', renderSandboxError]]);

/** Renders an error in the format of the interface. */
export function renderRefusal(
  error: Problem | SandboxError,
  request: RefusedRequest,
  addresses: ProblemAddresses,
): Refusal {
  const segment = /^\/([^/?]*)/.exec(request.url)?.[1] ?? '';
  const render = formats.get(segment) ?? renderProblemDetails;
  const { status, headers, body } = render(error, request, addresses);
  return { status, headers: { ...protectiveHeaders(addresses), ...headers }, body };
}

function renderProblemDetails(
  error: Error,
  { id, url }: RefusedRequest,
  addresses: ProblemAddresses,
): Refusal {
  const problem = toProblem(error);
  const [path = ''] = url.split('?', 1);
  return {
    status: problem.status,
    headers: {
      ...problemHeaders(problem, addresses),
      'content-type': 'application/problem+json; charset=utf-8',
    },
    body: renderProblem(problem, id, path, addresses),
  };
}

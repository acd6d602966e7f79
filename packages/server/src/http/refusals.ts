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
  /** The route, where one was found. */
  readonly routeOptions?: { readonly config: { readonly mediaTypes?: readonly string[] } };
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

function renderProblemDetails(error: Error, request: RefusedRequest, addresses: ProblemAddresses): Refusal {
  const { id, url } = request;
  const problem = toProblem(error);
  const [path = ''] = url.split('?', 1);
  return {
    status: problem.status,
    headers: {
      ...(problem.status === 415 ? acceptedTypes(request) : {}),
      ...problemHeaders(problem, addresses),
      'content-type': 'application/problem+json; charset=utf-8',
    },
    body: renderProblem(problem, id, path, addresses),
  };
}

/** What would have been accepted: `Accept-Patch` (RFC 5789, 3.1), `Accept-Post` (Linked Data Platform, 7.1) or `Accept` (RFC 9110, 12.5.1). */
function acceptedTypes({ method, routeOptions }: RefusedRequest): Record<string, string> {
  const name = { PATCH: 'accept-patch', POST: 'accept-post' }[method] ?? 'accept';
  return { [name]: (routeOptions?.config.mediaTypes ?? ['application/json']).join(', ') };
}

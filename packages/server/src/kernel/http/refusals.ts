/** Error responses in the format of the interface that was called: problem details, or the interface's own. */
import type { Problem } from '@trellis/schema/problem.ts';
import { type ProblemAddresses, problemHeaders, renderProblem, toProblem } from './problems.ts';
import { protectiveHeaders } from './protective-headers.ts';

/** An error response, ready to be sent. */
export interface Refusal {
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

/** The format of errors of an interface, if they are not problem details. */
export interface ErrorFormat {
  /** First segment of the paths of the interface. */
  readonly segment: string;
  /** Whether an error is one of the interface's own, which is rendered as it is. */
  isOwn(error: unknown): error is Error;
  render(error: Error, request: RefusedRequest): Refusal;
}

/** How the errors of a server are rendered. */
export interface RefusalFormats extends ProblemAddresses {
  /** The formats of interfaces whose errors are not problem details. */
  readonly errorFormats: readonly ErrorFormat[];
}

/** The error that a failure is reported as: one of an interface's own, or a problem. */
export function toRefusal(error: unknown, { errorFormats }: RefusalFormats): Error | Problem {
  const own = errorFormats.find((format) => format.isOwn(error));
  return own === undefined ? toProblem(error) : (error as Error);
}

/** Renders an error in the format of the interface. */
export function renderRefusal(error: Error, request: RefusedRequest, formats: RefusalFormats): Refusal {
  const segment = /^\/([^/?]*)/.exec(request.url)?.[1] ?? '';
  const format = formats.errorFormats.find((candidate) => candidate.segment === segment);
  const { status, headers, body } =
    format?.render(error, request) ?? renderProblemDetails(error, request, formats);
  return { status, headers: { ...protectiveHeaders(formats), ...headers }, body };
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

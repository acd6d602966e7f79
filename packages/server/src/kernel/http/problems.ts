/** Rendering of errors as problem details (RFC 9457), without internal details. */

import { Problem } from '@trellis/schema/problem.ts';
import type { FastifyError } from 'fastify';
import { problemOfFailure } from '../database/failures.ts';

/** The origin of the pages that `type` refers to and of the metadata that 401 challenges refer to. */
export interface ProblemAddresses {
  /** Scheme, host and port of the server, without a slash at the end. */
  readonly origin: string;
}

/** The problem for any thrown error. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const database = problemOfFailure(error);
  if (database !== null) return database;
  switch ((error as Partial<FastifyError>).code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('body_too_large');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem('unsupported_media_type');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Problem('invalid_header', 'Content-Length does not match the body.', {
        errors: [{ header: 'Content-Length', code: 'invalid', detail: 'Does not match the body.' }],
      });
  }
  return new Problem('internal_error', undefined, { cause: error });
}

/** The body of a problem. */
export function renderProblem(
  problem: Problem,
  requestId: string,
  path: string,
  addresses: ProblemAddresses,
): string {
  return JSON.stringify(describeProblem(problem, requestId, path, addresses));
}

/** The same as an object, for a response that contains it. */
export function describeProblem(
  problem: Problem,
  requestId: string,
  path: string,
  addresses: ProblemAddresses,
): Record<string, unknown> {
  return {
    type: `${addresses.origin}/docs/errors/${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: problem.status === 500 ? 'An unexpected error occurred. Nothing was changed.' : problem.message,
    instance: toUriReference(path),
    code: problem.code,
    requestId,
    errors: problem.errors,
    ...problem.members,
  };
}

/** The path as a valid URI reference (RFC 3986): a request target may be invalid, such as `%` without two digits. */
function toUriReference(path: string): string {
  return path.replaceAll(/%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]/g, encodeURIComponent);
}

/** The headers of a problem; a 401 always refers to the metadata of the interface (RFC 9728). */
export function problemHeaders(problem: Problem, addresses: ProblemAddresses): Record<string, string> {
  const headers: Record<string, string> = { ...problem.headers };
  const challenge = headers['www-authenticate'];
  if (challenge !== undefined) {
    const metadata = `resource_metadata="${addresses.origin}/.well-known/oauth-protected-resource/v1"`;
    const rest = challenge.replace(/^Bearer ?/, '');
    headers['www-authenticate'] = `Bearer realm="trellis", ${metadata}${rest === '' ? '' : `, ${rest}`}`;
  }
  return headers;
}

/** Why: every failure leaves as problem details (RFC 9457), and nothing of its inside leaves with it. */

import { Problem } from '@trellis/schema/problem.ts';
import type { FastifyError } from 'fastify';
import { problemOfFailure } from '../database/failures.ts';

/** Where the pages behind `type` and the metadata behind 401 challenges are. */
export interface ProblemAddresses {
  /** Scheme, host and port of the server, without a slash at the end. */
  readonly origin: string;
}

/** The problem that an error thrown anywhere stands for. */
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
      return new Problem('invalid_header', 'Content-Length does not fit the body.', {
        errors: [{ header: 'Content-Length', code: 'invalid', detail: 'Does not fit the body.' }],
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
  return JSON.stringify({
    type: `${addresses.origin}/docs/errors/${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail:
      problem.status === 500 ? 'Something went wrong on our side. Nothing was changed.' : problem.message,
    instance: toUriReference(path),
    code: problem.code,
    requestId,
    errors: problem.errors,
    ...problem.members,
  });
}

/** The path as a valid URI reference (RFC 3986): a request may hold what none can, such as `%` without two digits. */
function toUriReference(path: string): string {
  return path.replaceAll(/%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]/g, encodeURIComponent);
}

/** Headers of a problem; a 401 always tells where tokens come from (RFC 9728). */
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

/** Errors in the format of the sandbox: `{error, message}`, with a number of its catalogue. */
import type { Problem } from '@trellis/schema/problem.ts';
import { SandboxError, type SandboxErrorName } from '../sandbox/errors.ts';
import { toProblem } from './problems.ts';

/** The sandbox errors for the problems of the tenant API. */
const translations: Readonly<Partial<Record<Problem['code'], SandboxErrorName>>> = {
  token_missing: 'tokenMissing',
  token_invalid: 'tokenInvalid',
  insufficient_scope: 'scopeMissing',
  module_disabled: 'scopeMissing',
  permission_denied: 'scopeMissing',
  organization_suspended: 'scopeMissing',
  invalid_parameter: 'invalidParameter',
  unknown_parameter: 'invalidParameter',
  body_too_large: 'bodyTooLarge',
  unsupported_media_type: 'unsupportedMediaType',
  rate_limited: 'rateLimited',
  not_found: 'plantNotFound',
  method_not_allowed: 'methodNotAllowed',
};

/** Converts any error to one of the sandbox; `unexpected` if its catalogue has no number for it. */
export function toSandboxError(error: unknown): SandboxError {
  if (error instanceof SandboxError) return error;
  const problem = toProblem(error);
  // All temporary failures have one number; the headers say when to retry.
  const name = problem.status === 503 ? 'unavailable' : translations[problem.code];
  // A malformed request has no number either, but the message must say what is wrong with it.
  if (name === undefined)
    return new SandboxError(
      'unexpected',
      problem.status < 500 || problem.status === 501 ? problem.message : undefined,
    );
  const { 'www-authenticate': challenge, ...headers } = problem.headers;
  const realm =
    challenge === undefined
      ? {}
      : {
          'www-authenticate': challenge
            .replace(/^Bearer ?/, 'Bearer realm="trellis-sandbox", ')
            .replace(/, $/, ''),
        };
  const hasDetail =
    problem.code.endsWith('_parameter') ||
    problem.code === 'method_not_allowed' ||
    // A token of the other interface.
    (problem.code === 'token_invalid' && problem.message !== `${problem.title}.`);
  return new SandboxError(name, hasDetail ? problem.message : undefined, { ...headers, ...realm });
}

/** The status, headers and body of an error. */
export function renderSandboxError({ status, error, message, headers }: SandboxError) {
  return {
    status,
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ error, message }),
  };
}

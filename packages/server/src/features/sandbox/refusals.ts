/** Errors in the format of the sandbox: `{error, message}`, with a number of its catalogue. */
import type { Problem } from '@trellis/schema/problem.ts';
import { SandboxError, type SandboxErrorName } from './errors.ts';

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

/** Converts a problem to an error of the sandbox; `unexpected` if its catalogue has no number for it. */
function toSandboxError(problem: Problem | SandboxError): SandboxError {
  if (problem instanceof SandboxError) return problem;
  // All temporary failures have one number; the headers say when to retry.
  const name = problem.status === 503 ? 'unavailable' : translations[problem.code];
  // A malformed request has no number either, but the message must say what is wrong.
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

/** An error in this format. What fails unexpectedly in a create has the status 400, as any other failure of it. */
export function renderSandboxError(failure: Problem | SandboxError, { method }: { readonly method: string }) {
  const { status, error, message, headers } = toSandboxError(failure);
  return {
    status: failure.status === 500 && method === 'POST' ? status : failure.status,
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ error, message }),
  };
}

/** How failures are told by interface A: `{error, message}`, with a number of its own catalogue. */
import type { Problem } from '@trellis/schema/problem.ts';
import { SandboxError, type SandboxErrorName } from '../sandbox/errors.ts';
import { toProblem } from './problems.ts';

/** How the tenant API's problems are told here. */
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

/** Any failure as an error of this interface; `unexpected` for what its catalogue has no number for. */
export function toSandboxError(error: unknown): SandboxError {
  if (error instanceof SandboxError) return error;
  const problem = toProblem(error);
  // Whatever passes by itself is one thing here; its headers say when to come again.
  const name = problem.status === 503 ? 'unavailable' : translations[problem.code];
  // A request that could not be read has no number either, but its caller must know what is wrong with it.
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
  const hasDetail = problem.code.endsWith('_parameter') || problem.code === 'method_not_allowed';
  return new SandboxError(name, hasDetail ? problem.message : undefined, { ...headers, ...realm });
}

/** An error as it is sent. */
export function renderSandboxError({ status, error, message, headers }: SandboxError) {
  return {
    status,
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ error, message }),
  };
}

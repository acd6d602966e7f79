/** The one code of a body that may have either of two. */
import { Problem } from '@trellis/schema/problem.ts';
import type { Code } from '../sign-in.ts';
import { type AuthCall, optionalTextOf } from './operation.ts';

/** @throws Problem validation_failed when there is none, or both */
export function codeOf(call: AuthCall): Code {
  const code = optionalTextOf(call, 'code');
  const recoveryCode = optionalTextOf(call, 'recoveryCode');
  if (code !== null && recoveryCode === null) return { code };
  if (recoveryCode !== null && code === null) return { recoveryCode };
  const detail = 'Give either code or recoveryCode.';
  throw new Problem('validation_failed', undefined, { errors: [{ pointer: '', code: 'one_of', detail }] });
}

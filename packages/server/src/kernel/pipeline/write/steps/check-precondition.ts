/** The step `checkPrecondition`: checks ownership and the version that the caller expects (RFC 9110, 13.1). */

import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { checkOwnership } from '../../../identity/actor.ts';
import { checkVersion } from '../../entity-tags.ts';
import type { Caller } from './authorize.ts';

/**
 * @throws Problem permission_denied if the role permits own records only and this is another user's, version_mismatch
 */
export function checkPrecondition(caller: Caller, before: StoredRecord | null): void {
  if (caller.token === null || before === null) return;
  checkOwnership(caller.actor, caller.grant, before.createdBy);
  checkVersion(caller.token.preconditions, before.version);
}

/** The step `checkPrecondition`: checks ownership and the version that the caller expects (RFC 9110, 13.1.1). */

import { Problem } from '@trellis/schema/problem.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { checkOwnership } from '../../../identity/actor.ts';
import { type EntityTags, entityTag } from '../../entity-tags.ts';
import type { Caller } from './authorize.ts';

/**
 * @throws Problem permission_denied if the role permits own records only and this is another user's, version_mismatch
 */
export function checkPrecondition(caller: Caller, before: StoredRecord | null): void {
  if (caller.token === null || before === null) return;
  checkOwnership(caller.actor, caller.grant, before.createdBy);
  checkVersion(caller.token.ifMatch, before.version);
}

/**
 * If-Match, by strong comparison.
 * @throws Problem version_mismatch
 */
function checkVersion(tags: EntityTags | undefined, version: number): void {
  if (tags === undefined || tags.any || tags.strong.includes(String(version))) return;
  throw new Problem('version_mismatch', `The record is at version ${version}.`, {
    members: { currentVersion: version },
    headers: { etag: entityTag(version) },
  });
}

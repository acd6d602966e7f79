/** Step 4: checks ownership and the version that the caller expects (RFC 9110, 13.1.1). */

import { Problem } from '@trellis/schema/problem.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { checkOwnership } from '../../../identity/actor.ts';
import { type EntityTags, entityTag } from '../../entity-tags.ts';
import { tokenFor, type WriteRequest } from '../plan.ts';
import type { Caller } from './authorize.ts';

/**
 * @throws Problem permission_denied if the role permits own records only and this is another user's, version_mismatch
 */
export function checkPrecondition(
  request: WriteRequest,
  { actor, grant }: Caller,
  before: StoredRecord | null,
): void {
  const token = tokenFor('checkPrecondition', request);
  if (token === null || before === null || actor === null) return;
  checkOwnership(actor, grant, before.createdBy);
  checkVersion(token.ifMatch, before.version);
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

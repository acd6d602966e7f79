/**
 * The step `countDeletion`: counts what a session deletes while its sign-in is not recent. A constraint limits the
 * count of a day to 100, so that of many concurrent deletions none gets past it; see `../explain-failure.ts` for the
 * response.
 */

import { type Statement, type Step, step } from '../../../database/batch.ts';
import { hasRecentSignIn } from '../../../identity/actor.ts';
import { hasStep } from '../kinds.ts';
import type { WriteRequest } from '../plan.ts';
import type { Caller } from './authorize.ts';

/** The constraint on the count. */
export const deletionsConstraint = 'tokens_deletions';

/**
 * The count is stored with the first token of the session, whichever of its tokens deletes. It restarts after a sign-in, and after a day.
 */
const isOver = 'deletions_since < greatest(authenticated_at, $4)';
const countOne: Statement = {
  name: 'count_deletion_of_session',
  text: `UPDATE trellis.tokens SET deletions = CASE WHEN deletions_since IS NULL OR ${isOver} THEN 1 ELSE deletions + 1 END,
      deletions_since = CASE WHEN deletions_since IS NULL OR ${isOver} THEN $3 ELSE deletions_since END
    WHERE organization_id = $1 AND session_id = $2 AND NOT drafts_only`,
};

/** The step that counts a deletion; none for other writes, for bearer tokens and after a recent sign-in. */
export function countDeletion(
  { plan }: WriteRequest,
  { actor, instant }: Pick<Caller, 'actor' | 'instant'>,
): Step[] {
  if (!hasStep(plan.kind, 'countDeletion')) return [];
  if (actor === null || actor.session === null || hasRecentSignIn(actor.session)) return [];
  const dayBefore = new Date(Date.parse(instant) - 86_400_000).toISOString();
  return [step(countOne, [actor.organizationId, actor.session.id, instant, dayBefore])];
}

/** The tokens and sessions of a member, and the tokens that the member made for service members: they end with the membership. */

import { tokens } from '@trellis/schema/resources/tokens.ts';
import { type Row, type Statement, type Step, step } from '../../database/batch.ts';
import type { DomainEvent } from '../../events/append.ts';
import { putJobs } from '../../identity/index-jobs.ts';
import { sessionDeleted, tokenDeleted } from '../../identity/sign-in/person-events.ts';

/** Waits for a token that is being created for the member, so that it is among those that are revoked. */
const lockMembership: Statement = {
  name: 'lock_membership_to_remove',
  text: 'SELECT role, status, responsible_user_id FROM trellis.memberships WHERE organization_id = $1 AND user_id = $2 FOR UPDATE',
};
/** SQL: the tokens that act for a user, and those that the user made. @param user SQL of the id */
export const madeForOrBy = (user: string) => `(user_id = ${user} OR created_by = ${user})`;

const findTokens: Statement = {
  name: 'find_tokens_of_member',
  text: `SELECT id, session_id, drafts_only, version FROM trellis.tokens
    WHERE organization_id = $1 AND ${madeForOrBy('$2')} AND revoked_at IS NULL ORDER BY id FOR UPDATE`,
};
/** The indexer removes the search entries of the tokens, which are records of their own; sessions are none. */
const revokeTokens: Statement = {
  name: 'revoke_tokens_of_member',
  text: `WITH revoked AS (
      UPDATE trellis.tokens SET revoked_at = clock_timestamp(), version = version + 1
      WHERE organization_id = $1 AND ${madeForOrBy('$2')} AND revoked_at IS NULL RETURNING id, session_id)
    ${putJobs(`'${tokens.singular}'`, 'revoked r WHERE r.session_id IS NULL')}`,
};

/** Locks the membership; its row has role, status, and who answers for it. */
export function lockMembershipStep(organizationId: string, userId: string): Step {
  return step(lockMembership, [organizationId, userId]);
}

/** Reads and locks the valid tokens that end with a locked membership, for `endingEvents`; a session may be ended at the same time. */
export function membershipTokensStep(organizationId: string, userId: string): Step {
  return step(findTokens, [organizationId, userId]);
}

/** Revokes the tokens, which stay invalid if the user becomes a member again. */
export function revokeTokensStep(organizationId: string, userId: string): Step {
  return step(revokeTokens, [organizationId, userId]);
}

/** The events of what ends with a membership, from the rows of `membershipTokensStep`: of a session, which has two tokens, one. */
export function endingEvents(rows: readonly Row[], userId: string, instant: string): DomainEvent[] {
  return rows
    .filter(([, , draftsOnly]) => draftsOnly !== 't')
    .map(([tokenId, sessionId, , version]) =>
      sessionId
        ? sessionDeleted(sessionId, { userId, instant })
        : tokenDeleted(tokenId ?? '', Number(version) + 1, instant),
    );
}

/** The tokens and sessions that end with a membership: the member's own, and tokens that the member made for service members. */

import { tokens } from '@trellis/schema/resources/tokens.ts';
import { type Statement, type Step, type StepResult, step } from '../../../kernel/database/batch.ts';
import { defineRow, flag, nullable, text } from '../../../kernel/database/row.ts';
import type { DomainEvent } from '../../../kernel/events/append.ts';
import { putJobs } from '../../../kernel/identity/index-jobs.ts';
import { revokedToken, sessionDeleted, tokenDeleted } from '../../sign-in/person-events.ts';

/** Waits for a token that is being created for the member, so that it is among those that are revoked. */
const lockMembership: Statement = {
  name: 'lock_membership_to_remove',
  text: 'SELECT FROM trellis.memberships WHERE organization_id = $1 AND user_id = $2 FOR UPDATE',
};
/** SQL: the tokens that act for a user, and those that the user made. @param user SQL of the id */
const madeForOrBy = (user: string) => `(user_id = ${user} OR created_by = ${user})`;

const ending = defineRow({
  ...revokedToken,
  sessionId: nullable(text('t.session_id')),
  draftsOnly: flag('t.drafts_only'),
});
const findTokens: Statement = {
  name: 'find_tokens_of_member',
  text: `SELECT ${ending.list} FROM trellis.tokens t
    WHERE organization_id = $1 AND ${madeForOrBy('$2')} AND revoked_at IS NULL ORDER BY id FOR UPDATE`,
};
const condition = `organization_id = $1 AND ${madeForOrBy('$2')} AND revoked_at IS NULL`;
/** The indexer removes the search entries of the tokens, which are records; sessions are not. */
const revokeTokens: Statement = {
  name: 'revoke_tokens_of_member',
  text: `WITH revoked AS (
      UPDATE trellis.tokens SET revoked_at = statement_timestamp(), version = version + 1
      WHERE ${condition} RETURNING id, session_id)
    ${putJobs(`'${tokens.singular}'`, 'revoked r WHERE r.session_id IS NULL')}`,
};

/** Locks the membership, then reads and locks the valid tokens that end with it, for `endingEvents`; a session may be ended at the same time. */
export function membershipTokensSteps(organizationId: string, userId: string): Step[] {
  return [step(lockMembership, [organizationId, userId]), step(findTokens, [organizationId, userId])];
}

/** Revokes the tokens, which stay invalid if the user becomes a member again. */
export function revokeTokensStep(organizationId: string, userId: string): Step {
  return step(revokeTokens, [organizationId, userId]);
}

/** The events of what ends with a membership, as `membershipTokensSteps` finds it: of a session, which has two tokens, one. */
export function endingEvents(found: StepResult, userId: string, instant: string): DomainEvent[] {
  return ending
    .all(found)
    .filter(({ draftsOnly }) => !draftsOnly)
    .map(({ sessionId, ...token }) =>
      sessionId === null ? tokenDeleted(token, instant) : sessionDeleted(sessionId, { userId, instant }),
    );
}

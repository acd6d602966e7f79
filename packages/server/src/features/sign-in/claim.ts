/**
 * Claims an account. A member with the right to invite can create an account for another person's address, open the displayed link, and
 * leave a password, passkey, token, webhook endpoint or invitation in it. So nothing in an account is trusted until its address is proven
 * (`users.address_proven`); the proof removes everything set up before.
 */
import { tokens } from '@trellis/schema/resources/tokens.ts';
import { type Statement, type Step, type StepResult, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { ResultsOf } from '../../kernel/database/reads.ts';
import { defineRow, text } from '../../kernel/database/row.ts';
import { uuidArray } from '../../kernel/database/values.ts';
import { indexJobsStep } from '../../kernel/identity/index-jobs.ts';
import { actingReads, endActingSteps } from './acting-for-account.ts';
import { raiseVersionStep } from './credential-version.ts';
import { changePerson } from './person-change.ts';
import {
  credentialEventSteps,
  membershipsStep,
  type PersonEventContext,
  recordEventSteps,
  revokedToken,
  tokenDeleted,
} from './person-events.ts';
import { endSteps, sessionsToEnd } from './sessions.ts';

const lockAccess: Statement = {
  name: 'claim_lock_access',
  text: 'SELECT trellis.lock_access_of($1, $2, true)',
};
const readProven: Statement = {
  name: 'claim_read_proven',
  text: 'SELECT address_proven FROM trellis.users WHERE id = $1',
};
/**
 * Tokens of the account and those that it created for service members; none for a proven account. Tokens end with the membership, so the
 * tokens of current members are all valid ones.
 */
const heldToken = defineRow({ organizationId: text('t.organization_id'), ...revokedToken });
const lockTokens: Statement = {
  name: 'claim_lock_tokens',
  text: `SELECT ${heldToken.list} FROM trellis.tokens t
    JOIN trellis.memberships m ON m.organization_id = t.organization_id AND m.user_id = $1
    JOIN trellis.users u ON u.id = m.user_id AND NOT u.address_proven
    WHERE $1 IN (t.user_id, t.created_by) AND t.session_id IS NULL AND t.revoked_at IS NULL
    ORDER BY t.organization_id, t.id FOR UPDATE OF t`,
};
const revokeTokens: Statement = {
  name: 'claim_revoke_tokens',
  text: 'UPDATE trellis.tokens SET revoked_at = statement_timestamp(), version = version + 1 WHERE organization_id = $1 AND id = ANY ($2)',
};
/** Removes all sign-in methods of the account in one statement. */
const removeCredentials: Statement = {
  name: 'claim_remove_credentials',
  text: `WITH passwords AS (DELETE FROM trellis.passwords WHERE user_id = $1),
      passkeys AS (DELETE FROM trellis.passkeys WHERE user_id = $1),
      secrets AS (DELETE FROM trellis.totp_secrets WHERE user_id = $1),
      codes AS (DELETE FROM trellis.recovery_codes WHERE user_id = $1),
      external AS (DELETE FROM trellis.external_identities WHERE user_id = $1)
    UPDATE trellis.users SET address_proven = true, has_mfa = false WHERE id = $1`,
};

const removed = {
  what: 'factor_removed',
  changed: ['hasPassword', 'hasTotp', 'recoveryCodesLeft', 'passkeys', 'external'],
} as const;

/**
 * The reads of a claim, which come first in a change of the person. They wait for earlier writes of the account, so that no new token is
 * missed.
 */
export function claimReads(userId: string, except: string | null, organizationId: string | null) {
  return {
    access: step(lockAccess, [userId, organizationId]),
    proven: step(readProven, [userId]),
    tokens: step(lockTokens, [userId]),
    ...actingReads(userId),
    sessions: sessionsToEnd(userId, { allBut: except }),
    memberships: membershipsStep(userId),
  };
}

/** The result of `claimReads`. */
type Found = ResultsOf<ReturnType<typeof claimReads>>;

/** Whether the account has not been claimed yet. */
export function needsClaim({ proven }: Found): boolean {
  return proven.rows[0]?.[0] === 'f';
}

/**
 * Removes password and factors, ends the sessions, revokes the tokens, disables the webhook endpoints that act for the account, and revokes
 * its sent invitations, with their events. The address counts as proven from then on. Later steps store the new credentials.
 */
export function claimSteps(found: Found, context: PersonEventContext): Step[] {
  const { tokens: valid, sessions, memberships } = found;
  return [
    // First: the database permits these only as long as the address is not proven.
    ...revokeSteps(valid, context),
    ...endActingSteps(found, context),
    step(removeCredentials, [context.userId]),
    raiseVersionStep(context.userId),
    ...endSteps(sessions, context),
    ...credentialEventSteps(memberships.rows, [removed], context),
  ];
}

/** Claims an account on behalf of an operator, who vouches for its owner. A claimed account stays unchanged. */
export async function claimAccount(auth: Database, userId: string, requestId: string): Promise<void> {
  await changePerson(auth, {
    userId,
    requestId,
    isByOperator: true,
    reads: claimReads(userId, null, null),
    decide: ({ rows, context }) => ({
      steps: needsClaim(rows) ? claimSteps(rows, context) : [],
      result: () => undefined,
    }),
  });
}

function revokeSteps(valid: StepResult, context: PersonEventContext): Step[] {
  const byOrganization = Map.groupBy(heldToken.all(valid), ({ organizationId }) => organizationId);
  return [...byOrganization].flatMap(([organizationId, those]) => {
    const ids = those.map(({ id }) => id);
    return [
      step(revokeTokens, [organizationId, uuidArray(ids)]),
      indexJobsStep(organizationId, tokens.singular, ids),
      ...recordEventSteps(
        organizationId,
        those.map((token) => tokenDeleted(token, context.instant)),
        context,
      ),
    ];
  });
}

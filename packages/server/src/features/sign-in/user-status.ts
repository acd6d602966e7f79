/**
 * Disables and enables people in the whole installation. Every write, every sign-in and everything that acts for an account
 * reads the status, so a disabled person's tokens, sessions, webhook endpoints and invitations do nothing until the person is
 * enabled.
 */
import { type Statement, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { raiseVersionStep } from './credential-version.ts';
import { changePerson } from './person-change.ts';
import { credentialEventSteps, membershipsStep } from './person-events.ts';
import { endSteps, sessionsToEnd } from './sessions.ts';

export type UserStatus = 'ACTIVE' | 'DISABLED';

/** Writes of the person that began before have ended then. */
const lockAccess: Statement = {
  name: 'user_status_lock_access',
  text: 'SELECT trellis.lock_access_of($1, NULL, false)',
};
const readStatus: Statement = {
  name: 'user_status_read',
  text: 'SELECT status FROM trellis.users WHERE id = $1',
};
const setStatus: Statement = {
  name: 'user_status_set',
  text: 'UPDATE trellis.users SET status = $2 WHERE id = $1',
};
/** A link from before must not sign in a user who is enabled again. */
const spendLinks: Statement = {
  name: 'user_status_spend_links',
  text: 'UPDATE trellis.sign_in_links SET used_at = clock_timestamp() WHERE user_id = $1 AND used_at IS NULL',
};

/**
 * Sets the status of a person on behalf of an operator, with an event in each of their organizations. Disabling ends their sessions and
 * links, and forgets their known browsers. Setting the current status again changes nothing.
 */
export async function setUserStatus(
  auth: Database,
  userId: string,
  status: UserStatus,
  requestId: string,
): Promise<void> {
  await changePerson(auth, {
    userId,
    requestId,
    isByOperator: true,
    reads: {
      access: step(lockAccess, [userId]),
      status: step(readStatus, [userId]),
      sessions: sessionsToEnd(userId, { allBut: null }),
      memberships: membershipsStep(userId),
    },
    decide({ rows, context }) {
      if (rows.status.rows[0]?.[0] === status) return { steps: [], result: () => undefined };
      const what = status === 'DISABLED' ? 'account_disabled' : 'account_enabled';
      const ends = [
        step(spendLinks, [userId]),
        raiseVersionStep(userId),
        ...endSteps(rows.sessions, context),
      ];
      return {
        steps: [
          step(setStatus, [userId, status]),
          ...(status === 'DISABLED' ? ends : []),
          ...credentialEventSteps(rows.memberships.rows, [{ what, changed: [] }], context),
        ],
        result: () => undefined,
      };
    },
  });
}

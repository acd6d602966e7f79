/**
 * Changes of a person's credentials, requested by one of their sessions. Removing or replacing one ends their other sessions
 * (OWASP ASVS 5.0, 7.4.3), because a thief of the old credential may have opened one.
 */
import { type Statement, type Step, type StepResult, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Reads, ResultsOf } from '../../kernel/database/reads.ts';
import { defineRow, flag } from '../../kernel/database/row.ts';
import { checkRecentSignIn, hasRecentSignIn, needsRecentSignIn } from '../../kernel/identity/actor.ts';
import { raiseVersionStep } from './credential-version.ts';
import { changePerson } from './person-change.ts';
import { type CredentialEvent, credentialEventSteps, membershipsStep } from './person-events.ts';
import { invalidSession } from './refusals.ts';
import { endSteps, lockSessionStep, type OpenedSession, type Session, sessionsToEnd } from './sessions.ts';

/** The second factors, by their names in the response that lists the factors. */
const secondFactors: readonly string[] = ['passkeys', 'hasTotp'];
/** Organizations may not read factors, so they are informed whether the person has a second one. */
const noteSecondFactor: Statement = {
  name: 'credential_note_second_factor',
  text: `UPDATE trellis.users SET has_mfa = EXISTS (SELECT FROM trellis.passkeys p WHERE p.user_id = $1)
      OR EXISTS (SELECT FROM trellis.totp_secrets t WHERE t.user_id = $1) WHERE id = $1`,
};

const factorRow = defineRow({
  hasFactor: flag(`EXISTS (SELECT FROM trellis.passwords WHERE user_id = $1)
    OR EXISTS (SELECT FROM trellis.passkeys WHERE user_id = $1)
    OR EXISTS (SELECT FROM trellis.totp_secrets WHERE user_id = $1)
    OR EXISTS (SELECT FROM trellis.external_identities WHERE user_id = $1)`),
});
const readHasFactor: Statement = { name: 'credential_has_factor', text: `SELECT ${factorRow.list}` };

/** Whether a link, and nothing else, has shown who a session is. */
export function cameByLinkAlone({ methods }: Session): boolean {
  return methods.length === 1 && methods[0] === 'LINK';
}

/** Maximum age of a sign-in, in seconds, for adding a further sign-in method. */
const freshSignInSeconds = 2 * 60;

/**
 * Checks the right to add a passkey or an external account. Either one later signs in without the existing factors, so an unattended open
 * page must not suffice: the change requires a fresh proof, or a recent sign-in of an account without factors.
 */
export async function checkMayAdd(auth: Database, session: Session): Promise<void> {
  if (hasRecentSignIn(session, freshSignInSeconds)) return;
  checkRecentSignIn(session);
  if (await readWhetherFactor(auth, session)) throw needsRecentSignIn(freshSignInSeconds);
}

async function readWhetherFactor(auth: Database, { userId }: Session): Promise<boolean> {
  const [found] = await auth.queryInBackground([step(readHasFactor, [userId])]);
  return factorRow.first(found)?.hasFactor ?? true;
}

/** The session that requests a change, and stays valid. */
export interface ChangeRequester {
  readonly current: OpenedSession;
  readonly requestId: string;
}

/** A change that a session requests. */
export interface CredentialChange<R extends Reads, T> {
  readonly reads: R;
  /** Decides on the writes. @throws Problem for a refusal */
  decide(rows: ResultsOf<{ readonly change: R }>['change']): CredentialOutcome<T>;
}

/** What is to be written, with the event of it; null where nothing changes. */
interface CredentialOutcome<T> {
  readonly steps: readonly Step[];
  readonly event: CredentialEvent | null;
  /** The result for the caller, made of the results of `steps`. */
  result(written: readonly StepResult[]): T;
}

/**
 * Carries a change out, with its events and the end of the other sessions; adding a factor ends none.
 * @throws Problem session_invalid when the session has ended meanwhile, insufficient_user_authentication
 */
export async function changeCredentials<R extends Reads, T>(
  auth: Database,
  { current: { session, secret }, requestId }: ChangeRequester,
  { reads, decide }: CredentialChange<R, T>,
): Promise<T> {
  const { userId } = session;
  return changePerson(auth, {
    userId,
    requestId,
    reads: {
      session: lockSessionStep(session, secret),
      memberships: membershipsStep(userId),
      others: sessionsToEnd(userId, { allBut: session.id }),
      change: reads,
    },
    decide({ rows, context }) {
      if (rows.session.affected !== 1) throw invalidSession();
      checkRecentSignIn(session);
      const { steps, event, result } = decide(rows.change);
      if (event === null) return { steps, result };
      const ends = event.what !== 'factor_added';
      return {
        steps: [
          ...steps,
          ...(event.changed.some((field) => secondFactors.includes(field))
            ? [step(noteSecondFactor, [userId])]
            : []),
          ...(ends ? [raiseVersionStep(userId), ...endSteps(rows.others, context)] : []),
          ...credentialEventSteps(rows.memberships.rows, [event], context),
        ],
        result,
      };
    },
  });
}

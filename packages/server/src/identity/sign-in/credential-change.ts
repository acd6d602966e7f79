/**
 * Changes of what a person signs in with, asked for by a session of theirs. Removing or replacing something ends their other
 * sessions (OWASP ASVS 5.0, 7.4.3): whoever has stolen what is replaced may have one.
 */
import { type Statement, type Step, type StepResult, step } from '../../database/batch.ts';
import type { Database } from '../../database/database.ts';
import type { Reads, ResultsOf } from '../../database/reads.ts';
import { raiseVersionStep } from './credential-version.ts';
import { changePerson } from './person-change.ts';
import { type CredentialEvent, credentialEventSteps, membershipsStep } from './person-events.ts';
import { invalidSession } from './refusals.ts';
import { endSteps, lockSessionStep, type OpenedSession, sessionsToEnd } from './sessions.ts';

/** Whether the person has a second factor is told to their organizations, which may not read factors. */
const noteSecondFactor: Statement = {
  name: 'credential_note_second_factor',
  text: `UPDATE trellis.users SET has_mfa = EXISTS (SELECT FROM trellis.passkeys p WHERE p.user_id = $1)
      OR EXISTS (SELECT FROM trellis.totp_secrets t WHERE t.user_id = $1)
    WHERE id = $1`,
};

/** The session that asks for a change, which goes on. */
export interface AskedBy {
  readonly current: OpenedSession;
  readonly requestId: string;
}

/** A change that a session asks for. */
export interface CredentialChange<R extends Reads, T> {
  readonly reads: R;
  /** Decides what is written. @throws Problem for a refusal */
  decide(rows: ResultsOf<{ readonly change: R }>['change']): CredentialOutcome<T>;
}

/** What is to be written, with the event of it; null where nothing changes. */
export interface CredentialOutcome<T> {
  readonly steps: readonly Step[];
  readonly event: CredentialEvent | null;
  /** What the caller gets, made of what `steps` have returned. */
  result(written: readonly StepResult[]): T;
}

/**
 * Carries a change out, with its events and the end of the other sessions; adding a factor ends none.
 * @throws Problem session_invalid when the session has ended meanwhile
 */
export async function changeCredentials<R extends Reads, T>(
  auth: Database,
  { current: { session, secret }, requestId }: AskedBy,
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
      const { steps, event, result } = decide(rows.change);
      if (event === null) return { steps, result };
      const ends = event.what !== 'factor_added';
      return {
        steps: [
          ...steps,
          step(noteSecondFactor, [userId]),
          ...(ends ? [raiseVersionStep(userId), ...endSteps(rows.others, context)] : []),
          ...credentialEventSteps(rows.memberships.rows, [event], context),
        ],
        result,
      };
    },
  });
}

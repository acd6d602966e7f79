/**
 * The state between two requests: a sign-in that awaits its second factor, a passkey ceremony, an unconfirmed enrolment. The
 * browser has a secret, the database its hash and the data.
 */
import { Problem } from '@trellis/schema/problem.ts';
import { type Statement, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { defineRow, nullable, text } from '../../kernel/database/row.ts';
import { hashSecret, isWellFormedSecret, makeSecret } from '../../kernel/identity/secrets.ts';

export type ChallengeKind =
  | 'SECOND_FACTOR'
  | 'PASSKEY_SIGN_IN'
  | 'PASSKEY_ENROLMENT'
  | 'TOTP_ENROLMENT'
  | 'EXTERNAL';

/** How long one may take, in seconds. */
const lifetimeSeconds = 600;

/** A challenge as it was stored. */
export interface Challenge {
  /** Uuid; null where it is not known yet who signs in. */
  readonly userId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

const insertChallenge: Statement = {
  name: 'challenge_insert',
  text: `INSERT INTO trellis.sign_in_challenges (secret_hash, kind, user_id, data, expires_at)
    VALUES ($1, $2, $3, $4, clock_timestamp() + make_interval(secs => ${lifetimeSeconds}))`,
};
const challengeRow = defineRow({ userId: nullable(text('user_id')), data: text('data') });
const readChallenge: Statement = {
  name: 'challenge_read',
  text: `SELECT ${challengeRow.list} FROM trellis.sign_in_challenges
    WHERE secret_hash = $1 AND kind = $2 AND expires_at > clock_timestamp()`,
};
/** A single statement, so that only one of several concurrent uses succeeds. */
const takeChallenge: Statement = {
  name: 'challenge_take',
  text: `DELETE FROM trellis.sign_in_challenges
    WHERE secret_hash = $1 AND kind = $2 AND expires_at > clock_timestamp() RETURNING ${challengeRow.list}`,
};

/** Stores a challenge. @returns its secret */
export async function makeChallenge(
  auth: Database,
  kind: ChallengeKind,
  { userId, data }: Challenge,
): Promise<string> {
  const secret = makeSecret();
  const values = [hashSecret('challenge', secret), kind, userId, JSON.stringify(data)];
  await auth.executeInBackground([step(insertChallenge, values)]);
  return secret;
}

/** Reads a challenge that may be tried again, such as after a mistyped code. @throws Problem challenge_invalid */
export async function peekChallenge(auth: Database, kind: ChallengeKind, secret: string): Promise<Challenge> {
  return requireChallenge(auth, readChallenge, kind, secret);
}

/** Removes a challenge: it can be used once, correctly or not. @throws Problem challenge_invalid */
export async function spendChallenge(
  auth: Database,
  kind: ChallengeKind,
  secret: string,
): Promise<Challenge> {
  return requireChallenge(auth, takeChallenge, kind, secret);
}

async function requireChallenge(
  auth: Database,
  statement: Statement,
  kind: ChallengeKind,
  secret: string,
): Promise<Challenge> {
  if (!isWellFormedSecret(secret)) throw new Problem('challenge_invalid');
  const [result] = await auth.executeInBackground([step(statement, [hashSecret('challenge', secret), kind])]);
  const found = challengeRow.first(result);
  if (found === undefined) throw new Problem('challenge_invalid');
  return { userId: found.userId, data: JSON.parse(found.data) };
}

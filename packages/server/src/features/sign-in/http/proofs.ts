/** Proofs that people who are signed in give once more: for a step-up, and for a new password. */
import { Problem } from '@trellis/schema/problem.ts';
import { type Statement, step } from '../../../kernel/database/batch.ts';
import { defineRow, flag } from '../../../kernel/database/row.ts';
import { type Account, findAccount } from '../accounts.ts';
import { hashOwnerOf } from '../attempt-subjects.ts';
import type { SignInContext } from '../context.ts';
import { cameByLinkAlone } from '../credential-change.ts';
import type { DelaySubject } from '../delays.ts';
import { listIdentities } from '../external.ts';
import { type Proof, proofOf } from '../methods.ts';
import { listPasskeys, verifyPasskey } from '../passkeys.ts';
import { signInFailed } from '../refusals.ts';
import { proveByCode } from '../sign-in.ts';
import { optionalTextOf, type SignedInCall } from './operation.ts';

/**
 * Checks the proofs of a step-up: the strongest that the person has set up. A passkey is two factors, and so is the password with a code;
 * one factor will do only where there is no other.
 * @throws Problem validation_failed for fewer, sign_in_failed, challenge_invalid, rate_limited
 */
export async function proveAgain(
  context: SignInContext,
  call: SignedInCall,
  account: Account,
): Promise<Proof[]> {
  const [password, code, challenge] = ['password', 'code', 'challenge'].map((name) =>
    optionalTextOf(call, name),
  );
  if (challenge != null && password == null && code == null) return [await provePasskey(context, call)];
  const { userId, hasTotp, passwordHash } = account;
  const [passkeys, identities] = await Promise.all([
    listPasskeys(context.auth, userId),
    listIdentities(context.auth, userId),
  ]);
  const hasFirst = passwordHash !== null || identities.length > 0;
  const isEnough =
    password != null && code != null
      ? hasTotp
      : passkeys.length === 0 && (password != null ? !hasTotp : code != null && !hasFirst);
  if (challenge != null || !isEnough) throw tooFewProofs();
  const proofs: Proof[] = [];
  if (password != null) proofs.push(await provePassword(context, account, password, subjectsOf(call)));
  if (code != null) proofs.push(await proveByCode(context, userId, { code }, subjectsOf(call)));
  return proofs;
}

/**
 * Checks the right to replace a password: by the current password or a passkey. A person who signed in by a link has lost the password, so
 * they may set a new one without it.
 */
export async function proveForNewPassword(
  context: SignInContext,
  call: SignedInCall,
  account: Account,
): Promise<void> {
  if (account.passwordHash === null || (await hasLostPassword(context, call))) return;
  const password = optionalTextOf(call, 'currentPassword');
  if (password !== null) await provePassword(context, account, password, subjectsOf(call));
  else if (optionalTextOf(call, 'challenge') !== null) await provePasskey(context, call);
  else {
    const detail = 'Give your current password or a passkey.';
    throw new Problem('validation_failed', undefined, {
      errors: [{ pointer: '/currentPassword', code: 'required', detail }],
    });
  }
}

const passwordRow = defineRow({ isOlder: flag('p.changed_at < s.created_at') });
const isOlderPassword: Statement = {
  name: 'password_older_than_session',
  text: `SELECT ${passwordRow.list} FROM trellis.sessions s JOIN trellis.passwords p ON p.user_id = s.user_id WHERE s.id = $1`,
};

async function hasLostPassword({ auth }: SignInContext, { current }: SignedInCall): Promise<boolean> {
  if (!cameByLinkAlone(current.session)) return false;
  const [found] = await auth.queryInBackground([step(isOlderPassword, [current.session.id])]);
  return passwordRow.first(found)?.isOlder === true;
}

async function provePasskey(context: SignInContext, call: SignedInCall): Promise<Proof> {
  const challenge = optionalTextOf(call, 'challenge') ?? '';
  const owner = await verifyPasskey(context, challenge, call.rawBody.response);
  if (owner.userId !== call.current.session.userId) throw signInFailed('The passkey is somebody else’s.');
  return { method: 'PASSKEY', isMultiFactor: true };
}

function tooFewProofs(): Problem {
  const detail =
    'Give the strongest proof that you have set up: a passkey (challenge and response), or your password, together with a code of the authenticator app if you have one.';
  return new Problem('validation_failed', undefined, { errors: [{ pointer: '', code: 'one_of', detail }] });
}

async function provePassword(
  { auth, hasher, delays }: SignInContext,
  account: Account,
  password: string,
  subjects: readonly DelaySubject[],
): Promise<Proof> {
  const found = await hasher.verify(password, hashOwnerOf(account), async () => {
    await delays.take(subjects);
    return findAccount(auth, account.userId);
  });
  if (found === null) throw signInFailed('The password is wrong.');
  await delays.succeed(subjects);
  return proofOf('PASSWORD');
}

/** Counts by session, so that failures of other people, or in another session of the person, do not delay this one. */
function subjectsOf({ current }: SignedInCall): DelaySubject[] {
  return [{ kind: 'stepUp', value: current.session.id }];
}

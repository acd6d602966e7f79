/** Signing in, from what is proven first to the session. */
import { Problem } from '@trellis/schema/problem.ts';
import { type Account, accountKey, findAccount, findAccountByEmail } from './accounts.ts';
import { makeChallenge, peekChallenge, spendChallenge } from './challenges.ts';
import type { SignInContext } from './context.ts';
import type { DelaySubject } from './delays.ts';
import { type LinkKind, spendLink } from './links.ts';
import { type Method, type Proof, proofOf } from './methods.ts';
import { spendRecoveryCode } from './recovery-codes.ts';
import { signInFailed } from './refusals.ts';
import { type OpenedSession, openSession } from './sessions.ts';
import { acceptTotp } from './totp.ts';

/** Where an attempt comes from, and what is wanted of the session. */
export interface Attempt {
  /** The network that asks, in one form for each. */
  readonly network: string;
  /** What the browser says of itself. */
  readonly device: string;
  readonly staySignedIn: boolean;
}

/** What came of an attempt that did not fail. */
export type SignInResult =
  | { readonly opened: OpenedSession; readonly account: Account; readonly staySignedIn: boolean }
  /** A second factor is asked for; the secret stands for what was proven so far. */
  | { readonly challenge: string };

/** A code that somebody has sent: of an authenticator app, or from paper. */
export type Code = { readonly code: string } | { readonly recoveryCode: string };

/** Kinds of links that sign in. */
const signInLinks: readonly LinkKind[] = ['FIRST_START', 'SIGN_IN', 'INVITATION'];

/**
 * Signs in by e-mail address and password.
 * @throws Problem sign_in_failed, the same for unknown accounts and wrong passwords; rate_limited; overloaded
 */
export async function signInByPassword(
  context: SignInContext,
  { email, password }: { readonly email: string; readonly password: string },
  attempt: Attempt,
): Promise<SignInResult> {
  const key = accountKey(email);
  const subjects: DelaySubject[] = [
    { kind: 'account', value: key },
    { kind: 'network', value: attempt.network },
  ];
  const account = await context.hasher.verify(password, async () => {
    await context.delays.take(subjects);
    return findAccountByEmail(context.auth, key);
  });
  if (account === null) throw signInFailed();
  await context.delays.succeed(subjects);
  return completeSignIn(context, account, proofOf('PASSWORD'), attempt);
}

/**
 * Goes on with what was proven first: asks for the second factor of who has one, else opens a session. A link stands in for
 * a factor that was lost, so none is asked for with it.
 */
export async function completeSignIn(
  context: SignInContext,
  account: Account,
  proof: Proof,
  attempt: Attempt,
): Promise<SignInResult> {
  if (account.hasTotp && !proof.isMultiFactor && proof.method !== 'LINK') {
    const data = { method: proof.method, staySignedIn: attempt.staySignedIn };
    return {
      challenge: await makeChallenge(context.auth, 'SECOND_FACTOR', { userId: account.userId, data }),
    };
  }
  return open(context, account, [proof], attempt);
}

/**
 * Signs in by the second factor that was asked for. After a wrong code the challenge can be answered again, ever more slowly.
 * @throws Problem challenge_invalid, sign_in_failed, rate_limited
 */
export async function signInBySecondFactor(
  context: SignInContext,
  challenge: string,
  code: Code,
  attempt: Omit<Attempt, 'staySignedIn'>,
): Promise<SignInResult> {
  const { auth } = context;
  const { userId, data } = await peekChallenge(auth, 'SECOND_FACTOR', challenge);
  const account = userId === null ? null : await findAccount(auth, userId);
  if (account === null) throw new Problem('challenge_invalid');
  const second = await proveByCode(context, account.userId, code, attempt.network);
  // Answered twice at once, it opens one session.
  await spendChallenge(auth, 'SECOND_FACTOR', challenge);
  const first: Proof = { method: data.method as Method, isMultiFactor: false };
  const staySignedIn = data.staySignedIn === true;
  return open(context, account, [first, second], { ...attempt, staySignedIn });
}

/** Checks a code of a user. @throws Problem sign_in_failed, rate_limited */
export async function proveByCode(
  { auth, sealer, delays }: SignInContext,
  userId: string,
  code: Code,
  network: string,
): Promise<Proof> {
  const subjects: DelaySubject[] = [
    { kind: 'secondFactor', value: userId },
    { kind: 'network', value: network },
  ];
  await delays.take(subjects);
  const isTotp = 'code' in code;
  const isRight = isTotp
    ? await acceptTotp(auth, sealer, userId, code.code)
    : await spendRecoveryCode(auth, userId, code.recoveryCode);
  if (!isRight) throw signInFailed('The code is wrong, was used before, or has expired.');
  await delays.succeed(subjects);
  return proofOf(isTotp ? 'TOTP' : 'RECOVERY_CODE');
}

/** Signs in by a link, which is spent. @throws Problem link_invalid */
export async function signInByLink(
  context: SignInContext,
  secret: string,
  attempt: Attempt,
): Promise<SignInResult> {
  const userId = await spendLink(context.auth, secret, signInLinks);
  const account = userId === null ? null : await findAccount(context.auth, userId);
  if (account === null) throw new Problem('link_invalid');
  return completeSignIn(context, account, proofOf('LINK'), attempt);
}

async function open(
  { auth, idleSeconds }: SignInContext,
  account: Account,
  proofs: readonly Proof[],
  { device, staySignedIn }: Attempt,
): Promise<SignInResult> {
  const { userId } = account;
  const opened = await openSession(auth, { userId, device, proofs, staySignedIn, idleSeconds });
  return { opened, account, staySignedIn };
}

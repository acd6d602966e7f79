/** Signing in, from what is proven first to the session. */
import { Problem } from '@trellis/schema/problem.ts';
import { type Account, accountKey, findAccount, findAccountByEmail, type Owner } from './accounts.ts';
import { makeChallenge, peekChallenge, spendChallenge } from './challenges.ts';
import type { SignInContext } from './context.ts';
import type { DelaySubject } from './delays.ts';
import { findLink, signInLinks } from './links.ts';
import { type Method, type Proof, proofOf } from './methods.ts';
import { openSession, type ProvenSession } from './open-session.ts';
import { spendRecoveryCode } from './recovery-codes.ts';
import { invalidLink, signInFailed } from './refusals.ts';
import type { OpenedSession } from './sessions.ts';
import { acceptTotp } from './totp.ts';

/** Where an attempt comes from, and what is wanted of the session. */
export interface Attempt {
  /** The network that asks, in one form for each. */
  readonly network: string;
  /** What the browser says of itself. */
  readonly device: string;
  readonly staySignedIn: boolean;
  readonly requestId: string;
}

/** What came of an attempt that did not fail. */
export type SignInResult =
  | { readonly opened: OpenedSession; readonly account: Account; readonly staySignedIn: boolean }
  /** A second factor is asked for; the secret stands for what was proven so far. */
  | { readonly challenge: string };

/** A code that somebody has sent: of an authenticator app, or from paper. */
export type Code = { readonly code: string } | { readonly recoveryCode: string };

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
 * Signs in the owner of a passkey or of an account elsewhere.
 * @throws Problem sign_in_failed when they are disabled, or the credential was removed meanwhile
 */
export async function signInOwner(
  context: SignInContext,
  owner: Owner,
  proof: Proof,
  attempt: Attempt,
): Promise<SignInResult> {
  const account = await findAccount(context.auth, owner.userId);
  if (account === null) throw signInFailed();
  // The version that belongs to the credential: another one may have been read after it was removed.
  return completeSignIn(context, { ...account, ...owner }, proof, attempt);
}

/** Goes on with what was proven first: asks for the second factor of who has one, else opens a session. */
async function completeSignIn(
  context: SignInContext,
  account: Account,
  proof: Proof,
  attempt: Attempt,
): Promise<SignInResult> {
  const { credentialVersion: version } = account;
  if (account.hasTotp && !proof.isMultiFactor) {
    const { method, provenAtMs } = proof;
    const data = { method, provenAtMs, version, staySignedIn: attempt.staySignedIn };
    return {
      challenge: await makeChallenge(context.auth, 'SECOND_FACTOR', { userId: account.userId, data }),
    };
  }
  return open(context, account, { proofs: [proof], proven: { version } }, attempt);
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
  const { provenAtMs } = data;
  const first: Proof = {
    method: data.method as Method,
    isMultiFactor: false,
    ...(typeof provenAtMs === 'number' ? { provenAtMs } : {}),
  };
  const staySignedIn = data.staySignedIn === true;
  // The first factor was proven when the challenge was made.
  const proven = { version: Number(data.version) };
  return open(context, account, { proofs: [first, second], proven }, { ...attempt, staySignedIn });
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

/**
 * Signs in by a link, which is spent. It stands in for a factor that was lost, so none is asked for with it.
 * @throws Problem link_invalid
 */
export async function signInByLink(
  context: SignInContext,
  link: string,
  attempt: Attempt,
): Promise<SignInResult> {
  const userId = await findLink(context.auth, link, signInLinks);
  const account = userId === null ? null : await findAccount(context.auth, userId);
  if (account === null) throw invalidLink();
  return open(context, account, { proofs: [proofOf('LINK')], proven: { link } }, attempt);
}

async function open(
  { auth, idleSeconds }: SignInContext,
  account: Account,
  proof: Pick<ProvenSession, 'proofs' | 'proven'>,
  { device, staySignedIn, requestId }: Attempt,
): Promise<SignInResult> {
  const { userId } = account;
  const wanted = { userId, device, staySignedIn, idleSeconds, requestId, ...proof };
  return { opened: await openSession(auth, wanted), account, staySignedIn };
}

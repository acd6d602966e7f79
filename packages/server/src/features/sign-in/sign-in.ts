/** Signs a person in, from the first proof to the session. */
import { Problem } from '@trellis/schema/problem.ts';
import { type Account, accountKey, findAccount, findAccountByEmail, type Owner } from './accounts.ts';
import { codeSubjects, hashOwner, passwordSubjects } from './attempt-subjects.ts';
import { makeChallenge, peekChallenge, spendChallenge } from './challenges.ts';
import type { SignInContext } from './context.ts';
import type { DelaySubject } from './delays.ts';
import type { AttemptedMethod, LoggedAttempt } from './failed-attempts.ts';
import { findLink, signInLinks } from './links.ts';
import { type Method, type Proof, proofOf } from './methods.ts';
import { openSession, type ProvenSession } from './open-session.ts';
import { spendRecoveryCode } from './recovery-codes.ts';
import { invalidLink, signInFailed } from './refusals.ts';
import type { OpenedSession } from './sessions.ts';
import { acceptTotp } from './totp.ts';

/** The origin of an attempt, and the requested kind of session. */
export interface Attempt {
  /** The network that asks, in one form for each. */
  readonly network: string;
  /** Cookie of a known browser, see `known-browsers.ts`; null without one. */
  readonly browser: string | null;
  /** Description of the browser, from its User-Agent. */
  readonly device: string;
  readonly staySignedIn: boolean;
  readonly requestId: string;
}

/** The result of an attempt that did not fail. */
export type SignInResult =
  | { readonly opened: OpenedSession; readonly account: Account; readonly staySignedIn: boolean }
  /** A second factor is required; the secret represents the factors proven so far. */
  | { readonly challenge: string };

/** A submitted code: of an authenticator app, or a recovery code. */
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
  const { network } = attempt;
  const browser = context.browsers.find(attempt.browser, key);
  const account = await context.failed.watch(logged('PASSWORD', attempt, key), async () => {
    let subjects: DelaySubject[] = [];
    const owner = hashOwner(network, browser);
    const found = await context.hasher.verify(password, owner, async () => {
      const candidate = await findAccountByEmail(context.auth, key);
      subjects = passwordSubjects(key, candidate, network, browser);
      await context.delays.take(subjects);
      return candidate;
    });
    if (found === null) throw signInFailed();
    await context.delays.succeed(subjects);
    return found;
  });
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

/** Continues after the first factor: requires the second factor if the user has one, otherwise opens a session. */
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
 * Signs in by the second factor that was asked for. After a wrong code the challenge can be used again, ever more slowly.
 * @throws Problem challenge_invalid, sign_in_failed, rate_limited
 */
export async function signInBySecondFactor(
  context: SignInContext,
  challenge: string,
  code: Code,
  attempt: Omit<Attempt, 'staySignedIn'>,
): Promise<SignInResult> {
  const { auth } = context;
  const about = logged('SECOND_FACTOR', attempt, null);
  const { account, second, data } = await context.failed.watch(about, async () => {
    const begun = await peekChallenge(auth, 'SECOND_FACTOR', challenge);
    const found = begun.userId === null ? null : await findAccount(auth, begun.userId);
    if (found === null) throw new Problem('challenge_invalid');
    about.account = accountKey(found.email);
    const browser = context.browsers.find(attempt.browser, about.account);
    const subjects = codeSubjects(found, attempt.network, browser);
    const proof = await proveByCode(context, found.userId, code, subjects);
    // Two concurrent attempts open only one session.
    await spendChallenge(auth, 'SECOND_FACTOR', challenge);
    return { account: found, second: proof, data: begun.data };
  });
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

/** What the log says of an attempt that fails. @param account as `accountKey` gives it; null as long as it is not known */
export function logged(
  method: AttemptedMethod,
  { network, requestId }: Pick<Attempt, 'network' | 'requestId'>,
  account: string | null,
): LoggedAttempt {
  return { method, network, requestId, account };
}

/** Checks a code of a user. @param subjects the counters of failed attempts @throws Problem sign_in_failed, rate_limited */
export async function proveByCode(
  { auth, sealer, delays }: SignInContext,
  userId: string,
  code: Code,
  subjects: readonly DelaySubject[],
): Promise<Proof> {
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
  const account = await context.failed.watch(logged('LINK', attempt, null), async () => {
    const userId = await findLink(context.auth, link, signInLinks);
    const found = userId === null ? null : await findAccount(context.auth, userId);
    if (found === null) throw invalidLink();
    return found;
  });
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

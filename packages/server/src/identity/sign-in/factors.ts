/** The factors of a person: which there are, and setting them up. */
import { Problem } from '@trellis/schema/problem.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import type { Account } from './accounts.ts';
import { makeChallenge, peekChallenge, spendChallenge } from './challenges.ts';
import type { SignInContext } from './context.ts';
import { listIdentities } from './external.ts';
import { listPasskeys, type Passkey } from './passkeys.ts';
import { countRecoveryCodes, removeRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts';
import { makeTotp, type NewTotp, removeTotp, stepOf, storeTotp } from './totp.ts';

/** What the person can sign in with, as answers show it. */
export async function describeFactors({ auth }: SignInContext, account: Account) {
  const { userId, passwordHash, hasTotp } = account;
  const [passkeys, identities, recoveryCodes] = await Promise.all([
    listPasskeys(auth, userId),
    listIdentities(auth, userId),
    countRecoveryCodes(auth, userId),
  ]);
  return {
    hasPassword: passwordHash !== null,
    hasTotp,
    recoveryCodesLeft: recoveryCodes,
    passkeys: passkeys.map(describePasskey),
    external: identities.map(({ id, ...identity }) => ({ id: encodeId('ext', id), ...identity })),
  };
}

/** A passkey as answers show it. */
export function describePasskey({ id, ...passkey }: Passkey) {
  return { id: encodeId('pk', id), ...passkey };
}

/** Begins to set up an authenticator app: nothing is asked for at sign-in before a code of it was shown. */
export async function beginTotp(
  { auth, sealer }: SignInContext,
  { userId, email }: Account,
): Promise<NewTotp & { readonly challenge: string }> {
  const made = makeTotp(email);
  const data = { sealedSecret: sealer.seal(made.secret, userId) };
  return { ...made, challenge: await makeChallenge(auth, 'TOTP_ENROLMENT', { userId, data }) };
}

/**
 * Sets the authenticator app up, in place of another one, if the code is one of it.
 * @returns recovery codes, in place of all others; shown once
 * @throws Problem challenge_invalid, validation_failed for a wrong code, which may be tried again
 */
export async function confirmTotp(
  { auth, sealer }: SignInContext,
  { userId }: Account,
  { challenge, code }: { readonly challenge: string; readonly code: string },
): Promise<string[]> {
  const begun = await peekChallenge(auth, 'TOTP_ENROLMENT', challenge);
  if (begun.userId !== userId) throw new Problem('challenge_invalid');
  const secret = sealer.open(String(begun.data.sealedSecret), userId);
  const timeStep = stepOf(secret, code, Date.now());
  if (timeStep === null) {
    const detail = 'Is not a code of this secret. Is the clock of the device right?';
    throw new Problem('validation_failed', undefined, {
      errors: [{ pointer: '/code', code: 'totp', detail }],
    });
  }
  await spendChallenge(auth, 'TOTP_ENROLMENT', challenge);
  await storeTotp(auth, sealer, userId, { secret, timeStep });
  return replaceRecoveryCodes(auth, userId);
}

/** Forgets the authenticator app and its recovery codes. */
export async function removeAuthenticatorApp({ auth }: SignInContext, { userId }: Account): Promise<void> {
  await removeTotp(auth, userId);
  await removeRecoveryCodes(auth, userId);
}

/** The factors of a person: lists them and sets them up. */
import { Problem } from '@trellis/schema/problem.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import type { Account } from './accounts.ts';
import { makeChallenge, peekChallenge, spendChallenge } from './challenges.ts';
import type { SignInContext } from './context.ts';
import { type ChangeRequester, changeCredentials } from './credential-change.ts';
import { listIdentities } from './external.ts';
import { listPasskeys, type Passkey } from './passkeys.ts';
import { countRecoveryCodes, makeRecoveryCodes, removeRecoveryCodesStep } from './recovery-codes.ts';
import { makeTotp, type NewTotp, removeTotpStep, stepOf, storeTotpStep } from './totp.ts';

/** The sign-in methods of a person, as responses contain them. */
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

/** A passkey as responses show it. */
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
  by: ChangeRequester,
  { challenge, code }: { readonly challenge: string; readonly code: string },
): Promise<string[]> {
  const { userId } = by.current.session;
  const begun = await peekChallenge(auth, 'TOTP_ENROLMENT', challenge);
  if (begun.userId !== userId) throw new Problem('challenge_invalid');
  const secret = sealer.open(String(begun.data.sealedSecret), userId);
  const timeStep = stepOf(secret, code, Date.now());
  if (timeStep === null) {
    const detail = 'Not a code of this secret. Check the clock of the device.';
    throw new Problem('validation_failed', undefined, {
      errors: [{ pointer: '/code', code: 'totp', detail }],
    });
  }
  await spendChallenge(auth, 'TOTP_ENROLMENT', challenge);
  const { codes, steps } = makeRecoveryCodes(userId);
  return changeCredentials(auth, by, {
    reads: {},
    decide: () => ({
      steps: [storeTotpStep(sealer, userId, { secret, timeStep }), ...steps],
      // In place of another one, perhaps; and no session with less than two factors is to stay.
      event: { what: 'factor_replaced', changed: ['hasTotp', 'recoveryCodesLeft'] },
      result: () => codes,
    }),
  });
}

/** Makes new recovery codes in place of all others. They are shown once. */
export async function replaceRecoveryCodes({ auth }: SignInContext, by: ChangeRequester): Promise<string[]> {
  const { codes, steps } = makeRecoveryCodes(by.current.session.userId);
  return changeCredentials(auth, by, {
    reads: {},
    decide: () => ({
      steps,
      event: { what: 'factor_replaced', changed: ['recoveryCodesLeft'] },
      result: () => codes,
    }),
  });
}

/** Removes the authenticator app and its recovery codes. Repeating it changes nothing. */
export async function removeAuthenticatorApp({ auth }: SignInContext, by: ChangeRequester): Promise<void> {
  const { userId } = by.current.session;
  await changeCredentials(auth, by, {
    reads: { totp: removeTotpStep(userId), codes: removeRecoveryCodesStep(userId) },
    decide: ({ totp, codes }) => ({
      steps: [],
      event:
        totp.affected + codes.affected === 0
          ? null
          : { what: 'factor_removed', changed: ['hasTotp', 'recoveryCodesLeft'] },
      result: () => undefined,
    }),
  });
}

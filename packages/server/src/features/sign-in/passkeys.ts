/**
 * Passkeys (WebAuthn Level 3). They are discoverable, so that signing in needs no e-mail address, and always verify the user,
 * so that one passkey is two factors.
 */

import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { Problem } from '@trellis/schema/problem.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { type DatabaseFailure, type Statement, type StepResult, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { defineRow, instant, nullable, number, text, texts } from '../../kernel/database/row.ts';
import { textArray } from '../../kernel/database/values.ts';
import type { Account, Owner } from './accounts.ts';
import { makeChallenge, spendChallenge } from './challenges.ts';
import type { SignInContext } from './context.ts';
import { type ChangeRequester, changeCredentials } from './credential-change.ts';
import { versionOf } from './credential-version.ts';
import { signInFailed } from './refusals.ts';

/** A passkey as its owner sees it. */
export interface Passkey {
  /** Uuid. */
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** Passkeys of one person. */
const maxPasskeys = 20;
/** How long a browser asks, in ms. */
const timeoutMs = 300_000;

/** Imported when it is first used: its several hundred modules would take a fifth of the time in which a process starts. */
const loadWebAuthn = () => import('@simplewebauthn/server');

const passkeyRow = defineRow({
  id: text('id'),
  name: text('name'),
  createdAt: instant('created_at'),
  lastUsedAt: nullable(instant('last_used_at')),
});
const readPasskeys: Statement = {
  name: 'passkeys_read',
  text: `SELECT ${passkeyRow.list} FROM trellis.passkeys WHERE user_id = $1 ORDER BY id`,
};
const knownRow = defineRow({ id: text('credential_id'), transports: texts('transports') });
const readKnown: Statement = {
  name: 'passkeys_known',
  text: `SELECT ${knownRow.list} FROM trellis.passkeys WHERE user_id = $1 ORDER BY id`,
};
const insertPasskey: Statement = {
  name: 'passkey_insert',
  text: `INSERT INTO trellis.passkeys (id, user_id, credential_id, public_key, sign_count, transports, name)
    VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${passkeyRow.list}`,
};
const credentialRow = defineRow({
  id: text('p.id'),
  userId: text('p.user_id'),
  publicKey: text(`encode(p.public_key, 'hex')`),
  signCount: number('p.sign_count'),
  transports: texts('p.transports'),
  version: number(versionOf('p.user_id')),
});
const readCredential: Statement = {
  name: 'passkey_credential',
  text: `SELECT ${credentialRow.list} FROM trellis.passkeys p WHERE p.credential_id = $1`,
};
/** The count never decreases, so one of two concurrent uses with the same count fails. */
const noteUse: Statement = {
  name: 'passkey_note_use',
  text: `UPDATE trellis.passkeys SET sign_count = $2, last_used_at = clock_timestamp()
    WHERE id = $1 AND (sign_count < $2 OR sign_count = 0 AND $2 = 0)`,
};
const deletePasskey: Statement = {
  name: 'passkey_delete',
  text: 'DELETE FROM trellis.passkeys WHERE user_id = $1 AND id = $2',
};

/** The passkeys of a user, in the order in which they were made. */
export async function listPasskeys(auth: Database, userId: string): Promise<Passkey[]> {
  const [result] = await auth.queryInBackground([step(readPasskeys, [userId])]);
  return passkeyRow.all(result);
}

/** Removes a passkey of the caller. @returns whether there was one */
export async function removePasskey(
  { auth }: SignInContext,
  by: ChangeRequester,
  id: string,
): Promise<boolean> {
  const { userId } = by.current.session;
  return changeCredentials(auth, by, {
    reads: { deleted: step(deletePasskey, [userId, id]) },
    decide: ({ deleted }) =>
      deleted.affected === 1
        ? { steps: [], event: { what: 'factor_removed', changed: ['passkeys'] }, result: () => true }
        : { steps: [], event: null, result: () => false },
  });
}

/** The options of a WebAuthn call, and the secret to return with its response. */
export interface PasskeyQuestion<Options> {
  readonly challenge: string;
  readonly options: Options;
}

/** Begins to enrol a passkey. @throws Problem quota_reached */
export async function beginEnrolment(
  { auth, cookie }: SignInContext,
  { userId, email, name }: Account,
): Promise<PasskeyQuestion<PublicKeyCredentialCreationOptionsJSON>> {
  const [result] = await auth.queryInBackground([step(readKnown, [userId])]);
  const known = knownRow.all(result);
  if (known.length >= maxPasskeys)
    throw new Problem('quota_reached', `An account has at most ${maxPasskeys} passkeys.`);
  const { generateRegistrationOptions } = await loadWebAuthn();
  const options = await generateRegistrationOptions({
    rpName: 'Trellis',
    rpID: relyingParty(cookie.origin()),
    userName: email,
    userDisplayName: name,
    // The same for all passkeys of a person, so that an authenticator keeps one (WebAuthn, 5.4.3).
    userID: new Uint8Array(Buffer.from(userId.replaceAll('-', ''), 'hex')),
    timeout: timeoutMs,
    attestationType: 'none',
    excludeCredentials: known,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const data = { challenge: options.challenge };
  return { challenge: await makeChallenge(auth, 'PASSKEY_ENROLMENT', { userId, data }), options };
}

/**
 * Stores the passkey that an authenticator has made.
 * @param response the credential as the browser's `toJSON` gives it
 * @throws Problem challenge_invalid, validation_failed when it does not match the challenge
 */
export async function finishEnrolment(
  { auth, cookie }: SignInContext,
  by: ChangeRequester,
  {
    challenge,
    response,
    name,
  }: { readonly challenge: string; readonly response: unknown; readonly name: string },
): Promise<Passkey> {
  const { userId } = by.current.session;
  const begun = await spendChallenge(auth, 'PASSKEY_ENROLMENT', challenge);
  if (begun.userId !== userId) throw new Problem('challenge_invalid');
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const verified = await verifyRegistrationResponse({
    // Whatever it is: the library checks each part, and throws.
    response: response as RegistrationResponseJSON,
    expectedChallenge: String(begun.data.challenge),
    expectedOrigin: cookie.origin(),
    expectedRPID: relyingParty(cookie.origin()),
  }).catch(() => null);
  if (!verified?.verified) throw refusedPasskey();
  const { credential } = verified.registrationInfo;
  try {
    return await changeCredentials(auth, by, {
      reads: {},
      decide: () => ({
        steps: [
          step(insertPasskey, [
            newUuid(),
            userId,
            credential.id,
            Buffer.from(credential.publicKey),
            String(credential.counter),
            textArray(credential.transports ?? []),
            name,
          ]),
        ],
        event: { what: 'factor_added', changed: ['passkeys'] },
        result: ([stored]) => storedPasskey(stored),
      }),
    });
  } catch (error) {
    if ((error as DatabaseFailure).constraint === 'passkeys_credential') throw refusedPasskey();
    throw error;
  }
}

/** Begins to sign in, or to step up, by any passkey. */
export async function beginPasskeySignIn({
  auth,
  cookie,
}: SignInContext): Promise<PasskeyQuestion<PublicKeyCredentialRequestOptionsJSON>> {
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(cookie.origin()),
    timeout: timeoutMs,
    userVerification: 'required',
  });
  const data = { challenge: options.challenge };
  return { challenge: await makeChallenge(auth, 'PASSKEY_SIGN_IN', { userId: null, data }), options };
}

/** Verifies the signature of an authenticator. */
export async function verifyPasskey(
  { auth, cookie }: SignInContext,
  challenge: string,
  response: unknown,
): Promise<Owner> {
  const { data } = await spendChallenge(auth, 'PASSKEY_SIGN_IN', challenge);
  const signed = response as AuthenticationResponseJSON;
  const [found] = await auth.queryInBackground([step(readCredential, [String(signed.id)])]);
  const known = credentialRow.first(found);
  if (known === undefined) throw signInFailed('This passkey is not known here.');
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const verified = await verifyAuthenticationResponse({
    response: signed,
    expectedChallenge: String(data.challenge),
    expectedOrigin: cookie.origin(),
    expectedRPID: relyingParty(cookie.origin()),
    credential: {
      id: signed.id,
      publicKey: new Uint8Array(Buffer.from(known.publicKey, 'hex')),
      counter: known.signCount,
      transports: known.transports,
    },
  }).catch(() => null);
  if (!verified?.verified) throw signInFailed('The passkey did not sign the challenge.');
  const [noted] = await auth.executeInBackground([
    step(noteUse, [known.id, String(verified.authenticationInfo.newCounter)]),
  ]);
  if (noted?.affected !== 1) throw signInFailed('The passkey did not sign the challenge.');
  return { userId: known.userId, credentialVersion: known.version };
}

/** The host that passkeys are for, without the port (WebAuthn, 4: RP ID). */
function relyingParty(origin: string): string {
  return new URL(origin).hostname;
}

function refusedPasskey(): Problem {
  const detail = 'Not the passkey that was requested.';
  return new Problem('validation_failed', undefined, {
    errors: [{ pointer: '/response', code: 'passkey', detail }],
  });
}

function storedPasskey(result: StepResult | undefined): Passkey {
  const stored = passkeyRow.first(result);
  if (stored === undefined) throw new Error('a passkey was not stored');
  return stored;
}

/**
 * Codes of an authenticator app (TOTP, RFC 6238: SHA-1, six digits, 30 seconds, which is what apps understand). The shared
 * secret cannot be kept as a hash, so it is sealed.
 */

import { Secret, TOTP } from 'otpauth';
import { type Statement, type Step, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { defineRow, text } from '../../kernel/database/row.ts';
import type { Sealer } from '../../kernel/lib/sealer.ts';

const periodSeconds = 30;
/** Steps before and after the present one whose codes are taken: clocks differ, and people need time to type. */
const window = 1;
/** Bytes of a secret (RFC 4226, 4: 160 bits are recommended). */
const secretBytes = 20;

const secretRow = defineRow({ sealed: text('sealed_secret') });
const readSecret: Statement = {
  name: 'totp_read',
  text: `SELECT ${secretRow.list} FROM trellis.totp_secrets WHERE user_id = $1`,
};
/** A code is taken once, also when it is sent twice at the same time. */
const takeStep: Statement = {
  name: 'totp_take_step',
  text: 'UPDATE trellis.totp_secrets SET last_step = $2 WHERE user_id = $1 AND last_step < $2',
};
const storeSecret: Statement = {
  name: 'totp_store',
  text: `INSERT INTO trellis.totp_secrets (user_id, sealed_secret, last_step) VALUES ($1, $2, $3)
    ON CONFLICT (user_id) DO UPDATE SET sealed_secret = $2, last_step = $3, created_at = now()`,
};
const deleteSecret: Statement = {
  name: 'totp_delete',
  text: 'DELETE FROM trellis.totp_secrets WHERE user_id = $1',
};

/** A secret that is to be entered into an app. */
export interface NewTotp {
  /** Base32, as people type it. */
  readonly secret: string;
  /** For a QR code (https://github.com/google/google-authenticator/wiki/Key-Uri-Format). */
  readonly uri: string;
}

/** A new secret. @param email what the app shows beside the name of the product */
export function makeTotp(email: string): NewTotp {
  const totp = totpOf(new Secret({ size: secretBytes }).base32, email);
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** The time step of a code of this secret (base32) that is valid now; null for any other code. */
export function stepOf(secret: string, code: string, nowMs: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const delta = totpOf(secret, '').validate({ token: code, timestamp: nowMs, window });
  return delta === null ? null : Math.floor(nowMs / 1_000 / periodSeconds) + delta;
}

/** Whether it is a valid code of the user that was not accepted before, nor a later one. */
export async function acceptTotp(
  auth: Database,
  sealer: Sealer,
  userId: string,
  code: string,
): Promise<boolean> {
  const [found] = await auth.queryInBackground([step(readSecret, [userId])]);
  const secret = secretRow.first(found);
  if (secret === undefined) return false;
  const timeStep = stepOf(sealer.open(secret.sealed, userId), code, Date.now());
  if (timeStep === null) return false;
  const [taken] = await auth.executeInBackground([step(takeStep, [userId, String(timeStep)])]);
  return taken?.affected === 1;
}

/** Stores a secret after the user has proved it with a code. @param timeStep of the code */
export function storeTotpStep(
  sealer: Sealer,
  userId: string,
  { secret, timeStep }: { readonly secret: string; readonly timeStep: number },
): Step {
  return step(storeSecret, [userId, sealer.seal(secret, userId), String(timeStep)]);
}

/** Forgets the secret of a user. */
export function removeTotpStep(userId: string): Step {
  return step(deleteSecret, [userId]);
}

function totpOf(secret: string, label: string): TOTP {
  return new TOTP({
    issuer: 'Trellis',
    label: label === '' ? 'Trellis' : label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: periodSeconds,
  });
}

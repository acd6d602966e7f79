/** Storing a password that a person has chosen. */
import { type Statement, step } from '../../database/batch.ts';
import type { Account } from './accounts.ts';
import type { SignInContext } from './context.ts';
import { checkNewPassword } from './password-policy.ts';
import { endOtherSessions } from './sessions.ts';

const storePassword: Statement = {
  name: 'password_store',
  text: `INSERT INTO trellis.passwords (user_id, hash) VALUES ($1, $2)
    ON CONFLICT (user_id) DO UPDATE SET hash = $2, changed_at = now()`,
};

/**
 * Sets a password, and ends the person's sessions, since whoever knew the old one may have one.
 * @param keptSession uuid of the one that goes on
 * @param beforeStoring what has to succeed first, once the password is known to be good
 * @throws Problem validation_failed, overloaded
 */
export async function setPassword(
  { auth, hasher }: SignInContext,
  { userId, email, name }: Account,
  password: string,
  {
    keptSession,
    beforeStoring,
  }: { readonly keptSession: string | null; readonly beforeStoring?: () => Promise<void> },
): Promise<void> {
  await checkNewPassword(password, ['trellis', email, ...email.split('@'), name]);
  const hash = await hasher.hash(password);
  await beforeStoring?.();
  await auth.executeInBackground([step(storePassword, [userId, hash])]);
  await endOtherSessions(auth, userId, keptSession);
}

/** Resets a password by a mailed link. */
import { type Account, accountKey, findAccount, findAccountByEmail } from './accounts.ts';
import { resetSubjects } from './attempt-subjects.ts';
import type { SignInContext } from './context.ts';
import { findLink, makeLink } from './links.ts';
import { invalidLink } from './refusals.ts';
import { setPasswordByLink } from './set-password.ts';
import { type Attempt, logged } from './sign-in.ts';

/**
 * Mails a link to the account of an address, if there is one and mail is set up. The caller must not learn the outcome:
 * call it after the response.
 */
export async function mailResetLink(
  { auth, browsers, delays, mailer, cookie }: SignInContext,
  email: string,
  { network, browser: cookieOfBrowser }: Pick<Attempt, 'network' | 'browser'>,
): Promise<void> {
  if (mailer === null) return;
  const key = accountKey(email);
  const account = await findAccountByEmail(auth, key);
  if (account === null) return;
  const browser = browsers.find(cookieOfBrowser, key);
  if (!(await delays.tryTake(resetSubjects(account, network, browser)))) return;
  const link = await makeLink(auth, 'RESET', account.userId, cookie.origin());
  await mailer.send({
    to: account.email,
    subject: 'Set a new password',
    text: `Somebody, hopefully you, wants to set a new password for ${account.email}.\n\nOpen this page within 10 minutes:\n\n${link.url}\n\nIf it was not you, nothing needs to be done: the password stays as it is.\n`,
  });
}

/**
 * Sets the password of the user of a mailed link, and ends all sessions. It does not sign them in, and the next sign-in still requires the
 * second factor.
 */
export async function resetPassword(
  context: SignInContext,
  { link, password }: { readonly link: string; readonly password: string },
  attempt: Pick<Attempt, 'network' | 'requestId'>,
): Promise<Account> {
  const { auth } = context;
  return context.failed.watch(logged('RESET', attempt, null), async () => {
    // Before the password is hashed, which takes a while.
    const userId = await findLink(auth, link, ['RESET']);
    const account = userId === null ? null : await findAccount(auth, userId);
    if (account === null) throw invalidLink();
    await setPasswordByLink(context, account, password, { link, requestId: attempt.requestId });
    return account;
  });
}

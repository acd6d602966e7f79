/** Sign-in links made by an operator. */
import { decodeId } from '@trellis/schema/values/ids.ts';
import type { Database } from '../../kernel/database/database.ts';
import { accountKey, findAccountByEmail } from '../sign-in/accounts.ts';
import { makeLink, type NewLink } from '../sign-in/links.ts';
import { AdministrationError } from './checks.ts';

/**
 * Makes a link that signs a person in.
 * @param origin where the page is that spends it
 * @throws AdministrationError when there is no active person of that address
 */
export async function makeSignInLink(auth: Database, email: string, origin: string): Promise<NewLink> {
  if (decodeId('user', email) !== null) {
    throw new AdministrationError(
      'Give the e-mail address of a person. A service member does not sign in: it acts by its tokens.',
    );
  }
  const account = await findAccountByEmail(auth, accountKey(email));
  if (account === null) {
    throw new AdministrationError(`There is no active user "${email}". "trellis user list" shows all.`);
  }
  return makeLink(auth, 'SIGN_IN', account.userId, origin);
}

/** A link that an operator makes for somebody. */
import type { Database } from '../../database/database.ts';
import { AdministrationError } from '../administration/checks.ts';
import { accountKey, findAccountByEmail } from './accounts.ts';
import { makeLink, type NewLink } from './links.ts';

/**
 * Makes a link that signs a person in.
 * @param origin where the page is that spends it
 * @throws AdministrationError when there is no active person of that address
 */
export async function makeSignInLink(auth: Database, email: string, origin: string): Promise<NewLink> {
  const account = await findAccountByEmail(auth, accountKey(email));
  if (account === null) {
    throw new AdministrationError(`There is no active user "${email}". "trellis user list" shows all.`);
  }
  return makeLink(auth, 'SIGN_IN', account.userId, origin);
}

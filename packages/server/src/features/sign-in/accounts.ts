/** Accounts as signing in sees them: the person, and their factors. */
import { normalizeAddress } from '@trellis/schema/values/address.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { normalizeText } from '@trellis/schema/values/text.ts';
import { type Statement, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { defineRow, flag, nullable, number, text } from '../../kernel/database/row.ts';
import { versionOf } from './credential-version.ts';

/** A person who may sign in. */
export interface Account {
  /** Uuid. */
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  /** PHC text; null without a password. */
  readonly passwordHash: string | null;
  /** Whether codes of an authenticator app are asked for. */
  readonly hasTotp: boolean;
  /** Version of the person's credentials, see `credential-version.ts`. */
  readonly credentialVersion: number;
}

/** The owner of a credential, and the credential version that was read with it. */
export type Owner = Pick<Account, 'userId' | 'credentialVersion'>;

const accountRow = defineRow({
  userId: text('u.id'),
  email: text('u.email'),
  name: text('u.name'),
  passwordHash: nullable(text('p.hash')),
  hasTotp: flag('t.user_id IS NOT NULL'),
  credentialVersion: number(versionOf('u.id')),
});
const accountTables = `trellis.users u LEFT JOIN trellis.passwords p ON p.user_id = u.id
  LEFT JOIN trellis.totp_secrets t ON t.user_id = u.id`;

const readByEmail: Statement = {
  name: 'account_by_email',
  text: `SELECT ${accountRow.list} FROM ${accountTables} WHERE u.email_normalized = $1 AND u.status = 'ACTIVE'`,
};
const readById: Statement = {
  name: 'account_by_id',
  text: `SELECT ${accountRow.list} FROM ${accountTables} WHERE u.id = $1 AND u.status = 'ACTIVE'`,
};

/** The address in the form in which accounts are looked up; an invalid address is returned unchanged. */
export function accountKey(email: string): string {
  return normalizeAddress(normalizeText(email)) ?? email.toLowerCase();
}

/** The active account of an address; null when there is none. @param key as `accountKey` gives it */
export async function findAccountByEmail(auth: Database, key: string): Promise<Account | null> {
  const [result] = await auth.queryInBackground([step(readByEmail, [key])]);
  return accountRow.first(result) ?? null;
}

/** The active account of a user (uuid); null when there is none. */
export async function findAccount(auth: Database, userId: string): Promise<Account | null> {
  const [result] = await auth.queryInBackground([step(readById, [userId])]);
  return accountRow.first(result) ?? null;
}

/** The person as responses show them. */
export function describeAccount({ userId, email, name }: Account) {
  return { id: encodeId('user', userId), email, name };
}

/** Disables and enables a user in the whole installation, by address, for operators. */
import { encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { normalizeText } from '@trellis/schema/values/text.ts';
import { type Statement, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { notifyAccessChange } from '../../kernel/identity/access-notifier.ts';
import { setUserStatus, type UserStatus } from '../sign-in/user-status.ts';
import { AdministrationError, checkAddress, suggestion } from './checks.ts';

const readOrganizations: Statement = {
  name: 'user_status_organizations',
  text: `SELECT o.key, EXISTS (
      SELECT FROM trellis.memberships other JOIN trellis.users u ON u.id = other.user_id AND u.status = 'ACTIVE'
      WHERE other.organization_id = m.organization_id AND other.role = 'OWNER' AND other.status = 'ACTIVE')
    FROM trellis.memberships m JOIN trellis.organizations o ON o.id = m.organization_id
    WHERE m.user_id = $1 ORDER BY o.key`,
};

/** A user after the change. */
export interface ChangedUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly status: UserStatus;
  /** Keys of the organizations that they are a member of. */
  readonly organizations: readonly string[];
  /** Keys of those without an active owner, in which nobody can manage members. */
  readonly withoutOwner: readonly string[];
}

/**
 * Sets the status of the user of an address. An operator may disable the last active owner of an organization: whoever has taken over an
 * account must be stopped at once. The result names such organizations.
 * @throws AdministrationError naming the nearest address when there is no such user
 */
export async function changeUserStatus(
  auth: Database,
  email: string,
  status: UserStatus,
): Promise<ChangedUser> {
  const normalized = checkAddress(normalizeText(email));
  const [row] = await auth.run('SELECT id, email, name FROM trellis.users WHERE email_normalized = $1', [
    normalized,
  ]);
  if (row === undefined) throw await unknownUser(auth, email);
  const [id = '', address = '', name = ''] = row.map((value) => value ?? '');
  await setUserStatus(auth, id, status, newUuid());
  await notifyAccessChange(auth, 'all');
  const [found] = await auth.queryInBackground([step(readOrganizations, [id])]);
  const organizations = found?.rows ?? [];
  const keysOf = (rows: typeof organizations) => rows.map(([key]) => key ?? '');
  return {
    id: encodeId('user', id),
    email: address,
    name,
    status,
    organizations: keysOf(organizations),
    withoutOwner: keysOf(organizations.filter(([, hasOwner]) => hasOwner !== 't')),
  };
}

async function unknownUser(auth: Database, email: string): Promise<AdministrationError> {
  const users = await auth.run('SELECT email FROM trellis.users ORDER BY email_normalized');
  const hint = suggestion(
    email,
    users.map(([address]) => address ?? ''),
  );
  return new AdministrationError(`There is no user ${email}.${hint}`);
}

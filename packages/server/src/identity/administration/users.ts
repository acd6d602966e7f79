/** Administration of users and of their roles in organizations. */

import { type Role, roles } from '@trellis/schema/rights/permissions.ts';
import { decodeId, encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { normalizeText } from '@trellis/schema/values/text.ts';
import type { Database } from '../../database/database.ts';
import { type Row, type Statement, step } from '../../database/flight.ts';
import { parseTimestamp } from '../../database/values.ts';
import { AdministrationError, checkName, checkRole, normalizeAddress, suggestion } from './checks.ts';
import { findOrganization, organizationUuid } from './organizations.ts';

export interface UserRecord {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly status: 'ACTIVE' | 'DISABLED';
  readonly organization: string;
  readonly role: Role;
  readonly createdAt: string;
}

const userColumns = 'u.id, u.email, u.name, u.status, o.key, m.role, u.created_at';

/** Creates a user and makes them a member, or returns the member with that address. */
export async function createUser(
  worker: Database,
  wanted: { email: string; organization: string; role: string; name?: string | undefined },
): Promise<UserRecord> {
  const email = normalizeText(wanted.email);
  const normalized = normalizeAddress(email);
  const role = checkRole(wanted.role);
  const organization = await findOrganization(worker, wanted.organization);
  await worker.run(
    `INSERT INTO trellis.users (id, email, email_normalized, name) VALUES ($1, $2, $3, $4)
     ON CONFLICT ON CONSTRAINT users_email DO NOTHING`,
    [newUuid(), email, normalized, checkName(wanted.name ?? email, 'name')],
  );
  await worker.run(
    `INSERT INTO trellis.memberships (organization_id, user_id, role)
     SELECT $1, id, $3 FROM trellis.users WHERE email_normalized = $2
     ON CONFLICT (organization_id, user_id) DO NOTHING`,
    [organizationUuid(organization), normalized, role],
  );
  const user = await findUser(worker, wanted.organization, email);
  if (user.role !== role) {
    throw new AdministrationError(
      `${user.email} is a member of "${wanted.organization}" already, with the role ${user.role}. ` +
        `"trellis user role ${user.email} ${role} --organization ${wanted.organization}" changes it.`,
    );
  }
  return user;
}

/** Members of one organization, or of all, ordered by organization and address. */
export async function listUsers(worker: Database, organization?: string): Promise<UserRecord[]> {
  if (organization !== undefined) await findOrganization(worker, organization);
  const rows = await worker.run(
    `SELECT ${userColumns} FROM trellis.memberships m
     JOIN trellis.users u ON u.id = m.user_id JOIN trellis.organizations o ON o.id = m.organization_id
     WHERE $1::text IS NULL OR o.key = $1 ORDER BY o.key, u.email_normalized`,
    [organization ?? null],
  );
  return rows.map(readUserRow);
}

/** Changes the role of a member, which takes effect on their next write. */
export async function setRole(
  worker: Database,
  wanted: { email: string; organization: string; role: string },
): Promise<UserRecord> {
  const role = checkRole(wanted.role);
  const user = await findUser(worker, wanted.organization, wanted.email);
  await worker.run(
    `UPDATE trellis.memberships m SET role = $3 FROM trellis.organizations o
     WHERE o.id = m.organization_id AND o.key = $1 AND m.user_id = $2`,
    [wanted.organization, decodeId('user', user.id), role],
  );
  return { ...user, role };
}

const endMembership: Statement = {
  name: 'end_membership',
  text: 'DELETE FROM trellis.memberships WHERE organization_id = $1 AND user_id = $2',
};
const revokeTokensOfMember: Statement = {
  name: 'revoke_tokens_of_member',
  text: `UPDATE trellis.tokens SET revoked_at = now()
    WHERE organization_id = $1 AND user_id = $2 AND revoked_at IS NULL`,
};

/**
 * Ends a membership and revokes the user's tokens of that organization, so that they stay invalid if the user becomes a
 * member again. Two statements in one transaction: the second one sees tokens that were created while the first one waited.
 */
export async function removeUser(
  worker: Database,
  wanted: { email: string; organization: string },
): Promise<UserRecord> {
  const user = await findUser(worker, wanted.organization, wanted.email);
  const organization = await findOrganization(worker, wanted.organization);
  const member = [organizationUuid(organization), decodeId('user', user.id)];
  await worker.backgroundTransaction([step(endMembership, member)], (_rows, transaction) =>
    transaction.commit([step(revokeTokensOfMember, member)]),
  );
  return user;
}

/** Finds a member by address. @throws AdministrationError with the nearest address if there is none */
export async function findUser(worker: Database, organization: string, email: string): Promise<UserRecord> {
  const { key } = await findOrganization(worker, organization);
  const rows = await worker.run(
    `SELECT ${userColumns} FROM trellis.memberships m
     JOIN trellis.users u ON u.id = m.user_id JOIN trellis.organizations o ON o.id = m.organization_id
     WHERE o.key = $1 AND u.email_normalized = $2`,
    [key, normalizeAddress(normalizeText(email))],
  );
  if (rows[0] !== undefined) return readUserRow(rows[0]);
  const members = await listUsers(worker, key);
  const hint = suggestion(
    email,
    members.map((member) => member.email),
  );
  throw new AdministrationError(`${email} is not a member of "${key}".${hint}`);
}

function readUserRow(row: Row | undefined): UserRecord {
  const [id, email, name, status, organization, role, createdAt] = row ?? [];
  return {
    id: encodeId('user', id ?? ''),
    email: email ?? '',
    name: name ?? '',
    status: status === 'ACTIVE' ? 'ACTIVE' : 'DISABLED',
    organization: organization ?? '',
    role: roles.find((known) => known === role) ?? 'VIEWER',
    createdAt: parseTimestamp(createdAt ?? ''),
  };
}

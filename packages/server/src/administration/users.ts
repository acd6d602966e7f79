/** Administration of users and of their roles in organizations. */

import { members } from '@trellis/schema/resources/members.ts';
import { tokens } from '@trellis/schema/resources/tokens.ts';
import { type Role, roles } from '@trellis/schema/rights/permissions.ts';
import { decodeId, encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { normalizeText } from '@trellis/schema/values/text.ts';
import { type Row, type Statement, step } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import { parseTimestamp } from '../database/values.ts';
import { advisoryLock } from '../pipeline/locks.ts';
import { administer, unchanged } from './administer.ts';
import { AdministrationError, checkAddress, checkName, checkRole, suggestion } from './checks.ts';
import { indexJobsStep } from './index-job.ts';
import { hasOtherOwners, lastOwnerDetail, otherOwnersStep } from './members/last-owner.ts';
import {
  endedWith,
  lockMembershipStep,
  membershipTokensStep,
  revokeTokensStep,
} from './members/membership-tokens.ts';
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

const findUserId: Statement = {
  name: 'administration_find_user',
  text: 'SELECT id FROM trellis.users WHERE email_normalized = $1',
};
const findMember: Statement = {
  name: 'administration_find_member',
  text: `SELECT FROM trellis.memberships m JOIN trellis.users u ON u.id = m.user_id
    WHERE m.organization_id = $1 AND u.email_normalized = $2`,
};
const insertUser: Statement = {
  name: 'administration_insert_user',
  text: 'INSERT INTO trellis.users (id, email, email_normalized, name) VALUES ($1, $2, $3, $4)',
};
const insertMembership: Statement = {
  name: 'administration_insert_membership',
  text: 'INSERT INTO trellis.memberships (organization_id, user_id, role) VALUES ($1, $2, $3)',
};
const updateRole: Statement = {
  name: 'administration_update_role',
  text: 'UPDATE trellis.memberships SET role = $3, version = version + 1, updated_at = now() WHERE organization_id = $1 AND user_id = $2',
};
const endMembership: Statement = {
  name: 'administration_end_membership',
  text: 'DELETE FROM trellis.memberships WHERE organization_id = $1 AND user_id = $2',
};

/** Creates a user and makes them a member, or returns the member of that address. */
export async function createUser(
  worker: Database,
  wanted: { email: string; organization: string; role: string; name?: string | undefined },
): Promise<UserRecord> {
  const email = normalizeText(wanted.email);
  const normalized = checkAddress(email);
  const role = checkRole(wanted.role);
  const organization = await findOrganization(worker, wanted.organization);
  const organizationId = organizationUuid(organization);
  const name = checkName(wanted.name ?? email, 'name');
  await administer(worker, {
    organizationId,
    subject: 'member',
    reads: {
      user: [advisoryLock('users', normalized), step(findUserId, [normalized])],
      member: step(findMember, [organizationId, normalized]),
    },
    decide({ user, member }) {
      if (member.rows.length > 0) return unchanged;
      const known = user.rows[0]?.[0];
      const id = known ?? newUuid();
      return {
        steps: [
          ...(known ? [] : [step(insertUser, [id, email, normalized, name])]),
          step(insertMembership, [organizationId, id, role]),
          indexJobsStep(organizationId, members.singular, [id]),
        ],
        events: [{ subject: 'member', id, what: 'created' }],
      };
    },
  });
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
  const organizationId = organizationUuid(await findOrganization(worker, wanted.organization));
  const id = decodeId('user', user.id) ?? '';
  await administer(worker, {
    organizationId,
    subject: 'member',
    reads: { member: lockMembershipStep(organizationId, id), owners: otherOwnersStep(organizationId, id) },
    decide({ member, owners }) {
      const row = member.rows[0];
      if (row === undefined) return goneMember(user.email, wanted.organization);
      if (row[0] === role) return unchanged;
      if (isOwner(row) && !hasOtherOwners(owners.rows[0])) return new AdministrationError(lastOwnerDetail);
      return {
        steps: [step(updateRole, [organizationId, id, role])],
        events: [{ subject: 'member', id, what: 'updated', changed: ['roleId'] }],
      };
    },
  });
  return { ...user, role };
}

/**
 * Ends a membership and revokes the user's tokens of that organization, so that they stay invalid if the user becomes a
 * member again. Two statements in one transaction: the second one sees tokens that were created while the first one waited.
 */
export async function removeUser(
  worker: Database,
  wanted: { email: string; organization: string },
): Promise<UserRecord> {
  const user = await findUser(worker, wanted.organization, wanted.email);
  const organizationId = organizationUuid(await findOrganization(worker, wanted.organization));
  const id = decodeId('user', user.id) ?? '';
  await administer(worker, {
    organizationId,
    subject: 'member',
    reads: {
      member: lockMembershipStep(organizationId, id),
      tokens: membershipTokensStep(organizationId, id),
      owners: otherOwnersStep(organizationId, id),
    },
    decide({ member, tokens: valid, owners }) {
      const row = member.rows[0];
      if (row === undefined) return unchanged;
      if (isOwner(row) && !hasOtherOwners(owners.rows[0])) return new AdministrationError(lastOwnerDetail);
      const ended = endedWith(valid.rows);
      const revoked = ended.filter(({ subject }) => subject === 'token');
      return {
        steps: [
          step(endMembership, [organizationId, id]),
          revokeTokensStep(organizationId, id),
          indexJobsStep(organizationId, members.singular, [id]),
          indexJobsStep(
            organizationId,
            tokens.singular,
            revoked.map((token) => token.id),
          ),
        ],
        events: [
          { subject: 'member', id, what: 'deleted' },
          ...ended.map(({ subject, id: endedId }) => ({ subject, id: endedId, what: 'deleted' }) as const),
        ],
      };
    },
  });
  return user;
}

/** Whether a row of `lockMembershipStep` is an active owner's. */
function isOwner([role, status]: Row): boolean {
  return role === 'OWNER' && status === 'ACTIVE';
}

/** The answer where a membership ended between two looks. */
export function goneMember(email: string, organization: string): AdministrationError {
  return new AdministrationError(`${email} is not a member of "${organization}" any more.`);
}

/** @throws AdministrationError naming the nearest address when they are no member */
export async function findUser(worker: Database, organization: string, email: string): Promise<UserRecord> {
  const { key } = await findOrganization(worker, organization);
  const rows = await worker.run(
    `SELECT ${userColumns} FROM trellis.memberships m
     JOIN trellis.users u ON u.id = m.user_id JOIN trellis.organizations o ON o.id = m.organization_id
     WHERE o.key = $1 AND u.email_normalized = $2`,
    [key, checkAddress(normalizeText(email))],
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

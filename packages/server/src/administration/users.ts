/** Administration of users and of their roles in organizations. */

import { type MemberKind, members } from '@trellis/schema/resources/members.ts';
import { tokens } from '@trellis/schema/resources/tokens.ts';
import { decodeId, encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { normalizeText } from '@trellis/schema/values/text.ts';
import { type Row, type Statement, type Step, step } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import { parseTimestamp } from '../database/values.ts';
import { indexJobsStep } from '../identity/index-jobs.ts';
import { administer, unchanged } from './administer.ts';
import { AdministrationError, checkAddress, checkName, suggestion } from './checks.ts';
import { answersForDetail, answersForStep } from './members/answering.ts';
import { findMemberStep, findUserSteps, insertUserStep, joinSteps } from './members/creation.ts';
import { hasOtherOwners, lastOwnerDetail, otherOwnersStep } from './members/last-owner.ts';
import {
  endedWith,
  lockMembershipStep,
  membershipTokensStep,
  revokeTokensStep,
} from './members/membership-tokens.ts';
import { storedRole } from './members/storage.ts';
import { findOrganization, organizationUuid } from './organizations.ts';

export interface UserRecord {
  readonly id: string;
  /** Null for a service member. */
  readonly email: string | null;
  readonly name: string;
  readonly kind: MemberKind;
  readonly status: 'ACTIVE' | 'DISABLED';
  readonly organization: string;
  /** Key of the role: that of a built-in one is in capitals. */
  readonly role: string;
  readonly roleName: string;
  /** E-mail address of the person who answers for a service member; null for a person. */
  readonly responsible: string | null;
  readonly createdAt: string;
}

const userColumns = 'u.id, u.email, u.name, u.status, o.key, r.key, r.name, u.created_at, p.email';
/** Every role has a row, built in or not. */
const userTables = `trellis.memberships m JOIN trellis.users u ON u.id = m.user_id
  JOIN trellis.organizations o ON o.id = m.organization_id
  JOIN trellis.roles r ON r.organization_id = m.organization_id
    AND (r.id = m.role_id OR m.role_id IS NULL AND r.built_in AND r.key = m.role)
  LEFT JOIN trellis.users p ON p.id = m.responsible_user_id`;

const findRoles: Statement = {
  name: 'administration_find_roles',
  text: 'SELECT id, key FROM trellis.roles WHERE organization_id = $1 ORDER BY built_in DESC, CASE WHEN built_in THEN id::text ELSE key END',
};

const updateRole: Statement = {
  name: 'administration_update_role',
  text: 'UPDATE trellis.memberships SET role = $3, version = version + 1, updated_at = now() WHERE organization_id = $1 AND user_id = $2',
};
const endMembership: Statement = {
  name: 'administration_end_membership',
  text: 'DELETE FROM trellis.memberships WHERE organization_id = $1 AND user_id = $2',
};

/** A user that an operator wants. */
interface WantedUser {
  readonly email: string;
  readonly organization: string;
  /** Key of the role. */
  readonly role: string;
  readonly name?: string | undefined;
}

/**
 * Creates a user and makes them a member, or returns the member of that address.
 * @param claim claims an account (uuid) that was made by an invitation, and that somebody else may have prepared: see `claimAccount`.
 *   Without it, such an account is refused.
 */
export async function createUser(
  worker: Database,
  wanted: WantedUser,
  claim: (userId: string) => Promise<void> = refuseToClaim,
): Promise<UserRecord> {
  let { unproven, role } = await joinOrganization(worker, wanted);
  if (unproven !== null) {
    await claim(unproven);
    ({ unproven, role } = await joinOrganization(worker, wanted));
    if (unproven !== null) throw new Error('an account was not claimed');
  }
  const user = await findUser(worker, wanted.organization, wanted.email);
  if (user.role !== role) {
    throw new AdministrationError(
      `${user.email} is a member of "${wanted.organization}" already, with the role ${user.role}. ` +
        `"trellis user role ${user.email} ${wanted.role} --organization ${wanted.organization}" changes it.`,
    );
  }
  return user;
}

async function refuseToClaim(): Promise<never> {
  throw new AdministrationError(
    'The account was made by an invitation, and its address is not proven: "trellis user create" makes it a member.',
  );
}

/** What came of making an address a member. */
interface Joining {
  /** The account (uuid) that is to be claimed first, with nothing changed; null where they are a member. */
  readonly unproven: string | null;
  /** Key of the role that is wanted. */
  readonly role: string;
}

/** Makes the account of an address a member, and the account if there is none. */
async function joinOrganization(worker: Database, wanted: WantedUser): Promise<Joining> {
  const email = normalizeText(wanted.email);
  const normalized = checkAddress(email);
  const organizationId = organizationUuid(await findOrganization(worker, wanted.organization));
  const name = checkName(wanted.name ?? email, 'name');
  let joining: Joining = { unproven: null, role: '' };
  await administer(worker, {
    organizationId,
    subject: 'member',
    reads: {
      user: findUserSteps(normalized),
      member: findMemberStep(organizationId, normalized),
      roles: rolesStep(organizationId),
    },
    decide({ user, member, roles }) {
      const role = findRole(roles.rows, wanted.role);
      if (role instanceof AdministrationError) return role;
      joining = { unproven: null, role: role.key };
      if (member.rows.length > 0) return unchanged;
      const [known, isProven] = user.rows[0] ?? [];
      if (known && isProven !== 't') {
        joining = { unproven: known, role: role.key };
        return unchanged;
      }
      const id = known ?? newUuid();
      return {
        steps: [
          ...(known ? [] : [insertUserStep({ id, email, normalized, name, isAddressProven: true })]),
          ...joinSteps(organizationId, id, role.stored, null),
        ],
        events: [{ subject: 'member', id, what: 'created' }],
      };
    },
  });
  return joining;
}

/** Members of one organization, or of all, ordered by organization and address, service members last. */
export async function listUsers(worker: Database, organization?: string): Promise<UserRecord[]> {
  if (organization !== undefined) await findOrganization(worker, organization);
  const rows = await worker.run(
    `SELECT ${userColumns} FROM ${userTables}
     WHERE $1::text IS NULL OR o.key = $1 ORDER BY o.key, u.email_normalized NULLS LAST, u.name, u.id`,
    [organization ?? null],
  );
  return rows.map(readUserRow);
}

/** Changes the role of a member, which takes effect on their next write. @param wanted.email address, or the id of a service member */
export async function setRole(
  worker: Database,
  wanted: { email: string; organization: string; role: string },
): Promise<UserRecord> {
  const user = await findUser(worker, wanted.organization, wanted.email);
  const organizationId = organizationUuid(await findOrganization(worker, wanted.organization));
  const id = decodeId('user', user.id) ?? '';
  await administer(worker, {
    organizationId,
    subject: 'member',
    reads: {
      member: lockMembershipStep(organizationId, id),
      owners: otherOwnersStep(organizationId, id),
      roles: rolesStep(organizationId),
    },
    decide({ member, owners, roles }) {
      const role = findRole(roles.rows, wanted.role);
      if (role instanceof AdministrationError) return role;
      const row = member.rows[0];
      if (row === undefined) return goneMember(labelOf(user), wanted.organization);
      if (row[0] === role.stored) return unchanged;
      if (isOwner(row) && !hasOtherOwners(owners.rows[0])) return new AdministrationError(lastOwnerDetail);
      return {
        steps: [step(updateRole, [organizationId, id, role.stored])],
        events: [{ subject: 'member', id, what: 'updated', changed: ['roleId'] }],
      };
    },
  });
  return findUser(worker, wanted.organization, wanted.email);
}

/** A role of an organization. */
export interface FoundRole {
  readonly key: string;
  /** What a membership has of it. */
  readonly stored: string;
}

/** Reads the roles of an organization, for `findRole`. */
export function rolesStep(organizationId: string): Step {
  return step(findRoles, [organizationId]);
}

/** The role of a key among the rows of `rolesStep`: exactly as it is written; otherwise in any letter case, if that is one role only. */
export function findRole(rows: readonly Row[], wanted: string): FoundRole | AdministrationError {
  const similar = rows.filter(([, key]) => key?.toUpperCase() === wanted.toUpperCase());
  const [id, key] =
    similar.find((row) => row[1] === wanted) ?? (similar.length === 1 ? similar[0] : undefined) ?? [];
  if (id && key) return { key, stored: storedRole(id) };
  if (similar.length > 1) {
    const names = similar.map((row) => row[1]).join(' or ');
    return new AdministrationError(`"${wanted}" may be ${names}: write it exactly.`);
  }
  const keys = rows.map(([, key]) => key ?? '');
  const hint = suggestion(wanted, keys);
  return new AdministrationError(`The role must be one of ${keys.join(', ')}, not "${wanted}".${hint}`);
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
      answersFor: answersForStep(organizationId, id),
    },
    decide({ member, tokens: valid, owners, answersFor }) {
      const row = member.rows[0];
      if (row === undefined) return unchanged;
      if (isOwner(row) && !hasOtherOwners(owners.rows[0])) return new AdministrationError(lastOwnerDetail);
      const services = Number(answersFor.rows[0]?.[0]);
      if (services > 0) return new AdministrationError(answersForDetail(services));
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
          ...ended.map(({ subject, id: endedId }) => ({
            subject,
            id: endedId,
            what: 'deleted',
            ...(subject === 'session' ? { userId: id } : {}),
          })),
        ],
      };
    },
  });
  return user;
}

/** Whether a row of `lockMembershipStep` is an active owner's, who is a person. */
function isOwner([role, status, responsible]: Row): boolean {
  return role === 'OWNER' && status === 'ACTIVE' && !responsible;
}

/** The answer where a membership ended between two looks. */
export function goneMember(member: string, organization: string): AdministrationError {
  return new AdministrationError(`${member} is not a member of "${organization}" any more.`);
}

/** How messages name a member. */
export function labelOf({ email, name }: UserRecord): string {
  return email ?? `The service member "${name}"`;
}

/**
 * Finds a member by the address of a person, or by an id.
 * @throws AdministrationError naming the nearest address when they are no member
 */
export async function findUser(worker: Database, organization: string, email: string): Promise<UserRecord> {
  const { key } = await findOrganization(worker, organization);
  const id = decodeId('user', email);
  const rows = await worker.run(
    `SELECT ${userColumns} FROM ${userTables}
     WHERE o.key = $1 AND (u.email_normalized = $2 OR u.id = $3)`,
    [key, id === null ? checkAddress(normalizeText(email)) : null, id],
  );
  if (rows[0] !== undefined) return readUserRow(rows[0]);
  const members = await listUsers(worker, key);
  const hint = suggestion(
    email,
    members.flatMap((member) => member.email ?? []),
  );
  throw new AdministrationError(`${email} is not a member of "${key}".${hint}`);
}

function readUserRow(row: Row | undefined): UserRecord {
  const [id, email, name, status, organization, role, roleName, createdAt, responsible] = row ?? [];
  return {
    id: encodeId('user', id ?? ''),
    email: email ?? null,
    name: name ?? '',
    kind: email ? 'PERSON' : 'SERVICE',
    status: status === 'ACTIVE' ? 'ACTIVE' : 'DISABLED',
    organization: organization ?? '',
    role: role ?? '',
    roleName: roleName ?? '',
    responsible: responsible ?? null,
    createdAt: parseTimestamp(createdAt ?? ''),
  };
}

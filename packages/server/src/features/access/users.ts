/** Administration of users and of their roles in organizations. */

import type { MemberKind } from '@trellis/schema/resources/members.ts';
import { decodeId, encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { removeInvisible } from '@trellis/schema/values/invisible.ts';
import { normalizeText } from '@trellis/schema/values/text.ts';
import type { Row } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { defineRow, instant, nullable, text } from '../../kernel/database/row.ts';
import type { Target } from '../../kernel/pipeline/storage.ts';
import { planDelete } from '../../kernel/pipeline/write/plans.ts';
import { administer, operatorModels, planChange, planOwn, targetOf } from './administer.ts';
import { AdministrationError, checkAddress, checkName, suggestion } from './checks.ts';
import { findMemberStep, findUserSteps, insertUserStep, joined, joinSteps } from './members/creation.ts';
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
  /** E-mail address of the person who is responsible for a service member; null for a person. */
  readonly responsible: string | null;
  readonly createdAt: string;
}

const userRow = defineRow({
  id: text('u.id'),
  email: nullable(text('u.email')),
  name: text('u.name'),
  status: text('u.status'),
  organization: text('o.key'),
  role: text('r.key'),
  roleName: text('r.name'),
  responsible: nullable(text('p.email')),
  createdAt: instant('u.created_at'),
});
/** Every role has a row, built in or not. */
const userTables = `trellis.memberships m JOIN trellis.users u ON u.id = m.user_id
  JOIN trellis.organizations o ON o.id = m.organization_id
  JOIN trellis.roles r ON r.organization_id = m.organization_id
    AND (r.id = m.role_id OR m.role_id IS NULL AND r.built_in AND r.key = m.role)
  LEFT JOIN trellis.users p ON p.id = m.responsible_user_id`;

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
 * @param claim claims an account (uuid) that was created by an invitation and may have been prepared by somebody else: see `claimAccount`.
 *   Without it, such an account is refused.
 */
export async function createUser(
  worker: Database,
  wanted: WantedUser,
  claim: (userId: string) => Promise<void> = refuseToClaim,
): Promise<UserRecord> {
  const organizationId = organizationUuid(await findOrganization(worker, wanted.organization));
  const role = await findRole(worker, organizationId, wanted.role);
  let unproven = await joinOrganization(worker, organizationId, role, wanted);
  if (unproven !== null) {
    await claim(unproven);
    unproven = await joinOrganization(worker, organizationId, role, wanted);
    if (unproven !== null) throw new Error('an account was not claimed');
  }
  const user = await findUser(worker, wanted.organization, wanted.email);
  if (user.role !== role.key) {
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

/**
 * Makes the account of an address a member, and the account if there is none.
 * @returns the account (uuid) that is to be claimed first, with nothing changed; null where they are a member
 */
async function joinOrganization(
  worker: Database,
  organizationId: string,
  role: FoundRole,
  wanted: WantedUser,
): Promise<string | null> {
  const email = removeInvisible(normalizeText(wanted.email));
  const normalized = checkAddress(email);
  const name = checkName(wanted.name ?? email, 'name');
  let unproven: string | null = null;
  const reads = {
    user: findUserSteps(normalized),
    member: findMemberStep(organizationId, normalized),
  };
  const plan = planOwn(operatorModels.members, reads, ({ rows: { user, member }, instant }) => {
    if (member.rows.length > 0) return null;
    const [known, isProven] = user.rows[0] ?? [];
    if (known && isProven !== 't') {
      unproven = known;
      return null;
    }
    const id = known ?? newUuid();
    return {
      steps: [
        ...(known ? [] : [insertUserStep({ id, email, normalized, name, isAddressProven: true })]),
        ...joinSteps(organizationId, id, storedRole(role.id), null, instant),
      ],
      events: [joined(id, instant)],
    };
  });
  await administer(worker, organizationId, plan);
  return unproven;
}

/** Members of one organization, or of all, ordered by organization and address, service members last. */
export async function listUsers(worker: Database, organization?: string): Promise<UserRecord[]> {
  if (organization !== undefined) await findOrganization(worker, organization);
  const rows = await worker.run(
    `SELECT ${userRow.list} FROM ${userTables}
     WHERE $1::text IS NULL OR o.key = $1 ORDER BY o.key, u.email_normalized NULLS LAST, u.name, u.id`,
    [organization ?? null],
  );
  return rows.map(readUser);
}

/** Changes the role of a member, which takes effect on their next write. @param wanted.email address, or the id of a service member */
export async function setRole(
  worker: Database,
  wanted: { email: string; organization: string; role: string },
): Promise<UserRecord> {
  const target = await findTarget(worker, wanted);
  const role = await findRole(worker, target.organizationId, wanted.role);
  const plan = planChange(operatorModels.members, target, { roleId: role.id });
  await administer(worker, target.organizationId, plan);
  return findUser(worker, wanted.organization, wanted.email);
}

/** A role of an organization. */
interface FoundRole {
  /** Uuid. */
  readonly id: string;
  readonly key: string;
}

const roleRow = defineRow({ id: text('id'), key: text('key') });

/** The role of a key: exactly as it is written; otherwise in any letter case, if that is one role only. */
export async function findRole(worker: Database, organizationId: string, wanted: string): Promise<FoundRole> {
  const rows = await worker.run(
    `SELECT ${roleRow.list} FROM trellis.roles WHERE organization_id = $1 ORDER BY built_in DESC, CASE WHEN built_in THEN id::text ELSE key END`,
    [organizationId],
  );
  const roles = rows.map((row) => roleRow.read(row));
  const similar = roles.filter(({ key }) => key.toUpperCase() === wanted.toUpperCase());
  const found = similar.find(({ key }) => key === wanted) ?? (similar.length === 1 ? similar[0] : undefined);
  if (found !== undefined) return found;
  if (similar.length > 1) {
    const names = similar.map(({ key }) => key).join(' or ');
    throw new AdministrationError(`"${wanted}" may be ${names}: write it exactly.`);
  }
  const keys = roles.map(({ key }) => key);
  const hint = suggestion(wanted, keys);
  throw new AdministrationError(`The role must be one of ${keys.join(', ')}, not "${wanted}".${hint}`);
}

/** Ends a membership and revokes the user's tokens of that organization, so that they stay invalid if the user becomes a member again. */
export async function removeUser(
  worker: Database,
  wanted: { email: string; organization: string },
): Promise<UserRecord> {
  const user = await findUser(worker, wanted.organization, wanted.email);
  const target = await findTarget(worker, wanted);
  await administer(worker, target.organizationId, planDelete(operatorModels.members, target));
  return user;
}

/** A member, as a plan names them. */
export async function findTarget(
  worker: Database,
  { email, organization }: { readonly email: string; readonly organization: string },
): Promise<Target> {
  const user = await findUser(worker, organization, email);
  const organizationId = organizationUuid(await findOrganization(worker, organization));
  return targetOf(organizationId, decodeId('user', user.id) ?? '');
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
  const found = await findOrganization(worker, organization);
  const { key } = found;
  const id = decodeId('user', email);
  const rows = await worker.run(
    `SELECT ${userRow.list} FROM ${userTables}
     WHERE m.organization_id = $1 AND (u.email_normalized = $2 OR u.id = $3)`,
    [organizationUuid(found), id === null ? checkAddress(normalizeText(email)) : null, id],
  );
  const [row] = rows;
  if (row !== undefined) return readUser(row);
  const members = await listUsers(worker, key);
  const hint = suggestion(
    email,
    members.flatMap((member) => member.email ?? []),
  );
  throw new AdministrationError(`${email} is not a member of "${key}".${hint}`);
}

function readUser(row: Row): UserRecord {
  const { id, email, name, ...others } = userRow.read(row);
  return {
    id: encodeId('user', id),
    email,
    name,
    kind: email === null ? 'SERVICE' : 'PERSON',
    ...others,
    status: others.status === 'ACTIVE' ? 'ACTIVE' : 'DISABLED',
  };
}

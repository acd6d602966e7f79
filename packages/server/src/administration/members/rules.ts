/** Rules of members: nobody changes or removes somebody with more rights than their own, and the last owner stays. */

import { Problem } from '@trellis/schema/problem.ts';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import type { Input } from '@trellis/schema/validation/input.ts';
import type { Values } from '@trellis/schema/validation/values.ts';
import { type Row, type Statement, type Step, step } from '../../database/batch.ts';
import { type MemberRole, readRole } from '../../identity/role.ts';
import type { Rules } from '../../pipeline/model.ts';
import type { Target } from '../../pipeline/storage.ts';
import { Refusal } from '../../pipeline/write/plan.ts';
import { checkWithin } from '../rights.ts';
import { storedRole } from './storage.ts';

const findRoleOfMember: Statement = {
  name: 'find_role_of_member',
  text: `SELECT m.role, r.key, r.grants FROM trellis.memberships m
    LEFT JOIN trellis.roles r ON r.organization_id = m.organization_id AND r.id = m.role_id
    WHERE m.organization_id = $1 AND m.user_id = $2`,
};
const findRole: Statement = {
  name: 'find_role',
  text: 'SELECT key, grants FROM trellis.roles WHERE organization_id = $1 AND id = $2',
};
const countOtherOwners: Statement = {
  name: 'count_other_owners',
  text: `SELECT count(*) FROM trellis.memberships m JOIN trellis.users u ON u.id = m.user_id AND u.status = 'ACTIVE'
    WHERE m.organization_id = $1 AND m.user_id <> $2 AND m.role = 'OWNER' AND m.status = 'ACTIVE'`,
};

/** What is read before a member is changed or removed. */
type MemberReads = {
  /** The role that the member has. */
  readonly current: Step;
  /** The role that the member is to have, where that changes. */
  readonly wanted: Step | undefined;
  /** Owners besides the member. The access lock, which such a write holds alone, keeps two owners from leaving at once. */
  readonly owners: Step;
};

function readsOf(
  { organizationId, id }: Omit<Target, 'id'> & { id: string | null },
  input?: Input,
): MemberReads {
  const roleId = input?.values.roleId;
  return {
    current: step(findRoleOfMember, [organizationId, id]),
    wanted: typeof roleId === 'string' ? step(findRole, [organizationId, roleId]) : undefined,
    owners: step(countOtherOwners, [organizationId, id]),
  };
}

/** Rules of members. */
export const memberRules: Rules<MemberReads, MemberReads> = {
  reads: readsOf,
  update(before, patch, merged, { actor, rows }) {
    const current = roleOf(rows.current.rows[0]);
    const [key, grants] = rows.wanted?.rows[0] ?? [];
    const wanted = 'roleId' in patch ? readRole(storedRole(String(patch.roleId)), key, grants) : current;
    const refused =
      checkRole(actor.role, current) ??
      checkRole(actor.role, wanted) ??
      checkLastOwner(before.values, isOwner(merged), rows.owners.rows[0]);
    return refused ?? { values: merged, events: ['updated'] };
  },
  removalReads: (target) => readsOf(target),
  remove(before, { actor, rows }) {
    const refused =
      checkRole(actor.role, roleOf(rows.current.rows[0])) ??
      checkLastOwner(before.values, false, rows.owners.rows[0]);
    return refused ?? [];
  },
};

function roleOf(row: Row | undefined): MemberRole | null {
  return readRole(row?.[0], row?.[1], row?.[2]);
}

/** A role that is not there was refused as a reference before, or is deleted at this moment: the foreign key decides. */
function checkRole(caller: MemberRole, role: MemberRole | null): Refusal | null {
  return role === null ? null : checkWithin(caller.rights, role.rights, `The role "${role.key}"`);
}

function isOwner({ roleId, status }: Values): boolean {
  return roleId === builtInRoleIds.OWNER && status === 'ACTIVE';
}

function checkLastOwner(before: Values, remains: boolean, others: Row | undefined): Refusal | null {
  if (remains || !isOwner(before) || Number(others?.[0]) > 0) return null;
  return new Refusal(
    new Problem('last_owner', 'This is the last active owner: make somebody else an owner first.'),
  );
}

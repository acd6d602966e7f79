/** Rules of members: nobody changes or removes somebody with more rights than their own, and the last owner stays. */

import { Problem } from '@trellis/schema/problem.ts';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import type { Input } from '@trellis/schema/validation/input.ts';
import type { Values } from '@trellis/schema/validation/values.ts';
import { type Row, type Statement, type Step, step } from '../../database/batch.ts';
import { type MemberRole, readRole } from '../../identity/role.ts';
import { readersOfPerson } from '../../identity/sign-in/person-events.ts';
import type { Rules } from '../../pipeline/model.ts';
import type { Target } from '../../pipeline/storage.ts';
import { Refusal } from '../../pipeline/write/plan.ts';
import { checkWithin } from '../rights.ts';
import { hasOtherOwners, lastOwnerDetail, otherOwnersStep } from './last-owner.ts';
import { endedWith, lockMembershipStep, membershipTokensStep } from './membership-tokens.ts';
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
/** What is read before a member is changed or removed. */
type MemberReads = {
  /** The role that the member has. */
  readonly current: Step;
  /** The role that the member is to have, where that changes. */
  readonly wanted: Step | undefined;
  /** Active owners besides the member. */
  readonly owners: Step;
};

type RemovalReads = MemberReads & {
  /** The tokens that are revoked with the membership. */
  readonly tokens: readonly Step[];
};

function readsOf(
  { organizationId, id }: Omit<Target, 'id'> & { id: string | null },
  input?: Input,
): MemberReads {
  const roleId = input?.values.roleId;
  return {
    current: step(findRoleOfMember, [organizationId, id]),
    wanted: typeof roleId === 'string' ? step(findRole, [organizationId, roleId]) : undefined,
    owners: otherOwnersStep(organizationId, id),
  };
}

/** Rules of members. */
export const memberRules: Rules<MemberReads, RemovalReads> = {
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
  removalReads(target) {
    const key = [target.organizationId, target.id] as const;
    return { ...readsOf(target), tokens: [lockMembershipStep(...key), membershipTokensStep(...key)] };
  },
  remove(before, { actor, rows }) {
    const refused =
      checkRole(actor.role, roleOf(rows.current.rows[0])) ??
      checkLastOwner(before.values, false, rows.owners.rows[0]);
    return refused ?? [];
  },
  removalEvents: ({ id: userId }, { rows, instant }) =>
    endedWith(rows.tokens.rows).map(({ subject, id }) => ({
      type: `${subject}.deleted`,
      subjectType: subject,
      subjectId: id,
      parentId: null,
      subjectVersion: 1,
      changedFields: [],
      readers: subject === 'session' ? readersOfPerson(userId) : ['OWNER', 'ADMIN'],
      occurredAt: instant,
    })),
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
  if (remains || !isOwner(before) || hasOtherOwners(others)) return null;
  return new Refusal(new Problem('last_owner', lastOwnerDetail));
}

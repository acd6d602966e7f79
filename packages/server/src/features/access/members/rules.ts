/**
 * Rules of members: nobody makes, changes or removes a member with more rights than their own, the last owner stays, and a person is responsible
 * for each service member.
 */

import { type Fault, Problem } from '@trellis/schema/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { members } from '@trellis/schema/resources/members.ts';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import { type PatchOf, type ValuesOf, withChanges } from '@trellis/schema/resources/stored-values.ts';
import type { Input } from '@trellis/schema/validation/input.ts';
import { type Statement, type Step, type StepResult, step } from '../../../kernel/database/batch.ts';
import { defineRow, number, text } from '../../../kernel/database/row.ts';
import { type MemberRole, readRole, roleColumn } from '../../../kernel/identity/role.ts';
import type { Rules } from '../../../kernel/pipeline/model.ts';
import { Refusal } from '../../../kernel/pipeline/refusal.ts';
import type { Target } from '../../../kernel/pipeline/storage.ts';
import { checkWithin } from '../rights.ts';
import { hasOtherOwners, lastOwnerDetail, otherOwnersStep } from './last-owner.ts';
import { endingEvents, membershipTokensSteps } from './membership-tokens.ts';
import { countServiceMembersStep, describeResponsibility, readServiceMemberCount } from './responsibility.ts';
import { storedRole } from './storage.ts';

type MemberValues = ValuesOf<typeof members>;

const currentRow = defineRow({ role: roleColumn() });
const findRoleOfMember: Statement = {
  name: 'find_role_of_member',
  text: `SELECT ${currentRow.list} FROM trellis.memberships m
    LEFT JOIN trellis.roles r ON r.organization_id = m.organization_id AND r.id = m.role_id
    WHERE m.organization_id = $1 AND m.user_id = $2`,
};
const roleRow = defineRow({ key: text('key'), grants: text('grants') });
const findRole: Statement = {
  name: 'find_role',
  text: `SELECT ${roleRow.list} FROM trellis.roles WHERE organization_id = $1 AND id = $2`,
};
const findResponsible: Statement = {
  name: 'find_responsible_person',
  text: `SELECT FROM trellis.memberships m JOIN trellis.users u ON u.id = m.user_id
    WHERE m.organization_id = $1 AND m.user_id = $2 AND m.status = 'ACTIVE' AND u.status = 'ACTIVE'
      AND m.responsible_user_id IS NULL`,
};
const countRow = defineRow({ count: number('count(*)') });
const countServiceMembers: Statement = {
  name: 'count_service_members',
  text: `SELECT ${countRow.list} FROM trellis.memberships WHERE organization_id = $1 AND responsible_user_id IS NOT NULL`,
};
/** What is read before a member is made, changed or removed. */
type MemberReads = {
  /** The role that the member has. */
  readonly current: Step;
  /** The role that the member is to have, where that changes. */
  readonly wanted: Step | undefined;
  /** The person who is to be responsible for the member, if that changes: one row if the person may be. */
  readonly responsible: Step | undefined;
  /** Active owners besides the member. */
  readonly owners: Step;
  /** How many service members there are, where one is made. */
  readonly count: Step | undefined;
};

type RemovalReads = MemberReads & {
  /** The tokens that are revoked with the membership. */
  readonly tokens: readonly Step[];
  /** How many service members the member is responsible for. */
  readonly serviceMembers: Step;
};

function readsOf(
  { organizationId, userId, id }: Omit<Target, 'id'> & { id: string | null },
  input?: Input<PatchOf<typeof members>>,
): MemberReads {
  const { roleId, responsibleUserId = id === null ? userId : null } = input?.values ?? {};
  return {
    current: step(findRoleOfMember, [organizationId, id]),
    wanted: typeof roleId === 'string' ? step(findRole, [organizationId, roleId]) : undefined,
    responsible:
      typeof responsibleUserId === 'string'
        ? step(findResponsible, [organizationId, responsibleUserId])
        : undefined,
    owners: otherOwnersStep(organizationId, id),
    count: id === null ? step(countServiceMembers, [organizationId]) : undefined,
  };
}

/** Rules of members. */
export const memberRules: Rules<typeof members, MemberReads, RemovalReads> = {
  reads: readsOf,
  create(given, { actor, rows }) {
    if ((countRow.first(rows.count)?.count ?? 0) >= limits.serviceMembers) {
      const detail = `An organization has at most ${limits.serviceMembers} service members.`;
      return new Refusal(new Problem('quota_reached', detail));
    }
    const values = withChanges(given, {
      kind: 'SERVICE',
      responsibleUserId: given.responsibleUserId ?? actor.userId,
    });
    const wanted = wantedRole(values.roleId, rows.wanted);
    return checkRole(actor.role, wanted) ?? checkResponsible(rows.responsible) ?? values;
  },
  update(before, patch, merged, { actor, rows }) {
    const current = roleOf(rows.current);
    const wanted = 'roleId' in patch ? wantedRole(patch.roleId, rows.wanted) : current;
    const refused =
      checkRole(actor.role, current) ??
      checkRole(actor.role, wanted) ??
      checkKind(before.values, merged) ??
      (merged.responsibleUserId === before.values.responsibleUserId
        ? null
        : checkResponsible(rows.responsible)) ??
      checkLastOwner(before.values, isOwner(merged), rows.owners);
    return refused ?? { values: merged, events: ['updated'] };
  },
  removalReads(target) {
    const key = [target.organizationId, target.id] as const;
    return {
      ...readsOf(target),
      tokens: membershipTokensSteps(...key),
      serviceMembers: countServiceMembersStep(...key),
    };
  },
  remove(before, { actor, rows }) {
    const refused =
      checkRole(actor.role, roleOf(rows.current)) ??
      checkLastOwner(before.values, false, rows.owners) ??
      checkResponsibility(rows.serviceMembers);
    return refused ?? [];
  },
  removalEvents: ({ id: userId }, { rows, instant }) => endingEvents(rows.tokens, userId, instant),
};

function roleOf(result: StepResult): MemberRole | null {
  return currentRow.first(result)?.role ?? null;
}

/** @param found its key and permissions, which a built-in role has in code */
function wantedRole(roleId: unknown, found: StepResult | undefined): MemberRole | null {
  const role = roleRow.first(found);
  return readRole(storedRole(String(roleId)), role?.key, role?.grants);
}

/** A role that is not there was refused as a reference before, or is deleted at this moment: the foreign key decides. */
function checkRole(caller: MemberRole, role: MemberRole | null): Refusal | null {
  return role === null ? null : checkWithin(caller.rights, role.rights, `The role "${role.key}"`);
}

/** People keep their names, and nobody is responsible for them; a person is responsible for a service member. */
function checkKind(before: MemberValues, after: MemberValues): Refusal | null {
  const isPerson = before.kind === 'PERSON';
  const faults: Fault[] = [];
  if (isPerson && after.name !== before.name)
    faults.push({ pointer: '/name', code: 'fixed', detail: 'People change their own names.' });
  if (isPerson !== (after.responsibleUserId === null)) {
    const detail = isPerson
      ? 'Nobody is responsible for a person.'
      : 'A person is responsible for a service member.';
    faults.push({ pointer: '/responsibleUserId', code: 'kind', detail });
  }
  return faults.length === 0 ? null : rejected(faults);
}

function checkResponsible(found: StepResult | undefined): Refusal | null {
  if (found?.rows.length === 1) return null;
  const detail = 'Must be an active member and a person.';
  return rejected([{ pointer: '/responsibleUserId', code: 'kind', detail }]);
}

function checkResponsibility(counted: StepResult): Refusal | null {
  const count = readServiceMemberCount(counted);
  if (count === 0) return null;
  const usedBy = [{ resource: members.name, count }];
  return new Refusal(new Problem('in_use', describeResponsibility(count), { members: { usedBy } }));
}

function rejected(errors: Fault[]): Refusal {
  return new Refusal(new Problem('validation_failed', undefined, { errors }));
}

function isOwner({ kind, roleId, status }: MemberValues): boolean {
  return kind === 'PERSON' && roleId === builtInRoleIds.OWNER && status === 'ACTIVE';
}

function checkLastOwner(before: MemberValues, remains: boolean, others: StepResult): Refusal | null {
  if (remains || !isOwner(before) || hasOtherOwners(others)) return null;
  return new Refusal(new Problem('last_owner', lastOwnerDetail));
}

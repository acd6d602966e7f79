/** The statements that create an account and a membership. Used by the command line and by the acceptance of invitations. */

import { members } from '@trellis/schema/resources/members.ts';
import { type Statement, type Step, step } from '../../../kernel/database/batch.ts';
import type { DomainEvent } from '../../../kernel/events/append.ts';
import { indexJobsStep } from '../../../kernel/identity/index-jobs.ts';
import { installationLock } from '../../../kernel/pipeline/locks.ts';

const findUserId: Statement = {
  name: 'administration_find_user',
  text: 'SELECT id, address_proven FROM trellis.users WHERE email_normalized = $1',
};
const findMember: Statement = {
  name: 'administration_find_member',
  text: `SELECT FROM trellis.memberships m JOIN trellis.users u ON u.id = m.user_id
    WHERE m.organization_id = $1 AND u.email_normalized = $2`,
};
const insertUser: Statement = {
  name: 'administration_insert_user',
  text: 'INSERT INTO trellis.users (id, email, email_normalized, name, address_proven) VALUES ($1, $2, $3, $4, $5)',
};
const insertMembership: Statement = {
  name: 'administration_insert_membership',
  text: `INSERT INTO trellis.memberships (organization_id, user_id, role, created_by, updated_by, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $4, $5, $5)`,
};

/** A new account. */
export interface NewUser {
  /** Uuid. */
  readonly id: string;
  readonly email: string;
  /** The address in the form in which accounts are looked up. */
  readonly normalized: string;
  readonly name: string;
  /** Whether it is known that who sets the account up receives mail of the address. */
  readonly isAddressProven: boolean;
}

/** Finds the account of an address (its id, and whether the address is proven), under the lock that prevents concurrent creation. */
export function findUserSteps(normalized: string): Step[] {
  return [installationLock('users', normalized), step(findUserId, [normalized])];
}

/** Finds out whether the account of an address is a member: one row, or none. */
export function findMemberStep(organizationId: string, normalized: string): Step {
  return step(findMember, [organizationId, normalized]);
}

/** Makes an account. */
export function insertUserStep({ id, email, normalized, name, isAddressProven }: NewUser): Step {
  return step(insertUser, [id, email, normalized, name, String(isAddressProven)]);
}

/** The event of it. */
export function joined(userId: string, instant: string): DomainEvent {
  return {
    type: 'member.created',
    subjectType: members.singular,
    subjectId: userId,
    parentId: null,
    subjectVersion: 1,
    changedFields: ['name', 'email', 'roleId', 'status'],
    readers: null,
    occurredAt: instant,
  };
}

/**
 * Makes an account a member, who is found by searches soon after.
 * @param role as it is stored: the key of a built-in role, or the id of another one
 * @param createdBy who has invited them (uuid); null for an operator
 * @param instant RFC 3339
 */
export function joinSteps(
  organizationId: string,
  userId: string,
  role: string,
  createdBy: string | null,
  instant: string,
): Step[] {
  return [
    step(insertMembership, [organizationId, userId, role, createdBy, instant]),
    indexJobsStep(organizationId, members.singular, [userId]),
  ];
}

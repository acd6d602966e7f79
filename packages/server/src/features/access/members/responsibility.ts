/**
 * The rule that a responsible person cannot be removed before somebody else is responsible. Used by the API and the command
 * line.
 */

import { type Statement, type Step, type StepResult, step } from '../../../kernel/database/batch.ts';
import { defineRow, number } from '../../../kernel/database/row.ts';

const countRow = defineRow({ count: number('count(*)') });
const countServiceMembers: Statement = {
  name: 'count_service_members_of_person',
  text: `SELECT ${countRow.list} FROM trellis.memberships WHERE organization_id = $1 AND responsible_user_id = $2`,
};

/** Counts the service members that a person is responsible for. */
export function countServiceMembersStep(organizationId: string, userId: string): Step {
  return step(countServiceMembers, [organizationId, userId]);
}

/** The number that `countServiceMembersStep` has counted. */
export function readServiceMemberCount(result: StepResult): number {
  return countRow.first(result)?.count ?? 0;
}

/** The detail of the problem that a responsible person cannot be removed. */
export function describeResponsibility(count: number): string {
  return `Is responsible for ${count} service ${count === 1 ? 'member' : 'members'}: name somebody else there first.`;
}

/**
 * The rule that a responsible person cannot be removed before somebody else is responsible. Used by the API and the command
 * line.
 */

import { type Statement, type Step, type StepResult, step } from '../../database/batch.ts';
import { defineRow, number } from '../../database/row.ts';

const answeredRow = defineRow({ count: number('count(*)') });
const countAnsweredFor: Statement = {
  name: 'count_service_members_answered_for',
  text: `SELECT ${answeredRow.list} FROM trellis.memberships WHERE organization_id = $1 AND responsible_user_id = $2`,
};

/** Counts the service members that somebody answers for. */
export function answersForStep(organizationId: string, userId: string): Step {
  return step(countAnsweredFor, [organizationId, userId]);
}

/** How many `answersForStep` has counted. */
export function readAnswersFor(result: StepResult): number {
  return answeredRow.first(result)?.count ?? 0;
}

/** Why somebody who answers for service members is not removed. */
export function answersForDetail(count: number): string {
  return `Answers for ${count} service ${count === 1 ? 'member' : 'members'}: name somebody else there first.`;
}

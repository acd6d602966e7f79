/** The rule that an organization keeps an active owner. Used by the API and the command line. */

import { type Statement, type Step, type StepResult, step } from '../../../kernel/database/batch.ts';
import { defineRow, number } from '../../../kernel/database/row.ts';

const othersRow = defineRow({ count: number('count(*)') });
const countOtherOwners: Statement = {
  name: 'count_other_owners',
  text: `SELECT ${othersRow.list} FROM trellis.memberships m JOIN trellis.users u ON u.id = m.user_id AND u.status = 'ACTIVE'
    WHERE m.organization_id = $1 AND m.user_id <> $2 AND m.responsible_user_id IS NULL AND m.role = 'OWNER' AND m.status = 'ACTIVE'`,
};

/** Counts the active owners besides a member, people only. The access lock, held exclusively, prevents two owners from leaving concurrently. */
export function otherOwnersStep(organizationId: string, userId: string | null): Step {
  return step(countOtherOwners, [organizationId, userId]);
}

/** Whether others remain, by what `otherOwnersStep` has found. */
export function hasOtherOwners(result: StepResult): boolean {
  return (othersRow.first(result)?.count ?? 0) > 0;
}

export const lastOwnerDetail = 'This is the last active owner: make somebody else an owner first.';

/** An organization keeps its last active owner, whoever asks: the API and the command line share this. */

import { type Row, type Statement, type Step, step } from '../../database/batch.ts';

const countOtherOwners: Statement = {
  name: 'count_other_owners',
  text: `SELECT count(*) FROM trellis.memberships m JOIN trellis.users u ON u.id = m.user_id AND u.status = 'ACTIVE'
    WHERE m.organization_id = $1 AND m.user_id <> $2 AND m.responsible_user_id IS NULL AND m.role = 'OWNER' AND m.status = 'ACTIVE'`,
};

/** Counts the active owners besides a member, people only. The access lock, held exclusively, keeps two owners from leaving at once. */
export function otherOwnersStep(organizationId: string, userId: string | null): Step {
  return step(countOtherOwners, [organizationId, userId]);
}

/** Whether others remain, from the row of `otherOwnersStep`. */
export function hasOtherOwners(row: Row | undefined): boolean {
  return Number(row?.[0]) > 0;
}

export const lastOwnerDetail = 'This is the last active owner: make somebody else an owner first.';

/**
 * The tokens and sessions that a client's status enables or disables. Changing it requires the rights that ending each of them
 * requires.
 */

import { Problem } from '@trellis/schema/problem.ts';
import { members } from '@trellis/schema/resources/members.ts';
import { scopeOf } from '@trellis/schema/resources/resource.ts';
import { tokens } from '@trellis/schema/resources/tokens.ts';
import { type Statement, type Step, type StepResult, step } from '../../../kernel/database/batch.ts';
import { defineRow, flag, number } from '../../../kernel/database/row.ts';
import { type Actor, findGrant } from '../../../kernel/identity/actor.ts';
import { roleColumn } from '../../../kernel/identity/role.ts';
import { Refusal } from '../../../kernel/pipeline/refusal.ts';
import { checkWithin } from '../rights.ts';

/** SQL: a token that is a record, or belongs to a session that may be in force. */
const counts = `t.revoked_at IS NULL AND (t.session_id IS NULL OR t.expires_at > clock_timestamp())`;

/** One row for each kind of token and role of who holds it: whether it is a session's, whether the caller's own, and the role. */
const affectedRow = defineRow({
  isSession: flag('t.session_id IS NOT NULL'),
  isOwn: flag('t.user_id = $3'),
  role: roleColumn(),
});
const findAffected: Statement = {
  name: 'find_affected_by_client',
  text: `SELECT DISTINCT ${affectedRow.list}
    FROM trellis.tokens t
    JOIN trellis.memberships m ON m.organization_id = t.organization_id AND m.user_id = t.user_id
    LEFT JOIN trellis.roles r ON r.organization_id = m.organization_id AND r.id = m.role_id
    WHERE t.organization_id = $1 AND t.client_id = $2 AND ${counts}`,
};
const usageRow = defineRow({
  tokens: number('count(*) FILTER (WHERE t.session_id IS NULL)'),
  sessions: number('count(DISTINCT t.session_id)'),
});
const countTokens: Statement = {
  name: 'count_tokens_of_client',
  text: `SELECT ${usageRow.list}
    FROM trellis.tokens t WHERE t.organization_id = $1 AND t.client_id = $2 AND ${counts}`,
};

/** Reads who holds the tokens and sessions of a client. @param userId the caller */
export function affectedStep(organizationId: string, clientId: string, userId: string | null): Step {
  return step(findAffected, [organizationId, clientId, userId]);
}

/** Refuses who may not end each of the tokens and sessions. @param affected what `affectedStep` has found */
export function checkAffected(actor: Actor, affected: StepResult | undefined): Refusal | null {
  for (const { isSession, isOwn, role } of affectedRow.all(affected)) {
    if (isSession && isOwn) continue;
    const resource = isSession ? members : tokens;
    const granted = findGrant(actor, {
      scopes: [scopeOf(resource, 'write')],
      module: null,
      permission: { resource: resource.name, action: 'delete' },
    });
    if (granted instanceof Problem) return new Refusal(granted);
    const refused =
      role === null || isOwn
        ? null
        : checkWithin(
            actor.role.rights,
            role.rights,
            `A token or session of the client has the role "${role.key}": it`,
          );
    if (refused !== null) return refused;
  }
  return null;
}

/** Counts the tokens and the sessions of a client. */
export function tokenCountStep(organizationId: string, clientId: string): Step {
  return step(countTokens, [organizationId, clientId]);
}

/** Refuses the deletion of a client with tokens or sessions. @param counted what `tokenCountStep` has found */
export function checkUnused(counted: StepResult | undefined): Refusal | null {
  const usedBy = Object.entries(usageRow.first(counted) ?? {})
    .map(([resource, count]) => ({ resource, count }))
    .filter(({ count }) => count > 0);
  if (usedBy.length === 0) return null;
  const text = usedBy.map(
    ({ resource, count }) => `${count} ${count === 1 ? resource.slice(0, -1) : resource}`,
  );
  return new Refusal(new Problem('in_use', `Still used by ${text.join(' and ')}.`, { members: { usedBy } }));
}

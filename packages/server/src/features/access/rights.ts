/** The rule that nobody gives, changes or removes more rights than they have. */

import { Problem } from '@trellis/schema/problem.ts';
import { findExcess, type Rights } from '@trellis/schema/rights/permissions.ts';
import { Refusal } from '../../kernel/pipeline/refusal.ts';

/**
 * Refuses with permission_denied when a role has permissions that the caller lacks.
 * @param held the caller's permissions
 * @param what the role in the sentence: `The role "newsroom"`
 */
export function checkWithin(held: Rights, rights: Rights, what: string): Refusal | null {
  const excess = findExcess(rights, held);
  if (excess === null) return null;
  const { action, resource } = excess;
  const detail = `${what} may ${action} ${resource}, which your role may not.`;
  return new Refusal(new Problem('permission_denied', detail));
}

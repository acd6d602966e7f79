/** Rules of roles that need the database or the caller: who may make, change and delete them. */

import { Problem } from '@trellis/schema/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { isPossible } from '@trellis/schema/resources/role-rules.ts';
import { roles } from '@trellis/schema/resources/roles.ts';
import { type ValuesOf, withChanges } from '@trellis/schema/resources/stored-values.ts';
import { rightsFrom } from '@trellis/schema/rights/permissions.ts';
import { type Statement, type Step, step } from '../../../kernel/database/batch.ts';
import type { MemberRole } from '../../../kernel/identity/role.ts';
import { advisoryLock } from '../../../kernel/pipeline/locks.ts';
import type { Rules } from '../../../kernel/pipeline/model.ts';
import { Refusal } from '../../../kernel/pipeline/refusal.ts';
import { checkWithin } from '../rights.ts';

const countRoles: Statement = {
  name: 'count_roles',
  text: 'SELECT count(*) FROM trellis.roles WHERE organization_id = $1 AND NOT built_in',
};

/** What is read when a role is created. */
type RoleReads = {
  /** How many there are; behind a lock, so that each create counts what the one before has made. */
  readonly count?: readonly Step[];
};

/** Rules of roles. */
export const roleRules: Rules<typeof roles, RoleReads> = {
  reads: ({ organizationId, id }) =>
    id === null
      ? { count: [advisoryLock(organizationId, roles.name), step(countRoles, [organizationId])] }
      : {},
  create(values, { rows, actor }) {
    if (Number(rows.count?.rows[0]?.[0]) >= limits.roles) {
      const detail = `An organization has at most ${limits.roles} roles besides the built-in ones.`;
      return new Refusal(new Problem('quota_reached', detail));
    }
    return checkRole(values, actor.role) ?? withChanges(values, { builtIn: false });
  },
  update(before, _patch, merged, { actor }) {
    const refused = checkRole(before.values, actor.role) ?? checkRole(merged, actor.role);
    return refused ?? { values: merged, events: ['updated'] };
  },
  remove: (before, { actor }) => checkRole(before.values, actor.role) ?? [],
};

/** Refuses built-in roles, and roles with more permissions than the caller has. */
function checkRole({ key, builtIn, grants }: ValuesOf<typeof roles>, caller: MemberRole): Refusal | null {
  if (builtIn) {
    return new Refusal(
      new Problem('permission_denied', 'Built-in roles can be neither changed nor deleted.'),
    );
  }
  // What does not exist is refused as a fault of the body.
  const existing = grants.filter(({ resource, action }) => isPossible(resource, action));
  return checkWithin(caller.rights, rightsFrom(existing), `The role "${key}"`);
}

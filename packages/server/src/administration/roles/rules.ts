/** Rules of roles: what they may contain, and who may make, change and delete them. */

import { type Fault, Problem } from '@trellis/schema/problem.ts';
import { type Action, actions } from '@trellis/schema/resources/grants.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { roles } from '@trellis/schema/resources/roles.ts';
import { webhookEndpoints } from '@trellis/schema/resources/webhook-endpoints.ts';
import {
  grantIn,
  type Permission,
  permissions,
  rightsFrom,
  rightsOf,
} from '@trellis/schema/rights/permissions.ts';
import type { Values } from '@trellis/schema/validation/values.ts';
import { nearestName } from '@trellis/schema/values/text.ts';
import { type Statement, type Step, step } from '../../database/batch.ts';
import type { MemberRole } from '../../identity/role.ts';
import { advisoryLock } from '../../pipeline/locks.ts';
import type { Rules } from '../../pipeline/model.ts';
import { Refusal } from '../../pipeline/refusal.ts';
import { checkWithin } from '../rights.ts';

/** Actions that may be limited to one's own records: those on one record that is there. */
const ownActions: readonly Action[] = ['update', 'delete'];

/** Resources whose records are seen by names of built-in roles in searches and events. */
const ofAdministrators: readonly string[] = [webhookEndpoints.name];

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
export const roleRules: Rules<RoleReads> = {
  reads: ({ organizationId, id }) =>
    id === null
      ? { count: [advisoryLock(organizationId, roles.name), step(countRoles, [organizationId])] }
      : {},
  create(values, { rows, actor }) {
    if (Number(rows.count?.rows[0]?.[0]) >= limits.roles) {
      const detail = `An organization has at most ${limits.roles} roles besides the built-in ones.`;
      return new Refusal(new Problem('quota_reached', detail));
    }
    return checkRole(values, actor.role) ?? { ...values, builtIn: false };
  },
  update(before, _patch, merged, { actor }) {
    const refused = checkRole(before.values, actor.role) ?? checkRole(merged, actor.role);
    return refused ?? { values: merged, events: ['updated'] };
  },
  remove: (before, { actor }) => checkRole(before.values, actor.role) ?? [],
  check: ({ key, builtIn, grants }) => [
    ...checkKey(String(key), builtIn === true),
    ...checkGrants(grants as readonly Permission[]),
  ],
};

/** Refuses what is built in, and what may do more than the caller. */
function checkRole({ key, builtIn, grants }: Values, caller: MemberRole): Refusal | null {
  if (builtIn === true) {
    return new Refusal(
      new Problem('permission_denied', 'Built-in roles can be neither changed nor deleted.'),
    );
  }
  // What does not exist is refused as a fault of the body.
  const existing = (grants as readonly Permission[]).filter(({ resource, action }) =>
    isPossible(resource, action),
  );
  return checkWithin(caller.rights, rightsFrom(existing), `The role "${key}"`);
}

/** Whether there is such an action on the resource: owners may do everything. */
function isPossible(resource: string, action: Action): boolean {
  return grantIn(rightsOf('OWNER'), resource, action) !== null;
}

function checkKey(key: string, builtIn: boolean): Fault[] {
  if (builtIn || key === key.toLowerCase()) return [];
  return [{ pointer: '/key', code: 'reserved', detail: 'Keys in capitals are those of built-in roles.' }];
}

function checkGrants(grants: readonly Permission[]): Fault[] {
  const rights = rightsFrom(grants);
  return grants.flatMap((grant, index): Fault[] => {
    const at = `/grants/${index}`;
    const { resource, action, own = false } = grant;
    if (permissions[resource] === undefined) {
      const nearest = nearestName(resource, Object.keys(permissions));
      const hint = nearest === null ? '' : ` Did you mean "${nearest}"?`;
      return [
        {
          pointer: `${at}/resource`,
          code: 'unknown_resource',
          detail: `There is no resource "${resource}".${hint}`,
        },
      ];
    }
    const repeated = grants.findIndex((other) => other.resource === resource && other.action === action);
    if (repeated < index)
      return [
        { pointer: at, code: 'repeated', detail: `The permission is the same as /grants/${repeated}.` },
      ];
    if (ofAdministrators.includes(resource)) {
      const detail = `Only the built-in roles OWNER and ADMIN have permissions on ${resource}.`;
      return [{ pointer: `${at}/resource`, code: 'reserved', detail }];
    }
    const possible = actions.filter((name) => isPossible(resource, name));
    if (!possible.includes(action)) {
      const detail = `What can be done with ${resource}: ${possible.join(', ')}.`;
      return [{ pointer: `${at}/action`, code: 'unknown_action', detail }];
    }
    if (own && !ownActions.includes(action)) {
      const detail = `Only the actions ${ownActions.join(' and ')} can be limited to own records.`;
      return [{ pointer: `${at}/own`, code: 'own', detail }];
    }
    if (grantIn(rights, resource, 'read') === null && isPossible(resource, 'read')) {
      const detail = `Whoever may ${action} ${resource} must also be able to read them: add the action "read".`;
      return [{ pointer: at, code: 'unreadable', detail }];
    }
    return [];
  });
}

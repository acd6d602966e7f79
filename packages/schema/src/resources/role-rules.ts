/** Rules of roles: their keys, and permissions that exist and can be used. */

import type { Fault } from '../problem.ts';
import { grantIn, type Permission, permissions, rightsFrom, rightsOf } from '../rights/permissions.ts';
import { nearestName } from '../values/text.ts';
import { type Action, actions } from './grants.ts';
import type { RecordRules } from './record-rules.ts';
import type { roles } from './roles.ts';
import { webhookEndpoints } from './webhook-endpoints.ts';

/** Actions that may be limited to one's own records: those on one existing record. */
const ownActions: readonly Action[] = ['update', 'delete'];

/** Resources whose records are seen by names of built-in roles in searches and events. */
const ofAdministrators: readonly string[] = [webhookEndpoints.name];

export const roleRules: RecordRules<typeof roles> = {
  check: ({ key, builtIn, grants }) => [...checkKey(key, builtIn), ...checkGrants(grants)],
};

/** Whether there is such an action on the resource: owners may do everything. */
export function isPossible(resource: string, action: Action): boolean {
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
      const detail = `Possible actions on ${resource}: ${possible.join(', ')}.`;
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

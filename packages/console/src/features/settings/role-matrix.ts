/** The matrix of a role: its cells, and the grants that follow from the choices. */
import { type Action, actions } from '@trellis/schema/resources/grants.ts';
import { declaredResources } from '@trellis/schema/resources/list.ts';
import { webhookEndpoints } from '@trellis/schema/resources/webhook-endpoints.ts';
import {
  grantIn,
  type Permission,
  permissions,
  type Rights,
  rightsOf,
} from '@trellis/schema/rights/permissions.ts';
import { canBePublished } from '@trellis/schema/rights/publishing-rights.ts';

export type Choice = 'none' | 'own' | 'all';

/** The resources of the matrix. */
export const matrixResources: readonly string[] = Object.keys(permissions);

const publishable = new Set(declaredResources.filter(canBePublished).map(({ name }) => name));

/** The actions of the matrix: those that exist on any resource. */
export const matrixActions: readonly Action[] = actions.filter((action) =>
  matrixResources.some((resource) => isPossible(resource, action)),
);

/** Whether there is such an action on the resource: owners have all actions, but resources without a status cannot be published. */
export function isPossible(resource: string, action: Action): boolean {
  if (action === 'publish' && !publishable.has(resource)) return false;
  return grantIn(rightsOf('OWNER'), resource, action) !== null;
}

/** Whether only the built-in roles may have permissions on the resource. */
export function isReserved(resource: string): boolean {
  return resource === webhookEndpoints.name;
}

/** The choices of a cell for somebody with these rights: nobody can grant more than they have. */
export function choicesOf(resource: string, action: Action, held: Rights): readonly Choice[] {
  const grant = grantIn(held, resource, action);
  if (grant === null) return ['none'];
  const canBeOwn = action === 'update' || action === 'delete';
  if (!canBeOwn) return ['none', 'all'];
  return grant === 'own' ? ['none', 'own'] : ['none', 'own', 'all'];
}

export function choiceOf(rights: Rights, resource: string, action: Action): Choice {
  return grantIn(rights, resource, action) ?? 'none';
}

/** The resource whose records those of another one belong to; undefined where there is none. */
export function parentOf(resource: string): string | undefined {
  return declaredResources.find(({ name }) => name === resource)?.parent?.resource;
}

/** Whether rights are of no use in the console: whoever may not read the parents cannot choose one. */
export function lacksParent(rights: Rights, resource: string): boolean {
  const parent = parentOf(resource);
  if (parent === undefined || grantIn(rights, parent, 'read') !== null) return false;
  return actions.some((action) => grantIn(rights, resource, action) !== null);
}

/** The grants after a choice. Every other action on records implies reading them, and every action reading their parents. */
export function withChoice(
  grants: readonly Permission[],
  resource: string,
  action: Action,
  choice: Choice,
): readonly Permission[] {
  const isCell = (one: Permission) => one.resource === resource && one.action === action;
  if (choice === 'none' && action === 'read')
    return grants.filter((one) => one.resource !== resource && parentOf(one.resource) !== resource);
  const others = grants.filter((one) => !isCell(one));
  if (choice === 'none') return others;
  const chosen = { resource, action, ...(choice === 'own' ? { own: true } : {}) };
  const read = [parentOf(resource), resource].filter((name) => name !== undefined);
  const implied = read
    .filter((name) => ![...others, chosen].some((one) => one.resource === name && one.action === 'read'))
    .map((name) => ({ resource: name, action: 'read' as const }));
  return [...others, ...implied, chosen];
}

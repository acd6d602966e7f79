/**
 * The permission matrix: what each role may do with each resource, derived from the declarations. The page
 * docs/generated/permissions.md is generated from it.
 */
import type { Action, Grant, Grants, Role, RoleGrants } from '../resources/grants.ts';
import { actions, roles } from '../resources/grants.ts';
import { resources } from '../resources/index.ts';
import { services } from '../resources/services.ts';

export { type Grant, type Role, roles } from '../resources/grants.ts';

/** Grants by the name of the resource or service. */
export const permissions: Readonly<Record<string, Grants>> = Object.freeze(
  Object.fromEntries(
    [...resources, ...services].flatMap(({ name, grants }) => (grants === undefined ? [] : [[name, grants]])),
  ),
);

/** The grant of a role for an action on a resource; null if the action is not allowed. */
export function grantOf(role: Role, resource: string, action: Action): Grant | null {
  return permissions[resource]?.[role][action] ?? null;
}

/** Whether a stored text is a role. */
export function isRole(value: string): value is Role {
  return roles.some((role) => role === value);
}

/** A permission, as roles list it. */
export interface Permission {
  readonly resource: string;
  readonly action: Action;
  /** Whether only with records that the user created. */
  readonly own?: boolean;
}

/** The permissions of a role: grants by the name of the resource or service. */
export type Rights = Readonly<Record<string, RoleGrants>>;

/** The permissions of a built-in role. */
export function rightsOf(role: Role): Rights {
  return builtInRights[role];
}

const builtInRights = Object.fromEntries(
  roles.map((role) => [
    role,
    Object.fromEntries(Object.entries(permissions).map(([resource, grants]) => [resource, grants[role]])),
  ]),
) as Record<Role, Rights>;

/** The grants of a role with these permissions. */
export function rightsFrom(listed: readonly Permission[]): Rights {
  const rights: Record<string, Partial<Record<Action, Grant>>> = {};
  for (const { resource, action, own } of listed) {
    const grants = rights[resource] ?? {};
    rights[resource] = { ...grants, [action]: own === true ? 'own' : 'all' };
  }
  return rights;
}

/** The permissions in the order of the matrix. */
export function listPermissions(rights: Rights): Permission[] {
  return Object.keys(permissions).flatMap((resource) =>
    actions.flatMap((action): Permission[] => {
      const grant = grantIn(rights, resource, action);
      if (grant === null) return [];
      return [{ resource, action, own: grant === 'own' }];
    }),
  );
}

/** The grant for an action on a resource; null if the action is not allowed. */
export function grantIn(rights: Rights, resource: string, action: Action): Grant | null {
  return rights[resource]?.[action] ?? null;
}

/** The first permission of `wanted` that goes beyond `held`; null if there is none. */
export function findExcess(wanted: Rights, held: Rights): Permission | null {
  const excess = listPermissions(wanted).find(({ resource, action, own = false }) => {
    const grant = grantIn(held, resource, action);
    return grant === null || (grant === 'own' && !own);
  });
  return excess ?? null;
}

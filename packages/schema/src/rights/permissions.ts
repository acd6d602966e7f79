/**
 * The permission matrix: what each role may do with each resource, derived from the declarations. The page
 * docs/generated/permissions.md is generated from it.
 */
import type { Action, Grant, Grants, Role } from '../resources/grants.ts';
import { roles } from '../resources/grants.ts';
import { resources } from '../resources/index.ts';
import { services } from '../resources/services.ts';

export { type Grant, type Role, roles } from '../resources/grants.ts';

/** Grants by the name of the resource or service. */
export const permissions: Readonly<Record<string, Grants>> = Object.freeze(
  Object.fromEntries([...resources, ...services].map(({ name, grants }) => [name, grants])),
);

/** The grant of a role for an action on a resource; null if the action is not allowed. */
export function grantOf(role: Role, resource: string, action: Action): Grant | null {
  return permissions[resource]?.[role][action] ?? null;
}

/** Whether a stored text is a role. */
export function isRole(value: string): value is Role {
  return roles.some((role) => role === value);
}

/**
 * The permission matrix: what each role may do with each resource, derived from the declarations. The page
 * docs/generated/permissions.md is made from it.
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

/** What the role may do with the action on the resource; null for nothing. */
export function grantOf(role: Role, resource: string, action: Action): Grant | null {
  return permissions[resource]?.[role][action] ?? null;
}

/** Tells a stored text from a role. */
export function isRole(value: string): value is Role {
  return roles.some((role) => role === value);
}

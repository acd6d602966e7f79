/**
 * Whether a request is permitted, and which right is missing otherwise. The server decides every request by this function, and pages
 * use it to explain beforehand what would be refused.
 */
import type { Action, Grant } from '../resources/grants.ts';
import { type Module, publishScopeOf, type Resource, scopeOf } from '../resources/resource.ts';

/** What an operation requires. */
export interface NeededRight {
  readonly scopes: readonly string[];
  readonly module: Module | null;
  /** Null if any valid token is sufficient. */
  readonly permission: { readonly resource: string; readonly action: Action } | null;
  /** Alternative actions, any of which suffices here; the execution of the request decides which one it requires. */
  readonly orActions?: readonly Action[];
  /** Whether a person with a session must have signed in a short time ago. */
  readonly needsRecentSignIn?: boolean;
}

/** What somebody has. */
export interface RightsHolder {
  readonly scopes: ReadonlySet<string>;
  readonly modules: ReadonlySet<string>;
  readonly grantOf: (resource: string, action: Action) => Grant | null;
  /** True for tokens, which need no sign-in. */
  readonly hasRecentSignIn: boolean;
}

/** The first thing that is missing, by the code that a request is refused with. */
export type MissingRight =
  | { readonly code: 'insufficient_scope'; readonly scopes: readonly string[] }
  | { readonly code: 'module_disabled'; readonly module: Module }
  | { readonly code: 'insufficient_user_authentication' }
  | { readonly code: 'permission_denied'; readonly resource: string; readonly action: Action };

/** Checks scopes, module, sign-in and role in this order. @returns the grant, or what is missing */
export function checkRight(holder: RightsHolder, needed: NeededRight): Grant | MissingRight {
  const { scopes, module, permission, orActions = [] } = needed;
  if (scopes.some((scope) => !holder.scopes.has(scope))) return { code: 'insufficient_scope', scopes };
  if (module !== null && !holder.modules.has(module)) return { code: 'module_disabled', module };
  if (needed.needsRecentSignIn && !holder.hasRecentSignIn)
    return { code: 'insufficient_user_authentication' };
  if (permission === null) return 'all';
  const { resource, action } = permission;
  for (const each of [action, ...orActions]) {
    const grant = holder.grantOf(resource, each);
    if (grant !== null) return grant;
  }
  return { code: 'permission_denied', resource, action };
}

/** What an action on the records of a resource requires. */
export function rightFor(resource: Resource, action: Action): NeededRight {
  const right = action === 'read' ? 'read' : 'write';
  return {
    scopes: [action === 'publish' ? publishScopeOf(resource) : scopeOf(resource, right)],
    module: resource.module,
    permission: { resource: resource.name, action },
    ...(resource.givesAccess === true && right !== 'read' ? { needsRecentSignIn: true } : {}),
  };
}

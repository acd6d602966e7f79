/** What the pages in the shell work with: who is signed in, the organization, its API and one's rights. */
import type { Grant } from '@trellis/schema/resources/grants.ts';
import { modules } from '@trellis/schema/resources/resource.ts';
import type { RightsHolder } from '@trellis/schema/rights/check-right.ts';
import { grantOf, isRole } from '@trellis/schema/rights/permissions.ts';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { createContext, useContext } from 'react';
import type { Api } from '../api/api.ts';
import type { Organization, SignedIn } from '../api/sign-in.ts';

export interface Workspace {
  readonly signedIn: SignedIn;
  readonly organization: Organization;
  readonly api: Api;
  readonly rights: RightsHolder;
}

export const WorkspaceContext = createContext<Workspace | null>(null);

/** @throws Error outside of the shell, which is a mistake in the code */
export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (workspace === null) throw new Error('this part is used outside of an organization');
  return workspace;
}

/**
 * What a session may do in an organization: a session has every scope, and its role decides. Modules that are switched off are
 * known from refusals only.
 */
export function rightsIn({ role }: Organization): RightsHolder {
  return {
    scopes: new Set(allScopes),
    modules: new Set(modules),
    grantOf: (resource, action): Grant | null => (isRole(role) ? grantOf(role, resource, action) : null),
    hasRecentSignIn: true,
  };
}

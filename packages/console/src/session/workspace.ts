/** The context of the pages in the shell: the user, the organization, its API and the user's rights. */
import type { RightsHolder } from '@trellis/schema/rights/check-right.ts';
import { createContext, useContext } from 'react';
import { type Api, grantAmong, type Me } from '../api/api.ts';
import type { Organization, SignedIn } from '../api/sign-in.ts';
import type { Vault } from '../storage/vault.ts';

export interface Workspace {
  readonly signedIn: SignedIn;
  readonly organization: Organization;
  readonly api: Api;
  /** What this person stores in the browser for the organization. */
  readonly vault: Vault;
  /** With the viewed role, if there is one. */
  readonly me: Me;
  readonly rights: RightsHolder;
  /** The role that the console is shown as, in which nothing can be changed; null: one's own. */
  readonly viewedRole: Me['role'] | null;
  /** Shows the console as a role; null: as one's own again. */
  readonly viewAs: (role: Me['role'] | null) => void;
}

export const WorkspaceContext = createContext<Workspace | null>(null);

/** @throws Error outside of the shell, which is a mistake in the code */
export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (workspace === null) throw new Error('this part is used outside of an organization');
  return workspace;
}

/** A person's rights, as input of the function by which the server decides. Whether the sign-in is recent is checked when it matters. */
export function rightsOf(me: Me): RightsHolder {
  return {
    scopes: new Set(me.scopes),
    modules: new Set(me.modules),
    grantOf: (resource, action) => grantAmong(me, resource, action),
    hasRecentSignIn: true,
  };
}

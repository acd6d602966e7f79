/** Who is signed in, and the organization that this tab works in. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { signInApi } from '../api/sign-in.ts';

/** Keys of what is kept about signing in. */
export const sessionKeys = {
  session: ['session'],
  organizations: ['organizations'],
  factors: ['factors'],
  sessions: ['sessions'],
} as const;

/** The session; null when nobody is signed in. */
export function useSession() {
  return useQuery({ queryKey: sessionKeys.session, queryFn: signInApi.readSession, staleTime: 60_000 });
}

/** Reads again who is signed in, and forgets what was read as somebody else. */
export function useRenewSession(): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(async () => {
    queries.removeQueries({
      predicate: ({ queryKey }) => queryKey[0] !== 'methods' && queryKey[0] !== 'session',
    });
    await queries.fetchQuery({ queryKey: sessionKeys.session, queryFn: signInApi.readSession, staleTime: 0 });
  }, [queries]);
}

const organizationKey = 'trellis.organization';

/** The organization that this tab works in, or the last one of any tab. Null: none was chosen. */
export function readChosenOrganization(): string | null {
  return sessionStorage.getItem(organizationKey) ?? localStorage.getItem(organizationKey);
}

export function chooseOrganization(id: string): void {
  sessionStorage.setItem(organizationKey, id);
  localStorage.setItem(organizationKey, id);
}

/** Who is signed in, and the organization that this tab works in. */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { expectedUser, stopWork, workFor } from '../api/expected-user.ts';
import { isProblem } from '../api/problem.ts';
import { readEarlySession, type SignedIn, signInApi } from '../api/sign-in.ts';

/** Query keys of the session. */
export const sessionKeys = {
  session: ['session'],
  organizations: ['organizations'],
  factors: ['factors'],
  sessions: ['sessions'],
} as const;

/** The channel on which tabs notify each other when the signed-in user changes. */
const channelName = 'trellis-session';

/** The session; null when nobody is signed in. The first user that a tab sees is the one that it works for. */
async function readSession(read = signInApi.readSession): Promise<SignedIn | null> {
  const session = await read();
  if (session !== null && expectedUser() === null) workFor(session.user.id);
  return session;
}

/** How the session is read. */
const sessionQuery = {
  queryKey: sessionKeys.session,
  queryFn: () => readSession(),
  staleTime: 60_000,
} as const;

/** The same for the first page, by the request that the page has sent before its scripts. */
export const earlySessionQuery = {
  ...sessionQuery,
  queryFn: () => readSession(readEarlySession),
  retry: false,
};

/** How people can sign in here. */
export const methodsQuery = {
  queryKey: ['methods'],
  queryFn: signInApi.readMethods,
  staleTime: 60_000,
} as const;

export function useSession() {
  return useQuery({
    ...sessionQuery,
    // A tab that has missed another tab's message notices it when it is shown.
    refetchOnWindowFocus: 'always',
  });
}

/** Refetches the session after this tab has changed it, and notifies the other tabs. */
export function useRenewSession(): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(async () => {
    const session = await readNewSession(queries);
    workForSignedIn(queries, session);
    notifyTabs(session);
  }, [queries]);
}

/** As after signing in again: open pages are kept for the same person, and somebody else is asked before they continue. */
export function useResumeSession(): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(async () => {
    const session = await readNewSession(queries);
    notifyTabs(session);
    if (session?.user.id === expectedUser()) await queries.invalidateQueries();
  }, [queries]);
}

async function readNewSession(queries: QueryClient): Promise<SignedIn | null> {
  // A read that has begun before the change would be taken for the new one.
  await queries.cancelQueries({ queryKey: sessionKeys.session });
  return queries.fetchQuery({
    queryKey: sessionKeys.session,
    queryFn: signInApi.readSession,
    staleTime: 0,
  });
}

function notifyTabs(session: SignedIn | null): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(session);
  channel.close();
}

/** Switches to the signed-in user and discards everything that was read as somebody else. */
export function workForSignedIn(queries: QueryClient, session: SignedIn | null): void {
  forgetPages(queries);
  workFor(session?.user.id ?? null);
}

/** Receives the signed-in user from other tabs. If it is somebody else, this tab stops immediately and says so. */
export function useSessionNews(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const channel = new BroadcastChannel(channelName);
    channel.onmessage = ({ data }: MessageEvent<SignedIn | null>) => {
      const meant = expectedUser();
      // The same person again: the form that is open stays as it is.
      if (meant !== null && data?.user.id === meant)
        return void queries.invalidateQueries({ queryKey: sessionKeys.session });
      stopWork();
      queries.setQueryData(sessionKeys.session, data);
      forgetPages(queries);
      // A tab with somebody else's work asks before it continues.
      if (data === null || meant === null) workFor(data?.user.id ?? null);
    };
    return () => channel.close();
  }, [queries]);
}

/** The next request notices a session that has ended or belongs to somebody else, and the page says so. */
export function noticeSessionEnd(queries: QueryClient, error: unknown): void {
  if (isProblem(error, 'session_invalid')) queries.setQueryData(sessionKeys.session, null);
  // Without the cookie, `/v1` says that a token is missing; who is signed in then, if anybody, is asked.
  if (isProblem(error, 'wrong_user', 'token_missing'))
    void queries.invalidateQueries({ queryKey: sessionKeys.session });
}

/** Keys of data that does not depend on the user. Removing data that a page shows would leave it waiting, so these stay. */
const independent = new Set<unknown>(['methods', 'invitation', sessionKeys.session[0]]);

function forgetPages(queries: QueryClient): void {
  queries.removeQueries({ predicate: ({ queryKey }) => !independent.has(queryKey[0]) });
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

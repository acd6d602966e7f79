/** What happens before the first page is shown; until then, the browser shows what `index.html` has. */
import type { QueryClient } from '@tanstack/react-query';
import { earlySessionQuery, methodsQuery } from '../session/session.ts';
import { whenIdle } from '../ui/when-idle.ts';
import { loadHome } from './areas.ts';
import { needsSession, router } from './router.tsx';
import { toSignIn } from './to-sign-in.ts';

/** Loads the first page: the sign-in at once where a session is needed and there is none, and no page that would lead there. */
export async function openFirstPage(queries: QueryClient): Promise<void> {
  if (needsSession() && (await isSignedOut(queries))) {
    await router.navigate(toSignIn(router.latestLocation.href));
  }
  await router.load();
  if (needsSession()) return;
  // The page of somebody without a session has sent the request already, for all pages from which people come to the sign-in.
  void queries.prefetchQuery(methodsQuery);
  // Where people come to from the sign-in. A failure is met again there.
  whenIdle(() => void loadHome().catch(() => undefined));
}

/** False also while nobody knows; the page says why. */
async function isSignedOut(queries: QueryClient): Promise<boolean> {
  return queries.fetchQuery(earlySessionQuery).then(
    (session) => session === null,
    () => false,
  );
}

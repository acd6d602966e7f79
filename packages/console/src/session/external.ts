/**
 * Signing in at the provider: the browser leaves this page and comes back to `/console/external`. The state is kept in
 * the tab's own storage, which a link of somebody else cannot fill.
 */
import { signInApi } from '../api/sign-in.ts';

const key = 'trellis.external';

interface Departure {
  readonly challenge: string;
  readonly purpose: 'SIGN_IN' | 'CONNECT' | 'STEP_UP';
  /** Path of the console to continue with. */
  readonly returnTo: string;
}

/** Leaves for the provider. */
export async function leaveForProvider(
  purpose: Departure['purpose'],
  returnTo: string,
  staySignedIn = false,
): Promise<void> {
  const stay = purpose === 'SIGN_IN' ? { staySignedIn } : {};
  const { challenge, authorizationUrl } = await signInApi.beginExternal({ purpose, ...stay });
  sessionStorage.setItem(key, JSON.stringify({ challenge, purpose, returnTo } satisfies Departure));
  location.assign(authorizationUrl);
}

/** What this tab left with, once; null when it did not leave. */
export function takeDeparture(): Departure | null {
  const stored = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return stored === null ? null : (JSON.parse(stored) as Departure);
}

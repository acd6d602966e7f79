/**
 * The secret of an invitation's link. It comes in the fragment, which is sent to no server, and is kept in the tab's own storage, so that
 * it is still there after a sign-in.
 */
const key = 'trellis.invitation';

/** Takes the secret out of the address, or one that this tab has kept; '' where there is neither. */
export function readSecret(): string {
  const given = location.hash.slice(1);
  if (given === '') return sessionStorage.getItem(key) ?? '';
  sessionStorage.setItem(key, given);
  return given;
}

/** Forgets it, once it is spent. */
export function forgetSecret(): void {
  sessionStorage.removeItem(key);
}

/**
 * The user whom this tab works for. Every request names them, so that the server refuses what would be done with the session of
 * somebody else, who has signed in in another tab since.
 */

let expected: string | null = null;
let working = new AbortController();
const listeners = new Set<() => void>();

/** Id of the user; null before anybody is known to be signed in. */
export function expectedUser(): string | null {
  return expected;
}

/** Switches to this user. Requests of another one are stopped. */
export function workFor(userId: string | null): void {
  if (userId === expected) return;
  stopWork();
  expected = userId;
  for (const listener of listeners) listener();
}

/** Stops what this tab does for its user: nothing more is sent. */
export function stopWork(): void {
  working.abort(new Error('this tab does not work for its user any more'));
  working = new AbortController();
}

/** Aborted when this tab stops working for its user. */
export function workSignal(): AbortSignal {
  return working.signal;
}

/** Calls back when the user has changed. @returns unsubscribes */
export function subscribeExpectedUser(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

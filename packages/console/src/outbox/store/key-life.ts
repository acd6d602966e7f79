/** How long a request may be repeated under its idempotency key. */

/**
 * Servers keep keys for 24 hours or longer (`TRELLIS_IDEMPOTENCY_RETENTION`). An hour is left for a request that is under way and
 * for a clock that was set.
 */
const keyLifeMs = 23 * 3_600_000;

/**
 * Whether nobody can tell any more if the request was carried out: it was sent so long ago that the server may have
 * forgotten its key. A request with If-Match is safe at any age: what was done before has changed the version.
 * @param firstSentAt milliseconds since 1970; null when it was never sent
 */
export function isOutcomeUnknown(
  { firstSentAt, ifMatch }: { readonly firstSentAt: number | null; readonly ifMatch: string | null },
  now: number,
): boolean {
  return firstSentAt !== null && ifMatch === null && isOld(firstSentAt, now);
}

/**
 * Whether something was asked for so long ago that a server may have forgotten its key. It may then have been done, and be in the
 * browser only because somebody has put a copy of it back: it waits for the person to ask for it again.
 * @param askedAt milliseconds since 1970
 */
export function isOld(askedAt: number, now: number): boolean {
  return Math.abs(now - askedAt) > keyLifeMs;
}

/** The code of a change whose outcome is unknown. */
export const outcomeUnknown = 'outcome_unknown';
export const outcomeUnknownMessage =
  'This was sent more than 23 hours ago and no response came. Look whether it was done before you send it again.';

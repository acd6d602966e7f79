/** How long a request may be retried under its idempotency key. */

/**
 * Servers keep keys for at least 24 hours (`TRELLIS_IDEMPOTENCY_RETENTION`). One hour is a margin for requests in flight and for clock
 * adjustments.
 */
const keyLifeMs = 23 * 3_600_000;

/**
 * Whether the outcome of a request can no longer be determined: it was sent so long ago that the server may have forgotten its key. A
 * request with If-Match is safe at any age, because a first execution has changed the version.
 * @param firstSentAt milliseconds since 1970; null before the first attempt
 */
export function isOutcomeUnknown(
  { firstSentAt, ifMatch }: { readonly firstSentAt: number | null; readonly ifMatch: string | null },
  now: number,
): boolean {
  return firstSentAt !== null && ifMatch === null && isOld(firstSentAt, now);
}

/**
 * Whether a change is so old that the server may have forgotten its key. It may be a restored copy of one that was carried out already, so
 * the user must confirm it.
 * @param askedAt milliseconds since 1970
 */
export function isOld(askedAt: number, now: number): boolean {
  return Math.abs(now - askedAt) > keyLifeMs;
}

/** The code of a change whose outcome is unknown. */
export const outcomeUnknown = 'outcome_unknown';
export const outcomeUnknownMessage =
  'This was sent more than 23 hours ago and no response came. Look whether it was done before you send it again.';

/**
 * What follows from each error code: whether the queue sends a change again, merges it, waits for a new session, or keeps it as refused, and
 * what the user can do about a refused change.
 */
import type { ProblemError } from '@trellis/client/problem.ts';
import type { Change, ChangeRequest, Refusal } from './change.ts';

export type { Refusal } from './change.ts';

/** The code of a change that was sent so long ago that its outcome cannot be determined any more. */
export const outcomeUnknown = 'outcome_unknown';
/** The code of an automatic save that now needs an explicit one. */
export const autosaveRefused = 'not_asked_for';
/** The code of a change that the user must confirm again. */
export const notConfirmed = 'not_confirmed';

export const outcomeUnknownMessage =
  'This was sent more than 23 hours ago and no response came. Look whether it was done before you send it again.';

/** The refusal in a response. */
export function toRefusal({ code, status, reasons, members }: ProblemError): Refusal {
  return { code, status, reasons, members };
}

/** A refusal by the queue itself. */
const refusedHere = (code: Refusal['code'], reason: string): Refusal => ({
  code,
  status: null,
  reasons: [reason],
  members: {},
});

export const outcomeUnknownRefusal = refusedHere(outcomeUnknown, outcomeUnknownMessage);
export const notConfirmedRefusal = refusedHere(
  notConfirmed,
  'This was asked for in an earlier sign-in, or more than 23 hours ago.',
);
export const autosaveRefusal = refusedHere(autosaveRefused, 'The record has changed. Confirm to continue.');

/**
 * Whether the session is missing, too old, or of another user: pending changes are kept for their user. A 401 that does not come from the
 * API, such as a proxy's, counts as temporary.
 */
export function endsSession({ status, code }: ProblemError): boolean {
  return (status === 401 && code !== 'unexpected_response') || code === 'wrong_user';
}

/**
 * Whether the API refused the change permanently. Responses of other systems, such as a network's sign-in page, do not count; neither does
 * the end or change of the session.
 */
export function isRefusal(error: ProblemError): boolean {
  return !error.isTemporary && !endsSession(error) && error.code !== 'unexpected_response';
}

/** Whether the server requires a fresh proof of identity: the page requests it, and no other change waits for it. */
export function needsProof({ code }: ProblemError, { method }: ChangeRequest, givesAccess: boolean): boolean {
  return code === 'insufficient_user_authentication' && (method === 'DELETE' || givesAccess);
}

/** Whether the user resolves the refusal by merging: the change is a PATCH with a base that conflicts with the record's current version. */
export function isConflict(change: Change): boolean {
  return (
    change.refusal?.code === 'version_mismatch' && change.request.method === 'PATCH' && change.base !== null
  );
}

/**
 * Whether a change needs an explicit save: the queue refused it for that reason, or the server did because it was sent without the right to
 * publish. Resending it with all rights succeeds.
 */
export function needsExplicitSave({ refusal, request }: Change): boolean {
  if (refusal?.code === autosaveRefused) return true;
  return refusal?.code === 'insufficient_scope' && request.sessionScopes === 'drafts';
}

/** Whether the user may send the refused change again as it is. Otherwise it would be refused for the same reason. */
export function mayRetry(change: Change): boolean {
  const { refusal } = change;
  return refusal !== null && refusal.code !== 'version_mismatch' && !needsExplicitSave(change);
}

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

/** A change that is stored in the browser until the server has responded. */

import type { ErrorCode, ProblemError } from '@trellis/client/problem.ts';
import type { Values } from './fields.ts';
import type { outcomeUnknown } from './key-life.ts';

/** The request of a change. `path` is relative to the origin: `/v1/books/…`. */
export interface ChangeRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** A JSON object. */
  readonly body: object | null;
  /** ETag of the required version; null for any version. */
  readonly ifMatch: string | null;
  /** `drafts`: an automatic save, which is sent without the right to publish. */
  readonly sessionScopes?: 'drafts' | undefined;
}

/** The refusal code of an automatic save that now needs an explicit one. */
export const autosaveRefused = 'not_asked_for';

/** The refusal code of a change that the user must confirm again. */
export const notConfirmed = 'not_confirmed';

/** Why the server or the queue refused a change; kept until the user handles it. */
export interface Refusal {
  readonly code: ErrorCode | typeof outcomeUnknown | typeof autosaveRefused | typeof notConfirmed;
  readonly status: number | null;
  /** One sentence per fault. */
  readonly reasons: readonly string[];
  /** Members of the problem, such as `existingId`. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** A change to be stored. */
export interface NewChange {
  /** Id of the record, or a unique name for a new one. Changes of the same record are sent in order. */
  readonly record: string;
  readonly request: ChangeRequest;
  /** Label for the user: "Title of Emma". */
  readonly label: string;
  /**
   * The values that a PATCH replaces, as the user saw them: the base of a merge if another user changes the record first. Absent or null
   * where a merge is impossible.
   */
  readonly base?: Values | null;
  /**
   * `key` of the record's last pending change that the user has seen; null or absent when there was none. The new change then applies to
   * the version that this one produces. If that change is gone, was replaced or already has a dependent, If-Match of the request applies
   * instead, so that unseen changes lead to a 412 and a merge and are never overwritten.
   */
  readonly after?: string | null;
  /** Whether a PATCH may be coalesced with the unsent PATCH named by `after`. */
  readonly coalesces?: boolean;
}

/** When and in which session the user requested a change. */
export interface Submission {
  /** Milliseconds since 1970. */
  readonly askedAt: number;
  readonly session: string;
}

/** A stored change. */
export interface Change extends Submission {
  /** Assigned by the store; determines the order. It stays the same when the request is replaced. */
  readonly sequence: number;
  /** Organization and user of the change; idempotency keys are unique within both. */
  readonly owner: string;
  /** The idempotency key. Coalescing, merging and retrying replace it. */
  readonly key: string;
  readonly record: string;
  readonly request: ChangeRequest;
  readonly label: string;
  readonly base: Values | null;
  readonly coalesces: boolean;
  /** `sequence` of the change whose resulting version this one applies to; null when If-Match is known. */
  readonly dependsOn: number | null;
  /** Milliseconds since 1970, like all times here. */
  readonly madeAt: number;
  /** Null before the first attempt. */
  readonly firstSentAt: number | null;
  /** Null while the change is pending. */
  readonly refusal: Refusal | null;
  /** `sequence` of the changes that were merged into this one and have left the queue. */
  readonly contains?: readonly number[];
}

/** The request that replaces a refused one. */
export interface Amendment {
  readonly request: ChangeRequest;
  readonly base: Values | null;
}

/** Identifies a change as it was read. Operations apply only while it still has this key. */
export type ChangeId = Pick<Change, 'sequence' | 'key'>;

/** The refusal in a response. */
export function toRefusal({ code, status, reasons, members }: ProblemError): Refusal {
  return { code, status, reasons, members };
}

/** The refusal of a change that the user must confirm again, because it is old or belongs to an earlier sign-in. */
export function refuseUnconfirmed(): Refusal {
  const reasons = ['This was asked for in an earlier sign-in, or more than 23 hours ago.'];
  return { code: notConfirmed, status: null, reasons, members: {} };
}

/** The refusal of an automatic save that the record's current state does not permit. */
export function refuseAutosave(): Refusal {
  const reasons = ['The record has changed. Confirm to continue.'];
  return { code: autosaveRefused, status: null, reasons, members: {} };
}

/**
 * Whether a change needs an explicit save: the queue refused it for that reason, or the server did because it was sent without the right to
 * publish. Resending it with all rights succeeds.
 */
export function needsExplicitSave({ refusal, request }: Change): boolean {
  if (refusal?.code === autosaveRefused) return true;
  return refusal?.code === 'insufficient_scope' && isAutosave({ request });
}

/** Whether a change was saved automatically, with the rights for drafts only. */
export function isAutosave({ request }: Pick<Change, 'request'>): boolean {
  return request.sessionScopes === 'drafts';
}

/** Whether a change can be merged: a PATCH with a base that was refused for its version. */
export function isMergeable(change: Change): boolean {
  return change.refusal?.code === 'version_mismatch' && isMergeablePatch(change);
}

/**
 * A change with its dependent field edits, in order: the unit of a merge. Deletions and status changes are excluded, because the user
 * requested them for the state of the record at that time.
 */
export function chainFrom(first: Change, changes: readonly Change[]): Change[] {
  const next = changes.find(({ dependsOn }) => dependsOn === first.sequence);
  if (next === undefined || !isMergeablePatch(next) || next.request.path !== first.request.path)
    return [first];
  return [first, ...chainFrom(next, changes)];
}

/** The changes that depend on a chain without belonging to it, and their dependents. */
export function requestsAfter(chain: readonly Change[], changes: readonly Change[]): Change[] {
  const found: Change[] = [];
  let last = chain.at(-1)?.sequence;
  for (;;) {
    const next = changes.find(({ dependsOn }) => dependsOn === last);
    if (next === undefined) return found;
    found.push(next);
    last = next.sequence;
  }
}

/** The version that a chain of changes applies to; null when the changes are no chain or the version is unknown. */
export function versionBefore([first, ...later]: readonly Change[]): number | null {
  let last = first;
  for (const change of later) {
    if (change.dependsOn !== last?.sequence) return null;
    last = change;
  }
  return versionOf(first?.request.ifMatch ?? null);
}

/** The version in an ETag; null for an ETag of another kind. */
export function versionOf(etag: string | null): number | null {
  const digits = /^"(\d+)"$/.exec(etag ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
}

/**
 * The scopes of one request that combines several: the draft scopes if any of them has only those, so that no automatic save gains rights.
 * If the server refuses the combined request, the page requests an explicit save.
 */
export function commonScopes(requests: readonly ChangeRequest[]): ChangeRequest['sessionScopes'] {
  return requests.some(({ sessionScopes }) => sessionScopes === 'drafts') ? 'drafts' : undefined;
}

function isMergeablePatch({ request, base }: Change): boolean {
  return request.method === 'PATCH' && base !== null;
}

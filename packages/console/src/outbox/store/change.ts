/** A change that waits in the browser until the server has responded. */

import type { ErrorCode, ProblemError } from '@trellis/client/problem.ts';
import type { Values } from './fields.ts';
import type { outcomeUnknown } from './key-life.ts';

/** The request of a change. `path` is below the origin: `/v1/books/…`. */
export interface ChangeRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** An object of JSON. */
  readonly body: object | null;
  /** ETag of the version that the record must still have; null for any. */
  readonly ifMatch: string | null;
  /** `drafts`: nobody has asked for the request, so it is sent without the right to publish. */
  readonly sessionScopes?: 'drafts' | undefined;
}

/** The code of a change that was sent by itself, and that by now somebody has to ask for. */
export const notRequested = 'not_asked_for';

/** The code of a change that is not sent before the person has asked for it again. */
export const notConfirmed = 'not_confirmed';

/** Why a change was refused, by the server or before it was sent, kept until the person has seen it. */
export interface Refusal {
  readonly code: ErrorCode | typeof outcomeUnknown | typeof notRequested | typeof notConfirmed;
  readonly status: number | null;
  /** One sentence per fault. */
  readonly reasons: readonly string[];
  /** Members of the problem, such as `existingId`. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** What a change is made of. */
export interface NewChange {
  /** Changes of the same record are sent one after the other. For a new record: a name that no other has. */
  readonly record: string;
  readonly request: ChangeRequest;
  /** What a person calls it: "Title of Emma". */
  readonly label: string;
  /**
   * The values that a PATCH replaces, as they were when the person began: a merge starts from them if somebody else changes the
   * record first. Absent or null where nothing can be merged.
   */
  readonly base?: Values | null;
  /**
   * `key` of the last waiting change of the record that the person has seen; null or absent when none was seen. The new one applies
   * to the version that this one leaves. If the change of that key is gone, replaced or followed by another one, If-Match of the
   * request decides instead: what the person has not seen is then met by a 412 and merged, and never overwritten.
   */
  readonly after?: string | null;
  /** Whether a PATCH may be joined with the PATCH named by `after` while that one was never sent. */
  readonly joins?: boolean;
}

/** When a person has asked for a change. */
export interface Submission {
  /** Milliseconds since 1970. */
  readonly askedAt: number;
  /** Id of the session. */
  readonly session: string;
}

/** A stored change. */
export interface Change extends Submission {
  /** Order of the changes; made by the store. It stays when the request is replaced. */
  readonly sequence: number;
  /** Organization and user that it is sent for; idempotency keys belong to them. */
  readonly owner: string;
  /** The idempotency key. A change that is joined with another one, merged or sent again has a new one. */
  readonly key: string;
  readonly record: string;
  readonly request: ChangeRequest;
  readonly label: string;
  readonly base: Values | null;
  readonly joins: boolean;
  /** `sequence` of the change whose version this one applies to; null when If-Match is known. */
  readonly follows: number | null;
  /** Milliseconds since 1970, as are all instants here. */
  readonly madeAt: number;
  /** Null as long as it was never sent. */
  readonly firstSentAt: number | null;
  /** Null while it waits. */
  readonly refusal: Refusal | null;
  /** `sequence` of the changes that were merged into this one, and are in the queue no more. */
  readonly contains?: readonly number[];
}

/** What is sent instead of a refused change. */
export interface Amendment {
  readonly request: ChangeRequest;
  readonly base: Values | null;
}

/** A change as it was read. What is done to it is done only as long as it has this key. */
export type ChangeId = Pick<Change, 'sequence' | 'key'>;

/** The refusal in a response. */
export function toRefusal({ code, status, reasons, members }: ProblemError): Refusal {
  return { code, status, reasons, members };
}

/** The refusal of a request that the person has to ask for again, because time has passed or the sign-in is another one. */
export function refuseUnconfirmed(): Refusal {
  const reasons = ['This was asked for in an earlier sign-in, or more than 23 hours ago.'];
  return { code: notConfirmed, status: null, reasons, members: {} };
}

/** The refusal of a request that nobody has asked for, because of what the record has become. */
export function refuseUnrequested(): Refusal {
  const reasons = ['The record has changed. Confirm to continue.'];
  return { code: notRequested, status: null, reasons, members: {} };
}

/**
 * Whether a change was refused because nobody had asked for it: here, or by the server, since it was sent without the right to publish.
 * It is done when it is sent again with all rights.
 */
export function needsRequest({ refusal, request }: Change): boolean {
  if (refusal?.code === notRequested) return true;
  return refusal?.code === 'insufficient_scope' && isUnrequested({ request });
}

/** Whether a change was saved by itself: it has no more rights than drafts need. */
export function isUnrequested({ request }: Pick<Change, 'request'>): boolean {
  return request.sessionScopes === 'drafts';
}

/** Whether there is something to merge: a PATCH that was refused for its version, and what it replaces. */
export function isMergeable(change: Change): boolean {
  return change.refusal?.code === 'version_mismatch' && isMergeablePatch(change);
}

/**
 * A change with those that apply to what it leaves, in their order, as far as they change fields of the record: what is merged
 * together. A deletion, or a change of status, is not: somebody has asked for it in the belief of how the record was.
 */
export function chainFrom(first: Change, changes: readonly Change[]): Change[] {
  const next = changes.find(({ follows }) => follows === first.sequence);
  if (next === undefined || !isMergeablePatch(next) || next.request.path !== first.request.path)
    return [first];
  return [first, ...chainFrom(next, changes)];
}

/** What follows changes that belong together without being one of them: other requests, and what follows those. */
export function requestsAfter(chain: readonly Change[], changes: readonly Change[]): Change[] {
  const found: Change[] = [];
  let last = chain.at(-1)?.sequence;
  for (;;) {
    const next = changes.find(({ follows }) => follows === last);
    if (next === undefined) return found;
    found.push(next);
    last = next.sequence;
  }
}

/** The version that changes apply to, one after the other; null when they do not, or when it is not known. */
export function versionBefore([first, ...later]: readonly Change[]): number | null {
  let last = first;
  for (const change of later) {
    if (change.follows !== last?.sequence) return null;
    last = change;
  }
  return versionOf(first?.request.ifMatch ?? null);
}

/** The version that an ETag names; null when it is of another kind. */
export function versionOf(etag: string | null): number | null {
  const digits = /^"(\d+)"$/.exec(etag ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
}

/**
 * The scopes of one request that does what several do: those for drafts if one of them has no more, because nobody has asked for what
 * that one does. The server then refuses what takes more, and the page asks.
 */
export function commonScopes(requests: readonly ChangeRequest[]): ChangeRequest['sessionScopes'] {
  return requests.some(({ sessionScopes }) => sessionScopes === 'drafts') ? 'drafts' : undefined;
}

function isMergeablePatch({ request, base }: Change): boolean {
  return request.method === 'PATCH' && base !== null;
}

/** A change that is stored in the browser until the server has responded. */
import type { ErrorCode } from '@trellis/client/problem.ts';
import type { Values } from './fields.ts';

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

/** Why the server or the queue refused a change; kept until the user handles it (see `refusal.ts`). */
export interface Refusal {
  readonly code: ErrorCode | 'outcome_unknown' | 'not_asked_for' | 'not_confirmed';
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
   * The values that a PATCH replaces, as the user saw them: the base of a merge if the record has changed. Absent or null where a merge is
   * impossible.
   */
  readonly base?: Values | null;
  /**
   * For a request without a base, such as a publication: `key` of the record's last pending change that the user has seen. The request then
   * applies to the version that this one produces. If that change is gone or was merged, If-Match of the request applies instead.
   */
  readonly after?: string | null;
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
  /** The idempotency key. A request that differs from what was sent or seen gets a new one. */
  readonly key: string;
  readonly record: string;
  readonly request: ChangeRequest;
  readonly label: string;
  readonly base: Values | null;
  /** `sequence` of the change whose resulting version this request applies to; null when If-Match is known. */
  readonly dependsOn: number | null;
  /** Milliseconds since 1970, like all times here. */
  readonly madeAt: number;
  /** Null before the first attempt. */
  readonly firstSentAt: number | null;
  /** Null while the change is pending. */
  readonly refusal: Refusal | null;
  /** `sequence` of the changes that are part of this one and have left the queue. */
  readonly contains?: readonly number[];
}

/** The request that replaces another one, and the values that it replaces. */
export interface Amendment {
  readonly request: ChangeRequest;
  readonly base: Values | null;
}

/** Identifies a change as it was read. Operations apply only while it still has this key. */
export type ChangeId = Pick<Change, 'sequence' | 'key'>;

/** Whether a change was saved automatically, with the rights for drafts only. */
export function isAutosave({ request }: Pick<Change, 'request'>): boolean {
  return request.sessionScopes === 'drafts';
}

/** The version in an ETag; null for an ETag of another kind. */
export function versionOf(etag: string | null): number | null {
  const digits = /^"(\d+)"$/.exec(etag ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
}

/** A change that waits in the browser until the server has answered it. */
import type { ErrorCode, ProblemError } from '@trellis/client/problem.ts';
import type { outcomeUnknown } from './key-life.ts';

/** The request of a change. `path` is below the origin: `/v1/books/…`. */
export interface ChangeRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** A JSON object, or the bytes of a file. */
  readonly body: object | null;
  /** ETag of the version that the record must still have; null for any. */
  readonly ifMatch: string | null;
}

/** Why the server refused a change, kept until the person has seen it. */
export interface Refusal {
  readonly code: ErrorCode | typeof outcomeUnknown;
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
   * Whether it applies to the version that the preceding waiting change of the record leaves: If-Match is then that version,
   * and that of the request only when no change waits.
   */
  readonly follows?: boolean;
  /** Whether a PATCH may be joined with the preceding PATCH of the record while that one was never sent. */
  readonly joins?: boolean;
}

/** A stored change. */
export interface Change {
  /** Order of the changes; made by the store. */
  readonly sequence: number;
  /** Organization and user that it is sent for; idempotency keys belong to them. */
  readonly owner: string;
  readonly key: string;
  readonly record: string;
  readonly request: ChangeRequest;
  readonly label: string;
  readonly joins: boolean;
  /** `sequence` of the change whose version this one applies to; null when If-Match is known. */
  readonly follows: number | null;
  /** Milliseconds since 1970, as are all instants here. */
  readonly madeAt: number;
  /** Null as long as it was never sent. */
  readonly firstSentAt: number | null;
  /** Null while it waits. */
  readonly refusal: Refusal | null;
}

/** The refusal in an answer. */
export function toRefusal({ code, status, reasons, members }: ProblemError): Refusal {
  return { code, status, reasons, members };
}

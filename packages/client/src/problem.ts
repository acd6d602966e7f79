/** The one error of the client: a response that refuses a request (RFC 9457), or no usable response at all. */
import { problemCodes } from './generated/operations.ts';

/** A code of the catalogue at `/docs/errors` of the server. */
export type ProblemCode = (typeof problemCodes)[number];

/**
 * What the client found itself:
 * - `unreachable`: no complete response came within the time and the attempts. A write may have been carried out.
 * - `unexpected_response`: something other than the API responded, such as a proxy or the sign-in page of a network.
 * - `unknown_problem`: a code that this release of the client does not know; it is in `members.code`.
 */
export type ClientCode = 'unreachable' | 'unexpected_response' | 'unknown_problem';

/** Every code that a `ProblemError` can have. */
export type ErrorCode = ProblemCode | ClientCode;

/** One fault of a request, located by a JSON pointer (RFC 6901), a parameter or a header. */
export interface Fault {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
  readonly code: string;
  readonly detail: string;
}

/** What a `ProblemError` is made of. */
export interface ProblemDetails {
  readonly code: ErrorCode;
  /** Null without a response. */
  readonly status: number | null;
  readonly detail: string;
  readonly members?: Readonly<Record<string, unknown>>;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

const known: ReadonlySet<string> = new Set(problemCodes);
/** Statuses after which the same request may succeed later: what was not done, and what is not known. */
const temporaryStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** A request that failed. Compare `code`; `message` is for people. */
export class ProblemError extends Error {
  readonly code: ErrorCode;
  /** The HTTP status; null without a response. */
  readonly status: number | null;
  /** All faults of the request; empty for most codes. */
  readonly faults: readonly Fault[];
  /** The members of the problem, such as `existingId` of a `conflict` or `allowed` of an `invalid_transition`. */
  readonly members: Readonly<Record<string, unknown>>;
  /** Delay that the server asked for, in milliseconds; 0 without one. */
  readonly retryAfterMs: number;
  /** Id of the request, by which the operator finds it in the log. */
  readonly requestId: string | null;

  constructor({ code, status, detail, members = {}, retryAfterMs = 0, cause }: ProblemDetails) {
    super(detail, { cause });
    this.name = 'ProblemError';
    this.code = code;
    this.status = status;
    this.members = members;
    this.faults = Array.isArray(members.errors) ? members.errors.filter(isFault) : [];
    this.retryAfterMs = retryAfterMs;
    this.requestId = typeof members.requestId === 'string' ? members.requestId : null;
  }

  /**
   * Whether the same request, under the same idempotency key, may succeed later. The client has already repeated it as
   * often as it may.
   */
  get isTemporary(): boolean {
    if (this.code === 'unreachable' || this.code === 'idempotency_in_progress') return true;
    return this.status !== null && temporaryStatuses.has(this.status);
  }

  /** One sentence for each fault with its location; the detail when there is none. */
  get reasons(): readonly string[] {
    if (this.faults.length === 0) return [this.message];
    return this.faults.map(({ pointer, parameter, header, detail }) => {
      const place = pointer?.slice(1).replaceAll('/', '.') || parameter || header;
      return place ? `${place}: ${detail}` : detail;
    });
  }
}

/** The error for a response that is no success. `text`: its body. */
export function readProblem(status: number, text: string, retryAfterMs: number): ProblemError {
  const members = parseObject(text);
  if (typeof members?.code !== 'string') {
    const detail = `The server responded with ${status} in an unexpected form: ${text.slice(0, 200)}`;
    return new ProblemError({ code: 'unexpected_response', status, detail, retryAfterMs });
  }
  const code = known.has(members.code) ? (members.code as ProblemCode) : 'unknown_problem';
  const detail = typeof members.detail === 'string' ? members.detail : `The server responded with ${status}.`;
  return new ProblemError({ code, status, detail, members, retryAfterMs });
}

/** The object in a JSON text; undefined when there is none. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the value is an object, and neither null nor a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFault(value: unknown): value is Fault {
  return isObject(value) && typeof value.code === 'string' && typeof value.detail === 'string';
}

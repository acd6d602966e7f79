/** The one error of the console's requests: an answer that refuses (RFC 9457), or no usable answer at all. */
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';

/** One fault of a request, located by a JSON pointer (RFC 6901), a parameter or a header. */
export interface Fault {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
  readonly code: string;
  readonly detail: string;
}

/** A request that failed. Compare `code`; `message` is for people. */
export class ProblemError extends Error {
  /** A code of the catalogue, or `unreachable` when no answer came. */
  readonly code: string;
  /** The HTTP status; null without an answer. */
  readonly status: number | null;
  readonly faults: readonly Fault[];
  readonly members: Readonly<Record<string, unknown>>;
  /** Delay that the server asked for, in milliseconds; 0 without one. */
  readonly retryAfterMs: number;

  constructor(
    code: string,
    status: number | null,
    detail: string,
    members: Readonly<Record<string, unknown>> = {},
    retryAfterMs = 0,
  ) {
    super(detail);
    this.name = 'ProblemError';
    this.code = code;
    this.status = status;
    this.members = members;
    this.faults = Array.isArray(members.errors) ? members.errors.filter(isFault) : [];
    this.retryAfterMs = retryAfterMs;
  }
}

/** The problem of an answer that is no success. */
export async function readProblem(response: Response): Promise<ProblemError> {
  const { status } = response;
  const retryAfterMs = (Number(response.headers.get('retry-after')) || 0) * 1_000;
  let body: unknown = null;
  try {
    body = await response.json();
  } catch {
    // Something between the browser and the server has answered.
  }
  if (!isPlainObject(body) || typeof body.code !== 'string')
    return new ProblemError('unexpected_answer', status, `The server answered ${status}.`, {}, retryAfterMs);
  const detail = [body.detail, body.title].find((text) => typeof text === 'string') ?? body.code;
  return new ProblemError(body.code, status, String(detail), body, retryAfterMs);
}

/** The problem of a request that was not answered. */
export function unreachable(): ProblemError {
  return new ProblemError('unreachable', null, 'The server cannot be reached.');
}

/** Whether an error is the problem of that code. */
export function isProblem(error: unknown, ...codes: readonly string[]): error is ProblemError {
  return error instanceof ProblemError && codes.includes(error.code);
}

function isFault(value: unknown): value is Fault {
  return isPlainObject(value) && typeof value.detail === 'string' && typeof value.code === 'string';
}

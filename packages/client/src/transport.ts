/**
 * Sends requests: with the token or the organization, with a time limit for each attempt, and again after failures that
 * pass. All attempts of a request are the same bytes under the same idempotency key.
 */
import { type Content, sizeOf } from './content.ts';
import { ProblemError, readProblem } from './problem.ts';
import { ReadAfter } from './read-after.ts';
import { delayAfter, mayRepeat, readRetryAfter, wait } from './retry.ts';

/** The settings of every client. */
export interface CommonOptions {
  /** Origin of the server, without `/v1`; '' in a page of the same origin. */
  readonly baseUrl: string;
  /** Maximum number of attempts of a request; 10 when absent, which takes up to a minute. */
  readonly attempts?: number;
  /** Time limit of an attempt, in milliseconds; 60,000 when absent. Uploads get more, by their size. */
  readonly timeoutMs?: number;
  /** Used instead of the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Waits between attempts; rejects when the signal is aborted. Replaced in tests. */
  readonly wait?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Called when something may have been written, for other clients of the same person: they call `ApiClient.noteChange`. */
  readonly onWrite?: () => void;
  /** A clock in milliseconds, of which only differences count. Replaced in tests. */
  readonly clock?: () => number;
}

/** For programs: a bearer token, or a function that returns the present one, called for each attempt. */
export interface TokenOptions extends CommonOptions {
  readonly token: string | (() => string | Promise<string>);
}

/** For pages of the server itself, whose requests carry the cookie of a session: the organization and the user that they are for. */
export interface CookieOptions extends CommonOptions {
  /** Id of the organization, or a function that returns the one chosen now. */
  readonly organization: string | (() => string);
  /** Id of the user. The server refuses the requests when somebody else is signed in. */
  readonly user: string;
}

export type ClientOptions = TokenOptions | CookieOptions;

/** A request, as it is sent in each attempt. */
export interface OutgoingRequest {
  readonly method: string;
  /** Below the origin, with the query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Content | null;
  /** Whether a second request does no harm. */
  readonly isRepeatable: boolean;
  /** Whether the body of the response is passed on as a stream instead of being read. */
  readonly isStreamed: boolean;
  readonly attempts?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** As in `CallOptions`. */
  readonly sessionScopes?: 'drafts' | undefined;
}

/** A success, or 304. `text` is '' for a streamed response. */
export interface IncomingResponse {
  readonly response: Response;
  readonly text: string;
  readonly attempts: number;
}

const defaultAttempts = 10;
const defaultTimeoutMs = 60_000;
/** Bytes of an upload that a slow connection sends in a millisecond: 32 kB in a second. */
const slowestBytesPerMs = 32;

/** Sends requests to one server. */
export class Transport {
  readonly baseUrl: string;
  /** What reads must see. */
  readonly readAfter: ReadAfter;
  private readonly options: ClientOptions;
  private readonly wait: NonNullable<CommonOptions['wait']>;
  private readonly clock: () => number;
  /** All requests wait until then: a 429 applies to the token, not to one request. */
  private pausedUntil = 0;

  constructor(options: ClientOptions) {
    this.options = options;
    this.baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.wait = options.wait ?? wait;
    this.clock = options.clock ?? (() => performance.now());
    this.readAfter = new ReadAfter(this.clock);
  }

  /** Sends a request until it gets a response. @throws ProblemError; the reason of the signal when it is aborted */
  async send(request: OutgoingRequest): Promise<IncomingResponse> {
    const most = request.attempts ?? this.options.attempts ?? defaultAttempts;
    for (let attempt = 1; ; attempt += 1) {
      await this.waitForPause(request.signal);
      try {
        return { ...(await this.attempt(request)), attempts: attempt };
      } catch (error) {
        request.signal?.throwIfAborted();
        if (!(error instanceof ProblemError)) throw error;
        const delay = delayAfter(attempt, error.retryAfterMs);
        if (error.status === 429) this.pausedUntil = Math.max(this.pausedUntil, this.clock() + delay);
        if (attempt >= most || !mayRepeat(error, request.isRepeatable)) throw error;
        if (error.status !== 429) await this.wait(delay, request.signal);
      }
    }
  }

  private async waitForPause(signal: AbortSignal | undefined): Promise<void> {
    const remaining = this.pausedUntil - this.clock();
    if (remaining > 0) await this.wait(remaining, signal);
  }

  private async attempt(request: OutgoingRequest): Promise<{ response: Response; text: string }> {
    // Outside of what may fail for a while: a header that cannot be sent is an error of the caller.
    const isRead = request.method === 'GET';
    const headers = new Headers({
      ...(isRead ? { 'trellis-read-after': this.readAfter.header() } : {}),
      ...request.headers,
      ...(await this.credentials(request)),
    });
    const limit = new AbortController();
    const timer = setTimeout(
      () => limit.abort(new Error('the time limit was reached')),
      this.limitOf(request),
    );
    const { response, text } = await this.exchange(request, headers, limit.signal)
      .catch((error: unknown) => {
        // The write may have been made.
        if (!isRead) this.noteWrite(null);
        throw error;
      })
      .finally(() => clearTimeout(timer));
    if (!isRead) this.noteWrite(response.ok ? response.headers.get('trellis-read-after') : null);
    if (response.ok || response.status === 304) return { response, text };
    throw readProblem(response.status, text, readRetryAfter(response.headers.get('retry-after')));
  }

  private noteWrite(position: string | null): void {
    this.readAfter.noteWrite(position);
    this.options.onWrite?.();
  }

  /** Sends the request once and reads its response. @throws ProblemError `unreachable` */
  private async exchange(
    { method, target, body, signal, isStreamed }: OutgoingRequest,
    headers: Headers,
    limit: AbortSignal,
  ): Promise<{ response: Response; text: string }> {
    const send = this.options.fetch ?? fetch;
    try {
      const response = await send(`${this.baseUrl}${target}`, {
        method,
        headers,
        body,
        redirect: 'manual',
        credentials: 'organization' in this.options ? 'same-origin' : 'omit',
        // Revalidation is up to the caller, who knows the ETag; a cached response would hide a 304.
        cache: 'no-store',
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      });
      return { response, text: isStreamed && response.ok ? '' : await response.text() };
    } catch (error) {
      const cause = limit.aborted ? limit.reason : error;
      const detail = `${this.baseUrl || 'The server'} cannot be reached (${describeCause(cause)}).`;
      throw new ProblemError({ code: 'unreachable', status: null, detail, cause });
    }
  }

  private limitOf({ body }: OutgoingRequest): number {
    const limit = this.options.timeoutMs ?? defaultTimeoutMs;
    return body === null || typeof body === 'string' ? limit : limit + sizeOf(body) / slowestBytesPerMs;
  }

  private async credentials({ sessionScopes }: OutgoingRequest): Promise<Readonly<Record<string, string>>> {
    const { options } = this;
    if ('organization' in options) {
      const { organization, user } = options;
      return {
        'trellis-organization': typeof organization === 'string' ? organization : organization(),
        'trellis-user': user,
        ...(sessionScopes === undefined ? {} : { 'trellis-session-scopes': sessionScopes }),
      };
    }
    const token = typeof options.token === 'string' ? options.token : await options.token();
    return { authorization: `Bearer ${token}` };
  }
}

function describeCause(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}

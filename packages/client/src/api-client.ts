/**
 * The HTTP client of imports, exports and other commands, with retries, delays that the server requests, and errors. It
 * uses only `fetch` and timers, so that it also runs in a browser.
 */
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';

/** A record as the API returns it. */
export type ApiRecord = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };

/** A successful answer. */
export interface Answer {
  readonly body: unknown;
  /** Whether the server returned the stored response of an earlier request with the same key. */
  readonly replayed: boolean;
  /** Whether it took more than one attempt; a replay is then most likely of the first attempt of this call. */
  readonly retried: boolean;
}

export interface WriteCall {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  /** Below `/v1`. */
  readonly path: string;
  /** Absent for a DELETE. */
  readonly body?: object;
  readonly idempotencyKey: string;
  /** Version that the record must still have (RFC 9110, If-Match). */
  readonly ifVersion?: number;
}

export interface ClientOptions {
  /** Origin of the server, without `/v1`. */
  readonly baseUrl: string;
  readonly token: string;
  /** Maximum number of attempts per request. */
  readonly attempts?: number;
  /** Waits for a number of milliseconds; replaced in tests. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
  /** A clock in milliseconds; only differences count. */
  readonly clock?: () => number;
}

/** The server refused the request (RFC 9457); sending it again would not help. */
export class RefusedError extends Error {
  readonly status: number;
  readonly code: string;
  /** One sentence per fault, each with its location. */
  readonly reasons: readonly string[];
  /** Additional members of the problem, such as `existingId`. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(status: number, problem: Readonly<Record<string, unknown>>) {
    const reasons = describeProblem(status, problem);
    super(reasons.join(' '));
    this.name = 'RefusedError';
    this.status = status;
    this.code = typeof problem.code === 'string' ? problem.code : `status_${status}`;
    this.reasons = reasons;
    this.members = problem;
  }
}

/** The command cannot continue: the server is unreachable, or refuses the caller rather than a row. */
export class ImportStopped extends Error {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.name = 'ImportStopped';
  }
}

/** The record in an answer. @throws ImportStopped when there is none */
export function readRecord({ body }: Answer): ApiRecord {
  return toRecord(body);
}

/** The value as a record. @throws ImportStopped when it is not one */
export function toRecord(body: unknown): ApiRecord {
  if (isPlainObject(body) && typeof body.id === 'string' && typeof body.version === 'number') {
    return { ...body, id: body.id, version: body.version };
  }
  throw new ImportStopped(
    'The response contains no record. Check that the address is that of a Trellis server.',
  );
}

const defaultAttempts = 10;
const firstDelayMs = 200;
const longestDelayMs = 10_000;
/** A longer `Retry-After` is shortened, so that a wrong value cannot stop an import for a day. */
const longestRetryAfterMs = 120_000;
const attemptTimeoutMs = 60_000;

/** A client of the tenant API. Calls are retried while that is safe: each write has an idempotency key. */
export class ApiClient {
  private readonly options: ClientOptions;
  private readonly wait: (milliseconds: number) => Promise<unknown>;
  private readonly clock: () => number;
  /** All calls wait until then: the server asked one of them to slow down, which applies to the token. */
  private pausedUntil = 0;

  constructor(options: ClientOptions) {
    this.options = options;
    this.wait = options.wait ?? sleep;
    this.clock = options.clock ?? (() => performance.now());
  }

  /** Reads. @throws RefusedError, ImportStopped */
  get(path: string): Promise<Answer> {
    return this.send('GET', path, {}, null);
  }

  /** Writes exactly once per key, however often it is sent. @throws RefusedError, ImportStopped */
  write({ method, path, body, idempotencyKey, ifVersion }: WriteCall): Promise<Answer> {
    const headers = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      'idempotency-key': idempotencyKey,
      ...(ifVersion === undefined ? {} : { 'if-match': `"${ifVersion}"` }),
    };
    return this.send(method, path, headers, body === undefined ? null : JSON.stringify(body));
  }

  /** All records of a list, page by page. */
  async *list(
    path: string,
    query: Readonly<Record<string, string>>,
  ): AsyncGenerator<Readonly<Record<string, unknown>>> {
    let cursor: string | null = null;
    do {
      const parameters = new URLSearchParams({ ...query, ...(cursor === null ? {} : { cursor }) });
      const { body } = await this.get(`${path}?${parameters}`);
      const page = isPlainObject(body) ? body : {};
      if (Array.isArray(page.items)) yield* page.items.filter(isPlainObject);
      const pageInfo = isPlainObject(page.pageInfo) ? page.pageInfo : {};
      cursor = typeof pageInfo.nextCursor === 'string' ? pageInfo.nextCursor : null;
    } while (cursor !== null);
  }

  private async send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string | null,
  ): Promise<Answer> {
    const attempts = this.options.attempts ?? defaultAttempts;
    for (let attempt = 1; ; attempt += 1) {
      await this.waitForPause();
      const result = await this.sendOnce(method, path, headers, body);
      if (result.kind === 'answer') return { ...result.answer, retried: attempt > 1 };
      if (attempt >= attempts) throw result.lastly;
      const backoff =
        Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs) * (0.75 + Math.random() / 2);
      const delay = Math.max(result.retryAfterMs, backoff);
      if (result.pausesAll) this.pausedUntil = Math.max(this.pausedUntil, this.clock() + delay);
      else await this.wait(delay);
    }
  }

  private async waitForPause(): Promise<void> {
    const remaining = this.pausedUntil - this.clock();
    if (remaining > 0) await this.wait(remaining);
  }

  private async sendOnce(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string | null,
  ): Promise<Attempt> {
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${this.options.baseUrl}/v1${path}`, {
        method,
        headers: { ...headers, authorization: `Bearer ${this.options.token}`, accept: 'application/json' },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(attemptTimeoutMs),
      });
      text = await response.text();
    } catch (error) {
      return { kind: 'again', retryAfterMs: 0, pausesAll: false, lastly: this.describeOutage(error) };
    }
    const replayed = response.headers.get('idempotent-replayed') === 'true';
    const parsed = response.status === 204 ? null : parseJson(text);
    if (response.ok && parsed !== undefined) return { kind: 'answer', answer: { body: parsed, replayed } };
    return this.judge(response, isPlainObject(parsed) ? parsed : { detail: text.slice(0, 200) });
  }

  /** Decides what an unsuccessful response means: retry, refuse the row, or stop. */
  private judge(response: Response, problem: Readonly<Record<string, unknown>>): Attempt {
    const { status } = response;
    const refusal = new RefusedError(status, problem);
    const retryAfterMs = readRetryAfter(response.headers.get('retry-after'));
    if (status === 429 || status === 502 || status === 503 || status === 504) {
      const lastly = new ImportStopped(`The server remained unavailable (${status}): ${refusal.message}`);
      return { kind: 'again', retryAfterMs, pausesAll: status === 429, lastly };
    }
    if (refusal.code === 'idempotency_in_progress' || status === 500) {
      return { kind: 'again', retryAfterMs, pausesAll: false, lastly: refusal };
    }
    if (status === 401 || status === 403) throw new ImportStopped(refusal.message, { cause: refusal });
    if (typeof problem.code !== 'string') {
      throw new ImportStopped(
        `${this.options.baseUrl}/v1 answered ${status} in an unexpected form. Check that it is the address of a Trellis server.`,
      );
    }
    throw refusal;
  }

  private describeOutage(error: unknown): ImportStopped {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const detail = cause instanceof Error ? cause.message || cause.name : String(cause);
    return new ImportStopped(
      `${this.options.baseUrl} cannot be reached (${detail}). Check that the server is running.`,
      {
        cause: error,
      },
    );
  }
}

type Attempt =
  | { readonly kind: 'answer'; readonly answer: Omit<Answer, 'retried'> }
  | {
      readonly kind: 'again';
      readonly retryAfterMs: number;
      /** Whether the reason applies to every call and not only to this one. */
      readonly pausesAll: boolean;
      /** The error to throw after the last attempt. */
      readonly lastly: Error;
    };

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

/** Milliseconds of a `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3); 0 when there is none. */
export function readRetryAfter(value: string | null): number {
  if (value === null) return 0;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(milliseconds) ? Math.min(Math.max(milliseconds, 0), longestRetryAfterMs) : 0;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describeProblem(status: number, problem: Readonly<Record<string, unknown>>): string[] {
  const faults = Array.isArray(problem.errors) ? problem.errors.filter(isPlainObject) : [];
  const sentences = faults.map(({ pointer, detail }) => {
    const place = typeof pointer === 'string' ? `${pointer.slice(1).replaceAll('/', '.')}: ` : '';
    return `${place}${String(detail)}`;
  });
  if (sentences.length > 0) return sentences;
  return [typeof problem.detail === 'string' ? problem.detail : `The server answered ${status}.`];
}

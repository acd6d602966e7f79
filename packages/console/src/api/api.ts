/**
 * The requests to `/v1`, for the organization that the tab works in. Every write has an idempotency key that is made before its
 * first attempt, so that a repeated attempt is not carried out twice.
 */
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { isProblem, ProblemError, readProblem, unreachable } from './problem.ts';
import { signInApi } from './sign-in.ts';

/** A record as the API returns it. */
export type ApiRecord = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };

/** One page of a list or of results. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly pageInfo: { readonly nextCursor: string | null; readonly hasNextPage: boolean };
}

export interface Write {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  /** Below the origin: `/v1/…`. */
  readonly path: string;
  readonly body?: object;
  /** Version that the record must still have. */
  readonly ifVersion?: number;
  readonly idempotencyKey: string;
}

/** A key for one intended write, for all its attempts. */
export function newIdempotencyKey(): string {
  return crypto.randomUUID();
}

const attempts = 5;
const firstDelayMs = 300;
const longestDelayMs = 10_000;
const repeatedStatuses: ReadonlySet<number | null> = new Set([null, 408, 429, 502, 503, 504]);

export class Api {
  private readonly organizationId: string;
  private entering: Promise<void> | null = null;

  constructor(organizationId: string) {
    this.organizationId = organizationId;
  }

  /** Reads. @throws ProblemError */
  async get<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
    return (await this.send('GET', path, {}, null, signal)) as Answer;
  }

  /** Writes once, however often it is sent. @returns the record; undefined after a deletion @throws ProblemError */
  async write({ method, path, body, ifVersion, idempotencyKey }: Write): Promise<ApiRecord | undefined> {
    const headers = {
      'idempotency-key': idempotencyKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(ifVersion === undefined ? {} : { 'if-match': `"${ifVersion}"` }),
    };
    const answer = await this.send(method, path, headers, body === undefined ? null : JSON.stringify(body));
    return isPlainObject(answer) ? (answer as ApiRecord) : undefined;
  }

  private async send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string | null,
    signal?: AbortSignal,
  ): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.sendOnce(method, path, headers, body, signal);
      } catch (error) {
        if (!(error instanceof ProblemError) || attempt >= attempts) throw error;
        if (isProblem(error, 'token_invalid') && attempt === 1) {
          // The organization was not used for so long that it must be entered again.
          await this.enter();
        } else if (repeatedStatuses.has(error.status) || error.code === 'idempotency_in_progress') {
          const backoff = Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs);
          await wait(Math.min(Math.max(backoff, error.retryAfterMs), longestDelayMs));
        } else throw error;
      }
    }
  }

  /** Enters the organization; calls at the same time share one request. */
  private enter(): Promise<void> {
    this.entering ??= signInApi.enterOrganization(this.organizationId).finally(() => {
      this.entering = null;
    });
    return this.entering;
  }

  private async sendOnce(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string | null,
    signal?: AbortSignal,
  ): Promise<unknown> {
    let response: Response;
    try {
      response = await fetch(path, {
        method,
        headers: { ...headers, 'trellis-organization': this.organizationId },
        body,
        credentials: 'same-origin',
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof TypeError) throw unreachable();
      throw error;
    }
    if (!response.ok) throw await readProblem(response);
    const text = await response.text();
    return text === '' ? undefined : JSON.parse(text);
  }
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

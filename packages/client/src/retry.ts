/** When a request is sent again, and after which delay. */
import type { ProblemError } from './problem.ts';

const firstDelayMs = 200;
const longestDelayMs = 10_000;
/** A longer `Retry-After` is shortened, so that a wrong value cannot stop a program for a day. */
const longestRetryAfterMs = 120_000;

/** Milliseconds of a `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3); 0 when there is none. */
export function readRetryAfter(value: string | null): number {
  if (value === null) return 0;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(milliseconds) ? Math.min(Math.max(milliseconds, 0), longestRetryAfterMs) : 0;
}

/**
 * The delay before the next attempt, in milliseconds: what the server asked for, at least half of a delay that doubles with
 * each attempt, and a random part of up to the other half, so that clients that failed together do not come back together.
 * @param attempt number of the attempt that failed, from 1
 */
export function delayAfter(attempt: number, retryAfterMs: number): number {
  const half = Math.min(firstDelayMs * 2 ** Math.min(attempt - 1, 30), longestDelayMs) / 2;
  return Math.max(retryAfterMs, half) + Math.random() * half;
}

/**
 * Whether to send the request again.
 * @param isRepeatable whether a second request does no harm: a read, or a write with an idempotency key. Others are only
 *   repeated when the server said that nothing was done.
 */
export function mayRepeat(error: ProblemError, isRepeatable: boolean): boolean {
  if (!error.isTemporary) return false;
  return isRepeatable || error.status === 429 || error.status === 503;
}

/** Waits. @throws the reason of the signal when it is aborted */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/**
 * The retry schedule that Standard Webhooks recommends: a receiver that is down for a minute, an hour or a weekend still
 * gets its events, and not all at once when it comes back.
 *
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, "Deliverability and
 * reliability".
 */

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The delay of each attempt after the failure of the one before; the first one is immediate. */
export const attemptDelaysMs: readonly number[] = [
  0,
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];

/**
 * The fraction by which a delay is randomly shortened or extended, so that deliveries that failed together are
 * spread.
 */
const jitter = 0.2;

/** The longest delay that a receiver may request. */
export const maxRetryAfterMs = 24 * hourMs;

/**
 * The delay after a failed attempt, in ms; null when it was the last one.
 * @param failed the number of failed attempts of the schedule, including this one
 * @param retryAfterMs the delay that the receiver requested, or null; it can extend the delay up to a day, not shorten it
 * @param random from 0 to 1
 */
export function nextDelayMs(
  failed: number,
  retryAfterMs: number | null,
  random: number = Math.random(),
): number | null {
  const delay = attemptDelaysMs[failed];
  if (delay === undefined) return null;
  const jittered = Math.round(delay * (1 - jitter + 2 * jitter * random));
  return Math.max(jittered, Math.min(retryAfterMs ?? 0, maxRetryAfterMs));
}

/**
 * Parses a Retry-After header (RFC 9110, 10.2.3): seconds or a date.
 * @returns ms from now, at least 0; null for anything else, which is ignored
 */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * secondMs;
  // Date.parse accepts much more; all three formats of the RFC have the name of a day and a full time.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d\b/.test(text)) return null;
  const instant = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(instant) ? null : Math.max(0, instant - nowMs);
}

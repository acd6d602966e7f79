/**
 * Why: a receiver that is down for a minute, an hour or a weekend must still get its events, and must not be met by all
 * senders at once when it comes back. The schedule is the one that Standard Webhooks recommends.
 *
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, "Deliverability and
 * reliability".
 */

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** How long after the failure of the attempt before it each attempt is made; the first one at once. */
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

/** Share of a delay by which it may be shorter or longer, so that what failed together is not tried again together. */
const jitter = 0.2;

/** The longest wait that a receiver may ask for. */
export const maxRetryAfterMs = 24 * hourMs;

/**
 * How long to wait after a failed attempt, in ms; null when it was the last one.
 * @param failed how many attempts of the schedule have failed, this one included
 * @param retryAfterMs what the receiver asked for, or null: it can make the wait longer, up to a day, but not shorter
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
 * Reads a Retry-After header (RFC 9110, 10.2.3): seconds or a date.
 * @returns ms from now, at least 0; null for anything else, which is as if it were not there
 */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * secondMs;
  // Date.parse takes much else; all three forms of the RFC have the name of a day and a full time.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d\b/.test(text)) return null;
  const instant = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(instant) ? null : Math.max(0, instant - nowMs);
}

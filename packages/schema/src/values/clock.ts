/**
 * Instants as RFC 3339 text. `Date.parse` also accepts local times and dates that do not exist (30 February), and would
 * store an instant that the caller did not mean.
 */

import { isCalendarDay } from './dates.ts';

const instant =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

const minuteMs = 60_000;
const firstInstantMs = Date.parse('0001-01-01T00:00:00.000Z');
const lastInstantMs = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * An instant as RFC 3339 text in UTC with milliseconds: `2026-01-31T09:30:00.000Z`.
 *
 * @param date a date or epoch milliseconds; fractions of a millisecond are dropped.
 * @throws RangeError for an invalid date and for years before 1 or after 9999, which the format cannot express.
 */
export function toInstant(date: Date | number): string {
  const epochMs = Math.floor(Number(date));
  if (!isWritableInstant(epochMs)) {
    throw new RangeError(`${epochMs} ms is not an instant in the years 1 to 9999.`);
  }
  return new Date(epochMs).toISOString();
}

/**
 * Parses RFC 3339 text into epoch milliseconds. The text needs an offset or `Z`, and a day and time that exist. Up to nine
 * fractional digits are accepted; those below the millisecond are dropped. A leap second (23:59:60 UTC at the end of a
 * month) counts as the following second.
 *
 * @returns null for any other text, and for instants outside the years 1 to 9999 in UTC.
 */
export function parseInstant(text: string): number | null {
  const match = instant.exec(text);
  if (match === null) {
    return null;
  }
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const offsetHours = Number(match[9] ?? 0);
  const offsetMinutes = Number(match[10] ?? 0);
  if (
    !isCalendarDay(year, month, day) ||
    hour > 23 ||
    minute > 59 ||
    offsetHours > 23 ||
    offsetMinutes > 59
  ) {
    return null;
  }
  // Not Date.UTC, which reads the years 0 to 99 as 1900 to 1999.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, milliseconds);
  const offsetMs = (offsetHours * 60 + offsetMinutes) * minuteMs * (match[8] === '-' ? -1 : 1);
  const epochMs = date.getTime() - offsetMs;
  if (second > 59 && !(second === 60 && isFirstSecondOfMonth(epochMs))) {
    return null;
  }
  return isWritableInstant(epochMs) ? epochMs : null;
}

/** Whether this is the second that follows a leap second. */
function isFirstSecondOfMonth(epochMs: number): boolean {
  const secondStart = new Date(Math.floor(epochMs / 1000) * 1000).toISOString();
  return secondStart.endsWith('-01T00:00:00.000Z');
}

/** Whether the year has four digits in UTC. */
function isWritableInstant(epochMs: number): boolean {
  return epochMs >= firstInstantMs && epochMs <= lastInstantMs;
}

/**
 * Why: instants cross the interface in one form. `Date.parse` reads much that isn't RFC 3339 (local times, 30
 * February) and so would store an instant the caller didn't mean.
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
 * @param date a date or epoch milliseconds (fractions of one are dropped).
 * @throws RangeError for an invalid date and for years before 1 or after 9999, which the format can't say.
 */
export function toInstant(date: Date | number): string {
  const epochMs = Math.floor(Number(date));
  if (!isWritableInstant(epochMs)) {
    throw new RangeError(`${epochMs} ms is not an instant in the years 1 to 9999.`);
  }
  return new Date(epochMs).toISOString();
}

/**
 * The epoch milliseconds of an RFC 3339 text. It must have an offset or Z and name a day and a time that exist; up to
 * nine digits of a second are read and those below the millisecond dropped. A leap second (23:59:60 UTC at the end of
 * a month) counts as the second after it.
 *
 * @returns null for anything else, and for instants outside the years 1 to 9999 in UTC.
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
  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
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

/** Where a leap second lands once it is counted as the second after it. */
function isFirstSecondOfMonth(epochMs: number): boolean {
  const secondStart = new Date(Math.floor(epochMs / 1000) * 1000).toISOString();
  return secondStart.endsWith('-01T00:00:00.000Z');
}

/** Whether four digits can say the year in UTC. */
function isWritableInstant(epochMs: number): boolean {
  return epochMs >= firstInstantMs && epochMs <= lastInstantMs;
}

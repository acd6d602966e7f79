/** Days and months as a calendar on the wall has them (ISO 8601): without a time zone, so that arithmetic knows no change of the clock. */
import { toInstant, toWallTime } from '@trellis/schema/values/zones.ts';

/** Days of a week. */
const week = 7;

/** The day some days later. @param day `2027-03-01` */
export function addDays(day: string, count: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + count);
  return date.toISOString().slice(0, 10);
}

/** The month some months later. @param month `2027-03` */
export function addMonths(month: string, count: number): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + count);
  return date.toISOString().slice(0, 7);
}

/** Whether it is a month between the years 2000 and 2099, which is all that an address may name. */
export function isMonth(text: string): boolean {
  return /^20\d\d-(?:0[1-9]|1[0-2])$/.test(text);
}

/**
 * The weeks of a month, with the days before and after it that complete them.
 * @param firstDay of a week: 1 for Monday to 7 for Sunday
 */
export function weeksOf(month: string, firstDay: number): string[][] {
  const first = `${month}-01`;
  const weekday = new Date(`${first}T00:00:00Z`).getUTCDay();
  const start = addDays(first, -((weekday - firstDay + week) % week));
  const weeks: string[][] = [];
  for (let day = start; day < `${addMonths(month, 1)}-01`; day = addDays(day, week))
    weeks.push(Array.from({ length: week }, (_, index) => addDays(day, index)));
  return weeks;
}

/** The first day of a week where a language is spoken: 1 for Monday to 7 for Sunday. Monday where the browser does not know it. */
export function firstDayOf(language: string): number {
  const locale: Intl.Locale & { getWeekInfo?: () => { readonly firstDay: number } } = new Intl.Locale(
    language,
  );
  return locale.getWeekInfo?.().firstDay ?? 1;
}

/** The day of an instant on the clock of a zone. */
export function dayOf(instant: Date, zone: string): string {
  return toWallTime(instant, zone).slice(0, 10);
}

/** The same time of another day. @returns null for a day that is none */
export function atDay(instant: Date, day: string, zone: string): Date | null {
  return toInstant(`${day}${toWallTime(instant, zone).slice(10)}`, zone);
}

/** The hour at which a day is planned for unless somebody says otherwise. */
const usualTime = '09:00';

/** When something is published on a day that it gets: at nine there, or where that has passed in an hour. @returns `2027-03-20T09:00` */
export function usualTimeOf(day: string, zone: string, now = new Date()): string {
  const time = `${day}T${usualTime}`;
  if ((toInstant(time, zone)?.getTime() ?? 0) > now.getTime()) return time;
  return `${toWallTime(new Date(now.getTime() + 3_600_000), zone).slice(0, 13)}:00`;
}

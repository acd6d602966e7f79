/**
 * Calendar dates, complete or partial. Many publication dates are known only to the year or the month, so a date is stored
 * as text with the precision it was given in. Days are checked against the calendar: `Date` would turn 30 February into
 * 2 March.
 */

const partialDate = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;

/** Whether the text is `YYYY`, `YYYY-MM` or `YYYY-MM-DD` with a day that exists, in the years 0001 to 9999. */
export function isPartialDate(text: string): boolean {
  const match = partialDate.exec(text);
  if (match === null) {
    return false;
  }
  const [, year, month = '01', day = '01'] = match;
  return isCalendarDay(Number(year), Number(month), Number(day));
}

/** Whether the day exists in the proleptic Gregorian calendar, in the years 1 to 9999. Months count from 1. */
export function isCalendarDay(year: number, month: number, day: number): boolean {
  const yearAndMonthExist = year >= 1 && year <= 9999 && month >= 1 && month <= 12;
  return yearAndMonthExist && day >= 1 && day <= daysInMonth(year, month);
}

/** The number of days in a month. Months count from 1. */
function daysInMonth(year: number, month: number): number {
  if (month === 2) {
    const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    return isLeapYear ? 29 : 28;
  }
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** The days of the calendar: whole weeks, and the same time of another day also where the clock changes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addMonths,
  atDay,
  dayOf,
  firstDayOf,
  isMonth,
  weeksOf,
} from '../../../packages/console/src/features/articles/calendar/days.ts';

test('a month is shown in whole weeks, which begin as the language has it', () => {
  const december = weeksOf('2026-12', 1);
  assert.deepEqual(
    december.map((week) => [week[0], week[6]]),
    [
      ['2026-11-30', '2026-12-06'],
      ['2026-12-07', '2026-12-13'],
      ['2026-12-14', '2026-12-20'],
      ['2026-12-21', '2026-12-27'],
      ['2026-12-28', '2027-01-03'],
    ],
  );
  assert.equal(weeksOf('2026-12', 7)[0]?.[0], '2026-11-29');
  // Begins on the first day of a week, and ends on the last: four weeks.
  assert.deepEqual(weeksOf('2027-02', 1).length, 4);
  // A leap year.
  assert.equal(weeksOf('2028-02', 1).at(-1)?.[1], '2028-02-29');
  assert.deepEqual([firstDayOf('de'), firstDayOf('en-US')], [1, 7]);
});

test('months follow one another across years, and only months are taken from an address', () => {
  assert.deepEqual([addMonths('2026-12', 1), addMonths('2027-01', -1)], ['2027-01', '2026-12']);
  assert.deepEqual(['2026-12', '2026-13', '2026-1', '20261-01', '2026-12-01', ''].map(isMonth), [
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});

test('another day has the same time of day, also after a change of the clock', () => {
  const zone = 'Europe/Berlin';
  const noon = new Date('2026-10-24T10:00:00Z');
  assert.equal(atDay(noon, '2026-10-25', zone)?.toISOString(), '2026-10-25T11:00:00.000Z');
  // Skipped by the clock: an hour later.
  const night = new Date('2027-03-27T01:30:00Z');
  assert.equal(atDay(night, '2027-03-28', zone)?.toISOString(), '2027-03-28T01:30:00.000Z');
  // Shown twice by the clock: the first.
  assert.equal(atDay(night, '2026-10-25', zone)?.toISOString(), '2026-10-25T00:30:00.000Z');
  // The last hours of a month belong to the next one in the east, and the first ones to the one before in the west.
  assert.equal(dayOf(new Date('2026-12-31T23:30:00Z'), zone), '2027-01-01');
  assert.equal(dayOf(new Date('2027-03-01T07:30:00Z'), 'America/Los_Angeles'), '2027-02-28');
  assert.equal(atDay(noon, 'no day', zone), null);
});

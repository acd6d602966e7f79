import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCalendarDay, isPartialDate } from '@trellis/schema/values/dates.ts';

test('isPartialDate accepts a year, a month and a day that exist', () => {
  for (const text of [
    '2026',
    '0001',
    '9999',
    '2026-01',
    '2026-12',
    '2026-01-31',
    '2024-02-29',
    '2000-02-29',
  ]) {
    assert.equal(isPartialDate(text), true, text);
  }
});

test('isPartialDate refuses everything else', () => {
  for (const text of [
    ...[
      '',
      '0000',
      '26',
      '20260',
      '2026-',
      '2026-1',
      '2026-00',
      '2026-13',
      '2026-01-',
      '2026-01-1',
      '2026-01-00',
    ],
    ...['2026-01-32', '2026-04-31', '2026-02-29', '1900-02-29', '2026-02-30', '20260101', '2026/01/01'],
    ...['2026-01-01T00:00:00Z', ' 2026', '2026\n', '-2026', '٢٠٢٦', '0000-01-01'],
  ]) {
    assert.equal(isPartialDate(text), false, text);
  }
});

test('isCalendarDay agrees with the calendar of Date at the ends of every month of four centuries', () => {
  for (let year = 1900; year < 2300; year += 1) {
    for (let month = 0; month <= 13; month += 1) {
      for (const day of [0, 1, 28, 29, 30, 31, 32]) {
        const date = new Date(Date.UTC(year, month - 1, day));
        const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
        assert.equal(isCalendarDay(year, month, day), exists, `${year}-${month}-${day}`);
      }
    }
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCertainlyBefore } from '@trellis/schema/values/partial-date.ts';
import fastCheck from 'fast-check';
import { checkProperty } from './property.ts';

/** Few different years, months and days, so that dates with a common beginning are drawn often. */
const anyPartialDate = fastCheck
  .tuple(
    fastCheck.constantFrom('0001', '0999', '1999', '2000', '2020'),
    fastCheck.constantFrom('', '-01', '-02', '-12'),
    fastCheck.constantFrom('', '-01', '-28'),
  )
  .map(([year, month, day]) => (month === '' ? year : year + month + day));

/** The days that a partial date may mean, as numbers that count up; every month given 31 days. */
function possibleDays(date: string): { first: number; last: number } {
  const [year = 0, month, day] = date.split('-').map(Number);
  const number = (atMonth: number, atDay: number): number => (year * 12 + atMonth) * 31 + atDay;
  return { first: number(month ?? 1, day ?? 1), last: number(month ?? 12, day ?? 31) };
}

test('isCertainlyBefore is false if a date is not precise enough', () => {
  for (const [left, right] of [
    ['2019', '2020'],
    ['2019', '2020-01-01'],
    ['2019-12-31', '2020'],
    ['2020-01', '2020-02-01'],
    ['2020-02-28', '2020-02-29'],
  ] as const) {
    assert.equal(isCertainlyBefore(left, right), true, `${left} ${right}`);
    assert.equal(isCertainlyBefore(right, left), false, `${right} ${left}`);
  }
  for (const [left, right] of [
    ['2020', '2020'],
    ['2020', '2020-12'],
    ['2020-02', '2020-02-29'],
    ['2020', '2020-01-01'],
  ] as const) {
    assert.equal(isCertainlyBefore(left, right), false, `${left} ${right}`);
    assert.equal(isCertainlyBefore(right, left), false, `${right} ${left}`);
  }
});

test('isCertainlyBefore agrees with the days that the dates can mean', (context) => {
  checkProperty(
    context,
    fastCheck.property(anyPartialDate, anyPartialDate, (left, right) => {
      const [leftDays, rightDays] = [possibleDays(left), possibleDays(right)];
      assert.equal(isCertainlyBefore(left, right), leftDays.last < rightDays.first);
    }),
    2000,
  );
});

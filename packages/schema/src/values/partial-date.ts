/**
 * Why: dates known only to the year or the month still have an order and can contradict each other: a magazine can't
 * have ended in 2019 when it began in May 2020, but may well have ended "in 2020". What a partial date is, is told by
 * `isPartialDate` in dates.ts.
 */

/**
 * Whether one date is before another for certain: 2019 is before 2020-05, but 2020 isn't, nor is it after.
 *
 * @param left,right partial dates.
 */
export function isCertainlyBefore(left: string, right: string): boolean {
  // What only one of them says decides nothing; where the left one says more, it isn't the lesser text.
  return left < right.slice(0, left.length);
}

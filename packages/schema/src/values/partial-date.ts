/**
 * The order of partial dates (see `isPartialDate` in dates.ts). Dates known only to the year or the month can still
 * contradict each other: a magazine that began in May 2020 cannot have ended in 2019, but may have ended "in 2020".
 */

/**
 * Whether one date is certainly before another: 2019 is before 2020-05, but 2020 is neither before nor after it.
 *
 * @param left,right partial dates.
 */
export function isCertainlyBefore(left: string, right: string): boolean {
  // Only the precision that both have is compared; a longer left text is never less than its own prefix.
  return left < right.slice(0, left.length);
}

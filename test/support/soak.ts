/**
 * The size of long tests: about a tenth by default, and full in `npm run soak`, which sets TRELLIS_SOAK=1 and finds test
 * files by their import of this one.
 */

/** Whether long tests run in full. */
export const isSoak = process.env.TRELLIS_SOAK === '1';

/** The first amount by default, the second in a soak. */
export function amount(usual: number, whole: number): number {
  return isSoak ? whole : usual;
}

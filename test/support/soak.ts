/**
 * Long tests run at about a tenth by default and whole in `npm run soak`, which sets TRELLIS_SOAK=1. A test file that
 * imports this one is part of the soak: `npm run soak` finds it by the import.
 */

/** Whether the long tests run whole. */
export const isSoak = process.env.TRELLIS_SOAK === '1';

/** The first amount by default, the second in a soak. */
export function amount(usual: number, whole: number): number {
  return isSoak ? whole : usual;
}

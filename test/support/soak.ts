/** The size of long tests: about a tenth by default, and full in `npm run soak`, which sets TRELLIS_SOAK=1 (`scripts/tests/soak-files.ts`). */
import { chooseSeed } from './seed.ts';

/** Whether long tests run in full. */
export const isSoak = process.env.TRELLIS_SOAK === '1';

/** The first amount by default, the second in a soak. */
export function amount(usual: number, whole: number): number {
  return isSoak ? whole : usual;
}

let start: number | undefined;

/**
 * The cases to try on one of many subjects that share the code under test, such as operations with a body: all of them in a
 * soak, otherwise about a tenth, at least one. Ten subjects in a row get all cases between them; the seed says which subject
 * gets which.
 *
 * @param index position of the subject among the others
 */
export function casesFor<T>(index: number, cases: readonly T[]): readonly T[] {
  if (isSoak) return cases;
  start ??= chooseStart();
  const step = Math.min(10, cases.length);
  return cases.filter((_, place) => (place + index + (start ?? 0)) % step === 0);
}

function chooseStart(): number {
  const seed = chooseSeed();
  // `npm test` has printed the seed that it gives.
  if (process.env.TRELLIS_SEED === undefined) process.stdout.write(`TRELLIS_SEED=${seed}\n`);
  return seed % 2_520;
}

/** Seeds of random tests: each run draws and prints a new one; TRELLIS_SEED repeats a run. */
import type { TestContext } from 'node:test';

/** Chooses the seed of this run. It is printed with the result of the test; outside of a test, the caller prints it. */
export function chooseSeed(context?: TestContext): number {
  const given = process.env.TRELLIS_SEED;
  const seed = given === undefined ? Math.trunc(Math.random() * 2 ** 31) : Number(given);
  context?.diagnostic(`seed ${seed} (repeat with TRELLIS_SEED=${seed})`);
  return seed;
}

/** Numbers from 0 up to, but not including, 1, the same for the same seed (mulberry32). */
export function seededNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Why: a property that fails must be repeatable. Every run draws a new seed, prints it, and takes one given in
 * TRELLIS_TEST_SEED instead.
 */

import type { TestContext } from 'node:test';
import fastCheck from 'fast-check';

const givenSeed = process.env.TRELLIS_TEST_SEED;

/** Checks a fast-check property and prints the seed it ran with. */
export function checkProperty<Arguments>(
  context: TestContext,
  property: fastCheck.IProperty<Arguments>,
  runs = 500,
): void {
  const seed = givenSeed === undefined ? Math.trunc(Math.random() * 2 ** 31) : Number(givenSeed);
  context.diagnostic(`seed ${seed} (repeat with TRELLIS_TEST_SEED=${seed})`);
  fastCheck.assert(property, { seed, numRuns: runs });
}

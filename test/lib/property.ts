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
  fastCheck.assert(property, { seed: tellSeed(context), numRuns: runs });
}

/** Sequences that are sent at the same time: while one waits for the database another is computed. */
const lanes = 2;

/**
 * The same for a property of commands that are sent one after the other. It fails with what the smallest sequence that was
 * found says of itself: its commands are data, from which nobody could tell what was sent.
 */
export async function checkSequences<Arguments>(
  context: TestContext,
  property: fastCheck.IAsyncProperty<Arguments>,
  runs: number,
): Promise<void> {
  const seed = tellSeed(context);
  const checkLane = async (_: unknown, lane: number) => {
    const details = await fastCheck.check(property, { seed: seed + lane, numRuns: Math.ceil(runs / lanes) });
    if (!details.failed) return;
    const { errorInstance, numRuns, numShrinks } = details;
    const said = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
    throw new Error(`sequence ${numRuns} of seed ${seed}, made smaller ${numShrinks} times: ${said}`);
  };
  await Promise.all(Array.from({ length: lanes }, checkLane));
}

function tellSeed(context: TestContext): number {
  const seed = givenSeed === undefined ? Math.trunc(Math.random() * 2 ** 31) : Number(givenSeed);
  context.diagnostic(`seed ${seed} (repeat with TRELLIS_TEST_SEED=${seed})`);
  return seed;
}

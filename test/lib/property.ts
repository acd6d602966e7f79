/** Checks of properties with fast-check, under a seed that is printed. */
import type { TestContext } from 'node:test';
import fastCheck from 'fast-check';
import { chooseSeed } from '../support/seed.ts';

/** Checks a fast-check property and prints the seed it ran with. */
export function checkProperty<Arguments>(
  context: TestContext,
  property: fastCheck.IProperty<Arguments>,
  runs = 500,
): void {
  fastCheck.assert(property, { seed: chooseSeed(context), numRuns: runs });
}

/** Sequences that are sent at the same time: while one waits for the database another is computed. */
const lanes = 2;

/** How long a failing sequence is made smaller, in ms. One that fails by chance would be tried again and again. */
const shrinkingMs = 60_000;

/**
 * The same for a property of a sequence of commands. The failure shows the transcript of the smallest failing sequence,
 * because its commands are numbers that mean nothing to a reader.
 */
export async function checkSequences<Arguments>(
  context: TestContext,
  property: fastCheck.IAsyncProperty<Arguments>,
  runs: number,
): Promise<void> {
  const seed = chooseSeed(context);
  const checkLane = async (_: unknown, lane: number) => {
    const details = await fastCheck.check(endShrinking(property), {
      seed: seed + lane,
      numRuns: Math.ceil(runs / lanes),
    });
    if (!details.failed) return;
    const { errorInstance, numRuns, numShrinks } = details;
    const said = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
    throw new Error(`sequence ${numRuns} of seed ${seed}, made smaller ${numShrinks} times: ${said}`);
  };
  await Promise.all(Array.from({ length: lanes }, checkLane));
}

/** The same property, for which everything counts as a success when its first failure was some time ago. */
function endShrinking<Arguments>(
  property: fastCheck.IAsyncProperty<Arguments>,
): fastCheck.IAsyncProperty<Arguments> {
  let failedAt: number | null = null;
  const run = async (value: Arguments) => {
    if (failedAt !== null && performance.now() - failedAt > shrinkingMs) return null;
    const failure = await property.run(value);
    if (failure !== null) failedAt ??= performance.now();
    return failure;
  };
  return Object.create(property, { run: { value: run } });
}

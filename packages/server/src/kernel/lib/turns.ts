/** Long computations in several turns of the event loop. A computation is a generator that yields where it may be interrupted. */

/** Runs a computation to its end. @param turn waits for the next turn, or returns nothing if it may continue */
export async function runInTurns<T>(
  work: Generator<undefined, T>,
  turn: () => Promise<void> | undefined,
): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    await turn();
  }
}

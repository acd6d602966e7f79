/** Processes items concurrently with a limit. */

/** Takes items one by one and processes up to the limit concurrently; the first error ends all. */
export async function forEachConcurrently<T>(
  items: AsyncIterable<T> | Iterable<T>,
  concurrency: number,
  handle: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = iterate(items);
  let ended = false;
  // The iterator is asked by one worker at a time, so that items are started in order.
  let turn: Promise<unknown> = Promise.resolve();
  const next = (): Promise<IteratorResult<T>> => {
    const asked = turn.then(() => iterator.next());
    turn = asked.catch(() => undefined);
    return asked;
  };
  const work = async () => {
    while (!ended) {
      const item = await next();
      if (item.done === true) break;
      try {
        await handle(item.value);
      } catch (error) {
        ended = true;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: concurrency }, work));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function* iterate<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

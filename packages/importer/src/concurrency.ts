/** Processes items concurrently with a limit. */

/** Takes items in their order and processes up to the limit concurrently; the first error ends all. */
export async function forEachConcurrently<T>(
  items: AsyncIterable<T> | Iterable<T>,
  concurrency: number,
  handle: (item: T) => Promise<void>,
): Promise<void> {
  // All workers take their items from one generator, which an error in one of them ends.
  const queue = iterate(items);
  const work = async () => {
    for await (const item of queue) await handle(item);
  };
  const results = await Promise.allSettled(Array.from({ length: concurrency }, work));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function* iterate<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

/** Any number of writes in batches: each with a key of its own, so that a failure or a later run repeats none that was carried out. */

import type { ApiClient, OperationName, WriteOptions } from './api-client.ts';
import type { Operations } from './generated/operations.ts';
import type { BatchItemsInput, BatchOutcome, BatchOutcomes } from './generated/types.ts';
import { makeIdempotencyKey } from './keys.ts';
import { type ProblemError, readProblem } from './problem.ts';

/** Items of a batch at most. */
const mostItems = 100;
/** Bytes of the items of a batch at most: a body may have a mebibyte. */
const mostBytes = 1_000_000;

/** Operations that carry out batches: `batchContacts`, `batchBooks` … */
export type BatchName = {
  [K in OperationName]: Operations[K]['result'] extends BatchOutcomes ? K : never;
}[OperationName];

/** What became of an item. */
export interface ItemOutcome<Item> {
  readonly item: Item;
  readonly outcome: BatchOutcome;
  /** Why the item was refused; null if it was carried out. */
  readonly error: ProblemError | null;
}

/** How the items are sent. */
interface InBatches<K extends BatchName> extends Omit<WriteOptions, 'ifMatch'> {
  /** Path parameters of the collection. */
  readonly path?: Operations[K]['path'] | undefined;
}

/**
 * Writes items in batches, one after the other, and returns their outcomes in order. Items must not refer to each other (`$0`), because
 * it depends on their number which of them are in one batch. Under the same `idempotencyKey`, and with the same items, a later run gets
 * the outcomes of the batches that were carried out, and continues behind them.
 * @throws ProblemError for a batch that is refused as a whole; the reason of the signal when it is aborted
 */
export async function* writeInBatches<K extends BatchName, Item extends BatchItemsInput>(
  client: ApiClient,
  name: K,
  items: Iterable<Item> | AsyncIterable<Item>,
  { path, idempotencyKey = makeIdempotencyKey(), ...options }: InBatches<K> = {},
): AsyncGenerator<ItemOutcome<Item>> {
  let number = 0;
  for await (const batch of divide(items)) {
    number += 1;
    const { body } = await client.call<BatchName>(name, {
      path: path ?? {},
      body: { items: batch },
      idempotencyKey: `${idempotencyKey}:${number}`,
      ...options,
    } as never);
    for (const [index, item] of batch.entries()) {
      const outcome = body.items[index];
      if (outcome !== undefined) yield { item, outcome, error: errorOf(outcome) };
    }
  }
}

/** Why an item of a batch was refused, as the error that its request alone would have thrown; null if it was carried out. */
export function errorOf({ status, problem }: BatchOutcome): ProblemError | null {
  return problem === undefined ? null : readProblem(status, JSON.stringify(problem), 0);
}

async function* divide<Item extends object>(
  items: Iterable<Item> | AsyncIterable<Item>,
): AsyncGenerator<Item[]> {
  const encoder = new TextEncoder();
  let batch: Item[] = [];
  let bytes = 0;
  for await (const item of items) {
    const size = encoder.encode(JSON.stringify(item)).length + 1;
    if (batch.length === mostItems || (batch.length > 0 && bytes + size > mostBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(item);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

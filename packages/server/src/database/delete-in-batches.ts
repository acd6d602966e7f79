/**
 * Deletes many rows in pieces: one statement that deletes millions of rows holds as many locks, and whoever waits for one of
 * them waits for all.
 */

import type { Step } from './batch.ts';
import type { Database } from './database.ts';

/** Rows that one statement may delete. */
export const batchRows = 1_000;
/** Batches of one sweep; what is left is for the next one. */
const maxBatches = 1_000;

/**
 * Repeats a statement, each time in a transaction of its own, until it finds less than a full batch.
 * @param work deletes at most `batchRows` rows
 * @param signal ends it after the batch under way
 * @returns how many rows were deleted
 */
export async function deleteInBatches(database: Database, work: Step, signal?: AbortSignal): Promise<number> {
  let deleted = 0;
  for (let batch = 0; batch < maxBatches && signal?.aborted !== true; batch += 1) {
    const [result] = await database.executeInBackground([work]);
    const count = result?.affected ?? 0;
    deleted += count;
    if (count < batchRows) break;
  }
  return deleted;
}

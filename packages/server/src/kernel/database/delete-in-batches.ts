/** Deletes many rows in batches, because a single statement would hold all its locks until its end. */

import type { Step } from './batch.ts';
import type { Database } from './database.ts';

/** Maximum number of rows that one statement deletes. */
export const batchRows = 1_000;
/** Maximum number of batches of one sweep; the rest is left to the next one. */
const maxBatches = 1_000;

/**
 * Repeats a statement, each time in its own transaction, until it finds less than a full batch.
 * @param work deletes at most `batchRows` rows
 * @param signal ends the repetition after the current batch
 * @returns the number of deleted rows
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

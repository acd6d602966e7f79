/** Deletes many rows in batches, because a single statement would hold all its locks until its end. */

import type { Row, Step } from './batch.ts';
import type { Database } from './database.ts';
import { textArray } from './values.ts';

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

/** A sweep of rows of all organizations: they are found in each part of the database, and deleted by organization. */
export interface Sweep {
  /** Finds the keys of at most `batchRows` rows; the first column is the organization. */
  readonly find: Step;
  /** Deletes rows of an organization, and skips those that are locked or that it no longer finds as they were found. @param columns the keys, by column */
  readonly remove: (organizationId: string, columns: readonly string[]) => Step;
}

/**
 * Finds and deletes rows until less than a full batch is found, each time in its own transaction. Several nodes may do so at the same time.
 * @param signal ends the repetition after the current batch
 * @returns the number of deleted rows
 */
export async function sweepInBatches(
  database: Database,
  sweep: Sweep,
  signal?: AbortSignal,
): Promise<number> {
  let deleted = 0;
  for (let batch = 0; batch < maxBatches && signal?.aborted !== true; batch += 1) {
    const found = await database.findInParts(() => [sweep.find]);
    let count = 0;
    for (const { results } of found) {
      const rows = results[0]?.rows ?? [];
      if (rows.length === 0) continue;
      const steps = [...Map.groupBy(rows, ([organizationId]) => organizationId ?? '')].map(([id, own]) =>
        sweep.remove(id, columnsOf(own)),
      );
      const removed = await database.executeInBackground(steps);
      count += removed.reduce((sum, { affected }) => sum + affected, 0);
    }
    deleted += count;
    // Rows that could not be deleted are left to the next sweep.
    if (count === 0 || found.every(({ results }) => (results[0]?.rows.length ?? 0) < batchRows)) break;
  }
  return deleted;
}

/** The columns of keys behind the organization, as array literals. */
function columnsOf(rows: readonly Row[]): string[] {
  const width = rows[0]?.length ?? 0;
  return Array.from({ length: width - 1 }, (_none, column) =>
    textArray(rows.map((row) => row[column + 1] ?? '')),
  );
}

/** Runs the indexer, so that a test need not wait for it. */

import { createModels } from '@trellis/server/features.ts';
import { indexAll } from '@trellis/server/kernel/pipeline/search/indexer.ts';
import type { TestDatabase } from './database.ts';

const models = createModels();

/** The run that each database waits for. */
const runs = new WeakMap<TestDatabase['worker'], Promise<void>>();

/**
 * Runs the indexer until no index job is left. Tests that share a database take turns: each takes all jobs, also those that the other
 * one has claimed, and of two that insert the same row one would fail.
 * @throws Error when a text could not be indexed
 */
export function runIndexJobs(database: TestDatabase): Promise<void> {
  const before = runs.get(database.worker) ?? Promise.resolve();
  const { worker, api } = database;
  const run = before.catch(() => undefined).then(() => indexAll({ worker, api, models, log }));
  runs.set(database.worker, run);
  return run;
}

function log(message: string, detail: Record<string, unknown>): never {
  throw new Error(`${message}: ${JSON.stringify(detail)}`);
}

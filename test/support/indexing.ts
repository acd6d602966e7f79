/** Runs the indexer, so that a test need not wait for it. */

import { indexAll } from '@trellis/server/pipeline/indexer.ts';
import { createModels } from '@trellis/server/resources/models.ts';
import type { TestDatabase } from './database.ts';

const models = createModels();

/** Runs the indexer until no index job is left. @throws Error when a text could not be indexed */
export async function runIndexJobs({ worker, api }: Pick<TestDatabase, 'worker' | 'api'>): Promise<void> {
  await indexAll({
    worker,
    api,
    models,
    log(message, detail) {
      throw new Error(`${message}: ${JSON.stringify(detail)}`);
    },
  });
}

/** Indexes what is marked, so that a test need not wait for the indexer. */
import { createModels } from '../../src/content/models.ts';
import { indexAll } from '../../src/pipeline/indexer.ts';
import type { TestDatabase } from './database.ts';

const models = createModels();

/** Runs the indexer until no mark is left. @throws Error when a text could not be indexed */
export async function indexMarked({ worker, api }: Pick<TestDatabase, 'worker' | 'api'>): Promise<void> {
  await indexAll({
    worker,
    api,
    models,
    log(message, detail) {
      throw new Error(`${message}: ${JSON.stringify(detail)}`);
    },
  });
}

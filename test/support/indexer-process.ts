/** An indexer that can be killed. Runs on the database in the environment until it is ended. */

import { createModels } from '@trellis/server/features.ts';
import { startIndexer } from '@trellis/server/kernel/pipeline/search/indexer.ts';
import { openProcessDatabase } from './process-database.ts';

const { worker, api } = openProcessDatabase({
  poolSize: 2,
  acquireTimeoutMs: 5_000,
  applicationName: 'trellis test indexer',
  log: () => undefined,
});
startIndexer({
  worker,
  api,
  models: createModels(),
  log: (message, detail) => process.stderr.write(`${message} ${JSON.stringify(detail)}\n`),
  // Short, so that the leases of a killed indexer expire soon.
  timing: { pollMs: 20, leaseMs: 500 },
});
process.stdout.write('started\n');

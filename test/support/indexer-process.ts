/** An indexer in a separate process, for tests that kill it: `node indexer-process.ts WORKER_URL API_URL`. */

import { Database } from '@trellis/server/database/database.ts';
import { startIndexer } from '@trellis/server/pipeline/search/indexer.ts';
import { createModels } from '@trellis/server/resources/models.ts';

const [workerUrl = '', apiUrl = ''] = process.argv.slice(2);
const open = (url: string) =>
  new Database({
    url,
    poolSize: 2,
    prepare: true,
    acquireTimeoutMs: 5_000,
    applicationName: 'trellis test indexer',
    log: () => undefined,
  });
startIndexer({
  worker: open(workerUrl),
  api: open(apiUrl),
  models: createModels(),
  log: (message, detail) => process.stderr.write(`${message} ${JSON.stringify(detail)}\n`),
  // Short, so that the leases of a killed indexer expire soon.
  timing: { pollMs: 20, leaseMs: 500 },
});
process.stdout.write('started\n');

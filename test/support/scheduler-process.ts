/** A scheduler that can be killed. Runs on the databases in the environment until it is ended. */

import { Database } from '@trellis/server/database/database.ts';
import { createModels } from '@trellis/server/resources/models.ts';
import { startScheduler } from '@trellis/server/scheduler/scheduler.ts';
import { pino } from 'pino';

const open = (url: string | undefined) =>
  new Database({
    url: url ?? '',
    poolSize: 4,
    prepare: true,
    acquireTimeoutMs: 5_000,
    applicationName: 'trellis test scheduler',
    log: () => undefined,
  });

startScheduler({
  worker: open(process.env.TEST_WORKER_URL),
  api: open(process.env.TEST_API_URL),
  models: createModels(),
  nudge: () => undefined,
  log: pino({ level: 'silent' }),
  timing: { pollMs: 10, leaseMs: 500, firstBackoffMs: 100 },
});
process.stdout.write('ready\n');

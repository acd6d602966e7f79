/** A scheduler that can be killed. Runs on the database in the environment until it is ended. */

import { startScheduler } from '@trellis/server/features/publishing/scheduler.ts';
import { createModels } from '@trellis/server/features.ts';
import { pino } from 'pino';
import { openProcessDatabase } from './process-database.ts';

const { worker, api } = openProcessDatabase({
  poolSize: 4,
  acquireTimeoutMs: 5_000,
  applicationName: 'trellis test scheduler',
  log: () => undefined,
});
startScheduler({
  worker,
  api,
  models: createModels(),
  nudge: () => undefined,
  log: pino({ level: 'silent' }),
  timing: { pollMs: 10, leaseMs: 500, firstBackoffMs: 100 },
});
process.stdout.write('ready\n');

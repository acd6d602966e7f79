/**
 * A delivery process that can be killed. Runs the loop on the database in the environment after the first byte on
 * standard input, and reports on standard output when it is loaded and started.
 */
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { openProcessDatabase } from './process-database.ts';
import { startTestDelivery } from './webhooks.ts';

const database = openProcessDatabase({
  poolSize: 2,
  acquireTimeoutMs: 5_000,
  applicationName: 'trellis test delivery',
  log: () => undefined,
});
const leaseMs = Number(process.env.TEST_LEASE_MS);
writeSync(1, 'loaded\n');
await once(process.stdin, 'data');
startTestDelivery(database, { timing: { pollMs: 20, deadlineMs: leaseMs / 2, leaseMs } });
writeSync(1, 'begun\n');

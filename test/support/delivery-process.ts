/**
 * A delivery process that can be killed. Runs the loop on the databases in the environment after the first byte on
 * standard input, and reports on standard output when it is loaded and started.
 */
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { Database } from '@trellis/server/database/database.ts';
import { AddressGuard } from '@trellis/server/webhooks/address-guard.ts';
import { startDelivery } from '@trellis/server/webhooks/delivery.ts';
import { sealer, testModels, testOrigin } from './webhooks.ts';

const open = (url: string | undefined) =>
  new Database({
    url: url ?? '',
    poolSize: 2,
    prepare: true,
    acquireTimeoutMs: 5_000,
    applicationName: 'trellis test delivery',
    log: () => undefined,
  });
const leaseMs = Number(process.env.TEST_LEASE_MS);
writeSync(1, 'loaded\n');
await once(process.stdin, 'data');
startDelivery({
  worker: open(process.env.TEST_WORKER_URL),
  api: open(process.env.TEST_API_URL),
  models: testModels,
  guard: new AddressGuard({ allowPrivate: ['127.0.0.0/8'] }),
  sealer,
  origin: testOrigin,
  nudge: () => undefined,
  log: () => undefined,
  timing: { pollMs: 20, deadlineMs: leaseMs / 2, leaseMs },
});
writeSync(1, 'begun\n');

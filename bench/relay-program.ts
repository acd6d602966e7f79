/**
 * The relay of a node in a separate process, so that its processor time can be measured. Starts and stops on request.
 */

import { fanOutToWebhooks } from '@trellis/server/features/webhooks/fan-out.ts';
import { Database } from '@trellis/server/kernel/database/database.ts';
import { type Relay, startRelay } from '@trellis/server/kernel/events/relay.ts';
import { reportUsage } from './usage.ts';

const say = (message: string, detail: Record<string, unknown>) =>
  process.stderr.write(`${message} ${JSON.stringify(detail)}\n`);
const database = new Database({
  url: process.env.BENCH_DATABASE_URL ?? '',
  poolSize: 1,
  prepare: true,
  acquireTimeoutMs: 1_000,
  applicationName: 'trellis bench relay',
  log: say,
});
let relay: Relay | null = null;
process.on('message', (message) => {
  if (message === 'begin') relay = startRelay({ database, fanOut: fanOutToWebhooks, log: () => undefined });
  // The next one must not wait for the lease of this one to run out.
  if (message === 'stop') relay?.stop().then(() => process.send?.('stopped'));
});
// It listens to nobody but its parent.
reportUsage(0);

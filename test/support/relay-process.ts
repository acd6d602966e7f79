/**
 * A relay that can be killed and frozen. Runs on the database in the environment and reports on standard output, one
 * line of JSON each. TEST_MISHAP makes it freeze or kill itself inside its first transaction.
 */
import { writeSync } from 'node:fs';
import { fanOutToWebhooks } from '@trellis/server/features/webhooks/fan-out.ts';
import { openProcessDatabase } from './process-database.ts';
import { startTestRelay } from './relay.ts';

const say = (message: string, detail: object) => writeSync(1, `${JSON.stringify({ message, ...detail })}\n`);

const database = openProcessDatabase(
  { poolSize: 1, acquireTimeoutMs: 1_000, applicationName: 'trellis test relay', log: say },
  // The role's limit on idle transactions would hide that of a lease.
  '-c idle_in_transaction_session_timeout=0',
);
let mishap = process.env.TEST_MISHAP;
const relay = startTestRelay(database, {
  log: say,
  timing: { leaseMs: Number(process.env.TEST_LEASE_MS), standbyMs: 100, pollMs: 50 },
  fanOut: (events) => {
    say('moving', { events: events.length });
    const signal = mishap;
    mishap = undefined;
    if (signal !== undefined) process.kill(process.pid, signal);
    return fanOutToWebhooks(events);
  },
});
process.on('SIGTERM', () => {
  relay
    .stop()
    .then(() => database.close())
    .then(() => process.exit(0));
});

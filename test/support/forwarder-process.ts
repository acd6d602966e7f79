/**
 * A forwarder that can be killed. Runs on the database and the NATS server in the environment and reports on standard
 * output, one line of JSON each. TEST_MISHAP makes it freeze or kill itself after it has sent events for the first
 * time, before it can record that.
 */
import { writeSync } from 'node:fs';
import { NatsSink } from '@trellis/server/adapters/nats/nats-sink.ts';
import { readNatsServers } from '@trellis/server/kernel/config/values.ts';
import { startForwarder } from '@trellis/server/kernel/events/forwarder.ts';
import { openProcessDatabase } from './process-database.ts';

const say = (message: string, detail: object) => writeSync(1, `${JSON.stringify({ message, ...detail })}\n`);

const database = openProcessDatabase({
  poolSize: 1,
  acquireTimeoutMs: 1_000,
  applicationName: 'trellis test forwarder',
  log: say,
});
const sink = new NatsSink({
  servers: readNatsServers(process.env.TEST_NATS_URL ?? ''),
  credentialsFile: null,
  stream: 'trellis',
  subjectPrefix: 'trellis',
  keepMs: 3_600_000,
});
let mishap = process.env.TEST_MISHAP;
const forwarder = startForwarder({
  database: database.worker,
  log: say,
  origin: 'https://api.example.com',
  timing: { leaseMs: Number(process.env.TEST_LEASE_MS), standbyMs: 100, pollMs: 20 },
  sizes: { eventsOfEach: 10 },
  sink: {
    name: sink.name,
    lease: sink.lease,
    title: sink.title,
    open: () => sink.open(),
    close: () => sink.close(),
    async send(organization, events, signal) {
      const sent = await sink.send(organization, events, signal);
      say('sent', { events: sent.acknowledged });
      const signalName = mishap;
      mishap = undefined;
      if (signalName !== undefined) process.kill(process.pid, signalName);
      return sent;
    },
  },
});
process.on('SIGTERM', () => {
  forwarder
    .stop()
    .then(() => database.close())
    .then(() => process.exit(0));
});

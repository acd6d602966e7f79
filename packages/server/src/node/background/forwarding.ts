/** Why: where events go on to, besides webhooks, is the operator's choice: this makes of the settings what is running. */
import type { Database } from '../../database/database.ts';
import { startForwarder } from '../../events/forwarder.ts';
import { NatsSink } from '../../events/sinks/nats.ts';
import { type Loop, logTo, type Surroundings } from './surroundings.ts';

/** Begins to forward events to NATS; null when no server is configured. */
export function startForwarding(surroundings: Surroundings, worker: Database): Loop | null {
  const { config, origin, signals, log } = surroundings;
  const { natsServers, natsCredentials, natsStream, natsSubjectPrefix, eventRetentionSeconds } = config;
  if (natsServers === null) return null;
  const sink = new NatsSink({
    servers: natsServers,
    credentialsFile: natsCredentials,
    stream: natsStream,
    subjectPrefix: natsSubjectPrefix,
    keepMs: eventRetentionSeconds * 1_000,
  });
  const forwarder = startForwarder({ database: worker, sink, origin, log: logTo(log) });
  signals.on('logged', () => forwarder.nudge());
  return forwarder;
}

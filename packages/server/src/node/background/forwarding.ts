/** Forwards events to the message system that is configured. */

import { NatsSink } from '../../adapters/nats/nats-sink.ts';
import { type Loop, logTo, type RoleDependencies } from '../../kernel/background/roles.ts';
import type { Database } from '../../kernel/database/database.ts';
import { startForwarder } from '../../kernel/events/forwarder.ts';

/** Starts forwarding events to NATS; null when no server is configured. */
export function startForwarding(dependencies: RoleDependencies, database: Database): Loop | null {
  const { config, origin, signals, log } = dependencies;
  const { natsServers, natsCredentials, natsStream, natsSubjectPrefix, eventRetentionSeconds } = config;
  if (natsServers === null) return null;
  const sink = new NatsSink({
    servers: natsServers,
    credentialsFile: natsCredentials,
    stream: natsStream,
    subjectPrefix: natsSubjectPrefix,
    keepMs: eventRetentionSeconds * 1_000,
  });
  const forwarder = startForwarder({
    database,
    sink,
    origin,
    log: logTo(log),
  });
  signals.on('logged', () => forwarder.nudge());
  return forwarder;
}

/** Forwards events to the message system that is configured. */
import { startForwarder } from '../../events/forwarder.ts';
import { NatsSink } from '../../events/sinks/nats.ts';
import { type Loop, logTo, type RoleDependencies } from './dependencies.ts';
import type { Workplaces } from './workplaces.ts';

/** Starts forwarding events to NATS; null when no server is configured. */
export function startForwarding(dependencies: RoleDependencies, workplaces: Workplaces): Loop | null {
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
    database: workplaces.worker,
    places: () => workplaces.list(),
    sink,
    origin,
    log: logTo(log),
  });
  signals.on('logged', () => forwarder.nudge());
  return forwarder;
}

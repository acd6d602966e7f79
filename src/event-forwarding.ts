/** Why: where events go on to, besides webhooks, is the operator's choice: this makes of the settings what is running. */
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { type Forwarder, startForwarder } from './events/forwarder.ts';
import { NatsSink } from './events/sinks/nats.ts';

/**
 * Begins to forward events to NATS; null when no server is configured.
 * @param open makes a pool of the role `trellis_worker`, which is closed with the forwarder
 * @param origin public origin of the server
 */
export function startForwarding(
  config: Config,
  open: (name: string, poolSize: number) => Database,
  origin: string,
  log: (message: string, detail: Record<string, unknown>) => void,
): Forwarder | null {
  const { natsServers, natsCredentials, natsStream, natsSubjectPrefix, eventRetentionSeconds } = config;
  if (natsServers === null) return null;
  // A connection of its own: events must not wait for other background work.
  const database = open('trellis forwarder', 1);
  const sink = new NatsSink({
    servers: natsServers,
    credentialsFile: natsCredentials,
    stream: natsStream,
    subjectPrefix: natsSubjectPrefix,
    keepMs: eventRetentionSeconds * 1_000,
  });
  const forwarder = startForwarder({ database, sink, origin, log });
  return {
    nudge: () => forwarder.nudge(),
    async stop() {
      await forwarder.stop();
      await database.close();
    },
  };
}

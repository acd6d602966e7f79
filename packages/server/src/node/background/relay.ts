/**
 * The role `relay`: moves events from the outbox to the event log, and forwards them if configured. One node at a
 * time does.
 */
import type { Database } from '../../database/database.ts';
import { measureOutbox } from '../../events/outbox.ts';
import { startRelay } from '../../events/relay.ts';
import { fanOutToWebhooks } from '../../webhooks/fan-out.ts';
import { type Loop, logTo, type RoleDependencies } from './dependencies.ts';
import { startForwarding } from './forwarding.ts';

/** Starts the role. */
export function startRelayRole(dependencies: RoleDependencies, database: Database): Loop {
  const { signals, metrics, log } = dependencies;
  const relay = startRelay({
    database,
    fanOut: fanOutToWebhooks,
    logged: (organizationIds) => signals.emit('logged', organizationIds),
    log: logTo(log),
  });
  signals.on('committed', () => relay.nudge());
  metrics.watchOutbox(() => measureOutbox(database));
  const forwarding = startForwarding(dependencies, database);
  return {
    async stop() {
      await relay.stop();
      // The last events may stay unforwarded: the next process continues from the cursors.
      await forwarding?.stop();
    },
  };
}

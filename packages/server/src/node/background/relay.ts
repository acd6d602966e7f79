/**
 * The role `relay`: moves events from the outbox to the event log, and forwards them if configured. One node at a
 * time does.
 */

import { type Loop, logTo, type RoleDependencies } from '../../kernel/background/roles.ts';
import type { Database } from '../../kernel/database/database.ts';
import { type FanOut, measureOutbox } from '../../kernel/events/outbox.ts';
import { startRelay } from '../../kernel/events/relay.ts';
import { startForwarding } from './forwarding.ts';

/** Starts the role. @param fanOut of features: statements about logged events */
export function startRelayRole(fanOut: FanOut, dependencies: RoleDependencies, database: Database): Loop {
  const { signals, metrics, log } = dependencies;
  const relay = startRelay({
    database,
    fanOut,
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

/**
 * The role `relay`: moves events from the outbox to the event log, and forwards them if configured. One node at a
 * time does.
 */
import { addUp, measureOutbox } from '../../events/outbox.ts';
import { startRelay } from '../../events/relay.ts';
import { fanOutToWebhooks } from '../../webhooks/fan-out.ts';
import { type Loop, logTo, type RoleDependencies } from './dependencies.ts';
import { startForwarding } from './forwarding.ts';
import type { Workplaces } from './workplaces.ts';

/** Starts the role. */
export function startRelayRole(dependencies: RoleDependencies, workplaces: Workplaces): Loop {
  const { signals, metrics, log } = dependencies;
  const relay = startRelay({
    database: workplaces.worker,
    places: () => workplaces.list(),
    fanOut: fanOutToWebhooks,
    logged: (organizationIds) => signals.emit('logged', organizationIds),
    log: logTo(log),
  });
  signals.on('committed', () => relay.nudge());
  metrics.watchOutbox(async () => addUp(await workplaces.everywhere(measureOutbox)));
  const forwarding = startForwarding(dependencies, workplaces);
  return {
    async stop() {
      await relay.stop();
      // The last events may stay unforwarded: the next process continues from the cursors.
      await forwarding?.stop();
    },
  };
}

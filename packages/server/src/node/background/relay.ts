/**
 * Why: the role `relay` makes the event log of what writes left in the outbox, and sends it on where that is configured. One
 * node at a time does; the others wait.
 */
import type { Database } from '../../database/database.ts';
import { measureOutbox } from '../../events/outbox.ts';
import { startRelay } from '../../events/relay.ts';
import { fanOutToWebhooks } from '../../webhooks/fan-out.ts';
import { startForwarding } from './forwarding.ts';
import { type Loop, logTo, type Surroundings } from './surroundings.ts';

/** Starts it. */
export function startRelayRole(surroundings: Surroundings, worker: Database): Loop {
  const { signals, metrics, log } = surroundings;
  const relay = startRelay({
    database: worker,
    fanOut: fanOutToWebhooks,
    logged: (organizationIds) => signals.tell('logged', organizationIds),
    log: logTo(log),
  });
  signals.on('committed', () => relay.nudge());
  metrics.watchOutbox(() => measureOutbox(worker));
  const forwarding = startForwarding(surroundings, worker);
  return {
    async stop() {
      await relay.stop();
      // What was logged last may be left: whoever forwards next goes on from the cursors.
      await forwarding?.stop();
    },
  };
}

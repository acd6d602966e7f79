/** The role `delivery`: sends webhook deliveries. Any number of nodes may have it. */

import { type Loop, logTo, type RoleDependencies } from '../../kernel/background/roles.ts';
import type { Database } from '../../kernel/database/database.ts';
import { type DeliveryOutcome, startDelivery } from './delivery-loop.ts';
import type { WebhookSettings } from './settings.ts';

/** Starts the role. */
export function startDeliveryRole(
  settings: WebhookSettings,
  dependencies: RoleDependencies,
  worker: Database,
): Loop {
  const { api, models, signals, metrics, origin, log } = dependencies;
  const delivery = startDelivery({
    worker,
    api,
    models,
    ...settings,
    origin,
    nudge: () => signals.emit('committed'),
    ended: metrics.counter<DeliveryOutcome>(
      'trellis_webhook_deliveries_total',
      'Attempts to deliver: succeeded; retried (failed, with another attempt to come); failed (the last attempt); postponed by a fault of this server.',
      ['succeeded', 'retried', 'failed', 'postponed'],
    ),
    log: logTo(log),
  });
  signals.on('logged', () => delivery.nudge());
  return delivery;
}

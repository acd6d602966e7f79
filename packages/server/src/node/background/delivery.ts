/** The role `delivery`: sends webhook deliveries. Any number of nodes may have it. */
import type { Database } from '../../database/database.ts';
import { startDelivery } from '../../webhooks/delivery-loop.ts';
import { type Loop, logTo, type RoleDependencies } from './dependencies.ts';

/** Starts the role. */
export function startDeliveryRole(dependencies: RoleDependencies, worker: Database): Loop {
  const { api, models, webhooks, signals, metrics, origin, log } = dependencies;
  const delivery = startDelivery({
    worker,
    api,
    models,
    ...webhooks,
    origin,
    nudge: () => signals.emit('committed'),
    ended: metrics.countDelivery,
    log: logTo(log),
  });
  signals.on('logged', () => delivery.nudge());
  return delivery;
}

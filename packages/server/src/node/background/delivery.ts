/** Why: the role `delivery` calls the webhooks that the relay has found to be due. Any number of nodes do so side by side. */
import type { Database } from '../../database/database.ts';
import { startDelivery } from '../../webhooks/delivery.ts';
import { type Loop, logTo, type Surroundings } from './surroundings.ts';

/** Starts it. */
export function startDeliveryRole(surroundings: Surroundings, worker: Database): Loop {
  const { api, models, webhooks, signals, metrics, origin, log } = surroundings;
  const delivery = startDelivery({
    worker,
    api,
    models,
    ...webhooks,
    origin,
    nudge: () => signals.tell('committed'),
    ended: metrics.countDelivery,
    log: logTo(log),
  });
  signals.on('logged', () => delivery.nudge());
  return delivery;
}

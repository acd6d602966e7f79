/** The role `delivery`: sends webhook deliveries. Any number of nodes may have it. */
import { startDelivery } from '../../webhooks/delivery.ts';
import { type Loop, logTo, type RoleDependencies } from './dependencies.ts';
import type { Workplaces } from './workplaces.ts';

/** Starts the role. */
export function startDeliveryRole(dependencies: RoleDependencies, workplaces: Workplaces): Loop {
  const { models, webhooks, signals, metrics, origin, log } = dependencies;
  const deliveries = workplaces.run((place) =>
    startDelivery({
      worker: place,
      api: place.api,
      models,
      ...webhooks,
      origin,
      nudge: () => signals.emit('committed'),
      ended: metrics.countDelivery,
      log: logTo(log),
    }),
  );
  signals.on('logged', () => {
    for (const delivery of deliveries.running) delivery.nudge();
  });
  return deliveries;
}

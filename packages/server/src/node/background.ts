/**
 * The background work of a node: starts the roles it has and stops them with the node. Each role may run on several nodes
 * at once. The roles themselves are in `background/`.
 */

import { combineLoops, type Loop, type RoleDependencies, type RoleWork } from '../kernel/background/roles.ts';
import type { Role } from '../kernel/config/roles.ts';
import type { FanOut } from '../kernel/events/outbox.ts';
import type { Feature } from '../kernel/feature.ts';
import { startIndexerRole } from './background/indexer.ts';
import { startRelayRole } from './background/relay.ts';
import { startSchedulerRole, startSweepsWithoutWorker } from './background/scheduler.ts';
import { openDatabase } from './installation.ts';

/** The work of all roles, in the order in which they are started. */
function roleWorks(features: readonly Feature[]): readonly RoleWork[] {
  const fanOut: FanOut = (events) => features.flatMap(({ background }) => background?.fanOut?.(events) ?? []);
  return [
    {
      role: 'relay',
      omitted: 'does not move events to the log',
      // Two for logging events; forwarding and measuring the outbox must not delay it.
      poolSize: 4,
      start: (dependencies, worker) => startRelayRole(fanOut, dependencies, worker),
    },
    {
      role: 'scheduler',
      omitted:
        'makes no timed changes and does not delete old events, deliveries, idempotency keys, visitors and deleted records',
      // Timed changes do not wait for sweeps, each of which uses one connection at a time.
      poolSize: 6,
      start: (dependencies, worker) => startSchedulerRole(features, dependencies, worker),
      startWithoutWorker: (dependencies) => startSweepsWithoutWorker(features, dependencies),
    },
    { role: 'indexer', omitted: 'does not index long texts', poolSize: 1, start: startIndexerRole },
    ...features.flatMap(({ background }) => background?.roles ?? []),
  ];
}

/**
 * Starts the background roles among these. Without the URL of the worker role, only little can be done; a warning
 * says so.
 */
export function startBackground(
  features: readonly Feature[],
  roles: readonly Role[],
  workerUrl: string | null,
  dependencies: RoleDependencies,
): Loop {
  const { config, log } = dependencies;
  const chosen = roleWorks(features).filter(({ role }) => roles.includes(role));
  if (workerUrl === null) {
    if (chosen.length > 0) {
      const consequences = chosen.map(({ omitted }) => omitted).join(', ');
      log.warn(`TRELLIS_DATABASE_WORKER_URL is not set: this node ${consequences}`);
    }
    return combineLoops(
      chosen.flatMap(({ startWithoutWorker }) =>
        startWithoutWorker ? [startWithoutWorker(dependencies)] : [],
      ),
    );
  }
  const start = (work: RoleWork): Loop => {
    const worker = openDatabase(config, workerUrl, {
      poolSize: work.poolSize,
      name: `trellis ${work.role}`,
      log: (message, detail) => log.warn(detail, message),
    });
    const loop = work.start(dependencies, worker);
    return {
      async stop() {
        await loop.stop();
        await worker.close();
      },
    };
  };
  const relay = chosen.filter(({ role }) => role === 'relay').map(start);
  const others = chosen.filter(({ role }) => role !== 'relay').map(start);
  return {
    async stop() {
      await combineLoops(others).stop();
      // Last, so that events of the other roles are still logged.
      await combineLoops(relay).stop();
    },
  };
}

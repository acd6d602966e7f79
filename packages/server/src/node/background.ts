/**
 * The background work of a node: starts the roles it has and stops them with the node. Each role may run on several nodes
 * at once. The roles themselves are in `background/`.
 */

import type { BackgroundRole, Role } from '../config/roles.ts';
import type { Database } from '../database/database.ts';
import { startDeliveryRole } from './background/delivery.ts';
import type { Loop, RoleDependencies } from './background/dependencies.ts';
import { startExtractorRole } from './background/extractor.ts';
import { startIndexerRole } from './background/indexer.ts';
import { startRelayRole } from './background/relay.ts';
import { startSchedulerRole, sweepFileContents } from './background/scheduler.ts';
import { openDatabase } from './installation.ts';

interface RoleWork {
  readonly role: BackgroundRole;
  /** What does not happen on a node that has the role but no connection as the worker role of the database. */
  readonly omitted: string;
  /** Connections as the worker role: a separate pool, so that roles do not wait for each other. */
  readonly poolSize: number;
  readonly start: (dependencies: RoleDependencies, worker: Database) => Loop;
  /** The part of the role that needs no such connection. */
  readonly startWithoutWorker?: (dependencies: RoleDependencies) => Loop;
}

/** In the order in which they are started. */
const roleWorks: readonly RoleWork[] = [
  // Two for logging events; forwarding and measuring the outbox must not delay it.
  { role: 'relay', omitted: 'does not move events to the log', poolSize: 4, start: startRelayRole },
  { role: 'delivery', omitted: 'does not send webhooks', poolSize: 3, start: startDeliveryRole },
  {
    role: 'scheduler',
    omitted:
      'makes no timed changes and does not delete old events, deliveries, idempotency keys, visitors and deleted records',
    // Timed changes do not wait for sweeps, each of which uses one connection at a time.
    poolSize: 6,
    start: startSchedulerRole,
    startWithoutWorker: sweepFileContents,
  },
  { role: 'extractor', omitted: 'does not extract text from files', poolSize: 2, start: startExtractorRole },
  { role: 'indexer', omitted: 'does not index long texts', poolSize: 1, start: startIndexerRole },
];

/**
 * Starts the background roles among these. Without the URL of the worker role, only little can be done; a warning
 * says so.
 */
export function startBackground(
  roles: readonly Role[],
  workerUrl: string | null,
  dependencies: RoleDependencies,
): Loop {
  const { config, log } = dependencies;
  const chosen = roleWorks.filter(({ role }) => roles.includes(role));
  if (workerUrl === null) {
    if (chosen.length > 0) {
      const consequences = chosen.map(({ omitted }) => omitted).join(', ');
      log.warn(`TRELLIS_DATABASE_WORKER_URL is not set: this node ${consequences}`);
    }
    return combine(
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
      await combine(others).stop();
      // Last, so that events of the other roles are still logged.
      await combine(relay).stop();
    },
  };
}

function combine(loops: readonly Loop[]): Loop {
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/**
 * Why: what a node does without being asked: logging events, calling webhooks, keeping times, reading files. Each role is
 * safe on several nodes at once and ends when the node does. The roles themselves stand in `background/`.
 */

import type { BackgroundRole, Role } from '../config/roles.ts';
import type { Database } from '../database/database.ts';
import { startDeliveryRole } from './background/delivery.ts';
import { startExtractorRole } from './background/extractor.ts';
import { startIndexerRole } from './background/indexer.ts';
import { startRelayRole } from './background/relay.ts';
import { startSchedulerRole, sweepContents } from './background/scheduler.ts';
import type { Loop, Surroundings } from './background/surroundings.ts';
import { openDatabase } from './installation.ts';

interface RoleWork {
  readonly role: BackgroundRole;
  /** What a node says that it does not do, when it has the role and cannot connect as the database's background role. */
  readonly neglects: string;
  /** Connections as the database's background role: a pool of its own, so that no role waits for another one. */
  readonly poolSize: number;
  readonly start: (surroundings: Surroundings, worker: Database) => Loop;
  /** What of it needs no such connection. */
  readonly startWithout?: (surroundings: Surroundings) => Loop;
}

/** In the order in which they are started. */
const roleWorks: readonly RoleWork[] = [
  // Logging events takes two; neither who sends them on nor who asks how many wait may make it wait.
  { role: 'relay', neglects: 'logs no events', poolSize: 4, start: startRelayRole },
  { role: 'delivery', neglects: 'calls no webhooks', poolSize: 3, start: startDeliveryRole },
  {
    role: 'scheduler',
    neglects:
      'makes no timed changes and deletes no old events and deliveries and no expired idempotency keys and visitors',
    // Timed changes do not wait for sweeps, each of which uses one at a time.
    poolSize: 6,
    start: startSchedulerRole,
    startWithout: sweepContents,
  },
  { role: 'extractor', neglects: 'extracts no texts of files', poolSize: 2, start: startExtractorRole },
  { role: 'indexer', neglects: 'indexes no long texts', poolSize: 1, start: startIndexerRole },
];

/** Starts those of the roles that work in the background. Without the URL of the background role little is done, which is said once. */
export function startBackground(
  roles: readonly Role[],
  workerUrl: string | null,
  surroundings: Surroundings,
): Loop {
  const { log } = surroundings;
  const chosen = roleWorks.filter(({ role }) => roles.includes(role));
  if (workerUrl === null) {
    if (chosen.length > 0) {
      const neglected = chosen.map(({ neglects }) => neglects).join(', ');
      log.warn(`TRELLIS_DATABASE_WORKER_URL is not set: this node ${neglected}`);
    }
    return together(chosen.flatMap(({ startWithout }) => (startWithout ? [startWithout(surroundings)] : [])));
  }
  const open = ({ role, poolSize }: RoleWork) =>
    openDatabase(surroundings.config, workerUrl, {
      poolSize,
      name: `trellis ${role}`,
      log: (message, detail) => log.warn(detail, message),
    });
  const start = (work: RoleWork): Loop => {
    const worker = open(work);
    const loop = work.start(surroundings, worker);
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
      await together(others).stop();
      // Last: what the others did is still told.
      await together(relay).stop();
    },
  };
}

function together(loops: readonly Loop[]): Loop {
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

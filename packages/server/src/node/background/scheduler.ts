/**
 * The role `scheduler`: timed changes and periodic clean-up. Every loop that runs by the clock is listed here. Any number
 * of nodes may run them.
 */

import type { Database } from '../../database/database.ts';
import { startRetention } from '../../events/retention.ts';
import { sweepHistory } from '../../pipeline/history-retention.ts';
import { finishErasures } from '../../pipeline/write/erasure.ts';
import { sweepIdempotencyKeys } from '../../pipeline/write/idempotency/retention.ts';
import { sweepGraceMs, sweepObjects } from '../../resources/knowledge-files/object-sweep.ts';
import { startScheduler } from '../../scheduler/scheduler.ts';
import { purgeDueRecords } from '../../trash/sweep.ts';
import { sweepVisitors } from '../../visitors/sweep.ts';
import { sweepDeliveries } from '../../webhooks/retention.ts';
import { type Loop, logTo, type RoleDependencies, repeat } from './dependencies.ts';

/** Intervals in ms. */
const contentSweepMs = 3_600_000;
const deliverySweepMs = 3_600_000;
const visitorSweepMs = 600_000;
const idempotencySweepMs = 600_000;
const historySweepMs = 86_400_000;
const trashSweepMs = 600_000;

/** Starts all loops. */
export function startSchedulerRole(dependencies: RoleDependencies, worker: Database): Loop {
  const loops = [
    startTimedChanges(dependencies, worker),
    startLogRetention(dependencies, worker),
    sweepOldDeliveries(dependencies, worker),
    sweepIdempotency(dependencies, worker),
    sweepOldChanges(dependencies, worker),
    sweepExpiredVisitors(dependencies, worker),
    sweepTrash(dependencies, worker),
    sweepFileContents(dependencies),
  ];
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/** Publishes and unpublishes articles on time, and expires files. */
function startTimedChanges({ api, models, signals, log }: RoleDependencies, worker: Database): Loop {
  const nudge = () => signals.emit('committed');
  return startScheduler({ worker, api, models, nudge, log });
}

/** Deletes contents that no file refers to. It needs no worker role of the database. */
export function sweepFileContents({ api, objects, log }: RoleDependencies): Loop {
  return repeat('unreferenced file contents', contentSweepMs, log, (signal) =>
    sweepObjects({ api, objects, graceMs: sweepGraceMs, now: Date.now(), signal, log }),
  );
}

/** Creates the coming partitions of the event log and drops the old ones. */
function startLogRetention({ config, log }: RoleDependencies, worker: Database): Loop {
  const retentionDays = Math.floor(config.eventRetentionSeconds / 86_400);
  return startRetention({ database: worker, retentionDays, log: logTo(log) });
}

function sweepOldDeliveries({ log }: RoleDependencies, worker: Database): Loop {
  return repeat('old webhook deliveries', deliverySweepMs, log, async (signal) => {
    const deleted = await sweepDeliveries(worker, signal);
    if (deleted > 0) log.info({ deleted }, 'Deleted old webhook deliveries');
  });
}

function sweepIdempotency({ config, log }: RoleDependencies, worker: Database): Loop {
  const { idempotencyRetentionSeconds } = config;
  return repeat('expired idempotency keys', idempotencySweepMs, log, async (signal) => {
    const deleted = await sweepIdempotencyKeys(worker, idempotencyRetentionSeconds, signal);
    if (deleted > 0) log.info({ deleted }, 'Deleted expired idempotency keys');
    const erased = await finishErasures(worker, signal);
    if (erased > 0) log.info({ erased }, 'Erased the changes of deleted records');
  });
}

function sweepOldChanges({ config, log }: RoleDependencies, worker: Database): Loop {
  return repeat('the history of records', historySweepMs, log, async (signal) => {
    const deleted = await sweepHistory(worker, config.idempotencyRetentionSeconds, signal);
    if (deleted > 0) log.info({ deleted }, 'Deleted old changes of records');
  });
}

function sweepExpiredVisitors({ log }: RoleDependencies, worker: Database): Loop {
  return repeat('expired visitors', visitorSweepMs, log, async (signal) => {
    const swept = await sweepVisitors(worker, new Date(), signal);
    if (swept.visitors + swept.identifications > 0) log.info(swept, 'Deleted expired visitors');
  });
}

function sweepTrash({ api, models, signals, log }: RoleDependencies, worker: Database): Loop {
  const nudge = () => signals.emit('committed');
  return repeat('the trash', trashSweepMs, log, async (signal) => {
    const purged = await purgeDueRecords({ worker, api, models, nudge, now: new Date(), signal });
    if (purged > 0) log.info({ purged }, 'Purged deleted records whose time in the trash was over');
  });
}

/** The role `scheduler`: timed changes and periodic clean-up, of features and of the kernel. Any number of nodes may run it. */

import {
  combineLoops,
  type Loop,
  logTo,
  type RoleDependencies,
  repeat,
} from '../../kernel/background/roles.ts';
import type { Database } from '../../kernel/database/database.ts';
import { startRetention } from '../../kernel/events/retention.ts';
import type { Feature } from '../../kernel/feature.ts';
import { sweepHistory } from '../../kernel/pipeline/history-retention.ts';
import { finishErasures } from '../../kernel/pipeline/write/erasure.ts';
import { sweepIdempotencyKeys } from '../../kernel/pipeline/write/idempotency/retention.ts';

/** Intervals in ms. */
const idempotencySweepMs = 600_000;
const historySweepMs = 86_400_000;

/** Starts all loops. */
export function startSchedulerRole(
  features: readonly Feature[],
  dependencies: RoleDependencies,
  worker: Database,
): Loop {
  return combineLoops([
    startLogRetention(dependencies, worker),
    sweepIdempotency(dependencies, worker),
    sweepOldChanges(dependencies, worker),
    ...features.flatMap(({ background }) => background?.scheduled?.(dependencies, worker) ?? []),
    startSweepsWithoutWorker(features, dependencies),
  ]);
}

/** Starts the loops that need no worker role of the database. */
export function startSweepsWithoutWorker(features: readonly Feature[], dependencies: RoleDependencies): Loop {
  return combineLoops(
    features.flatMap(({ background }) => background?.scheduledWithoutWorker?.(dependencies) ?? []),
  );
}

/** Creates the coming partitions of the event log and drops the old ones. */
function startLogRetention({ config, log }: RoleDependencies, worker: Database): Loop {
  const retentionDays = Math.floor(config.eventRetentionSeconds / 86_400);
  return startRetention({ database: worker, retentionDays, log: logTo(log) });
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

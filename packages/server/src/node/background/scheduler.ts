/**
 * Why: the role `scheduler` does what only time asks for. Every loop that works by the clock stands in one list here. Any
 * number of nodes may run them; each loop sees to it that they do not get in each other's way.
 */

import type { Database } from '../../database/database.ts';
import { startRetention } from '../../events/retention.ts';
import { trimStoredAnswers } from '../../pipeline/answer-budget.ts';
import { finishErasures } from '../../pipeline/answer-erasure.ts';
import { sweepIdempotencyKeys } from '../../pipeline/idempotency-retention.ts';
import { sweepGraceMs, sweepObjects } from '../../resources/knowledge-files/object-sweep.ts';
import { startScheduler } from '../../scheduler/scheduler.ts';
import { sweepVisitors } from '../../visitors/sweep.ts';
import { sweepDeliveries } from '../../webhooks/retention.ts';
import { type Loop, logTo, repeat, type Surroundings } from './surroundings.ts';

/** How often each is looked for, in ms. */
const contentSweepMs = 3_600_000;
const deliverySweepMs = 3_600_000;
const visitorSweepMs = 600_000;
const idempotencySweepMs = 600_000;

/** Starts all of it. */
export function startSchedulerRole(surroundings: Surroundings, worker: Database): Loop {
  const loops = [
    changeOnTime(surroundings, worker),
    keepLog(surroundings, worker),
    forgetDeliveries(surroundings, worker),
    forgetKeys(surroundings, worker),
    forgetVisitors(surroundings, worker),
    sweepContents(surroundings),
  ];
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/** Publishes and unpublishes articles, and ends files that expire. */
function changeOnTime({ api, models, signals, log }: Surroundings, worker: Database): Loop {
  return startScheduler({ worker, api, models, nudge: () => signals.tell('committed'), log });
}

/** Removes contents that no file refers to. The one loop that needs no background role of the database. */
export function sweepContents({ api, objects, log }: Surroundings): Loop {
  return repeat('unreferenced file contents', contentSweepMs, log, (signal) =>
    sweepObjects({ api, objects, graceMs: sweepGraceMs, now: Date.now(), signal, log }),
  );
}

/** Makes the coming partitions of the event log and drops the old ones. */
function keepLog({ config, log }: Surroundings, worker: Database): Loop {
  const retentionDays = Math.floor(config.eventRetentionSeconds / 86_400);
  return startRetention({ database: worker, retentionDays, log: logTo(log) });
}

function forgetDeliveries({ log }: Surroundings, worker: Database): Loop {
  return repeat('old webhook deliveries', deliverySweepMs, log, async (signal) => {
    const deleted = await sweepDeliveries(worker, signal);
    if (deleted > 0) log.info({ deleted }, 'old webhook deliveries were deleted');
  });
}

function forgetKeys({ config, log }: Surroundings, worker: Database): Loop {
  return repeat('expired idempotency keys', idempotencySweepMs, log, async (signal) => {
    const deleted = await sweepIdempotencyKeys(worker, config.idempotencyRetentionSeconds, signal);
    if (deleted > 0) log.info({ deleted }, 'expired idempotency keys were deleted');
    const erased = await finishErasures(worker, signal);
    if (erased > 0) log.info({ erased }, 'stored answers about deleted records were erased');
    for (const trimmed of await trimStoredAnswers(worker, config.storedAnswerBytes, signal)) {
      log.warn(trimmed, 'an organization has more stored answers than its budget; the oldest were dropped');
    }
  });
}

function forgetVisitors({ log }: Surroundings, worker: Database): Loop {
  return repeat('expired visitors', visitorSweepMs, log, async (signal) => {
    const swept = await sweepVisitors(worker, new Date(), signal);
    if (swept.visitors + swept.identifications > 0) log.info(swept, 'expired visitors were deleted');
  });
}

/**
 * The relay moves events from the outbox to the event log. One process at a time does so, however many nodes run this
 * loop, so that readers see the events in one order. It may be killed, suspended or disconnected at any moment: `outbox.ts`
 * moves each batch completely or not at all, and `lease.ts` prevents two processes from moving at once.
 */

import type { DatabaseFailure } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import { describeProblem } from '../database/failures.ts';
import { traceWork } from '../lib/tracing.ts';
import type { Lease } from './lease.ts';
import { LeasedLoop, type LoopTiming, type WorkFound } from './leased-loop.ts';
import { type FanOut, moveToEventLog, OutboxChangedError, readOutbox } from './outbox.ts';
import { createEventPartitions } from './retention.ts';

export interface RelayOptions {
  /** Pool of the role `trellis_worker`. Two connections suffice: the lease is renewed while the outbox is read. */
  readonly database: Database;
  /** Further steps of the transaction that logs events; by default none. */
  readonly fanOut?: FanOut;
  /** Called after a commit that logged events, with their organizations. */
  readonly logged?: (organizationIds: ReadonlySet<string>) => void;
  readonly log: (message: string, detail: Record<string, unknown>) => void;
  readonly timing?: Partial<LoopTiming>;
  readonly sizes?: Partial<RelaySizes>;
}

interface RelaySizes {
  /** Maximum number of events of one transaction. Its messages have to fit into the buffers of a connection. */
  readonly batch: number;
  /** Maximum number of events read at once: a read has to sort the whole outbox, so several batches share one. */
  readonly readAhead: number;
}

const defaultTiming: LoopTiming = {
  leaseMs: 5_000,
  standbyMs: 1_000,
  pollMs: 200,
  gatherMs: 20,
  firstBackoffMs: 100,
  lastBackoffMs: 2_000,
};
const defaultSizes: RelaySizes = { batch: 500, readAhead: 5_000 };

/** A relay that runs until it is stopped. */
export interface Relay {
  /** Announces that a transaction with events has committed in this process. */
  nudge(): void;
  /** The term of the lease while this process has it, as far as it knows; otherwise null. */
  term(): number | null;
  /** Finishes the current batch and releases the lease. Never rejects. */
  stop(): Promise<void>;
}

/** Starts the loop. Failures are logged and retried; it ends only with `stop`. */
export function startRelay(options: RelayOptions): Relay {
  const { database, log } = options;
  const sizes = { ...defaultSizes, ...options.sizes };
  const loop = new LeasedLoop({
    database,
    lease: 'relay',
    title: 'the relay',
    timing: { ...defaultTiming, ...options.timing },
    log,
    runOnce: (lease, self) => moveWaiting(options, sizes, lease, self),
    repair: (error) => repair(options, error),
  });
  return {
    nudge: () => loop.nudge(),
    term: () => loop.term(),
    stop: () => loop.stop(),
  };
}

async function moveWaiting(
  { database, fanOut = () => [], logged }: RelayOptions,
  { batch, readAhead }: RelaySizes,
  lease: Lease,
  loop: LeasedLoop,
): Promise<WorkFound> {
  // Reads all rows of the outbox and dead rows that a backup keeps visible, so the time it takes is unbounded.
  const waiting = await loop.renewDuring(lease, () => readOutbox(database, readAhead));
  for (let next = 0; next < waiting.length && !loop.isEnding(); next += batch) {
    const events = waiting.slice(next, next + batch);
    const moved = await traceWork(
      { name: 'relay events', kind: 'internal', attributes: { 'trellis.events': events.length } },
      () => moveToEventLog(database, lease, events, fanOut),
    );
    loop.markRenewed();
    logged?.(new Set(moved.map(({ organizationId }) => organizationId)));
  }
  if (waiting.length === 0) return 'none';
  return waiting.length < batch ? 'partial' : 'full';
}

async function repair({ database, log }: RelayOptions, error: unknown): Promise<boolean> {
  if (error instanceof OutboxChangedError) return true;
  // check_violation: the log has no partition for this instant, because none were created for weeks.
  if ((error as DatabaseFailure).code === '23514') {
    await createEventPartitions(database).catch((failure: unknown) =>
      log('Partitions of the event log are missing and could not be created', {
        reason: describeProblem(failure),
      }),
    );
  }
  return false;
}

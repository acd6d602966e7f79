/**
 * Why: events reach readers from one place in one order. The relay is that place: one process at a time, however many
 * nodes run this loop, takes what writes left in the outbox and makes the event log of it. It may be killed, frozen or
 * cut off at any moment: `outbox.ts` moves each batch whole or not at all, and `lease.ts` keeps two from moving at once.
 */
import type { Database } from '../database/database.ts';
import { describeProblem } from '../database/failures.ts';
import type { DatabaseFailure } from '../database/flight.ts';
import type { Lease } from './lease.ts';
import { type Found, LeasedLoop, type LoopTiming } from './leased-loop.ts';
import { type FanOut, moveToEventLog, OutboxChangedError, readOutbox } from './outbox.ts';
import { createEventPartitions } from './retention.ts';

export interface RelayOptions {
  /** Pool of the role `trellis_worker`. Two connections are enough: the lease is renewed while the outbox is read. */
  readonly database: Database;
  /** What else to do in the transaction that logs events; nothing unless given. */
  readonly fanOut?: FanOut;
  /** Called after a commit that logged events, with their organizations: who waits for them may look. */
  readonly logged?: (organizationIds: ReadonlySet<string>) => void;
  readonly log: (message: string, detail: Record<string, unknown>) => void;
  readonly timing?: Partial<LoopTiming>;
  readonly sizes?: Partial<RelaySizes>;
}

export interface RelaySizes {
  /** Most events of one transaction. Few enough that its messages fit into the buffers of a connection. */
  readonly batch: number;
  /** Most events read at once: finding them costs a look at all that wait, which many batches share. */
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
  /** Says that a transaction with events has committed in this process. */
  nudge(): void;
  /** Term of the lease while this process holds it, as far as it knows; null while another one does. */
  term(): number | null;
  /** Finishes the batch in hand and lets the next process have the lease. Never rejects. */
  stop(): Promise<void>;
}

/** Starts the loop. Failures are logged and tried again; it ends only by `stop`. */
export function startRelay(options: RelayOptions): Relay {
  const { database, log } = options;
  return new LeasedLoop({
    database,
    lease: 'relay',
    title: 'the relay',
    timing: { ...defaultTiming, ...options.timing },
    log,
    turn: (lease, loop) => moveWaiting(options, { ...defaultSizes, ...options.sizes }, lease, loop),
    mend: (error) => mend(options, error),
  });
}

async function moveWaiting(
  { database, fanOut = () => [], logged }: RelayOptions,
  { batch, readAhead }: RelaySizes,
  lease: Lease,
  loop: LeasedLoop,
): Promise<Found> {
  // It looks at all that waits, and at rows deleted long ago that a backup still keeps: nobody can tell how long it takes.
  const waiting = await loop.keepDuring(lease, () => readOutbox(database, readAhead));
  for (let next = 0; next < waiting.length && !loop.stopping(); next += batch) {
    const moved = await moveToEventLog(database, lease, waiting.slice(next, next + batch), fanOut);
    loop.noteRenewal();
    logged?.(new Set(moved.map(({ organizationId }) => organizationId)));
  }
  if (waiting.length === 0) return 'nothing';
  return waiting.length < batch ? 'little' : 'much';
}

async function mend({ database, log }: RelayOptions, error: unknown): Promise<boolean> {
  if (error instanceof OutboxChangedError) return true;
  // check_violation: no partition of the log for this instant, because nobody has made partitions for weeks.
  if ((error as DatabaseFailure).code === '23514') {
    await createEventPartitions(database).catch((failure: unknown) =>
      log('partitions of the event log are missing', { reason: describeProblem(failure) }),
    );
  }
  return false;
}

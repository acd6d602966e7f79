/**
 * Why: events reach readers from one place in one order. The relay is that place: one process at a time, however many
 * nodes run this loop, takes what writes left in the outbox and makes the event log of it. It may be killed, frozen or
 * cut off at any moment: `outbox.ts` moves each batch whole or not at all, and `lease.ts` keeps two from moving at once.
 */
import { hostname } from 'node:os';
import type { Database } from '../database/database.ts';
import { describeProblem } from '../database/failures.ts';
import type { DatabaseFailure } from '../database/flight.ts';
import { giveLeaseBack, type Lease, LeaseLostError, renewLease, takeLease } from './lease.ts';
import { type FanOut, moveToEventLog, OutboxChangedError, readOutbox } from './outbox.ts';
import { Pause } from './pause.ts';
import { createEventPartitions } from './retention.ts';

export interface RelayOptions {
  /** Pool of the role `trellis_worker`. One connection is enough, and all that is used at a time. */
  readonly database: Database;
  /** What else to do in the transaction that logs events; nothing unless given. */
  readonly fanOut?: FanOut;
  /** Called after a commit that logged events: who waits for them may look. */
  readonly logged?: () => void;
  readonly log: (message: string, detail: Record<string, unknown>) => void;
  readonly timing?: Partial<RelayTiming>;
  readonly sizes?: Partial<RelaySizes>;
}

/** All in ms. */
export interface RelayTiming {
  /** How long the lease outlives its holder. With `standbyMs` after it, another process has taken over. */
  readonly leaseMs: number;
  /** How often a process that waits for the lease asks for it. */
  readonly standbyMs: number;
  /** How often the outbox is looked at without a nudge: commits of other processes give none. */
  readonly pollMs: number;
  /** Rest after a batch that was not full, so that many small writes are moved together. */
  readonly gatherMs: number;
  /** Rest after a failure: doubled from the first to the last. */
  readonly firstBackoffMs: number;
  readonly lastBackoffMs: number;
}

export interface RelaySizes {
  /** Most events of one transaction. Few enough that its messages fit into the buffers of a connection. */
  readonly batch: number;
  /** Most events read at once: finding them costs a look at all that wait, which many batches share. */
  readonly readAhead: number;
}

const defaultTiming: RelayTiming = {
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
  const loop = new RelayLoop(options);
  const ended = loop.run();
  return {
    nudge: () => loop.nudge(),
    term: () => loop.term(),
    stop() {
      loop.stop();
      return ended;
    },
  };
}

class RelayLoop {
  private readonly options: RelayOptions;
  private readonly timing: RelayTiming;
  private readonly sizes: RelaySizes;
  private readonly holder = `${hostname()} ${process.pid}`;
  /** Ended by nudges. */
  private readonly idle = new Pause();
  /** Ended by nothing but the end. */
  private readonly patience = new Pause();
  private lease: Lease | null = null;
  private renewAt = 0;
  private stopping = false;

  constructor(options: RelayOptions) {
    this.options = options;
    this.timing = { ...defaultTiming, ...options.timing };
    this.sizes = { ...defaultSizes, ...options.sizes };
  }

  nudge(): void {
    this.idle.callUp();
  }

  term(): number | null {
    return this.lease?.term ?? null;
  }

  stop(): void {
    this.stopping = true;
    this.idle.callUp();
    this.patience.callUp();
  }

  async run(): Promise<void> {
    let backoffMs = this.timing.firstBackoffMs;
    while (!this.stopping) {
      try {
        await this.turn();
        backoffMs = this.timing.firstBackoffMs;
      } catch (error) {
        if (await this.recover(error)) continue;
        // Half of it at random, so that nodes do not come back all at once.
        await this.patience.rest(backoffMs * (0.5 + Math.random() / 2));
        backoffMs = Math.min(backoffMs * 2, this.timing.lastBackoffMs);
      }
    }
    await this.giveUp();
  }

  /** One look at the lease or the outbox, and the rest that belongs to it. */
  private async turn(): Promise<void> {
    const lease = this.lease ?? (await this.take());
    if (lease === null) {
      await this.patience.rest(this.timing.standbyMs);
      return;
    }
    const found = await this.moveWaiting(lease);
    if (found === 0) {
      if (performance.now() >= this.renewAt) {
        await renewLease(this.options.database, lease);
        this.noteRenewal();
      }
      await this.idle.rest(this.timing.pollMs);
    } else if (found < this.sizes.batch) {
      await this.patience.rest(this.timing.gatherMs);
    }
  }

  private async take(): Promise<Lease | null> {
    this.lease = await takeLease(this.options.database, 'relay', this.holder, this.timing.leaseMs);
    if (this.lease !== null) {
      this.noteRenewal();
      this.options.log('this process is the relay', { term: this.lease.term });
    }
    return this.lease;
  }

  /** Returns how many events were found. */
  private async moveWaiting(lease: Lease): Promise<number> {
    const { database, fanOut = () => [] } = this.options;
    const waiting = await readOutbox(database, this.sizes.readAhead);
    for (let next = 0; next < waiting.length && !this.stopping; next += this.sizes.batch) {
      await moveToEventLog(database, lease, waiting.slice(next, next + this.sizes.batch), fanOut);
      this.noteRenewal();
      this.options.logged?.();
    }
    return waiting.length;
  }

  /** A third of the lease, so that one renewal may fail. The process only decides when to ask. */
  private noteRenewal(): void {
    this.renewAt = performance.now() + this.timing.leaseMs / 3;
  }

  /** Whether there is nothing to wait for after the failure. */
  private async recover(error: unknown): Promise<boolean> {
    const { database, log } = this.options;
    if (error instanceof LeaseLostError) {
      this.lease = null;
      log('another process is the relay now', { reason: error.message });
      return true;
    }
    if (error instanceof OutboxChangedError) return true;
    log('the relay failed and will try again', { reason: describeProblem(error) });
    // check_violation: no partition of the log for this instant, because nobody has made partitions for weeks.
    if ((error as DatabaseFailure).code === '23514') {
      await createEventPartitions(database).catch((failure: unknown) =>
        log('partitions of the event log are missing', { reason: describeProblem(failure) }),
      );
    }
    return false;
  }

  private async giveUp(): Promise<void> {
    if (this.lease === null) return;
    try {
      await giveLeaseBack(this.options.database, this.lease);
    } catch (error) {
      this.options.log('the lease of the relay runs out by itself', { reason: describeProblem(error) });
    }
    this.lease = null;
  }
}

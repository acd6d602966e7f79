/**
 * Why: some work goes on for ever, and only one process at a time may do it, however many nodes run the loop: relaying
 * events, forwarding them. Taking and keeping the lease, resting, and trying again after failures are the same for each.
 */
import { hostname } from 'node:os';
import type { Database } from '../database/database.ts';
import { describeProblem } from '../database/failures.ts';
import { giveLeaseBack, type Lease, LeaseLostError, renewLease, takeLease } from './lease.ts';
import { Pause } from './pause.ts';

/** All in ms. */
export interface LoopTiming {
  /** How long the lease outlives its holder. With `standbyMs` after it, another process has taken over. */
  readonly leaseMs: number;
  /** How often a process that waits for the lease asks for it. */
  readonly standbyMs: number;
  /** How often work is looked for without a nudge: commits of other processes give none. */
  readonly pollMs: number;
  /** Rest after a piece of work that was not full, so that many small ones are done together. */
  readonly gatherMs: number;
  /** Rest after a failure: doubled from the first to the last. */
  readonly firstBackoffMs: number;
  readonly lastBackoffMs: number;
}

/** How much there was to do, which decides how long to rest: until a nudge, a moment, not at all. */
export type Found = 'nothing' | 'little' | 'much';

export interface LoopOptions {
  /** Pool of the role `trellis_worker`. */
  readonly database: Database;
  /** One of the rows that the migrations put into `trellis.leases`. */
  readonly lease: string;
  /** Who holds it, for the log: `the relay`. */
  readonly title: string;
  readonly timing: LoopTiming;
  readonly log: (message: string, detail: Record<string, unknown>) => void;
  /** Looks for work once and does it, under the lease. */
  readonly turn: (lease: Lease, loop: LeasedLoop) => Promise<Found>;
  /** Does about a failure what can be done; whether there is nothing to wait for then. Nothing, unless given. */
  readonly mend?: (error: unknown) => Promise<boolean>;
}

/** The loop. Failures are logged and tried again; it ends only by `stop`. */
export class LeasedLoop {
  private readonly options: LoopOptions;
  private readonly holder = `${hostname()} ${process.pid}`;
  /** Ended by nudges. */
  private readonly idle = new Pause();
  /** Ended by nothing but the end. */
  private readonly patience = new Pause();
  private readonly ended: Promise<void>;
  private lease: Lease | null = null;
  private renewAt = 0;
  private isStopping = false;

  constructor(options: LoopOptions) {
    this.options = options;
    this.ended = this.run();
  }

  /** Says that there may be something to do. */
  nudge(): void {
    this.idle.callUp();
  }

  /** Term of the lease while this process holds it, as far as it knows; null while another one does. */
  term(): number | null {
    return this.lease?.term ?? null;
  }

  /** Whether a long turn should come to its end. */
  stopping(): boolean {
    return this.isStopping;
  }

  /** Finishes the turn and lets the next process have the lease. Never rejects. */
  stop(): Promise<void> {
    this.isStopping = true;
    this.idle.callUp();
    this.patience.callUp();
    return this.ended;
  }

  /** To be called after a transaction that has renewed the lease. */
  noteRenewal(): void {
    // A third of the lease, so that one renewal may fail. The process only decides when to ask.
    this.renewAt = performance.now() + this.options.timing.leaseMs / 3;
  }

  /** Renews the lease if a third of it is over: two thirds are left then. @throws LeaseLostError */
  async keep(lease: Lease): Promise<void> {
    if (performance.now() < this.renewAt) return;
    await renewLease(this.options.database, lease);
    this.noteRenewal();
  }

  /**
   * Renews the lease now and then while work goes on that may take longer than the lease lasts. A renewal that fails is
   * left to the next one; whoever changes anything afterwards finds out whether the lease is still held.
   */
  async keepDuring<T>(lease: Lease, work: () => Promise<T>): Promise<T> {
    const { database, timing } = this.options;
    const timer = setInterval(() => {
      renewLease(database, lease).then(
        () => this.noteRenewal(),
        () => undefined,
      );
    }, timing.leaseMs / 3);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }

  private async run(): Promise<void> {
    const { firstBackoffMs, lastBackoffMs } = this.options.timing;
    let backoffMs = firstBackoffMs;
    while (!this.isStopping) {
      try {
        await this.turn();
        backoffMs = firstBackoffMs;
      } catch (error) {
        if (await this.recover(error)) continue;
        // Half of it at random, so that nodes do not come back all at once.
        await this.patience.rest(backoffMs * (0.5 + Math.random() / 2));
        backoffMs = Math.min(backoffMs * 2, lastBackoffMs);
      }
    }
    await this.giveUp();
  }

  /** One look at the lease or for work, and the rest that belongs to it. */
  private async turn(): Promise<void> {
    const { timing } = this.options;
    const lease = this.lease ?? (await this.take());
    if (lease === null) {
      await this.patience.rest(timing.standbyMs);
      return;
    }
    const found = await this.options.turn(lease, this);
    if (found === 'nothing') {
      await this.keep(lease);
      await this.idle.rest(timing.pollMs);
    } else if (found === 'little') {
      await this.patience.rest(timing.gatherMs);
    }
  }

  private async take(): Promise<Lease | null> {
    const { database, lease, title, timing, log } = this.options;
    this.lease = await takeLease(database, lease, this.holder, timing.leaseMs);
    if (this.lease !== null) {
      this.noteRenewal();
      log(`this process is ${title}`, { term: this.lease.term });
    }
    return this.lease;
  }

  /** Whether there is nothing to wait for after the failure. */
  private async recover(error: unknown): Promise<boolean> {
    const { title, log, mend } = this.options;
    if (error instanceof LeaseLostError) {
      this.lease = null;
      log(`another process is ${title} now`, { reason: error.message });
      return true;
    }
    if (await mend?.(error)) return true;
    log(`${title} failed and will try again`, { reason: describeProblem(error) });
    return false;
  }

  private async giveUp(): Promise<void> {
    if (this.lease === null) return;
    const { database, title, log } = this.options;
    try {
      await giveLeaseBack(database, this.lease);
    } catch (error) {
      log(`the lease of ${title} runs out by itself`, { reason: describeProblem(error) });
    }
    this.lease = null;
  }
}

/**
 * A loop that only one process at a time runs, however many nodes start it, such as the relay and the forwarder. It
 * acquires and renews the lease, waits between iterations, and retries after failures.
 */
import { hostname } from 'node:os';
import type { Database } from '../database/database.ts';
import { describeProblem } from '../database/failures.ts';
import { acquireLease, type Lease, LeaseLostError, releaseLease, renewLease } from './lease.ts';
import { Pause } from './pause.ts';

/** Intervals in ms. */
export interface LoopTiming {
  /** How long the lease lasts. At most `standbyMs` later, another process takes over. */
  readonly leaseMs: number;
  /** How often a process without the lease tries to acquire it. */
  readonly standbyMs: number;
  /** How often the loop looks for work without a nudge: commits of other processes send none. */
  readonly pollMs: number;
  /** Delay after an iteration with little work, so that small changes are handled together. */
  readonly gatherMs: number;
  /** Delay after a failure, doubled each time up to `lastBackoffMs`. */
  readonly firstBackoffMs: number;
  readonly lastBackoffMs: number;
}

/** How much work an iteration found. It decides the delay: until a nudge, a moment, or none. */
export type WorkFound = 'none' | 'partial' | 'full';

export interface LoopOptions {
  /** Pool of the role `trellis_worker`. */
  readonly database: Database;
  /** A row that the migrations put into `trellis.leases`. */
  readonly lease: string;
  /** Name of the loop for the log: `the relay`. */
  readonly title: string;
  readonly timing: LoopTiming;
  readonly log: (message: string, detail: Record<string, unknown>) => void;
  /** Looks for work once and does it, under the lease. */
  readonly runOnce: (lease: Lease, loop: LeasedLoop) => Promise<WorkFound>;
  /** Tries to repair the cause of a failure. Returns whether to retry without a delay. */
  readonly repair?: (error: unknown) => Promise<boolean>;
}

/** The loop. Failures are logged and retried; it ends only with `stop`. */
export class LeasedLoop {
  private readonly options: LoopOptions;
  private readonly holder = `${hostname()} ${process.pid}`;
  /** Ended by nudges. */
  private readonly idle = new Pause();
  /** Ended only by `stop`. */
  private readonly delay = new Pause();
  private readonly ended: Promise<void>;
  private lease: Lease | null = null;
  private renewAt = 0;
  private isStopping = false;

  constructor(options: LoopOptions) {
    this.options = options;
    this.ended = this.run();
  }

  /** Announces that there may be work. */
  nudge(): void {
    this.idle.wake();
  }

  /** The term of the lease while this process has it, as far as it knows; otherwise null. */
  term(): number | null {
    return this.lease?.term ?? null;
  }

  /** Whether a long iteration should stop early. */
  isEnding(): boolean {
    return this.isStopping;
  }

  /** Finishes the iteration and releases the lease. Never rejects. */
  stop(): Promise<void> {
    this.isStopping = true;
    this.idle.wake();
    this.delay.wake();
    return this.ended;
  }

  /** Records that a transaction has renewed the lease. */
  markRenewed(): void {
    // A third of the lease, so that one renewal may fail. The local clock only decides when to renew.
    this.renewAt = performance.now() + this.options.timing.leaseMs / 3;
  }

  /** Renews the lease when a third of it has passed, so that at least two thirds are left. @throws LeaseLostError */
  async renewIfDue(lease: Lease): Promise<void> {
    if (performance.now() < this.renewAt) return;
    await renewLease(this.options.database, lease);
    this.markRenewed();
  }

  /**
   * Renews the lease during work that may take longer than the lease lasts. Failed renewals are ignored: the
   * transaction that changes anything afterwards checks the lease.
   */
  async renewDuring<T>(lease: Lease, work: () => Promise<T>): Promise<T> {
    const { database, timing } = this.options;
    const timer = setInterval(() => {
      renewLease(database, lease).then(
        () => this.markRenewed(),
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
        await this.iterate();
        backoffMs = firstBackoffMs;
      } catch (error) {
        if (await this.recover(error)) continue;
        // Half of it at random, so that nodes do not retry at the same time.
        await this.delay.wait(backoffMs * (0.5 + Math.random() / 2));
        backoffMs = Math.min(backoffMs * 2, lastBackoffMs);
      }
    }
    await this.release();
  }

  /** Acquires the lease or runs one iteration, then waits as long as the result requires. */
  private async iterate(): Promise<void> {
    const { timing } = this.options;
    const lease = this.lease ?? (await this.acquire());
    if (lease === null) {
      await this.delay.wait(timing.standbyMs);
      return;
    }
    const found = await this.options.runOnce(lease, this);
    if (found === 'none') {
      await this.renewIfDue(lease);
      await this.idle.wait(timing.pollMs);
    } else if (found === 'partial') {
      await this.delay.wait(timing.gatherMs);
    }
  }

  private async acquire(): Promise<Lease | null> {
    const { database, lease, title, timing, log } = this.options;
    this.lease = await acquireLease(database, lease, this.holder, timing.leaseMs);
    if (this.lease !== null) {
      this.markRenewed();
      log(`This process is ${title}`, { term: this.lease.term });
    }
    return this.lease;
  }

  /** Handles a failure. Returns whether to retry without a delay. */
  private async recover(error: unknown): Promise<boolean> {
    const { title, log, repair } = this.options;
    if (error instanceof LeaseLostError) {
      this.lease = null;
      log(`Another process is ${title} now`, { reason: error.message });
      return true;
    }
    if (await repair?.(error)) return true;
    log(`The loop of ${title} failed and will be retried`, { reason: describeProblem(error) });
    return false;
  }

  private async release(): Promise<void> {
    if (this.lease === null) return;
    const { database, title, log } = this.options;
    try {
      await releaseLease(database, this.lease);
    } catch (error) {
      log(`The lease of ${title} could not be released; it will expire`, { reason: describeProblem(error) });
    }
    this.lease = null;
  }
}

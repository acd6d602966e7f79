/**
 * Refuses requests while the process cannot keep up: a queue that only grows answers nobody in time. Who made it busy is
 * refused first.
 */

import { Problem } from '@trellis/schema/problem.ts';
import type { FairQueue } from '../lib/fair-queue.ts';

/** Lag of the event loop above which new calls are turned away, in ms, unless told otherwise. */
const defaultMaxLagMs = 250;
const sampleMs = 100;
/** How many times that lag those are spared who did not cause it. */
const sparedFactor = 4;
/** How long requests of an organization may wait for a turn before further ones are turned away, in ms. */
const maxTurnWaitMs = 1_000;

/** Watches how late timers fire. */
export class OverloadGuard {
  private readonly turns: FairQueue;
  private readonly maxLagMs: number;
  private lagMs = 0;
  private expectedAtMs = performance.now() + sampleMs;
  private readonly timer: NodeJS.Timeout;

  constructor(turns: FairQueue, maxLagMs = defaultMaxLagMs) {
    this.turns = turns;
    this.maxLagMs = maxLagMs;
    this.timer = setInterval(() => this.sample(), sampleMs);
    this.timer.unref();
  }

  /** Lag seen last, in ms. */
  lag(): number {
    // A sample that is overdue tells of the lag before it fires.
    return Math.max(this.lagMs, performance.now() - this.expectedAtMs);
  }

  /** For requests of which nobody knows on whose behalf they are. @throws Problem overloaded */
  check(): void {
    if (this.lag() > this.maxLagMs) throw overloaded();
  }

  /** For requests of an organization. @throws Problem overloaded */
  checkFor(organizationId: string): void {
    if (this.turns.waitedMs(organizationId) > maxTurnWaitMs) throw overloaded();
    const lag = this.lag();
    if (lag <= this.maxLagMs) return;
    if (lag > this.maxLagMs * sparedFactor || !this.turns.isOtherHeavy(organizationId)) throw overloaded();
  }

  /** Forgets the lag up to now: that of a start says nothing about the requests that follow. */
  reset(): void {
    this.lagMs = 0;
    this.expectedAtMs = performance.now() + sampleMs;
    this.timer.refresh();
  }

  close(): void {
    clearInterval(this.timer);
  }

  private sample(): void {
    const now = performance.now();
    this.lagMs = Math.max(0, now - this.expectedAtMs);
    this.expectedAtMs = now + sampleMs;
  }
}

function overloaded(): Problem {
  return new Problem('overloaded', undefined, { headers: { 'retry-after': '1' } });
}

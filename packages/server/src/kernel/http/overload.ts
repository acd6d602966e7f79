/**
 * Load shedding: refuses requests while the process cannot keep up. The organizations that cause the load are refused first.
 */

import { Problem } from '@trellis/schema/problem.ts';
import type { FairQueue } from '../lib/fair-queue.ts';

/** The default lag of the event loop above which new calls are refused, in ms. */
const defaultMaxLagMs = 250;
const sampleMs = 100;
/** Organizations that did not cause the lag are refused only above this multiple of it. */
const sparedFactor = 4;
/** How long requests of an organization may wait for a turn before further ones are refused, in ms. */
const maxTurnWaitMs = 1_000;

/** Measures how late timers fire, and refuses calls accordingly. */
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

  /** The current lag, in ms. */
  lag(): number {
    // A sample that is overdue shows the lag before its timer fires.
    return Math.max(this.lagMs, performance.now() - this.expectedAtMs);
  }

  /** Checks a request of an organization, or an unauthenticated one. @throws Problem overloaded */
  checkFor(organizationId: string): void {
    if (this.turns.waitedMs(organizationId) > maxTurnWaitMs) throw overloaded();
    const lag = this.lag();
    if (lag <= this.maxLagMs) return;
    if (lag > this.maxLagMs * sparedFactor || !this.turns.isOtherHeavy(organizationId)) throw overloaded();
  }

  /** Forgets the lag so far, because the lag of the start says nothing about later requests. */
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

/** Why: a server that cannot keep up must say so at once; a queue that only grows answers nobody in time. */
import { Problem } from '../lib/problem.ts';

/** Lag of the event loop above which new calls are turned away, in ms, unless told otherwise. */
const defaultMaxLagMs = 250;
const sampleMs = 100;

/** Watches how late timers fire. */
export class OverloadGuard {
  private readonly maxLagMs: number;
  private lagMs = 0;
  private expectedAtMs = performance.now() + sampleMs;
  private readonly timer: NodeJS.Timeout;

  constructor(maxLagMs = defaultMaxLagMs) {
    this.maxLagMs = maxLagMs;
    this.timer = setInterval(() => this.sample(), sampleMs);
    this.timer.unref();
  }

  /** Lag seen last, in ms. */
  lag(): number {
    // A sample that is overdue tells of the lag before it fires.
    return Math.max(this.lagMs, performance.now() - this.expectedAtMs);
  }

  /** @throws Problem overloaded */
  check(): void {
    if (this.lag() > this.maxLagMs) {
      throw new Problem('overloaded', undefined, { headers: { 'retry-after': '1' } });
    }
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

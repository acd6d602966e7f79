/** Why: every role that works without being asked is given the same things, and gives back the same: a way to stop it. */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { describeProblem } from '../database/failures.ts';
import type { Metrics } from '../http/metrics.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import type { Signals } from '../signals.ts';
import type { WebhookSettings } from '../webhooks/settings.ts';

/** What a role may use. */
export interface Surroundings {
  readonly config: Config;
  /** Pool of the role `trellis_api`. */
  readonly api: Database;
  readonly objects: ObjectStore;
  readonly webhooks: WebhookSettings;
  readonly signals: Signals;
  readonly metrics: Metrics;
  /** Public address of the server. */
  readonly origin: string;
  readonly log: Logger;
}

/** Work that goes on until it is stopped. */
export interface Loop {
  /** Lets what is under way end, or be begun again by another node. Never rejects. */
  stop(): Promise<void>;
}

/** Logs what loops tell: a warning when they give a reason, and else for information. */
export function logTo(log: Logger): (message: string, detail: Record<string, unknown>) => void {
  return (message, detail) => log['reason' in detail ? 'warn' : 'info'](detail, message);
}

/** Repeats work until stopped; what fails is logged, and tried again the next time. */
export function repeat(
  what: string,
  intervalMs: number,
  log: Logger,
  work: (signal: AbortSignal) => Promise<unknown>,
): Loop {
  const stopping = new AbortController();
  const once = () =>
    work(stopping.signal).catch((error: unknown) => {
      log.warn({ reason: describeProblem(error) }, `${what} could not be removed; it is tried again later`);
    });
  let running: Promise<unknown> = once();
  const timer = setInterval(() => {
    running = running.then(once);
  }, intervalMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}

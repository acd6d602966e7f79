/** Why: every role that works without being asked is given the same things, and gives back the same: a way to stop it. */
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../database/database.ts';
import { describeProblem } from '../../database/failures.ts';
import { Pause } from '../../events/pause.ts';
import type { Metrics } from '../../http/metrics.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import type { Models } from '../../pipeline/model.ts';
import type { WebhookSettings } from '../../webhooks/settings.ts';
import type { Signals } from '../signals.ts';

/** What a role may use. */
export interface Surroundings {
  readonly config: Config;
  /** Pool of the role `trellis_api`. */
  readonly api: Database;
  readonly objects: ObjectStore;
  readonly models: Models;
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

/** Rest before what is repeated is done first, in ms: the first moments of a node belong to those who have waited for it. */
const settleMs = 5_000;

/** Repeats work until stopped; what fails is logged, and tried again the next time. */
export function repeat(
  what: string,
  intervalMs: number,
  log: Logger,
  work: (signal: AbortSignal) => Promise<unknown>,
): Loop {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = new Pause();
  const ended = (async () => {
    await pause.rest(settleMs);
    while (!signal.aborted) {
      await work(signal).catch((error: unknown) => {
        log.warn({ reason: describeProblem(error) }, `${what} could not be removed; it is tried again later`);
      });
      if (!signal.aborted) await pause.rest(intervalMs);
    }
  })();
  return {
    stop() {
      stopping.abort();
      pause.callUp();
      return ended;
    },
  };
}

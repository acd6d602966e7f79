/** Background roles: what each gets, and what it returns: a loop that can be stopped. */
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { BackgroundRole } from '../config/roles.ts';
import type { Database } from '../database/database.ts';
import { describeProblem } from '../database/failures.ts';
import { Pause } from '../events/pause.ts';
import type { Metrics } from '../http/metrics.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import type { Models } from '../pipeline/model.ts';
import type { Signals } from './signals.ts';

/** The dependencies of a background role. */
export interface RoleDependencies {
  readonly config: Config;
  /** Pool of the role `trellis_api`. */
  readonly api: Database;
  readonly objects: ObjectStore;
  readonly models: Models;
  readonly signals: Signals;
  readonly metrics: Metrics;
  /** Public address of the server. */
  readonly origin: string;
  readonly log: Logger;
}

/** Work that runs until it is stopped. */
export interface Loop {
  /** Lets current work finish, or leaves it to another node. Never rejects. */
  stop(): Promise<void>;
}

/** The work of a background role. */
export interface RoleWork {
  readonly role: BackgroundRole;
  /** What does not happen on a node that has the role but no connection as the worker role of the database. */
  readonly omitted: string;
  /** Connections as the worker role: a separate pool, so that roles do not wait for each other. */
  readonly poolSize: number;
  readonly start: (dependencies: RoleDependencies, worker: Database) => Loop;
  /** The part of the role that needs no such connection. */
  readonly startWithoutWorker?: (dependencies: RoleDependencies) => Loop;
}

/** Combines loops, which are stopped together. */
export function combineLoops(loops: readonly Loop[]): Loop {
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/** A log function for loops: messages with a `reason` are warnings, others are informational. */
export function logTo(log: Logger): (message: string, detail: Record<string, unknown>) => void {
  return (message, detail) => log['reason' in detail ? 'warn' : 'info'](detail, message);
}

/** Delay before the first run, in ms: a node that has just started serves waiting clients first. */
const startupDelayMs = 5_000;

/** Repeats work until stopped. A failure is logged, and the work is tried again after the interval. */
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
    await pause.wait(startupDelayMs);
    while (!signal.aborted) {
      await work(signal).catch((error: unknown) => {
        log.warn({ reason: describeProblem(error) }, `Cleaning up ${what} failed; it will be tried again`);
      });
      if (!signal.aborted) await pause.wait(intervalMs);
    }
  })();
  return {
    stop() {
      stopping.abort();
      pause.wake();
      return ended;
    },
  };
}

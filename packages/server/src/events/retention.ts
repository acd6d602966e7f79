/**
 * Why: a log that only grows ends in a full disk, and deleting millions of rows costs as much as writing them did. The log
 * has a partition for each week; this makes the coming ones and drops the old ones. The rights that it takes belong to
 * two functions of the schema's owner (migration 0010), so that no running process has them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { describeProblem } from '../database/failures.ts';
import { type DatabaseFailure, type Statement, type Step, step } from '../database/flight.ts';
import { Pause } from './pause.ts';

/** The fewest days that events can be kept; the database refuses to drop anything younger. */
export const minEventRetentionDays = 7;

/** How often a lock of at most 100 ms is asked for before it is left to the next time. */
const lockAttempts = 20;

const hourMs = 3_600_000;

const createPartitions: Statement = {
  name: 'create_event_partitions',
  text: 'SELECT trellis.create_event_partitions()',
};
const dropPartition: Statement = {
  name: 'drop_event_partition',
  text: 'SELECT trellis.drop_event_partition($1)',
};

/**
 * Makes the missing partitions of this week and the next four.
 * @param database pool of the role `trellis_worker`
 * @returns the names of the tables made
 * @throws the database's error, 55P03 when the log was locked by others for several seconds
 */
export async function createEventPartitions(database: Database): Promise<string[]> {
  return patiently(database, step(createPartitions));
}

/**
 * Drops the partitions that hold nothing but events logged more than so many days ago.
 * @param database pool of the role `trellis_worker`
 * @param retentionDays at least `minEventRetentionDays`
 * @returns the names of the tables dropped, oldest first
 * @throws the database's error: 22023 for fewer days, 55P03 when the log was in use for several seconds, such as by a
 *   backup
 */
export async function dropOldEventPartitions(database: Database, retentionDays: number): Promise<string[]> {
  const dropped: string[] = [];
  for (;;) {
    const [name] = await patiently(database, step(dropPartition, [String(retentionDays)]));
    if (name === undefined) return dropped;
    dropped.push(name);
  }
}

export interface RetentionOptions {
  /** Pool of the role `trellis_worker`. */
  readonly database: Database;
  readonly retentionDays: number;
  readonly log: (message: string, detail: Record<string, unknown>) => void;
  readonly intervalMs?: number;
}

/** Does both at once and then every hour. Any number of nodes may; they wait for each other. Failures are logged. */
export function startRetention(options: RetentionOptions): { stop(): Promise<void> } {
  const { database, retentionDays, log, intervalMs = hourMs } = options;
  const pause = new Pause();
  let stopping = false;
  const ended = (async () => {
    while (!stopping) {
      try {
        const created = await createEventPartitions(database);
        const dropped = await dropOldEventPartitions(database, retentionDays);
        if (created.length + dropped.length > 0) log('partitions of the event log', { created, dropped });
      } catch (error) {
        log('partitions of the event log could not be kept up', { reason: describeProblem(error) });
      }
      if (!stopping) await pause.rest(intervalMs);
    }
  })();
  return {
    stop() {
      stopping = true;
      pause.callUp();
      return ended;
    },
  };
}

/** Runs one step again while others are in its way; returns the texts that it answers. */
async function patiently(database: Database, work: Step): Promise<string[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const [result] = await database.query([work]);
      return (result?.rows ?? []).flatMap(([name]) => (name === null || name === undefined ? [] : [name]));
    } catch (error) {
      if ((error as DatabaseFailure).code !== '55P03' || attempt >= lockAttempts) throw error;
      await sleep(50 + Math.random() * 100);
    }
  }
}

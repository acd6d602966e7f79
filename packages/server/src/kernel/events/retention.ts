/**
 * Retention of the event log. The log has one partition per week; this creates the coming ones and drops the old ones,
 * since deleting millions of rows would cost as much as writing them. The rights that this takes belong to two functions
 * of the schema's owner, so that no running process has them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseFailure, type Statement, type Step, step } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import { describeProblem } from '../database/failures.ts';
import { Pause } from './pause.ts';

/** How often a lock (waiting at most 100 ms) is requested before giving up until the next run. */
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
 * Creates the missing partitions of this week and the next four.
 * @param database pool of the role `trellis_worker`
 * @returns the names of the created tables
 * @throws the database's error, 55P03 when the log was locked by others for several seconds
 */
export async function createEventPartitions(database: Database): Promise<string[]> {
  return patiently(database, step(createPartitions));
}

/**
 * Drops the partitions that contain only events older than this number of days.
 * @param database pool of the role `trellis_worker`
 * @param retentionDays at least 7: the database refuses to drop younger partitions
 * @returns the names of the dropped tables, oldest first
 * @throws the database's error: 22023 for fewer days, 55P03 when the log was in use for several seconds, for example by a
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

/** Does both now and then every hour. Several nodes may do so; they wait for each other. Failures are logged. */
export function startRetention(options: RetentionOptions): { stop(): Promise<void> } {
  const { database, retentionDays, log, intervalMs = hourMs } = options;
  const pause = new Pause();
  let stopping = false;
  const ended = (async () => {
    while (!stopping) {
      try {
        const created = await createEventPartitions(database);
        const dropped = await dropOldEventPartitions(database, retentionDays);
        if (created.length + dropped.length > 0)
          log('Partitions of the event log changed', { created, dropped });
      } catch (error) {
        log('Partitions of the event log could not be maintained', { reason: describeProblem(error) });
      }
      if (!stopping) await pause.wait(intervalMs);
    }
  })();
  return {
    stop() {
      stopping = true;
      pause.wake();
      return ended;
    },
  };
}

/** Retries a step while it cannot get its lock. Returns the texts of its result. */
async function patiently(database: Database, work: Step): Promise<string[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const [result] = await database.executeInBackground([work]);
      return (result?.rows ?? []).flatMap(([name]) => (name === null || name === undefined ? [] : [name]));
    } catch (error) {
      if ((error as DatabaseFailure).code !== '55P03' || attempt >= lockAttempts) throw error;
      await sleep(50 + Math.random() * 100);
    }
  }
}

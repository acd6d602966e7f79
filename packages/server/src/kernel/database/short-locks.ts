/**
 * Schema changes on tables in use. A statement that waits for a lock blocks all later statements on the table, so the wait must be short.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { DatabaseFailure } from './batch.ts';

/** The lock timeout, and the number of attempts. */
export interface LockAttempts {
  /** Of each lock, in ms. */
  readonly waitMs: number;
  readonly attempts: number;
}

/** SQLSTATEs that end an attempt: lock timeout and deadlock. */
const lockStates: ReadonlySet<string | undefined> = new Set(['55P03', '40P01']);

/**
 * Runs work in a transaction with a short lock timeout, and repeats it after a pause.
 * @throws Error of PostgreSQL: 55P03 or 40P01 when all attempts failed
 */
export async function withShortLocks(
  client: pg.Client,
  { waitMs, attempts }: LockAttempts,
  work: () => Promise<unknown>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query('BEGIN');
      await client.query(`SET LOCAL lock_timeout = ${waitMs}`);
      await work();
      await client.query('COMMIT');
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      if (!lockStates.has((error as DatabaseFailure).code) || attempt >= attempts) throw error;
      await sleep(waitMs * (0.5 + Math.random()));
    }
  }
}

/** Changes of the schema beside others that use the tables: whoever comes behind a statement that waits for a lock waits too. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { DatabaseFailure } from './batch.ts';

/** How long a lock is waited for, and how often. */
export interface LockAttempts {
  /** Of each lock, in ms. */
  readonly waitMs: number;
  readonly attempts: number;
}

/** What ends an attempt: the time for a lock is over, or others wait for a lock that it has, and it for one of theirs. */
const lockStates: ReadonlySet<string | undefined> = new Set(['55P03', '40P01']);

/**
 * Runs work in a transaction that gives up when it has to wait for a lock, and is repeated a little later.
 * @throws Error of PostgreSQL: 55P03 or 40P01 when others had a lock at each attempt
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

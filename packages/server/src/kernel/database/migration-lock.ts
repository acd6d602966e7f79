/** The lock for changes of the schema: one process at a time makes them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** SQL: the key of the advisory lock. */
const lockKey = `hashtext('trellis migrate')`;

/** How long to wait for another process, in ms. */
export interface LockWait {
  /** Until the log names the other process. */
  readonly announceMs: number;
  /** Until the wait ends with an error. */
  readonly giveUpMs: number;
}

/** As docs/operations.md says. */
const usualWait: LockWait = { announceMs: 5_000, giveUpMs: 600_000 };

/** How often the lock is tried, in ms. */
const pollMs = 200;

/** Another process held the lock for the whole wait; this process changed nothing. */
class MigrationLockError extends Error {
  constructor(others: string, waitedMs: number) {
    super(
      `Nothing was changed: for ${Math.round(waitedMs / 1000)} s, ${others} has held the lock of changes of the schema. ` +
        'Run this again when it has ended. If nothing runs there any more, end it with "SELECT pg_terminate_backend(PID)" on the database.',
    );
    this.name = 'MigrationLockError';
  }
}

/**
 * Acquires the lock for the rest of the session.
 * @param log gets a line if another process holds the lock
 * @throws MigrationLockError
 */
export async function lockMigrations(
  client: pg.Client,
  log: (line: string) => void,
  { announceMs, giveUpMs }: LockWait = usualWait,
): Promise<void> {
  const began = performance.now();
  let isAnnounced = false;
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(
      `SELECT pg_try_advisory_lock(${lockKey}) AS locked`,
    );
    if (rows[0]?.locked === true) return;
    const waitedMs = performance.now() - began;
    if (waitedMs >= giveUpMs) throw new MigrationLockError(await describeOthers(client), waitedMs);
    if (!isAnnounced && waitedMs >= announceMs) {
      isAnnounced = true;
      log(`waiting for ${await describeOthers(client)}, which changes or copies the database`);
    }
    await sleep(pollMs);
  }
}

/**
 * The processes that hold the lock, including a backup, which holds it in shared mode: their process ids on the database server and their
 * application names.
 */
async function describeOthers(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ other: string }>(
    `SELECT format('process %s (%s)', l.pid, coalesce(nullif(a.application_name, ''), 'no application_name')) AS other
     FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
     WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND l.classid::bigint << 32 | l.objid::bigint = ${lockKey}::bigint
     ORDER BY l.pid`,
  );
  // It may have ended since the lock was tried.
  return rows.length === 0 ? 'another process' : rows.map(({ other }) => other).join(' and ');
}

/**
 * Advisory locks of writes. Some rules hold between records that no single row stands for, such as "a tree has no cycle":
 * transactions that may break one hold a lock that is named after it, until they end.
 */
import { createHash } from 'node:crypto';
import { type Statement, type Step, step } from '../database/batch.ts';

/**
 * Condition of every statement of a write's first batch that takes a lock: a request under the same key as one that is
 * running did not get the lock of the key, and must not queue behind the one that did.
 */
export const claimedCondition = `current_setting('trellis.claimed') = 'true'`;

const lock: Statement = {
  name: 'advisory_lock',
  text: `SELECT pg_advisory_xact_lock($1) WHERE ${claimedCondition}`,
};
const lockShared: Statement = {
  name: 'advisory_lock_shared',
  text: `SELECT pg_advisory_xact_lock_shared($1) WHERE ${claimedCondition}`,
};

/** The 64-bit number of what is named, as PostgreSQL's advisory locks want it. */
export function lockNumber(...names: readonly string[]): string {
  return createHash('sha256').update(names.join('\n')).digest().readBigInt64BE(0).toString();
}

/** The step of a write's first batch that waits for the lock of what is named, and holds it until the transaction ends. */
export function advisoryLock(...names: readonly string[]): Step {
  return step(lock, [lockNumber(...names)]);
}

/** The same as a shared lock: it excludes only exclusive ones. */
export function sharedAdvisoryLock(...names: readonly string[]): Step {
  return step(lockShared, [lockNumber(...names)]);
}

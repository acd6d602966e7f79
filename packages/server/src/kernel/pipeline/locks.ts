/**
 * Advisory locks of writes. Some rules concern several records and no single row, such as "a tree has no cycle".
 * Transactions that may break such a rule hold a lock named after it until they end.
 */
import { createHash } from 'node:crypto';
import { type Statement, type Step, step } from '../database/batch.ts';

/**
 * Condition of every locking statement in the first batch of a write. A request under the same key as a running one did
 * not get the lock of the key, and must not wait for the running one's row locks.
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

/** The 64-bit number of a named lock, as PostgreSQL's advisory locks need it. */
export function lockNumber(...names: readonly string[]): string {
  return createHash('sha256').update(names.join('\n')).digest().readBigInt64BE(0).toString();
}

/** The step of a write's first batch that waits for a named lock of its organization (uuid) and holds it until the transaction ends. */
export function advisoryLock(organizationId: string, ...names: readonly string[]): Step {
  return step(lock, [lockNumber(organizationId, ...names)]);
}

/** The same as a shared lock, which conflicts only with exclusive ones. */
export function sharedAdvisoryLock(organizationId: string, ...names: readonly string[]): Step {
  return step(lockShared, [lockNumber(organizationId, ...names)]);
}

/** The same as `advisoryLock`, of the installation: for names that are unique in all organizations. */
export function installationLock(...names: readonly string[]): Step {
  return step(lock, [lockNumber(...names)]);
}

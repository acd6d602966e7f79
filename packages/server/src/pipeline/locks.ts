/**
 * Why: some rules hold between records that no single row stands for, such as "a tree has no cycle". Whoever changes them
 * takes turns on an advisory lock that is named after what it guards and ends with the transaction.
 */
import { createHash } from 'node:crypto';
import { type Statement, type Step, step } from '../database/flight.ts';

/**
 * Condition of every statement of a write's first flight that takes a lock: a twin that did not get the lock of the
 * idempotency key must not queue behind the one that did.
 */
export const claimedCondition = `current_setting('trellis.claimed') = 'true'`;

const lock: Statement = {
  name: 'take_turn',
  text: `SELECT pg_advisory_xact_lock($1) WHERE ${claimedCondition}`,
};
const lockShared: Statement = {
  name: 'take_turn_shared',
  text: `SELECT pg_advisory_xact_lock_shared($1) WHERE ${claimedCondition}`,
};

/** The 64-bit number of what is named, as PostgreSQL's advisory locks want it. */
export function lockNumber(...names: readonly string[]): string {
  return createHash('sha256').update(names.join('\n')).digest().readBigInt64BE(0).toString();
}

/** The step of a write's first flight that waits for its turn and keeps it until the transaction ends. */
export function takeTurn(...names: readonly string[]): Step {
  return step(lock, [lockNumber(...names)]);
}

/** The same for those who do not disturb each other, but must not be disturbed by one who takes the turn alone. */
export function takeTurnShared(...names: readonly string[]): Step {
  return step(lockShared, [lockNumber(...names)]);
}

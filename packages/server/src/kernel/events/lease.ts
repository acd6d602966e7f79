/**
 * Leases: work that only one process at a time may do, on any number of nodes. Expiry alone is not enough, because a
 * process that was suspended wakes up believing that it still has the lease. So every acquisition raises the term (a
 * fencing token), and work under a lease begins its transaction by renewing it, which locks the lease's row until the
 * commit and finds no row under an old term.
 *
 * All times are the database's; the clocks of nodes need not agree.
 */

import { type DatabaseFailure, type Statement, type Step, type StepResult, step } from '../database/batch.ts';
import type { Database, Transaction } from '../database/database.ts';
import { defineRow, number } from '../database/row.ts';

/** A lease as it was acquired. */
export interface Lease {
  readonly name: string;
  /** The fencing token: how often the lease has been acquired, including this time. */
  readonly term: number;
  /** How long it lasts without renewal, in ms. */
  readonly durationMs: number;
}

/** Another process has acquired the lease; nothing was changed under it. */
export class LeaseLostError extends Error {
  constructor(lease: Lease) {
    super(`The lease "${lease.name}" of term ${lease.term} was acquired by another process.`);
    this.name = 'LeaseLostError';
  }
}

const leaseRow = defineRow({ term: number('term') });
const take: Statement = {
  name: 'take_lease',
  text: `UPDATE trellis.leases SET term = term + 1, holder = $2,
      expires_at = clock_timestamp() + $3::integer * interval '1 millisecond'
    WHERE name = $1 AND expires_at <= clock_timestamp() RETURNING ${leaseRow.list}`,
};

const renew: Statement = {
  name: 'renew_lease',
  text: `UPDATE trellis.leases SET expires_at = clock_timestamp() + $3::integer * interval '1 millisecond'
    WHERE name = $1 AND term = $2`,
};

const giveBack: Statement = {
  name: 'give_lease_back',
  text: `UPDATE trellis.leases SET expires_at = '-infinity', holder = NULL WHERE name = $1 AND term = $2`,
};

const limitIdling: Statement = {
  name: 'limit_idling',
  text: `SELECT set_config('idle_in_transaction_session_timeout', $1, true)`,
};

/**
 * Acquires a lease that is free or expired; null when another process has it.
 * @param name a row that the migrations put into `trellis.leases`
 * @param holder the process, as operators see it
 */
export async function acquireLease(
  database: Database,
  name: string,
  holder: string,
  durationMs: number,
): Promise<Lease | null> {
  try {
    const [taken] = await database.executeInBackground([step(take, [name, holder, String(durationMs)])]);
    const lease = leaseRow.first(taken);
    return lease === undefined ? null : { name, term: lease.term, durationMs };
  } catch (error) {
    // lock_not_available: the previous process is still in a transaction, which `limitIdling` ends.
    if ((error as DatabaseFailure).code === '55P03') return null;
    throw error;
  }
}

/**
 * The first steps of a transaction under the lease: renews it and locks its row until the end of the transaction. A
 * process that is suspended in the transaction loses its connection, and with it the lock, before the lease expires.
 */
function renewalSteps(lease: Lease): [Step, Step] {
  return [
    step(limitIdling, [String(Math.ceil(lease.durationMs / 2))]),
    step(renew, [lease.name, String(lease.term), String(lease.durationMs)]),
  ];
}

/** @param renewed the result of the second one of `renewalSteps` @throws LeaseLostError when it shows that the term is old */
function checkRenewed(lease: Lease, renewed: StepResult | undefined): void {
  if (renewed?.affected !== 1) throw new LeaseLostError(lease);
}

/**
 * Runs a transaction under the lease: see `Database.transaction`.
 * @throws LeaseLostError; nothing was changed then
 */
export function transactionUnder<T>(
  lease: Lease,
  database: Database,
  first: readonly Step[],
  work: (rows: StepResult[], transaction: Transaction) => Promise<T>,
): Promise<T> {
  const renewal = renewalSteps(lease);
  return database.backgroundTransaction([...renewal, ...first], (results, transaction) => {
    checkRenewed(lease, results[1]);
    return work(results.slice(renewal.length), transaction);
  });
}

/** Renews the lease while there is no work. @throws LeaseLostError */
export async function renewLease(database: Database, lease: Lease): Promise<void> {
  const [, renewed] = await database.executeInBackground(renewalSteps(lease));
  checkRenewed(lease, renewed);
}

/** Releases the lease, so that the next process can acquire it at once. Does nothing when another one has it. */
export async function releaseLease(database: Database, lease: Lease): Promise<void> {
  await database.executeInBackground([step(giveBack, [lease.name, String(lease.term)])]);
}

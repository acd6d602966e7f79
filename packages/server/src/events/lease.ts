/**
 * Why: work that only one process at a time may do, on any number of nodes. A lease that merely runs out is not enough:
 * a process that was frozen wakes up believing that it still holds one. So every takeover raises the term, and work
 * under a lease begins its transaction by renewing it, which locks the lease's row until the commit and finds nothing
 * under an old term.
 *
 * All times are the database's: clocks of nodes need not agree.
 */
import type { Database } from '../database/database.ts';
import {
  type DatabaseFailure,
  type Statement,
  type Step,
  type StepResult,
  step,
} from '../database/flight.ts';

/** A lease as it was taken. */
export interface Lease {
  readonly name: string;
  /** How often the lease had been taken when it was taken this time: the fencing token. */
  readonly term: number;
  /** How long it lasts without being renewed, in ms. */
  readonly durationMs: number;
}

/** Another process has taken the lease; nothing was changed under it. */
export class LeaseLostError extends Error {
  constructor(lease: Lease) {
    super(`The lease "${lease.name}" of term ${lease.term} was taken over by another process.`);
    this.name = 'LeaseLostError';
  }
}

const take: Statement = {
  name: 'take_lease',
  text: `UPDATE trellis.leases SET term = term + 1, holder = $2,
      expires_at = clock_timestamp() + $3::integer * interval '1 millisecond'
    WHERE name = $1 AND expires_at <= clock_timestamp() RETURNING term`,
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
 * Takes a lease that is free or has run out; null when another process holds it.
 * @param name one of the rows that the migrations put into `trellis.leases`
 * @param holder who takes it, for people
 */
export async function takeLease(
  database: Database,
  name: string,
  holder: string,
  durationMs: number,
): Promise<Lease | null> {
  try {
    const [taken] = await database.query([step(take, [name, holder, String(durationMs)])]);
    const term = taken?.rows[0]?.[0];
    return term === undefined ? null : { name, term: Number(term), durationMs };
  } catch (error) {
    // lock_not_available: the last holder is still inside a transaction, at most until `limitIdling` ends it.
    if ((error as DatabaseFailure).code === '55P03') return null;
    throw error;
  }
}

/** Number of the steps that `holdSteps` makes. */
export const holdStepCount = 2;

/**
 * The first steps of a transaction under the lease: renews it and locks its row until the end of the transaction. A
 * process that freezes inside the transaction loses its connection, and so the lock, before the lease runs out.
 */
export function holdSteps(lease: Lease): Step[] {
  return [
    step(limitIdling, [String(Math.ceil(lease.durationMs / 2))]),
    step(renew, [lease.name, String(lease.term), String(lease.durationMs)]),
  ];
}

/** @throws LeaseLostError when the results of `holdSteps` say that the term is an old one */
export function checkHeld(lease: Lease, results: readonly StepResult[]): void {
  if (results[holdStepCount - 1]?.affected !== 1) throw new LeaseLostError(lease);
}

/** Renews the lease when there is no work to do it. @throws LeaseLostError */
export async function renewLease(database: Database, lease: Lease): Promise<void> {
  checkHeld(lease, await database.query(holdSteps(lease)));
}

/** Lets the next process have the lease at once; does nothing when it has it already. */
export async function giveLeaseBack(database: Database, lease: Lease): Promise<void> {
  await database.query([step(giveBack, [lease.name, String(lease.term)])]);
}

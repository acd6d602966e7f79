/**
 * The access lock of an organization. Every write on behalf of a token holds it shared, from before it reads what the token may
 * do until its commit; a change of who may do what holds it exclusively. So such a change waits for the writes that began under
 * the old state, and once it is answered none of them commits any more.
 */
import { type Statement, type Step, step } from '../database/batch.ts';

/** SQL: the number of the lock. @param organization SQL of the organization's uuid as text */
const numberOf = (organization: string) => `hashtextextended('trellis access ' || ${organization}, 0)`;

/** SQL: takes the lock until the transaction ends; true. */
export const accessLocks = {
  shared: (organization: string) => `(pg_advisory_xact_lock_shared(${numberOf(organization)}) IS NOT NULL)`,
  exclusive: (organization: string) => `(pg_advisory_xact_lock(${numberOf(organization)}) IS NOT NULL)`,
} as const;

/** How a write holds the access lock. */
export type AccessLock = keyof typeof accessLocks;

const statements: Readonly<Record<AccessLock, Statement>> = {
  shared: { name: 'share_access_lock', text: `SELECT ${accessLocks.shared('$1::text')}` },
  exclusive: { name: 'take_access_lock', text: `SELECT ${accessLocks.exclusive('$1::text')}` },
};

/** The step that takes the lock, to be sent before the state is read. */
export function accessLockStep(lock: AccessLock, organizationId: string): Step {
  return step(statements[lock], [organizationId]);
}

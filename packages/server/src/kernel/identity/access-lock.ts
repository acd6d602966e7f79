/**
 * The access lock of an organization. Every write on behalf of a token holds it shared, from before it reads the token's rights
 * until its commit; a change of rights holds it exclusively. So a change of rights waits for writes that began before it, and
 * after its response no write commits under the old rights.
 */
import { type Statement, type Step, step } from '../database/batch.ts';

/** SQL: the number of the lock. @param organization SQL of the organization's uuid as text */
const numberOf = (organization: string) => `hashtextextended('trellis access ' || ${organization}, 0)`;

/** SQL: takes the lock until the transaction ends; true. */
export const accessLocks = {
  shared: (organization: string) => `pg_advisory_xact_lock_shared(${numberOf(organization)}) IS NOT NULL`,
  exclusive: (organization: string) => `pg_advisory_xact_lock(${numberOf(organization)}) IS NOT NULL`,
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

/**
 * Serializes sign-ins and changes of credentials. Both lock the person's row of `credential_versions`: a session is opened only
 * if nothing has changed since the proof was checked, and a change ends every session opened before it.
 */
import { type Statement, type Step, type StepResult, step } from '../../kernel/database/batch.ts';
import { defineRow, instant, number } from '../../kernel/database/row.ts';

const lockedRow = defineRow({
  version: number('version'),
  instant: instant('clock_timestamp()::timestamptz(3)'),
});
const lock: Statement = {
  name: 'credential_version_lock',
  text: `INSERT INTO trellis.credential_versions AS v (user_id) VALUES ($1)
    ON CONFLICT (user_id) DO UPDATE SET version = v.version RETURNING ${lockedRow.list}`,
};
const raise: Statement = {
  name: 'credential_version_raise',
  text: 'UPDATE trellis.credential_versions SET version = version + 1 WHERE user_id = $1',
};

/** A person's version while it is locked. */
export interface LockedVersion {
  readonly version: number;
  /** The database's clock once the row was locked, RFC 3339: the instant of the change. */
  readonly instant: string;
}

/** The expression for a person's version in a query. @param userId the column with the person's id, with its table */
export function versionOf(userId: string): string {
  return `coalesce((SELECT v.version FROM trellis.credential_versions v WHERE v.user_id = ${userId}), 0)`;
}

/** Locks the version of a user until the transaction ends. */
export function lockVersionStep(userId: string): Step {
  return step(lock, [userId]);
}

/** Raises the locked version: proofs that were checked before open no session any more. */
export function raiseVersionStep(userId: string): Step {
  return step(raise, [userId]);
}

/** Decodes the result of `lockVersionStep`. */
export function readLockedVersion(result: StepResult | undefined): LockedVersion {
  const locked = lockedRow.first(result);
  if (locked === undefined) throw new Error('a version was not locked');
  return locked;
}

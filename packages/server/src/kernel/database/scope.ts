/** How a transaction names the organization whose rows it accesses, and the user; row-level security reads both. */
import { type Statement, type Step, step } from './batch.ts';
import type { WalPosition } from './wal-position.ts';

/**
 * The organization whose rows are accessed, and the user on whose behalf. Rows that the user may not see are not found.
 */
export interface Scope {
  readonly organizationId: string;
  /** Null for work without a user, which sees only what every member may see. */
  readonly userId: string | null;
  /**
   * The write position that a replica must have replayed to serve the read; see `Replicas` for the maximum age of its rows. Absent: the
   * primary serves the read, as it does every write and every read that a decision depends on.
   */
  readonly readAfter?: WalPosition | undefined;
}

/** A part of a select list after which PostgreSQL refuses every change until the end of the transaction. */
export const onlyRead = `set_config('transaction_read_only', 'on', true)`;

/** A part of a select list that names the scope; its parameters, $1 and $2, are `scopeValues`. */
export const scopeList = `concat(set_config('trellis.organization', $1, true), set_config('trellis.user', $2, true))`;

/** SQL: gives a setting of this product a value until the end of the transaction, and returns the value. */
export function setLocal(name: `trellis.${string}`, value: string): string {
  return `set_config('${name}', ${value}, true)`;
}

const nameScope: Statement = { name: 'trellis_scope', text: `SELECT ${scopeList}`, setsScope: true };

/** The parameters of `scopeList`. */
export function scopeValues({ organizationId, userId }: Scope): [string, string] {
  return [organizationId, userId ?? ''];
}

/** The step that names the scope until the transaction ends. */
export function scopeStep(scope: Scope): Step {
  return step(nameScope, scopeValues(scope));
}

/** Whether a step names the scope itself. @throws Error if it names another one, which is a bug */
export function namesScope(first: Step | undefined, scope: Scope): boolean {
  if (first?.statement.setsScope !== true) return false;
  if (scopeValues(scope).some((value, index) => first.values[index] !== value))
    throw new Error(`${first.statement.name} names another organization or user than its transaction`);
  return true;
}

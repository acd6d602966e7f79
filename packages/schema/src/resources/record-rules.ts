/**
 * The type of a resource's own rules: pure functions of a record's values, which the server runs on every write and forms run before
 * they send one. What needs the database is in the rules of the server.
 */

import type { Fault } from '../problem.ts';
import type { Declared, ValuesOf } from './stored-values.ts';

/** The rules of the resource with the declaration `R`. */
export interface RecordRules<R extends Declared = Declared> {
  /**
   * Computes derived fields, after every change and before `check`.
   * @param country of the organization, ISO 3166-1; undefined where it is not known, as in a form: what depends on it is left as it is
   */
  derive?(values: ValuesOf<R>, country: string | null | undefined): ValuesOf<R>;
  /** Checks rules across fields; faults have pointers into the body. */
  check?(values: ValuesOf<R>): Fault[];
}

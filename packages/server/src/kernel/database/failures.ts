/** Translates PostgreSQL's errors for callers and operators. Callers never get them unchanged. */
import { Problem, type ProblemCode } from '@trellis/schema/problem.ts';
import type { DatabaseFailure } from './batch.ts';
import { isConnectionLost, isOfDatabase, isSqlState } from './connections.ts';

const retryAfterOneSecond = { 'retry-after': '1' };
const tooBusy = 'The database was too busy to finish in time. Nothing was changed.';
const full = 'The disk of the database is full. Nothing was changed.';
const failing = 'The database cannot read or write its files. Nothing was changed.';

/**
 * Errors of PostgreSQL that are not the fault of a request, by SQLSTATE or its class: a retry may succeed. The classes 08 (connections) and
 * 57P (shutdown), 25006 (a standby) and errors of the socket are known as the loss of a connection.
 */
const failuresOfDatabase: Readonly<Record<string, readonly [code: ProblemCode, detail: string]>> = {
  // lock_not_available: lock_timeout expired while another write held the record's lock
  '55P03': ['overloaded', tooBusy],
  // deadlock_detected, serialization_failure: PostgreSQL aborted this transaction
  '40P01': ['overloaded', tooBusy],
  '40001': ['overloaded', tooBusy],
  // query_canceled: statement_timeout
  '57014': ['overloaded', tooBusy],
  // insufficient_resources: out_of_memory, too_many_connections, configuration_limit_exceeded
  '53': ['overloaded', tooBusy],
  // disk_full
  '53100': ['database_unavailable', full],
  // system_error: io_error, undefined_file
  '58': ['database_unavailable', failing],
};

/** Errors of the file system that are not the fault of a request. The object store says which folder it was. */
const failuresOfDisk: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE']);

/**
 * The problem for a failure of the database or a disk; null if a caller can do nothing about it. Violations of unique and foreign keys are
 * left to the pipeline, which knows the fields of the constraints.
 */
export function problemOfFailure(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  if (!(error instanceof Error)) return null;
  const failure = error as DatabaseFailure;
  const options = { headers: retryAfterOneSecond, cause: error };
  const state = failure.code ?? '';
  if (failuresOfDisk.has(state)) return new Problem('storage_unavailable', undefined, options);
  if (!isOfDatabase(failure)) return null;
  const found = isSqlState(state)
    ? (failuresOfDatabase[state] ?? failuresOfDatabase[state.slice(0, 2)])
    : undefined;
  if (found !== undefined) return new Problem(...found, options);
  return isConnectionLost(failure) ? new Problem('database_unavailable', undefined, options) : null;
}

/**
 * Describes a failure to connect to a database in one sentence for an operator, without the URL, which contains a
 * password.
 */
export function describeProblem(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return describeProblem(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  switch ((error as DatabaseFailure).code) {
    case 'ECONNREFUSED':
      return "nothing listens at the database's address";
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return "the name of the database's host is not known";
    case '28P01':
      return 'the database refuses the password';
    case '28000':
      return 'the database refuses the role';
    case '3D000':
      return 'there is no database of that name';
    case '53100':
      return 'the disk of the database is full';
    case '42501':
      return 'the role lacks a right: run "trellis database setup" and "trellis migrate"';
    default:
      return error.message;
  }
}

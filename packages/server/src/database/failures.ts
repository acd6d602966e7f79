/** Translates PostgreSQL's errors for callers and operators. Callers never get them unchanged. */
import { Problem } from '@trellis/schema/problem.ts';
import type { DatabaseFailure } from './batch.ts';
import { ReadOnlyHostError } from './connection.ts';
import { isConnectionLost } from './database.ts';

const retryAfterOneSecond = { 'retry-after': '1' };

/**
 * The problem for a database error; null if a caller can do nothing about it. Violations of unique and foreign keys are
 * left to the pipeline, which knows the fields of the constraints.
 */
export function problemOfFailure(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  if (!(error instanceof Error)) return null;
  const failure = error as DatabaseFailure;
  const options = { headers: retryAfterOneSecond, cause: error };
  switch (failure.code) {
    case '55P03': // lock_not_available: lock_timeout expired while another write held the record's lock
    case '40P01': // deadlock_detected: PostgreSQL aborted this transaction
    case '57014': // query_canceled: statement_timeout
    case '53300': // too_many_connections
      return new Problem(
        'overloaded',
        'The database was too busy to finish in time. Nothing was changed.',
        options,
      );
  }
  if (isDatabaseError(failure) && isConnectionLost(failure)) {
    return new Problem('database_unavailable', undefined, options);
  }
  return null;
}

/** Whether an error comes from the driver: PostgreSQL's errors have a severity, socket errors a system call code. */
function isDatabaseError(failure: DatabaseFailure & { severity?: string; syscall?: string }): boolean {
  return (
    failure instanceof ReadOnlyHostError ||
    failure.severity !== undefined ||
    failure.syscall !== undefined ||
    /^(ECONN|EPIPE|ETIMEDOUT|EAI_|ENOTFOUND|ERR_STREAM_)/.test(failure.code ?? '') ||
    /Connection terminated|connection timeout|timeout exceeded when trying to connect|not queryable/.test(
      failure.message,
    )
  );
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
    case '42501':
      return 'the role lacks a right: run "trellis database setup" and "trellis migrate"';
    default:
      return error.message;
  }
}

/** What PostgreSQL's errors mean to a caller, and to an operator. They never reach a caller as they are. */
import { Problem } from '@trellis/schema/problem.ts';
import type { DatabaseFailure } from './batch.ts';
import { ReadOnlyHostError } from './connection.ts';
import { isConnectionLost } from './database.ts';

const retryAfterOneSecond = { 'retry-after': '1' };

/**
 * The problem that a database error stands for, or null when it is not one that a caller can do anything about.
 * Unique and foreign key violations are left to the pipeline, which knows the fields behind the constraints.
 */
export function problemOfFailure(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  if (!(error instanceof Error)) return null;
  const failure = error as DatabaseFailure;
  const options = { headers: retryAfterOneSecond, cause: error };
  switch (failure.code) {
    case '55P03': // lock_not_available: lock_timeout ran out behind another write of the same record
    case '40P01': // deadlock_detected: this transaction was the one to give way
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

/** Whether an error comes from the driver: PostgreSQL's own carry a severity, the socket's a system call code. */
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

/** The failure to reach a database in one sentence for an operator; it never holds the URL, which has a password. */
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

/** Errors of Citus and of shards, as those of a plain database. */
import type { DatabaseFailure } from '../batch.ts';

/** The SQLSTATE of this product for statements that need a server which is away or disabled. */
export const serverAwayState = 'TR003';
/** What Citus says then, where the SQLSTATE is one of faults or of statements that it does not support. */
const serverAway =
  /^(?:failure on connection marked as essential|cannot find a worker that has active placements|no active placements were found|could not find any healthy placement|failed to assign \d+ task)/;

/** Corrects the SQLSTATE and the names of an error that was received from a distributed database. */
export function translateError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return serverAway.test(error.message)
    ? Object.assign(error, {
        code: serverAwayState,
        message: `A server of the database is away or disabled: ${error.message}.`,
      })
    : nameViolation(error);
}

/**
 * Gives an error of a shard the names that the schema has, none of which ends in a number. Those of the shard have its number, such as
 * `sites_key_102008`, except conditions (CHECK); in errors that come through Citus, they are in the message only.
 */
function nameViolation(error: Error): Error {
  const failure = error as DatabaseFailure;
  if (!failure.code?.startsWith('23')) return error;
  const named = failure.constraint ?? / constraint "(\w+)"/.exec(failure.message)?.[1];
  const constraint = named?.replace(/_\d+$/, '');
  const [, table] = [...failure.message.matchAll(/ (?:table|relation) "(\w+)_\d+"/g)].at(-1) ?? [];
  return Object.assign(error, constraint && { constraint }, table && { table });
}

/** Errors of shards, in the names of the schema. None of these ends in a number. */
import type { DatabaseFailure } from '../batch.ts';

/**
 * Gives an error of a shard the names that the schema has: they are in the message only there, with the number of the shard, such as
 * `sites_key_102008`. Citus gives conditions (CHECK) no number.
 */
export function nameViolation(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const failure = error as DatabaseFailure;
  if (!failure.code?.startsWith('23') || failure.constraint !== undefined) return error;
  const [, constraint] = / constraint "(\w+?)(?:_\d+)?"/.exec(failure.message) ?? [];
  const [, table] = [...failure.message.matchAll(/ (?:table|relation) "(\w+)_\d+"/g)].at(-1) ?? [];
  return Object.assign(error, constraint && { constraint }, table && { table });
}

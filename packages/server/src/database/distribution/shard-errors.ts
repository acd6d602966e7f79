/** Errors of shards, in the names of the schema. None of these ends in a number. */
import type { DatabaseFailure } from '../batch.ts';

/**
 * Gives an error of a shard the names that the schema has. Those of the shard have its number, such as `sites_key_102008`, except conditions
 * (CHECK); in errors that come through Citus, they are in the message only.
 */
export function nameViolation(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const failure = error as DatabaseFailure;
  if (!failure.code?.startsWith('23')) return error;
  const named = failure.constraint ?? / constraint "(\w+)"/.exec(failure.message)?.[1];
  const constraint = named?.replace(/_\d+$/, '');
  const [, table] = [...failure.message.matchAll(/ (?:table|relation) "(\w+)_\d+"/g)].at(-1) ?? [];
  return Object.assign(error, constraint && { constraint }, table && { table });
}

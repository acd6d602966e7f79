/** What background work is done on: the database, or the shards of a distributed one (Citus; see `distribution/shard.ts`). */
import type { Step, StepResult } from './batch.ts';
import type { WalPosition } from './wal-position.ts';

/** A transaction that has begun: further batches, then exactly one commit or rollback. */
export interface Transaction {
  /** Sends steps in one round trip and waits for their rows. */
  send(steps: readonly Step[]): Promise<StepResult[]>;
  /** Sends the last steps and COMMIT in one round trip. */
  commit(steps: readonly Step[]): Promise<StepResult[]>;
  /** The position behind the commit, if replicas are configured and it could be read; otherwise null. */
  position(): WalPosition | null;
}

/** A database, or a shard of one, in which work of all its organizations is found and done as the role itself. */
export interface BackgroundDatabase {
  /** Where the leases are, if they are not in the same database and cannot be part of its transactions; otherwise null. */
  readonly leases: Pick<BackgroundDatabase, 'executeInBackground'> | null;
  /** @throws DatabaseFailure 25006 for a statement that changes data */
  queryInBackground(steps: readonly Step[]): Promise<StepResult[]>;
  executeInBackground(steps: readonly Step[]): Promise<StepResult[]>;
  /** A transaction; see `Database.transaction`. */
  backgroundTransaction<T>(
    first: readonly Step[],
    work: (rows: StepResult[], transaction: Transaction) => Promise<T>,
  ): Promise<T>;
}

/** Where a loop finds its work: a plain database, or one server of a distributed one. */
export interface Workplace {
  /** The database itself, or the shards on the server at this moment; none while the server is away. */
  parts(): readonly BackgroundDatabase[];
}

/** The parts of a place, beginning with another one for each number, so that none with much work keeps the others waiting. */
export function partsInTurn(place: Workplace, turn: number): readonly BackgroundDatabase[] {
  const parts = place.parts();
  if (parts.length < 2) return parts;
  const first = turn % parts.length;
  return [...parts.slice(first), ...parts.slice(0, first)];
}

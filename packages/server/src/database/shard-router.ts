/** How a pool reaches the shards of a distributed database (Citus); `distribution/shard-routes.ts` does it. */
import type { Step, StepResult } from './batch.ts';
import type { Connections } from './connections.ts';
import type { Scope } from './scope.ts';

/** The way to the shard of an organization, for changes. */
export interface ShardRoute {
  /** To the server that has it. */
  readonly connections: Connections;
  /** The first steps of a transaction, which hold the shard and name the scope. @throws DatabaseFailure TR002 when the shard has gone */
  open(scope: Scope): readonly Step[];
  /** The steps with the names of the shard's tables. */
  name(steps: readonly Step[]): readonly Step[];
}

/**
 * The shards of organizations in a distributed database, which are reached without the coordinator. Methods for one organization throw
 * Problem database_unavailable if its server is disabled.
 */
export interface ShardRouter {
  /** Whether it may have a way for an organization. */
  knows(organizationId: string): boolean;
  /** Only finds out whether one of these is on a server that is disabled. */
  requireEnabled(organizationIds: readonly string[]): Promise<void>;
  /** The way for changes; null if the coordinator has to serve them. */
  find(organizationId: string): ShardRoute | null;
  /**
   * Reads rows of one organization.
   * @param send sends steps, of which the first one names the scope and has no result
   * @returns null if the coordinator has to serve it
   */
  read(
    scope: Scope,
    steps: readonly Step[],
    send: (connections: Connections, steps: readonly Step[]) => Promise<StepResult[]>,
  ): Promise<StepResult[] | null>;
  /**
   * Reads in all shards, as `queryEverywhere`; null if the coordinator has to serve it.
   * @param share whose share of the connections it costs; null: the server's own
   */
  readAll(steps: readonly Step[], share?: string | null): Promise<FoundEverywhere | null>;
}

/** What was read of all organizations. */
export interface FoundEverywhere {
  /** Results of the steps, once for each part of the database. */
  readonly parts: readonly StepResult[][];
  /** Whether no part is missing. */
  readonly isComplete: boolean;
}

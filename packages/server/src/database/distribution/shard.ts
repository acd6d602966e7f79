/**
 * A shard of a distributed database (Citus): a set of ordinary tables on one server. So the statements that find and claim due work of all
 * organizations in a plain database do so in a shard as well, with the names of the shard's tables, over a connection to its server.
 */
import type { Step, StepResult } from '../batch.ts';
import type { Database } from '../database.ts';
import type { BackgroundDatabase, Transaction } from '../parts.ts';
import { holdStep, ShardStatements, type ShardTables } from './shard-statements.ts';

/** A shard, over connections to its server. */
export class Shard implements BackgroundDatabase {
  readonly leases: Database;
  private readonly server: Database;
  private readonly holdStep: Step;
  private readonly statements: ShardStatements;

  /**
   * @param server the server of the shard
   * @param leases the database as a whole
   */
  constructor(server: Database, leases: Database, tables: ShardTables) {
    this.server = server;
    this.leases = leases;
    this.statements = new ShardStatements(tables, false);
    this.holdStep = holdStep(tables);
  }

  queryInBackground(steps: readonly Step[]): Promise<StepResult[]> {
    return this.server.queryInBackground(this.statements.name(steps));
  }

  async executeInBackground(steps: readonly Step[]): Promise<StepResult[]> {
    return (await this.server.executeInBackground([this.holdStep, ...this.statements.name(steps)])).slice(1);
  }

  backgroundTransaction<T>(
    first: readonly Step[],
    work: (rows: StepResult[], transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    return this.server.backgroundTransaction(
      [this.holdStep, ...this.statements.name(first)],
      (rows, { send, commit, position }) =>
        work(rows.slice(1), {
          send: (steps) => send(this.statements.name(steps)),
          commit: (steps) => commit(this.statements.name(steps)),
          position,
        }),
    );
  }
}

/**
 * A shard of a distributed database (Citus): a set of ordinary tables on one server. So the statements that find and claim due work of all
 * organizations in a plain database do so in a shard as well, with the names of the shard's tables, over a connection to its server.
 */
import { type Statement, type Step, type StepResult, step } from '../batch.ts';
import type { Database } from '../database.ts';
import type { BackgroundDatabase, Transaction } from '../parts.ts';

/** The tables of a shard. */
export interface ShardTables {
  /** The shard of one of its tables, by which it is locked and known: it stays when the shard is moved to another server. */
  readonly id: string;
  /** Names of the tables, by those of the distributed and the reference tables. */
  readonly names: ReadonlyMap<string, string>;
}

// As Citus does for its own changes, so that a move or a split of the shard waits for them; see sql/distributed/functions/hold_shard.sql.
const hold: Statement = { name: 'hold_shard', text: 'SELECT trellis.hold_shard($1)' };

/** A shard, over connections to its server. */
export class Shard implements BackgroundDatabase {
  readonly leases: Database;
  private readonly server: Database;
  private readonly holdStep: Step;
  private readonly tables: ShardTables;
  private readonly statements = new WeakMap<Statement, Statement>();

  /**
   * @param server the server of the shard
   * @param leases the database as a whole
   */
  constructor(server: Database, leases: Database, tables: ShardTables) {
    this.server = server;
    this.leases = leases;
    this.tables = tables;
    this.holdStep = step(hold, [tables.id]);
  }

  queryInBackground(steps: readonly Step[]): Promise<StepResult[]> {
    return this.server.queryInBackground(this.named(steps));
  }

  async executeInBackground(steps: readonly Step[]): Promise<StepResult[]> {
    return (await this.server.executeInBackground([this.holdStep, ...this.named(steps)])).slice(1);
  }

  backgroundTransaction<T>(
    first: readonly Step[],
    work: (rows: StepResult[], transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    return this.server.backgroundTransaction(
      [this.holdStep, ...this.named(first)],
      (rows, { send, commit, position }) =>
        work(rows.slice(1), {
          send: (steps) => send(this.named(steps)),
          commit: (steps) => commit(this.named(steps)),
          position,
        }),
    );
  }

  private named(steps: readonly Step[]): Step[] {
    return steps.map(({ statement, values }) => step(this.onShard(statement), values));
  }

  /** The statement with the names of the shard's tables. */
  private onShard(statement: Statement): Statement {
    const known = this.statements.get(statement);
    if (known !== undefined) return known;
    const { id, names } = this.tables;
    const text = statement.text.replace(/\btrellis\.(\w+)/g, (whole, table: string) => {
      const name = names.get(table);
      return name === undefined ? whole : `trellis.${name}`;
    });
    // In a shard nothing is refused, so the form for a single server is the right one.
    const made = { ...statement, name: `${statement.name} ${id}`, text, distributed: undefined };
    this.statements.set(statement, made);
    return made;
  }
}

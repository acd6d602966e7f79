/** Statements for the tables of a shard in place of those that Citus distributes: PostgreSQL executes them as on a single server. */
import { type Statement, type Step, step } from '../batch.ts';
import { referenceTables } from './tables.ts';

/** The tables of a shard. */
export interface ShardTables {
  /** The shard of one of its tables, by which it is locked and known: it stays when the shard is moved to another server. */
  readonly id: string;
  /** The lowest hash of organizations in it, as Citus computes it: -2³¹ or more. */
  readonly from: number;
  /** Names of the tables, by those of the distributed and the reference tables. */
  readonly names: ReadonlyMap<string, string>;
}

/** Changes of the tables of which each server has a copy: in a shard, they would change that of one server only. */
const changesCopy = new RegExp(
  `\\b(?:INTO|UPDATE|DELETE FROM) trellis\\.(?:${referenceTables.join('|')})\\b`,
);

const hold: Statement = { name: 'trellis_hold_shard', text: 'SELECT trellis.hold_shard($1)' };

/**
 * The first step of a transaction that changes a shard: a move or a split waits for it, as for Citus's own changes. It fails with TR002 if the shard
 * has gone; see sql/distributed/functions/hold_shard.sql.
 */
export function holdStep({ id }: ShardTables): Step {
  return step(hold, [id]);
}

/** The statements for one shard. */
export class ShardStatements {
  private readonly tables: ShardTables;
  private readonly areMany: boolean;
  private readonly statements = new WeakMap<Statement, Statement>();

  /** @param areMany whether a connection has more of them, of all shards, than it should keep prepared */
  constructor(tables: ShardTables, areMany: boolean) {
    this.tables = tables;
    this.areMany = areMany;
  }

  /** The steps with the names of the shard's tables. */
  name(steps: readonly Step[]): Step[] {
    return steps.map(({ statement, values }) => step(this.nameTables(statement), values));
  }

  private nameTables(statement: Statement): Statement {
    const known = this.statements.get(statement);
    if (known !== undefined) return known;
    const { id, names } = this.tables;
    if (changesCopy.test(statement.text))
      throw new Error(
        `${statement.name} changes a table that is on every server, so the coordinator has to send it`,
      );
    const text = nameTablesIn(statement.text, names);
    // In a shard nothing is refused, so the form for a single server is the right one.
    const made: Statement = { ...statement, text, distributed: undefined };
    // One without a name is not kept.
    const kept = { ...made, name: `${statement.name} ${id}`, isOfShard: this.areMany };
    const named = statement.name === '' ? made : kept;
    this.statements.set(statement, named);
    return named;
  }
}

/** A statement with other tables of the schema. @param names of the tables in their place, by those in the text; the others stay */
export function nameTablesIn(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(/\btrellis\.(\w+)/g, (_, table: string) => `trellis.${names.get(table) ?? table}`);
}

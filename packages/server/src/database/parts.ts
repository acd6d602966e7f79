/**
 * The parts of a database in which the background roles look for work of all organizations: the whole of a plain PostgreSQL
 * database, or each shard of a distributed one (Citus).
 *
 * A shard is a set of ordinary tables on one node, so the statement that finds work in a plain database finds it there as well, with
 * the names of the shard's tables. Each node is asked directly: one that is away keeps nobody else's work from being found. Work that
 * was found is then claimed by its organization, through the database itself.
 */
import { type DatabaseFailure, type Statement, type Step, type StepResult, step } from './batch.ts';
import { targetWritable } from './connection.ts';
import { type ConnectionOptions, Connections, isConnectionLost } from './connections.ts';
import { describeProblem } from './failures.ts';
import { replaceHost } from './hosts.ts';
import { defineRow, flag, json, number, text } from './row.ts';
import { onlyRead } from './scope.ts';

/** What the steps that find work found in one part. */
export interface Found {
  /** The same for the same part. */
  readonly part: string;
  /** The node that the part is on; null for the whole of a plain database. */
  readonly node: string | null;
  readonly results: readonly StepResult[];
}

/** The database itself, which is asked where the parts are, and for everything if there are none. */
export interface Whole {
  queryInBackground(steps: readonly Step[]): Promise<StepResult[]>;
}

export interface PartsOptions extends ConnectionOptions {
  /** PostgreSQL URL. The nodes are asked as the same role, and have to be reachable under the names that Citus knows them by. */
  readonly url: string;
}

interface Shard {
  /** The lowest number of its tables: it stays when the shard is moved, and not when it is split. */
  readonly key: string;
  /** Names of the shard's tables, by those of the distributed and the reference tables. */
  readonly tables: ReadonlyMap<string, string>;
}

interface Directory {
  /** Shards by the address of their node, `host:port`; null when the database is not distributed. */
  readonly nodes: ReadonlyMap<string, readonly Shard[]> | null;
  readonly readAt: number;
}

/** How long the places of the shards are remembered, in ms: after a move, work may be found that much later. */
const directoryMs = 5_000;
/** How often a database is asked whether it is distributed, in ms. */
const plainMs = 60_000;
/** How often a node that is away is tried, in ms. */
const probeMs = 2_000;
/** How long a node may take to accept a connection, and for a statement, in ms, before it counts as away. */
const connectMs = 3_000;
const silenceMs = 10_000;

const distributedRow = defineRow({
  isDistributed: flag(`to_regclass('pg_catalog.pg_dist_shard') IS NOT NULL`),
});
const askDistributed: Statement = { name: 'is_distributed', text: `SELECT ${distributedRow.list}` };
const shardRow = defineRow({
  host: text('n.nodename'),
  port: number('n.nodeport'),
  /** The beginning of the shard's range; empty for reference tables. */
  begins: text(`coalesce(s.shardminvalue, '')`),
  shards: json<Readonly<Record<string, number>>>('json_object_agg(c.relname, s.shardid)'),
});
const readShards: Statement = {
  name: 'read_shards',
  text: `SELECT ${shardRow.list}
    FROM pg_dist_partition t JOIN pg_class c ON c.oid = t.logicalrelid
    JOIN pg_dist_shard s ON s.logicalrelid = t.logicalrelid
    JOIN pg_dist_placement p ON p.shardid = s.shardid AND p.shardstate = 1
    JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
    WHERE c.relnamespace = 'trellis'::regnamespace AND (t.partmethod = 'h' OR t.repmodel = 't')
    GROUP BY n.nodename, n.nodeport, coalesce(s.shardminvalue, '')`,
};
const beginToRead: Statement = { name: 'trellis_read', text: `SELECT ${onlyRead}` };

/** The parts of one database. */
export class Parts {
  private readonly whole: Whole;
  private readonly options: PartsOptions;
  private directory: Promise<Directory> | null = null;
  private readonly connections = new Map<string, Connections>();
  /** When nodes that are away may be tried again, by the monotonic clock in ms. */
  private readonly away = new Map<string, number>();

  constructor(whole: Whole, options: PartsOptions) {
    this.whole = whole;
    this.options = options;
  }

  /**
   * Looks for work in all parts. Nodes that are away are left out.
   * @param stepsFor the steps for a part, given its key and the number of parts; they only read
   * @throws the failure, if no node can be asked
   */
  async find(stepsFor: (part: string, parts: number) => readonly Step[]): Promise<Found[]> {
    const { nodes } = await this.read();
    if (nodes === null) {
      const results = await this.whole.queryInBackground(stepsFor('', 1));
      return [{ part: '', node: null, results }];
    }
    const count = [...nodes.values()].reduce((sum, shards) => sum + shards.length, 0);
    const failures: unknown[] = [];
    const found = await Promise.all(
      [...nodes].map(async ([node, shards]) => {
        if (this.isAway(node)) return [];
        try {
          return await this.ask(node, shards, (key) => stepsFor(key, count));
        } catch (error) {
          if (!isConnectionLost(error as DatabaseFailure)) throw error;
          failures.push(error);
          this.leave(node, error);
          return [];
        }
      }),
    );
    if (nodes.size > 0 && this.away.size >= nodes.size) {
      throw failures[0] ?? new Error('all nodes of the distributed database are away');
    }
    return found.flat();
  }

  /** Addresses of the nodes that could not be asked. */
  awayNodes(): string[] {
    return [...this.away.keys()];
  }

  async close(): Promise<void> {
    await Promise.all([...this.connections.values()].map((one) => one.close()));
  }

  private async ask(
    node: string,
    shards: readonly Shard[],
    stepsFor: (part: string) => readonly Step[],
  ): Promise<Found[]> {
    const queries = shards.map(({ key, tables }) => ({
      key,
      steps: stepsFor(key).map((one) => onShard(one, key, tables)),
    }));
    const connections = this.connectionsTo(node);
    const steps = [step(beginToRead), ...queries.flatMap((one) => one.steps)];
    const results = await connections.use(null, (client) =>
      connections.send(client, steps, { flushes: true }),
    );
    let place = 1;
    return queries.map(({ key, steps: own }) => {
      const found = results.slice(place, place + own.length);
      place += own.length;
      return { part: key, node, results: found };
    });
  }

  private connectionsTo(node: string): Connections {
    const known = this.connections.get(node);
    if (known !== undefined) return known;
    const { options } = this;
    const url = replaceHost(options.url, node);
    const limits = { ...options, acquireTimeoutMs: Math.min(options.acquireTimeoutMs, connectMs), silenceMs };
    const made = new Connections(limits, targetWritable(url, options.log));
    this.connections.set(node, made);
    return made;
  }

  private leave(node: string, error: unknown): void {
    const isNew = !this.away.has(node);
    this.away.set(node, performance.now() + probeMs);
    if (!isNew) return;
    this.options.log('A node of the distributed database is away: only work of its own organizations waits', {
      node,
      reason: describeProblem(error),
    });
  }

  /** Whether a node is away; from time to time it is tried, without waiting for it. */
  private isAway(node: string): boolean {
    const probeAt = this.away.get(node);
    if (probeAt === undefined) return false;
    if (performance.now() >= probeAt) {
      this.away.set(node, Number.POSITIVE_INFINITY);
      const connections = this.connectionsTo(node);
      connections
        .use(null, (client) => connections.send(client, [step(beginToRead)]))
        .then(
          () => {
            this.away.delete(node);
            this.options.log('A node of the distributed database is back', { node });
          },
          () => this.away.set(node, performance.now() + probeMs),
        );
    }
    return true;
  }

  private async read(): Promise<Directory> {
    const known = await this.directory?.catch(() => null);
    if (known) {
      const freshMs = known.nodes === null ? plainMs : directoryMs;
      if (performance.now() - known.readAt < freshMs) return known;
    }
    this.directory = this.readDirectory();
    return this.directory;
  }

  private async readDirectory(): Promise<Directory> {
    const readAt = performance.now();
    const [kind] = await this.whole.queryInBackground([step(askDistributed)]);
    if (distributedRow.first(kind)?.isDistributed !== true) return { nodes: null, readAt };
    const [found] = await this.whole.queryInBackground([step(readShards)]);
    const rows = shardRow.all(found).map((row) => ({ ...row, node: `${row.host}:${row.port}` }));
    const shards = rows.filter(({ begins }) => begins !== '');
    if (shards.length === 0) return { nodes: null, readAt };
    const nodes = new Map(
      [...Map.groupBy(shards, ({ node }) => node)].map(([node, own]) => {
        const references = rows.filter((row) => row.node === node && row.begins === '');
        const toShard = ({ shards: tables }: (typeof own)[number]) => ({
          key: String(Math.min(...Object.values(tables))),
          tables: new Map(
            [...references.map((row) => row.shards), tables].flatMap((names) =>
              Object.entries(names).map(([name, id]): [string, string] => [name, `${name}_${id}`]),
            ),
          ),
        });
        return [node, own.map(toShard)] as const;
      }),
    );
    for (const node of this.away.keys()) if (!nodes.has(node)) this.away.delete(node);
    return { nodes, readAt };
  }
}

/** The step with the names of a shard's tables. */
function onShard({ statement, values }: Step, key: string, tables: ReadonlyMap<string, string>): Step {
  const text = statement.text.replace(/\btrellis\.(\w+)/g, (name, table: string) => {
    const shard = tables.get(table);
    return shard === undefined ? name : `trellis.${shard}`;
  });
  return step({ ...statement, name: `${statement.name} ${key}`, text }, values);
}

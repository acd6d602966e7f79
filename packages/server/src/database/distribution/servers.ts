/**
 * The servers of a distributed database (Citus) that have organizations, with their shards, and which of them are away. A plain database
 * has none. What one server does, or fails to do, delays nobody on the others: each has connections of its own, and is probed by itself.
 */
import { type Statement, step } from '../batch.ts';
import { targetWritable } from '../connection.ts';
import { type ConnectionOptions, Connections } from '../connections.ts';
import type { Database } from '../database.ts';
import { describeProblem } from '../failures.ts';
import { hostAndPort, replaceHost } from '../hosts.ts';
import { defineRow, flag, json, number, text } from '../row.ts';
import type { ShardTables } from './shard-statements.ts';

/** Times in ms. */
export interface ServersTiming {
  /** How often the places of the shards are read: after a move, work is found, and reads and changes are sent to the new server, at most that much later. */
  readonly shardsMs: number;
  /** How often each server is probed. */
  readonly probeMs: number;
  /** How long a probe may take before the server counts as away. */
  readonly deadlineMs: number;
}

const defaultTiming: ServersTiming = { shardsMs: 2_000, probeMs: 1_000, deadlineMs: 3_000 };

export interface ServersOptions extends ConnectionOptions {
  /** URL of the database. The servers are reached as the same role, under the addresses by which Citus knows them. */
  readonly url: string;
  readonly timing?: Partial<ServersTiming>;
}

/** A server with shards. */
export interface ServerState {
  /** `host:port` */
  readonly address: string;
  /** Its number in Citus (`nodeid` of `pg_dist_node`). */
  readonly number: number;
  /** Whether it is away, or disabled. */
  readonly isAway: boolean;
  /** Whether it is used at all: see `disabled-servers.ts`. */
  readonly isEnabled: boolean;
  readonly shards: readonly ShardTables[];
}

const shardRow = defineRow({
  node: number('n.nodeid'),
  host: text('n.nodename'),
  port: number('n.nodeport'),
  isEnabled: flag('n.isactive'),
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
    GROUP BY n.nodeid, n.nodename, n.nodeport, n.isactive, coalesce(s.shardminvalue, '')`,
};
const probe: Statement = { name: 'probe', text: 'SELECT 1' };

interface KnownServer {
  readonly connections: Connections;
  readonly timer: NodeJS.Timeout;
  isAway: boolean;
  isProbed: boolean;
}

/** Follows the servers of one database. */
export class Servers {
  private readonly database: Database;
  private readonly options: ServersOptions;
  private readonly timing: ServersTiming;
  private readonly known = new Map<string, KnownServer>();
  private shards: Shards | undefined;
  private readonly listeners = new Set<() => void>();
  private timer: NodeJS.Timeout | null = null;
  private reading: Promise<void> = Promise.resolve();
  private isClosed = false;

  /** @param database the whole, which knows where its shards are */
  constructor(database: Database, options: ServersOptions) {
    this.database = database;
    this.options = options;
    this.timing = { ...defaultTiming, ...options.timing };
    this.readLater(0);
  }

  /** The servers; null for a plain database, undefined until it is known. */
  state(): readonly ServerState[] | null | undefined {
    if (this.shards === null || this.shards === undefined) return this.shards;
    return [...this.shards].map(([address, { number, isEnabled, shards }]) => ({
      address,
      number,
      shards,
      isEnabled,
      isAway: !isEnabled || (this.known.get(address)?.isAway ?? false),
    }));
  }

  /** Calls the listener whenever the state may have changed. @returns ends that */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.reading;
    await Promise.all([...this.known.keys()].map((address) => this.forget(address)));
  }

  private readLater(delayMs: number): void {
    if (this.isClosed) return;
    this.timer = setTimeout(() => {
      this.reading = this.read().then(() => {
        // A plain database does not become a distributed one while processes use it.
        if (this.shards !== null) this.readLater(this.timing.shardsMs);
      });
    }, delayMs).unref();
  }

  /** Reads where the shards are. */
  private async read(): Promise<void> {
    try {
      const shards = await this.findShards();
      if (this.isClosed) return;
      const hasChanged = !isSame(this.shards, shards);
      // What has not changed stays the same objects.
      if (hasChanged) this.shards = shards;
      for (const address of this.known.keys()) if (!shards?.has(address)) await this.forget(address);
      for (const address of shards?.keys() ?? []) if (!this.known.has(address)) this.follow(address);
      if (hasChanged) this.tell();
    } catch (error) {
      this.options.log('Where the shards of the database are could not be read; it will be tried again', {
        reason: describeProblem(error),
      });
    }
  }

  private async findShards(): Promise<Shards> {
    if (!(await this.database.isDistributed())) return null;
    const [found] = await this.database.queryInBackground([step(readShards)]);
    const rows = shardRow.all(found);
    const own = rows.filter(({ begins }) => begins !== '');
    return new Map(
      [...Map.groupBy(own, addressOf)].map(([address, shards]) => {
        const references = rows.filter((row) => row.begins === '' && addressOf(row) === address);
        const shared = references.flatMap((row) => namesOf(row.shards));
        const own = {
          number: shards[0]?.node ?? 0,
          isEnabled: shards[0]?.isEnabled ?? false,
          shards: shards.map((row) => toTables(Number(row.begins), row.shards, shared)),
        };
        return [address, own] as const;
      }),
    );
  }

  private follow(address: string): void {
    const limits = {
      ...this.options,
      poolSize: 1,
      acquireTimeoutMs: this.timing.deadlineMs,
      silenceMs: this.timing.deadlineMs,
    };
    const url = replaceHost(this.options.url, address);
    const server: KnownServer = {
      connections: new Connections(
        { ...limits, log: () => undefined },
        targetWritable(url, this.options.log),
      ),
      timer: setInterval(() => void this.probe(address, server), this.timing.probeMs).unref(),
      isAway: false,
      isProbed: false,
    };
    this.known.set(address, server);
  }

  private async forget(address: string): Promise<void> {
    const server = this.known.get(address);
    this.known.delete(address);
    if (server === undefined) return;
    clearInterval(server.timer);
    server.connections.destroy();
    await server.connections.close();
  }

  /** Asks a server for a sign of life, unless the last probe has not ended. */
  private async probe(address: string, server: KnownServer): Promise<void> {
    if (server.isProbed) return;
    server.isProbed = true;
    try {
      await server.connections.use(null, (client) => server.connections.send(client, [step(probe)]));
      if (server.isAway) this.note(address, server, false);
    } catch (error) {
      if (!server.isAway && this.known.get(address) === server)
        this.note(address, server, true, describeProblem(error));
    } finally {
      server.isProbed = false;
    }
  }

  private note(address: string, server: KnownServer, isAway: boolean, reason?: string): void {
    server.isAway = isAway;
    // Back or not, one that is disabled is not used.
    if (this.shards?.get(address)?.isEnabled === false) return;
    const message = isAway
      ? 'A server of the distributed database is away: work of its own organizations waits'
      : 'A server of the distributed database is back';
    this.options.log(message, { server: address, ...(reason === undefined ? {} : { reason }) });
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

function addressOf({ host, port }: { readonly host: string; readonly port: number }): string {
  return hostAndPort(host, port);
}

/** The name of each table's shard. */
function namesOf(shards: Readonly<Record<string, number>>): [string, string][] {
  return Object.entries(shards).map(([table, id]) => [table, `${table}_${id}`]);
}

function toTables(
  from: number,
  shards: Readonly<Record<string, number>>,
  shared: readonly (readonly [string, string])[],
): ShardTables {
  return {
    id: String(Math.min(...Object.values(shards))),
    from,
    names: new Map([...shared, ...namesOf(shards)]),
  };
}

/** The number and the shards of each server, and whether it is enabled. */
type Shards = ReadonlyMap<
  string,
  { readonly number: number; readonly isEnabled: boolean; readonly shards: readonly ShardTables[] }
> | null;

function isSame(before: Shards | undefined, after: Shards): boolean {
  return before !== undefined && describe(before) === describe(after);
}

/** A text that is the same for the same shards in the same places. */
function describe(shards: Shards): string {
  const lines = [...(shards ?? [])].flatMap(([address, { number, isEnabled, shards: own }]) =>
    own.flatMap(({ names }) =>
      [...names.values()].map((name) => `${number} ${isEnabled} ${address} ${name}`),
    ),
  );
  return shards === null ? 'plain' : lines.sort().join('\n');
}

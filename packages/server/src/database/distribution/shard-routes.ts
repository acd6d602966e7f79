/**
 * Sends what is read and changed of an organization to the server of a distributed database (Citus) that has its rows, as statements on the tables
 * of its shard: neither the coordinator nor Citus takes part. See docs/decisions/0116-reads-in-shards.md and 0117-writes-in-shards.md.
 */
import { Problem } from '@trellis/schema/problem.ts';
import { BoundedMap } from '../../lib/bounded-map.ts';
import { type DatabaseFailure, type Statement, type Step, type StepResult, step } from '../batch.ts';
import { beginToRead } from '../block.ts';
import { targetWritable } from '../connection.ts';
import { type ConnectionOptions, Connections, isConnectionLost } from '../connections.ts';
import type { Database } from '../database.ts';
import { describeProblem } from '../failures.ts';
import { replaceHost } from '../hosts.ts';
import { defineRow, number, text } from '../row.ts';
import { onlyRead, type Scope, scopeValues, setLocal } from '../scope.ts';
import type { FoundEverywhere, ShardRoute, ShardRouter } from '../shard-router.ts';
import type { Servers } from './servers.ts';
import { holdStep, ShardStatements, type ShardTables } from './shard-statements.ts';

/** Organizations whose hashes are kept at most; those of the half used last are. */
const maximumKnown = 200_000;
/** Organizations that wait for their hashes; further ones begin to wait at a later read. */
const maximumWaiting = 1_000;

const hashRow = defineRow({ organizationId: text('id'), hash: number('worker_hash(id)') });
/** Citus's hash of organizations, by which it finds their shards. It never changes. */
const readHashes: Statement = {
  name: 'read_organization_hashes',
  text: `SELECT ${hashRow.list} FROM unnest($1::uuid[]) id`,
};

/** PostgreSQL may keep plans, which are the same for all organizations of a shard; of statements that Citus plans, it may not (`distribute.ts`). */
const keepPlans = `set_config('plan_cache_mode', 'auto', true)`;
/** Names the scope; `nameReaders` then names the reader keys of the user, as `name_scope` does there with `readers_of`. */
const nameScope: Statement = {
  name: 'trellis_scope_in_shard',
  text: `SELECT ${setLocal('trellis.organization', '$1')}, ${setLocal('trellis.user', '$2')}, ${keepPlans}`,
  setsScope: true,
};
const nameScopeToRead: Statement = {
  name: 'trellis_scope_in_shard_read',
  text: `${nameScope.text}, ${onlyRead}`,
  setsScope: true,
};
const nameReaders: Statement = {
  name: 'trellis_readers_in_shard',
  text: `SELECT ${setLocal(
    'trellis.readers',
    `concat_ws(',', nullif($2, ''), m.role, (
      SELECT string_agg('read:' || (p.value ->> 'resource'), ',')
      FROM trellis.roles r, json_array_elements(r.grants) p
      WHERE r.organization_id = $1 AND r.id = m.role_id AND p.value ->> 'action' = 'read'))`,
  )}
    FROM (SELECT) one LEFT JOIN trellis.memberships m ON m.organization_id = $1 AND m.user_id = nullif($2, '')::uuid`,
};
/** Whether the server still has the shard. At the end of a read: until then, what it has read was current. */
const findShard: Statement = {
  name: 'trellis_find_shard',
  text: `SELECT FROM pg_catalog.pg_dist_placement p JOIN pg_catalog.pg_dist_local_group g ON g.groupid = p.groupid
    WHERE p.shardid = $1 AND p.shardstate = 1`,
};
const disabled = 'The server of the database that has this organization is disabled. Nothing was changed.';
/** SQLSTATE undefined_table: the shard has gone, and its tables were dropped. */
const undefinedTable = '42P01';

/** A shard: all organizations whose hashes are neither lower than its `from` nor as high as that of the next one. */
interface Route {
  readonly tables: ShardTables;
  readonly statements: ShardStatements;
  /** Null while its server is away. */
  readonly connections: Connections | null;
  readonly isEnabled: boolean;
}

export interface ShardRoutesOptions extends ConnectionOptions {
  /** URL of the database as the serving role; the servers are reached as the same role. */
  readonly url: string;
}

/** The connections to the servers of a distributed database; a plain one has none. */
export class ShardRoutes implements ShardRouter {
  private readonly database: Database;
  private readonly servers: Pick<Servers, 'state' | 'onChange'>;
  private readonly options: ShardRoutesOptions;
  private readonly known = new Map<string, Connections>();
  /** In ascending order. */
  private routes: readonly Route[] = [];
  private readonly hashes = new BoundedMap<string, number>(maximumKnown);
  private readonly waiting = new Set<string>();
  private reading: Promise<void> | null = null;
  private readonly unsubscribe: () => void;

  /** @param database the whole, which knows the hashes */
  constructor(database: Database, servers: Pick<Servers, 'state' | 'onChange'>, options: ShardRoutesOptions) {
    this.database = database;
    this.servers = servers;
    this.options = options;
    this.unsubscribe = servers.onChange(() => this.follow());
    this.follow();
  }

  /** Whether its server is known. If not, it will be soon. */
  knows(organizationId: string): boolean {
    return this.routeOf(organizationId) !== null;
  }

  async requireEnabled(organizationIds: readonly string[]): Promise<void> {
    if (this.routes.every(({ isEnabled }) => isEnabled)) return;
    const find = () => organizationIds.filter((id) => this.routeOf(id) === null);
    if (find().length === 0) return;
    // Their servers are not known yet.
    await this.reading;
    find();
  }

  /** The way for changes; null if its server is not known yet or is away. */
  find(organizationId: string): ShardRoute | null {
    const route = this.routeOf(organizationId);
    if (route === null || route.connections === null) return null;
    const { tables, statements, connections } = route;
    return {
      connections,
      open: (scope) => [
        holdStep(tables),
        step(nameScope, scopeValues(scope)),
        ...statements.name([step(nameReaders, scopeValues(scope))]),
      ],
      name: (steps) => statements.name(steps),
    };
  }

  /** Reads in the shard of the organization; null if its server is not known yet, is away, or has the shard no longer. */
  async read(
    scope: Scope,
    steps: readonly Step[],
    send: (connections: Connections, steps: readonly Step[]) => Promise<StepResult[]>,
  ): Promise<StepResult[] | null> {
    const route = this.routeOf(scope.organizationId);
    if (route === null || route.connections === null) return null;
    const values = scopeValues(scope);
    const readers = step(nameReaders, values);
    const named = route.statements.name([readers, ...steps]);
    try {
      const results = await send(route.connections, [
        step(nameScopeToRead, values),
        ...named,
        step(findShard, [route.tables.id]),
      ]);
      return results.at(-1)?.rows.length === 1 ? results.slice(1, -1) : null;
    } catch (error) {
      if ((error as DatabaseFailure).code === undefinedTable) return null;
      throw error;
    }
  }

  /** Reads in all shards, with one round trip to each server; without those that are away. Null where a shard has just moved. */
  async readAll(steps: readonly Step[], share: string | null = null): Promise<FoundEverywhere | null> {
    if (this.routes.length === 0) return null;
    const byServer = Map.groupBy(this.routes, ({ connections }) => connections);
    const parts: StepResult[][] = [];
    let isComplete = !byServer.delete(null);
    const read = [...byServer].map(([connections, routes]) =>
      connections?.use(share, (client) =>
        connections.send(
          client,
          [
            step(beginToRead),
            ...routes.flatMap(({ tables, statements }) => [
              ...statements.name(steps),
              step(findShard, [tables.id]),
            ]),
          ],
          { isRead: true },
        ),
      ),
    );
    for (const ended of await Promise.allSettled(read)) {
      if (ended.status === 'rejected') {
        const failure = ended.reason as DatabaseFailure;
        if (failure.code === undefinedTable) return null;
        // A lost connection, or none in time, is the server's fault; anything else is the statement's.
        if (!(ended.reason instanceof Problem) && !isConnectionLost(failure)) throw failure;
        isComplete = false;
        continue;
      }
      const [, ...results] = ended.value ?? [];
      while (results.length > 0) {
        const part = results.splice(0, steps.length + 1);
        if (part.pop()?.rows.length !== 1) return null;
        parts.push(part);
      }
    }
    return { parts, isComplete };
  }

  async close(): Promise<void> {
    this.unsubscribe();
    await this.reading;
    await Promise.all([...this.known.values()].map((connections) => connections.close()));
  }

  private routeOf(organizationId: string): Route | null {
    if (this.routes.length === 0) return null;
    const hash = this.hashes.get(organizationId);
    if (hash !== undefined) {
      const route = this.routes.findLast(({ tables }) => tables.from <= hash) ?? null;
      // The coordinator cannot serve it either, and Citus may find that out only when the statement runs out of time.
      if (route?.isEnabled === false)
        throw new Problem('database_unavailable', disabled, { headers: { 'retry-after': '1' } });
      return route;
    }
    if (this.waiting.size < maximumWaiting) this.waiting.add(organizationId);
    this.reading ??= this.readHashes();
    return null;
  }

  private follow(): void {
    const servers = this.servers.state() ?? [];
    for (const { address, isAway } of servers) {
      if (!this.known.has(address)) this.known.set(address, this.open(address));
      // What waits for it fails now.
      if (isAway) this.known.get(address)?.destroy();
    }
    for (const [address, connections] of this.known) {
      if (servers.some((server) => server.address === address)) continue;
      this.known.delete(address);
      void connections.close();
    }
    const before = new Map(this.routes.map(({ tables, statements }) => [tables, statements]));
    this.routes = servers
      .flatMap(({ address, isAway, isEnabled, shards }) =>
        shards.map((tables) => ({
          tables,
          statements: before.get(tables) ?? new ShardStatements(tables, true),
          connections: isAway ? null : (this.known.get(address) ?? null),
          isEnabled,
        })),
      )
      .sort((one, other) => one.tables.from - other.tables.from);
  }

  private open(address: string): Connections {
    const { url, log } = this.options;
    return new Connections(this.options, targetWritable(replaceHost(url, address), log));
  }

  /** Reads the hashes of all organizations that wait, in one query after another. */
  private async readHashes(): Promise<void> {
    try {
      while (this.waiting.size > 0) {
        const ids = [...this.waiting];
        const [found] = await this.database.queryInBackground([step(readHashes, [`{${ids.join(',')}}`])]);
        for (const { organizationId, hash } of hashRow.all(found)) this.hashes.set(organizationId, hash);
        for (const id of ids) this.waiting.delete(id);
      }
    } catch (error) {
      this.waiting.clear();
      this.options.log('The servers of organizations could not be read; the next read tries again', {
        reason: describeProblem(error),
      });
    } finally {
      this.reading = null;
    }
  }
}
